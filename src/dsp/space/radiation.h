/* SPDX-License-Identifier: MIT */
/* Directivity of a source as real spherical harmonics (harmonics.h) over frequency:
 *
 *     D(d, f) = Σ_c coefficient_c(f) Y_c(d),   d from the source, 1 in front (x)
 *
 * Each frequency is normalised to the sample nearest to the front, which removes level, delay and frequency response of
 * the file and makes the source strength refer to the front. The fit minimises squares weighted by areas on the sphere,
 * with a penalty that grows as n(n + 1) for parts of the sphere without samples. The front is held at 1, so an order too
 * low for a narrow beam makes it wider, not weaker. */
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
    double *residual;         /* [count]: rms error of the fit over rms of the pattern, weighted by area */
    double (*coefficient)[2]; /* [harmonics][count] */
    size_t used;              /* harmonics that are not 0 at all frequencies */
    size_t harmonic[RADIATION_HARMONICS_MAX]; /* [used]: ACN, ascending; 0 is one of them */
    char **warnings; /* deficiencies of the samples, one line each, beginning with the file name */
    size_t warning_count;
    size_t coarse; /* index k: the pattern changes by more than its own rms from frequency k to k + 1; count: nowhere */
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

/* Samples of a pattern defined by harmonics of any order: directions [count], evenly on the sphere, the first one the
 * front; values [count] of coefficients [harmonics][2]. */
void radiation_lattice(double (*direction)[3], size_t count);
void radiation_sample(double (*value)[2], const double (*direction)[3], size_t count, const double (*coefficient)[2],
                      int order, double *scratch);

#endif
