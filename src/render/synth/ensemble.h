/* SPDX-License-Identifier: MIT */
/* The instruments of a room as bodies that are solved together with its air, made from dimensions,
 * materials and decay times. */
#ifndef AULA_RENDER_SYNTH_ENSEMBLE_H
#define AULA_RENDER_SYNTH_ENSEMBLE_H

#include "render/synth/cut_list.h"
#include "render/synth/line_modes.h"
#include "render/synth/score.h"
#include "render/synth/surface.h"
#include "render/synth/touches.h"
#include "render/synth/voice_wind.h"

/* An instrument at one pitch: a marimba has a voice for each of its notes. */
struct voice {
    size_t instrument;
    double pitch;      /* Hz, requested by notes; 0: the instrument's own */
    uint16_t array;    /* state array of the scheme */
    size_t body, part; /* its body, and its part of that */
    double lowest;     /* Hz: lowest mode in vacuo as computed; 0: no closed form */

    /* membrane, plate */
    struct surface *surface;
    struct surface_plan plan;
    struct surface_grid grid;
    double plane;   /* m: position on the grid along its normal */
    double impulse; /* N s: largest of its blows */

    /* string, bar */
    struct line_modes modes;
    size_t first_mode;         /* first of these in `line`: without a body, rigid-body modes are omitted */
    struct line_body line;     /* its transverse modes, and then those of `torsion` */
    struct line_modes torsion; /* of a bowed string, which its end and its body do not feel; empty: none */
    size_t body_voice;         /* voice of the surface it is coupled to; SIZE_MAX: none */
    struct wind_voice *wind;   /* of all pitches of a wind instrument, else NULL */

    bool is_wire; /* a snare wire of that surface, which only its contacts couple to it */
};

struct ensemble {
    struct bodies bodies;
    struct voice *voices;
    size_t voice_count;
    struct body *body; /* storage of `bodies` */
    struct line_body *lines;
    struct touch *touches; /* [touch_count] places that mallets and bows touch: touches.h */
    size_t touch_count;
    struct cut_list cuts;
    char **notes, **warnings;
    size_t note_count, warning_count;
};

/* All voices that the score and the pickups of `room` need. `m`: the model of that room, whose grid
 * rate is used; NULL: no air, at `rate` steps per second. ERROR_INPUT names the instrument and a
 * remedy. */
int ensemble_make(struct ensemble **out, const struct room *room, const struct score *score, const struct model *m,
                  double rate, struct error *e);
void ensemble_free(struct ensemble *s); /* NULL-safe */

/* The voice of an event or pickup; pitch 0: the instrument's own. A wind instrument has one voice for all pitches. */
size_t ensemble_voice(const struct ensemble *s, size_t instrument, double pitch);

/* Number of the modes of a line that its places and its end feel: all but those of torsion. */
static inline size_t voice_transverse_modes(const struct voice *v)
{
    return v->line.modes - v->torsion.count;
}

/* A drive channel for a force of 1 N at a place of a voice, or a tap channel for its displacement
 * there, m (CHANNEL_PLACE), or for that of its surface where a bow touches it, which torsion moves as
 * well (CHANNEL_SURFACE); or a tap channel whose central difference is the velocity there
 * (CHANNEL_VELOCITY, theory (63)). Of a wind instrument, a tap for the pressure in its mouthpiece, Pa, at the place 0,
 * and at 1 one whose central difference is the pressure that its openings radiate, Pa, 1 m away. Entries in fresh
 * memory; none at a fixed edge. */
enum channel_use { CHANNEL_PLACE, CHANNEL_SURFACE, CHANNEL_VELOCITY };
int ensemble_channel(struct channel *c, const struct ensemble *s, size_t voice, const double place[2],
                     enum channel_use use, struct error *e);

/* Shared by ensemble.c, overlap.c, voice_line.c, voice_plate.c, voice_surface.c, touches.c and mode.c. */

/* ERROR_INPUT that names the instrument's line in the room file. */
int instrument_refused(const struct room *room, const struct instrument *i, struct error *e, const char *why);

/* The stretching of the plate of a voice, with a note. ERROR_INPUT: too few cells, or too hard a blow. */
int voice_plate_stretch(struct stretching *t, struct ensemble *s, size_t voice, const struct room *room,
                        const struct score *score, struct error *e);

/* The modes of a snare wire of its instrument. k, s: time step. */
int voice_wire_make(struct voice *v, const struct room *room, double k, struct error *e);

/* Makes v->modes, v->line and v->body_voice for the instrument and pitch of v, after all surfaces
 * of s. k, s: time step. */
int voice_line_make(struct voice *v, const struct ensemble *s, const struct room *room, double k, struct error *e);

/* Makes v->surface, v->grid and v->plan of a membrane or plate, with notes and warnings, and adds its cuts to s->cuts.
 * m: NULL: without air. k, s: time step. */
int voice_surface_make(struct ensemble *s, struct voice *v, const struct room *room, const struct model *m, double k,
                       struct error *e);

/* ERROR_INPUT, naming both, when two instruments cross or share a cell of the air. Call before cut_list_finish. */
int ensemble_check_overlap(const struct ensemble *s, const struct room *room, const struct model *m, struct error *e);

#endif
