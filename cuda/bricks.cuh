/* Walls with branches in passes of several steps. A pass steps these walls as rigid ones, so what it writes within STEPS - 1 links of a point
 * with branches is wrong. Afterwards that shell is stepped again, from the same grids and with the walls, in *bricks*: boxes of points,
 * each with a margin of STEPS, whose fields stay in shared memory and whose states of branches stay in registers for all steps. Neighbours
 * make the margins again. Any geometry; arithmetic order as in the kernels of one step: the same bits. */
#ifndef AULA_CUDA_BRICKS_CUH
#define AULA_CUDA_BRICKS_CUH

extern "C" {
#include "scheme/rows.h"
}

struct cuda_state;
struct bricks;
template <typename REAL> struct fused_pass;

/* Why these walls cannot be stepped so, or nullptr. */
const char *bricks_refusal(const struct rows *rows);

/* s->bricks around all points with branches, for passes of so many steps, where there are such points; the walls then have a second set of
 * states. Those of as many steps are kept as they are. *fit is false where more such points are together than a brick
 * can take. */
int bricks_set_up(cuda_state *s, int steps, bool *fit, struct error *e);
void bricks_drop(struct bricks *b); /* NULL-safe */

/* Device memory for them, the second set of states included, beside the map. */
uint64_t bricks_device_bytes(const struct rows *rows, enum precision precision);

/* After the pass from p^n, n = phase, of the grids of a pair. */
template <typename REAL>
void bricks_enqueue(const struct bricks *b, const cuda_state *s, const fused_pass<REAL> &pass, int steps, int phase, int pair_of_grids);

#endif
