/* SPDX-License-Identifier: MIT */
/* How much energy rays have left in the mean after a way, by band: late sound comes by few rays that met little
 * absorption, and rays of about the same energy tell most. Those with less end by chance, those with more are
 * divided. */
#ifndef AULA_RENDER_HYBRID_LATE_REFERENCE_H
#define AULA_RENDER_HYBRID_LATE_REFERENCE_H

#include "render/hybrid/late_walls.h"

enum { LATE_REFERENCE_STEPS = 256 };

struct late_reference {
    double step;                                         /* m */
    double energy[LATE_REFERENCE_STEPS][LATE_BANDS_MAX]; /* at the beginning of each step */
    float inverse[LATE_REFERENCE_STEPS][LATE_BANDS_MAX]; /* 1/energy, when it is finished */
};

/* Adds the energies of a ray that goes `length` from a way of `from`, m, at the beginnings of the steps that it
 * passes. */
void late_reference_see(struct late_reference *r, double from, double length, const float *energy, size_t bands);

/* Sums over `rays` rays become means that do not rise, and fall by no more than 30 dB a step. */
void late_reference_finish(struct late_reference *r, size_t rays, size_t bands);

/* Where guide rays had more than that in the mean, which few rays may have missed, their mean counts; and as above. */
void late_reference_raise(struct late_reference *r, const struct late_reference *guide_rays, size_t rays, size_t bands);

/* The energy of a ray over the mean, in the band where it has most of it. 1 without a reference. */
double late_reference_weight(const struct late_reference *r, double way, const float *energy, size_t bands);

#endif
