/* SPDX-License-Identifier: MIT */
/* The energy balance. Audited solvers sum absorbed and supplied energy in every step; stored
 * energy is computed on request. All sums have a fixed order. */
#ifndef AULA_CUDA_ENERGY_CUH
#define AULA_CUDA_ENERGY_CUH

#include "cuda/engine/state.cuh"

/* A point of an absorbing wall. */
struct watched_point {
    uint64_t at;   /* in the padded grid */
    double half_a; /* m a/2, m the mass of the point: 1 with the 7-point stencil */
};

uint64_t energy_device_bytes(const struct rows *rows); /* for an audited solver */
int energy_set_up(cuda_state *s, struct error *e);     /* no effect without an audit */
void energy_drop(cuda_state *s);

/* Called before and after the kernels of a step of an audited solver. */
template <typename REAL> void energy_before_step(const cuda_state *s, const step<REAL> &step);
template <typename REAL> void energy_after_step(const cuda_state *s, const step<REAL> &step);

int energy_audit(cuda_state *s, struct audit *a, struct error *e);

/* Energy absorbed in rows and supplied at drive points so far, including sums that were put:
 * [rows], [drive points] in an audited solver; otherwise `supplied` is empty. */
int energy_absorbed_by_rows(cuda_state *s, std::vector<double> *absorbed, struct error *e);
int energy_supplied(cuda_state *s, std::vector<double> *supplied, struct error *e);

/* Called before sums are put: drops the sums of this solver, unless that was done since its last
 * step. */
int energy_take_over(cuda_state *s, struct error *e);

#endif
