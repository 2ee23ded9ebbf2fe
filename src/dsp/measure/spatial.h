/* SPDX-License-Identifier: MIT */
/* Spatial parameters of ISO 3382-1:2009, annexes A and B, by octave and broad band: lateral energy of two coincident
 * records, a pressure and a figure of eight whose null points to the source, and cross-correlation of two ears: theory
 * (102) and (103).
 *
 *     LF   = ∫ p_L² dt from 5 to 80 ms / ∫ p² dt from 0 to 80 ms              early lateral energy fraction
 *     LFC  = ∫ |p_L p| dt from 5 to 80 ms / ∫ p² dt from 0 to 80 ms           the same, which weighs by |cos| in place of cos²
 *     LG   = 10 lg (∫ p_L² dt from 80 ms on / ∫ p_10² dt)                     late lateral level (L_J), re free field at 10 m
 *     IACC = max over |τ| <= 1 ms of |∫ l(t) r(t + τ) dt| / √(∫ l² dt ∫ r² dt)
 *            of 0 to 80 ms (early), from 80 ms on (late), of all
 *
 * Times are from the arrival of the direct sound. Bands are filtered before they are windowed (octave_bank.h). */
#ifndef AULA_DSP_MEASURE_SPATIAL_H
#define AULA_DSP_MEASURE_SPATIAL_H

#include "dsp/measure/metrics.h"

/* Two records of one place and time, in the same unit. */
struct spatial_pair {
    const double *first, *second; /* [frames]: pressure and lateral, or left and right ear */
    size_t frames;
    double rate;    /* Hz */
    double arrival; /* s from the first sample to the direct sound */
};

/* Fills lf, lfc and lg of the bands of *m and their means; metrics_measure must have filled *m for a record of the same
 * length. lg is NaN without calibration or if the record is too short for the energies of the band. ERROR_MEMORY, ERROR_STOPPED. */
int spatial_measure_lateral(struct metrics *m, const struct spatial_pair *pair, const struct metrics_settings *s,
                            struct error *e);

/* Fills iacc_early, iacc_late and iacc of the bands of *m, which metrics_measure must have filled for one of the ears. The
 * correlation ends where the decay of a band reaches the noise. */
int spatial_measure_ears(struct metrics *m, const struct spatial_pair *pair, struct error *e);

/* Means after ISO 3382-1: LF, LFC (arithmetic) and LG (of energies) of 125 Hz to 1 kHz, early IACC of 500 Hz to 2 kHz;
 * NaN where an octave has none. */
void spatial_means(struct metrics *m);

#endif
