/* SPDX-License-Identifier: MIT */
/* The single voice of a wind instrument, whose fingering and lips choose among its pitches, and what an event
 * feeds to it over time. */
#ifndef AULA_RENDER_SYNTH_VOICE_WIND_H
#define AULA_RENDER_SYNTH_VOICE_WIND_H

#include "render/synth/score.h"
#include "render/synth/wind_plan.h"
#include "room/grid/model.h"

struct wind_voice {
    struct wind wind;
    struct wind_plan plan;
    struct wind_hole holes[OPENINGS_MAX];
    double lowest; /* Hz: with all holes closed; 0: not known */
    struct wind_note {
        double pitch, lips,
            needs; /* Hz, as an event gives it; Hz, 0: the reed's own; Pa: at which it starts to sound */
    } * notes;     /* [note_count], of the score */
    size_t note_count;
};

/* For the notes of the score, in the field of the model, or without a room for NULL at `rate` steps per second.
 * ERROR_INPUT names the line of the instrument or of an event that it cannot play. */
int wind_voice_make(struct wind_voice **out, const struct room *room, size_t instrument, const struct score *score,
                    const struct model *m, double rate, struct error *e);
void wind_voice_free(struct wind_voice *v); /* NULL-safe */

/* Pa: the breath at which a pitch of the score starts to sound; NAN: it is not known. */
double wind_voice_needs(const struct wind_voice *v, double pitch);

/* Inputs of a step that events drive: breath, lips, holes. */
size_t wind_voice_inputs(const struct wind_voice *v);

/* A note between its neighbours on the same instrument; NULL: none. Breath and fingers, at `seconds` after its start.
 * The breath rises and falls within 0.02 s, or passes over from `before` where that has not ended. Fingers and lips
 * move from `before` within 0.01 s, and stay until the next note. */
double wind_voice_input(const struct wind_voice *v, const struct event *event, const struct event *before, size_t input,
                        double seconds);

#endif
