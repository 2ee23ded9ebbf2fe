/* SPDX-License-Identifier: MIT */
/* Integrators that turn the channels of a stencil, t_nm = (s/c)^n × field, into the field. They are bounded forms of
 * (c/s)^n, which itself would drift and amplify rounding noise without limit towards 0 Hz.
 *
 * By theory (50) and (51) the field of a point source at the distance r is, exactly, a_nm = Y_nm(d) e^{-sr/c}/(4πr)
 * θ_n(x)/x^n, x = sr/c, with the reverse Bessel polynomials θ_n(x) = Σ_j (n+j)!/(j! (n-j)! 2^j) x^(n-j). */
#ifndef AULA_DSP_SPACE_INTEGRATORS_H
#define AULA_DSP_SPACE_INTEGRATORS_H

#include <stddef.h>

enum integrator_form {
    INTEGRATOR_PLANE, /* theory (52): B_n (c/s)^n, B_n = 1/(1 + (f_n/f)^8), f_n = n c/(2π distance): no error of phase
                         between orders, for finished records: it rings before an arrival around f_n */
    INTEGRATOR_NEAR_FIELD /* theory (53): R^n/θ_n(sR/c), R = distance: causal; a source at R is flat in all orders, a
                             plane wave is turned below c/(2πR) */
};

struct integrator {
    enum integrator_form form;
    double distance;    /* m */
    double sound_speed; /* c, m/s */
};

/* Response of order n at s = j omega, rad/s. Of order 0: 1. */
void integrator_response(double value[2], const struct integrator *integrator, int n, double omega);

/* Hz: above it the error of order n for a plane wave is at most 0.4 % (plane-wave form: 2 f_n) or 5 degrees (near field).
 * 0 for order 0. */
double integrator_low(const struct integrator *integrator, int n);

/* s: time in which its ringing before and after an arrival decays by 100 dB. */
double integrator_ringing(const struct integrator *integrator, int n);

/* θ_n(j x) for n <= 4: real and imaginary part. */
void bessel_polynomial(double value[2], int n, double x);

/* The near-field form by the bilinear transform, sample by sample: sections of first and second order. */
struct near_field_filter {
    int sections;
    double b[2][3], a[2][3]; /* [section]: a[0] is 1 */
    double state[2][2];
};

/* n from 0 (passes all) to 4; rate in Hz. */
void near_field_filter_make(struct near_field_filter *f, const struct integrator *integrator, int n, double rate);
void near_field_filter_run(struct near_field_filter *f, double *samples, size_t count); /* in place */

#endif
