/* SPDX-License-Identifier: MIT */
/* A box with locally reacting walls in the continuum, solved exactly: opposite walls are alike, so modes are even or
 * odd about the middle. Lengths and wavenumbers in units of the spacing X; time as e^{jωt}. */
#ifndef AULA_VALIDATE_ISOTROPIC19_ROBIN_BOX_H
#define AULA_VALIDATE_ISOTROPIC19_ROBIN_BOX_H

#include <complex.h>
#include <stddef.h>

#include "room/grid/absorption.h"

struct robin_box {
    double length[3];           /* X */
    struct admittance walls[3]; /* of both walls across an axis, SI units */
    double speed;               /* c/X, 1/s: ω = speed k */
};

/* Specific admittance of the walls across an axis at a wavenumber, which may be complex. */
double complex robin_admittance(const struct robin_box *box, int axis, double complex k);

enum { ROBIN_MODES = 26 }; /* along an axis */

/* Wavenumbers q[ROBIN_MODES] of the modes of a length L between walls with b = jkY: q tan(qL/2) = b for even m, q
 * cot(qL/2) = -b for odd m; from the rigid walls' π m/L as b grows from 0, all at once, so that no two become one
 * (Newton's method with Aberth's correction). NaN where that does not converge. */
void robin_wavenumbers(double complex *q, double length, double complex b);

/* cos(q (x - L/2)) for even m, sin for odd m. */
double complex robin_shape(double length, size_t m, double complex q, double x);

/* Pressure of a source at its strength's e^{-jkr}/(4πr): closed form along x, sums over modes along y and z. */
double complex robin_field(const struct robin_box *box, double k, const size_t source[3], const size_t receiver[3]);

/* Complex wavenumber of a mode of the box, e^{j speed k t}; q[3]: along the axes. */
double complex robin_mode(const struct robin_box *box, const size_t m[3], double complex q[3]);

#endif
