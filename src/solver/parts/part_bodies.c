/* SPDX-License-Identifier: MIT */
#include "solver/parts/part_bodies.h"

#include <stdlib.h>
#include <string.h>

#include "solver/schemes/bodies/ports.h"
#include "solver/schemes/bodies/stretching.h"
#include "solver/schemes/bodies/wind.h"

struct part_bodies {
    struct bodies bodies;
    uint16_t *array_of; /* [BODY_ARRAYS + arrays of the whole problem]: index of the part's array; 0: not present */
    void **owned;       /* memory that `bodies` points to and the part owns */
    size_t owned_count, owned_room;
};

static int no_memory(struct error *e)
{
    return fail(e, ERROR_MEMORY, "out of memory");
}

void part_bodies_free(struct part_bodies *p)
{
    for (size_t i = 0; p && i < p->owned_count; i++)
        free(p->owned[i]);
    if (p) {
        free(p->owned);
        free(p->array_of);
    }
    free(p);
}

const struct bodies *part_bodies_of(const struct part_bodies *p)
{
    return p && (p->bodies.count || p->bodies.cut_count) ? &p->bodies : NULL;
}

uint16_t part_bodies_array(const struct part_bodies *p, uint16_t array)
{
    return p->array_of[array];
}

/* Zeroed memory that is freed with the bodies; NULL when out of memory. */
static void *own(struct part_bodies *p, size_t count, size_t size)
{
    if (p->owned_count == p->owned_room) {
        const size_t room = 2 * p->owned_room + 16;
        void **more = realloc(p->owned, room * sizeof *more);
        if (!more)
            return NULL;
        p->owned = more;
        p->owned_room = room;
    }
    void *made = calloc(count + 1, size);
    if (made)
        p->owned[p->owned_count++] = made;
    return made;
}

/* The planes of a body's air, *first .. *end - 1; empty for a body that touches no air. */
static void planes_of(const struct body *body, uint64_t plane_points, size_t *first, size_t *end)
{
    *first = SIZE_MAX;
    *end = 0;
    for (size_t i = 0; body->surface && i < 2 * body->surface->cells; i++) {
        const uint64_t *points = i % 2 ? body->surface->above : body->surface->below;
        const size_t z = (size_t)(points[i / 2] / plane_points);
        *first = z < *first ? z : *first;
        *end = z + 1 > *end ? z + 1 : *end;
    }
    for (size_t i = 0; body->wind && i < wind_points(body->wind); i++) {
        const size_t z = (size_t)(body->wind->points[i] / plane_points);
        *first = z < *first ? z : *first;
        *end = z + 1 > *end ? z + 1 : *end;
    }
}

void part_bodies_planes(bool *touched, const struct bodies *whole, uint64_t plane_points)
{
    for (size_t i = 0; i < whole->count; i++) {
        size_t first, end;
        planes_of(&whole->body[i], plane_points, &first, &end);
        for (size_t z = first; z < end; z++)
            touched[z] = true;
    }
    for (size_t i = 0; i < whole->cut_count; i++)
        touched[whole->cuts[i].point / plane_points] = true;
}

bool part_has_body(const struct slab *slab, const struct body *body, uint64_t plane_points)
{
    size_t first, end;
    planes_of(body, plane_points, &first, &end);
    return end ? first >= slab->first && first < slab->end : slab->first == 0;
}

/* Copies a surface, with its points shifted by `shift`. */
static int take_surface(struct part_bodies *p, struct body *body, uint64_t shift)
{
    const struct surface *whole = body->surface;
    struct surface *taken = own(p, 1, sizeof *taken);
    uint64_t *points = own(p, 2 * whole->cells, sizeof *points);
    if (!taken || !points)
        return -1;
    *taken = *whole;
    taken->below = points;
    taken->above = points + whole->cells;
    for (size_t i = 0; i < whole->cells; i++) {
        taken->below[i] = whole->below[i] - shift;
        taken->above[i] = whole->above[i] - shift;
    }
    body->surface = taken;
    return 0;
}

/* The same of a wind instrument. */
static int take_wind(struct part_bodies *p, struct body *body, uint64_t shift)
{
    const size_t count = wind_points(body->wind);
    struct wind *taken = own(p, 1, sizeof *taken);
    uint64_t *points = own(p, count, sizeof *points);
    if (!taken || !points)
        return -1;
    *taken = *body->wind;
    taken->points = points;
    for (size_t i = 0; i < count; i++)
        points[i] = body->wind->points[i] - shift;
    body->wind = taken;
    return 0;
}

static int take_bodies(struct part_bodies *p, const struct bodies *whole, const struct slab *slab,
                       uint64_t plane_points)
{
    const uint64_t shift = slab_from(slab) * plane_points;
    struct body *bodies = own(p, whole->count, sizeof *bodies);
    if (!bodies)
        return -1;
    size_t array = BODY_ARRAYS, taken = BODY_ARRAYS;
    for (size_t i = 0; i < whole->count; i++) {
        const struct body *body = &whole->body[i];
        const size_t arrays = body_arrays(body);
        const bool has = part_has_body(slab, body, plane_points);
        for (size_t k = 0; k < arrays; k++, array++)
            p->array_of[array] = (uint16_t)(has ? taken++ : 0);
        if (!has)
            continue;
        struct body *own_body = &bodies[p->bodies.count++];
        *own_body = *body;
        if ((body->surface && take_surface(p, own_body, shift)) || (body->wind && take_wind(p, own_body, shift)))
            return -1;
    }
    p->bodies.body = bodies;
    p->bodies.array_count = taken - BODY_ARRAYS;
    return 0;
}

static int take_cuts(struct part_bodies *p, const struct bodies *whole, const struct slab *slab, uint64_t plane_points)
{
    const uint64_t shift = slab_from(slab) * plane_points;
    struct cut *cuts = own(p, whole->cut_count, sizeof *cuts);
    if (!cuts)
        return -1;
    for (size_t i = 0; i < whole->cut_count; i++) {
        const size_t z = (size_t)(whole->cuts[i].point / plane_points);
        if (z >= slab->first && z < slab->end) {
            cuts[p->bodies.cut_count] = whole->cuts[i];
            cuts[p->bodies.cut_count++].point -= shift;
        }
    }
    p->bodies.cuts = cuts;
    return 0;
}

int part_bodies_make(struct part_bodies **out, const struct bodies *whole, const struct slab *slab,
                     uint64_t plane_points, struct error *e)
{
    struct part_bodies *p = *out = calloc(1, sizeof *p);
    if (!p)
        return no_memory(e);
    p->bodies.time_step = whole->time_step;
    p->bodies.joules_to_field = whole->joules_to_field;
    p->array_of = calloc(BODY_ARRAYS + whole->array_count + 1, sizeof *p->array_of);
    if (p->array_of && !take_bodies(p, whole, slab, plane_points) && !take_cuts(p, whole, slab, plane_points))
        return 0;
    part_bodies_free(p);
    *out = NULL;
    return no_memory(e);
}

static void pack_sparse(const struct sparse *m, size_t rows, struct packet *w)
{
    const size_t entries = m->start ? m->start[rows] : 0;
    packet_put_size(w, m->start ? rows + 1 : 0);
    packet_put(w, m->start, (m->start ? rows + 1 : 0) * sizeof *m->start);
    packet_put_size(w, entries);
    packet_put(w, m->column, entries * sizeof *m->column);
    packet_put(w, m->value, entries * sizeof *m->value);
}

/* The next `count` values of a packet, in memory owned by the bodies. */
static void *unpack_array(struct part_bodies *p, size_t count, size_t size, struct packet *w)
{
    void *values = w->failed || count > (w->count - w->at) / size ? NULL : own(p, count, size);
    if (values)
        packet_get(w, values, count * size);
    else
        w->failed = true;
    return values;
}

static void unpack_sparse(struct part_bodies *p, struct sparse *m, struct packet *w)
{
    const size_t starts = packet_get_size(w);
    uint32_t *start = unpack_array(p, starts, sizeof *m->start, w);
    const size_t entries = packet_get_size(w);
    *m = (struct sparse){.column = unpack_array(p, entries, sizeof *m->column, w),
                         .value = unpack_array(p, entries, sizeof *m->value, w)};
    m->start = starts ? start : NULL;
}

static void pack_surface(const struct surface *s, struct packet *w)
{
    const size_t nodes = s->nx * s->ny;
    packet_put(w, s, sizeof *s);
    packet_put(w, s->kind, nodes * sizeof *s->kind);
    packet_put(w, s->stencils, s->stencil_count * sizeof *s->stencils);
    packet_put(w, s->below, s->cells * sizeof *s->below);
    packet_put(w, s->above, s->cells * sizeof *s->above);
    packet_put(w, s->diagonal, s->cells * sizeof *s->diagonal);
    pack_sparse(&s->map, s->cells, w);
    pack_sparse(&s->spread, nodes, w);
    pack_sparse(&s->coupling, s->cells, w);
}

static struct surface *unpack_surface(struct part_bodies *p, struct packet *w)
{
    struct surface *s = unpack_array(p, 1, sizeof *s, w);
    if (!s)
        return NULL;
    s->kind = unpack_array(p, s->nx * s->ny, sizeof *s->kind, w);
    s->stencils = unpack_array(p, s->stencil_count, sizeof *s->stencils, w);
    s->lightness = NULL;
    s->below = unpack_array(p, s->cells, sizeof *s->below, w);
    s->above = unpack_array(p, s->cells, sizeof *s->above, w);
    s->diagonal = unpack_array(p, s->cells, sizeof *s->diagonal, w);
    unpack_sparse(p, &s->map, w);
    unpack_sparse(p, &s->spread, w);
    unpack_sparse(p, &s->coupling, w);
    return s;
}

static void pack_line(const struct line_body *line, struct packet *w)
{
    const size_t bytes = line->modes * sizeof *line->now;
    packet_put(w, line, sizeof *line);
    packet_put(w, line->now, bytes);
    packet_put(w, line->before, bytes);
    packet_put(w, line->gain, bytes);
    packet_put(w, line->connection.shape, line->connection.shape ? bytes : 0);
}

static void unpack_line(struct part_bodies *p, struct line_body *line, struct packet *w)
{
    packet_get(w, line, sizeof *line);
    const bool shaped = line->connection.shape != NULL; /* an address of the sender; only NULL or not is valid */
    line->now = unpack_array(p, line->modes, sizeof *line->now, w);
    line->before = unpack_array(p, line->modes, sizeof *line->before, w);
    line->gain = unpack_array(p, line->modes, sizeof *line->gain, w);
    line->connection.shape = shaped ? unpack_array(p, line->modes, sizeof *line->connection.shape, w) : NULL;
}

static void pack_plate(const struct plate_stretching *s, struct packet *w)
{
    packet_put(w, s, sizeof *s);
    packet_put(w, s->lightness, s->nx * s->ny * sizeof *s->lightness);
    for (int i = 0; i < 4; i++)
        packet_put(w, s->image[i], s->quarter * sizeof *s->image[i]);
    packet_put(w, s->share, s->quarter * sizeof *s->share);
    for (int i = 0; i < PLATE_PARITIES; i++) {
        packet_put(w, s->by_node[i], s->quarter * s->functions[i] * sizeof(float));
        packet_put(w, s->by_function[i], s->quarter * s->functions[i] * sizeof(float));
    }
}

static struct plate_stretching *unpack_plate(struct part_bodies *p, struct packet *w)
{
    struct plate_stretching *s = unpack_array(p, 1, sizeof *s, w);
    if (!s)
        return NULL;
    s->lightness = unpack_array(p, s->nx * s->ny, sizeof *s->lightness, w);
    for (int i = 0; i < 4; i++)
        s->image[i] = unpack_array(p, s->quarter, sizeof *s->image[i], w);
    s->share = unpack_array(p, s->quarter, sizeof *s->share, w);
    for (int i = 0; i < PLATE_PARITIES; i++) {
        s->by_node[i] = unpack_array(p, s->quarter * s->functions[i], sizeof(float), w);
        s->by_function[i] = unpack_array(p, s->quarter * s->functions[i], sizeof(float), w);
    }
    return s;
}

static void pack_ports(const struct body *body, struct packet *w)
{
    packet_put_size(w, body->port_count);
    packet_put(w, body->ports, body->port_count * sizeof *body->ports);
    packet_put_size(w, body->place_count);
    pack_sparse(&body->places, body->place_count, w);
    packet_put_size(w, body->stretching_count);
    for (size_t i = 0; i < body->stretching_count; i++) {
        const struct stretching *t = &body->stretching[i];
        const size_t modes = t->slope ? body->lines[t->part - (body->surface != NULL)].modes : 0;
        packet_put(w, t, sizeof *t);
        packet_put_size(w, modes);
        packet_put(w, t->slope, modes * sizeof *t->slope);
        packet_put_size(w, t->plate != NULL);
        if (t->plate)
            pack_plate(t->plate, w);
    }
}

static void unpack_ports(struct part_bodies *p, struct body *body, struct packet *w)
{
    body->port_count = packet_get_size(w);
    body->ports = unpack_array(p, body->port_count, sizeof *body->ports, w);
    body->place_count = packet_get_size(w);
    unpack_sparse(p, &body->places, w);
    body->stretching_count = packet_get_size(w);
    struct stretching *t = body->stretching_count > w->count ? NULL : own(p, body->stretching_count, sizeof *t);
    w->failed = w->failed || !t;
    for (size_t i = 0; i < body->stretching_count && !w->failed; i++) {
        packet_get(w, &t[i], sizeof t[i]);
        const size_t modes = packet_get_size(w);
        double *slope = unpack_array(p, modes, sizeof *slope, w);
        t[i].slope = modes ? slope : NULL;
        t[i].plate = packet_get_size(w) ? unpack_plate(p, w) : NULL;
    }
    body->stretching = t;
}

static void pack_wind(const struct wind *wind, struct packet *w)
{
    packet_put_size(w, wind != NULL);
    if (!wind)
        return;
    packet_put(w, wind, sizeof *wind);
    packet_put(w, wind->bore.volume, bore_values(&wind->bore) * sizeof *wind->bore.volume);
    packet_put(w, wind->openings, wind->opening_count * sizeof *wind->openings);
    packet_put(w, wind->points, wind_points(wind) * sizeof *wind->points);
    packet_put(w, wind->mutual, wind->opening_count * wind->opening_count * sizeof *wind->mutual);
}

static struct wind *unpack_wind(struct part_bodies *p, struct packet *w)
{
    struct wind *wind = packet_get_size(w) ? unpack_array(p, 1, sizeof *wind, w) : NULL;
    if (!wind)
        return NULL;
    double *values = unpack_array(p, bore_values(&wind->bore), sizeof *values, w);
    wind->openings = unpack_array(p, wind->opening_count, sizeof *wind->openings, w);
    wind->points = wind->openings ? unpack_array(p, wind_points(wind), sizeof *wind->points, w) : NULL;
    wind->mutual =
        wind->openings ? unpack_array(p, wind->opening_count * wind->opening_count, sizeof *wind->mutual, w) : NULL;
    if (values)
        bore_place(&wind->bore, values);
    return wind;
}

void part_bodies_pack(const struct bodies *b, struct packet *w)
{
    packet_put(w, b, sizeof *b);
    packet_put(w, b->cuts, b->cut_count * sizeof *b->cuts);
    for (size_t i = 0; i < b->count; i++) {
        const struct body *body = &b->body[i];
        packet_put_size(w, body->surface != NULL);
        packet_put_size(w, body->line_count);
        if (body->surface)
            pack_surface(body->surface, w);
        for (size_t k = 0; k < body->line_count; k++)
            pack_line(&body->lines[k], w);
        pack_ports(body, w);
        pack_wind(body->wind, w);
    }
}

static void unpack_body(struct part_bodies *p, struct body *body, struct packet *w)
{
    const bool surface = packet_get_size(w) != 0;
    body->line_count = packet_get_size(w);
    body->surface = surface ? unpack_surface(p, w) : NULL;
    struct line_body *lines = body->line_count > w->count ? NULL : own(p, body->line_count, sizeof *lines);
    w->failed = w->failed || !lines;
    for (size_t k = 0; k < body->line_count && !w->failed; k++)
        unpack_line(p, &lines[k], w);
    body->lines = lines;
    unpack_ports(p, body, w);
    body->wind = unpack_wind(p, w);
}

int part_bodies_unpack(struct part_bodies **out, struct packet *w, struct error *e)
{
    struct part_bodies *p = *out = calloc(1, sizeof *p);
    if (!p)
        return no_memory(e);
    packet_get(w, &p->bodies, sizeof p->bodies);
    p->bodies.cuts = unpack_array(p, p->bodies.cut_count, sizeof *p->bodies.cuts, w);
    struct body *bodies = w->failed || p->bodies.count > w->count ? NULL : own(p, p->bodies.count, sizeof *bodies);
    w->failed = w->failed || !bodies;
    for (size_t i = 0; !w->failed && i < p->bodies.count; i++)
        unpack_body(p, &bodies[i], w);
    p->bodies.body = bodies;
    if (!w->failed)
        return 0;
    part_bodies_free(p);
    *out = NULL;
    return fail(e, ERROR_ENGINE, "a part received an incomplete description of its instruments");
}
