/* Walls with branches in passes of several steps. A pass steps these walls as rigid ones, so what it writes within STEPS - 1 links of a point
 * with branches is wrong. Afterwards that shell is stepped again, from the same grids and with the walls, in *bricks*: boxes of points,
 * each with a margin of STEPS, whose fields stay in shared memory and whose states of branches stay in registers for all steps. Neighbours
 * make the margins again. Any geometry; arithmetic order as in the kernels of one step: the same bits. */
#ifndef AULA_CUDA_BRICKS_CUH
#define AULA_CUDA_BRICKS_CUH

#include <stdint.h>

struct cuda_state;
struct error;
struct bricks;
template <typename REAL> struct fused_pass;

/* Around all points with branches, for passes of so many steps; the state's walls have a second set of states then. ERROR_ENGINE when a point
 * has more branches than a thread can hold. */
int bricks_set_up(struct bricks **made, cuda_state *s, int steps, struct error *e);
void bricks_drop(struct bricks *b); /* NULL-safe */

/* After the pass from p^n, n = phase, of the grids of a pair. */
template <typename REAL>
void bricks_enqueue(const struct bricks *b, const cuda_state *s, const fused_pass<REAL> &pass, int steps, int phase, int pair_of_grids);

#endif
