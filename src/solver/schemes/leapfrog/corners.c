/* SPDX-License-Identifier: MIT */
#include "solver/schemes/leapfrog/corners.h"

#include "base/stop.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "solver/schemes/leapfrog/row_sink.h"

void corner_settle(struct corner *c, unsigned air)
{
    c->pattern = air;
    if (air == PATTERN_ALL)
        return;
    for (int i = 0; i < CORNER_VOXELS; i++)
        for (int axis = 0; axis < 3; axis++)
            if (c->faces[i][axis].code == CELL_FIXED)
                c->pattern = 0;
}

struct corner corner_at(const struct voxel_set *v, const size_t at[3])
{
    struct corner c = {.pattern = 0};
    unsigned air = 0;
    for (unsigned i = 0; i < CORNER_VOXELS; i++) {
        /* wraps below 0, where there is no air */
        const size_t x = at[0] + (i & 1u) - 1, y = at[1] + (i >> 1 & 1u) - 1, z = at[2] + (i >> 2) - 1;
        if (!voxel_set_is_air(v, x, y, z))
            continue;
        air |= 1u << i;
        for (int axis = 0; axis < 3; axis++) {
            const struct face_run *face = voxel_set_face(v, x, y, z, 2 * axis + !(i >> axis & 1u));
            if (face)
                c.faces[i][axis] = (struct corner_face){face->code, face->area, face->before};
        }
    }
    corner_settle(&c, air);
    return c;
}

/* Of a corner of a face. */
static unsigned voxels_before(const struct corner_face *f, unsigned corner)
{
    return f->before >> FACE_BEFORE_BITS * corner & ((1u << FACE_BEFORE_BITS) - 1);
}

/* How far the corners of a face differ, in 1/WHOLE: all the way for walls of little admittance, theory (38b). */
enum { WHOLE = 256 };
static unsigned contrast_of(const struct leapfrog_problem *l, unsigned code)
{
    static const double frequency = 0.15, half = 0.2; /* of the rate; |Y| that halves it */
    double y[2];
    cartesian7_admittance(l->branches[code], l->branch_count[code], l->admittance[code], frequency, y);
    return (unsigned)(WHOLE / (1.0 + (y[0] * y[0] + y[1] * y[1]) / (half * half)) + 0.5);
}

/* Area at the point of a face of voxel i, in AREA_UNITS: theory (38a) and (38b). */
static unsigned area_at(const struct leapfrog_problem *l, const struct corner_face *f, int i, int axis)
{
    const unsigned quarter = f->area * (AREA_UNITS / FACE_CORNERS / FACE_AREA_UNITS);
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const unsigned here = (i >> u & 1 ? 0u : 1u) + (i >> v & 1 ? 0u : 2u); /* at the upper end of the voxels below it */
    unsigned sum = 0;
    for (unsigned corner = 0; corner < FACE_CORNERS; corner++)
        sum += voxels_before(f, corner);
    if (!sum)
        return quarter;
    const unsigned contrast = contrast_of(l, f->code);
    const unsigned part = (WHOLE - contrast) * sum + contrast * FACE_CORNERS * voxels_before(f, here);
    const unsigned whole = quarter * part, unit = WHOLE * sum, down = whole / unit, twice = 2 * (whole % unit);
    return down + (twice > unit || (twice == unit && down % 2)); /* half of a unit is rounded to even */
}

struct row_wall corner_wall(const struct leapfrog_problem *l, const struct corner *c)
{
    struct row_wall wall = {.key.mass = (uint8_t)__builtin_popcount(c->pattern)};
    if (c->pattern == 0 || c->pattern == PATTERN_ALL)
        return wall;
    for (int i = 0; i < CORNER_VOXELS; i++)
        for (int axis = 0; axis < 3; axis++)
            if (c->faces[i][axis].code >= CELL_SOLID)
                wall_key_add(&wall.key, l, c->faces[i][axis].code, area_at(l, &c->faces[i][axis], i, axis));
    wall.branched = wall_key_branched(&wall.key, l);
    wall.weight = wall_key_weight(&wall.key, l);
    return wall;
}

/* The rows of a room stepped by the 19-point stencil: points are the corners of voxels. */

enum { ROWS = 4 /* of voxels around a row of points, by dy + 2 dz */ };

/* A row of voxels, scanned by ascending x. */
struct row_cursor {
    struct voxel_row row;
    int side[2];    /* along y and z: the side on which its faces meet the points */
    size_t face[2]; /* the first face of each side that ends beyond x */
    size_t run;     /* the first run of air that ends beyond x */
};

/* The voxels and faces of a column along x in one row. */
struct column {
    bool air;
    struct corner_face side[2]; /* along y and z */
};

/* A run of points with the same links that is still growing. */
struct open_run {
    size_t start;
    unsigned links; /* 0: none is open */
};

static struct corner_face face_of(const struct face_run *f)
{
    return (struct corner_face){f->code, f->area, f->before};
}

/* The column at x; x must not decrease from call to call. Returns the end of the equal columns;
 * SIZE_MAX: all remaining ones. */
static size_t look_at_column(struct row_cursor *c, size_t x, struct column *now)
{
    *now = (struct column){.air = false};
    while (c->run < c->row.air_count && c->row.air[c->run].end <= x)
        c->run++;
    if (c->run == c->row.air_count)
        return SIZE_MAX;
    const struct air_run *air = &c->row.air[c->run];
    if (air->start > x)
        return air->start;
    size_t end = air->end;
    now->air = true;
    for (int i = 0; i < 2; i++) {
        const struct face_run *faces = c->row.faces[c->side[i]];
        const size_t count = c->row.face_count[c->side[i]];
        while (c->face[i] < count && faces[c->face[i]].start + faces[c->face[i]].length <= x)
            c->face[i]++;
        if (c->face[i] == count)
            continue;
        const struct face_run *f = &faces[c->face[i]];
        const size_t start = f->start, edge = start <= x ? start + f->length : start;
        if (start <= x)
            now->side[i] = face_of(f);
        end = edge < end ? edge : end;
    }
    return end;
}

/* The face at an end of a run of air: each run has one at either end, in order. */
static struct corner_face end_face(const struct voxel_row *row, int side, size_t run)
{
    return run < row->face_count[side] ? face_of(&row->faces[side][run]) : (struct corner_face){.code = CELL_AIR};
}

/* The corner between two columns. */
static struct corner corner_between(const struct row_cursor c[ROWS], const struct column before[ROWS],
                                    const struct column after[ROWS])
{
    struct corner corner = {.pattern = 0};
    unsigned air = 0;
    for (int row = 0; row < ROWS; row++) {
        const struct column *columns[2] = {&before[row], &after[row]};
        for (int dx = 0; dx < 2; dx++) {
            const int i = 2 * row + dx;
            if (!columns[dx]->air)
                continue;
            air |= 1u << i;
            corner.faces[i][1] = columns[dx]->side[0];
            corner.faces[i][2] = columns[dx]->side[1];
        }
        if (before[row].air && !after[row].air)
            corner.faces[2 * row][0] = end_face(&c[row].row, FACE_X_MAX, c[row].run - 1);
        if (after[row].air && !before[row].air)
            corner.faces[2 * row + 1][0] = end_face(&c[row].row, FACE_X_MIN, c[row].run);
    }
    corner_settle(&corner, air);
    return corner;
}

/* Appends the points x .. x + count - 1, all of this kind. */
static int take_points(const struct leapfrog_problem *l, struct row_sink *sink, struct open_run *open, size_t x,
                       size_t count, const struct corner *corner, struct error *e)
{
    if (corner->pattern != open->links) {
        if (open->links && row_sink_run(sink, open->start, x - open->start, open->links, e))
            return -1;
        *open = (struct open_run){x, corner->pattern};
    }
    const struct row_wall wall = corner_wall(l, corner);
    if (wall.branched || wall.weight > 0.0)
        for (size_t i = 0; i < count; i++)
            if (row_sink_wall(sink, x + i, &wall, e))
                return -1;
    return 0;
}

static int scan_row(const struct problem *p, struct row_cursor c[ROWS], struct row_sink *sink, struct error *e)
{
    const size_t voxels = p->points[0] - 1;
    struct column before[ROWS] = {{.air = false}}, now[ROWS];
    struct open_run open = {0, 0};
    for (size_t x = 0, end; x <= voxels; x = end) {
        end = x < voxels ? voxels : x + 1;
        for (int row = 0; row < ROWS; row++) {
            const size_t alike = look_at_column(&c[row], x, &now[row]);
            end = alike < end ? alike : end;
        }
        struct corner corner = corner_between(c, before, now);
        if (take_points(leapfrog_of(p), sink, &open, x, 1, &corner, e))
            return -1;
        if (end > x + 1) {
            corner = corner_between(c, now, now);
            if (take_points(leapfrog_of(p), sink, &open, x + 1, end - x - 1, &corner, e))
                return -1;
        }
        for (int row = 0; row < ROWS; row++)
            before[row] = now[row];
    }
    return open.links ? row_sink_run(sink, open.start, p->points[0] - open.start, open.links, e) : 0;
}

/* Positions the cursors around a row of points. Returns whether there is air. */
static bool place_cursors(const struct voxel_set *v, size_t y, size_t z, struct row_cursor c[ROWS])
{
    bool air = false;
    for (int row = 0; row < ROWS; row++) {
        const size_t dy = row & 1, dz = (size_t)row >> 1;
        c[row] = (struct row_cursor){.row = voxel_set_row(v, y + dy - 1, z + dz - 1), /* wraps below 0: no air */
                                     .side = {dy ? FACE_Y_MIN : FACE_Y_MAX, dz ? FACE_Z_MIN : FACE_Z_MAX}};
        air = air || c[row].row.air_count > 0;
    }
    return air;
}

int corner_rows_scan(const struct problem *p, struct row_sink *sink, struct error *e)
{
    const struct voxel_set *v = leapfrog_of(p)->voxels;
    for (size_t z = sink->z0; z < sink->z1; z++) {
        if (stop_requested()) /* a large map takes seconds */
            return fail(e, ERROR_STOPPED, "stopped while scanning the voxel map");
        for (size_t y = 0; y < p->points[1]; y++) {
            struct row_cursor c[ROWS];
            if (row_sink_row(sink, y + p->points[1] * (z - sink->z0), e) ||
                (place_cursors(v, y, z, c) && scan_row(p, c, sink, e)))
                return -1;
        }
        if (row_sink_plane_end(sink, e))
            return -1;
    }
    return 0;
}
