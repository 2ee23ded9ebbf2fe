/* SPDX-License-Identifier: MIT */
/* The kernel of wall tiles, by stencil. */
#ifndef AULA_CUDA_WALL_TILES_KERNEL_CUH
#define AULA_CUDA_WALL_TILES_KERNEL_CUH

#include "cuda/ptx.cuh"
#include "cuda/step/branch_update.cuh"
#include "cuda/temporal/completion_flag.cuh"
#include "cuda/temporal/wall_tiles_lines.cuh"

namespace
{

/* A warp's shared memory: lines that it loads ahead, the line that it writes, and the states of lines between level
 * 0 and level STEPS. */
template <typename REAL, int STEPS, int N> struct wall_tile_shape {
    enum {
        DEPTH = 2 * STEPS,
        STAGES = 2 /* by parity of the line */,
        SLOTS = STEPS + 1,
        LINE_STATES = N * WALL_TILE_LANES
    };
    enum { STAGED = (DEPTH + 1) * WALL_TILE_LANES, DONE_ROW = STEPS | 1 /* odd: no two lanes in one bank */ };
    struct alignas(128) shared {
        REAL staged[STAGES][2][STAGED]; /* p and p⁻ of a line */
        REAL done[2][WALL_TILE_LANES * DONE_ROW];
        branch_state<REAL> states[SLOTS * LINE_STATES];
        branch_multipliers<REAL> factors[N];
    };
    /* The tiles of a block are neighbours, which read and write the same pages of memory: blocks of one warp took
     * half as long again. A block takes a third of a multiprocessor's shared memory at least: otherwise the
     * multiprocessors that are idle first, at the end of a temporal block, take so many blocks that the last ones
     * get none. */
    enum { HELD = sizeof(REAL) == sizeof(float) && N <= 8 };
    enum { BYTES_MAX = 227 << 10, THIRD_BYTES = 58 << 10, WARPS = 4 };
    static constexpr int warps = BYTES_MAX / sizeof(shared) < WARPS ? (int)(BYTES_MAX / sizeof(shared)) : (int)WARPS;
    static constexpr size_t bytes = warps * sizeof(shared) > THIRD_BYTES ? warps * sizeof(shared) : (size_t)THIRD_BYTES;
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900 /* no temporal blocks on older devices */

/* How a warp copies a line [lane][DEPTH] to shared memory. Lanes along x: each copy 16 bytes of one depth. Depth
 * along x: each copy one point, and the warp as many whole columns at once as it has lanes for. */
template <typename REAL, int STEPS, bool DEPTH_IS_X> struct line_copy {
    enum { DEPTH = 2 * STEPS, VECTOR = 16 / sizeof(REAL), ROW_COPIES = WALL_TILE_LANES / VECTOR };
    enum { ROW = DEPTH + 1 /* odd: no two lanes in one bank */ };
    enum { TOGETHER = WALL_TILE_LANES / (DEPTH_IS_X ? (int)DEPTH : (int)ROW_COPIES) }; /* columns, or depths */
    enum { ALL = DEPTH_IS_X ? WALL_TILE_LANES : (int)DEPTH, COPIES = (ALL + TOGETHER - 1) / TOGETHER };
    enum { EVEN = ALL % TOGETHER == 0 && (!DEPTH_IS_X || TOGETHER * DEPTH == WALL_TILE_LANES) }; /* no lane is idle */

    int first, to;    /* of the first copy: column or depth; in shared memory */
    int64_t at, step; /* in the grid, and from copy to copy */

    __device__ __forceinline__ line_copy(int lane, int64_t lane_step, int64_t depth_step)
    {
        if (DEPTH_IS_X) {
            first = lane < TOGETHER * DEPTH ? lane / DEPTH : (int)ALL;
            at = first * lane_step + lane % DEPTH * depth_step;
            to = first * ROW + lane % DEPTH;
            step = TOGETHER * lane_step;
        } else {
            first = lane / ROW_COPIES;
            at = first * depth_step + lane % ROW_COPIES * VECTOR;
            to = first * WALL_TILE_LANES + lane % ROW_COPIES * VECTOR;
            step = TOGETHER * depth_step;
        }
    }

    __device__ __forceinline__ void copy(REAL *stage, const REAL *from) const
    {
        from += at;
#pragma unroll
        for (int i = 0; i < COPIES; i++) {
            if (EVEN || first + i * TOGETHER < ALL)
                ptx::cp_async<DEPTH_IS_X ? sizeof(REAL) : 16>(
                    stage + to + i * TOGETHER * (DEPTH_IS_X ? (int)ROW : (int)WALL_TILE_LANES), from);
            from += step;
        }
    }

    /* Index in `stage` of a point. */
    static __device__ __forceinline__ int place(int lane, int depth)
    {
        return DEPTH_IS_X ? lane * ROW + depth : depth * WALL_TILE_LANES + lane;
    }
};

/* The kind of a tile's wall. After `branches` the factors are 0: those states stay 0, and add nothing. Few factors stay
 * in registers, many in shared memory. */
template <typename REAL, int N, bool HELD> struct wall_tile_kind;

template <typename REAL, int N> struct wall_tile_kind<REAL, N, true> {
    REAL weight;
    bool heavy;
    unsigned branches;
    branch_multipliers<REAL> factors[N];
};

template <typename REAL, int N> struct wall_tile_kind<REAL, N, false> {
    REAL weight;
    bool heavy;
    unsigned branches;
    const branch_multipliers<REAL> *factors;
};

template <typename REAL, int N, bool HELD>
__device__ __forceinline__ void open_kind(wall_tile_kind<REAL, N, HELD> &kind, const wall_tile_arguments<REAL> &s,
                                          branch_multipliers<REAL> *shared, uint32_t number)
{
    const boundary_kind of_wall = s.kinds[number];
    kind.weight = (REAL)of_wall.weight;
    kind.heavy = of_wall.heavy;
    kind.branches = of_wall.count;
    if constexpr (HELD) {
#pragma unroll
        for (int m = 0; m < N; m++)
            kind.factors[m] =
                m < of_wall.count ? (branch_multipliers<REAL>)s.factors[of_wall.first + m] : branch_multipliers<REAL>{};
    } else {
        for (int m = (int)threadIdx.x; m < N; m += WALL_TILE_LANES)
            shared[m] =
                m < of_wall.count ? (branch_multipliers<REAL>)s.factors[of_wall.first + m] : branch_multipliers<REAL>{};
        kind.factors = shared;
        __syncwarp();
    }
}

/* p⁺ of a wall's point; rigid: what it would be without branches. Loads the states of the point, and steps them. */
template <typename REAL, int N, typename KIND>
__device__ __forceinline__ REAL step_wall(const KIND &s, branch_state<REAL> (&state)[N],
                                          const branch_state<REAL> *states, REAL rigid, REAL old)
{
    REAL push = 0, change;
#pragma unroll
    for (int m = 0; m < N; m++) {
        state[m] = states[m * WALL_TILE_LANES];
        push += push_of<REAL>(s.factors[m], state[m]);
    }
    const REAL after = weigh_wall(rigid - push, old, s.weight, s.heavy, &change);
#pragma unroll
    for (int m = 0; m < N; m++)
        step_state<REAL>(s.factors[m], change, state[m]);
    return after;
}

/* Writes the first STEPS depths of a line, a column a lane, of the last level and the one before; at: its point of
 * lane 0 and depth 0. Depth along x: through shared memory, so that neighbouring lanes write neighbouring points. */
template <typename REAL, int STEPS, int N, int AXIS>
__device__ __forceinline__ void
write_line(const wall_tile_arguments<REAL> &s, typename wall_tile_shape<REAL, STEPS, N>::shared &shared,
           const wall_tile &one, const int lane, int64_t at, int64_t lane_step, int64_t depth_step, bool writes,
           const REAL (&last)[2 * STEPS], const REAL (&last_but_one)[2 * STEPS])
{
    enum { DONE_ROW = wall_tile_shape<REAL, STEPS, N>::DONE_ROW };
    if (AXIS > 0 && writes)
#pragma unroll
        for (int d = 0; d < STEPS; d++) {
            s.next[at + lane + d * depth_step] = last[d];
            s.next_before[at + lane + d * depth_step] = last_but_one[d];
        }
    if (AXIS == 0) {
#pragma unroll
        for (int d = 0; d < STEPS; d++) {
            shared.done[0][lane * DONE_ROW + d] = last[d];
            shared.done[1][lane * DONE_ROW + d] = last_but_one[d];
        }
        __syncwarp();
#pragma unroll
        for (int k = 0; k < STEPS; k++) {
            const int column = (k * WALL_TILE_LANES + lane) / STEPS, d = (k * WALL_TILE_LANES + lane) % STEPS;
            if (column >= one.first_lane && column < one.end_lane) {
                s.next[at + column * lane_step + d * depth_step] = shared.done[0][column * DONE_ROW + d];
                s.next_before[at + column * lane_step + d * depth_step] = shared.done[1][column * DONE_ROW + d];
            }
        }
        __syncwarp();
    }
}

/* A warp streams its tile along the lines; AXIS: of the wall's normal. Round i loads p^n of line i and p^{n-1} of
 * line i - 1, and computes level n + t of line i - t, t = 1 .. STEPS, so that a level trails the one before by one
 * line. Phases of a round:
 *   1. the line that was loaded ahead goes from shared memory to registers, and the loads of line i + 2 start.
 *      Before the first line is written, the warp waits for the temporal block;
 *   2. level by level: the column of the thread, then its point of the wall with its branches. The last level is
 *      written, with its states;
 *   3. each level's lines move up by one;
 *   4. the loads of the states of line i + 1 start: they take the place of those of the line that was written. */
template <typename REAL, int STEPS, int N, int AXIS, enum air_stencil STENCIL>
__device__ __forceinline__ void step_wall_tile(const wall_tile_arguments<REAL> &s,
                                               typename wall_tile_shape<REAL, STEPS, N>::shared &shared,
                                               const wall_tile &one)
{
    typedef wall_tile_shape<REAL, STEPS, N> shape;
    typedef line_copy<REAL, STEPS, AXIS == 0> copies;
    enum { DEPTH = shape::DEPTH };
    const int lane = (int)threadIdx.x;
    const bool writes = lane >= one.first_lane && lane < one.end_lane;
    const int64_t steps[3] = {1, s.pitch, s.plane}, line_step = steps[AXIS == 2 ? 1 : 2],
                  lane_step = steps[AXIS == 0 ? 1 : 0];
    const int64_t depth_step = one.face % 2 ? -steps[AXIS] : steps[AXIS];
    const int64_t origin = one.from[2] * s.plane + (int64_t)one.from[1] * s.pitch + one.from[0];
    const copies line_copies(lane, lane_step, depth_step);
    const uint32_t *first_states = s.first_states + one.states + lane;
    wall_tile_lines<REAL, STEPS, AXIS, STENCIL> lines = {};
    wall_tile_kind<REAL, N, shape::HELD> kind;
    open_kind(kind, s, shared.factors, one.kind);

    const auto load_ahead = [&](int line) { /* p of a line, p⁻ of the one before */
                                            const int64_t at = origin + line * line_step;
                                            if (line < one.lines)
                                                line_copies.copy(shared.staged[line & 1][0], s.now + at);
                                            if (line < one.lines && line >= 2)
                                                line_copies.copy(shared.staged[line & 1][1],
                                                                 s.before + (at - line_step));
    };
    const auto load_states = [&](int line, uint32_t first_state, int slot) {
        if (line < one.lines)
#pragma unroll
            for (int m = 0; m < N; m++)
                if (m < kind.branches)
                    ptx::cp_async<2 * sizeof(REAL)>(shared.states + slot * shape::LINE_STATES + m * WALL_TILE_LANES +
                                                        lane,
                                                    s.states_in + first_state + m * BRANCH_THREADS);
    };
    const auto first_state_of = [&](int line) {
        return line < one.lines ? __ldg(first_states + line * WALL_TILE_LANES) : 0;
    };

    load_ahead(0);
    ptx::cp_async_commit_group();
    load_ahead(1);
    ptx::cp_async_commit_group();
    uint32_t ahead = first_state_of(1); /* of the states that are loaded next */
    if (kind.branches < N)
#pragma unroll 1
        for (int i = 0; i < shape::SLOTS * N; i++)
            shared.states[i * WALL_TILE_LANES + lane] = {REAL(0), REAL(0)};
    int slot = 0; /* of the states of line i + 1 */
    for (int i = 0; i < one.lines; i++) {
        REAL front[DEPTH], old[DEPTH]; /* of level t - 1: its newest line; p^{n-1} of line i - 1 */
        slot = slot + 1 < shape::SLOTS ? slot + 1 : 0;
        if (i == 2 * STEPS)
            wait_for_completion(s.complete);
        ptx::cp_async_wait_group<1>();
        __syncwarp();
#pragma unroll
        for (int d = 0; d < DEPTH; d++) {
            front[d] = shared.staged[i & 1][0][copies::place(lane, d)];
            old[d] = d < DEPTH - 1 ? shared.staged[i & 1][1][copies::place(lane, d)] : REAL(0);
        }
        __syncwarp();
        load_ahead(i + 2);
        const uint32_t done = i >= 2 * STEPS ? first_state_of(i - STEPS) : 0;
#pragma unroll
        for (int t = 1; t <= STEPS; t++) {
            REAL made[DEPTH];
#pragma unroll
            for (int d = 0; d < DEPTH; d++)
                made[d] = REAL(0);
            lines.read_front(t, front);
            if (i >= 2 * t) {
                lines.make(t, made, front, old, s);
                const int behind = slot - 1 - t; /* of line i - t */
                branch_state<REAL> *states = shared.states +
                                             (behind < 0 ? behind + shape::SLOTS : behind) * shape::LINE_STATES + lane,
                                   state[N];
                made[0] = step_wall(kind, state, states, made[0], t == 1 ? old[0] : lines.back[t == 1 ? 0 : t - 2][0]);
                if (t < STEPS) {
#pragma unroll
                    for (int m = 0; m < N; m++)
                        states[m * WALL_TILE_LANES] = state[m];
                } else {
                    const int64_t at = origin + (i - STEPS) * line_step;
                    if (writes)
#pragma unroll
                        for (int m = 0; m < N; m++)
                            if (m < kind.branches)
                                s.states_out[done + m * BRANCH_THREADS] = state[m];
                    write_line<REAL, STEPS, N, AXIS>(s, shared, one, lane, at, lane_step, depth_step, writes, made,
                                                     lines.middle[STEPS - 1]);
                }
            }
            lines.move_on(t, front, made);
        }
        load_states(i + 1, ahead, slot);
        ptx::cp_async_commit_group();
        ahead = first_state_of(i + 2);
    }
}

/* A warp a tile. Until the completion flag is set, reads only what is older than the temporal block before it. */
template <typename REAL, int STEPS, int N, enum air_stencil STENCIL>
__global__ void __launch_bounds__(WALL_TILE_LANES *wall_tile_shape<REAL, STEPS, N>::warps)
    step_wall_tiles(const __grid_constant__ wall_tile_arguments<REAL> s)
{
    release_next_kernel();
    invalidate_first_level_cache();
    extern __shared__ __align__(128) unsigned char shared_memory[];
    auto &shared = reinterpret_cast<typename wall_tile_shape<REAL, STEPS, N>::shared *>(shared_memory)[threadIdx.y];
    const unsigned which = blockIdx.x * wall_tile_shape<REAL, STEPS, N>::warps + threadIdx.y;
    if (which >= s.tile_count)
        return;
    const wall_tile one = s.tiles[which];
    if (one.face < 2)
        step_wall_tile<REAL, STEPS, N, 0, STENCIL>(s, shared, one);
    else if (one.face < 4)
        step_wall_tile<REAL, STEPS, N, 1, STENCIL>(s, shared, one);
    else
        step_wall_tile<REAL, STEPS, N, 2, STENCIL>(s, shared, one);
    wait_for_previous_kernel();
}

#else

template <typename REAL, int STEPS, int N, enum air_stencil STENCIL>
__global__ void step_wall_tiles(const __grid_constant__ wall_tile_arguments<REAL>)
{
}

#endif

template <typename REAL, int STEPS, int N, enum air_stencil STENCIL> wall_tile_kernel<REAL> wall_tile_kernel_of()
{
    typedef wall_tile_shape<REAL, STEPS, N> shape;
    return {N, step_wall_tiles<REAL, STEPS, N, STENCIL>, shape::bytes, shape::warps};
}

template <typename REAL, int STEPS, enum air_stencil STENCIL>
wall_tile_kernel<REAL> wall_tile_kernel_of(unsigned branches)
{
    switch (wall_tile_branches_held(branches)) {
    case 4:
        return wall_tile_kernel_of<REAL, STEPS, 4, STENCIL>();
    case 6:
        return wall_tile_kernel_of<REAL, STEPS, 6, STENCIL>();
    case 8:
        return wall_tile_kernel_of<REAL, STEPS, 8, STENCIL>();
    case 11:
        return wall_tile_kernel_of<REAL, STEPS, 11, STENCIL>();
    default:
        return wall_tile_kernel_of<REAL, STEPS, WALL_TILE_BRANCHES_MAX, STENCIL>();
    }
}

} // namespace

#endif
