#include "cpu/passes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpu/waiting.h"

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t cache_bytes(int name, size_t otherwise)
{
    const long bytes = sysconf(name);
    return bytes > 0 ? (size_t)bytes : otherwise;
}

/* Two grids, T + 2 planes of them at a time, tiles of H rows and the T that they lean over. */
static size_t working_set(size_t height, size_t steps, size_t row_bytes)
{
    return 2 * (steps + 2) * (height + steps) * row_bytes;
}

enum { STEPS_THAT_PAY = 8, LOWEST = 4 };

/* The highest tile that stays in the cache; 0 when not even one does that is twice as high as it leans. */
static size_t fitting_height(size_t steps, size_t row_bytes, size_t cache)
{
    size_t height = steps < LOWEST / 2 ? LOWEST : 2 * steps;
    if (working_set(height, steps, row_bytes) > cache)
        return 0;
    while (working_set(height + 1, steps, row_bytes) <= cache)
        height++;
    return height;
}

/* As many steps as pay, as fit into three quarters of the second-level cache and as leave a tile for every thread; rows
 * too long for that are stepped one step a pass, in strips of which three planes fit in half of this thread's share of
 * the third-level cache. */
static void shape(struct passes *p, size_t row_bytes, size_t threads, size_t steps_wanted)
{
    const size_t level2 = cache_bytes(_SC_LEVEL2_CACHE_SIZE, 1u << 20) / 4 * 3;
    const size_t level3 = cache_bytes(_SC_LEVEL3_CACHE_SIZE, 0) / threads;
    for (p->steps = steps_wanted ? steps_wanted : STEPS_THAT_PAY; p->steps > 1; p->steps--) {
        p->height = fitting_height(p->steps, row_bytes, level2);
        if (steps_wanted)
            p->height = p->height ? p->height : p->steps;
        if (steps_wanted || (p->height && p->ny >= p->steps * threads))
            return;
    }
    p->height = (level3 > level2 ? level3 : level2) / 2 / (3 * row_bytes);
    p->height = p->height < LOWEST ? LOWEST : p->height;
}

int passes_make(struct passes *p, size_t ny, size_t nz, size_t row_bytes, int threads, size_t height, size_t steps)
{
    *p = (struct passes){.ny = ny, .nz = nz};
    shape(p, row_bytes, (size_t)threads, min(steps, PASS_STEPS_MAX));
    if (height) {
        p->steps = steps ? p->steps : min(p->steps, height);
        p->height = height;
    } else { /* a tile for every thread, and equally many for each where there are more */
        const size_t rows = ny + p->steps - 1, team = (size_t)threads;
        const size_t tiles = (rows + p->height - 1) / p->height, turns = (tiles + team - 1) / team;
        p->height = (rows + turns * team - 1) / (turns * team);
    }
    p->height = p->height < p->steps ? p->steps : p->height;
    p->tiles = (ny + p->steps - 1 + p->height - 1) / p->height;
    p->progress = aligned_alloc(_Alignof(struct tile_progress), p->tiles * sizeof *p->progress);
    return p->progress ? 0 : -1;
}

void passes_free(struct passes *p)
{
    free(p->progress);
    p->progress = NULL;
}

void passes_begin(struct passes *p)
{
    for (size_t j = 0; j < p->tiles; j++)
        atomic_store_explicit(&p->progress[j].waves, 0, memory_order_relaxed);
}

static void wait_for(struct passes *p, size_t tile, uint64_t waves)
{
    for (int spins = 0; atomic_load_explicit(&p->progress[tile].waves, memory_order_acquire) < waves;)
        waiting_pause(spins < WAITING_SPINS ? spins++ : spins);
}

/* A tile in a wave: step s of the pass takes plane wave - s, rows low - s .. high - s - 1 as far as there are any. */
struct front {
    const struct passes *p;
    const struct passes_work *work;
    void *worker;
    size_t low, high, wave;
    size_t first; /* step, of the pass */
};

/* Rows y0 .. y1 - 1, steps s .. s + count - 1. */
static void visit_rows(const struct front *f, size_t y0, size_t y1, size_t s, size_t count)
{
    const size_t row = (f->wave - s) * f->p->ny;
    if (y0 < y1)
        f->work->visit(f->worker, row + y0, row + y1, f->first + s, count);
}

static size_t lowest(const struct front *f, size_t s)
{
    return f->low > s ? f->low - s : 0;
}

static size_t end_of(const struct front *f, size_t s)
{
    return min(f->high - s, f->p->ny); /* high >= s, for H >= T */
}

/* Steps s .. end - 1 together in the rows that all of them take, and one by one in those that only some do. */
static void visit_steps(const struct front *f, size_t s, size_t end)
{
    const size_t bottom = lowest(f, s), top = end_of(f, end - 1) > bottom ? end_of(f, end - 1) : bottom;
    for (size_t k = s; k < end; k++)
        visit_rows(f, lowest(f, k), min(bottom, end_of(f, k)), k, 1);
    visit_rows(f, bottom, top, s, end - s);
    for (size_t k = s; k < end; k++)
        visit_rows(f, top, end_of(f, k), k, 1);
}

/* All steps of one wave. */
static void visit_wave(const struct front *f, size_t steps)
{
    const struct passes *p = f->p;
    const size_t max = f->work->steps_max, end = min(steps, f->wave + 1);
    size_t s = f->wave < p->nz ? 0 : f->wave - p->nz + 1;
    if (f->wave + 1 < p->nz && f->low < p->ny)
        f->work->begin(f->worker, (f->wave + 1) * p->ny + f->low, (f->wave + 1) * p->ny + end_of(f, 0), f->first,
                       (end - s + max - 1) / max);
    for (; s < end; s += max)
        visit_steps(f, s, min(s + max, end));
}

void passes_walk(struct passes *p, size_t thread, size_t team, size_t steps, const struct passes_work *work,
                 void *worker)
{
    uint64_t base = 0; /* waves of all passes before this one */
    size_t steps_before = 0, waves_before = 0;
    for (size_t first = 0; first < steps; first += p->steps) {
        const size_t now = min(p->steps, steps - first), waves = p->nz + now - 1;
        for (size_t tile = thread; tile < p->tiles; tile += team)
            for (size_t wave = 0; wave < waves; wave++) {
                if (tile > 0)
                    wait_for(p, tile - 1, base + wave + 1);
                if (tile + 1 < p->tiles)
                    wait_for(p, tile + 1, base - waves_before + min(wave + 1 + steps_before, waves_before));
                const struct front front = {p, work, worker, tile * p->height, (tile + 1) * p->height, wave, first};
                visit_wave(&front, now);
                atomic_store_explicit(&p->progress[tile].waves, base + wave + 1, memory_order_release);
            }
        base += waves;
        steps_before = now;
        waves_before = waves;
    }
}
