/* SPDX-License-Identifier: MIT */
/* What two ears hear of one direction: the HRTF itself, between its directions by interpolation.
 *
 * A direction is the sum, by weights, of the three directions of the HRTF around it, the nearest among them. Their
 * delays, each at the centre of a response's energy, are added up, and their magnitudes; the phase is that of the sum
 * of the responses without their delays. So no two arrivals cancel one another, and a direction of the HRTF gives its
 * own response. */
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
    double (*centre)[2]; /* [directions][ear], samples: of a response's energy, behind its delay */
};

/* Directions of an HRTF and their weights, which add up to 1. */
struct ear_directions {
    size_t count, index[3];
    double weight[3];
};

/* Of an HRTF that stays. Zero it first; ends with .._free, also after an error. ERROR_MEMORY, ERROR_STOPPED. */
int ear_responses_make(struct ear_responses *r, const struct hrtf *h, struct error *e);
void ear_responses_free(struct ear_responses *r);

/* s: the longest of the responses with its delay. */
double ear_responses_length(const struct hrtf *h);

/* out [left, right][count] at frequencies [count], Hz, relative to the pressure at the head's centre; 0 above half the
 * rate of the HRTF. false: no memory. */
bool ear_responses_at(double complex *out, const struct ear_responses *r, const double direction[3],
                      const double *frequencies, size_t count);

/* From where the sound of an ambisonic field comes, by its active intensity. */

struct field_outside {
    double share; /* of the sound: that from outside of what is covered */
    double at[2]; /* azimuth, -180 to 180, and elevation from where most of that comes, degrees */
};

/* field [at least 4][frames], ACN and SN3D: each frame counts with its |W (X, Y, Z)| at the direction of that. */
struct field_outside field_outside_of(const double *field, size_t frames, const struct coverage *c);

#endif
