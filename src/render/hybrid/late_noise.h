/* SPDX-License-Identifier: MIT */
/* Noise that late sound is made of. */
#ifndef AULA_RENDER_HYBRID_LATE_NOISE_H
#define AULA_RENDER_HYBRID_LATE_NOISE_H

#include <stddef.h>
#include <stdint.h>

#include "render/hybrid/near_walls.h"

/* White Gaussian noise of variance 1 that receivers hear of one diffuse field: noise[count][frames]. Between two of
 * them the coherence at a frequency is sin(kd)/(kd), theory (89), d their distance, k the wave number: spectra of
 * independent noises are mixed by the Cholesky factor of the matrix of these. rises (NULL: none; each may be NULL): the
 * energy that a receiver hears at a frequency over 1. Circular over `frames`, a power of two, 4 or more. Numbers depend
 * on the seed, the receiver and the frame alone. ERROR_MEMORY, ERROR_STOPPED. */
int late_noise_make(double *noise, size_t count, size_t frames, double rate, const double (*positions)[3],
                    const struct near_rise *const *rises, double sound_speed, uint64_t seed, struct error *e);

/* Lower triangle of a matrix L, [count][count], L Lᵀ = the matrix given in its place, which has ones on its diagonal
 * and no negative eigenvalue but for rounding; a column that depends on those before it is left 0. */
void late_cholesky(double *matrix, size_t count);

#endif
