/* SPDX-License-Identifier: MIT */
/* A box with locally reacting walls in the continuum, solved exactly. Opposite walls are equal,
 * so that modes are even or odd about the middle. Lengths and wavenumbers are in units of the
 * spacing X; time dependence e^{jωt}. */
#ifndef AULA_VALIDATE_ISOTROPIC19_ROBIN_BOX_H
#define AULA_VALIDATE_ISOTROPIC19_ROBIN_BOX_H

#include <complex.h>
#include <stddef.h>

#include "room/grid/absorption.h"
#include "room/layers/layers.h"

struct robin_box {
    double length[3];                     /* X */
    struct admittance walls[3];           /* of both walls across an axis, SI units */
    const struct layered_wall *layers[3]; /* in place of them; NULL: none */
    double speed;                         /* c/X, 1/s: ω = speed k */
};

enum { ROBIN_MODES = 26 }; /* along an axis */

/* cos(q (x - L/2)) for even m, sin for odd m. */
double complex robin_shape(double length, size_t m, double complex q, double x);

/* Pressure of a source with the free field e^{-jkr}/(4πr): closed form along x, sums over modes
 * along y and z. */
double complex robin_field(const struct robin_box *box, double k, const size_t source[3], const size_t receiver[3]);

/* Complex wavenumber of a mode of the box, e^{j speed k t}; q[3]: along the axes. */
double complex robin_mode(const struct robin_box *box, const size_t m[3], double complex q[3]);

#endif
