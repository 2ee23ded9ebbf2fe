/* What passes of several steps make wrong. A pass takes the room for its box of air, and walls with branches for rigid ones; so what it writes
 * within STEPS - 1 links of anything else is wrong. This *shell* is stepped again from the same grids: before flat walls with branches by strips
 * (strips.cuh), along edges and around objects by bricks (bricks.cuh), and what is no air is cleared again. Arithmetic order as in the kernels of one
 * step: the same bits. */
#ifndef AULA_CUDA_SHELL_CUH
#define AULA_CUDA_SHELL_CUH

extern "C" {
#include "schemes/leapfrog/rows.h"
}

struct cuda_state;
struct layout;
struct shell;
template <typename REAL> struct temporal_block;

/* Why these walls cannot be stepped so, or nullptr. */
const char *shell_refusal(const struct rows *rows);

/* Whether there is anything but the box of air and walls without branches. Not for passes in place, which overwrite the grids that the shell would be
 * stepped from: those read the map. */
bool shell_needed(const cuda_state *s);

/* s->shell for passes of so many steps, where one is needed; walls with branches then have a second set of states. That of as many steps is kept as it
 * is. *fit is false where more such points are together than a brick can take, too many bricks differ, or
 * it would pay less than to read the map. */
int shell_set_up(cuda_state *s, int steps, bool *fit, struct error *e);
void shell_drop(struct shell *b); /* NULL-safe */

/* Device memory for it, the second set of states included, beside the map. */
uint64_t shell_device_bytes(const struct layout *l, const struct rows *rows, enum precision precision);

/* On the device; a pass clears it when it begins, before it lets the next kernel begin. */
unsigned *shell_ended(const struct shell *b);

/* After the pass from p^n, n = phase, of the grids of a pair. The kernels begin while the pass ends: they read what it read, and wait for its end
 * before they write. */
template <typename REAL>
void shell_enqueue(const struct shell *b, const cuda_state *s, const temporal_block<REAL> &pass, int steps, int phase,
                   int pair_of_grids);

#endif
