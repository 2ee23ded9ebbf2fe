/* SPDX-License-Identifier: MIT */
/* The rows of a room for the 7-point stencil, whose points are the centres of voxels. */
#include <math.h>

#include "base/stop.h"
#include "solver/schemes/leapfrog/row_sink.h"

struct scan {
    const struct problem *problem;
    double courant;
    struct row_sink *sink;
    struct voxel_row row;
    size_t face[FACES]; /* of the row: for each side, the first face that ends beyond x */
    unsigned beyond;    /* bit f: the edge of the grid lies beyond face f of the row, except along x */
};

/* The faces of a group of equal voxels; NULL: none. */
struct voxel_faces {
    const struct face_run *side[FACES];
};

/* Links of a point, and the effect of its missing faces. */
static unsigned point_links(const struct scan *s, const struct voxel_faces *faces, struct row_wall *wall)
{
    const struct leapfrog_problem *l = leapfrog_of(s->problem);
    unsigned links = 0;
    double admittance = 0.0;
    *wall = (struct row_wall){.key.mass = MASS_UNITS};
    for (int side = 0; side < FACES; side++) {
        const struct face_run *f = faces->side[side];
        if (!f || f->code == CELL_FIXED) {
            links |= 1u << side;
        } else {
            admittance += (double)f->area / FACE_AREA_UNITS * l->admittance[f->code];
            wall_key_add(&wall->key, l, f->code, f->area * (AREA_UNITS / FACE_AREA_UNITS));
        }
    }
    const double a = 0.5 * s->courant * admittance;
    wall->weight = a / (1.0 + a);
    wall->branched = wall_key_branched(&wall->key, l);
    return links;
}

/* The face on a side along y or z of the voxel at x; x must not decrease from call to call.
 * Lowers *end to the end of the voxels with the same face. */
static const struct face_run *side_face(struct scan *s, int side, size_t x, size_t *end)
{
    const struct face_run *faces = s->row.faces[side];
    const size_t count = s->row.face_count[side];
    size_t *at = &s->face[side];
    while (*at < count && faces[*at].start + faces[*at].length <= x)
        (*at)++;
    if (*at == count)
        return NULL;
    const struct face_run *f = &faces[*at];
    const size_t start = f->start, edge = start <= x ? start + f->length : start;
    *end = edge < *end ? edge : *end;
    return start <= x ? f : NULL;
}

/* The face at an end of a run of air: each run has one at either end, in order. */
static const struct face_run *end_face(const struct scan *s, int side, size_t run)
{
    return run < s->row.face_count[side] ? &s->row.faces[side][run] : NULL;
}

/* The faces of the voxel at x in a run of air; *end: end of the voxels with the same faces. */
static struct voxel_faces look_around(struct scan *s, size_t run, size_t x, size_t *end)
{
    const struct air_run *air = &s->row.air[run];
    struct voxel_faces faces = {.side = {NULL}};
    if (x == air->start) {
        faces.side[FACE_X_MIN] = end_face(s, FACE_X_MIN, run);
        *end = x + 1;
    } else {
        *end = x + 1 < air->end ? air->end - 1 : air->end;
    }
    if (x + 1 == air->end)
        faces.side[FACE_X_MAX] = end_face(s, FACE_X_MAX, run);
    for (int side = FACE_Y_MIN; side < FACES; side++)
        faces.side[side] = side_face(s, side, x, end);
    return faces;
}

static int scan_air(struct scan *s, size_t run, struct error *e)
{
    const struct air_run *air = &s->row.air[run];
    size_t start = air->start;
    unsigned open = 0; /* links of the points from `start` */
    for (size_t x = air->start, end; x < air->end; x = end) {
        struct row_wall wall;
        const struct voxel_faces faces = look_around(s, run, x, &end);
        const unsigned links = point_links(s, &faces, &wall);
        const unsigned beyond =
            s->beyond | (unsigned)(x == 0) << FACE_X_MIN | (unsigned)(end == s->problem->points[0]) << FACE_X_MAX;
        if (links & beyond)
            return fail(e, ERROR_ENGINE,
                        "a face with p = 0 lies at the edge of the grid at x = %zu; the 7-point scheme needs a voxel "
                        "that is not air behind it",
                        x);
        if (x > air->start && links != open) {
            if (row_sink_run(s->sink, start, x - start, open, e))
                return -1;
            start = x;
        }
        open = links;
        if (wall.branched || wall.weight > 0.0)
            for (; x < end; x++)
                if (row_sink_wall(s->sink, x, &wall, e))
                    return -1;
    }
    return row_sink_run(s->sink, start, air->end - start, open, e);
}

static int scan_row(struct scan *s, size_t y, size_t z, struct error *e)
{
    const size_t *n = s->problem->points;
    s->row = voxel_set_row(leapfrog_of(s->problem)->voxels, y, z);
    s->beyond = (unsigned)(y == 0) << FACE_Y_MIN | (unsigned)(y + 1 == n[1]) << FACE_Y_MAX |
                (unsigned)(z == 0) << FACE_Z_MIN | (unsigned)(z + 1 == n[2]) << FACE_Z_MAX;
    for (int side = 0; side < FACES; side++)
        s->face[side] = 0;
    for (size_t run = 0; run < s->row.air_count; run++)
        if (scan_air(s, run, e))
            return -1;
    return 0;
}

int voxel_rows_scan(const struct problem *p, struct row_sink *sink, struct error *e)
{
    struct scan s = {.problem = p, .courant = sqrt(leapfrog_of(p)->courant_squared), .sink = sink};
    for (size_t z = sink->z0; z < sink->z1; z++) {
        if (stop_requested()) /* a large map takes seconds */
            return fail(e, ERROR_STOPPED, "stopped while scanning the voxel map");
        for (size_t y = 0; y < p->points[1]; y++)
            if (row_sink_row(sink, y + p->points[1] * (z - sink->z0), e) || scan_row(&s, y, z, e))
                return -1;
        if (row_sink_plane_end(sink, e))
            return -1;
    }
    return 0;
}
