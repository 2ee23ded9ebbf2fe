/* SPDX-License-Identifier: MIT */
/* The table of the checks of the leapfrog scheme. */
#include "validate/cartesian7/checks.h"

static const struct check kernel_check = {"kernels", check_kernels};
static const struct check solid_room_check = {"solid", check_solid};
static const struct check mode_check = {"modes", check_modes};
static const struct check energy_check = {"energy", check_energy};
static const struct check reflection_check = {"reflection", check_reflection};
static const struct check free_field_check = {"free-field", check_free_field};
static const struct check reciprocity_check = {"reciprocity", check_reciprocity};
static const struct check stability_check = {"stability", check_stability};
static const struct check precision_check = {"precision", check_precision};
static const struct check tuning_check = {"tuning", check_tuning};

const struct check *const cartesian7_checks[] = {
    &kernel_check,
    &solid_room_check,
    &mode_check,
    &energy_check,
    &reflection_check,
    &free_field_check,
    &reciprocity_check,
    &stability_check,
    &precision_check,
    &tuning_check,
    NULL,
};
