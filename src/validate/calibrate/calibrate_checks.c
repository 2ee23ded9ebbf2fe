/* SPDX-License-Identifier: MIT */
/* The table of the checks of calibration. */
#include "validate/calibrate/checks.h"

static const struct check diffuse_check = {"diffuse", check_calibrate_diffuse};
static const struct check rays_check = {"rays", check_calibrate_rays};
static const struct check slopes_check = {"slopes", check_calibrate_slopes};

const struct check *const calibrate_checks[] = {&diffuse_check, &rays_check, &slopes_check, NULL};
