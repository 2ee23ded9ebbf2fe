/* SPDX-License-Identifier: MIT */
/* The table of the checks of air absorption. */
#include "validate/cartesian7/checks.h"

static const struct check mode_check = {"modes", check_air_modes};
static const struct check band_check = {"bands", check_air_bands};

const struct check *const air_checks[] = {&mode_check, &band_check, NULL};
