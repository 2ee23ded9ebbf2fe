/* SPDX-License-Identifier: MIT */
/* Fits walls of parallel series-RLC branches (struct branch), passive by construction, to absorption coefficients in
 * octave bands.
 *
 * The fitted quantity is the mean over each octave of the random-incidence absorption of Y(ω), without any grid: the
 * wall is the material's, and every grid follows it (admittance_fit.h). Parameters of a branch are its admittance Y at
 * resonance, its Q and its resonance ω0:
 *     D = Q/(Y ω0), E = 1/Y, F = Q ω0/Y,
 * initially one branch per octave band and one above, Q = √2 at the band's centre (Bilbao, Hamilton, Botts, Savioja,
 * IEEE/ACM TASLP 24(1), 161-173, 2016). A bounded nonlinear least squares varies Q from 0.02 to 10 and ω0 by at most an
 * octave; the absorption inside the bands is pulled towards linear interpolation between the targets at the centres (in log
 * frequency), more weakly each time the means are not met.
 *
 * That wall is accepted if its means over linear frequency are within 0.02 too and if it absorbs at most 0.05 above the
 * larger of the two nearest targets at every frequency. Otherwise it is fitted again with a penalty on both and Q up to
 * 30, then with up to seven more branches where the targets step most. */
#ifndef AULA_ROOM_GRID_WALL_FIT_H
#define AULA_ROOM_GRID_WALL_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/acoustics/conventions.h"
#include "base/error.h"
#include "room/grid/wall_admittance.h"

struct wall_fit {
    struct wall_admittance wall; /* of branches: one per octave and one more, or fewer; more if needed. Else real */
    double target[OCTAVE_BANDS]; /* absorption asked for, at most ABSORPTION_MAX */
    double fitted[OCTAVE_BANDS]; /* octave mean of the wall's absorption */
    double worst;                /* largest |fitted - target| */
    size_t worst_band;
    double worst_linear; /* likewise, of the means over linear frequency */
    double overshoot;    /* largest absorption above the larger of the two nearest targets, at any frequency */
};

/* Fits `absorption` (63 Hz to 8 kHz, each >= 0, clamped to ABSORPTION_MAX). Equal coefficients give the exact real
 * admittance, unless always_branches (absorption 0 is always a rigid wall). A poor fit is no error: see `worst`.
 * Deterministic to the bit. ERROR_INPUT: a negative coefficient or NaN. */
int wall_fit_make(struct wall_fit *f, const double absorption[OCTAVE_BANDS], bool always_branches, struct error *e);

#endif
