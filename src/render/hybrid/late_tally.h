/* SPDX-License-Identifier: MIT */
/* Sums of energies as whole numbers, so that they do not depend on the order in which rays are counted. */
#ifndef AULA_RENDER_HYBRID_LATE_TALLY_H
#define AULA_RENDER_HYBRID_LATE_TALLY_H

#include <stdint.h>

#include "render/hybrid/late_histogram.h"

#define LATE_LOST_UNIT 0x1p-16

/* One unit is 2^-scale of the energy with which rays leave the source in the mean. */
struct late_tally {
    const struct late_histogram *of; /* shape */
    size_t parts;                    /* of each band, in which rays carry energies */
    float share[LATE_BANDS_MAX];     /* [bands × parts]: of a part in the mean of its band */
    const float *air;                /* [bins][bands × parts]: what the air leaves; NULL: all */
    size_t bins;
    double bin;           /* s */
    double unit;          /* 2^scale */
    double energy_of_ray; /* 1/(4πN) */
    bool directions;
    uint64_t
        lost; /* energies of the rays that met no face as if nothing had absorbed, in LATE_LOST_UNIT of the mean ray's */
    int64_t *sums; /* [receiver][bin][moment][band], the moments 1 or LATE_MOMENTS */
};

/* Zero it first. air (as above) is the caller's. ERROR_MEMORY. */
int late_tally_make(struct late_tally *t, const struct late_histogram *shape, size_t parts, const float *air,
                    size_t rays, bool directions, struct error *e);
void late_tally_free(struct late_tally *t);

/* Adds share × energy[count], of parts of bands from `first`, to their bands, and its moments. */
void late_tally_add(struct late_tally *t, size_t receiver, size_t bin, size_t first, size_t count, const float *energy,
                    double share, const double towards[3]);

/* to += t, of the same shape. */
void late_tally_join(struct late_tally *to, const struct late_tally *t);

/* The energies that a tally has counted. */
void late_tally_give(struct late_histogram *h, const struct late_tally *t);

#endif
