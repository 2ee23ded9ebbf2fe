/* SPDX-License-Identifier: MIT */
/* The kernel of boundary tiles, by stencil. */
#ifndef AULA_CUDA_BOUNDARY_TILES_KERNEL_CUH
#define AULA_CUDA_BOUNDARY_TILES_KERNEL_CUH

#include "cuda/grid/corners.cuh"
#include "cuda/ptx.cuh"
#include "cuda/step/branch_update.cuh"
#include "cuda/temporal/boundary_tiles.cuh"
#include "cuda/temporal/completion_flag.cuh"

namespace
{

/* Points of a thread, and how many it loads at once; codes whose coefficients are in shared memory. */
enum { OWN = BOUNDARY_TILE_POINTS_MAX / BOUNDARY_TILE_THREADS, TOGETHER = 4, TABLE = 128 };

/* The limits of tiles for blocks of so many threads. */
template <int THREADS> struct boundary_tile_size {
    enum {
        POINTS = BOUNDARY_TILE_POINTS_MAX / (BOUNDARY_TILE_THREADS / THREADS),
        VALUES = BOUNDARY_TILE_VALUES_MAX / (BOUNDARY_TILE_THREADS / THREADS)
    };
};

/* A point of the field by its code: the factors that a code stands for, and p⁺ without the wall. */
template <typename REAL, enum air_stencil STENCIL>
struct point_update {
    static __device__ __forceinline__ coefficients<REAL> factors(coefficients<REAL> code){return code;}

static __device__ __forceinline__ REAL rigid(const coefficients<REAL> &c, REAL side, const REAL *p, REAL old, int row,
                                             int plane)
{
    const REAL sum = ((p[-1] + p[1]) + (p[-row] + p[row])) + (p[-plane] + p[plane]);
    return (c.centre * *p + side * sum) - old;
}
}; // namespace

template <typename REAL> struct point_update<REAL, STENCIL_19_POINT> {
    enum { ASSEMBLED = PATTERN_ALL + 1 }; /* added to the pattern of a point that does not mirror its neighbours */

    static __device__ __forceinline__ coefficients<REAL> factors(coefficients<REAL> code)
    {
        const unsigned pattern = pattern_of(code);
        return {REAL(pattern_mirrors(pattern) ? pattern : pattern | ASSEMBLED), code.weight};
    }

    /* Offsets are computed for each point: those of all points of a thread do not fit into its registers. */
    static __device__ __forceinline__ REAL rigid(const coefficients<REAL> &c, REAL, const REAL *p, REAL old,
                                                 int tile_row, int tile_plane)
    {
        const int row = ptx::opaque(tile_row), plane = ptx::opaque(tile_plane);
        const unsigned pattern = pattern_of(c);
        return pattern & ASSEMBLED ? assembled_update(p, old, pattern & PATTERN_ALL, row, plane)
                                   : mirrored_update(p, old, pattern, row, plane);
    }
};

/* A thread's point with branches: its constants, p of the last two levels, and where its states are. */
template <typename REAL> struct thread_wall {
    unsigned first, count; /* state of the first branch; branches */
    uint16_t at, halo;
    bool heavy;
    uint32_t factors; /* of the first */
    REAL weight, now, before;
    branch_state<REAL> *states; /* [branch][WARP_WALLS] */
};

/* Reads the constants, and begins to copy the states. */
template <typename REAL>
__device__ __forceinline__ void open_wall(thread_wall<REAL> &w, const boundary_tile_arguments<REAL> &s,
                                          const boundary_tile &b, branch_state<REAL> *states)
{
    w.count = 0;
    w.at = 0;
    w.halo = NO_POINT;
    if (threadIdx.x >= b.wall_count)
        return;
    const boundary_wall wall = s.walls[b.first_wall + threadIdx.x];
    const boundary_kind kind = s.kinds[wall.kind];
    w.at = wall.at;
    w.halo = wall.halo;
    w.first = wall.first_state;
    w.count = kind.count;
    w.factors = kind.first;
    w.heavy = kind.heavy;
    w.weight = (REAL)kind.weight;
    w.states = states + wall.states + threadIdx.x % WARP_WALLS;
    for (unsigned m = 0; m < w.count; m++)
        copy_to_shared(w.states + m * WARP_WALLS, s.states_in + wall.first_state + m * BRANCH_THREADS);
}

/* Subtracts the branches from next[w.at], which was computed without them, and steps their states. */
template <typename REAL>
__device__ __forceinline__ void step_wall(thread_wall<REAL> &w, const boundary_tile_arguments<REAL> &s, REAL *next)
{
    const branch_factors_device<REAL> *f = s.factors + w.factors;
    REAL push = 0, change;
#pragma unroll 3
    for (unsigned m = 0; m < w.count; m++)
        push += push_of<REAL>(f[m], w.states[m * WARP_WALLS]);
    const REAL after = weigh_wall(next[w.at] - push, w.before, w.weight, w.heavy, &change);
    next[w.at] = after;
    w.before = w.now;
    w.now = after;
#pragma unroll 3
    for (unsigned m = 0; m < w.count; m++) {
        branch_state<REAL> state = w.states[m * WARP_WALLS];
        step_state<REAL>(f[m], change, state);
        w.states[m * WARP_WALLS] = state;
    }
}

/* A block a tile. Phases:
 *   1. loads the tile, one point with branches a thread. Until the completion flag is set, the kernel reads only
 *      what is older than the temporal block that it follows, and writes nothing;
 *   2. level by level: points, drives, walls with branches, taps. Level t is computed STEPS - t points into the
 *      halo;
 *   3. once the temporal block is complete, writes the last two levels and the states over its own. */
template <typename REAL, int THREADS, enum air_stencil STENCIL>
__global__ void __launch_bounds__(THREADS, (int)BOUNDARY_TILE_THREADS / THREADS)
    step_boundary_tiles(const __grid_constant__ boundary_tile_arguments<REAL> s)
{
    release_next_kernel();
    invalidate_first_level_cache();
    typedef point_update<REAL, STENCIL> update;
    extern __shared__ __align__(128) unsigned char shared_memory[];
    REAL *now = reinterpret_cast<REAL *>(shared_memory), *before = now + boundary_tile_size<THREADS>::VALUES;
    coefficients<REAL> *table = reinterpret_cast<coefficients<REAL> *>(before + boundary_tile_size<THREADS>::VALUES);
    point_code *codes = reinterpret_cast<point_code *>(table + TABLE);
    branch_state<REAL> *states = reinterpret_cast<branch_state<REAL> *>(codes + boundary_tile_size<THREADS>::POINTS);
    const boundary_tile b = s.tiles[blockIdx.x];
    const temporal_block<REAL> &field = s.field;
    const int thread = (int)threadIdx.x;
    const int row = b.size[0] + 2, plane = row * (b.size[1] + 2), values = plane * (b.size[2] + 2);
    const int64_t first = b.from[2] * field.plane + (int64_t)b.from[1] * field.pitch + b.from[0];
    const boundary_point *points = s.points + (size_t)b.shape * BOUNDARY_TILE_POINTS_MAX + thread;
    uint32_t own[OWN];                             /* of the thread's points: value | halo << HALO_SHIFT */
    for (int i = thread; i < values; i += THREADS) /* the ring stays 0 */
        now[i] = before[i] = REAL(0);
    for (int i = thread; i < TABLE && i < s.code_count; i += THREADS)
        table[i] = update::factors(field.codes[i]);
    thread_wall<REAL> wall;
    open_wall(wall, s, b, states);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < OWN; k += TOGETHER) {
        boundary_point p[TOGETHER];
        REAL p_now[TOGETHER], p_before[TOGETHER];
        point_code code[TOGETHER];
#pragma unroll
        for (int j = 0; j < TOGETHER; j++)
            p[j] = points[(k + j) * THREADS];
#pragma unroll
        for (int j = 0; j < TOGETHER; j++) { /* after the last point the tile's first is loaded, and not used */
            p_now[j] = s.now[first + p[j].at];
            p_before[j] = s.before[first + p[j].at];
            code[j] = field.map[first + p[j].at];
        }
#pragma unroll
        for (int j = 0; j < TOGETHER; j++) {
            own[k + j] = p[j].value;
            if (p[j].value >> HALO_SHIFT == NO_POINT)
                continue;
            now[p[j].value & VALUE_MASK] = p_now[j];
            before[p[j].value & VALUE_MASK] = p_before[j];
            codes[thread + (k + j) * THREADS] = code[j];
        }
    }
    wait_for_copies();
    __syncthreads();
    wall.now = now[wall.at];
    wall.before = before[wall.at];
    __syncthreads();
    if (b.event_count)
        wait_for_completion(s.complete); /* taps overwrite what the temporal block wrote to the tap history */
    const unsigned long long level = *field.base + (unsigned long long)field.offset;
    for (int t = 1; t <= s.steps; t++) {
        const unsigned halo_max = (unsigned)(s.steps - t); /* that later levels still need */
#pragma unroll
        for (int k = 0; k < OWN; k++) {
            const unsigned code = own[k] >> HALO_SHIFT <= halo_max ? codes[thread + k * THREADS] : 0u;
            if (!code)
                continue;
            const REAL *p = now + (own[k] & VALUE_MASK);
            REAL *u = before + (own[k] & VALUE_MASK);
            const coefficients<REAL> c = code < TABLE ? table[code] : update::factors(field.codes[code]);
            const REAL old = *u, rigid = update::rigid(c, field.side, p, old, row, plane);
            *u = rigid + c.weight * (old - rigid);
        }
        __syncthreads();
        if (b.event_count) {
            for (unsigned i = threadIdx.x; i < b.event_count; i += THREADS) {
                const boundary_event e = s.events[b.first_event + i];
                if (!e.event.tap && e.halo <= halo_max)
                    before[e.at] += temporal::drive_value(field, e.event, t - 1);
            }
            __syncthreads();
        }
        if (wall.halo <= halo_max)
            step_wall(wall, s, before);
        __syncthreads();
        REAL *made = before;
        before = now;
        now = made;
        for (unsigned i = threadIdx.x; i < b.event_count; i += THREADS) {
            const boundary_event e = s.events[b.first_event + i];
            if (e.event.tap)
                field.tap_history[e.event.first * field.tap_history_stride + level + (unsigned long long)t] =
                    (double)now[e.at];
        }
    }
    wait_for_completion(s.complete);
#pragma unroll
    for (int k = 0; k < OWN; k++)
        if (own[k] >> HALO_SHIFT == 0 && codes[thread + k * THREADS]) {
            const int64_t at = first + points[k * THREADS].at;
            field.next[at] = now[own[k] & VALUE_MASK];
            field.next_before[at] = before[own[k] & VALUE_MASK];
        }
    if (wall.halo == 0)
        for (unsigned m = 0; m < wall.count; m++)
            s.states_out[wall.first + m * BRANCH_THREADS] = wall.states[m * WARP_WALLS];
    wait_for_previous_kernel();
}

template <typename REAL, int THREADS, enum air_stencil STENCIL>
constexpr boundary_tile_kernel<REAL> boundary_tile_kernel_of()
{
    typedef boundary_tile_size<THREADS> size;
    return {step_boundary_tiles<REAL, THREADS, STENCIL>, THREADS,
            2 * size::VALUES * sizeof(REAL) + TABLE * sizeof(coefficients<REAL>) + size::POINTS * sizeof(point_code)};
}

} // namespace

/* The slowest first. */
template <typename REAL, enum air_stencil STENCIL> const boundary_tile_kernel<REAL> *boundary_tile_kernels()
{
    enum { HALF = BOUNDARY_TILE_THREADS / 2, WHOLE = BOUNDARY_TILE_THREADS };
    static const boundary_tile_kernel<REAL> all[BOUNDARY_TILE_KERNELS] = {
        boundary_tile_kernel_of<REAL, WHOLE, STENCIL>(), boundary_tile_kernel_of<REAL, HALF, STENCIL>()};
    return all;
}

#endif
