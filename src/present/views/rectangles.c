/* SPDX-License-Identifier: MIT */
#include "present/views/rectangles.h"

#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

/* Faces of one row of a plane, side by side. */
struct strip {
    uint32_t plane, start, end;
    uint32_t since; /* first row of the rectangle that the strip continues */
    uint8_t code;
};

struct strips {
    struct strip *list;
    size_t count, capacity;
};

/* Open rectangles of a side, and the strips of the current row. */
struct side_strips {
    struct strips open, next;
};

struct finder {
    struct rectangles *found;
    struct side_strips sides[FACES];
    bool lost; /* memory is out */
};

/* Room for one more. */
static bool grow(void **list, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity)
        return true;
    const size_t wanted = *capacity ? 2 * *capacity : 64;
    void *larger = wanted > SIZE_MAX / size ? NULL : realloc(*list, wanted * size);
    if (!larger)
        return false;
    *list = larger;
    *capacity = wanted;
    return true;
}

static void emit(struct finder *f, int side, const struct strip *s, uint32_t end)
{
    struct rectangles *r = f->found;
    if (f->lost || !grow((void **)&r->list, &r->capacity, r->count, sizeof *r->list)) {
        f->lost = true;
        return;
    }
    r->list[r->count++] = (struct rectangle){
        .at = s->plane, .from = {s->start, s->since}, .to = {s->end, end}, .side = (uint8_t)side, .code = s->code};
}

/* Appends a strip to the row, or extends the last one. */
static void add(struct finder *f, int side, uint32_t plane, uint32_t start, uint32_t end, uint8_t code)
{
    struct strips *next = &f->sides[side].next;
    struct strip *last = next->count ? &next->list[next->count - 1] : NULL;
    if (last && last->plane == plane && last->end == start && last->code == code) {
        last->end = end;
        return;
    }
    if (f->lost || !grow((void **)&next->list, &next->capacity, next->count, sizeof *next->list)) {
        f->lost = true;
        return;
    }
    next->list[next->count++] = (struct strip){.plane = plane, .start = start, .end = end, .code = code};
}

static int by_place(const void *a, const void *b)
{
    const struct strip *p = a, *q = b;
    if (p->plane != q->plane)
        return p->plane < q->plane ? -1 : 1;
    return (p->start > q->start) - (p->start < q->start);
}

/* Closes the row: a rectangle continues if the new row has the same strip, else it ends. */
static void advance(struct finder *f, int side, uint32_t row)
{
    struct strips *open = &f->sides[side].open, *next = &f->sides[side].next;
    size_t i = 0, k = 0;
    while (i < open->count || k < next->count) {
        const struct strip *old = i < open->count ? &open->list[i] : NULL;
        struct strip *new = k < next->count ? &next->list[k] : NULL;
        const int order = !old ? 1 : !new ? -1 : by_place(old, new);
        const bool same = order == 0 && old->end == new->end && old->code == new->code;
        if (old && order <= 0) {
            if (!same)
                emit(f, side, old, row);
            i++;
        }
        if (new &&order >= 0) {
            new->since = same ? old->since : row;
            k++;
        }
    }
    const struct strips done = *open;
    *open = *next;
    *next = done;
    next->count = 0;
}

/* Strips along y of the sides along x, which appear one face per row. */
static void join_along_y(struct finder *f, int side)
{
    struct strips *next = &f->sides[side].next;
    const size_t count = next->count;
    if (count)
        qsort(next->list, count, sizeof *next->list, by_place);
    next->count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct strip s = next->list[i];
        add(f, side, s.plane, s.start, s.end, s.code);
    }
}

static void read_row(struct finder *f, const struct voxel_set *set, uint32_t y, uint32_t z)
{
    const struct voxel_row row = voxel_set_row(set, y, z);
    const uint32_t place[3] = {0, y, z};
    for (int side = 0; side < FACES; side++)
        for (size_t i = 0; i < row.face_count[side]; i++) {
            const struct face_run *face = &row.faces[side][i];
            const uint32_t x = face->start, end = x + face->length, beyond = side % 2 ? 1 : 0;
            if (side / 2 == 0)
                for (uint32_t at = x; at < end; at++) /* one, or air that ends at each voxel */
                    add(f, side, at + beyond, y, y + 1, face->code);
            else
                add(f, side, place[side / 2] + beyond, x, end, face->code);
        }
}

int rectangles_find(struct rectangles *r, const struct voxel_set *set, struct error *e)
{
    struct finder f = {.found = r};
    const uint32_t rows = (uint32_t)voxel_set_count(set, 1), layers = (uint32_t)voxel_set_count(set, 2);
    bool stopped = false;
    for (uint32_t z = 0; z < layers && !f.lost && !stopped; z++) {
        for (uint32_t y = 0; y < rows; y++) {
            read_row(&f, set, y, z);
            advance(&f, FACE_Z_MIN, y);
            advance(&f, FACE_Z_MAX, y);
        }
        for (int side = FACE_X_MIN; side <= FACE_X_MAX; side++)
            join_along_y(&f, side);
        for (int side = FACE_X_MIN; side <= FACE_Y_MAX; side++)
            advance(&f, side, z);
        for (int side = FACE_Z_MIN; side <= FACE_Z_MAX; side++) /* no rectangle continues in the next layer */
            advance(&f, side, rows);
        stopped = stop_requested();
    }
    for (int side = 0; side < FACES; side++) {
        advance(&f, side, layers);
        free(f.sides[side].open.list);
        free(f.sides[side].next.list);
    }
    if (!f.lost && !stopped)
        return 0;
    rectangles_free(r);
    return f.lost ? fail(e, ERROR_MEMORY, "out of memory") : fail(e, ERROR_STOPPED, "stopped");
}

void rectangles_free(struct rectangles *r)
{
    free(r->list);
    memset(r, 0, sizeof *r);
}

void rectangle_corner(const struct rectangle *r, int corner, uint32_t at[3])
{
    static const int around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const int axis = r->side / 2;
    int axes[2];
    rectangle_axes(r->side, axes);
    /* Around x × y is +z and y × z is +x, but x × z is -y; air is on the upper side of a face at FACE_.._MIN. */
    const bool turned = (axis == 1) != (r->side % 2 == 1);
    const int *step = around[turned ? 3 - corner : corner];
    at[axis] = r->at;
    at[axes[0]] = step[0] ? r->to[0] : r->from[0];
    at[axes[1]] = step[1] ? r->to[1] : r->from[1];
}
