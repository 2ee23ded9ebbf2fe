/* SPDX-License-Identifier: MIT */
#include "validate/bodies/synth_furnish.h"

#include <string.h>

static void decay(struct instrument *i, double low, double high)
{
    i->decay[0] = low;
    i->decay[1] = high;
}

static void add_drum(struct rig *r)
{
    struct instrument *i = rig_instrument(r, INSTRUMENT_MEMBRANE);
    i->outline = OUTLINE_CIRCLE;
    i->radius = 0.36;
    i->surface_density = 0.3;
    i->tension = 900.0;
    i->shell = 0.4;
    i->bottom = SHELL_CLOSED;
    memcpy(i->position, (double[3]){0.9, 1.1, 1.2}, sizeof i->position);
    decay(i, 1.5, 0.4);
    rig_play(r, i, 0.3, 0.1);
    rig_play(r, i, -0.5, 0.2);
    rig_hear(r, i, 0.2, -0.3);
}

static const struct instrument *add_plate(struct rig *r)
{
    struct instrument *i = rig_instrument(r, INSTRUMENT_PLATE);
    i->outline = OUTLINE_RECTANGLE;
    i->normal = AXIS_Y;
    i->sides[0] = 0.8;
    i->sides[1] = 0.6;
    i->thickness = 0.003;
    i->density = 430.0;
    i->young = 3.3e9;
    i->poisson = 0.3;
    i->ends = ENDS_CLAMPED;
    memcpy(i->position, (double[3]){2.1, 1.3, 1.1}, sizeof i->position);
    decay(i, 0.5, 0.1);
    rig_hear(r, i, 0.1, 0.4);
    return i;
}

static void lead(struct rig *r, struct instrument *line, const struct instrument *plate, double u, double v)
{
    line->body_index = (size_t)(plate - r->instruments);
    line->body_place[0] = u;
    line->body_place[1] = v;
    decay(line, 3.0, 1.0);
    rig_play(r, line, 0.2, 0.0);
    rig_hear(r, line, 0.35, 0.0);
}

static void add_lines(struct rig *r, const struct instrument *plate)
{
    for (int n = 0; n < 2; n++) {
        struct instrument *i = rig_instrument(r, INSTRUMENT_STRING);
        i->length = 0.65 - 0.1 * n;
        i->diameter = 0.5e-3;
        i->density = 7800.0;
        i->young = 2e11;
        i->tension = 90.0;
        i->termination = n ? TERMINATION_SPRING : TERMINATION_RIGID;
        i->spring = 5e4;
        i->bridge_mass = 0.01;
        i->played = EXCITATION_PLUCK;
        lead(r, i, plate, 0.3 - 0.5 * n, 0.2);
    }
    struct instrument *bar = rig_instrument(r, INSTRUMENT_BAR);
    bar->length = 0.4;
    bar->width = 0.05;
    bar->thickness = 0.012;
    bar->density = 1000.0;
    bar->young = 2e10;
    bar->ends = ENDS_FREE;
    bar->termination = TERMINATION_SPRING;
    bar->spring = 2e4;
    lead(r, bar, plate, 0.0, -0.3);
}

void rig_furnish(struct rig *r)
{
    static const double octaves[OCTAVE_BANDS] = {0.1, 0.15, 0.3, 0.5, 0.6, 0.6, 0.6, 0.6};
    rig_absorption(r, octaves);
    memcpy(r->room.size, (double[3]){3.0, 2.4, 2.2}, sizeof r->room.size);
    r->room.air.losses = true;
    add_drum(r);
    add_lines(r, add_plate(r));
    for (size_t i = 0; i < r->score.count; i++) {
        r->events[i].time = 0.07 * (double)i;
        r->events[i].force = 10.0 + 3.0 * (double)i;
        r->events[i].duration = 2e-3;
    }
    rig_source(r, 0.5, 1.9, 0.4);
    rig_source(r, 2.6, 0.5, 1.8);
    rig_receiver(r, 1.5, 0.6, 1.0);
    rig_receiver(r, 0.6, 1.8, 1.7);
}
