/* SPDX-License-Identifier: MIT */
/* Steps bodies by the equations of solver/schemes/bodies/bodies.h, in double precision. It is
 * the reference for the other engines. */
#include "solver/cpu/bodies.h"

#include <stdlib.h>
#include <string.h>

#include "solver/cpu/body_state.h"

static void free_lines(struct body_state *s)
{
    for (size_t i = 0; s->lines && i < s->body->line_count; i++)
        free(s->lines[i].force);
    free(s->lines);
}

void body_states_free(struct body_states *b)
{
    if (!b)
        return;
    for (size_t i = 0; b->body && i < b->bodies->count; i++) {
        node_runs_free(&b->body[i].surface.runs);
        free(b->body[i].surface.force);
        free(b->body[i].surface.difference);
        free(b->body[i].surface.below);
        free_lines(&b->body[i]);
        line_coupling_free(&b->body[i].line_coupling);
        port_coupling_free(&b->body[i].port_coupling);
        free(b->body[i].at[0]);
        free(b->body[i].levels[0]);
        free(b->body[i].ports);
        free(b->body[i].port_inputs);
        wind_state_free(&b->body[i].wind);
    }
    free(b->body);
    free(b->drives);
    free(b->taps);
    free(b->cut_at);
    free(b->flux);
    free(b);
}

static int make_surface(struct surface_state *s, const struct surface *surface, const struct rows *rows)
{
    const size_t nodes = surface->nx * surface->ny, cells = surface->cells;
    s->force = calloc(3 * nodes, sizeof *s->force);
    s->difference = calloc(7 * cells + 1, sizeof *s->difference);
    s->below = calloc(2 * cells + 1, sizeof *s->below);
    if (!s->force || !s->difference || !s->below || node_runs_make(&s->runs, surface))
        return -1;
    s->right = s->difference + cells;
    s->r = s->right + cells;
    s->scratch = s->r + cells;
    for (size_t i = 0; i < 3; i++)
        s->displacement[i] = s->scratch + (i + 1) * cells;
    s->velocity = s->force + nodes;
    s->lossy = s->velocity + nodes;
    s->above = s->below + cells;
    for (size_t i = 0; i < cells; i++) {
        s->below[i] = rows_at(rows, surface->below[i]);
        s->above[i] = rows_at(rows, surface->above[i]);
    }
    return 0;
}

static int make_lines(struct body_state *s, const struct body *body)
{
    s->lines = calloc(body->line_count + 1, sizeof *s->lines);
    s->at[0] = calloc(2 * body->line_count + 1, sizeof *s->at[0]);
    if (!s->lines || !s->at[0])
        return -1;
    s->at[1] = s->at[0] + body->line_count;
    for (size_t i = 0; i < body->line_count; i++) {
        struct line_state *line = &s->lines[i];
        line->force = calloc(line_points(&body->lines[i]) + 1, sizeof *line->force);
        if (!line->force)
            return -1;
        for (size_t k = 0; k < 3; k++)
            line->q[k] = s->levels[k] + body_offset(body, (body->surface != NULL) + i);
    }
    return 0;
}

static int make_ports(struct body_state *s, const struct body *body)
{
    const size_t inputs = PORT_INPUTS * body->port_count;
    s->ports = calloc(body->port_count + 1, sizeof *s->ports);
    s->port_inputs = calloc(2 * inputs + body->stretching_count + ports_scratch(body), sizeof *s->port_inputs);
    if (!s->ports || !s->port_inputs)
        return -1;
    s->port_outputs = s->port_inputs + inputs;
    s->stretched = s->port_outputs + inputs;
    s->port_scratch = s->stretched + body->stretching_count;
    return 0;
}

static int make_body(struct body_state *s, const struct body *body, double time_step, const struct rows *rows,
                     struct error *e)
{
    const size_t points = body_offset(body, body_parts(body));
    s->body = body;
    s->levels[0] = calloc(3 * points + 1, sizeof *s->levels[0]);
    if (!s->levels[0])
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t k = 0; k < 3; k++)
        s->levels[k] = s->surface.w[k] = s->levels[0] + k * points;
    if ((body->surface && make_surface(&s->surface, body->surface, rows)) || make_lines(s, body) ||
        make_ports(s, body) || (body->wind && wind_state_make(&s->wind, body->wind, rows)))
        return fail(e, ERROR_MEMORY, "out of memory");
    return line_coupling_make(&s->line_coupling, body, time_step, e) ||
                   port_coupling_make(&s->port_coupling, body, &s->line_coupling, time_step, e)
               ? -1
               : 0;
}

/* The point of a body that a channel entry refers to. */
static struct body_entry entry_of(const struct body_states *b, size_t channel, const struct channel_entry *entry,
                                  bool tap)
{
    size_t array = BODY_ARRAYS;
    for (size_t i = 0; i < b->bodies->count; i++) {
        struct body_state *s = &b->body[i];
        const size_t parts = body_parts(s->body), part = entry->array - array;
        struct body_entry found = {.channel = channel, .point = entry->point, .weight = entry->weight};
        if (part < parts) {
            const bool of_surface = s->body->surface && part == 0;
            struct line_state *line = of_surface ? NULL : &s->lines[part - (s->body->surface != NULL)];
            found.force = (line ? line->force : s->surface.force) + entry->point;
            found.levels = line ? line->q : s->surface.w;
            return found;
        }
        if (part < body_arrays(s->body)) {
            double *const of_wind = tap ? s->wind.outputs : s->wind.inputs;
            found.force = (s->body->wind ? of_wind : tap ? s->port_outputs : s->port_inputs) + entry->point;
            return found;
        }
        array += body_arrays(s->body);
    }
    return (struct body_entry){0}; /* ruled out by the check of cartesian7_scheme */
}

static struct body_entry *make_entries(const struct body_states *b, size_t *count, const struct channel *channels,
                                       size_t n, bool tap)
{
    size_t total = 0;
    for (size_t k = 0; k < n; k++)
        total += channels[k].count;
    struct body_entry *entries = calloc(total + 1, sizeof *entries);
    *count = 0;
    for (size_t k = 0; entries && k < n; k++)
        for (size_t i = 0; i < channels[k].count; i++)
            if (channels[k].entries[i].array >= BODY_ARRAYS)
                entries[(*count)++] = entry_of(b, k, &channels[k].entries[i], tap);
    return entries;
}

int body_states_make(struct body_states **out, const struct problem *p, const struct rows *rows, struct error *e)
{
    const struct bodies *bodies = leapfrog_of(p)->bodies;
    *out = NULL;
    if (!bodies)
        return 0;
    struct body_states *b = calloc(1, sizeof *b);
    if (!b)
        return fail(e, ERROR_MEMORY, "out of memory");
    b->problem = p;
    b->bodies = bodies;
    b->body = calloc(bodies->count + 1, sizeof *b->body);
    b->cut_at = calloc(bodies->cut_count + 1, sizeof *b->cut_at);
    b->flux = calloc(bodies->cut_count + 1, sizeof *b->flux);
    if (!b->body || !b->cut_at || !b->flux) {
        fail(e, ERROR_MEMORY, "out of memory");
        goto fail;
    }
    for (size_t i = 0; i < bodies->count; i++)
        if (make_body(&b->body[i], &bodies->body[i], bodies->time_step, rows, e))
            goto fail;
    for (size_t i = 0; i < bodies->cut_count; i++)
        b->cut_at[i] = rows_at(rows, bodies->cuts[i].point);
    const ptrdiff_t row = (ptrdiff_t)rows->stride, plane = row * (ptrdiff_t)rows->ny;
    memcpy(b->step_of, (ptrdiff_t[6]){-1, 1, -row, row, -plane, plane}, sizeof b->step_of);
    b->drives = make_entries(b, &b->drive_count, p->drives, p->drive_count, false);
    b->taps = make_entries(b, &b->tap_count, p->taps, p->tap_count, true);
    if (!b->drives || !b->taps) {
        fail(e, ERROR_MEMORY, "out of memory");
        goto fail;
    }
    *out = b;
    return 0;
fail:
    body_states_free(b);
    return -1;
}

static double across_cuts(const struct body_states *b, const void *grid, size_t cut)
{
    const size_t at = b->cut_at[cut];
    const double here = field_at(b, grid, at);
    double sum = 0.0;
    for (int face = 0; face < 6; face++)
        if (b->bodies->cuts[cut].faces >> face & 1)
            sum += field_at(b, grid, (size_t)((ptrdiff_t)at + b->step_of[face])) - here;
    return sum;
}

void bodies_before(struct body_states *b, const void *now, const void *before)
{
    const double viscosity = leapfrog_of(b->problem)->viscosity, squared = leapfrog_of(b->problem)->courant_squared;
    for (size_t i = 0; i < b->bodies->cut_count; i++) {
        b->flux[i] = (squared + viscosity) * across_cuts(b, now, i);
        if (viscosity > 0.0)
            b->flux[i] -= viscosity * across_cuts(b, before, i);
    }
    for (size_t i = 0; i < b->bodies->count; i++) {
        struct surface_state *s = &b->body[i].surface;
        const struct surface *surface = b->body[i].body->surface;
        for (size_t c = 0; surface && c < surface->cells; c++)
            s->difference[c] = field_at(b, before, s->below[c]) - field_at(b, before, s->above[c]);
        if (b->body[i].body->wind)
            wind_before(b, &b->body[i], before);
    }
}

static void clear_forces(struct body_states *b)
{
    for (size_t i = 0; i < b->drive_count; i++)
        *b->drives[i].force = 0.0;
}

/* May run in any thread, as no two bodies share a cell of air. */
static void step_body(const struct body_states *b, struct body_state *s, void *next)
{
    if (s->body->wind) {
        wind_couple(b, s, next);
    } else if (s->body->surface) {
        surface_step(b, s, next);
        lines_couple(b, s);
        ports_couple(b, s);
        surface_move_air(b, s, next);
    } else {
        for (size_t i = 0; i < s->body->line_count; i++)
            line_step_alone(b, &s->body->lines[i], &s->lines[i]);
        ports_couple(b, s);
    }
    if (!b->bodies->unaudited)
        body_add_energy(b, s);
}

void bodies_begin(struct body_states *b, void *next, const double *drive, size_t stride)
{
    for (size_t i = 0; drive && i < b->drive_count; i++)
        *b->drives[i].force += b->drives[i].weight * drive[b->drives[i].channel * stride];
    for (size_t i = 0; i < b->bodies->cut_count; i++)
        field_add(b, next, b->cut_at[i], -b->flux[i]);
}

void bodies_step(struct body_states *b, void *next, size_t thread, size_t team)
{
    for (size_t i = thread; i < b->bodies->count; i += team)
        step_body(b, &b->body[i], next);
}

void bodies_end(struct body_states *b)
{
    clear_forces(b);
    b->level = (b->level + 1) % 3;
}

void bodies_read_taps(const struct body_states *b, double *taps, size_t stride)
{
    const unsigned newest = (b->level + 2) % 3;
    for (size_t i = 0; i < b->tap_count;) {
        const size_t channel = b->taps[i].channel;
        double sum = taps[channel * stride];
        for (; i < b->tap_count && b->taps[i].channel == channel; i++) {
            const struct body_entry *t = &b->taps[i];
            sum += t->weight * (t->levels ? t->levels[newest][t->point] : *t->force);
        }
        taps[channel * stride] = sum;
    }
}
