/* SPDX-License-Identifier: MIT */
/* Sums of energies as whole numbers, so that they do not depend on the order in which rays are counted. */
#ifndef AULA_RENDER_HYBRID_LATE_TALLY_H
#define AULA_RENDER_HYBRID_LATE_TALLY_H

#include <stdint.h>

#include "base/acoustics/air.h"
#include "render/hybrid/late_walls.h"

/* Energy that arrives at receivers, by time and band, with where it comes from. */

#define LATE_BIN 0.002 /* s */

enum { LATE_MOMENTS = 4 }; /* energy, and its sums over the components of the unit vector towards where it comes from */

/* Energies are parts of |H|², mean over the band, H = e^{-jkr}/(4πr) in free field: of a response at `rate` with
 * samples h, Σ h² of what is in a bin and in a band is energy times 2 (upper - lower)/rate. Zeroed: none. */
struct late_histogram {
    size_t receivers, bins;
    double bin; /* s: bin i holds arrivals from i to i + 1 times this after the sound left the source */
    struct late_bands bands;
    double *energy;    /* [receiver][bin][band][LATE_MOMENTS] */
    size_t rays, lost; /* rays in all; those that met no face, by what they would carry if nothing absorbed */
};

static inline double *late_energy(const struct late_histogram *h, size_t receiver, size_t bin, size_t band)
{
    return h->energy + ((receiver * h->bins + bin) * h->bands.count + band) * LATE_MOMENTS;
}

/* All 0. ERROR_MEMORY. */
int late_histogram_make(struct late_histogram *h, size_t receivers, size_t bins, double bin,
                        const struct late_bands *bands, struct error *e);
void late_histogram_free(struct late_histogram *h);

/* What the air leaves of the energy (ISO 9613-1) on the way of a bin, mean over the bin and from one frequency to
 * another. */
double late_air(const struct late_histogram *h, size_t bin, double lower, double upper,
                const struct air_conditions *air, double sound_speed);

/* The sum over bins of a band from a bin on. */
double late_energy_from(const struct late_histogram *h, size_t receiver, size_t band, size_t first);

/* dB: the backward-integrated energy of a band at the end, over the whole of it; what follows the end is extrapolated
 * from the last two eighths, as dsp/decay_level.h does. -INFINITY: nothing is left; 0: too short to tell. */
double late_decay_level(const struct late_histogram *h, size_t receiver, size_t band);

/* Reverberation time, s, of a band by backward integration and a straight line from -5 dB to -5 - `range` dB below all
 * of it; NaN where the decay is not seen so far. */
double late_reverberation(const struct late_histogram *h, size_t receiver, size_t band, double range);

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
