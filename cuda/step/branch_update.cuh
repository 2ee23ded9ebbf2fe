/* SPDX-License-Identifier: MIT */
/* One step of a wall point with branches, for all kernels: solver/schemes/leapfrog/branches.h. */
#ifndef AULA_CUDA_BRANCH_UPDATE_CUH
#define AULA_CUDA_BRANCH_UPDATE_CUH

#include "cuda/ptx.cuh"
#include "cuda/step/branches.cuh"

/* A branch's term of `push`, which is subtracted from p⁺. */
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

/* Replaces v, g by v⁺, g⁺; returns v⁺ + v. */
template <typename REAL>
__device__ __forceinline__ REAL step_state(const branch_multipliers<REAL> &f, REAL change, branch_state<REAL> &s)
{
    const REAL sum = (f.b * change + f.four_bd * s.first) - f.twice_bf * s.second;
    s = {sum - s.first, s.second + REAL(0.5) * sum};
    return sum;
}

/* Energy that the branch loses in the step; sum: v⁺ + v. */
template <typename REAL> __device__ __forceinline__ double energy_lost(const branch_factors_device<REAL> &f, REAL sum)
{
    return 0.25 * f.lost * (double)sum * (double)sum;
}

#endif
