/* SPDX-License-Identifier: MIT */
/* Plane waves that pass a partition on the grid, theory (37e). */
#ifndef AULA_SOLVER_SCHEMES_LEAPFROG_PARTITION_WAVES_H
#define AULA_SOLVER_SCHEMES_LEAPFROG_PARTITION_WAVES_H

#include <complex.h>

#include "solver/schemes/leapfrog/problem.h"

/* T, the pressure that passes a sheet across x over that of the incident wave. frequency: of the grid, f/fs; kappa: the
 * components of its wavenumber times the spacing. Mirror images along y and z change nothing. */
double complex partition_passed(enum air_stencil stencil, double courant_squared, const struct transmission *sheet,
                                double frequency, const double kappa[3]);

#endif
