/* SPDX-License-Identifier: MIT */
/* Walls with branches on the device: theory (33) and (34), as in
 * solver/schemes/leapfrog/branches.h. */
#ifndef AULA_CUDA_BRANCHES_CUH
#define AULA_CUDA_BRANCHES_CUH

#include <vector>

extern "C" {
#include "cuda/grid/branch_order.h"
#include "solver/schemes/leapfrog/rows.h"
}
#include "cuda/grid/view.cuh"
#include "cuda/ptx.cuh"

enum { BRANCH_THREADS = 128 };

/* A branch at a point: v and g of solver/schemes/leapfrog/branches.h. */
template <typename REAL> using branch_state = vector2<REAL>;

/* Up to BRANCH_THREADS points of one kind. */
struct branch_block {
    uint64_t base;                 /* index in the grid: its points are at base + offset */
    uint64_t states;               /* index of the first state: [branch][BRANCH_THREADS][v, g] */
    uint32_t points, first, count; /* number of points; the kind's factors */
    uint16_t heavy, series;        /* series: there are tanks */
    double weight, half_a;
};

/* Multipliers of a branch in a step. */
template <typename REAL> struct branch_multipliers {
    REAL b, four_bd, twice_bf, push_v, push_g;
};

template <typename REAL> branch_multipliers<REAL> branch_multipliers_of(const struct branch_factors &f)
{
    return {(REAL)f.b, (REAL)f.four_bd, (REAL)f.twice_bf, (REAL)f.push_v, (REAL)f.push_g};
}

/* The multipliers, and the factors of its energy. */
template <typename REAL> struct branch_factors_device : branch_multipliers<REAL> {
    uint32_t tanks; /* of a branch: the number of factors after it that are its tanks */
    double lost, stored_v, stored_g;
};

struct branch_walls {
    branch_block *blocks;
    uint32_t *offsets; /* [block][BRANCH_THREADS] */
    void *factors;     /* branch_factors_device of the field's precision */
    void *states[2]; /* by pair of grids; the second equals the first except with temporal blocks of a part of a grid */
    double *absorbed;                /* [block][BRANCH_THREADS] in audited solvers */
    size_t block_count, state_count; /* state_count: values of the branches */
    float kept;                      /* share of the states to keep in the second-level cache */
};

std::vector<branch_place> branches_places(const struct rows *rows, size_t pitch); /* ascending */

/* Device memory of these walls, bytes. */
uint64_t branches_device_bytes(const struct rows *rows, enum precision precision, bool audited);

/* `more`: values at the end of the states for others, zero. */
int branches_setup(struct branch_walls *w, const struct rows *rows, size_t pitch, enum precision precision,
                   bool audited, size_t more, struct error *e);
void branches_drop(struct branch_walls *w);

/* Uses one set of states for both pairs of grids. */
void branches_share_states(struct branch_walls *w);

/* Allocates the second set of states. */
int branches_set_up_second_states(struct branch_walls *w, enum precision precision, struct error *e);
void branches_drop_second_states(struct branch_walls *w);

/* Energy stored in the branches of a pair of grids, at points low .. high - 1 of a grid:
 * sums[block_count], to be added in this order. */
template <typename REAL>
void branches_energy(const struct branch_walls *w, int pair_of_grids, uint64_t low, uint64_t high, double *sums,
                     cudaStream_t stream);

/* --- a step of a point, for all kernels --- */

/* The term of a branch in `push`, which is subtracted from p⁺. */
template <typename REAL>
__device__ __forceinline__ REAL push_of(const branch_multipliers<REAL> &f, branch_state<REAL> s)
{
    return f.push_v * s.first - f.push_g * s.second;
}

/* p⁺ with the wall's weight, from its value without; *change = p⁺ - p⁻. */
template <typename REAL>
__device__ __forceinline__ REAL weigh_wall(REAL rigid, REAL before, REAL weight, bool heavy, REAL *change)
{
    const REAL part = weight * (heavy ? rigid - before : before - rigid), after = (heavy ? before : rigid) + part;
    *change = heavy ? part : after - before;
    return after;
}

/* v⁺ + v of a branch without tanks, or of a tank, whose drive is that of its branch. */
template <typename REAL>
__device__ __forceinline__ REAL sum_of(const branch_multipliers<REAL> &f, REAL drive, branch_state<REAL> s)
{
    return (f.b * drive + f.four_bd * s.first) - f.twice_bf * s.second;
}

/* v⁺, g⁺, from v⁺ + v. */
template <typename REAL> __device__ __forceinline__ branch_state<REAL> moved(branch_state<REAL> s, REAL sum)
{
    return {sum - s.first, s.second + REAL(0.5) * sum};
}

/* Replaces v, g by v⁺, g⁺; returns v⁺ + v. */
template <typename REAL>
__device__ __forceinline__ REAL step_state(const branch_multipliers<REAL> &f, REAL change, branch_state<REAL> &s)
{
    const REAL sum = sum_of(f, change, s);
    s = moved(s, sum);
    return sum;
}

/* Energy that the branch loses in the step; sum: v⁺ + v. */
template <typename REAL> __device__ __forceinline__ double energy_lost(const branch_factors_device<REAL> &f, REAL sum)
{
    return 0.25 * f.lost * (double)sum * (double)sum;
}

#endif
