/* SPDX-License-Identifier: MIT */
/* The responses of both ears to a plane wave from any direction, interpolated between the directions of an HRTF.
 *
 * A direction is the weighted sum of the three surrounding directions of the HRTF, which include the nearest one. Delays
 * (centre of energy of each response) and magnitudes are interpolated separately; the phase is that of the weighted sum
 * of the responses without their delays. Two arrivals therefore never cancel, and a measured direction returns its own
 * response. */
#ifndef AULA_DSP_EARS_EAR_RESPONSES_H
#define AULA_DSP_EARS_EAR_RESPONSES_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "dsp/fourier.h"
#include "dsp/space/coverage.h"
#include "io/sofa/hrtf.h"

struct ear_responses {
    const struct hrtf *hrtf;
    struct fourier tables;
    double (*centre)[2]; /* [directions][ear], samples: centre of energy of a response, after its delay */
};

/* Directions of an HRTF and their weights, which add up to 1. */
struct ear_directions {
    size_t count, index[3];
    double weight[3];
};

/* The HRTF must outlive *r. Zero *r first; ends with .._free, also after an error. ERROR_MEMORY, ERROR_STOPPED. */
int ear_responses_make(struct ear_responses *r, const struct hrtf *h, struct error *e);
void ear_responses_free(struct ear_responses *r);

/* s: length of the longest response including its delay. */
double ear_responses_length(const struct hrtf *h);

/* out [left, right][count] at frequencies [count], Hz, relative to the pressure at the head's centre; 0 above half the
 * rate of the HRTF. false: no memory. */
bool ear_responses_at(double complex *out, const struct ear_responses *r, const double direction[3],
                      const double *frequencies, size_t count);

/* Directions of arrival in an ambisonic field, by its active intensity. */

struct field_outside {
    double share; /* share of the sound that arrives from directions which the HRTF does not cover */
    double at[2]; /* degrees: azimuth, -180 to 180, and elevation where most of that sound comes from */
};

/* field: [at least 4][frames], ACN and SN3D. Each frame has the weight |W (X, Y, Z)| in the direction of W (X, Y, Z). */
struct field_outside field_outside_of(const double *field, size_t frames, const struct coverage *c);

#endif
