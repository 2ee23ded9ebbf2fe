/* SPDX-License-Identifier: MIT */
#include "render/synth/touches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "render/synth/blow_limits.h"
#include "render/synth/ensemble.h"

static const double BOW_EDGE = 0.01;       /* of the length: closest place of a bow to an end */
static const double STRETCHING_BAND = 0.4; /* of the rate: modes above do not stretch the string */

static const struct instrument *instrument_of(const struct ensemble *s, const struct room *room, size_t voice)
{
    return &room->instruments[s->voices[voice].instrument];
}

/* ---- the list */

static bool is_touched(enum excitation_kind kind)
{
    return is_thrown(kind) || kind == EXCITATION_BOW;
}

size_t touch_of(const struct ensemble *s, const struct room *room, const struct event *event)
{
    const enum excitation_kind kind = room->instruments[event->instrument].played;
    const size_t voice = ensemble_voice(s, event->instrument, event->pitch);
    for (size_t i = 0; i < s->touch_count && is_touched(kind); i++)
        if (s->touches[i].voice == voice && s->touches[i].kind <= TOUCH_BOW &&
            (kind == EXCITATION_BOW || !memcmp(s->touches[i].place, event->place, sizeof event->place)))
            return i;
    return SIZE_MAX;
}

static void reach(struct touch *t, double place)
{
    t->low = fmin(t->low, place);
    t->high = fmax(t->high, place);
}

/* A bow keeps away from both ends. */
static int check_place(const struct room *room, const struct event *event, double place, struct error *e)
{
    char where[512];
    if (place >= BOW_EDGE && place <= 1.0 - BOW_EDGE)
        return 0;
    return fail(e, ERROR_INPUT, "%s: instrument %s: the bow is at %g, but must stay between 0.01 and 0.99; move %s",
                origin_text(&event->origin, room->path, where, sizeof where), room->instruments[event->instrument].name,
                place, event->place_curve.count ? "place_curve" : "place");
}

static int check_bow(const struct room *room, const struct event *event, struct error *e)
{
    if (!event->place_curve.count)
        return check_place(room, event, event->place[0], e);
    for (size_t k = 0; k < event->place_curve.count; k++)
        if (check_place(room, event, event->place_curve.points[k][1], e))
            return -1;
    return 0;
}

int touches_list(struct ensemble *s, const struct room *room, const struct score *score, struct error *e)
{
    s->touches = calloc(score->count + barriers_count(s, room) + 1, sizeof *s->touches);
    if (!s->touches)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < score->count; i++) {
        const struct event *event = &score->events[i];
        const enum excitation_kind kind = room->instruments[event->instrument].played;
        struct voice *v = &s->voices[ensemble_voice(s, event->instrument, event->pitch)];
        v->impulse = fmax(v->impulse, blow_impulse(event, &room->instruments[event->instrument]));
        if (!is_touched(kind))
            continue;
        if (kind == EXCITATION_BOW && check_bow(room, event, e))
            return -1;
        size_t known = touch_of(s, room, event);
        if (known == SIZE_MAX) {
            known = s->touch_count++;
            s->touches[known] = (struct touch){.voice = ensemble_voice(s, event->instrument, event->pitch),
                                               .place = {event->place[0], event->place[1]},
                                               .low = event->place[0],
                                               .high = event->place[0],
                                               .kind = kind == EXCITATION_BOW ? TOUCH_BOW : TOUCH_THROWN};
        }
        struct touch *t = &s->touches[known];
        if (!event->velocity_curve.count)
            t->velocity = fmax(t->velocity, fabs(event->velocity));
        for (size_t k = 0; k < event->velocity_curve.count; k++)
            t->velocity = fmax(t->velocity, fabs(event->velocity_curve.points[k][1]));
        if (!event->place_curve.count)
            reach(t, event->place[0]);
        for (size_t k = 0; k < event->place_curve.count; k++)
            reach(t, event->place_curve.points[k][1]);
    }
    barriers_list(s, room);
    return 0;
}

/* ---- places as rows over the points of a body */

int rows_add(struct rows *rows, const struct ensemble *s, const struct touch *t, size_t voice, const double place[2],
             double factor, bool begin, struct error *e)
{
    struct channel c;
    const struct body *body = &s->body[t->body];
    const size_t first_array = t->array - body_parts(body), at = rows->count ? rows->m.start[rows->count] : 0;
    if (ensemble_channel(&c, s, voice, place, t->kind == TOUCH_BOW ? CHANNEL_SURFACE : CHANNEL_PLACE, e))
        return -1;
    uint32_t *start = realloc(rows->m.start, (rows->count + 2) * sizeof *start);
    rows->m.start = start ? start : rows->m.start;
    uint32_t *column = realloc(rows->m.column, (at + c.count + 1) * sizeof *column);
    rows->m.column = column ? column : rows->m.column;
    double *value = realloc(rows->m.value, (at + c.count + 1) * sizeof *value);
    rows->m.value = value ? value : rows->m.value;
    if (!start || !column || !value) {
        free(c.entries);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    start[0] = 0;
    for (size_t i = 0; i < c.count; i++) {
        column[at + i] = (uint32_t)(body_offset(body, c.entries[i].array - first_array) + c.entries[i].point);
        value[at + i] = factor * c.entries[i].weight;
    }
    rows->count += begin;
    start[rows->count] = (uint32_t)(at + c.count);
    free(c.entries);
    return 0;
}

/* ---- mallets and hammers */

static int make_mallet(struct port *p, struct rows *rows, struct ensemble *s, const struct room *room,
                       const struct touch *t, double rate, struct error *e)
{
    const struct instrument *i = instrument_of(s, room, t->voice);
    p->contact = (struct contact){i->mallet_stiffness, i->mallet_exponent, i->mallet_loss};
    p->mass = i->mallet_mass;
    if (i->mallet_loss * t->velocity > 1.0)
        return instrument_refused(
            room, i, e, "mallet_loss times the velocity exceeds 1, so the felt would pull; lower one of them");
    const double steps = rate * contact_duration(&p->contact, p->mass, t->velocity);
    if (lines_add(&s->notes, &s->note_count, e,
                  "%s: a %s of %.3g g at %.3g m/s touches something rigid for %.3g ms, %.3g steps", i->name,
                  excitation_names[i->played], 1e3 * p->mass, t->velocity, 1e3 * steps / rate, steps))
        return -1;
    if (steps < (p->contact.exponent < 2.0 ? 8.0 : 4.0) &&
        lines_add(
            &s->warnings, &s->warning_count, e,
            "%s: its %s touches for only %.2g time steps at %.3g m/s, so the force is inaccurate; raise the rate, "
            "or use a softer one",
            i->name, excitation_names[i->played], steps, t->velocity))
        return -1;
    return rows_add(rows, s, t, t->voice, t->place, 1.0, true, e);
}

/* Nothing moves at a fixed end or edge. */
static bool is_fixed(const struct rows *rows, size_t row)
{
    double largest = 0.0;
    for (uint32_t k = rows->m.start[row]; k < rows->m.start[row + 1]; k++)
        largest = fmax(largest, fabs(rows->m.value[k]));
    return !(largest > 1e-9);
}

static int make_ports(struct ensemble *s, size_t index, const struct room *room, double rate, struct error *e)
{
    struct body *body = &s->body[index];
    struct rows rows = {.count = 0};
    struct port *ports = calloc(s->touch_count + 1, sizeof *ports);
    int status = ports ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    body->ports = ports;
    for (size_t i = 0; i < s->touch_count && !status; i++) {
        const struct touch *t = &s->touches[i];
        if (t->body != index)
            continue;
        struct port *p = &ports[t->port];
        *p = (struct port){
            .kind = t->kind == TOUCH_BOW ? PORT_BOW : PORT_CONTACT, .place = rows.count, .place_count = 1};
        status = t->kind == TOUCH_BOW      ? bow_make(p, &rows, s, room, t, rate, e)
                 : t->kind == TOUCH_THROWN ? make_mallet(p, &rows, s, room, t, rate, e)
                                           : barrier_make(p, &rows, s, t, e);
        if (!status && is_fixed(&rows, p->place))
            status = instrument_refused(room, instrument_of(s, room, t->voice), e,
                                        "is touched where it is fixed; move place, rattle_place or the snares inwards");
    }
    body->places = rows.m;
    body->place_count = rows.count;
    return status;
}

/* ---- stretching */

static int stretch_string(struct stretching *t, const struct ensemble *s, const struct room *room,
                          const struct score *score, size_t voice, double rate, struct error *e)
{
    const struct voice *v = &s->voices[voice];
    const struct instrument *i = instrument_of(s, room, voice);
    const double stretch = i->young * 0.25 * M_PI * i->diameter * i->diameter;
    size_t stretched = 0;
    if (!(v->modes.line.tension > 0.0))
        return instrument_refused(room, i, e,
                                  "a string without tension cannot have large_amplitude; set pitch or tension");
    t->factor = sqrt(0.25 * stretch / v->modes.line.length);
    t->slope = calloc(v->line.modes + 1, sizeof *t->slope);
    if (!t->slope)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t m = 0; m < voice_transverse_modes(v); m++) {
        const size_t n = v->first_mode + m;
        if (v->modes.frequency[n] > STRETCHING_BAND * rate)
            break;
        t->slope[m] = v->modes.wavenumber_squared[n] * v->modes.mass[n] / v->modes.line.density;
        stretched++;
    }
    if (!stretched)
        return instrument_refused(room, i, e, "has no mode below 0.4 of the rate; raise grid.rate");
    return string_rise_check(s, room, score, voice, stretch, e);
}

static int stretch_head(struct stretching *t, const struct ensemble *s, const struct room *room,
                        const struct score *score, size_t voice, struct error *e)
{
    const struct voice *v = &s->voices[voice];
    const struct instrument *i = instrument_of(s, room, voice);
    const struct surface_plan *p = &v->plan;
    const double area = p->outline == SURFACE_CIRCLE ? M_PI * p->half[0] * p->half[0] : 4.0 * p->half[0] * p->half[1];
    const double stretch = i->young * i->thickness / (1.0 - i->poisson * i->poisson);
    t->factor = sqrt(0.25 * stretch / area) / (v->surface->force_gain * p->tension);
    return head_rise_check(s, room, score, voice, stretch / area, e);
}

static int make_stretching(struct ensemble *s, size_t index, const struct room *room, const struct score *score,
                           double rate, struct error *e)
{
    struct body *body = &s->body[index];
    struct stretching *stretching = calloc(body_parts(body), sizeof *stretching);
    if (!stretching)
        return fail(e, ERROR_MEMORY, "out of memory");
    body->stretching = stretching;
    for (size_t voice = 0; voice < s->voice_count; voice++) {
        const struct instrument *i = instrument_of(s, room, voice);
        if (s->voices[voice].body != index || !i->large_amplitude || s->voices[voice].is_wire)
            continue;
        struct stretching *t = &stretching[body->stretching_count++];
        t->part = s->voices[voice].part;
        if (i->type == INSTRUMENT_MEMBRANE ? stretch_head(t, s, room, score, voice, e)
            : i->type == INSTRUMENT_PLATE  ? voice_plate_stretch(t, s, voice, room, score, e)
                                           : stretch_string(t, s, room, score, voice, rate, e))
            return -1;
    }
    return 0;
}

int touches_make(struct ensemble *s, const struct room *room, const struct score *score, double rate, struct error *e)
{
    if (bows_warn(s, room, score, rate, e))
        return -1;
    for (size_t i = 0; i < s->bodies.count; i++)
        if (make_ports(s, i, room, rate, e) || make_stretching(s, i, room, score, rate, e))
            return -1;
    return 0;
}

void touches_free(struct ensemble *s)
{
    for (size_t i = 0; s->body && i < s->bodies.count; i++) {
        struct body *body = &s->body[i];
        for (size_t k = 0; k < body->stretching_count; k++) {
            free(body->stretching[k].slope);
            plate_stretching_free(body->stretching[k].plate);
        }
        free((void *)body->stretching);
        free((void *)body->ports);
        free(body->places.start);
        free(body->places.column);
        free(body->places.value);
    }
    free(s->touches);
}
