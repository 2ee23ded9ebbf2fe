/* SPDX-License-Identifier: MIT */
/* A string or bar of the room file as a voice: its modes and its connection to a body. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "render/synth/ensemble.h"
#include "render/synth/mode.h"

enum { MODES_MAX = 1024, WIRE_MODES_MAX = 40 };
static const double WIRE_DECAY = 1.0;    /* s: T60 of a snare wire, which the head damps far more */
static const double TORSION_BAND = 0.45; /* of the rate: modes of torsion above are omitted, as their loss is large */

static int plan_line(struct line *line, const struct voice *v, const struct room *room, struct error *e)
{
    static const enum line_ends ends[] = {LINE_SUPPORTED, LINE_CLAMPED, LINE_FREE};
    const struct instrument *i = &room->instruments[v->instrument];
    const bool bar = i->type == INSTRUMENT_BAR;
    const double area = bar ? i->width * i->thickness : 0.25 * M_PI * i->diameter * i->diameter;
    const double inertia = bar ? i->width * pow(i->thickness, 3.0) / 12.0 : M_PI * pow(i->diameter, 4.0) / 64.0;
    *line = (struct line){.length = i->length,
                          .density = i->linear_density > 0.0 ? i->linear_density : i->density * area,
                          .tension = i->tension,
                          .bending = i->young * inertia,
                          .ends = ends[i->ends]};
    const double pitch = v->pitch > 0.0 ? v->pitch : i->pitch;
    if (pitch > 0.0 && bar)
        line->length = line_length_for_pitch(line, pitch);
    else if (pitch > 0.0)
        line->tension = line_tension_for_pitch(line, pitch);
    if (!(line->length > 0.0) || !(line->tension >= 0.0)) {
        char why[200];
        snprintf(why, sizeof why, "no %s yields a lowest mode of %.6g Hz; its stiffness alone makes it higher",
                 bar ? "length" : "tension", pitch);
        return instrument_refused(room, i, e, why);
    }
    return 0;
}

/* The number of modes for which the coupled end is stable: its mass minus shape²/(mass (1 -
 * ω̃²k²/4)) of each mode must stay positive. The mass of later modes stays with the end. */
static size_t stable_modes(const struct line_body *line, double k)
{
    const struct connection *c = &line->connection;
    double left = c->end_mass + c->bridge_mass - 0.25 * k * k * c->end_stiffness;
    for (size_t m = 0; m < line->modes; m++) {
        const double stiff = 2.0 - 2.0 * line->now[m] / (1.0 + line->before[m]);
        const double mass = 0.5 * (1.0 + line->before[m]) * k * k / line->gain[m]; /* as the step has it */
        left -= c->shape[m] * c->shape[m] / (mass * (1.0 - 0.25 * stiff));
        if (!(left > 0.0))
            return m;
    }
    return line->modes;
}

static int connect(struct voice *v, const struct ensemble *s, const struct room *room, double k, struct error *e)
{
    const struct instrument *i = &room->instruments[v->instrument];
    struct line_body *line = &v->line;
    struct connection *c = &line->connection;
    if (i->body_index == SIZE_MAX)
        return 0;
    v->body_voice = ensemble_voice(s, i->body_index, 0.0);
    const struct voice *body = &s->voices[v->body_voice];
    if (surface_place(c->node, c->weight, body->surface, &body->grid, &body->plan, i->body_place) < 0.05)
        return instrument_refused(
            room, i, e, "body_place: nothing moves there; choose a position further from the edge of the body");
    const bool spring = i->termination == TERMINATION_SPRING, loose = v->modes.line.ends == LINE_FREE;
    c->kind = loose ? CONNECTION_POINT : spring ? CONNECTION_BRIDGE : CONNECTION_END;
    c->stiffness = spring ? i->spring : INFINITY;
    for (size_t m = 0; m < line->modes; m++)
        c->shape[m] = loose ? line_shape(&v->modes, m, 1.0) : line_end_coupling(&v->modes, m);
    if (loose)
        return 0;
    c->end_mass = line_end_mass(&v->modes.line) + (spring ? 0.0 : i->bridge_mass);
    c->end_stiffness = line_end_stiffness(&v->modes.line);
    c->bridge_mass = spring ? i->bridge_mass : 0.0;
    line->modes = stable_modes(line, k);
    if (!line->modes)
        return instrument_refused(room, i, e,
                                  "cannot be coupled stably at this rate; raise grid.rate, or set a bridge_mass");
    return 0;
}

static int too_high(const struct room *room, const struct instrument *i, const struct voice *v, struct error *e)
{
    char why[200];
    if (!(v->pitch > 0.0))
        return instrument_refused(room, i, e,
                                  "has no mode below half the grid's rate; raise grid.rate, or make it longer");
    snprintf(why, sizeof why,
             "a note of %.5g Hz has no mode below half the grid's rate; raise grid.rate, or leave the note out",
             v->pitch);
    return instrument_refused(room, i, e, why);
}

/* The modes of torsion, whose displacement is that of the surface of the string, radius times angle. Both ends are held,
 * so that torsion is a string of the tension Z_T c_T and the mass per length Z_T/c_T: theory (63c). */
static int plan_torsion(struct voice *v, const struct instrument *i, const struct room *room, double k, struct error *e)
{
    const struct line *line = &v->modes.line;
    const struct line twisting = {.length = line->length,
                                  .density = line->density * i->torsion_impedance_ratio / i->torsion_speed_ratio,
                                  .tension = line->tension * i->torsion_impedance_ratio * i->torsion_speed_ratio,
                                  .ends = LINE_SUPPORTED};
    if (line_modes_make(&v->torsion, &twisting, TORSION_BAND / k, MODES_MAX, e))
        return -1;
    if (!v->torsion.count)
        return instrument_refused(room, i, e,
                                  "torsion has no mode below half the grid's rate; raise grid.rate, lower "
                                  "torsion_speed_ratio, or set torsion = false");
    return 0;
}

/* Appends the modes of torsion, after the others are coupled to the body. */
static void add_torsion(struct voice *v, const struct instrument *i, double k)
{
    struct line_body *l = &v->line;
    for (size_t n = 0; n < v->torsion.count; n++) {
        const double frequency = v->torsion.frequency[n];
        const struct mode_step step =
            mode_step(frequency, M_PI * frequency / i->torsion_quality, v->torsion.mass[n], k);
        l->now[l->modes] = step.now;
        l->before[l->modes] = step.before;
        l->gain[l->modes] = step.gain;
        l->connection.shape[l->modes++] = 0.0;
    }
}

/* The steps of the modes from first_mode on, with room for those of torsion. */
static int set_steps(struct voice *v, const struct line_decay *decay, double k, struct error *e)
{
    const size_t modes = v->modes.count - v->first_mode, space = modes + v->torsion.count;
    struct line_body *l = &v->line;
    l->now = calloc(4 * space, sizeof *l->now);
    if (!l->now)
        return fail(e, ERROR_MEMORY, "out of memory");
    l->before = l->now + space;
    l->gain = l->before + space;
    l->connection.shape = l->gain + space;
    l->modes = modes;
    for (size_t m = 0; m < modes; m++) {
        const size_t n = v->first_mode + m;
        const struct mode_step step =
            mode_step(v->modes.frequency[n], line_mode_decay(&v->modes, decay, n), v->modes.mass[n], k);
        l->now[m] = step.now;
        l->before[m] = step.before;
        l->gain[m] = step.gain;
    }
    return 0;
}

int voice_wire_make(struct voice *v, const struct room *room, double k, struct error *e)
{
    const struct instrument *i = &room->instruments[v->instrument];
    const struct line line = {
        .length = i->snare_length, .density = i->snare_density, .tension = i->snare_tension, .ends = LINE_SUPPORTED};
    const struct line_decay decay = {.sigma0 = 3.0 * M_LN10 / WIRE_DECAY, .sigma1 = 0.0};
    if (line_modes_make(&v->modes, &line, 0.45 / k, WIRE_MODES_MAX, e))
        return -1;
    if (!v->modes.count)
        return instrument_refused(room, i, e, "its snares have no mode below half the grid's rate; raise grid.rate");
    v->lowest = v->modes.frequency[0];
    return set_steps(v, &decay, k, e);
}

int voice_line_make(struct voice *v, const struct ensemble *s, const struct room *room, double k, struct error *e)
{
    const struct instrument *i = &room->instruments[v->instrument];
    struct line line;
    struct line_decay decay;
    struct error why;
    if (plan_line(&line, v, room, e))
        return -1;
    if (decay_from_times(&decay, line.tension / line.density, line.bending / line.density, i->decay_at, i->decay, &why))
        return instrument_refused(room, i, e, why.message);
    if (line_modes_make(&v->modes, &line, 0.49 / k, MODES_MAX, e))
        return -1;
    size_t rigid = 0;
    while (rigid < v->modes.count && v->modes.frequency[rigid] <= 0.0)
        rigid++;
    if (rigid == v->modes.count)
        return too_high(room, i, v, e);
    v->first_mode = i->body_index == SIZE_MAX ? rigid : 0;
    if ((i->torsion && plan_torsion(v, i, room, k, e)) || set_steps(v, &decay, k, e))
        return -1;
    v->lowest = v->modes.frequency[rigid];
    if (connect(v, s, room, k, e))
        return -1;
    add_torsion(v, i, k);
    return 0;
}
