/* From absorption coefficients in octave bands to a wall that the time scheme can run: parallel series-RLC branches
 * (struct branch), passive by construction.
 *
 * What is fitted is the mean over each octave of the random-incidence absorption of Y(ω), as the grid sees it
 * (octave_mean_absorption). Each branch is given by its admittance Y at resonance, its Q and its resonance ω0:
 *     D = Q/(Y ω0), E = 1/Y, F = Q ω0/Y,
 * and starts as one octave band's, Q = √2 at the band's centre (Bilbao, Hamilton, Botts, Savioja, IEEE/ACM TASLP 24(1),
 * 161-173, 2016). A bounded nonlinear least squares moves all of them, Q from 0.02 to 10 and ω0 by an octave at most; the
 * absorption inside the bands is drawn to the straight line between the targets at the centres (in log frequency), more
 * weakly each time the means do not follow.
 *
 * That wall is taken where its means are right over linear frequency, too, within 0.02, and where it absorbs at most 0.05
 * above the larger of the targets to either side at every frequency. Elsewhere it is fitted again with a penalty on both,
 * Q up to 30, and then with up to seven more branches where the targets step most, until it does. */
#ifndef AULA_MODEL_WALL_FIT_H
#define AULA_MODEL_WALL_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "acoustics/bands.h"
#include "acoustics/branch.h"
#include "base/error.h"

struct wall_fit {
    struct branch branches[BRANCHES_MAX];
    size_t branch_count;         /* one a band that counts and one more, or less; more where that is not enough */
    double admittance;           /* with branch_count 0: the real specific admittance, 0: rigid */
    double target[OCTAVE_BANDS]; /* absorption asked for, at most ABSORPTION_MAX; NaN: the band does not count */
    double fitted[OCTAVE_BANDS]; /* octave mean of what the wall absorbs; NaN likewise */
    double worst;                /* largest |fitted - target| */
    size_t worst_band;
    double worst_linear; /* the same of the means over linear frequency */
    double overshoot;    /* the most absorbed above the larger of the targets to either side, at any frequency */
};

/* Fits `absorption` (63 Hz to 8 kHz, each >= 0; what exceeds ABSORPTION_MAX is clamped to it) in the first `bands`
 * octaves; the next one, if there is any, only says where the absorption goes above them. `rate`: of the grid, Hz, the
 * top octave below rate/2; 0: the continuum. Bands that all ask for the same get the real admittance that absorbs it
 * exactly, unless always_branches (but nothing absorbed is always a rigid wall). A poor fit is no error: see `worst`.
 * The same input gives the same bits. ERROR_INPUT: a coefficient is negative or NaN, no bands or too many, or a rate
 * that cannot carry them. */
int wall_fit_make(struct wall_fit *f, const double absorption[OCTAVE_BANDS], size_t bands, double rate,
                  bool always_branches, struct error *e);

#endif
