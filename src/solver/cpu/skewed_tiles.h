/* SPDX-License-Identifier: MIT */
/* Temporal blocking on the CPU: skewed tiles of rows, streamed along z by wavefronts.
 *
 * A temporal block of depth T takes the grid through T steps while it is read and written once.
 * Rows of y are divided into tiles of H rows. Within a tile, wavefront w takes step s of the block
 * in the B planes from wB - s on, s = 0 .. T - 1. With each step a tile shifts down by one row, for
 * equal tiles to [jH - s, (j + 1)H - s): no point is computed twice, and two grids suffice (time
 * skewing: Wonnacott 2000). Tiles may differ in height so that they take about the same time; H is
 * the smallest height.
 *
 * Dependences. Step s may take row (y, z) when step s - 1 has taken all rows (y', z') with |y' - y|
 * <= 1, |z' - z| <= 1, including the diagonal ones. This covers all values that are read, and all
 * that are overwritten: values of step s - 2 are last read by step s - 1 in these rows, and those
 * of step s - 1 stay until step s + 1, which waits for step s here.
 * - Same block, s > 0. Step s takes (y, z) in wavefront floor((z + s)/B) and tile
 *   floor((y + s)/H). Step s - 1 took (y', z') in wavefront floor((z' + s - 1)/B), at most the same
 *   for z' <= z + 1, and in tile floor((y' + s - 1)/H), the same or the one below, for
 *   y - 2 <= y' - 1 <= y and H >= T >= 2. So within a wavefront steps are taken in order, and a
 *   wavefront of tile j waits for the same wavefront of tile j - 1.
 * - Previous block, of T' steps, s = 0. Its last step took (y', z') in tile
 *   floor((y' + T' - 1)/H), at most j + 1 for H >= T', and in wavefront floor((z' + T' - 1)/B), at
 *   most w + ceil(T'/B). So wavefront w of tile j waits for that wavefront of tile j + 1. Tiles
 *   j - 1 and j have left the previous block by then.
 *
 * Threads take tiles in turn, and blocks follow each other without a barrier. The first unfinished
 * tile of the first unfinished block never waits, so there is no deadlock: docs/design/cpu.md (C2
 * to C4). */
#ifndef AULA_SOLVER_CPU_SKEWED_TILES_H
#define AULA_SOLVER_CPU_SKEWED_TILES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { DEPTH_MAX = 16 };

/* Number of wavefronts that a tile has finished, on a cache line of its own. */
struct tile_progress {
    _Alignas(128) _Atomic uint64_t wavefronts;
};

struct skewed_tiles {
    size_t ny, nz;
    size_t height; /* H, rows of y per tile, on average */
    size_t depth;  /* T, steps per temporal block, at most */
    size_t planes; /* B, planes that a step covers in a wavefront */
    size_t count;
    size_t *bounds; /* [count + 1]: first row of each tile in step 0, and the end; T or more rows each */
    struct tile_progress *progress; /* [count] */
};

/* Requirements for the tiles. A nonzero height or depth is used exactly: 1 <= depth <= DEPTH_MAX
 * and height >= depth. */
struct tile_choice {
    size_t row_bytes; /* size of a row of one grid */
    size_t planes;    /* B >= 1 */
    size_t height, depth;
    int threads;
    const double *costs; /* [ny] cost of a row of y over all planes, in any unit; NULL: all rows cost the same */
};

/* Sizes the tiles for this machine's caches. 0, or -1 when out of memory. */
int skewed_tiles_make(struct skewed_tiles *t, size_t ny, size_t nz, const struct tile_choice *choice);
void skewed_tiles_free(struct skewed_tiles *t);

/* The same rows of y in consecutive planes: rows row0 .. row1 - 1 of the lowest plane, row = y + ny z. */
struct plane_rows {
    size_t row0, row1, planes;
};

/* Work on rows. `visit` takes rows through step `step` (counted from 0), then the same rows one
 * plane below through the next step, `steps` steps in total, at most `steps_max`. More than one
 * step at a time requires B = 1 and a stencil without diagonals in y and z. Then a step depends on
 * the others of its wavefront and tile only at the same x and y, and may also be taken point by
 * point (time-skewed unrolling).
 *
 * `begin` is called before each wavefront: the next one starts with these rows in step `step`,
 * after `visits` visits of similar numbers of rows. */
struct row_work {
    void (*visit)(void *worker, const struct plane_rows *rows, size_t step, size_t steps);
    void (*begin)(void *worker, const struct plane_rows *rows, size_t step, size_t visits);
    size_t steps_max;
};

/* Called by one thread before skewed_tiles_run. */
void skewed_tiles_begin(struct skewed_tiles *t);

/* One thread's share of `steps` steps; every thread of the team calls it with its own worker. */
void skewed_tiles_run(struct skewed_tiles *t, size_t thread, size_t team, size_t steps, const struct row_work *work,
                      void *worker);

#endif
