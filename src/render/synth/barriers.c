/* SPDX-License-Identifier: MIT */
/* What an instrument hits as it moves: frets below a string, a fixed stop that rattles, and the snare
 * wires below a head. All are contacts of Hertz, without loss of their own. */
#include <math.h>

#include "base/text.h"
#include "render/synth/ensemble.h"

enum { WIRE_POINTS_MAX = 12 };
static const double HERTZ = 1.5;

static const struct instrument *instrument_of(const struct ensemble *s, const struct room *room, size_t voice)
{
    return &room->instruments[s->voices[voice].instrument];
}

/* Points of a wire that may touch the head: as many as fit into the ports of a body with its other touches. */
static size_t points_of_wire(const struct instrument *i)
{
    const size_t left = (PORTS_MAX - 8) / i->snares;
    return left < WIRE_POINTS_MAX ? left : WIRE_POINTS_MAX;
}

size_t barriers_count(const struct ensemble *s, const struct room *room)
{
    size_t count = 0;
    for (size_t v = 0; v < s->voice_count; v++) {
        const struct instrument *i = instrument_of(s, room, v);
        count += s->voices[v].is_wire ? points_of_wire(i) : i->frets + (i->rattle_stiffness > 0.0);
    }
    return count;
}

static void list_frets(struct ensemble *s, size_t voice, const struct instrument *i)
{
    for (size_t n = 1; n <= i->frets; n++)
        s->touches[s->touch_count++] = (struct touch){.voice = voice,
                                                      .kind = TOUCH_STOP,
                                                      .place = {1.0 - exp2(-(double)n / 12.0), 0.0},
                                                      .gap = i->fret_gap,
                                                      .stiffness = i->fret_stiffness};
}

/* Wires lie along the second axis of the head, side by side about its centre. */
static void list_wire(struct ensemble *s, size_t voice, size_t number, const struct instrument *i)
{
    const bool circle = i->outline == OUTLINE_CIRCLE;
    const double half[2] = {circle ? i->radius : 0.5 * i->sides[0], circle ? i->radius : 0.5 * i->sides[1]};
    const double aside = ((double)number - 0.5 * (double)(i->snares - 1)) * i->snare_spacing / half[0];
    const size_t points = points_of_wire(i);
    for (size_t n = 0; n < points; n++) {
        const double along = ((double)n + 0.5) / (double)points;
        s->touches[s->touch_count++] = (struct touch){.voice = s->voices[voice].body_voice,
                                                      .kind = TOUCH_WIRE,
                                                      .place = {aside, (along - 0.5) * i->snare_length / half[1]},
                                                      .gap = i->snare_gap,
                                                      .stiffness = i->snare_stiffness,
                                                      .wire = voice,
                                                      .wire_place = along};
    }
}

void barriers_list(struct ensemble *s, const struct room *room)
{
    size_t number = 0;
    for (size_t v = 0; v < s->voice_count; v++) {
        const struct instrument *i = instrument_of(s, room, v);
        if (s->voices[v].is_wire) {
            number = v && s->voices[v - 1].is_wire && s->voices[v - 1].body_voice == s->voices[v].body_voice
                         ? number + 1
                         : 0;
            list_wire(s, v, number, i);
            continue;
        }
        list_frets(s, v, i);
        if (i->rattle_stiffness > 0.0)
            s->touches[s->touch_count++] = (struct touch){.voice = v,
                                                          .kind = TOUCH_STOP,
                                                          .place = {i->rattle_place[0], i->rattle_place[1]},
                                                          .gap = i->rattle_gap,
                                                          .stiffness = i->rattle_stiffness};
    }
}

int barrier_make(struct port *p, struct rows *rows, const struct ensemble *s, const struct touch *t, struct error *e)
{
    p->contact = (struct contact){.stiffness = t->stiffness, .exponent = HERTZ};
    p->gap = t->gap;
    if (rows_add(rows, s, t, t->voice, t->place, 1.0, true, e))
        return -1;
    return t->kind == TOUCH_WIRE ? rows_add(rows, s, t, t->wire, (double[2]){t->wire_place, 0.0}, -1.0, false, e) : 0;
}
