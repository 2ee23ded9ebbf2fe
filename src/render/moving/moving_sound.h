/* SPDX-License-Identifier: MIT */
/* A dry sound heard by a listener who walks, or from a source that moves, through the responses at many places.
 *
 * With w the weights of the places at the position x(t) of the moving end, h_jk the part of arrival k in the response at
 * place j (split.h), r_k the distance of x from the image of that arrival and r_jk that of the place,
 *
 *     y(t) = Σ_j Σ_k h_jk * [ w_j(x) r_jk/r_k(x) D s(t - (r_k(x) - r_jk)/c) ] + late part
 *
 * x is taken when the sound arrives at a listener, D = 1, or when it leaves a source: t_e + r_k(x(t_e))/c = t, and D =
 * 1/(1 + r_k'/c), the field of a moving point source of strength s. At rest on a place y is the convolution with its
 * response.
 *
 * The late parts l_j are faded by position: Σ_j g_j (l_j * s) for a listener, Σ_j l_j * (g_j s) for a source. The gains
 * are the weights, scaled to keep the power of a mix of signals with the correlations C_ij of the late parts:
 *
 *     g_j = w_j sqrt(Σ_i w_i C_ii / Σ_ik w_i w_k C_ik) */
#ifndef AULA_RENDER_MOVING_MOVING_SOUND_H
#define AULA_RENDER_MOVING_MOVING_SOUND_H

#include <stdbool.h>

#include "io/audio_file.h"
#include "render/moving/places.h"
#include "render/moving/walk.h"

#define MOVING_NEAREST 0.1 /* m: at less distance from the fixed end the level stays */

struct moving_task {
    const struct moving_places *places;
    const struct walk *walk;
    const double *dry; /* [frames], at the rate of the places */
    size_t frames;
    bool source_moves; /* else the listener */
    int turned_order;  /* ambisonic order of the channels, which the angles of the walk turn; 0: none do */
};

/* *wet, fresh: [places->channels][frames + places->frames - 1]. The working memory is that of the places in use, whatever
 * the length of the sound. ERROR_MEMORY, ERROR_STOPPED. On failure wet->samples is NULL. */
int moving_sound_make(struct audio *wet, const struct moving_task *task, struct error *e);

#endif
