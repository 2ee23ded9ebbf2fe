/* SPDX-License-Identifier: MIT */
/* The energy balance of bodies: stored, lost, supplied. */
#include <string.h>

#include "solver/cpu/body_state.h"

/* Energy lost and supplied by a mode in a step, J. before = (1 - s)/(1 + s) with s = σ̃k, gain =
 * k²/(m (1 + s)). */
static void add_mode_energy(const struct body_states *b, struct body_state *body, const struct line_body *line,
                            const struct line_state *s)
{
    const double *next = body_level(b, s->q, 0), *old = body_level(b, s->q, 2);
    for (size_t m = 0; m < line->modes; m++) {
        const double d = 0.5 * (next[m] - old[m]), loss = (1.0 - line->before[m]) / (1.0 + line->before[m]);
        const double mass = 0.5 * (1.0 + line->before[m]) / line->gain[m]; /* mass over k² */
        body->lost += 2.0 * loss * mass * d * d;
        body->given += s->force[m] * d;
    }
    if (line->connection.kind == CONNECTION_BRIDGE)
        body->given += 0.5 * s->force[line->modes] * (next[line->modes] - old[line->modes]);
}

/* Energy lost in the dashpot of a connection, from the rate of its elongation. */
static void add_spring_energy(const struct body_states *b, struct body_state *body, size_t line)
{
    const struct line_body *l = &body->body->lines[line];
    const struct connection *c = &l->connection;
    const struct line_state *s = &body->lines[line];
    if (c->kind == CONNECTION_END || !(c->resistance > 0.0))
        return;
    double elongation[2];
    for (unsigned i = 0; i < 2; i++) {
        const unsigned age = 2 * i;
        const double end = c->kind == CONNECTION_BRIDGE ? body_level(b, s->q, age)[l->modes]
                                                        : connection_reach(l, body_level(b, s->q, age));
        elongation[i] = end - connection_at(c, body_level(b, body->surface.w, age));
    }
    const double d = 0.5 * (elongation[0] - elongation[1]);
    body->lost += c->resistance * d * d / b->bodies->time_step;
}

static void add_surface_energy(const struct body_states *b, struct body_state *body)
{
    const struct surface *s = body->body->surface;
    const struct surface_state *state = &body->surface;
    const double *next = body_level(b, state->w, 0), *old = body_level(b, state->w, 2);
    double *d = state->velocity, *lossy = state->lossy, lost = 0.0, given = 0.0;
    for (size_t i = 0; i < s->nx * s->ny; i++)
        d[i] = 0.5 * (next[i] - old[i]);
    surface_lossy(s, state, d, lossy);
    for (size_t r = 0; r < state->runs.count; r++)
        for (size_t i = state->runs.run[r].start; i < (size_t)state->runs.run[r].start + state->runs.run[r].length;
             i++) {
            lost += d[i] * (2.0 * (s->denominator - 1.0) * d[i] + lossy[i]);
            given += state->force[i] * d[i];
        }
    body->lost += lost / s->force_gain;
    body->given += given;
}

void body_add_energy(const struct body_states *b, struct body_state *body)
{
    if (body->body->surface)
        add_surface_energy(b, body);
    for (size_t i = 0; i < body->body->line_count; i++) {
        if (body->body->surface)
            add_spring_energy(b, body, i);
        add_mode_energy(b, body, &body->body->lines[i], &body->lines[i]);
    }
}

/* ½ λ² Δp⁺ Δp over cut links, which the field's sum treats as open. Each link is listed from
 * both ends. */
static double cut_links(const struct body_states *b, const void *now, const void *before)
{
    double sum = 0.0;
    for (size_t i = 0; i < b->bodies->cut_count; i++)
        for (int face = 0; face < 6; face++)
            if (b->bodies->cuts[i].faces >> face & 1) {
                const size_t at = b->cut_at[i], other = (size_t)((ptrdiff_t)at + b->step_of[face]);
                sum += 0.25 * (field_at(b, now, at) - field_at(b, now, other)) *
                       (field_at(b, before, at) - field_at(b, before, other));
            }
    return leapfrog_of(b->problem)->courant_squared * sum;
}

void bodies_audit(const struct body_states *b, const void *now, const void *before, struct audit *a)
{
    double stored = 0.0, lost = 0.0, given = 0.0;
    for (size_t i = 0; i < b->bodies->count; i++) {
        const struct body_state *s = &b->body[i];
        lost += s->lost;
        given += s->given;
        const double *const w[2] = {body_level(b, s->surface.w, 1), body_level(b, s->surface.w, 2)};
        if (s->body->surface)
            stored += surface_energy(s->body->surface, w);
        for (size_t k = 0; k < s->body->line_count; k++) {
            const double *const q[2] = {body_level(b, s->lines[k].q, 1), body_level(b, s->lines[k].q, 2)};
            stored += modes_energy(&s->body->lines[k], q);
            if (s->body->surface)
                stored += connection_energy(&s->body->lines[k], q, w, b->bodies->time_step);
        }
        if (s->body->wind) {
            stored += wind_energy(s->body->wind, s->wind.values);
            lost += wind_lost(s->wind.values);
            given += wind_given(s->wind.values);
        }
        stored += ports_energy(s->body, s->ports, s->stretched, b->bodies->time_step);
    }
    a->stored += b->bodies->joules_to_field * stored - cut_links(b, now, before);
    a->absorbed += b->bodies->joules_to_field * lost;
    a->supplied += b->bodies->joules_to_field * given;
}

/* The state of bodies between two steps, all double. Each body in turn stores the energy lost
 * and supplied; for its surface, the displacement of nodes [ny nx] and of cells at n and n - 1;
 * for each line, its modes and bridge at the same levels; the state of its ports; ψ of what
 * stretches; the state of a wind instrument. */

/* Copies both levels of an array of `count` values if `saved` is set. Returns their size in
 * bytes. */
static size_t copy_levels(const struct body_states *b, double *const levels[3], size_t count, char *saved, bool out)
{
    const size_t bytes = count * sizeof(double);
    for (unsigned age = 1; age <= 2 && saved && bytes; age++, saved += bytes) {
        char *level = (char *)body_level(b, levels, age);
        memcpy(out ? saved : level, out ? level : saved, bytes);
    }
    return 2 * bytes;
}

static size_t copy_values(void *values, size_t bytes, char *saved, bool out)
{
    if (saved && bytes)
        memcpy(out ? saved : (char *)values, out ? (char *)values : saved, bytes);
    return bytes;
}

static size_t copy_body(const struct body_states *b, struct body_state *s, char *saved, bool out)
{
    size_t at = copy_values(&s->lost, sizeof s->lost, saved, out);
    at += copy_values(&s->given, sizeof s->given, saved ? saved + at : NULL, out);
    const struct surface *surface = s->body->surface;
    if (surface) {
        at += copy_levels(b, s->surface.w, surface->nx * surface->ny, saved ? saved + at : NULL, out);
        at += copy_levels(b, s->surface.displacement, surface->cells, saved ? saved + at : NULL, out);
    }
    for (size_t i = 0; i < s->body->line_count; i++)
        at += copy_levels(b, s->lines[i].q, line_points(&s->body->lines[i]), saved ? saved + at : NULL, out);
    at += copy_values(s->ports, s->body->port_count * sizeof *s->ports, saved ? saved + at : NULL, out);
    at += copy_values(s->stretched, s->body->stretching_count * sizeof(double), saved ? saved + at : NULL, out);
    if (s->body->wind)
        at += copy_values(s->wind.values, wind_state_bytes(s->body->wind), saved ? saved + at : NULL, out);
    return at;
}

size_t body_states_bytes(const struct body_states *b)
{
    size_t bytes = 0;
    for (size_t i = 0; i < b->bodies->count; i++)
        bytes += copy_body(b, &b->body[i], NULL, true);
    return bytes;
}

void body_states_copy(struct body_states *b, char *saved, bool out)
{
    for (size_t i = 0; i < b->bodies->count; i++)
        saved += copy_body(b, &b->body[i], saved, out);
}
