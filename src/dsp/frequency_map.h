/* SPDX-License-Identifier: MIT */
/* The frequency map of finished responses. A scheme whose waves are too slow by the same amount in every direction
 * answers at its own frequency f_n as air does at the true frequency f. So the spectrum is moved and scaled,
 * theory (41):
 *
 *     H(f) = gain(f_n) H_grid(f_n(f)),   H_grid(f) = Σ h[n] e^{-2πi f n}
 *
 * Frequencies are over the rate. Sound is earlier after the map than before it, so a record is longer than the response
 * that is wanted of it. What is left at its end would break off, and that spreads over all times: the last 1/20 is
 * faded out, and the record must be free of an offset. Linear; one pass for a channel, in double precision. */
#ifndef AULA_DSP_FREQUENCY_MAP_H
#define AULA_DSP_FREQUENCY_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct frequency_map {
    double (*grid_frequency)(double true_frequency); /* f_n(f), rising, 0 at 0 */
    double (*gain)(double grid_frequency);
    double pass, stop; /* true: all of the map up to `pass`, nothing from `stop` on, between them half a cosine */
    double lead;       /* frames of a record before the instant of emission */
    size_t ahead;      /* frames before that instant with which the response begins */
};

/* Frames that the roll-off rings before and after a sound, until it is 120 dB down. */
size_t frequency_map_ringing(const struct frequency_map *map);

#define FREQUENCY_MAP_FADE 0.05 /* of the record */

struct frequency_mapper;

/* For records of `frames`, of which the first `wanted` frames after the map are wanted, convolved with
 * signal[signal_frames] at true frequencies (NULL: the response itself). pass < stop, f_n(stop) < 1/2. ERROR_STOPPED.
 * On failure *m is NULL. */
int frequency_mapper_open(struct frequency_mapper **m, const struct frequency_map *map, size_t frames, size_t wanted,
                          const double *signal, size_t signal_frames, struct error *e);
void frequency_mapper_close(struct frequency_mapper *m); /* NULL-safe */

/* record [frames] -> response [wanted], which begins `ahead` frames before the instant of emission. */
int frequency_mapper_run(struct frequency_mapper *m, const double *record, double *response, struct error *e);

/* Bytes of an open mapper. */
uint64_t frequency_mapper_bytes(const struct frequency_map *map, size_t frames, size_t signal_frames);

#endif
