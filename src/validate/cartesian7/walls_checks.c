/* SPDX-License-Identifier: MIT */
/* The table of the checks of frequency-dependent walls. */
#include "validate/cartesian7/checks.h"

static const struct check tube_check = {"tube", check_wall_tube};
static const struct check layers_check = {"layers", check_wall_layers};
static const struct check oblique_check = {"oblique", check_wall_oblique};
static const struct check partition_check = {"partition", check_wall_partition};
static const struct check energy_check = {"energy", check_wall_energy};
static const struct check mixed_check = {"mixed", check_wall_mixed};
static const struct check random_check = {"random", check_wall_random};
static const struct check reverberation_check = {"reverberation", check_wall_reverberation};
static const struct check kernel_check = {"kernels", check_kernels};

const struct check *const walls_checks[] = {
    &tube_check,  &layers_check, &oblique_check,       &partition_check, &energy_check,
    &mixed_check, &random_check, &reverberation_check, &kernel_check,    NULL,
};
