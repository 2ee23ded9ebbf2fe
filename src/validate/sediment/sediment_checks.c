/* SPDX-License-Identifier: MIT */
/* The table of the sediment scheme's checks. */
#include "validate/sediment/checks.h"

const struct check *const sediment_checks[] = {
    &check_sediment_kernels,
    &check_sediment_residual,
    &check_sediment_conservation,
    &check_sediment_pure_sand,
    &check_sediment_bounds,
    &check_sediment_step_limit,
    NULL,
};
