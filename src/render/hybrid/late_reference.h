/* SPDX-License-Identifier: MIT */
/* Mean energy of rays by path length and band. Late sound consists of a few rays that met little
 * absorption, and rays of similar energy carry most information: those with less energy end at
 * random, those with more are split. */
#ifndef AULA_RENDER_HYBRID_LATE_REFERENCE_H
#define AULA_RENDER_HYBRID_LATE_REFERENCE_H

#include "render/hybrid/late_reflection.h"

enum { LATE_REFERENCE_STEPS = 256 };

struct late_reference {
    double step;                                         /* m */
    double energy[LATE_REFERENCE_STEPS][LATE_BANDS_MAX]; /* at the start of each step */
    float inverse[LATE_REFERENCE_STEPS][LATE_BANDS_MAX]; /* 1/energy, once finished */
};

/* Adds a ray's energies on a segment of `length` m that begins at the path length `from`, m, at the
 * start of each step it passes. */
void late_reference_see(struct late_reference *r, double from, double length, const float *energy, size_t bands);

/* Turns sums over `rays` rays into means that do not rise and fall by at most 30 dB per step. */
void late_reference_finish(struct late_reference *r, size_t rays, size_t bands);

/* Raises the means to those of guide rays if these are larger: they find energy that few pilots may
 * miss. Limits them like late_reference_finish. */
void late_reference_raise(struct late_reference *r, const struct late_reference *guide_rays, size_t rays, size_t bands);

/* Energy of a ray relative to the mean, in the band in which the ratio is largest; 1 without a
 * reference. */
ON_DEVICE double late_reference_weight(const struct late_reference *r, double way, const float *energy, size_t bands)
{
    float most = 0.0f;
    if (!r)
        return 1.0;
    const double place = way / r->step;
    const size_t step = place < LATE_REFERENCE_STEPS ? (size_t)place : LATE_REFERENCE_STEPS - 1;
    for (size_t b = 0; b < bands; b++) {
        const float weight = energy[b] * r->inverse[step][b];
        most = weight > most ? weight : most;
    }
    return (double)most;
}

#endif
