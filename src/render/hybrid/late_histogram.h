/* SPDX-License-Identifier: MIT */
/* Energy that arrives at receivers, by time and band, with where it comes from. */
#ifndef AULA_RENDER_HYBRID_LATE_HISTOGRAM_H
#define AULA_RENDER_HYBRID_LATE_HISTOGRAM_H

#include "base/acoustics/air.h"
#include "render/hybrid/late_walls.h"

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

#endif
