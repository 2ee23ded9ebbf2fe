/* SPDX-License-Identifier: MIT */
#include "geometry/erosion.h"

#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

/* Runs of a row in the making, by ascending x. */
struct row {
    struct air_run *runs;
    size_t count, capacity;
};

static int put(struct row *r, uint32_t start, uint32_t end)
{
    if (start >= end)
        return 0;
    if (r->count == r->capacity) {
        const size_t capacity = 2 * r->capacity + 64;
        struct air_run *more = realloc(r->runs, capacity * sizeof *more);
        if (!more)
            return -1;
        r->runs = more;
        r->capacity = capacity;
    }
    r->runs[r->count++] = (struct air_run){start, end};
    return 0;
}

/* The voxels of a row whose neighbours along x are in it as well; runs that touch are one. */
static int shrink_row(struct row *to, const struct regions *g, size_t row)
{
    const uint32_t nx = (uint32_t)g->count[0];
    to->count = 0;
    for (uint32_t i = g->start[row]; i < g->start[row + 1];) {
        const uint32_t start = g->runs[i].start;
        uint32_t end = g->runs[i++].end;
        while (i < g->start[row + 1] && g->runs[i].start == end)
            end = g->runs[i++].end;
        if (put(to, start ? start + 1 : 0, end < nx ? end - 1 : nx))
            return -1;
    }
    return 0;
}

static int intersect(struct row *to, const struct row *a, const struct air_run *b, const struct air_run *b_end)
{
    size_t i = 0;
    to->count = 0;
    while (i < a->count && b < b_end) {
        const struct air_run one = a->runs[i];
        if (put(to, one.start > b->start ? one.start : b->start, one.end < b->end ? one.end : b->end))
            return -1;
        i += one.end <= b->end;
        b += b->end <= one.end;
    }
    return 0;
}

static int by_value(const void *a, const void *b)
{
    const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* The voxels of a row that have a cut link, by ascending x; NULL with *count = SIZE_MAX: memory is out. */
static uint32_t *cut_voxels(size_t *count, const struct room_cuts *r, size_t y, size_t z)
{
    const size_t row = y + r->count[1] * z, back[3] = {0, 1, r->count[1]}, at[3] = {1, y, z};
    size_t total = 0;
    uint32_t *voxels = NULL;
    for (int store = 0; store < 2; store++) {
        *count = 0;
        for (int axis = 0; axis < 3; axis++)
            for (int upper = 0; upper < 2; upper++) {
                if (upper && at[axis] == 0)
                    continue;
                const size_t of = row - (upper ? back[axis] : 0);
                for (uint32_t i = r->crossings.start[axis][of]; i < r->crossings.start[axis][of + 1]; i++, ++*count)
                    if (store)
                        voxels[*count] = crossing_x(r->crossings.at[axis][i]) + (axis == 0 && upper);
            }
        total = *count;
        if (!store && !(voxels = malloc((total + 1) * sizeof *voxels))) {
            *count = SIZE_MAX;
            return NULL;
        }
    }
    qsort(voxels, total, sizeof *voxels, by_value);
    return voxels;
}

static int remove_cut(struct row *to, const struct row *from, const struct room_cuts *r, size_t y, size_t z)
{
    size_t count, next = 0;
    uint32_t *voxels = cut_voxels(&count, r, y, z);
    int status = voxels ? 0 : -1;
    to->count = 0;
    for (size_t i = 0; i < from->count && !status; i++) {
        struct air_run run = from->runs[i];
        for (; next < count && voxels[next] < run.end; next++)
            if (voxels[next] >= run.start) {
                status |= put(to, run.start, voxels[next]);
                run.start = voxels[next] + 1;
            }
        status |= put(to, run.start, run.end);
    }
    free(voxels);
    return status;
}

static void swap(struct row *a, struct row *b)
{
    const struct row t = *a;
    *a = *b;
    *b = t;
}

static int erode_row(struct row made[2], const struct regions *g, const struct room_cuts *cuts, size_t y, size_t z)
{
    const size_t row = y + g->count[1] * z;
    if (shrink_row(&made[0], g, row))
        return -1;
    for (int side = 2; side < FACES && made[0].count; side++) {
        const size_t at = side / 2 == 1 ? y : z, step = side / 2 == 1 ? 1 : g->count[1];
        if (side % 2 ? at + 1 == g->count[side / 2] : at == 0)
            continue;
        const size_t beside = side % 2 ? row + step : row - step;
        if (intersect(&made[1], &made[0], g->runs + g->start[beside], g->runs + g->start[beside + 1]))
            return -1;
        swap(&made[0], &made[1]);
    }
    if (cuts && made[0].count) {
        if (remove_cut(&made[1], &made[0], cuts, y, z))
            return -1;
        swap(&made[0], &made[1]);
    }
    return 0;
}

/* Appends the row to the regions, whose runs have room for *capacity. */
static int append(struct regions *to, size_t row, const struct row *made, size_t *capacity)
{
    const size_t count = to->start[row] + made->count;
    if (count > *capacity) {
        struct air_run *more = realloc(to->runs, 2 * count * sizeof *more);
        if (!more || count >= UINT32_MAX)
            return -1;
        to->runs = more;
        *capacity = 2 * count;
    }
    if (made->count)
        memcpy(to->runs + to->start[row], made->runs, made->count * sizeof *made->runs);
    to->start[row + 1] = (uint32_t)count;
    return 0;
}

int erode(struct regions *to, const struct regions *from, const struct room_cuts *cuts, struct error *e)
{
    struct row made[2] = {{NULL, 0, 0}, {NULL, 0, 0}};
    size_t capacity = 0;
    int status = 0;
    *to = (struct regions){.rows = from->rows};
    memcpy(to->count, from->count, sizeof to->count);
    to->start = calloc(from->rows + 1, sizeof *to->start);
    status = to->start ? 0 : -1;
    for (size_t row = 0; row < from->rows && !status && !stop_requested(); row++) {
        status = erode_row(made, from, cuts, row % from->count[1], row / from->count[1]) ||
                 append(to, row, &made[0], &capacity);
    }
    if (!status)
        status = (to->part = malloc(((size_t)to->start[from->rows] + 1) * sizeof *to->part)) ? 0 : -1;
    free(made[0].runs);
    free(made[1].runs);
    if (status)
        return fail(e, ERROR_MEMORY, "out of memory");
    return stop_check(e) ? -1 : regions_join(to, NULL, e);
}
