/* SPDX-License-Identifier: MIT */
/* The admittance of a wall's branches and tanks (conventions.h). */
#ifndef AULA_BASE_ACOUSTICS_BRANCH_ADMITTANCE_H
#define AULA_BASE_ACOUSTICS_BRANCH_ADMITTANCE_H

#include <complex.h>

#include "base/acoustics/conventions.h"

/* Y = Σ 1/Z, theory (29) and (29a), at s = jω in rad/s, or in units of the time step if the values are. s is not 0. */
double complex branch_admittance(const struct branch *branches, size_t count, double complex s);

#endif
