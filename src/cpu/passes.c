#include "cpu/passes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpu/waiting.h"

static size_t least(size_t a, size_t b)
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

enum { STEPS_THAT_PAY = 6, LOWEST = 4 };

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
    shape(p, row_bytes, (size_t)threads, least(steps, PASS_STEPS_MOST));
    if (height) {
        p->steps = steps ? p->steps : least(p->steps, height);
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

/* All steps of one wave. */
static void visit_wave(const struct passes *p, size_t tile, size_t wave, size_t first, size_t steps,
                       passes_visit *visit, void *worker)
{
    const size_t low = tile * p->height, high = low + p->height;
    for (size_t s = 0; s < steps && s <= wave; s++) {
        const size_t z = wave - s;
        const size_t y0 = low > s ? low - s : 0, y1 = least(high - s, p->ny); /* high >= s, for H >= T */
        if (z < p->nz && y0 < y1)
            visit(worker, z * p->ny + y0, z * p->ny + y1, first + s);
    }
}

void passes_walk(struct passes *p, size_t thread, size_t team, size_t steps, passes_visit *visit, void *worker)
{
    uint64_t base = 0; /* waves of all passes before this one */
    size_t steps_before = 0, waves_before = 0;
    for (size_t first = 0; first < steps; first += p->steps) {
        const size_t now = least(p->steps, steps - first), waves = p->nz + now - 1;
        for (size_t tile = thread; tile < p->tiles; tile += team)
            for (size_t wave = 0; wave < waves; wave++) {
                if (tile > 0)
                    wait_for(p, tile - 1, base + wave + 1);
                if (tile + 1 < p->tiles)
                    wait_for(p, tile + 1, base - waves_before + least(wave + 1 + steps_before, waves_before));
                visit_wave(p, tile, wave, first, now, visit, worker);
                atomic_store_explicit(&p->progress[tile].waves, base + wave + 1, memory_order_release);
            }
        base += waves;
        steps_before = now;
        waves_before = waves;
    }
}
