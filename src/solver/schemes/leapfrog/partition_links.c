/* SPDX-License-Identifier: MIT */
#include "solver/schemes/leapfrog/partition_links.h"

#include <math.h>
#include <stdlib.h>

#include "geometry/voxels/solid_runs.h"

static bool transmits(const struct leapfrog_problem *l, unsigned code)
{
    return code >= CELL_SOLID && l->transmission[code].inertance > 0.0;
}

bool transmission_any(const struct leapfrog_problem *l)
{
    bool any = false;
    for (unsigned code = CELL_SOLID; code < CELL_CODES; code++)
        any = any || transmits(l, code);
    return any;
}

double transmission_least_inertance(const struct leapfrog_problem *l)
{
    return l->stencil == STENCIL_19_POINT ? 4.0 * sqrt(l->courant_squared) : 0.0;
}

/* Inertance of the air between the points of a link: half a spacing on either side of the partition. */
static double inertance_of_air(const struct leapfrog_problem *l)
{
    return l->stencil == STENCIL_19_POINT ? 0.0 : 1.0 / sqrt(l->courant_squared);
}

int transmission_check(const struct leapfrog_problem *l, struct error *e)
{
    const double least = transmission_least_inertance(l);
    for (int code = CELL_SOLID; code < CELL_CODES; code++) {
        const struct transmission *t = &l->transmission[code];
        if (!(isfinite(t->inertance) && t->inertance >= 0.0 && isfinite(t->resistance) && t->resistance >= 0.0))
            return fail(e, ERROR_ENGINE,
                        "transmission of a wall with inertance %g and resistance %g (normalized by the time step): "
                        "both must be finite and non-negative",
                        t->inertance, t->resistance);
        if (t->inertance > 0.0 && !(t->inertance >= least * (1.0 - 1e-9)))
            return fail(
                e, ERROR_ENGINE,
                "transmission of a wall with inertance %g (normalized by the time step): the scheme is unstable "
                "below %g; use a heavier partition or a finer grid",
                t->inertance, least);
    }
    return 0;
}

struct search {
    const struct problem *problem;
    const struct leapfrog_problem *leapfrog;
    struct solid_runs runs;
    struct partition_links *links; /* NULL: only the planes that the runs touch are wanted */
    size_t room;
};

static int append(struct search *s, const struct partition_link *link, struct error *e)
{
    struct partition_links *l = s->links;
    if (l->count == s->room) {
        const size_t room = s->room ? 2 * s->room : 256;
        struct partition_link *longer = realloc(l->list, room * sizeof *longer);
        if (!longer)
            return fail(e, ERROR_MEMORY, "out of memory");
        l->list = longer;
        s->room = room;
    }
    l->list[l->count++] = *link;
    return 0;
}

static uint64_t point_at(const struct problem *p, const size_t at[3])
{
    return ((uint64_t)at[2] * p->points[1] + at[1]) * p->points[0] + at[0];
}

/* Adds the link between the faces of a run. */
static int link_faces(void *context, const struct solid_run *run, struct error *e)
{
    struct search *s = context;
    const struct leapfrog_problem *l = s->leapfrog;
    const unsigned codes[2] = {run->faces[0]->code, run->faces[1]->code};
    const unsigned areas = (unsigned)run->faces[0]->area + (unsigned)run->faces[1]->area;
    const double area = 0.5 * (double)areas / FACE_AREA_UNITS;
    size_t from[3] = {run->lower[0], run->lower[1], run->lower[2]};
    if (!s->links || areas == 0)
        return 0;
    from[run->axis] += l->stencil == STENCIL_19_POINT; /* the upper corners of the voxel */
    struct partition_link link = {.face = {point_at(s->problem, from), point_at(s->problem, run->upper)},
                                  .row = run->lower[1] + s->problem->points[1] * (uint64_t)run->lower[2],
                                  .axis = (uint8_t)run->axis,
                                  .inertance = l->transmission[codes[0]].inertance,
                                  .resistance = l->transmission[codes[0]].resistance,
                                  .coupling = sqrt(l->courant_squared) * area};
    if (codes[1] != codes[0]) {
        link.inertance += l->transmission[codes[1]].inertance;
        link.resistance += l->transmission[codes[1]].resistance;
    }
    link.inertance += inertance_of_air(l);
    link.inertance = fmax(link.inertance, area * (transmission_least_inertance(l) + inertance_of_air(l)));
    return append(s, &link, e);
}

static int search_all(struct search *s, const struct problem *p, struct error *e)
{
    s->problem = p;
    s->leapfrog = leapfrog_of(p);
    s->runs.set = s->leapfrog->voxels;
    for (unsigned code = CELL_SOLID; code < CELL_CODES; code++)
        s->runs.passes[code] = transmits(s->leapfrog, code);
    return s->runs.set && transmission_any(s->leapfrog) ? solid_runs_visit(&s->runs, link_faces, s, e) : 0;
}

int partition_links_make(struct partition_links *links, const struct problem *p, struct error *e)
{
    struct search s = {.links = links};
    *links = (struct partition_links){.face_points = leapfrog_of(p)->stencil == STENCIL_19_POINT ? FACE_POINTS_MAX : 1};
    return search_all(&s, p, e);
}

void partition_links_free(struct partition_links *links)
{
    free(links->list);
    *links = (struct partition_links){.count = 0};
}

int partition_planes(bool *touched, const struct problem *p, struct error *e)
{
    struct search s = {.runs = {.touched = touched, .planes = p->points[2]}};
    return search_all(&s, p, e);
}

int partition_link_points(const struct partition_link *link, const struct problem *p,
                          uint64_t points[2 * FACE_POINTS_MAX])
{
    const uint64_t steps[3] = {1, p->points[0], (uint64_t)p->points[0] * p->points[1]};
    const uint64_t across = steps[link->axis == 0 ? 1 : 0], further = steps[link->axis == 2 ? 1 : 2];
    const int count = leapfrog_of(p)->stencil == STENCIL_19_POINT ? FACE_POINTS_MAX : 1;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < count; i++)
            points[side * count + i] = link->face[side] + (i & 1 ? across : 0) + (i & 2 ? further : 0);
    return count;
}

/* Index of the first link of these rows or later ones. */
static size_t first_of_row(const struct partition_links *links, uint64_t row)
{
    size_t low = 0, high = links->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (links->list[middle].row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct link_range partition_links_of(const struct partition_links *links, const struct problem *p, size_t z0, size_t nz)
{
    const uint64_t ny = p->points[1];
    return (struct link_range){.first = first_of_row(links, z0 ? (z0 - 1) * ny : 0),
                               .own = first_of_row(links, z0 * ny),
                               .end = first_of_row(links, (z0 + nz) * ny)};
}

size_t link_range_count(const struct link_range *range, const struct partition_links *links)
{
    size_t count = range->end - range->own;
    for (size_t i = range->first; i < range->own; i++)
        count += link_range_has(range, links, i);
    return count;
}

static int term_order(const void *a, const void *b)
{
    const struct flow_term *p = a, *q = b;
    if (p->point != q->point)
        return p->point < q->point ? -1 : 1;
    return (p->link > q->link) - (p->link < q->link);
}

int partition_terms_make(struct flow_term **terms, size_t *count, const struct partition_links *links,
                         const struct problem *p, const struct rows *rows, struct error *e)
{
    const size_t n = links->face_points;
    *count = 0;
    *terms = malloc((2 * n * links->count + 1) * sizeof **terms);
    if (!*terms)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t link = 0; link < links->count; link++) {
        uint64_t points[2 * FACE_POINTS_MAX];
        partition_link_points(&links->list[link], p, points);
        for (size_t i = 0; i < 2 * n; i++) {
            const double mass = rows_mass(rows, points[i]);
            const double share = links->list[link].coupling / ((double)n * mass);
            if (mass > 0.0)
                (*terms)[(*count)++] = (struct flow_term){points[i], link, i < n ? -share : share};
        }
    }
    qsort(*terms, *count, sizeof **terms, term_order);
    return 0;
}
