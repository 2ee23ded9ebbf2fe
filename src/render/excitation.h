/* SPDX-License-Identifier: MIT */
/* Source signals, sampled at the grid rate.
 *
 *   signal         t = 0 (sample `onset`) is            the output file is
 *   impulse        the one non-zero sample              the impulse response: a filter
 *   raised_cosine  the centre of the pulse              the recorded signal
 *   gaussian       the centre of the pulse              the recorded signal
 *   sweep          the sweep's first sample             the impulse response from low to high, sweep removed
 *   file           the file's first sample              the recorded signal
 *
 * A gain other than 1 stays in the response: the direct sound at r metres is gain/(4 pi r). The sweep is removed at
 * unit gain, so impulse and sweep of equal gain give equal levels. */
#ifndef AULA_RENDER_EXCITATION_H
#define AULA_RENDER_EXCITATION_H

#include "base/error.h"
#include "room/room.h"

struct excitation {
    double *samples; /* [length], source strength in Pa m at the grid rate, gain applied */
    size_t length;
    size_t onset;     /* the sample that counts as t = 0 */
    bool is_response; /* the output is the response with the excitation removed; false: the recorded signal */
    bool deconvolve;  /* remove the excitation by spectral division between low and high (sweep) */
    double low, high; /* Hz, of the sweep as emitted (`high` resolved); 0 for other signals */
    double gain;      /* contained in samples, Pa m per unit of signal */
};

/* rate: grid rate, Hz. sweep_end: Hz, end of a sweep whose `high` is 0. recording,
 * recording_length: samples of SIGNAL_FILE at the grid rate (see resample); NULL for other signals. */
int excitation_make(struct excitation *x, const struct source *source, double rate, double sweep_end,
                    const double *recording, size_t recording_length, struct error *e);
void excitation_free(struct excitation *x);

#endif
