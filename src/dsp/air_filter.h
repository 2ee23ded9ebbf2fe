/* SPDX-License-Identifier: MIT */
/* Air absorption for an impulse response computed without losses. Sound that arrives at time t has travelled ct, so, by
 * theory (24) and (25), the spectrum at time t is multiplied by e^{-γ(f)ct}, γ = α + iβ. β is the Hilbert transform of
 * α, as in real air (Kramers-Kronig), so every kernel is causal and of minimum phase. Low frequencies are delayed
 * against t: in air of 20 °C and 50 % by 0.7 samples at 48 kHz after 20 m and by 3.5 after 100 m, 0.025 % of the path;
 * at 96 kHz by 2.0 and 10.
 *
 * The response is cut into blocks. Within a block the decay is interpolated between a few instants t_k, which replaces
 * the time-varying filter by fixed ones:
 *
 *     e^{-γ(f)ct} = Σ_k L_k(t) e^{-γ(f)c t_k},    y = Σ_k h_k * (L_k x),    h_k <-> e^{-γ(f)c t_k},    Σ_k L_k(t) = 1
 *
 * with L_k the Lagrange polynomials on Chebyshev points: relative error below 1e-6 at every frequency. The convolutions
 * run in double precision; kernels are cut where less than 1e-5 of the input lies beyond. */
#ifndef AULA_DSP_AIR_FILTER_H
#define AULA_DSP_AIR_FILTER_H

#include <stddef.h>

#include "base/error.h"

struct air_medium {
    double (*attenuation)(const void *context, double frequency); /* α, Np/m, at Hz; finite and not negative */
    const void *context;
    double sound_speed; /* m/s */
};

struct air_filter;

/* For responses at `rate` Hz up to `duration` s after the emission. Above 0.4 of the rate, α is evaluated at a frequency
 * that saturates at 0.45 of the rate. This keeps the spectrum smooth at half the rate and the kernels short, and lies
 * outside every valid band. */
int air_filter_make(struct air_filter **f, const struct air_medium *medium, double rate, double duration,
                    struct error *e);
void air_filter_free(struct air_filter *f); /* NULL-safe */

/* In place; samples[onset] is the instant of emission. Samples before it are neither changed nor used; samples beyond
 * `frames` count as zero. Lossless air leaves every bit as it is. */
int air_filter_apply(const struct air_filter *f, double *samples, size_t frames, size_t onset, struct error *e);

#endif
