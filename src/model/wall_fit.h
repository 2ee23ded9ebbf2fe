/* SPDX-License-Identifier: MIT */
/* Fits walls of parallel series-RLC branches (struct branch), passive by construction, to absorption coefficients in
 * octave bands.
 *
 * The fitted quantity is the mean over each octave of the random-incidence absorption of Y(ω) on the grid
 * (octave_mean_absorption). Parameters of a branch are its admittance Y at resonance, its Q and its resonance ω0:
 *     D = Q/(Y ω0), E = 1/Y, F = Q ω0/Y,
 * initially one branch per octave band, Q = √2 at the band's centre (Bilbao, Hamilton, Botts, Savioja, IEEE/ACM TASLP
 * 24(1), 161-173, 2016). A bounded nonlinear least squares varies Q from 0.02 to 10 and ω0 by at most an octave; the
 * absorption inside the bands is pulled towards linear interpolation between the targets at the centres (in log
 * frequency), more weakly each time the means are not met.
 *
 * Frequencies are true ones, and absorption is that of the true wall: on a mapped grid what is stepped is evaluated at
 * the grid's frequency and divided by γ (wall_clock.h).
 *
 * That wall is accepted if its means over linear frequency are within 0.02 too and if it absorbs at most 0.05 above the
 * larger of the two nearest targets at every frequency. Otherwise it is fitted again with a penalty on both and Q up to
 * 30, then with up to seven more branches where the targets step most. */
#ifndef AULA_MODEL_WALL_FIT_H
#define AULA_MODEL_WALL_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "acoustics/bands.h"
#include "acoustics/branch.h"
#include "base/error.h"
#include "model/wall_clock.h"

struct wall_fit {
    struct branch branches[BRANCHES_MAX];
    size_t branch_count;         /* one per fitted band and one more, or fewer; more if needed */
    double admittance;           /* with branch_count 0: the real specific admittance, 0: rigid */
    double target[OCTAVE_BANDS]; /* absorption asked for, at most ABSORPTION_MAX; NaN: band not fitted */
    double fitted[OCTAVE_BANDS]; /* octave mean of the wall's absorption; NaN likewise */
    double worst;                /* largest |fitted - target| */
    size_t worst_band;
    double worst_linear; /* likewise, of the means over linear frequency */
    double overshoot;    /* largest absorption above the larger of the two nearest targets, at any frequency */
};

/* Fits `absorption` (63 Hz to 8 kHz, each >= 0, clamped to ABSORPTION_MAX) in the first `bands` octaves; the next one,
 * if any, only guides the absorption above them. The clock carries the top octave. Equal coefficients in all bands give
 * the exact real admittance, on a mapped grid branches fitted to it (admittance_fit.h), unless always_branches
 * (absorption 0 is always a rigid wall). A poor fit is no error: see `worst`. Deterministic to the bit. ERROR_INPUT: a
 * negative coefficient or NaN, no bands or too many, or a clock that does not carry them. */
int wall_fit_make(struct wall_fit *f, const double absorption[OCTAVE_BANDS], size_t bands,
                  const struct wall_clock *clock, bool always_branches, struct error *e);

#endif
