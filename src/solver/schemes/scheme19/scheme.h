/* SPDX-License-Identifier: MIT */
/* The 19-point scheme as engines step it. Its parameters are those of the leapfrog scheme, with STENCIL_19_POINT. */
#ifndef AULA_SOLVER_SCHEMES_SCHEME19_SCHEME_H
#define AULA_SOLVER_SCHEMES_SCHEME19_SCHEME_H

#include "solver/scheme.h"

extern const struct scheme scheme19_scheme;

#endif
