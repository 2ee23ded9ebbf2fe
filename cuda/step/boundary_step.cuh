/* SPDX-License-Identifier: MIT */
/* One step of boundary points, by thread blocks of the kernels that step the field.
 *
 * Tiles of the field and boundary points are independent: tiles leave boundary points alone, p^n is
 * only read, and p^{n+1} of a point replaces its own p^{n-1}. So both kinds of thread blocks run
 * concurrently, and a step is one launch. A thread steps a point: first its stencil, then its wall.
 * Points with branches come in blocks of one kind; the states of a block are pairs (v, g),
 * [branch][thread], so that memory is accessed in whole lines. */
#ifndef AULA_CUDA_BOUNDARY_STEP_CUH
#define AULA_CUDA_BOUNDARY_STEP_CUH

#include "cuda/grid/corners.cuh"
#include "cuda/grid/view.cuh"
#include "cuda/ptx.cuh"
#include "cuda/step/audio.cuh"
#include "cuda/step/branches.cuh"

/* p⁺ of a point with a real admittance, from its value without the wall. */
template <typename REAL> __device__ __forceinline__ REAL weigh(REAL rigid, REAL before, REAL weight)
{
    return rigid + weight * (before - rigid);
}

/* Neighbours beyond the grid are zero, as are those that are not air. */
template <typename REAL>
__device__ __forceinline__ REAL sum_of_links(const REAL *p, unsigned kind, int pitch, int64_t plane)
{
    const unsigned in_grid = kind >> KIND_IN_GRID;
    const REAL x_min = in_grid & 1u ? p[-1] : REAL(0), x_max = in_grid & 2u ? p[1] : REAL(0);
    const REAL front = in_grid & 4u ? p[-pitch] : REAL(0), back = in_grid & 8u ? p[pitch] : REAL(0);
    const REAL below = in_grid & 16u ? p[-plane] : REAL(0), above = in_grid & 32u ? p[plane] : REAL(0);
    return ((x_min + x_max) + (front + back)) + (below + above);
}

/* The 7-point stencil; LOSSY: with the neighbours of p^{n-1} for lossy air. */
template <typename REAL, bool LOSSY> struct links_stencil {
    static constexpr bool one_code = true; /* for any number of branches: shorter and faster */

    static __device__ __forceinline__ REAL update(const step<REAL> &s, uint64_t at, unsigned kind, REAL old,
                                                  const REAL *flow)
    {
        const unsigned code = kind & KIND_CODE;
        const coefficients<REAL> c = s.codes[code];
        const REAL sum = sum_of_links(s.now + at, kind, s.pitch, s.plane), here = s.now[at];
        REAL rigid;
        if (LOSSY) {
            const REAL old_sum = sum_of_links(s.before + at, kind, s.pitch, s.plane);
            rigid = (c.centre * here + s.side * sum) - (s.old_codes[code] * old + s.old_side * old_sum);
        } else {
            rigid = (c.centre * here + s.side * sum) - old;
        }
        if (kind & KIND_LINKED)
            rigid += *flow;
        return weigh(rigid, old, c.weight);
    }
};

/* The 19-point stencil. */
template <typename REAL> struct corners_stencil {
    static constexpr bool one_code = false; /* separate code is faster */

    static __device__ __forceinline__ REAL update(const step<REAL> &s, uint64_t at, unsigned kind, REAL old,
                                                  const REAL *flow)
    {
        const coefficients<REAL> c = s.codes[kind & KIND_CODE];
        const unsigned pattern = pattern_of(c);
        const REAL *p = s.now + at;
        REAL rigid = pattern_mirrors(pattern) ? mirrored_update(p, old, pattern, s.pitch, s.plane)
                                              : assembled_update(p, old, pattern, s.pitch, s.plane);
        if (kind & KIND_LINKED)
            rigid += *flow;
        return weigh(rigid, old, c.weight);
    }
};

/* The drives of a point; few points have any. */
template <typename REAL> __device__ __forceinline__ REAL drives_at(const step<REAL> &s, uint64_t at)
{
    for (unsigned i = 0; i < s.drive_point_count; i++)
        if (s.drive_points[i].at == at)
            return drive_of(s, s.drive_points[i]);
    return REAL(0);
}

/* flow: what a KIND_LINKED point receives through partitions. */
template <typename REAL, typename STENCIL>
__device__ __forceinline__ REAL update_driven(const step<REAL> &s, uint64_t at, unsigned kind, REAL old,
                                              const REAL *flow)
{
    REAL value = STENCIL::update(s, at, kind, old, flow);
    if (kind & KIND_DRIVEN)
        value += drives_at(s, at);
    return value;
}

/* A point with branches during a step. */
template <typename REAL> struct branched_point {
    REAL *p; /* p^{n+1} */
    branch_state<REAL> *states;
    const branch_factors_device<REAL> *factors;
    double *absorbed; /* in audited solvers, else NULL */
    uint64_t policy;
    REAL before;
};

/* Its new states replace the old ones, or go elsewhere. */
template <typename REAL> struct moved_point : branched_point<REAL> {
    branch_state<REAL> *moved;
};

template <typename REAL> __device__ __forceinline__ branch_state<REAL> *written_states(const branched_point<REAL> &at)
{
    return at.states;
}

template <typename REAL> __device__ __forceinline__ branch_state<REAL> *written_states(const moved_point<REAL> &at)
{
    return at.moved;
}

/* Applies the wall to `value`, p^{n+1} without its branches; returns p^{n+1} - p^{n-1}. */
template <typename REAL>
__device__ __forceinline__ REAL finish(const branched_point<REAL> &at, const branch_block &block, REAL value, REAL push)
{
    REAL change;
    *at.p = weigh_wall(value - push, at.before, (REAL)block.weight, block.heavy, &change);
    return change;
}

template <typename REAL> __device__ __forceinline__ double admittance_lost(const branch_block &block, REAL change)
{
    return block.half_a * (double)change * (double)change;
}

/* Loads all states together. EXACT: there are N branches, otherwise at most N. value(): called
 * while the loads are outstanding. */
template <typename REAL, int N, bool EXACT = true, typename POINT, typename VALUE>
__device__ __forceinline__ void step_branched(const POINT &at, const branch_block &block, VALUE value)
{
    branch_state<REAL> s[N];
    REAL push = 0;
#pragma unroll
    for (int m = 0; m < N; m++)
        if (EXACT || m < (int)block.count)
            s[m] = load_with_policy(at.states + m * BRANCH_THREADS, at.policy);
    const REAL rigid = value();
#pragma unroll
    for (int m = 0; m < N; m++)
        if (EXACT || m < (int)block.count)
            push += push_of<REAL>(at.factors[m], s[m]);
    const REAL change = finish<REAL>(at, block, rigid, push);
    double lost = 0.0;
#pragma unroll
    for (int m = 0; m < N; m++)
        if (EXACT || m < (int)block.count) {
            const REAL sum = step_state<REAL>(at.factors[m], change, s[m]);
            store_with_policy(written_states(at) + m * BRANCH_THREADS, s[m], at.policy);
            if (at.absorbed)
                lost += energy_lost(at.factors[m], sum);
        }
    if (at.absorbed)
        *at.absorbed += lost + admittance_lost(block, change);
}

/* The part of v⁺ + v that the tanks of a branch hold back. */
template <typename REAL, typename POINT>
__device__ __forceinline__ REAL held_back(const POINT &at, uint32_t first, uint32_t count)
{
    REAL sum = 0;
    for (uint32_t t = first; t < first + count; t++) {
        const branch_state<REAL> s = load_with_policy(at.states + t * BRANCH_THREADS, at.policy);
        sum += at.factors[t].four_bd * s.first - at.factors[t].twice_bf * s.second;
    }
    return sum;
}

/* Any number of branches and tanks, which are few enough to stay in the cache between the loops. */
template <typename REAL, typename POINT, typename VALUE>
__device__ __forceinline__ void step_many_branches(const POINT &at, const branch_block &block, VALUE value)
{
    REAL push = 0;
    double lost = 0.0;
    for (uint32_t m = 0; m < block.count; m++)
        push += push_of<REAL>(at.factors[m], load_with_policy(at.states + m * BRANCH_THREADS, at.policy));
    const REAL change = finish<REAL>(at, block, value(), push);
    REAL drive = change;
    for (uint32_t m = 0, tanks = 0; m < block.count; m++) {
        const branch_factors_device<REAL> &f = at.factors[m];
        const branch_state<REAL> s = load_with_policy(at.states + m * BRANCH_THREADS, at.policy);
        REAL sum = sum_of<REAL>(f, drive, s);
        if (f.tanks) {
            sum -= f.b * held_back<REAL>(at, m + 1, f.tanks);
            drive = sum;
            tanks = f.tanks;
        } else if (tanks && !--tanks) {
            drive = change;
        }
        lost += energy_lost(f, sum);
        store_with_policy(written_states(at) + m * BRANCH_THREADS, moved(s, sum), at.policy);
    }
    if (at.absorbed)
        *at.absorbed += lost + admittance_lost(block, change);
}

template <typename REAL, bool ONE_CODE, typename POINT, typename VALUE>
__device__ __forceinline__ void step_branches(const POINT &at, const branch_block &block, VALUE value)
{
    if (block.series || (ONE_CODE && block.count > 8))
        return step_many_branches<REAL>(at, block, value);
    if (ONE_CODE)
        return step_branched<REAL, 8, false>(at, block, value);
    switch (block.count) {
    case 1:
        return step_branched<REAL, 1>(at, block, value);
    case 2:
        return step_branched<REAL, 2>(at, block, value);
    case 3:
        return step_branched<REAL, 3>(at, block, value);
    case 4:
        return step_branched<REAL, 4>(at, block, value);
    case 5:
        return step_branched<REAL, 5>(at, block, value);
    case 6:
        return step_branched<REAL, 6>(at, block, value);
    case 7:
        return step_branched<REAL, 7>(at, block, value);
    case 8:
        return step_branched<REAL, 8>(at, block, value);
    default:
        return step_many_branches<REAL>(at, block, value);
    }
}

/* A block of boundary points, and the location of a thread's next point. Values that no step
 * changes are read before the previous step has ended. */
struct listed_points {
    uint32_t index;
    bool branched;
    branch_block block; /* for points with branches; for others only `points` is valid */
    uint64_t at;
    unsigned kind;

    template <typename REAL> __device__ __forceinline__ void open(const step<REAL> &s, uint32_t listed, unsigned thread)
    {
        const boundary_view<REAL> &b = s.boundary;
        index = listed;
        branched = index < b.branch_blocks;
        if (branched)
            block = b.blocks[index];
        else
            block.points = (unsigned)min(b.plain_count - first_plain(b), (uint64_t)BRANCH_THREADS);
        find(s, thread);
    }

    template <typename REAL> __device__ __forceinline__ uint64_t first_plain(const boundary_view<REAL> &b) const
    {
        return (uint64_t)(index - b.branch_blocks) * BRANCH_THREADS;
    }

    template <typename REAL> __device__ __forceinline__ void find(const step<REAL> &s, unsigned i)
    {
        const boundary_view<REAL> &b = s.boundary;
        if (branched) {
            const uint64_t slot = (uint64_t)index * BRANCH_THREADS + min(i, BRANCH_THREADS - 1u);
            at = block.base + b.offsets[slot];
            kind = b.branch_kinds[slot];
        } else {
            const uint64_t slot = min(first_plain(b) + i, b.plain_count - 1);
            at = b.plain_at[slot];
            kind = b.plain_kinds[slot];
        }
    }
};

/* Steps the points of a block. */
template <typename REAL, typename STENCIL>
__device__ __forceinline__ void step_boundary_points(const step<REAL> &s, listed_points &l, unsigned thread,
                                                     unsigned threads)
{
    const boundary_view<REAL> &b = s.boundary;
    const uint64_t policy = evict_last_policy(b.kept);
    for (unsigned i = thread; i < l.block.points; i += threads) {
        const uint64_t at = l.at;
        const unsigned kind = l.kind;
        const REAL before = s.before[at];
        if (l.branched) {
            const branched_point<REAL> point = {s.next + at,
                                                b.states + l.block.states / 2 + i,
                                                b.factors + l.block.first,
                                                b.absorbed ? b.absorbed + (uint64_t)l.index * BRANCH_THREADS + i
                                                           : nullptr,
                                                policy,
                                                before};
            const REAL *flow = b.branch_flows + (uint64_t)l.index * BRANCH_THREADS + i;
            step_branches<REAL, STENCIL::one_code>(
                point, l.block, [&] { return update_driven<REAL, STENCIL>(s, at, kind, before, flow); });
        } else {
            s.next[at] = update_driven<REAL, STENCIL>(s, at, kind, before, b.plain_flows + l.first_plain(b) + i);
        }
        l.find(s, i + threads);
    }
}

/* --- for the kernels of the field --- */

/* Which of a thread's points x .. x + V - 1 of a row are interior points, plane by plane. */
struct interior_row {
    uint32_t word; /* of the next plane */

    template <typename REAL> __device__ __forceinline__ void open(const step<REAL> &s, int x, int y, int z)
    {
        word = (uint32_t)(z * s.ny + min(y, s.ny - 1)) * (uint32_t)s.boundary.words + (uint32_t)min(x, s.nx - 1) / 32u;
    }

    /* Bit i: point x + i. */
    template <int V, typename REAL> __device__ __forceinline__ unsigned read(const step<REAL> &s, int x, int y) const
    {
        const uint32_t bits = s.boundary.interior[word] >> ((unsigned)x & 31u) & ((1u << V) - 1u);
        return x < s.nx && y < s.ny ? bits : 0u;
    }

    template <typename REAL> __device__ __forceinline__ void next_plane(const step<REAL> &s)
    {
        word += (uint32_t)(s.ny * s.boundary.words);
    }
};

/* Stores the values whose bits are set; PACKED: V consecutive values of a row. */
template <int V, typename REAL, typename PACKED>
__device__ __forceinline__ void store_interior(REAL *to, const PACKED &out, unsigned bits)
{
    if (bits == (1u << V) - 1u)
        *reinterpret_cast<PACKED *>(to) = out;
    else
#pragma unroll
        for (int i = 0; i < V; i++)
            if (bits >> i & 1u)
                to[i] = out.v[i];
}

#endif
