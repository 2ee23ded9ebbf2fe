/* SPDX-License-Identifier: MIT */
/* The checks of the sediment scheme, one file each. Basins are small and random; all checks use
 * the solver contract. */
#ifndef AULA_VALIDATE_SEDIMENT_CHECKS_H
#define AULA_VALIDATE_SEDIMENT_CHECKS_H

#include "validate/validate.h"

extern const struct check check_sediment_kernels, check_sediment_residual, check_sediment_conservation,
    check_sediment_pure_sand;
extern const struct check check_sediment_bounds, check_sediment_step_limit;

/* Checks, benchmark and scenario of this scheme, used only by the table of schemes
 * (app/schemes.c). */

struct check;
struct benchmark;
struct scenario;

extern const struct check *const sediment_checks[]; /* NULL-terminated */
extern const struct benchmark benchmark_sediment;
extern const struct scenario sediment_scenario;

#endif
