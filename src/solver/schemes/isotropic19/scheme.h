/* SPDX-License-Identifier: MIT */
/* The 19-point scheme as engines step it. Its parameters are those of the leapfrog scheme, with STENCIL_19_POINT. */
#ifndef AULA_SOLVER_SCHEMES_ISOTROPIC19_SCHEME_H
#define AULA_SOLVER_SCHEMES_ISOTROPIC19_SCHEME_H

#include "solver/scheme.h"

extern const struct scheme isotropic19_scheme;

#endif
