#include "cuda/grid/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/grid/box_walls.h"

static double weight_at(const struct rows *rows, enum precision precision, uint64_t wall)
{
    return precision == PRECISION_DOUBLE ? ((const double *)rows->wall_weight)[wall]
                                         : (double)((const float *)rows->wall_weight)[wall];
}

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

static uint8_t links_of(const struct rows *rows, struct run run)
{
    return (uint8_t)(rows->stencil == STENCIL_19_POINT ? run.links : (unsigned)__builtin_popcount(run.links));
}

/* Links and wall of a regular point. A wall with branches has no weight: the kernel of such walls applies all of it. */
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

/* Of a corner of voxels: the face that a voxel beyond the box lies beyond, or FACES. */
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

/* Faces of the box of air: a wall where the box reaches the edge of the grid, else a fixed layer. Points at a side
 * that an object covers completely are irregular, and their tiles read the map. */
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

static unsigned state_at(const struct layout *l, const size_t at[3])
{
    unsigned state = 0;
    for (int axis = 0; axis < 3; axis++) {
        state |= (unsigned)(at[axis] == l->from[axis]) << (2 * axis);
        state |= (unsigned)(at[axis] + 1 == l->to[axis]) << (2 * axis + 1);
    }
    return state & l->missing;
}

static bool same_kind(const struct point_kind *a, const struct point_kind *b)
{
    return a->updated == b->updated && a->links == b->links && a->weight == b->weight;
}

/* kinds[nx] of a row of the map. */
static void row_kinds(const struct rows *rows, const struct problem *p, size_t row, struct point_kind *kinds)
{
    memset(kinds, 0, rows->nx * sizeof *kinds);
    for (uint64_t r = rows->run_start[row]; r < rows->run_start[row + 1]; r++)
        for (size_t i = 0; i < rows->runs[r].length; i++)
            kinds[rows->runs[r].start + i] = (struct point_kind){links_of(rows, rows->runs[r]), true, 0.0};
    for (uint64_t w = rows->wall_start[row]; w < rows->wall_start[row + 1]; w++)
        kinds[rows->wall_x[w]].weight = weight_at(rows, p->precision, w);
}

static bool inside_box(const struct layout *l, const size_t at[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (at[axis] < l->from[axis] || at[axis] >= l->to[axis])
            return false;
    return true;
}

enum { SLOTS = 4 * CODES };

/* Slot of the kind in the hash table, or the free slot for it. */
static size_t find_slot(const struct layout *l, const struct point_kind *kind)
{
    uint64_t bits;
    memcpy(&bits, &kind->weight, sizeof bits);
    size_t slot = (size_t)((bits + kind->links) * 0x9e3779b97f4a7c15u >> 46) % SLOTS;
    while (l->code_of[slot] && !same_kind(&l->codes[l->code_of[slot]], kind))
        slot = (slot + 1) % SLOTS;
    return slot;
}

/* The code of a kind, added when new; -1 when there are too many. */
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
    if (!(l->irregular_count & (l->irregular_count - 1))) { /* capacity doubles */
        uint64_t *longer = realloc(l->irregular, (l->irregular_count ? 2 * l->irregular_count : 1) * sizeof *longer);
        if (!longer)
            return -1;
        l->irregular = longer;
    }
    l->irregular[l->irregular_count++] = segment;
    return 0;
}

/* Whether all points of a row are regular, from its runs and walls alone. */
static bool row_is_regular(const struct layout *l, const struct rows *rows, const struct problem *p, size_t row)
{
    size_t at[3] = {l->from[0], row % rows->ny, row / rows->ny};
    const uint64_t first = rows->run_start[row], end = rows->run_start[row + 1];
    if (!inside_box(l, at))
        return first == end;
    size_t x = l->from[0];
    uint64_t w = rows->wall_start[row];
    for (uint64_t r = first; r < end; r++) {
        const struct run run = rows->runs[r];
        if (run.start != x)
            return false;
        /* first, second and last point of a run: all points between have one state */
        const size_t probes[3] = {run.start, run.length > 1 ? run.start + 1 : run.start, run.start + run.length - 1};
        for (size_t k = 0; k < 3; k++) {
            at[0] = probes[k];
            if (l->states[state_at(l, at)].links != links_of(rows, run))
                return false;
        }
        x = run.start + run.length;
    }
    if (x != l->to[0])
        return false;
    for (x = l->from[0]; x < l->to[0]; x++) { /* weights: few rows have any, usually two */
        at[0] = x;
        double weight = l->states[state_at(l, at)].weight;
        bool listed = w < rows->wall_start[row + 1] && rows->wall_x[w] == x;
        if (listed != (weight > 0.0) || (listed && weight_at(rows, p->precision, w) != weight))
            return false;
        w += listed;
        if (!listed && x > l->from[0] && x + 2 < l->to[0] &&
            (w == rows->wall_start[row + 1] || rows->wall_x[w] + 1 >= l->to[0]) && weight == 0.0)
            x = l->to[0] - 2; /* no walls in between */
    }
    return w == rows->wall_start[row + 1];
}

static struct point_kind expected_at(const struct layout *l, size_t x, size_t row)
{
    const size_t at[3] = {x, row % l->points[1], row / l->points[1]};
    return inside_box(l, at) ? l->states[state_at(l, at)] : (struct point_kind){0};
}

static struct point_kind *open_kinds(const struct rows *rows, struct error *e)
{
    struct point_kind *kinds = malloc(rows->nx * sizeof *kinds);
    if (!kinds)
        fail(e, ERROR_MEMORY, "out of memory for the voxel map");
    return kinds;
}

static int find_irregular(struct layout *l, const struct rows *rows, const struct problem *p, struct error *e)
{
    struct point_kind *kinds = open_kinds(rows, e);
    if (!kinds)
        return -1;
    for (size_t row = 0; row < rows->count; row++) {
        if (row_is_regular(l, rows, p, row))
            continue;
        row_kinds(rows, p, row, kinds);
        for (size_t x = 0; x < rows->nx; x++) {
            const struct point_kind expected = expected_at(l, x, row);
            const bool irregular = !same_kind(&expected, &kinds[x]);
            l->irregular_points += irregular && (kinds[x].updated || (x > 0 && kinds[x - 1].updated) ||
                                                 (x + 1 < rows->nx && kinds[x + 1].updated));
            if (irregular && add_irregular(l, (uint64_t)row * l->segments + x / SEGMENT)) {
                free(kinds);
                return fail(e, ERROR_MEMORY, "out of memory for the voxel map");
            }
            if (add_code(l, &kinds[x]) < 0) {
                free(kinds);
                return fail(
                    e, ERROR_ENGINE,
                    "the room has more than %d kinds of wall points (corners of different materials): use fewer "
                    "materials, or --engine cpu",
                    CODES - 1);
            }
        }
    }
    free(kinds);
    return 0;
}

int layout_each_irregular(const struct layout *l, const struct rows *rows, const struct problem *p,
                          void (*visit)(void *context, size_t x, size_t row, bool updated), void *context,
                          struct error *e)
{
    struct point_kind *kinds = open_kinds(rows, e);
    if (!kinds)
        return -1;
    for (size_t i = 0; i < l->irregular_count; i++) {
        const size_t row = (size_t)(l->irregular[i] / l->segments),
                     first = (size_t)(l->irregular[i] % l->segments) * SEGMENT;
        if (i == 0 || l->irregular[i - 1] / l->segments != row)
            row_kinds(rows, p, row, kinds);
        for (size_t x = first; x < first + SEGMENT && x < rows->nx; x++) {
            const struct point_kind expected = expected_at(l, x, row);
            if (!same_kind(&expected, &kinds[x]))
                visit(context, x, row, kinds[x].updated);
        }
    }
    free(kinds);
    return 0;
}

int layout_make(struct layout *l, const struct rows *rows, const struct problem *p, struct error *e)
{
    memset(l, 0, sizeof *l);
    const size_t line = 128 / (precision_bytes(p->precision));
    memcpy(l->points, p->points, sizeof l->points);
    l->pitch = (l->points[0] + line - 1) / line * line;
    l->segments = (l->points[0] + SEGMENT - 1) / SEGMENT;
    l->code_count = 1;
    l->codes = calloc(CODES, sizeof *l->codes);
    l->code_of = calloc(SLOTS, sizeof *l->code_of);
    if (!l->codes || !l->code_of) {
        layout_free(l);
        return fail(e, ERROR_MEMORY, "out of memory for the table of wall points");
    }
    bound_air(l, rows);
    if (describe_states(l, p, e)) {
        layout_free(l);
        return -1;
    }
    for (unsigned state = 0; state < STATES;
         state++) { /* codes of regular points: tiles with irregular points read these, too */
        if ((state & ~l->missing) || add_code(l, &l->states[state]) >= 0)
            continue;
        return fail(e, ERROR_ENGINE, "too many kinds of wall points");
    }
    if (find_irregular(l, rows, p, e)) {
        layout_free(l);
        return -1;
    }
    return 0;
}

void layout_free(struct layout *l)
{
    free(l->irregular);
    free(l->codes);
    free(l->code_of);
    memset(l, 0, sizeof *l);
}

static void fill_row(const struct layout *l, const struct rows *rows, const struct problem *p, size_t row,
                     point_code *out)
{
    for (uint64_t r = rows->run_start[row]; r < rows->run_start[row + 1]; r++) {
        const struct run run = rows->runs[r];
        const struct point_kind kind = {links_of(rows, run), true, 0.0};
        const point_code code = (point_code)l->code_of[find_slot(l, &kind)];
        for (size_t i = 0; i < run.length; i++)
            out[run.start + i] = code;
    }
    uint64_t r = rows->run_start[row];
    for (uint64_t w = rows->wall_start[row]; w < rows->wall_start[row + 1]; w++) {
        const uint32_t x = rows->wall_x[w];
        while (x >= rows->runs[r].start + rows->runs[r].length)
            r++;
        const struct point_kind kind = {links_of(rows, rows->runs[r]), true, weight_at(rows, p->precision, w)};
        out[x] = (point_code)l->code_of[find_slot(l, &kind)];
    }
}

void layout_codes(const struct layout *l, const struct rows *rows, const struct problem *p, size_t z, point_code *codes)
{
    memset(codes, 0, l->pitch * rows->ny * sizeof *codes);
    for (size_t y = 0; y < rows->ny; y++)
        fill_row(l, rows, p, z * rows->ny + y, codes + y * l->pitch);
}
