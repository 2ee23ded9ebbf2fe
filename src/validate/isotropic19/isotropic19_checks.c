/* SPDX-License-Identifier: MIT */
/* The checks of the 19-point scheme. */
#include "validate/isotropic19/checks.h"
#include "validate/isotropic19/commands.h"

static const struct check kernel_check = {"kernels", check_isotropic19_kernels};
static const struct check solid_room_check = {"solid", check_isotropic19_solid};
static const struct check mode_check = {"modes", check_isotropic19_modes};
static const struct check energy_check = {"energy", check_isotropic19_energy};
static const struct check bound_check = {"bound", check_isotropic19_bound};
static const struct check reflection_check = {"reflection", check_isotropic19_reflection};
static const struct check map_check = {"map", check_isotropic19_map};
static const struct check free_field_check = {"free-field", check_isotropic19_free_field};
static const struct check wall_check = {"walls", check_isotropic19_walls};
static const struct check decay_check = {"decay", check_isotropic19_decay};
static const struct check room_check = {"rooms", check_isotropic19_rooms};

const struct check *const isotropic19_checks[] = {
    &kernel_check, &solid_room_check, &mode_check, &energy_check, &bound_check, &reflection_check,
    &map_check,    &free_field_check, &wall_check, &decay_check,  &room_check,  NULL,
};
