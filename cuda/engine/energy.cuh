/* The energy balance: absorbed and supplied energy are summed step by step in audited solvers, stored energy when it
 * is asked for. All sums have a fixed order. */
#ifndef AULA_CUDA_ENERGY_CUH
#define AULA_CUDA_ENERGY_CUH

#include "cuda/engine/state.cuh"

/* A point of an absorbing wall. */
struct watched_point {
    uint64_t at;   /* in the padded grid */
    double half_a; /* m a/2, m the mass of the point: 1 with the 7-point stencil */
};

uint64_t energy_device_bytes(const struct rows *rows); /* of an audited solver */
int energy_set_up(cuda_state *s, struct error *e);     /* does nothing without an audit */
void energy_drop(cuda_state *s);

/* Called before and after the kernels of a step of an audited solver. */
template <typename REAL> void energy_before_step(const cuda_state *s, const step<REAL> &step);
template <typename REAL> void energy_after_step(const cuda_state *s, const step<REAL> &step);

int energy_audit(cuda_state *s, struct audit *a, struct error *e);

#endif
