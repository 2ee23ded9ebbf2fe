/* The energy balance: what walls absorb and drives supply is followed step by step where it is audited; stored energy is
 * summed when it is asked for. All sums have a fixed order. */
#ifndef AULA_CUDA_ENERGY_CUH
#define AULA_CUDA_ENERGY_CUH

#include "cuda/engine/state.cuh"

/* A point of a wall that absorbs. */
struct watched_point {
    uint64_t at;   /* in the padded grid */
    double half_a; /* a/2 */
};

uint64_t energy_device_bytes(const struct rows *rows); /* when audited */
int energy_set_up(cuda_state *s, struct error *e);     /* nothing where it is not audited */
void energy_drop(cuda_state *s);

/* Around the kernels of a step, when audited. */
template <typename REAL> void energy_before_step(const cuda_state *s, const step<REAL> &step);
template <typename REAL> void energy_after_step(const cuda_state *s, const step<REAL> &step);

int energy_audit(cuda_state *s, struct audit *a, struct error *e);

#endif
