/* SPDX-License-Identifier: MIT */
/* An ambisonic field as two ears hear it. */
#ifndef AULA_RENDER_BINAURAL_H
#define AULA_RENDER_BINAURAL_H

#include "dsp/ears/ear_filters.h"
#include "dsp/space/coverage.h"
#include "io/audio_file.h"

/* Degrees, like receivers[].orientation: yaw to the left, pitch down, roll with the left ear up. */
struct binaural_head {
    double yaw, pitch, roll;
};

/* Zero it first; free it also after an error. */
struct binaural {
    struct coverage coverage; /* of the HRTF */
    struct ear_filters filters;
    struct audio heard; /* [left, right][frames] */
    char *warning;      /* sound from directions that the HRTF lacks; NULL: none */
};

/* The order N of an AmbiX field with (N + 1)² channels. ERROR_INPUT for another number; `name` stands in messages. */
int binaural_order(int *order, size_t channels, const char *name, struct error *e);

/* Filters of the HRTF for a field. `path`: of the HRTF, for messages. ERROR_INPUT, ERROR_MEMORY, ERROR_STOPPED. */
int binaural_prepare(struct binaural *b, const struct hrtf *hrtf, const char *path, int order, double rate,
                     struct error *e);

/* Makes b->heard from the field, which it turns in place by the head. `name` and `path`: of field and HRTF, for the
 * warning. ERROR_MEMORY, ERROR_STOPPED. */
int binaural_hear(struct binaural *b, struct audio *field, const struct binaural_head *head, const char *name,
                  const char *path, struct error *e);
void binaural_free(struct binaural *b);

#endif
