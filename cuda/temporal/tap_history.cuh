/* SPDX-License-Identifier: MIT */
/* The tap history: the pressure at the points of all taps, level by level. A temporal block computes levels that no
 * grid ever holds, and a tap's points may lie in several tiles; so taps are summed after a block of audio. */
#ifndef AULA_CUDA_TAP_HISTORY_CUH
#define AULA_CUDA_TAP_HISTORY_CUH

#include "cuda/engine/state.cuh"

enum { HISTORY_LEVELS = BLOCK_STEPS + 1 };

struct tap_history {
    bool kept;                    /* every step records into it, and taps are summed from it */
    std::vector<uint64_t> points; /* canonical, ascending, unique */
    uint64_t *at;                 /* [point] in the padded grid */
    uint32_t *point_of;           /* [tap term] */
    double *levels;               /* [point][HISTORY_LEVELS], since *base = 0 */
};

/* Whether kernels of single steps leave the taps to the history. */
static inline bool tap_history_is_kept(const cuda_state *s)
{
    return s->tap_history && s->tap_history->kept;
}

uint64_t tap_history_device_bytes(const struct problem *p);

int tap_history_set_up(struct tap_history *h, const cuda_state *s, struct error *e);
void tap_history_drop(struct tap_history *h);

/* Records level *base + offset from p^n, n = phase, of the pair of grids that holds it. */
void tap_history_record(const cuda_state *s, int phase, int offset);

/* Sums `steps` samples of all taps from the history. */
void tap_history_sum(const cuda_state *s, size_t steps);

#endif
