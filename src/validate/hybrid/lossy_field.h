/* SPDX-License-Identifier: MIT */
/* The exact field of a point source in a box with locally reacting walls, each with its own
 * admittance: modes along x and y, a closed form along z. */
#ifndef AULA_VALIDATE_HYBRID_LOSSY_FIELD_H
#define AULA_VALIDATE_HYBRID_LOSSY_FIELD_H

#include <complex.h>
#include <stddef.h>

#include "base/acoustics/conventions.h"
#include "base/error.h"

struct lossy_field {
    double size[3];                   /* m */
    double complex admittance[FACES]; /* specific, Re >= 0 */
    double complex k;                 /* 1/m: ω/c, Im k <= 0 (e^{jωt}; the source grows as e^{-c Im k t}) */
};

/* pressure [count] at receivers [count], in m, of a source of 1 Pa m, which is e^{-jkr}/(4πr)
 * without walls. Receivers must not have the height of the source: modes are summed until they
 * have fallen by e^-25 between them. ERROR_MEMORY; ERROR_FAILED: a root of an axis is missing. */
int lossy_field_at(double complex *pressure, const struct lossy_field *field, const double source[3],
                   const double (*receivers)[3], size_t count, struct error *e);

#endif
