/* The order in which the threads of the CPU engine walk the grid: several time steps in one pass over memory.
 *
 * Rows of y are cut into tiles, and within a tile the planes of z follow each other as waves. In wave w a tile takes
 * step s of the pass in plane w - s, s = 0, 1, ..: every plane is advanced several steps while it is in the cache, and
 * memory is read and written once a pass. A tile leans back by a row with each step, rows [jH - s, (j + 1)H - s), so
 * that nothing is computed twice and two grids are enough (parallelogram tiling).
 *
 * What a wave has to wait for
 *   tile j - 1, this pass, the same wave: the rows below, and everybody who still reads what is overwritten here;
 *   tile j + 1, previous pass of T steps, T waves further: the rows above. It needs H >= T.
 * Threads take tiles in turn and passes one after the other without a barrier: the first unfinished tile of the first
 * unfinished pass never waits, so nobody waits for ever. */
#ifndef AULA_CPU_PASSES_H
#define AULA_CPU_PASSES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { PASS_STEPS_MAX = 16 };

/* Waves that a tile has finished, on a cache line of its own. */
struct tile_progress {
    _Alignas(128) _Atomic uint64_t waves;
};

struct passes {
    size_t ny, nz;
    size_t height; /* H, rows of y of a tile */
    size_t steps;  /* T, most steps of a pass */
    size_t tiles;
    struct tile_progress *progress; /* [tiles] */
};

/* Shapes the tiles for this machine's caches; a height or number of steps that is not 0 is taken as it is as far as
 * the method can (1 <= steps <= PASS_STEPS_MAX, height >= steps). row_bytes: of one row of one grid. 0, or -1 when out
 * of memory. */
int passes_make(struct passes *p, size_t ny, size_t nz, size_t row_bytes, int threads, size_t height, size_t steps);
void passes_free(struct passes *p);

/* What the walk is for. `visit` takes the rows row0 .. row1 - 1 of one plane, row = y + ny z, through a step, then the
 * same rows of the plane below through the next step, and so on, `steps` of them, at most `steps_max`; step counts
 * from 0. Within a tile and a wave the steps may also go point by point: a step needs from the others of its wave only
 * what lies on its own x and y.
 *
 * `begin` comes before each wave: rows row0 .. row1 - 1 are those that the next wave will enter with step `step`, and
 * until then there come `visits` visits of about as many rows. */
struct passes_work {
    void (*visit)(void *worker, size_t row0, size_t row1, size_t step, size_t steps);
    void (*begin)(void *worker, size_t row0, size_t row1, size_t step, size_t visits);
    size_t steps_max;
};

/* Before each walk, by one thread. */
void passes_begin(struct passes *p);

/* One thread's share of `steps` steps; all of the team call it with their own worker. */
void passes_walk(struct passes *p, size_t thread, size_t team, size_t steps, const struct passes_work *work,
                 void *worker);

#endif
