/* SPDX-License-Identifier: MIT */
/* Corrects the numerical dispersion of finished responses by a frequency map. The isotropic scheme responds at its grid
 * frequency f_n as air does at the true frequency f, in every direction. The map moves and scales the spectrum,
 * theory (41):
 *
 *     H(f) = gain(f_n) H_grid(f_n(f)),   H_grid(f) = Σ h[n] e^{-2πi f n}
 *
 * Frequencies are relative to the sample rate. The map moves sound to earlier times, so a record must be longer than the
 * response. A truncated end would spread over all times: the last 1/20 is faded out, and the record must have no offset.
 * Linear; one pass per channel, in double precision. */
#ifndef AULA_DSP_FREQUENCY_MAP_H
#define AULA_DSP_FREQUENCY_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct frequency_map {
    double (*grid_frequency)(double true_frequency); /* f_n(f), rising, 0 at 0 */
    double (*gain)(double grid_frequency);
    double pass, stop; /* true frequencies: gain 1 up to `pass`, 0 from `stop` on, half a cosine in between */
    double lead;       /* frames of a record before the instant of emission */
    size_t ahead;      /* frames before that instant with which the response begins */
};

/* Frames of ringing of the roll-off before and after a sound, down to -120 dB. */
size_t frequency_map_ringing(const struct frequency_map *map);

#define FREQUENCY_MAP_FADE 0.05 /* of the record */

struct frequency_mapper;

/* For records of `frames` frames. The result has `wanted` frames, convolved with signal[signal_frames] at true frequencies
 * (NULL: the response itself). pass < stop, f_n(stop) < 1/2. ERROR_STOPPED.
 * On failure *m is NULL. */
int frequency_mapper_open(struct frequency_mapper **m, const struct frequency_map *map, size_t frames, size_t wanted,
                          const double *signal, size_t signal_frames, struct error *e);
void frequency_mapper_close(struct frequency_mapper *m); /* NULL-safe */

/* record [frames] -> response [wanted], which begins `ahead` frames before the instant of emission. */
int frequency_mapper_run(struct frequency_mapper *m, const double *record, double *response, struct error *e);

/* Bytes of an open mapper. */
uint64_t frequency_mapper_bytes(const struct frequency_map *map, size_t frames, size_t signal_frames);

#endif
