/* SPDX-License-Identifier: MIT */
/* Noise signals of late sound. */
#ifndef AULA_RENDER_HYBRID_LATE_NOISE_H
#define AULA_RENDER_HYBRID_LATE_NOISE_H

#include <stddef.h>
#include <stdint.h>

#include "render/hybrid/near_walls.h"

/* White Gaussian noise of variance 1, noise[count][frames], as receivers record it in a diffuse
 * field. Two receivers at the distance d have the coherence sin(kd)/(kd), theory (89), k the
 * wavenumber: the Cholesky factor of the coherence matrix mixes spectra of independent noises.
 * rises (NULL: none; each may be NULL): energy at a receiver by frequency, relative to 1. Circular
 * over `frames`, a power of two, at least 4. The numbers depend only on the seed, the receiver and
 * the frame. ERROR_MEMORY, ERROR_STOPPED. */
int late_noise_make(double *noise, size_t count, size_t frames, double rate, const double (*positions)[3],
                    const struct near_rise *const *rises, double sound_speed, uint64_t seed, struct error *e);

/* Replaces a matrix [count][count] by the lower triangle L with L Lᵀ = matrix. It must have ones on
 * its diagonal and, except for rounding, no negative eigenvalue. The column of a dependent row is
 * left 0. */
void late_cholesky(double *matrix, size_t count);

#endif
