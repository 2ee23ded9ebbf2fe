#include "model/voxel_source.h"

#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "voxels/code_runs.h"

/* Bounds of the voxels of an object, and its code. */
struct covering {
    const struct object *object;
    size_t range[3][2];
    uint8_t code;
};

/* The rows of a plane; those of a plane beyond the box are one run each. */
struct plane {
    struct code_run *runs;
    size_t count, capacity;
    size_t *start; /* [count[1] + 1] */
};

struct painter {
    const struct voxels *v;
    struct covering *coverings; /* of the objects, in their order */
    struct plane planes[3];     /* z % 3 */
    struct code_run *row, *spare;
    size_t row_count, row_capacity;
    struct code_run beyond[FACES];
    struct code_faces faces;
};

static uint8_t code_of(const struct room *room, size_t material)
{
    return boundary_kind_of(&room->materials[material])->fixed ? CELL_FIXED : (uint8_t)(CELL_SOLID + material);
}

uint8_t voxel_source_outside(const struct voxels *v, int wall)
{
    const size_t material = v->room->walls[wall];
    return v->stencil == STENCIL_19_POINT ? code_of(v->room, material) : (uint8_t)(CELL_SOLID + material);
}

static void put_run(struct code_run *runs, size_t *count, size_t end, uint8_t code)
{
    if (end <= (*count ? runs[*count - 1].end : 0))
        return;
    if (*count && runs[*count - 1].code == code)
        runs[*count - 1].end = (uint32_t)end;
    else
        runs[(*count)++] = (struct code_run){(uint32_t)end, code};
}

/* Covers from <= x < to of the row at hand. */
static int paint(struct painter *s, size_t from, size_t to, uint8_t code, struct error *e)
{
    size_t made = 0, start = 0;
    if (from >= to)
        return 0;
    if (s->row_count + 2 > s->row_capacity) {
        const size_t capacity = 2 * s->row_capacity + 8;
        struct code_run *row = realloc(s->row, capacity * sizeof *row), *spare;
        s->row = row ? row : s->row;
        spare = realloc(s->spare, capacity * sizeof *spare);
        s->spare = spare ? spare : s->spare;
        if (!row || !spare)
            return fail(e, ERROR_MEMORY, "out of memory for the map of the room");
        s->row_capacity = capacity;
    }
    for (size_t i = 0; i < s->row_count; start = s->row[i++].end) {
        const struct code_run run = s->row[i];
        if (start < from)
            put_run(s->spare, &made, run.end < from ? run.end : from, run.code);
        if (run.end >= from && start <= from)
            put_run(s->spare, &made, to, code);
        if (run.end > to)
            put_run(s->spare, &made, run.end, run.code);
    }
    struct code_run *painted = s->spare;
    s->spare = s->row;
    s->row = painted;
    s->row_count = made;
    return 0;
}

static int paint_objects(struct painter *s, size_t y, size_t z, struct error *e)
{
    for (size_t i = 0; i < s->v->room->object_count; i++) {
        const struct covering *c = &s->coverings[i];
        size_t x[2] = {c->range[0][0], c->range[0][1]};
        if (z < c->range[2][0] || z >= c->range[2][1] || y < c->range[1][0] || y >= c->range[1][1])
            continue;
        if (c->object->shape != SHAPE_BOX)
            voxels_object_row(s->v, c->object, y, z, x);
        if (paint(s, x[0], x[1], c->code, e))
            return -1;
    }
    return 0;
}

static int paint_closed(struct painter *s, size_t y, size_t z, struct error *e)
{
    const struct voxels *v = s->v;
    const uint64_t first = voxels_index(v, (size_t[3]){0, y, z});
    if (v->closed_count == 0)
        return 0;
    for (size_t i = voxels_closed_from(v, first); i < v->closed_count && v->closed[i].voxel < first + v->count[0];
         i++) {
        const size_t x = (size_t)(v->closed[i].voxel - first);
        if (paint(s, x, x + 1, s->coverings[v->closed[i].object].code, e))
            return -1;
    }
    return 0;
}

/* A fixed wall is a layer of fixed voxels inside the box. */
static int paint_walls(struct painter *s, size_t y, size_t z, struct error *e)
{
    const struct voxels *v = s->v;
    const size_t *n = v->count;
    const bool at_wall[FACES] = {false, false, y == 0, y + 1 == n[1], z == 0, z + 1 == n[2]};
    for (int wall = 0; wall < FACES; wall++) {
        if (!voxels_wall_is_fixed(v, wall))
            continue;
        if (at_wall[wall] && paint(s, 0, n[0], CELL_FIXED, e))
            return -1;
        if (wall / 2 == 0 && paint(s, wall % 2 ? n[0] - 1 : 0, wall % 2 ? n[0] : 1, CELL_FIXED, e))
            return -1;
    }
    return 0;
}

static int keep_row(struct painter *s, struct plane *plane, size_t y, struct error *e)
{
    if (plane->count + s->row_count > plane->capacity) {
        const size_t capacity = 2 * (plane->count + s->row_count) + 64;
        struct code_run *runs = realloc(plane->runs, capacity * sizeof *runs);
        if (!runs)
            return fail(e, ERROR_MEMORY, "out of memory for the map of the room");
        plane->runs = runs;
        plane->capacity = capacity;
    }
    memcpy(plane->runs + plane->count, s->row, s->row_count * sizeof *s->row);
    plane->count += s->row_count;
    plane->start[y + 1] = plane->count;
    return 0;
}

static int make_plane(struct painter *s, size_t z, struct error *e)
{
    struct plane *plane = &s->planes[z % 3];
    plane->count = 0;
    plane->start[0] = 0;
    for (size_t y = 0; y < s->v->count[1]; y++) {
        s->row_count = 0;
        put_run(s->row, &s->row_count, s->v->count[0], CELL_AIR);
        if (paint_objects(s, y, z, e) || paint_closed(s, y, z, e) || paint_walls(s, y, z, e) ||
            keep_row(s, plane, y, e))
            return -1;
    }
    return 0;
}

/* The row at y, z, or what is beyond a side of the box. */
static struct code_row row_at(const struct painter *s, size_t y, size_t z, int side)
{
    if (side / 2 == 0 || y >= s->v->count[1] || z >= s->v->count[2])
        return (struct code_row){&s->beyond[side], 1};
    const struct plane *plane = &s->planes[z % 3];
    return (struct code_row){plane->runs + plane->start[y], plane->start[y + 1] - plane->start[y]};
}

static int append_plane(struct painter *s, size_t z, struct voxel_set_builder *b, struct error *e)
{
    for (size_t y = 0; y < s->v->count[1]; y++) {
        struct code_row beside[FACES];
        for (int side = 0; side < FACES; side++) {
            const size_t to = side % 2 ? 1 : (size_t)-1; /* wraps below 0 */
            beside[side] = row_at(s, side / 2 == 1 ? y + to : y, side / 2 == 2 ? z + to : z, side);
        }
        const struct plane *plane = &s->planes[z % 3];
        const struct code_row row = {plane->runs + plane->start[y], plane->start[y + 1] - plane->start[y]};
        if (code_runs_append(b, &s->faces, &row, beside, e))
            return -1;
    }
    return 0;
}

static int open_painter(struct painter *s, const struct voxels *v, struct error *e)
{
    *s = (struct painter){.v = v, .row_capacity = 8};
    bool good = (s->coverings = calloc(v->room->object_count + 1, sizeof *s->coverings)) != NULL;
    for (int i = 0; i < 3; i++)
        good = (s->planes[i].start = malloc((v->count[1] + 1) * sizeof *s->planes[i].start)) && good;
    s->row = malloc(s->row_capacity * sizeof *s->row);
    s->spare = malloc(s->row_capacity * sizeof *s->spare);
    if (!good || !s->row || !s->spare)
        return fail(e, ERROR_MEMORY, "out of memory for the map of the room");
    for (size_t i = 0; i < v->room->object_count; i++) {
        struct covering *c = &s->coverings[i];
        c->object = &v->room->objects[i];
        c->code = code_of(v->room, c->object->material);
        voxels_object_bounds(v, c->object, c->range);
    }
    for (int wall = 0; wall < FACES; wall++)
        s->beyond[wall] = (struct code_run){(uint32_t)v->count[0], voxel_source_outside(v, wall)};
    return 0;
}

static void close_painter(struct painter *s)
{
    for (int i = 0; i < 3; i++) {
        free(s->planes[i].runs);
        free(s->planes[i].start);
    }
    free(s->coverings);
    free(s->row);
    free(s->spare);
    code_faces_free(&s->faces);
}

static int append_planes(struct painter *s, struct voxel_set_builder *b, struct error *e)
{
    const size_t planes = s->v->count[2];
    if (planes && make_plane(s, 0, e))
        return -1;
    for (size_t z = 0; z < planes; z++)
        if (stop_check(e) || (z + 1 < planes && make_plane(s, z + 1, e)) || append_plane(s, z, b, e))
            return -1;
    return 0;
}

/* Whose rows alone would take minutes. */
static bool is_too_large(const struct voxels *v)
{
    const double rows = (double)v->count[1] * (double)v->count[2];
    return !(rows * (double)v->count[0] <= 3e10 && rows < UINT32_MAX && v->count[0] <= VOXEL_ROW_MAX);
}

int voxel_source_make(struct voxel_set **set, const struct voxels *v, struct error *e)
{
    struct voxel_set_builder *b;
    struct painter s;
    *set = NULL;
    if (is_too_large(v))
        return 0;
    if (voxel_set_open(&b, v->count, e))
        return -1;
    const int status = open_painter(&s, v, e) || append_planes(&s, b, e);
    close_painter(&s);
    if (status) {
        voxel_set_abandon(b);
        return -1;
    }
    *set = voxel_set_close(b);
    return 0;
}
