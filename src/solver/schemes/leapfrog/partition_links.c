/* SPDX-License-Identifier: MIT */
#include "solver/schemes/leapfrog/partition_links.h"

#include <math.h>
#include <stdlib.h>

#include "base/stop.h"

/* A run of solid voxels longer than this many times the shortest across it is no link. */
enum { LONGEST = 3 };

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
    const struct voxel_set *voxels;
    struct partition_links *links;
    size_t room;
    bool *touched; /* planes, to be set in place of links; NULL: links are wanted */
};

/* A voxel, and its neighbours along an axis. */
struct place {
    size_t at[3];
};

static bool is_air(const struct search *s, const struct place *v)
{
    return voxel_set_is_air(s->voxels, v->at[0], v->at[1], v->at[2]);
}

static bool is_inside(const struct search *s, const struct place *v)
{
    for (int axis = 0; axis < 3; axis++)
        if (v->at[axis] >= voxel_set_count(s->voxels, axis)) /* also after wrapping below 0 */
            return false;
    return true;
}

/* Solid voxels from v on in one direction, v not included, up to `most` + 1; more than `most` also if they end at the
 * edge of the grid. */
static size_t solid_beyond(const struct search *s, struct place v, int axis, size_t direction, size_t most)
{
    for (size_t count = 0; count <= most; count++) {
        v.at[axis] += direction;
        if (!is_inside(s, &v))
            return most + 1;
        if (is_air(s, &v))
            return count;
    }
    return most + 1;
}

/* Whether the run of solid voxels through v along an axis has air at both ends and at most `most` voxels; *from: its
 * first. */
static bool is_short(const struct search *s, const struct place *v, int axis, size_t most, size_t *from)
{
    if (!most)
        return false;
    const size_t below = solid_beyond(s, *v, axis, (size_t)-1, most - 1);
    if (below + 1 > most)
        return false;
    *from = v->at[axis] - below;
    return below + 1 + solid_beyond(s, *v, axis, 1, most - 1 - below) <= most;
}

static void touch(const struct search *s, size_t z0, size_t z1)
{
    for (size_t z = z0; z <= z1 && z < s->problem->points[2]; z++)
        s->touched[z] = true;
}

/* Whether a run of `length` solid voxels from v on lies along the partition and not across it. */
static bool lies_along(const struct search *s, const struct place *v, int axis, size_t length)
{
    const size_t most = (length - 1) / LONGEST; /* LONGEST times as many is less than the length */
    size_t from = 0;
    for (int other = 0; other < 2; other++)
        if (other != axis && is_short(s, v, other, most, &from))
            return true;
    if (axis == 2 || !is_short(s, v, 2, most, &from))
        return false;
    if (s->touched)
        touch(s, from - 1, from + most + 1);
    return true;
}

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

/* Adds the link from the voxel of air `lower` to `upper` along an axis, with the faces towards the solid voxels in
 * between. */
static int link_faces(struct search *s, const struct place *lower, const struct place *upper, int axis,
                      const struct face_run *faces[2], struct error *e)
{
    const struct leapfrog_problem *l = s->leapfrog;
    const unsigned codes[2] = {faces[0]->code, faces[1]->code};
    const unsigned areas = (unsigned)faces[0]->area + (unsigned)faces[1]->area;
    const double area = 0.5 * (double)areas / FACE_AREA_UNITS;
    struct place from = *lower;
    struct place first = *lower;
    first.at[axis]++;
    if (!transmits(l, codes[0]) || !transmits(l, codes[1]) || areas == 0 ||
        lies_along(s, &first, axis, upper->at[axis] - lower->at[axis] - 1))
        return 0;
    if (s->touched) {
        if (axis == 2)
            touch(s, lower->at[2], upper->at[2]);
        return 0;
    }
    from.at[axis] += l->stencil == STENCIL_19_POINT; /* the upper corners of the voxel */
    struct partition_link link = {.face = {point_at(s->problem, from.at), point_at(s->problem, upper->at)},
                                  .row = lower->at[1] + s->problem->points[1] * (uint64_t)lower->at[2],
                                  .axis = (uint8_t)axis,
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

/* The runs of solid voxels between the runs of air of a row. */
static int search_along_x(struct search *s, const struct voxel_row *row, size_t y, size_t z, struct error *e)
{
    for (size_t i = 0; i + 1 < row->air_count; i++) {
        const struct place lower = {{row->air[i].end - 1, y, z}}, upper = {{row->air[i + 1].start, y, z}};
        const struct face_run *faces[2] = {&row->faces[FACE_X_MAX][i], &row->faces[FACE_X_MIN][i + 1]};
        if (link_faces(s, &lower, &upper, 0, faces, e))
            return -1;
    }
    return 0;
}

/* From the upper faces of a row along another axis. */
static int search_across(struct search *s, const struct voxel_row *row, int axis, size_t y, size_t z, struct error *e)
{
    const int side = 2 * axis + 1;
    for (size_t i = 0; i < row->face_count[side]; i++) {
        const struct face_run *face = &row->faces[side][i];
        for (size_t x = face->start; x < face->start + face->length && transmits(s->leapfrog, face->code); x++) {
            const struct place lower = {{x, y, z}};
            struct place upper = lower;
            const size_t most = voxel_set_count(s->voxels, axis);
            const size_t solid = solid_beyond(s, lower, axis, 1, most);
            if (solid > most)
                continue;
            upper.at[axis] += solid + 1;
            const struct face_run *faces[2] = {
                face, voxel_set_face(s->voxels, upper.at[0], upper.at[1], upper.at[2], side - 1)};
            if (link_faces(s, &lower, &upper, axis, faces, e))
                return -1;
        }
    }
    return 0;
}

static int search_all(struct search *s, struct error *e)
{
    if (!s->voxels || !transmission_any(s->leapfrog))
        return 0;
    for (size_t z = 0; z < voxel_set_count(s->voxels, 2); z++) {
        if (stop_check(e))
            return -1;
        for (size_t y = 0; y < voxel_set_count(s->voxels, 1); y++) {
            const struct voxel_row row = voxel_set_row(s->voxels, y, z);
            if (search_along_x(s, &row, y, z, e) || search_across(s, &row, 1, y, z, e) ||
                search_across(s, &row, 2, y, z, e))
                return -1;
        }
    }
    return 0;
}

static struct search search_of(const struct problem *p)
{
    return (struct search){.problem = p, .leapfrog = leapfrog_of(p), .voxels = leapfrog_of(p)->voxels};
}

int partition_links_make(struct partition_links *links, const struct problem *p, struct error *e)
{
    struct search s = search_of(p);
    *links = (struct partition_links){.face_points = leapfrog_of(p)->stencil == STENCIL_19_POINT ? FACE_POINTS_MAX : 1};
    s.links = links;
    return search_all(&s, e);
}

void partition_links_free(struct partition_links *links)
{
    free(links->list);
    *links = (struct partition_links){.count = 0};
}

int partition_planes(bool *touched, const struct problem *p, struct error *e)
{
    struct search s = search_of(p);
    s.touched = touched;
    return search_all(&s, e);
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
