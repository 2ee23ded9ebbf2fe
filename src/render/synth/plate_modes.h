/* SPDX-License-Identifier: MIT */
/* The lowest modes of plates in vacuo, without a grid: reference for tuning a plate's stiffness. */
#ifndef AULA_RENDER_SYNTH_PLATE_MODES_H
#define AULA_RENDER_SYNTH_PLATE_MODES_H

#include "render/synth/surface.h"

/* Modes by symmetry. Bit 0: odd along the first axis; bit 1: odd along the second. */
enum { PARITIES = 4, PARITY_MODES = 8 };
enum { ODD_ALONG = 1, ODD_ACROSS = 2 };

struct plate_modes {
    double frequency[PARITIES][PARITY_MODES]; /* rad/s, ascending, without rigid-body motions of a free plate */
};

/* Discs: A. W. Leissa, Vibration of Plates, NASA SP-160, 1969, equations (2.3) and (2.13). Rectangles: closed form for
 * supported edges, else the Ritz method (plate_ritz). Nonzero with *e filled: out of memory, or stopped. */
int plate_modes_find(struct plate_modes *m, const struct surface_plan *plan, struct error *e);

/* The lowest mode of a free or clamped disc with `order` diameters: w = (J_n(λr) + share I_n(λr)) cos nθ, r over the
 * radius. disc_mode_at: without the cosine. */
struct disc_mode {
    int order;
    double lambda, share;
};
void disc_mode_find(struct disc_mode *m, const struct surface_plan *plan, int order);
double disc_mode_at(const struct disc_mode *m, double r);

/* λ² = ω a² (ρH/D)^1/2 of a free or clamped rectangle with half sides a, b: the first `wanted` modes of a parity,
 * without rigid-body motions. */
int plate_ritz(double *lambda_squared, size_t wanted, int parity, const struct surface_plan *plan, struct error *e);

#endif
