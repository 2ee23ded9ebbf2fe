/* SPDX-License-Identifier: MIT */
/* The places that sound in a block, each with its convolutions. */
#ifndef AULA_RENDER_MOVING_VOICE_H
#define AULA_RENDER_MOVING_VOICE_H

#include <stdbool.h>

#include "dsp/convolve.h"
#include "dsp/fractional_read.h"
#include "render/moving/moving_sound.h"
#include "render/moving/split.h"
#include "render/moving/track.h"

struct voice {
    size_t place, arrivals;
    size_t *arrival;         /* [arrivals]: of the place */
    size_t idle;             /* blocks since its last weight */
    struct convolver *early; /* arrivals -> channels; NULL: no arrivals */
    struct convolver *late;  /* 1 -> channels */
    float *late_part;        /* [channels][frames] */
    float *in, *out;         /* [arrivals + 1][block], [channels][block] */
    const float **in_rows;   /* [arrivals + 1] of in */
    float **out_rows;        /* [channels] of out */
    double *gain, *sum;      /* [block]; [channels][block]: what it adds to the sound */
};

struct voices {
    const struct moving_task *task;
    size_t block, early_blocks, late_blocks; /* blocks after which the convolutions are silent */
    struct voice *list;                      /* [count], in order of their places */
    size_t count;
    double *correlation; /* [places][places]: C; NaN: not known */
};

int voices_make(struct voices *v, const struct moving_task *task, size_t block, struct error *e);
void voices_free(struct voices *v); /* safe on a zeroed struct */

/* Starts voices of all places that have weights in the track, and ends those that are silent. ERROR_MEMORY. */
int voices_choose(struct voices *v, const struct track *t, struct error *e);

/* Fills in the gains of the late parts. */
void voices_weigh(struct voices *v, struct track *t);

/* The next block of each voice, which begins at frame `first`. */
void voices_run(struct voices *v, const struct track *t, const struct fractional_reader *reader, size_t first);

/* Adds `count` frames of all voices to wet [channels][frames] from `first`. */
void voices_add(const struct voices *v, double *wet, size_t frames, size_t first, size_t count);

#endif
