/* SPDX-License-Identifier: MIT */
/* Two ears as ways of image sources meet them: each way by the HRTF of its own direction.
 *
 * Waves are heard through filters of their harmonics, which have the HRTF's phase up to ear_filters_change() only.
 * Where they end above it, the phase of what a way brings to an ear has the difference added up to their edge, and less
 * and less of it within an octave above: else both would cancel one another where they are joined. */
#ifndef AULA_RENDER_EAR_VIEW_H
#define AULA_RENDER_EAR_VIEW_H

#include "dsp/ears/ear_filters.h"
#include "dsp/ears/ear_responses.h"
#include "render/hybrid/path_sound.h"
#include "render/views.h"

struct ear_view {
    const struct receiver_view *view;
    struct ear_responses responses;
    struct ear_filters filters; /* of the waves; empty where their phase is not asked for */
    double edge;                /* Hz, of the waves; 0: none */
};

/* Zero it first; ends with .._free, also after an error. ERROR_MEMORY, ERROR_INPUT, ERROR_STOPPED. */
int ear_view_make(struct ear_view *ears, const struct receiver_view *view, double rate, double edge, struct error *e);
void ear_view_free(struct ear_view *ears);

/* responses of a struct path_receiver: [left, right][bins]. */
bool ear_view_responses(const void *ears, double complex *response, const struct path_sound *sound,
                        const double direction[3]);

#endif
