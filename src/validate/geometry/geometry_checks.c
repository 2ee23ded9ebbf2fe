/* SPDX-License-Identifier: MIT */
/* The table of the checks of rooms from meshes. */
#include "validate/geometry/checks.h"

static const struct check shape_check = {"shapes", check_geometry_shapes};
static const struct check rotation_check = {"rotations", check_geometry_rotations};
static const struct check hole_check = {"holes", check_geometry_holes};
static const struct check order_check = {"orders", check_geometry_orders};
static const struct check mutation_check = {"mutations", check_geometry_mutations};
static const struct check mode_check = {"modes", check_geometry_modes};
static const struct check reverberation_check = {"reverberation", check_geometry_reverberation};
static const struct check energy_check = {"energy", check_geometry_energy};
static const struct check kernel_check = {"kernels", check_geometry_kernels};
static const struct check bit_check = {"bits", check_geometry_bits};
static const struct check kind_check = {"kinds", check_geometry_kinds};
static const struct check speed_check = {"speed", check_geometry_speed};

const struct check *const geometry_checks[] = {
    &shape_check,  &rotation_check, &hole_check, &order_check, &mutation_check, &mode_check, &reverberation_check,
    &energy_check, &kernel_check,   &bit_check,  &kind_check,  &speed_check,    NULL,
};
