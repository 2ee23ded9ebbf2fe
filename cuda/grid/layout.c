/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/phase_timer.h"
#include "cuda/grid/layout.h"
#include "cuda/grid/row_walk.h"
#include "geometry/voxels/voxel_set.h"
#include "solver/schemes/leapfrog/corners.h"

/* --- walls of the box --- */

enum { AREAS = FACE_AREA_MAX + 1 };

/* Counts the faces of a row on one side of the set. */
static void count_row(uint64_t *tally, const struct voxel_set *v, size_t y, size_t z, int side)
{
    const struct voxel_row row = voxel_set_row(v, y, z);
    for (size_t i = 0; i < row.face_count[side]; i++) {
        const struct face_run *f = &row.faces[side][i];
        const bool at_side = side == FACE_X_MIN   ? f->start == 0
                             : side == FACE_X_MAX ? f->start + f->length == voxel_set_count(v, 0)
                                                  : true;
        if (at_side)
            tally[f->code * AREAS + f->area] += f->length;
    }
}

static void count_side(uint64_t *tally, const struct voxel_set *v, int side)
{
    size_t from[3] = {0, 0, 0}, to[3] = {1, voxel_set_count(v, 1), voxel_set_count(v, 2)};
    if (side / 2 > 0) { /* along x, all rows */
        from[side / 2] = side % 2 ? to[side / 2] - 1 : 0;
        to[side / 2] = from[side / 2] + 1;
    }
    for (size_t z = from[2]; z < to[2]; z++)
        for (size_t y = from[1]; y < to[1]; y++)
            count_row(tally, v, y, z, side);
}

/* The most frequent face of air voxels on each side of the set; a face without surface if there
 * is none. */
static int box_walls_find(struct corner_face walls[FACES], const struct voxel_set *v, struct error *e)
{
    const size_t size = (size_t)CELL_CODES * AREAS;
    uint64_t *tally = malloc(size * sizeof *tally);
    if (!tally)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (int side = 0; side < FACES; side++) {
        size_t most = (size_t)CELL_SOLID * AREAS;
        memset(tally, 0, size * sizeof *tally);
        count_side(tally, v, side);
        for (size_t i = 0; i < size; i++)
            most = tally[i] > tally[most] ? i : most;
        walls[side] = (struct corner_face){.code = (uint8_t)(most / AREAS), .area = (uint8_t)(most % AREAS)};
    }
    free(tally);
    return 0;
}

/* --- the layout --- */

double layout_weight(const struct rows *rows, const struct problem *p, uint64_t point)
{
    size_t row = (size_t)(point / rows->nx);
    uint32_t x = (uint32_t)(point % rows->nx);
    for (uint64_t w = rows->wall_start[row]; w < rows->wall_start[row + 1]; w++)
        if (rows->wall_x[w] == x)
            return weight_at(rows, p->precision, w);
    return 0.0;
}

/* The smallest box that holds all air. */
static void bound_air(struct layout *l, const struct rows *rows)
{
    for (int axis = 0; axis < 3; axis++) {
        l->from[axis] = l->points[axis];
        l->to[axis] = 0;
    }
    for (size_t row = 0; row < rows->count; row++) {
        if (rows->run_start[row] == rows->run_start[row + 1])
            continue;
        const struct run *first = &rows->runs[rows->run_start[row]], *last = &rows->runs[rows->run_start[row + 1] - 1];
        const size_t low[3] = {first->start, row % rows->ny, row / rows->ny};
        const size_t high[3] = {last->start + last->length, low[1] + 1, low[2] + 1};
        for (int axis = 0; axis < 3; axis++) {
            l->from[axis] = low[axis] < l->from[axis] ? low[axis] : l->from[axis];
            l->to[axis] = high[axis] > l->to[axis] ? high[axis] : l->to[axis];
        }
    }
}

/* Links and wall of a regular point. A wall with branches has no weight, as the kernel of such
 * walls applies all of it. */
static struct point_kind voxel_state(const struct leapfrog_problem *leapfrog, const struct corner_face walls[FACES],
                                     unsigned state)
{
    double admittance = 0.0;
    bool branched = false;
    int links = FACES;
    for (int face = 0; face < FACES; face++)
        if (state >> face & 1u) {
            admittance += (double)walls[face].area / FACE_AREA_UNITS * leapfrog->admittance[walls[face].code];
            branched = branched || (walls[face].area && leapfrog->branch_count[walls[face].code]);
            links--;
        }
    const double a = 0.5 * sqrt(leapfrog->courant_squared) * admittance;
    return (struct point_kind){(uint8_t)links, true, branched ? 0.0 : a / (1.0 + a)};
}

/* The face of the box beyond which a voxel at a corner lies, or FACES. */
static int face_beyond(unsigned state, int voxel)
{
    for (int face = 0; face < FACES; face++)
        if (state >> face & 1u && (voxel >> face / 2 & 1) == face % 2)
            return face;
    return FACES;
}

static struct point_kind corner_state(const struct leapfrog_problem *leapfrog, const struct corner_face walls[FACES],
                                      unsigned state)
{
    struct corner corner = {.pattern = 0};
    unsigned air = 0;
    for (int i = 0; i < CORNER_VOXELS; i++) {
        if (face_beyond(state, i) < FACES)
            continue;
        air |= 1u << i;
        for (int axis = 0; axis < 3; axis++) {
            const int face = face_beyond(state, i ^ 1 << axis);
            if (face < FACES)
                corner.faces[i][axis] = walls[face];
        }
    }
    corner_settle(&corner, air);
    const struct row_wall wall = corner_wall(leapfrog, &corner);
    return (struct point_kind){(uint8_t)corner.pattern, corner.pattern != 0, wall.branched ? 0.0 : wall.weight};
}

/* Faces of the box of air: a wall if the box reaches the edge of the grid, else a fixed layer.
 * Points on a side that an object covers completely are irregular, and their tiles read the map. */
static int describe_states(struct layout *l, const struct problem *p, struct error *e)
{
    const struct leapfrog_problem *leapfrog = leapfrog_of(p);
    struct corner_face walls[FACES];
    if (box_walls_find(walls, leapfrog->voxels, e))
        return -1;
    for (int face = 0; face < FACES; face++) {
        bool at_edge = face % 2 ? l->to[face / 2] == l->points[face / 2] : l->from[face / 2] == 0;
        l->missing |= (unsigned)at_edge << face;
    }
    for (unsigned state = 0; state < STATES; state++) {
        struct point_kind kind = leapfrog->stencil == STENCIL_19_POINT ? corner_state(leapfrog, walls, state)
                                                                       : voxel_state(leapfrog, walls, state);
        if (p->precision == PRECISION_SINGLE)
            kind.weight = (double)(float)kind.weight;
        l->states[state] = kind;
    }
    return 0;
}

enum { SLOTS = 4 * CODES };

/* Slot of the kind in the hash table, or a free slot for it. */
static size_t find_slot(const struct layout *l, const struct point_kind *kind)
{
    uint64_t bits;
    memcpy(&bits, &kind->weight, sizeof bits);
    size_t slot = (size_t)((bits + kind->links) * 0x9e3779b97f4a7c15u >> 46) % SLOTS;
    while (l->code_of[slot] && !same_kind(&l->codes[l->code_of[slot]], kind))
        slot = (slot + 1) % SLOTS;
    return slot;
}

/* The code of a kind, which is added if new; -1 if there are too many kinds. */
static int add_code(struct layout *l, const struct point_kind *kind)
{
    if (!kind->updated)
        return 0;
    size_t slot = find_slot(l, kind);
    if (!l->code_of[slot]) {
        if (l->code_count == CODES)
            return -1;
        l->codes[l->code_count] = *kind;
        l->code_of[slot] = (uint32_t)l->code_count++;
    }
    return (int)l->code_of[slot];
}

static int add_irregular(struct layout *l, uint64_t segment)
{
    if (l->irregular_count && l->irregular[l->irregular_count - 1] == segment)
        return 0;
    if (!(l->irregular_count & (l->irregular_count - 1))) { /* the capacity doubles */
        uint64_t *longer = realloc(l->irregular, (l->irregular_count ? 2 * l->irregular_count : 1) * sizeof *longer);
        if (!longer)
            return -1;
        l->irregular = longer;
    }
    l->irregular[l->irregular_count++] = segment;
    return 0;
}

/* Number of points of an irregular stretch that are air, or next to air along x. */
static size_t count_beside_air(const struct row_walk *walk, const struct stretch *s, bool air_before)
{
    if (s->kind.updated)
        return s->end - s->x;
    const bool air_after = walk->run < walk->run_end && walk->rows->runs[walk->run].start == s->end;
    return s->end - s->x == 1 ? (size_t)(air_before || air_after) : (size_t)air_before + air_after;
}

static int too_many_kinds(struct error *e)
{
    return fail(e, ERROR_ENGINE,
                "the room has more than %d kinds of wall points (combinations of materials at edges and corners); use "
                "fewer materials, or --engine cpu",
                CODES - 1);
}

/* Lists the irregular points of a row and its codes. */
static int scan_row(struct layout *l, const struct rows *rows, const struct problem *p, size_t row, struct error *e)
{
    struct row_walk walk = row_walk_from(l, rows, p, row);
    struct stretch s;
    for (bool air_before = false; row_walk_next(&walk, &s); air_before = s.kind.updated) {
        if (add_code(l, &s.kind) < 0)
            return too_many_kinds(e);
        if (!is_irregular(&s))
            continue;
        l->irregular_points += count_beside_air(&walk, &s, air_before);
        for (size_t i = s.x / SEGMENT; i <= (s.end - 1) / SEGMENT; i++)
            if (add_irregular(l, (uint64_t)row * l->segments + i))
                return fail(e, ERROR_MEMORY, "out of memory");
    }
    return 0;
}

/* Rows are scanned in shares by several threads. */
enum { SHARES_MAX = 64, ROWS_WORTH_A_SHARE = 8192 };

static int open_codes(struct layout *l, struct error *e)
{
    l->code_count = 1;
    l->codes = calloc(CODES, sizeof *l->codes);
    l->code_of = calloc(SLOTS, sizeof *l->code_of);
    return l->codes && l->code_of ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

/* Scans rows first .. end - 1 into *part, whose other members equal those of *l. */
static int scan_share(struct layout *part, const struct layout *l, const struct rows *rows, const struct problem *p,
                      size_t first, size_t end, struct error *e)
{
    *part = *l;
    part->irregular = NULL;
    part->codes = NULL;
    part->code_of = NULL;
    if (open_codes(part, e))
        return -1;
    for (size_t row = first; row < end; row++)
        if (scan_row(part, rows, p, row, e))
            return -1;
    return 0;
}

/* Appends the results of the rows that follow those of *l. */
static int add_share(struct layout *l, const struct layout *part, struct error *e)
{
    for (size_t i = 1; i < part->code_count; i++)
        if (add_code(l, &part->codes[i]) < 0)
            return too_many_kinds(e);
    for (size_t i = 0; i < part->irregular_count; i++)
        if (add_irregular(l, part->irregular[i]))
            return fail(e, ERROR_MEMORY, "out of memory");
    l->irregular_points += part->irregular_points;
    return 0;
}

static int find_irregular(struct layout *l, const struct rows *rows, const struct problem *p, struct error *e)
{
    struct layout parts[SHARES_MAX] = {{.irregular = NULL}};
    struct error errors[SHARES_MAX] = {{.code = ERROR_NONE}};
    bool failed[SHARES_MAX] = {false};
    const size_t worth = rows->count / ROWS_WORTH_A_SHARE + 1;
    const int shares = worth < SHARES_MAX ? (int)worth : SHARES_MAX;
    int status = 0;
#pragma omp parallel for schedule(dynamic, 1) if (shares > 1)
    for (int i = 0; i < shares; i++)
        failed[i] = scan_share(&parts[i], l, rows, p, rows->count * (size_t)i / (size_t)shares,
                               rows->count * (size_t)(i + 1) / (size_t)shares, &errors[i]) != 0;
    for (int i = 0; i < shares; i++) {
        if (failed[i] && !status)
            *e = errors[i];
        status = status || failed[i] || add_share(l, &parts[i], e) ? -1 : 0;
        layout_free(&parts[i]);
    }
    return status;
}

int layout_make(struct layout *l, const struct rows *rows, const struct problem *p, struct error *e)
{
    memset(l, 0, sizeof *l);
    const size_t line = 128 / (precision_bytes(p->precision));
    memcpy(l->points, p->points, sizeof l->points);
    l->pitch = (l->points[0] + line - 1) / line * line;
    l->segments = (l->points[0] + SEGMENT - 1) / SEGMENT;
    if (open_codes(l, e)) {
        layout_free(l);
        return -1;
    }
    bound_air(l, rows);
    if (describe_states(l, p, e)) {
        layout_free(l);
        return -1;
    }
    for (unsigned state = 0; state < STATES;
         state++) { /* codes of regular points, which tiles with irregular points read too */
        if ((state & ~l->missing) || add_code(l, &l->states[state]) >= 0)
            continue;
        return fail(e, ERROR_ENGINE, "too many kinds of wall points");
    }
    phase_begin("finding the irregular points");
    const int status = find_irregular(l, rows, p, e);
    phase_end();
    if (status)
        layout_free(l);
    return status;
}

void layout_free(struct layout *l)
{
    free(l->irregular);
    free(l->codes);
    free(l->code_of);
    memset(l, 0, sizeof *l);
}

/* The code of a kind in the table; *last: kind of the previous call. */
static point_code code_of(const struct layout *l, const struct point_kind *kind, point_code *last)
{
    if (!same_kind(&l->codes[*last], kind))
        *last = (point_code)l->code_of[find_slot(l, kind)];
    return *last;
}

void layout_list_codes(const struct layout *l, const struct rows *rows, const struct problem *p, size_t row0,
                       size_t row1, point_code *of_runs, point_code *of_walls)
{
    const uint64_t first_run = rows->run_start[row0], first_wall = rows->wall_start[row0];
#pragma omp parallel for schedule(static) if (row1 - row0 > ROWS_WORTH_A_SHARE)
    for (size_t row = row0; row < row1; row++) {
        point_code run_code = 0, wall_code = 0;
        uint64_t r = rows->run_start[row];
        for (uint64_t i = r; i < rows->run_start[row + 1]; i++) {
            const struct point_kind kind = {links_of(rows, rows->runs[i]), true, 0.0};
            of_runs[i - first_run] = code_of(l, &kind, &run_code);
        }
        for (uint64_t w = rows->wall_start[row]; w < rows->wall_start[row + 1]; w++) {
            while (rows->wall_x[w] >= rows->runs[r].start + rows->runs[r].length)
                r++;
            const struct point_kind kind = {links_of(rows, rows->runs[r]), true, weight_at(rows, p->precision, w)};
            of_walls[w - first_wall] = code_of(l, &kind, &wall_code);
        }
    }
}
