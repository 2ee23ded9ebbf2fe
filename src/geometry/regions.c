/* SPDX-License-Identifier: MIT */
#include "geometry/regions.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

/* ---- runs of a row */

static int by_start(const void *a, const void *b)
{
    const struct solid_run *left = a, *right = b;
    return (left->start > right->start) - (left->start < right->start);
}

/* A row's runs in the making. */
struct making {
    struct air_run *runs; /* NULL: they are counted */
    uint32_t count;
    const crossing *next, *end; /* of links along x */
};

static void put_run(struct making *m, uint32_t start, uint32_t end)
{
    if (m->runs)
        m->runs[m->count] = (struct air_run){start, end};
    m->count++;
}

/* Voxels free of solids, split where links along x are cut. */
static void put_free(struct making *m, uint32_t start, uint32_t end)
{
    while (m->next < m->end && crossing_x(*m->next) < start)
        m->next++;
    for (; m->next < m->end && crossing_x(*m->next) + 1 < end; m->next++) {
        const uint32_t cut = crossing_x(*m->next) + 1;
        if (cut > start)
            put_run(m, start, cut);
        start = cut;
    }
    if (start < end)
        put_run(m, start, end);
}

/* sorted: room for the solid runs of a row. */
static void make_row(struct making *m, const struct crossings *c, const struct solid_rows *s, size_t row,
                     struct solid_run *sorted)
{
    const size_t wall = s->lattice->walled ? s->shift : 0, y = row % s->count[1];
    const size_t z = s->planes.from + row / s->count[1];
    const uint32_t until = (uint32_t)(s->count[0] - wall);
    uint32_t free_from = (uint32_t)wall;
    size_t solids = 0;
    if (y < wall || y >= s->count[1] - wall || z < wall || z >= s->planes.all - wall)
        return;
    m->next = c->at[0] + c->start[0][row];
    m->end = c->at[0] + c->start[0][row + 1];
    if (s->start)
        solids = s->start[row + 1] - s->start[row];
    if (solids) {
        memcpy(sorted, s->runs + s->start[row], solids * sizeof *sorted);
        if (solids > 1)
            qsort(sorted, solids, sizeof *sorted, by_start);
    }
    for (size_t i = 0; i < solids; i++) {
        if (sorted[i].start > free_from)
            put_free(m, free_from, sorted[i].start < until ? sorted[i].start : until);
        free_from = sorted[i].end > free_from ? sorted[i].end : free_from;
    }
    if (free_from < until)
        put_free(m, free_from, until);
}

static size_t most_solids(const struct solid_rows *s, size_t rows)
{
    size_t most = 0;
    for (size_t row = 0; s->start && row < rows; row++)
        most = s->start[row + 1] - s->start[row] > most ? s->start[row + 1] - s->start[row] : most;
    return most;
}

/* Counts the runs of all rows in start[], or stores them. */
static int make_rows(struct regions *g, const struct crossings *c, const struct solid_rows *s, bool store, int threads,
                     struct error *e)
{
    const size_t most = most_solids(s, g->rows);
    int failed = 0;
#pragma omp parallel num_threads(threads) reduction(| : failed)
    {
        struct solid_run *sorted = malloc((most + 1) * sizeof *sorted);
        failed = !sorted;
#pragma omp for schedule(static)
        for (size_t row = 0; row < g->rows; row++) {
            struct making m = {.runs = store ? g->runs + g->start[row] : NULL};
            if (!sorted || stop_requested())
                continue;
            make_row(&m, c, s, row, sorted);
            if (!store)
                g->start[row + 1] = m.count;
        }
        free(sorted);
    }
    return failed ? fail(e, ERROR_MEMORY, "out of memory") : stop_check(e);
}

static int no_memory(struct error *e)
{
    return fail(e, ERROR_MEMORY, "out of memory");
}

/* ---- parts */

static uint32_t root_of(uint32_t *part, uint32_t run)
{
    while (part[run] != run) {
        part[run] = part[part[run]];
        run = part[run];
    }
    return run;
}

/* The lower of two roots stays, so that no order matters. */
static void unite(uint32_t *part, uint32_t a, uint32_t b)
{
    a = root_of(part, a);
    b = root_of(part, b);
    if (a < b)
        part[b] = a;
    else
        part[a] = b;
}

/* Whether any link x, low <= x < high, of a row's crossings from *next on is uncut; *next moves on to `low`. */
static bool any_open(const crossing **next, const crossing *end, uint32_t low, uint32_t high)
{
    while (*next < end && crossing_x(**next) < low)
        ++*next;
    uint32_t cut = 0, last = UINT32_MAX;
    for (const crossing *c = *next; c < end && crossing_x(*c) < high; c++) {
        cut += crossing_x(*c) != last;
        last = crossing_x(*c);
    }
    return cut < high - low;
}

/* Unites the runs of neighbouring rows; c: NULL: no link is cut. */
static void unite_rows(struct regions *g, const struct crossings *c, size_t row, size_t other, int axis)
{
    uint32_t i = g->start[row], j = g->start[other];
    const crossing *next = c ? c->at[axis] + c->start[axis][row] : NULL;
    const crossing *end = c ? c->at[axis] + c->start[axis][row + 1] : NULL;
    while (i < g->start[row + 1] && j < g->start[other + 1]) {
        const struct air_run a = g->runs[i], b = g->runs[j];
        const uint32_t low = a.start > b.start ? a.start : b.start, high = a.end < b.end ? a.end : b.end;
        if (low < high && any_open(&next, end, low, high))
            unite(g->part, i, j);
        i += a.end <= b.end;
        j += b.end <= a.end;
    }
}

int regions_join_planes(struct regions *g, const struct crossings *c, size_t from, size_t end, struct error *e)
{
    const uint32_t runs = g->start[g->rows];
    for (uint32_t i = 0; i < runs; i++)
        g->part[i] = i;
    for (size_t z = from; z < end; z++) {
        if (stop_check(e))
            return -1;
        for (size_t y = 0; y < g->count[1]; y++) {
            const size_t row = y + g->count[1] * z;
            for (uint32_t i = g->start[row]; !c && i + 1 < g->start[row + 1]; i++)
                if (g->runs[i].end == g->runs[i + 1].start)
                    unite(g->part, i, i + 1);
            if (y + 1 < g->count[1])
                unite_rows(g, c, row, row + 1, 1);
            if (z + 1 < g->count[2])
                unite_rows(g, c, row, row + g->count[1], 2);
        }
    }
    for (uint32_t i = 0; i < runs; i++)
        g->part[i] = root_of(g->part, i);
    return 0;
}

int regions_find(struct regions *g, const struct crossings *c, const struct solid_rows *solids, int threads,
                 struct error *e)
{
    uint64_t total = 0;
    threads = threads > 0 ? threads : omp_get_max_threads();
    *g = (struct regions){.rows = solids->count[1] * solids->count[2]};
    memcpy(g->count, solids->count, sizeof g->count);
    g->start = calloc(g->rows + 1, sizeof *g->start);
    if (!g->start)
        return no_memory(e);
    if (make_rows(g, c, solids, false, threads, e))
        return -1;
    for (size_t row = 0; row < g->rows; row++) {
        total += g->start[row + 1];
        if (total >= UINT32_MAX)
            return fail(e, ERROR_INPUT, "the air has more than %u runs of voxels; use a coarser grid", UINT32_MAX);
        g->start[row + 1] = (uint32_t)total;
    }
    g->runs = malloc((total + 1) * sizeof *g->runs);
    g->part = malloc((total + 1) * sizeof *g->part);
    if (!g->runs || !g->part)
        return no_memory(e);
    return make_rows(g, c, solids, true, threads, e);
}

int regions_join(struct regions *g, const struct crossings *c, struct error *e)
{
    return regions_join_planes(g, c, 0, g->count[2], e);
}

static void shrink(struct regions *g, uint32_t runs)
{
    struct air_run *fewer = realloc(g->runs, ((size_t)runs + 1) * sizeof *fewer);
    uint32_t *parts = realloc(g->part, ((size_t)runs + 1) * sizeof *parts);
    g->runs = fewer ? fewer : g->runs;
    g->part = parts ? parts : g->part;
}

void regions_keep(struct regions *g, const bool *keep)
{
    uint32_t kept = 0, first = 0;
    for (size_t row = 0; row < g->rows; row++) {
        const uint32_t end = g->start[row + 1];
        for (uint32_t i = first; i < end; i++)
            if (keep[g->part[i]])
                g->runs[kept++] = g->runs[i];
        first = end;
        g->start[row + 1] = kept;
    }
    shrink(g, kept);
}

int regions_remove(struct regions *g, const uint64_t *voxels, size_t voxel_count, struct error *e)
{
    const size_t most = (size_t)g->start[g->rows] + voxel_count; /* a voxel makes at most one run more */
    struct air_run *runs = malloc((most + 1) * sizeof *runs);
    uint32_t *part = most < UINT32_MAX ? malloc((most + 1) * sizeof *part) : NULL;
    size_t next = 0;
    uint32_t made = 0, first = 0;
    if (!runs || !part) {
        free(runs);
        free(part);
        return no_memory(e);
    }
    for (size_t row = 0; row < g->rows; row++) {
        const uint32_t end = g->start[row + 1];
        for (uint32_t i = first; i < end; i++) {
            struct air_run run = g->runs[i];
            const uint64_t base = (uint64_t)row * g->count[0];
            for (; next < voxel_count && voxels[next] < base + run.end; next++) {
                if (voxels[next] < base + run.start)
                    continue;
                const uint32_t x = (uint32_t)(voxels[next] - base);
                if (run.start < x)
                    runs[made++] = (struct air_run){run.start, x};
                run.start = x + 1;
            }
            if (run.start < run.end)
                runs[made++] = run;
        }
        first = end;
        g->start[row + 1] = made;
    }
    free(g->runs);
    free(g->part);
    g->runs = runs;
    g->part = part;
    shrink(g, made);
    return 0;
}

uint32_t regions_run_at(const struct regions *g, const size_t at[3])
{
    if (at[0] >= g->count[0] || at[1] >= g->count[1] || at[2] >= g->count[2])
        return NO_RUN;
    const size_t row = at[1] + g->count[1] * at[2];
    uint32_t low = g->start[row], high = g->start[row + 1];
    while (low < high) { /* the first that ends beyond x */
        const uint32_t middle = low + (high - low) / 2;
        if (g->runs[middle].end <= at[0])
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->start[row + 1] && g->runs[low].start <= at[0] ? low : NO_RUN;
}

uint64_t regions_voxels(const struct regions *g, size_t from, size_t end)
{
    uint64_t voxels = 0;
    for (uint32_t i = g->start[from * g->count[1]]; i < g->start[end * g->count[1]]; i++)
        voxels += g->runs[i].end - g->runs[i].start;
    return voxels;
}

void regions_free(struct regions *g)
{
    free(g->start);
    free(g->runs);
    free(g->part);
    memset(g, 0, sizeof *g);
}
