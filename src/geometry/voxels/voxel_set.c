/* SPDX-License-Identifier: MIT */
#include "geometry/voxels/voxel_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"

_Static_assert(sizeof(struct air_run) == 8 && sizeof(struct face_run) == 8, "a run takes 8 bytes");

/* A row's runs: those from its own start up to the start of the next pattern. Rows alike share a pattern. */
struct pattern {
    uint64_t air, faces;
};

struct list {
    void *items;
    size_t count, capacity; /* items */
};

struct voxel_set {
    size_t count[3], rows; /* rows: count[1] count[2] */
    uint64_t air;          /* voxels */
    uint32_t *of_row;      /* [rows]: the pattern of a row */
    struct list patterns;  /* struct pattern; one more than there are, which ends the last */
    struct list air_runs;  /* struct air_run */
    struct list faces;     /* struct face_run: those of a pattern by side, then by x */
};

struct voxel_set_builder {
    struct voxel_set set;
    size_t next; /* row */
};

size_t voxel_set_count(const struct voxel_set *v, int axis)
{
    return v->count[axis];
}

uint64_t voxel_set_air(const struct voxel_set *v)
{
    return v->air;
}

uint64_t voxel_set_bytes(const struct voxel_set *v)
{
    return sizeof *v + v->rows * sizeof *v->of_row + v->patterns.capacity * sizeof(struct pattern) +
           v->air_runs.capacity * sizeof(struct air_run) + v->faces.capacity * sizeof(struct face_run);
}

/* The first of faces [0, count), by side, that belongs to `side` or a later one. */
static size_t first_of_side(const struct face_run *faces, size_t count, int side)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((int)faces[middle].side < side)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct voxel_row voxel_set_row(const struct voxel_set *v, size_t y, size_t z)
{
    struct voxel_row row = {.air_count = 0};
    if (y >= v->count[1] || z >= v->count[2])
        return row;
    const struct pattern *p = (const struct pattern *)v->patterns.items + v->of_row[y + v->count[1] * z];
    if (p[0].air == p[1].air)
        return row;
    row.air = (const struct air_run *)v->air_runs.items + p[0].air;
    row.air_count = p[1].air - p[0].air;
    const struct face_run *faces = v->faces.items;
    size_t left = p[1].faces - p[0].faces;
    if (left == 0)
        return row;
    faces += p[0].faces;
    for (int side = 0; side < FACES; side++) {
        const size_t of_side = side + 1 < FACES ? first_of_side(faces, left, side + 1) : left;
        row.faces[side] = faces;
        row.face_count[side] = of_side;
        faces += of_side;
        left -= of_side;
    }
    return row;
}

uint64_t voxel_set_plane_air(const struct voxel_set *v, size_t z)
{
    uint64_t air = 0;
    for (size_t y = 0; y < v->count[1]; y++) {
        const struct voxel_row row = voxel_set_row(v, y, z);
        for (size_t i = 0; i < row.air_count; i++)
            air += row.air[i].end - row.air[i].start;
    }
    return air;
}

void voxel_set_plane_faces(uint64_t *faces, const struct voxel_set *v, size_t z)
{
    for (size_t y = 0; y < v->count[1]; y++) {
        const struct voxel_row row = voxel_set_row(v, y, z);
        for (int side = 0; side < FACES; side++)
            for (size_t i = 0; i < row.face_count[side]; i++)
                faces[row.faces[side][i].code] += row.faces[side][i].length;
    }
}

bool voxel_set_is_air(const struct voxel_set *v, size_t x, size_t y, size_t z)
{
    const struct voxel_row row = voxel_set_row(v, y, z);
    size_t low = 0, high = row.air_count; /* the first run that ends beyond x */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (row.air[middle].end <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low < row.air_count && row.air[low].start <= x;
}

const struct face_run *voxel_set_face(const struct voxel_set *v, size_t x, size_t y, size_t z, int side)
{
    const struct voxel_row row = voxel_set_row(v, y, z);
    const struct face_run *faces = row.faces[side];
    size_t low = 0, high = row.face_count[side];
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (faces[middle].start + faces[middle].length <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low < row.face_count[side] && faces[low].start <= x ? &faces[low] : NULL;
}

void voxel_set_write_cells(const struct voxel_set *v, uint8_t *cells)
{
    memset(cells, CELL_SOLID, v->rows * v->count[0]);
    for (size_t row = 0; row < v->rows; row++) {
        const struct voxel_row at = voxel_set_row(v, row % v->count[1], row / v->count[1]);
        for (size_t i = 0; i < at.air_count; i++)
            memset(cells + row * v->count[0] + at.air[i].start, CELL_AIR, at.air[i].end - at.air[i].start);
    }
}

uint64_t voxel_set_checksum(const struct voxel_set *v, size_t first)
{
    uint64_t total = 0;
    for (size_t row = 0; row < v->rows; row++) {
        const struct voxel_row at = voxel_set_row(v, row % v->count[1], row / v->count[1]);
        const uint64_t index = first * v->count[1] + row;
        uint64_t sum = checksum_bytes(CHECKSUM_START, &index, sizeof index);
        sum = checksum_bytes(sum, at.air, at.air_count * sizeof *at.air);
        for (int side = 0; side < FACES; side++)
            sum = checksum_bytes(sum, at.faces[side], at.face_count[side] * sizeof *at.faces[side]);
        total += sum;
    }
    return total;
}

static int no_memory(struct error *e)
{
    return fail(e, ERROR_MEMORY, "out of memory");
}

/* Room for `more` items of `size` bytes behind those of the list. */
static bool reserve(struct list *l, size_t more, size_t size)
{
    if (l->capacity - l->count >= more)
        return true;
    size_t capacity = l->capacity + l->capacity / 2 + 64;
    if (capacity - l->count < more)
        capacity = l->count + more;
    void *items = realloc(l->items, capacity * size);
    if (!items)
        return false;
    l->items = items;
    l->capacity = capacity;
    return true;
}

static void shrink(struct list *l, size_t size)
{
    void *items = l->count > 0 ? realloc(l->items, l->count * size) : NULL;
    if (items) {
        l->items = items;
        l->capacity = l->count;
    }
}

static void drop(struct voxel_set *v)
{
    free(v->of_row);
    free(v->patterns.items);
    free(v->air_runs.items);
    free(v->faces.items);
}

int voxel_set_open(struct voxel_set_builder **b, const size_t count[3], struct error *e)
{
    struct voxel_set_builder *made = calloc(1, sizeof *made);
    *b = NULL;
    if (!made)
        return fail(e, ERROR_MEMORY, "out of memory");
    struct voxel_set *v = &made->set;
    memcpy(v->count, count, sizeof v->count);
    if (count[0] > VOXEL_ROW_MAX || (count[1] > 0 && count[2] > (UINT32_MAX - 1) / count[1])) {
        fail(e, ERROR_MEMORY, "%zu × %zu × %zu voxels exceed the maximum of %d in a row", count[0], count[1], count[2],
             VOXEL_ROW_MAX);
        free(made);
        return -1;
    }
    v->rows = count[1] * count[2];
    v->of_row = calloc(v->rows + 1, sizeof *v->of_row);
    if (!v->of_row || !reserve(&v->patterns, 2, sizeof(struct pattern))) {
        no_memory(e);
        voxel_set_abandon(made);
        return -1;
    }
    /* the first has no runs: of rows that are not appended */
    memset(v->patterns.items, 0, 2 * sizeof(struct pattern));
    v->patterns.count = 1;
    *b = made;
    return 0;
}

/* Appends the runs of air behind those of the set, joined where they touch. */
static void put_air(struct voxel_set *v, const struct air_run *air, size_t count)
{
    struct air_run *to = (struct air_run *)v->air_runs.items + v->air_runs.count;
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        if (air[i].start == air[i].end)
            continue;
        if (made > 0 && to[made - 1].end == air[i].start)
            to[made - 1].end = air[i].end;
        else
            to[made++] = air[i];
        v->air += air[i].end - air[i].start;
    }
    v->air_runs.count += made;
}

static bool joins(const struct face_run *a, const struct face_run *b)
{
    return a->side == b->side && a->code == b->code && a->area == b->area && a->before == b->before &&
           a->start + a->length == b->start && a->length + b->length <= FACE_RUN_MAX;
}

/* Appends the faces behind those of the set, by side, joined. */
static void put_faces(struct voxel_set *v, const struct face_run *faces, size_t count)
{
    struct face_run *to = (struct face_run *)v->faces.items + v->faces.count;
    size_t made = 0;
    for (unsigned side = 0; side < FACES; side++)
        for (size_t i = 0; i < count; i++) {
            if (faces[i].side != side || faces[i].length == 0)
                continue;
            if (made > 0 && joins(&to[made - 1], &faces[i]))
                to[made - 1].length = (to[made - 1].length + faces[i].length) & FACE_RUN_MAX;
            else
                to[made++] = faces[i];
        }
    v->faces.count += made;
}

/* Whether patterns have the same runs. */
static bool alike(const struct voxel_set *v, size_t a, size_t b)
{
    const struct pattern *p = v->patterns.items;
    const struct air_run *air = v->air_runs.items;
    const struct face_run *faces = v->faces.items;
    const size_t air_count = p[a + 1].air - p[a].air, face_count = p[a + 1].faces - p[a].faces;
    return p[b + 1].air - p[b].air == air_count && p[b + 1].faces - p[b].faces == face_count &&
           (air_count == 0 || !memcmp(air + p[a].air, air + p[b].air, air_count * sizeof *air)) &&
           (face_count == 0 || !memcmp(faces + p[a].faces, faces + p[b].faces, face_count * sizeof *faces));
}

int voxel_set_append(struct voxel_set_builder *b, const struct air_run *air, size_t air_count,
                     const struct face_run *faces, size_t face_count, struct error *e)
{
    struct voxel_set *v = &b->set;
    if (b->next == v->rows)
        return fail(e, ERROR_ENGINE, "a set of %zu rows of voxels is full", v->rows);
    if (!reserve(&v->air_runs, air_count, sizeof *air) || !reserve(&v->faces, face_count, sizeof *faces) ||
        !reserve(&v->patterns, 2, sizeof(struct pattern)))
        return no_memory(e);
    const size_t row = b->next++, made = v->patterns.count;
    const struct list air_before = v->air_runs, faces_before = v->faces;
    put_air(v, air, air_count);
    put_faces(v, faces, face_count);
    ((struct pattern *)v->patterns.items)[made + 1] = (struct pattern){v->air_runs.count, v->faces.count};
    /* most rows are like the one before, or like that below */
    const size_t before[2] = {1, v->count[1]};
    for (int i = 0; i < 2; i++)
        if (row >= before[i] && alike(v, v->of_row[row - before[i]], made)) {
            v->of_row[row] = v->of_row[row - before[i]];
            v->air_runs.count = air_before.count;
            v->faces.count = faces_before.count;
            return 0;
        }
    v->of_row[row] = (uint32_t)made;
    v->patterns.count++;
    return 0;
}

struct voxel_set *voxel_set_close(struct voxel_set_builder *b)
{
    struct voxel_set *v = &b->set;
    v->patterns.count++; /* the end of the last */
    shrink(&v->patterns, sizeof(struct pattern));
    shrink(&v->air_runs, sizeof(struct air_run));
    shrink(&v->faces, sizeof(struct face_run));
    return v; /* the first member: freed as the builder */
}

void voxel_set_abandon(struct voxel_set_builder *b)
{
    if (b)
        drop(&b->set);
    free(b);
}

void voxel_set_free(struct voxel_set *v)
{
    if (v)
        drop(v);
    free(v);
}
