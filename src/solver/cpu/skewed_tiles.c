/* SPDX-License-Identifier: MIT */
#include "solver/cpu/skewed_tiles.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "solver/cpu/waiting.h"

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t cache_bytes(int name, size_t otherwise)
{
    const long bytes = sysconf(name);
    return bytes > 0 ? (size_t)bytes : otherwise;
}

/* Bytes of T + B + 1 planes of two grids, for a tile of H rows and the T rows of its skew. */
static size_t working_set(size_t height, size_t depth, const struct tile_choice *c)
{
    return 2 * (depth + c->planes + 1) * (height + depth) * c->row_bytes;
}

enum { DEPTH_DEFAULT = 8 /* larger depths gain nothing */, HEIGHT_MIN = 4 };

/* The greatest height whose working set fits into the cache; 0 if a tile of 2 T rows does not
 * fit. */
static size_t fitting_height(size_t depth, const struct tile_choice *c, size_t cache)
{
    size_t height = depth < HEIGHT_MIN / 2 ? HEIGHT_MIN : 2 * depth;
    if (working_set(height, depth, c) > cache)
        return 0;
    while (working_set(height + 1, depth, c) <= cache)
        height++;
    return height;
}

/* Bytes that a tile may occupy. A small number of tiles, ideally one per thread, matters more
 * than tiles that fit into the second-level cache: the values of its neighbours that a tile
 * reads and overwrites were written by another core, and moving them costs more than reading
 * from the third level (docs/design/cpu.md). A thread's share of the third level counts up to
 * LEVEL3_SHARE times the second, as virtual machines report the third level of whole sockets.
 * Tiles that do not fit there are sized for the second level: three quarters of it, or 5/4 for
 * tiles of several planes per step. */
static size_t tile_bytes(const struct tile_choice *c)
{
    enum { LEVEL3_SHARE = 6 };
    const size_t level2 = cache_bytes(_SC_LEVEL2_CACHE_SIZE, 1u << 20);
    const size_t level3 = min(cache_bytes(_SC_LEVEL3_CACHE_SIZE, 0) / (size_t)c->threads, LEVEL3_SHARE * level2);
    const size_t fitting = level2 / 4 * (c->planes > 1 ? 5 : 3);
    return level3 > fitting ? level3 : fitting;
}

/* The greatest depth up to the default whose tiles fit and provide a tile for every thread. If
 * rows are too long for that, depth 1, with tiles whose B + 2 planes fit into half that size. */
static void choose_size(struct skewed_tiles *t, const struct tile_choice *c)
{
    const size_t threads = (size_t)c->threads, depth_wanted = min(c->depth, DEPTH_MAX), bytes = tile_bytes(c);
    for (t->depth = depth_wanted ? depth_wanted : DEPTH_DEFAULT; t->depth > 1; t->depth--) {
        t->height = fitting_height(t->depth, c, bytes);
        if (depth_wanted)
            t->height = t->height ? t->height : t->depth;
        if (depth_wanted || (t->height && t->ny >= t->depth * threads))
            return;
    }
    t->height = bytes / 2 / ((c->planes + 2) * c->row_bytes);
    t->height = t->height < HEIGHT_MIN ? HEIGHT_MIN : t->height;
}

/* Work of a block in the rows below `row` of step 0, which shift down by one with each step: the
 * mean over its steps. sums: cumulative costs, [ny + 1]. */
static double work_below(const struct skewed_tiles *t, const double *sums, size_t row)
{
    double work = 0.0;
    for (size_t s = 0; s < t->depth; s++)
        work += sums[min(row > s ? row - s : 0, t->ny)];
    return work / (double)t->depth;
}

/* Divides the rows into tiles of about equal work, each of T rows or more. */
static void share_work(struct skewed_tiles *t, const double *sums)
{
    const size_t rows = t->ny + t->depth - 1;
    for (size_t j = 1; j < t->count; j++) {
        const double wanted = sums[t->ny] * (double)j / (double)t->count;
        const size_t last = rows - (t->count - j) * t->depth; /* leaves T rows for each further tile */
        size_t row = t->bounds[j - 1] + t->depth;
        while (row < last && work_below(t, sums, row) < wanted)
            row++;
        t->bounds[j] = row;
    }
}

static int make_bounds(struct skewed_tiles *t, const struct tile_choice *c)
{
    double *sums = calloc(t->ny + 1, sizeof *sums);
    t->bounds = malloc((t->count + 1) * sizeof *t->bounds);
    if (sums && t->bounds) {
        for (size_t y = 0; y < t->ny; y++)
            sums[y + 1] = sums[y] + (c->costs ? c->costs[y] : 1.0);
        for (size_t j = 0; j <= t->count; j++)
            t->bounds[j] = j * t->height;
        if (!c->height && t->count * t->depth <= t->ny + t->depth - 1)
            share_work(t, sums);
    }
    free(sums);
    return sums && t->bounds ? 0 : -1;
}

int skewed_tiles_make(struct skewed_tiles *t, size_t ny, size_t nz, const struct tile_choice *choice)
{
    *t = (struct skewed_tiles){.ny = ny, .nz = nz, .planes = choice->planes};
    choose_size(t, choice);
    if (choice->height) {
        t->depth = choice->depth ? t->depth : min(t->depth, choice->height);
        t->height = choice->height;
    } else { /* at least one tile per thread, and the same number for each */
        const size_t rows = ny + t->depth - 1, team = (size_t)choice->threads;
        const size_t tiles = (rows + t->height - 1) / t->height, turns = (tiles + team - 1) / team;
        t->height = (rows + turns * team - 1) / (turns * team);
    }
    t->height = t->height < t->depth ? t->depth : t->height;
    t->count = (ny + t->depth - 1 + t->height - 1) / t->height;
    t->progress = aligned_alloc(_Alignof(struct tile_progress), t->count * sizeof *t->progress);
    if (t->progress && !make_bounds(t, choice))
        return 0;
    skewed_tiles_free(t);
    return -1;
}

void skewed_tiles_free(struct skewed_tiles *t)
{
    free(t->progress);
    free(t->bounds);
    t->progress = NULL;
    t->bounds = NULL;
}

void skewed_tiles_begin(struct skewed_tiles *t)
{
    for (size_t j = 0; j < t->count; j++)
        atomic_store_explicit(&t->progress[j].wavefronts, 0, memory_order_relaxed);
}

static void wait_for(struct skewed_tiles *t, size_t tile, uint64_t wavefronts)
{
    for (int spins = 0; atomic_load_explicit(&t->progress[tile].wavefronts, memory_order_acquire) < wavefronts;)
        waiting_pause(spins < WAITING_SPINS ? spins++ : spins);
}

/* A wavefront of a tile: step s of the temporal block covers the B planes from B index - s and
 * rows low - s .. high - s - 1, clipped to the grid. */
struct wavefront {
    const struct skewed_tiles *tiles;
    const struct row_work *work;
    void *worker;
    size_t low, high, index;
    size_t first; /* step of the temporal block */
};

/* Visits rows y0 .. y1 - 1 for steps s .. s + count - 1. */
static void visit_rows(const struct wavefront *f, size_t y0, size_t y1, size_t s, size_t count)
{
    const struct skewed_tiles *t = f->tiles;
    const size_t above = (f->index + 1) * t->planes - s, from = above > t->planes ? above - t->planes : 0;
    const struct plane_rows rows = {from * t->ny + y0, from * t->ny + y1, min(above, t->nz) - from};
    if (y0 < y1)
        f->work->visit(f->worker, &rows, f->first + s, count);
}

static size_t lowest(const struct wavefront *f, size_t s)
{
    return f->low > s ? f->low - s : 0;
}

static size_t end_of(const struct wavefront *f, size_t s)
{
    return min(f->high - s, f->tiles->ny); /* high >= s, for H >= T */
}

/* Takes steps s .. end - 1 together in the rows that all of them cover, and individually in the
 * other rows. */
static void visit_steps(const struct wavefront *f, size_t s, size_t end)
{
    const size_t bottom = lowest(f, s), top = end_of(f, end - 1) > bottom ? end_of(f, end - 1) : bottom;
    for (size_t k = s; k < end; k++)
        visit_rows(f, lowest(f, k), min(bottom, end_of(f, k)), k, 1);
    visit_rows(f, bottom, top, s, end - s);
    for (size_t k = s; k < end; k++)
        visit_rows(f, top, end_of(f, k), k, 1);
}

static void visit_wavefront(const struct wavefront *f, size_t steps)
{
    const struct skewed_tiles *t = f->tiles;
    const size_t max = f->work->steps_max, plane = f->index * t->planes, next = plane + t->planes;
    const size_t end = min(steps, next);
    size_t s = plane < t->nz ? 0 : plane - t->nz + 1;
    if (next < t->nz && f->low < t->ny) {
        const struct plane_rows rows = {next * t->ny + f->low, next * t->ny + end_of(f, 0),
                                        min(t->planes, t->nz - next)};
        f->work->begin(f->worker, &rows, f->first, (end - s + max - 1) / max);
    }
    for (; s < end; s += max)
        visit_steps(f, s, min(s + max, end));
}

void skewed_tiles_run(struct skewed_tiles *t, size_t thread, size_t team, size_t steps, const struct row_work *work,
                      void *worker)
{
    uint64_t base = 0;                           /* wavefronts of all earlier blocks */
    size_t fronts_before = 0, fronts_behind = 0; /* of the previous block; ceil(T'/B) */
    for (size_t first = 0; first < steps; first += t->depth) {
        const size_t now = min(t->depth, steps - first), fronts = (t->nz + now - 2) / t->planes + 1;
        for (size_t tile = thread; tile < t->count; tile += team)
            for (size_t index = 0; index < fronts; index++) {
                if (tile > 0)
                    wait_for(t, tile - 1, base + index + 1);
                if (tile + 1 < t->count)
                    wait_for(t, tile + 1, base - fronts_before + min(index + 1 + fronts_behind, fronts_before));
                const struct wavefront f = {t, work, worker, t->bounds[tile], t->bounds[tile + 1], index, first};
                visit_wavefront(&f, now);
                atomic_store_explicit(&t->progress[tile].wavefronts, base + index + 1, memory_order_release);
            }
        base += fronts;
        fronts_before = fronts;
        fronts_behind = (now + t->planes - 1) / t->planes;
    }
}
