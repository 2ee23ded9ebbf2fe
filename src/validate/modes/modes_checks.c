/* SPDX-License-Identifier: MIT */
/* The table of the checks of the modes of rooms. */
#include "validate/modes/checks.h"

static const struct check box_check = {"boxes", check_modes_boxes};
static const struct check neighbour_check = {"neighbours", check_modes_neighbours};
static const struct check corner_check = {"corner", check_modes_corner};

const struct check *const modes_checks[] = {&box_check, &neighbour_check, &corner_check, NULL};
