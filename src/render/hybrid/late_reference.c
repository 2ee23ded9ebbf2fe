/* SPDX-License-Identifier: MIT */
#include "render/hybrid/late_reference.h"

#include <math.h>

void late_reference_see(struct late_reference *r, double from, double length, const float *energy, size_t bands)
{
    const double end = fmin((from + length) / r->step, LATE_REFERENCE_STEPS);
    for (size_t i = (size_t)ceil(from / r->step); (double)i < end; i++)
        for (size_t b = 0; b < bands; b++)
            r->energy[i][b] += (double)energy[b];
}

static void settle(struct late_reference *r, size_t bands)
{
    for (size_t i = 0; i < LATE_REFERENCE_STEPS; i++)
        for (size_t b = 0; b < bands; b++) {
            const double mean = r->energy[i][b], before = i ? r->energy[i - 1][b] : mean;
            r->energy[i][b] = fmax(fmin(mean, before), 1e-3 * before);
            r->inverse[i][b] = (float)fmin(1.0 / r->energy[i][b], 1e30);
        }
}

void late_reference_finish(struct late_reference *r, size_t rays, size_t bands)
{
    for (size_t i = 0; i < LATE_REFERENCE_STEPS; i++)
        for (size_t b = 0; b < bands; b++)
            r->energy[i][b] /= (double)rays;
    settle(r, bands);
}

void late_reference_raise(struct late_reference *r, const struct late_reference *guide_rays, size_t rays, size_t bands)
{
    for (size_t i = 0; i < LATE_REFERENCE_STEPS; i++)
        for (size_t b = 0; b < bands; b++)
            r->energy[i][b] = fmax(r->energy[i][b], guide_rays->energy[i][b] / (double)rays);
    settle(r, bands);
}
