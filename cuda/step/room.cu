/* SPDX-License-Identifier: MIT */
/* The single-step kernel for any room and any walls.
 *
 * A warp spans a row of 32 vectors along x, so that neighbours along x are exchanged by shuffles.
 * Each thread streams along z through `chunk` planes with p of three planes in registers. Inside
 * the box of air, walls need no branches in the code: each point has the coefficients (2 - λ²K,
 * a/(1+a)) of its state, which change only in the first and last plane. In rooms with boundary
 * points, separate thread blocks step these (boundary_step.cuh), including those at plain walls of
 * the box. In tiles with other than interior points (MASK), one bit per point marks the interior
 * points, and the others are left unchanged. Each block adds the drives of its tile at its end; the
 * first blocks read the taps from p^n. The order of arithmetic is that of the CPU engine, without
 * contraction: the same bits. */
#include "cuda/grid/view.cuh"
#include "cuda/ptx.cuh"
#include "cuda/step/audio.cuh"
#include "cuda/step/boundary_step.cuh"
#include "cuda/step/one_step.cuh"
#include "cuda/step/step_tiles.cuh"

namespace
{

template <typename REAL, int V> struct alignas(sizeof(REAL) * V) packed {
    REAL v[V];
};

template <typename REAL, int V> __device__ __forceinline__ packed<REAL, V> load(const REAL *p)
{
    return *reinterpret_cast<const packed<REAL, V> *>(p);
}

template <typename REAL, int V> __device__ __forceinline__ packed<REAL, V> zero()
{
    packed<REAL, V> z;
#pragma unroll
    for (int i = 0; i < V; i++)
        z.v[i] = REAL(0);
    return z;
}

/* Coefficients of a thread's points in plane z; bit i of inside: point i is updated. */
template <typename REAL, int V>
__device__ __forceinline__ unsigned box_coefficients(const step<REAL> &s, int x, int y, int z, REAL (&centre)[V],
                                                     REAL (&weight)[V])
{
    unsigned inside = 0;
    const bool in_row = y >= s.from[1] && y < s.to[1] && z >= s.from[2] && z < s.to[2];
    const unsigned around = (unsigned)(y == s.from[1]) << 2 | (unsigned)(y + 1 == s.to[1]) << 3 |
                            (unsigned)(z == s.from[2]) << 4 | (unsigned)(z + 1 == s.to[2]) << 5;
#pragma unroll
    for (int i = 0; i < V; i++) {
        const unsigned ends = (unsigned)(x + i == s.from[0]) | (unsigned)(x + i + 1 == s.to[0]) << 1;
        const coefficients<REAL> c = s.states[(around | ends) & s.missing];
        centre[i] = c.centre;
        weight[i] = c.weight;
        inside |= (unsigned)(in_row && x + i >= s.from[0] && x + i < s.to[0]) << i;
    }
    return inside;
}

template <typename REAL, int V, bool MASK>
__device__ __forceinline__ void stream_planes(const step<REAL> &s, int x, int y, int z0, int z1)
{
    const bool loads = x < s.pitch;
    const int lane = (int)(threadIdx.x & 31u);
    const int64_t at = (int64_t)z0 * s.plane + (int64_t)y * s.pitch + x;
    const REAL *p = s.now + at;
    REAL *u = s.next + at;
    packed<REAL, V> below = loads && z0 > 0 ? load<REAL, V>(p - s.plane) : zero<REAL, V>();
    packed<REAL, V> here = loads ? load<REAL, V>(p) : zero<REAL, V>();
    const REAL middle = s.states[0].centre; /* of interior points */
    REAL centre[V], weight[V];
    unsigned inside = 0, bits = 0, next_bits = 0; /* for this plane and the next, read one iteration ahead */
    interior_row interior;
    if (MASK) {
        interior.open(s, x, y, z0);
        next_bits = interior.read<V>(s, x, y);
    }
#pragma unroll(MASK ? 1 : 2)
    for (int z = z0; z < z1; z++) {
        if (MASK) {
            bits = next_bits;
            if (z + 1 < z1)
                interior.next_plane(s);
            next_bits = interior.read<V>(s, x, y);
        }
        if (MASK && loads && lane % (128 / (V * (int)sizeof(REAL))) == 0 && z + 2 < s.nz && z + 1 < z1) {
            ptx::prefetch_global_l2(u + s.plane);
            ptx::prefetch_global_l2(p + 2 * s.plane);
        }
        const packed<REAL, V> above = loads && z + 1 < s.nz ? load<REAL, V>(p + s.plane) : zero<REAL, V>();
        const packed<REAL, V> front = loads && y > 0 ? load<REAL, V>(p - s.pitch) : zero<REAL, V>();
        const packed<REAL, V> back = loads && y + 1 < s.ny ? load<REAL, V>(p + s.pitch) : zero<REAL, V>();
        const packed<REAL, V> old = (MASK ? bits != 0u : loads) ? load<REAL, V>(u) : zero<REAL, V>();
        REAL left = __shfl_up_sync(0xffffffffu, here.v[V - 1], 1);
        REAL right = __shfl_down_sync(0xffffffffu, here.v[0], 1);
        if (lane == 0)
            left = loads && x > 0 ? p[-1] : REAL(0);
        if (lane == 31)
            right = x + V < s.pitch ? p[V] : REAL(0);
        if (!MASK && (z == z0 || z == s.from[2] || z == s.from[2] + 1 || z == s.to[2] - 1 || z == s.to[2])) {
            inside = box_coefficients<REAL, V>(s, x, y, z, centre, weight); /* constant between these planes */
        }
        packed<REAL, V> out;
#pragma unroll
        for (int i = 0; i < V; i++) {
            const REAL x_min = i > 0 ? here.v[i > 0 ? i - 1 : 0] : left;
            const REAL x_max = i + 1 < V ? here.v[i + 1 < V ? i + 1 : 0] : right;
            const REAL sum = ((x_min + x_max) + (front.v[i] + back.v[i])) + (below.v[i] + above.v[i]);
            const REAL rigid = ((MASK ? middle : centre[i]) * here.v[i] + s.side * sum) - old.v[i];
            out.v[i] = MASK ? rigid : inside >> i & 1u ? weigh(rigid, old.v[i], weight[i]) : REAL(0);
        }
        if (MASK)
            store_interior<V>(u, out, bits);
        else if (loads)
            *reinterpret_cast<packed<REAL, V> *>(u) = out;
        below = here;
        here = above;
        p += s.plane;
        u += s.plane;
    }
}

/* --- lossy air: theory (22), which also needs the six neighbours of p^{n-1} --- */

/* Coefficients of a thread's points in a plane. */
template <typename REAL, int V> struct point_factors {
    REAL centre[V], weight[V];
    REAL old_centre[V];
    unsigned inside; /* bit i: point i is updated */
};

/* Factors of regular points. */
template <typename REAL, int V>
__device__ __forceinline__ void box_factors(const step<REAL> &s, int x, int y, int z, point_factors<REAL, V> &f)
{
    const bool in_row = y >= s.from[1] && y < s.to[1] && z >= s.from[2] && z < s.to[2];
    const unsigned around = (unsigned)(y == s.from[1]) << 2 | (unsigned)(y + 1 == s.to[1]) << 3 |
                            (unsigned)(z == s.from[2]) << 4 | (unsigned)(z + 1 == s.to[2]) << 5;
    f.inside = 0;
#pragma unroll
    for (int i = 0; i < V; i++) {
        const unsigned ends = (unsigned)(x + i == s.from[0]) | (unsigned)(x + i + 1 == s.to[0]) << 1;
        const unsigned state = (around | ends) & s.missing;
        const coefficients<REAL> c = s.states[state];
        f.centre[i] = c.centre;
        f.weight[i] = c.weight;
        f.old_centre[i] = s.old_states[state];
        f.inside |= (unsigned)(in_row && x + i >= s.from[0] && x + i < s.to[0]) << i;
    }
}

/* One time level of a thread's points: three planes in registers; neighbours along y from
 * memory, along x by shuffles. */
template <typename REAL, int V> struct column {
    const REAL *p; /* the thread's points in this plane */
    packed<REAL, V> below, here, above;
    packed<REAL, V> sum; /* of the six neighbours */
};

template <typename REAL, int V>
__device__ __forceinline__ void open_column(column<REAL, V> &c, const REAL *p, int64_t plane, bool loads, bool first)
{
    c.p = p;
    c.below = loads && !first ? load<REAL, V>(p - plane) : zero<REAL, V>();
    c.here = loads ? load<REAL, V>(p) : zero<REAL, V>();
}

template <typename REAL, int V>
__device__ __forceinline__ void sum_neighbours(column<REAL, V> &c, const step<REAL> &s, int x, int y, int z, bool loads,
                                               int lane)
{
    c.above = loads && z + 1 < s.nz ? load<REAL, V>(c.p + s.plane) : zero<REAL, V>();
    const packed<REAL, V> front = loads && y > 0 ? load<REAL, V>(c.p - s.pitch) : zero<REAL, V>();
    const packed<REAL, V> back = loads && y + 1 < s.ny ? load<REAL, V>(c.p + s.pitch) : zero<REAL, V>();
    REAL left = __shfl_up_sync(0xffffffffu, c.here.v[V - 1], 1);
    REAL right = __shfl_down_sync(0xffffffffu, c.here.v[0], 1);
    if (lane == 0)
        left = loads && x > 0 ? c.p[-1] : REAL(0);
    if (lane == 31)
        right = x + V < s.pitch ? c.p[V] : REAL(0);
#pragma unroll
    for (int i = 0; i < V; i++) {
        const REAL x_min = i > 0 ? c.here.v[i > 0 ? i - 1 : 0] : left;
        const REAL x_max = i + 1 < V ? c.here.v[i + 1 < V ? i + 1 : 0] : right;
        c.sum.v[i] = ((x_min + x_max) + (front.v[i] + back.v[i])) + (c.below.v[i] + c.above.v[i]);
    }
}

template <typename REAL, int V> __device__ __forceinline__ void next_plane(column<REAL, V> &c, int64_t plane)
{
    c.below = c.here;
    c.here = c.above;
    c.p += plane;
}

template <typename REAL, int V, bool MASK>
__device__ __forceinline__ void stream_lossy(const step<REAL> &s, int x, int y, int z0, int z1)
{
    const bool loads = x < s.pitch;
    const int lane = (int)(threadIdx.x & 31u);
    const int64_t at = (int64_t)z0 * s.plane + (int64_t)y * s.pitch + x;
    REAL *u = s.next + at;
    column<REAL, V> now, old;
    point_factors<REAL, V> f;
    open_column(now, s.now + at, s.plane, loads, z0 == 0);
    open_column(old, s.before + at, s.plane, loads, z0 == 0);
    f.inside = 0;
    interior_row interior;
    if (MASK)
        interior.open(s, x, y, z0);
    for (int z = z0; z < z1; z++) {
        sum_neighbours(now, s, x, y, z, loads, lane);
        sum_neighbours(old, s, x, y, z, loads, lane);
        if (z == z0 || z == s.from[2] || z == s.from[2] + 1 || z == s.to[2] - 1 || z == s.to[2])
            box_factors<REAL, V>(s, x, y, z, f); /* constant between these planes */
        packed<REAL, V> out;
#pragma unroll
        for (int i = 0; i < V; i++) {
            const REAL rigid = (f.centre[i] * now.here.v[i] + s.side * now.sum.v[i]) -
                               (f.old_centre[i] * old.here.v[i] + s.old_side * old.sum.v[i]);
            const REAL value = rigid + f.weight[i] * (old.here.v[i] - rigid);
            out.v[i] = MASK || f.inside >> i & 1u ? value : REAL(0);
        }
        if (MASK) {
            store_interior<V>(u, out, interior.read<V>(s, x, y));
            interior.next_plane(s);
        } else if (loads)
            *reinterpret_cast<packed<REAL, V> *>(u) = out;
        next_plane(now, s.plane);
        next_plane(old, s.plane);
        u += s.plane;
    }
}

/* One step. LISTS: there are boundary points. A block waits for the previous step, or for the
 * results that it needs; then it reads taps, or streams its tile along z and adds its drives, or
 * steps a block of boundary points.
 *
 * Registers limit the resident warps per multiprocessor, and so the speed. These bounds give 80
 * registers in double and 72 in single precision, without spills except for boundary points, hence
 * 24 and 28 warps. Lossy air has another time level and takes twice as many. */
template <typename REAL, int V, bool LOSSY, bool LISTS>
__global__ void __launch_bounds__(ROOM_THREADS, LOSSY               ? 4
                                                : sizeof(REAL) == 8 ? 6
                                                                    : 7) room_step(const __grid_constant__ step<REAL> s)
{
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    if (blockIdx.x < s.tap_blocks) {
        wait_for_last_step();
        read_taps(s, blockIdx.x, s.tap_blocks, thread, threads);
        tell_taps_read(s, thread);
        return;
    }
    const uint32_t work = work_of_block<LISTS>(s);
    if (LISTS && work & LISTED_BLOCK) {
        listed_points points;
        points.open(s, work & ~LISTED_BLOCK, thread);
        wait_for_last_step();
        step_boundary_points<REAL, links_stencil<REAL, LOSSY>>(s, points, thread, threads);
        return;
    }
    const unsigned flags = s.tiles ? s.tiles[work] : 0u;
    const tile_position tile = position_of(s, work);
    if (LISTS)
        wait_for_last_step();
    else
        wait_for_last_step_of(s, tile, thread);
    const int x = (tile.x * (int)blockDim.x + (int)threadIdx.x) * V, y = tile.y * (int)blockDim.y + (int)threadIdx.y;
    const int z0 = tile.z * s.chunk, z1 = min(z0 + s.chunk, s.nz);
    if (y < s.ny) { /* a warp lies in one row */
        if (LOSSY && LISTS && flags & TILE_MASK)
            stream_lossy<REAL, V, true>(s, x, y, z0, z1);
        else if (LOSSY)
            stream_lossy<REAL, V, false>(s, x, y, z0, z1);
        else if (LISTS && flags & TILE_MASK)
            stream_planes<REAL, V, true>(s, x, y, z0, z1);
        else
            stream_planes<REAL, V, false>(s, x, y, z0, z1);
    }
    if (flags & TILE_DRIVE) { /* uniform over the block */
        __syncthreads();
        add_drives(s, work, thread, threads);
    }
    if (!LISTS)
        tell_tile_ended(s, work, thread);
}

template <typename REAL, int V> void launch(const struct step<REAL> *s, struct block_shape block, cudaStream_t stream)
{
    const bool lists = s->order, lossy = s->before != s->next;
    launch_overlapping(lists   ? lossy ? room_step<REAL, V, true, true> : room_step<REAL, V, false, true>
                         : lossy ? room_step<REAL, V, true, false>
                               : room_step<REAL, V, false, false>,
                       {dim3(s->tap_blocks + s->block_count), dim3((unsigned)block.x, (unsigned)block.y), stream}, *s);
}

const char *any_room(const struct problem *, const struct layout *l)
{
    return boundary_points_refusal(l);
}

template <int V> void launch_single(const struct step<float> *s, struct block_shape block, cudaStream_t stream)
{
    launch<float, V>(s, block, stream);
}

template <int V> void launch_double(const struct step<double> *s, struct block_shape block, cudaStream_t stream)
{
    launch<double, V>(s, block, stream);
}

} // namespace

/* 16 bytes per thread, and 8: more warps with fewer values each. */
extern const struct step_kernel room_kernel = {
    SINGLE_STEPS("room", ONLY_7_POINT), {32, 4, 16}, true, true, {4, 2}, any_room, launch_single<4>, launch_double<2>};
extern const struct step_kernel room_narrow_kernel = {SINGLE_STEPS("room-narrow", ONLY_7_POINT),
                                                      {32, 4, 16},
                                                      true,
                                                      true,
                                                      {2, 1},
                                                      any_room,
                                                      launch_single<2>,
                                                      launch_double<1>};
