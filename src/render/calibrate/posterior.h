/* SPDX-License-Identifier: MIT */
/* What measured parameters tell of absorption in one octave: a Gaussian prior of ln a, a = -ln(1 - α), linearized data,
 * and the posterior. Pure arithmetic: no room, no file. */
#ifndef AULA_RENDER_CALIBRATE_POSTERIOR_H
#define AULA_RENDER_CALIBRATE_POSTERIOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { CALIBRATE_MATERIALS = 16, CALIBRATE_DATA = 256 }; /* most of one octave */

#define CALIBRATE_LARGEST 0.951        /* α: locally reacting walls absorb no more at random incidence */
#define CALIBRATE_LEAST 0.002          /* α: a smaller published coefficient counts as this */
#define CALIBRATE_INTERVAL 1.959963985 /* standard deviations: 95 % of a Gaussian */

/* ln a of an absorption coefficient, limited to the two above, and back. */
double calibrate_log_exponent(double absorption);
double calibrate_absorption(double log_exponent);

/* Standard deviation of ln a of a published coefficient: u/((1 - α) a), at least 0.15, with the reproducibility u =
 * m α + n of coefficients measured in reverberation rooms (ISO 12999-2:2020, Table 1, as one secondary source quotes it:
 * Phonometry). The table has third octaves from 63 Hz to 5 kHz: an octave takes that of its centre, and 8 kHz the last.
 * octave: 0 is 63 Hz. */
double calibrate_prior_deviation(double absorption, size_t octave);

/* One octave. Data are ln T, or dB; a datum that is NaN, or whose deviation is not above 0, does not count. */
struct calibrate_octave {
    size_t materials, data;
    double prior[CALIBRATE_MATERIALS], prior_deviation[CALIBRATE_MATERIALS]; /* of ln a */
    double measured[CALIBRATE_DATA], deviation[CALIBRATE_DATA];
    double common[CALIBRATE_DATA]; /* deviation by the error that the model makes at all receivers alike, signed */
};

/* The forward model of one octave at some ln a. */
struct calibrate_prediction {
    double value[CALIBRATE_DATA];                      /* NaN: the model yields none */
    double slope[CALIBRATE_DATA][CALIBRATE_MATERIALS]; /* of value by ln a */
};

struct calibrate_posterior {
    double value[CALIBRATE_MATERIALS]; /* ln a */
    double covariance[CALIBRATE_MATERIALS][CALIBRATE_MATERIALS];
    size_t used;        /* data that counted */
    double chi_squared; /* of the data at the prediction, with the common error: about `used` where the model fits */
};

/* The Gauss-Newton step from `at` [materials]: with Jacobian J, covariance R of the data (a diagonal and the rank of the
 * common error) and P of the prior x0,
 *     x = x0 + P Jᵀ S⁻¹ (y - f(at) + J (at - x0)),  C = P - P Jᵀ S⁻¹ J P,  S = J P Jᵀ + R
 * (Tarantola 2005, "Inverse Problem Theory", 3.2). Without data it returns the prior. ERROR_FAILED: S is not positive
 * definite, which slopes that are not finite cause. */
int calibrate_update(struct calibrate_posterior *p, const struct calibrate_octave *o,
                     const struct calibrate_prediction *f, const double *at, struct error *e);

/* Posterior over prior standard deviation of a material: 1 where the data tell nothing. */
double calibrate_remaining(const struct calibrate_posterior *p, const struct calibrate_octave *o, size_t material);

/* A combination of the materials' ln a, each in units of its prior deviation, and the share of its prior deviation that
 * remains. */
struct calibrate_combination {
    double remaining;
    double weight[CALIBRATE_MATERIALS]; /* unit length; the largest is positive */
};

/* Eigenvectors of P^{-1/2} C P^{-1/2}, the best told first; combinations[o->materials]. */
void calibrate_combinations(struct calibrate_combination *combinations, const struct calibrate_posterior *p,
                            const struct calibrate_octave *o);

#endif
