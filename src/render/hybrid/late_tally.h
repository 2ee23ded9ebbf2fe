/* SPDX-License-Identifier: MIT */
/* Integer sums of energies, which do not depend on the order of the rays. */
#ifndef AULA_RENDER_HYBRID_LATE_TALLY_H
#define AULA_RENDER_HYBRID_LATE_TALLY_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/acoustics/air.h"
#include "base/error.h"
#include "render/hybrid/late_audit.h"
#include "render/hybrid/late_reflection.h"

/* Energy at receivers by time and band, with its directions of arrival. */

#define LATE_BIN 0.002 /* s */

enum { LATE_MOMENTS = 4 }; /* energy, and its sums over the components of the unit vector of arrival */

/* Energies are parts of |H|², averaged over the band, with H = e^{-jkr}/(4πr) in free field. For a
 * response at `rate` with samples h, Σ h² within a bin and a band is the energy times 2 (upper -
 * lower)/rate. Zeroed: empty. */
struct late_histogram {
    size_t receivers, bins;
    double bin; /* s: bin i counts arrivals from i to i + 1 times this after the emission */
    struct late_bands bands;
    double *energy;    /* [receiver][bin][band][LATE_MOMENTS] */
    size_t rays, lost; /* rays in total; rays that escaped, by their energy without absorption */
    bool on_device;    /* a GPU traced them */
};

static inline double *late_energy(const struct late_histogram *h, size_t receiver, size_t bin, size_t band)
{
    return h->energy + ((receiver * h->bins + bin) * h->bands.count + band) * LATE_MOMENTS;
}

/* All 0. ERROR_MEMORY. */
int late_histogram_make(struct late_histogram *h, size_t receivers, size_t bins, double bin,
                        const struct late_bands *bands, struct error *e);
void late_histogram_free(struct late_histogram *h);

/* Fraction of the energy that the air leaves (ISO 9613-1) at the arrival time of a bin, averaged
 * over the bin and from `lower` to `upper`, Hz. */
double late_air(const struct late_histogram *h, size_t bin, double lower, double upper,
                const struct air_conditions *air, double sound_speed);

/* The first bin of sound from `earliest`, s, on: at least half of it comes after that. */
size_t late_first_bin(const struct late_histogram *h, double earliest);

/* Moves what a receiver has before that bin into it, because spheres around receivers also count rays on their way
 * there. Without that bin it changes nothing. */
void late_hold_back(struct late_histogram *h, size_t receiver, double earliest);

/* Sum over the bins of a band from `first` on. */
double late_energy_from(const struct late_histogram *h, size_t receiver, size_t band, size_t first);

/* dB: backward-integrated energy of a band at its end, relative to the total; the tail beyond is
 * extrapolated from the last two eighths, as in dsp/decay_level.h. -INFINITY: nothing remains; 0:
 * too short to tell. */
double late_decay_level(const struct late_histogram *h, size_t receiver, size_t band);

/* Reverberation time, s, of a band by backward integration and a straight line from -5 dB to -5 -
 * `range` dB; NaN if the decay does not reach that far. */
double late_reverberation(const struct late_histogram *h, size_t receiver, size_t band, double range);

#define LATE_LOST_UNIT 0x1p-16

/* One unit is 2^-scale of the mean energy with which rays leave the source. */
struct late_tally {
    const struct late_histogram *of; /* defines the shape */
    size_t parts;                    /* parts of each band, in which rays carry energies */
    float share[LATE_BANDS_MAX];     /* [bands × parts]: weight of a part in the mean of its band */
    const float *air;                /* [bins][bands × parts]: attenuation by the air; NULL: none */
    size_t bins;
    double bin;           /* s */
    double unit;          /* 2^scale */
    double energy_of_ray; /* 1/(4πN) */
    bool directions;
    struct late_audit *audit; /* what walls take, of this tally alone; NULL: not asked for */
    uint64_t lost;            /* energies of escaped rays without absorption, in LATE_LOST_UNIT of the mean ray's */
    int64_t *sums;            /* [receiver][bin][moment][band], with 1 or LATE_MOMENTS moments */
};

/* Bits of an integer energy. The mean initial energy of rays has up to 38 bits. A single
 * contribution is limited to 2^51 units; a ray's initial energy seldom exceeds 4 times the mean.
 * Four million rays may add all their energy to one sum; with more rays each has fewer bits. */
enum { LATE_BITS = 38, LATE_FIRST_BITS = 2, LATE_RAY_BITS = 22, LATE_ADDED_BITS = 51 };

/* Factor of energies that arrive with a share. */
ON_DEVICE double late_tally_factor(const struct late_tally *t, double share)
{
    return fmin(share, ldexp(1.0, LATE_ADDED_BITS - LATE_BITS - LATE_FIRST_BITS - 1)) * t->unit;
}

/* Mean energy of a band over its parts among those from `first`, energies [count]. */
ON_DEVICE float late_tally_mean(const struct late_tally *t, size_t bin, size_t band, size_t first, size_t count,
                                const float *energy)
{
    const size_t parts = t->parts, from = band * parts > first ? band * parts : first;
    const size_t end = (band + 1) * parts < first + count ? (band + 1) * parts : first + count;
    const float *air = t->air ? t->air + bin * t->of->bands.count * parts : NULL;
    float mean = 0.0f;
    for (size_t i = from; i < end; i++)
        mean += energy[i - first] * t->share[i] * (air ? air[i] : 1.0f);
    return mean;
}

/* The nearest integer, limited to ±2^51: the mantissa of 1.5 2^52 + x is the integer. */
ON_DEVICE int64_t late_tally_round(double x)
{
    const double shift = 0x1.8p52, most = 0x1p51 - 1.0, moved = fmax(fmin(x, most), -most) + shift;
    int64_t zero, bits;
    memcpy(&zero, &shift, sizeof zero);
    memcpy(&bits, &moved, sizeof bits);
    return bits - zero;
}

/* Zero it first. The caller keeps air (as above). ERROR_MEMORY. */
int late_tally_make(struct late_tally *t, const struct late_histogram *shape, size_t parts, const float *air,
                    size_t rays, bool directions, struct error *e);
void late_tally_free(struct late_tally *t);

/* Adds share × energy[count], of parts of bands from `first`, and its moments to their bands. */
void late_tally_add(struct late_tally *t, size_t receiver, size_t bin, size_t first, size_t count, const float *energy,
                    double share, const double towards[3]);

/* to += t, of the same shape. */
void late_tally_join(struct late_tally *to, const struct late_tally *t);

/* Converts the sums into energies. */
void late_tally_give(struct late_histogram *h, const struct late_tally *t);

#endif
