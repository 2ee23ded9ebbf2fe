/* Temporal blocking on the CPU: skewed tiles of rows, streamed along z by wavefronts.
 *
 * A temporal block of depth T takes the grid through T steps while it is read and written once. Rows of y are cut into
 * tiles of H rows. Within a tile, wavefront w takes step s of the block in plane w - s, s = 0 .. T - 1. With each step a
 * tile shifts down by one row, to [jH - s, (j + 1)H - s): no point is computed twice, and two grids suffice
 * (time skewing: Wonnacott 2000).
 *
 * Dependences of a wavefront of tile j
 *   tile j - 1, same wavefront, same block: it reads rows of that tile, which must have read what is overwritten here
 *   tile j + 1, T wavefronts later, previous block: it reads rows of that tile. This needs H >= T.
 * Threads take tiles in turn, and blocks follow each other without a barrier: the first unfinished tile of the first
 * unfinished block never waits, so there is no deadlock. */
#ifndef AULA_CPU_SKEWED_TILES_H
#define AULA_CPU_SKEWED_TILES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { DEPTH_MAX = 16 };

/* Wavefronts that a tile has finished, alone on a cache line. */
struct tile_progress {
    _Alignas(128) _Atomic uint64_t wavefronts;
};

struct skewed_tiles {
    size_t ny, nz;
    size_t height; /* H, rows of y per tile */
    size_t depth;  /* T, steps per temporal block, at most */
    size_t count;
    struct tile_progress *progress; /* [count] */
};

/* Sizes the tiles for this machine's caches. A nonzero height or depth is used as given: 1 <= depth <= DEPTH_MAX and
 * height >= depth. row_bytes: of one row of one grid. 0, or -1 when out of memory. */
int skewed_tiles_make(struct skewed_tiles *t, size_t ny, size_t nz, size_t row_bytes, int threads, size_t height,
                      size_t depth);
void skewed_tiles_free(struct skewed_tiles *t);

/* Work on rows. `visit` takes rows row0 .. row1 - 1 of one plane, row = y + ny z, through step `step` (from 0), then
 * the same rows of the plane below through the next step, `steps` of them in all, at most `steps_max`. Within a
 * wavefront of a tile a step depends on the others at the same x and y only, so it may also be taken point by point
 * (time-skewed unrolling).
 *
 * `begin` is called before each wavefront: the next one starts with rows row0 .. row1 - 1 in step `step`, after
 * `visits` visits of about as many rows. */
struct row_work {
    void (*visit)(void *worker, size_t row0, size_t row1, size_t step, size_t steps);
    void (*begin)(void *worker, size_t row0, size_t row1, size_t step, size_t visits);
    size_t steps_max;
};

/* Called by one thread before skewed_tiles_run. */
void skewed_tiles_begin(struct skewed_tiles *t);

/* One thread's share of `steps` steps; called by every thread of the team with its own worker. */
void skewed_tiles_run(struct skewed_tiles *t, size_t thread, size_t team, size_t steps, const struct row_work *work,
                      void *worker);

#endif
