/* The lowest modes of plates in vacuo, without a grid: what a plate's stiffness is tuned to. */
#ifndef AULA_SYNTH_PLATE_MODES_H
#define AULA_SYNTH_PLATE_MODES_H

#include "synth/surface.h"

/* Modes by their symmetry: bit 0, odd along the first axis; bit 1, odd along the second. */
enum { PARITIES = 4, PARITY_MODES = 8 };
enum { ODD_ALONG = 1, ODD_ACROSS = 2 };

struct plate_modes {
    double frequency[PARITIES][PARITY_MODES]; /* rad/s, rising; moves and turns of a free plate apart */
};

/* Discs: A. W. Leissa, Vibration of Plates, NASA SP-160, 1969, equations (2.3) and (2.13). Rectangles: closed forms where they are
 * supported, else Ritz's sums (plate_ritz.c). Nonzero with *e filled: out of memory, or stopped on request. */
int plate_modes_find(struct plate_modes *m, const struct surface_plan *plan, struct error *e);

/* λ² = ω a² (ρH/D)^1/2 of a free or clamped rectangle with sides 2 and 2 b/a, a b being the half sides; all modes of a
 * parity that are asked for, moves and turns apart. */
int plate_ritz(double *lambda_squared, size_t wanted, int parity, const struct surface_plan *plan, struct error *e);

#endif
