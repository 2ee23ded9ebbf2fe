/* SPDX-License-Identifier: MIT */
/* What a source radiates in each direction, as real spherical harmonics (harmonics.h) over frequency:
 *
 *     D(d, f) = Σ_c coefficient_c(f) Y_c(d),   d from the source, 1 in front (x)
 *
 * fitted to samples around the source. Each frequency is divided by what the samples have nearest to the front, so that
 * level, delay and frequency response of the file do not count, and the strength of a source is that in front. By least
 * squares weighted with areas on the sphere, with a penalty that rises as n(n + 1), for parts of the sphere without
 * samples, and with the front held at 1: an order that is too low for a narrow beam makes it wider and not weaker. */
#ifndef AULA_DSP_SPACE_RADIATION_H
#define AULA_DSP_SPACE_RADIATION_H

#include <stddef.h>

#include "base/error.h"

enum { RADIATION_ORDER_MAX = 4, RADIATION_HARMONICS_MAX = (RADIATION_ORDER_MAX + 1) * (RADIATION_ORDER_MAX + 1) };

/* Samples of a pattern; all arrays belong to the caller. */
struct radiation_samples {
    size_t directions, frequencies;
    double distance;              /* m */
    const double (*direction)[3]; /* [directions]: unit vectors from the source, x front, y left, z up */
    const double *frequency;      /* [frequencies]: Hz, ascending, above 0 */
    const double (*value)[2];     /* [frequencies][directions]: real and imaginary part */
};

struct radiation {
    int order;
    double distance;          /* m: where the pattern is as sampled */
    size_t count;             /* of frequencies */
    double *frequency;        /* [count]: Hz */
    double *residual;         /* [count]: rms of what the fit leaves of the pattern, by area, over rms of the pattern */
    double (*coefficient)[2]; /* [harmonics][count] */
    size_t used;              /* harmonics that are not 0 at all frequencies */
    size_t harmonic[RADIATION_HARMONICS_MAX]; /* [used]: ACN, ascending; 0 is one of them */
    char **warnings; /* of what the samples lack, one line each, which begins with the file's name */
    size_t warning_count;
    size_t coarse; /* index k: from frequency k to k + 1 the pattern changes by more than it has; count: nowhere */
};

/* ERROR_INPUT where there are fewer directions than harmonics, or nearly nothing in front: the message begins with
 * `name`; ERROR_MEMORY. On failure *r is empty. */
int radiation_fit(struct radiation *r, const struct radiation_samples *s, int order, const char *name, struct error *e);
void radiation_free(struct radiation *r);

/* The coefficient of a harmonic at a frequency, Hz, of the pattern as `order` can have it, which may be below r->order:
 * the front stays 1. Cubic between frequencies, constant beyond the last, real at 0 Hz. */
void radiation_at(double value[2], const struct radiation *r, int order, size_t harmonic, double frequency);

/* D in a direction. */
void radiation_towards(double value[2], const struct radiation *r, int order, const double direction[3],
                       double frequency);

/* r->residual at a frequency; NaN beyond the frequencies. */
double radiation_residual(const struct radiation *r, double frequency);

/* Samples of a pattern that is given by harmonics of any order: directions [count], evenly on the sphere, the first of
 * them the front; values [count] of coefficients [harmonics][2]. */
void radiation_lattice(double (*direction)[3], size_t count);
void radiation_sample(double (*value)[2], const double (*direction)[3], size_t count, const double (*coefficient)[2],
                      int order, double *scratch);

#endif
