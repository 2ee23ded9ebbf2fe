/* SPDX-License-Identifier: MIT */
/* The single-step kernel of the 19-point stencil, for any room and any walls.
 *
 * A warp spans R rows of 32 vectors along x and streams along z through `chunk` planes. Each plane
 * is loaded once: its rows and one on either side, with neighbours along x by shuffles. With r =
 * p(x-1) + p(x+1) of a row,
 *
 *     a = r + (p(y-1) + p(y+1)),  d = r(y-1) + r(y+1),  v = 2 p + a,  w = 2 a + d
 *     p⁺ = (h ((v(z-1) + v(z+1)) + w) + C p) - p⁻,  h = W/2, C = 2 - 12 W
 *
 * so that only v of two planes, and w and p of one, are kept. At walls of the box, neighbours are
 * mirrored: by the choice of rows and planes to load, at x_min by the value that the first lane
 * loads for its left neighbour, at x_max by selecting (ENDS). So the only coefficient of a point of
 * the box is its wall's weight, which changes only in the first and last plane. In rooms with
 * boundary points, separate thread blocks step these (boundary_step.cuh), including those at plain
 * walls of the box. In tiles with other than interior points (MASK), one bit per point marks the
 * interior points, and the others are left unchanged.
 *
 * Drives, taps, and the order of the tiles are as in room.cu. The order of arithmetic is that of
 * the CPU engine, without contraction except for exact products: the same bits. */
#include "cuda/grid/corners.cuh"
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

/* The base of a plane is the same for all threads, and a thread's offsets in it fit into 32
 * bits, which takes fewer registers than a pointer for each. */
template <typename T> __device__ __forceinline__ const T *at_bytes(const T *plane, unsigned offset)
{
    return reinterpret_cast<const T *>(reinterpret_cast<const char *>(plane) + offset);
}

template <typename T> __device__ __forceinline__ T *at_bytes(T *plane, unsigned offset)
{
    return reinterpret_cast<T *>(reinterpret_cast<char *>(plane) + offset);
}

template <typename REAL, int V> __device__ __forceinline__ packed<REAL, V> load(const REAL *plane, unsigned offset)
{
    return *reinterpret_cast<const packed<REAL, V> *>(at_bytes(plane, offset));
}

/* A thread's offsets, the same in all planes. Threads beyond the end of a row load its last
 * points and store nothing, so that the padding of a row stays zero. */
template <int R> struct place {
    int x, y; /* of its first point */
    unsigned
        offset[R + 2]; /* byte offset in a plane of its first point in rows y - 1 .. y + R, mirrored beyond the grid */
    int edge; /* byte offset to the neighbour along x outside the warp: the lower half of the lanes load the first's */
    bool stores, first_lane, last_lane;
    bool prefetches; /* prefetches the lines in which its points begin */
    int end;         /* index of the point that mirrors its right neighbour; beyond the thread's points: none */
};

__device__ __forceinline__ int mirrored_row(int y, int ny)
{
    return y < 0 ? -y : y < ny ? y : max(2 * (ny - 1) - y, 0); /* far beyond: belongs to a row that is not stored */
}

template <typename REAL, int V, int R>
__device__ __forceinline__ place<R> find_place(const step<REAL> &s, tile_position tile)
{
    place<R> at;
    const unsigned lane = threadIdx.x & 31u;
    at.x = (tile.x * (int)blockDim.x + (int)threadIdx.x) * V;
    at.y = (tile.y * (int)blockDim.y + (int)threadIdx.y) * R;
    const int x = min(at.x, (s.nx - 1) / V * V), left = at.x - (int)lane * V, right = left + 32 * V;
#pragma unroll
    for (int j = 0; j < R + 2; j++)
        at.offset[j] =
            ((unsigned)mirrored_row(at.y + j - 1, s.ny) * (unsigned)s.pitch + (unsigned)x) * (unsigned)sizeof(REAL);
    /* mirrored at x_min; beyond x_max the value is not used */
    at.edge = ((lane < 16u ? left > 0 ? left - 1 : 1 : min(right, s.nx - 1)) - x) * (int)sizeof(REAL);
    at.stores = at.x < s.nx;
    at.first_lane = lane == 0u;
    at.last_lane = lane == 31u;
    at.end = s.missing & 2u ? s.nx - 1 - at.x : -1;
    at.prefetches = at.x < s.nx && lane % (128 / (V * (unsigned)sizeof(REAL))) == 0u;
    return at;
}

/* p(x-1) + p(x+1) of a row. */
template <typename REAL, int V, int R, bool ENDS>
__device__ __forceinline__ packed<REAL, V> sum_pairs(const place<R> &at, const packed<REAL, V> &row, REAL edge)
{
    const REAL before = __shfl_up_sync(0xffffffffu, row.v[V - 1], 1);
    const REAL after = __shfl_down_sync(0xffffffffu, row.v[0], 1);
    const REAL left = at.first_lane ? edge : before, right = at.last_lane ? edge : after;
    packed<REAL, V> pairs;
#pragma unroll
    for (int i = 0; i < V; i++) {
        const REAL x_min = i > 0 ? row.v[i > 0 ? i - 1 : 0] : left;
        const REAL x_max = i + 1 < V ? row.v[i + 1 < V ? i + 1 : 0] : right;
        pairs.v[i] = x_min + (ENDS && i == at.end ? x_min : x_max);
    }
    return pairs;
}

/* A thread's rows in a plane: p, and the contributions to the adjacent planes (v) and to itself
 * (w). */
template <typename REAL, int V, int R> struct plane_rows {
    packed<REAL, V> p[R], v[R], w[R];
};

template <typename REAL, int V, int R, bool ENDS>
__device__ __forceinline__ void read_plane(plane_rows<REAL, V, R> &out, const place<R> &at, const REAL *plane)
{
    packed<REAL, V> row[R + 2], pairs[R + 2];
    REAL edge[R + 2];
#pragma unroll
    for (int j = 0; j < R + 2; j++)
        row[j] = load<REAL, V>(plane, at.offset[j]);
#pragma unroll
    for (int j = 0; j < R + 2; j++)
        edge[j] = *at_bytes(plane, at.offset[j] + (unsigned)at.edge);
#pragma unroll
    for (int j = 0; j < R + 2; j++)
        pairs[j] = sum_pairs<REAL, V, R, ENDS>(at, row[j], edge[j]);
#pragma unroll
    for (int j = 0; j < R; j++) {
        out.p[j] = row[j + 1];
#pragma unroll
        for (int i = 0; i < V; i++) {
            const REAL axes = pairs[j + 1].v[i] + (row[j].v[i] + row[j + 2].v[i]);
            out.v[j].v[i] = twice_plus(row[j + 1].v[i], axes);
            out.w[j].v[i] = twice_plus(axes, pairs[j].v[i] + pairs[j + 2].v[i]);
        }
    }
}

/* Walls of a thread's points in plane z. */
template <typename REAL, int V> struct walls {
    REAL weight[V];
    unsigned inside; /* bit i: point i is updated */
};

/* Of regular points. */
template <typename REAL, int V>
__device__ __forceinline__ void box_walls(walls<REAL, V> &out, const step<REAL> &s, int x, int y, int z)
{
    const bool in_row = y >= s.from[1] && y < s.to[1] && z >= s.from[2] && z < s.to[2];
    const unsigned around = (unsigned)(y == s.from[1]) << 2 | (unsigned)(y + 1 == s.to[1]) << 3 |
                            (unsigned)(z == s.from[2]) << 4 | (unsigned)(z + 1 == s.to[2]) << 5;
    out.inside = 0;
#pragma unroll
    for (int i = 0; i < V; i++) {
        const unsigned ends = (unsigned)(x + i == s.from[0]) | (unsigned)(x + i + 1 == s.to[0]) << 1;
        out.weight[i] = s.states[(around | ends) & s.missing].weight;
        out.inside |= (unsigned)(in_row && x + i >= s.from[0] && x + i < s.to[0]) << i;
    }
}

/* The first plane after z in which the walls of a thread's points change. */
template <typename REAL> __device__ __forceinline__ int next_change(const step<REAL> &s, int z)
{
    return z < s.from[2]     ? s.from[2]
           : z == s.from[2]  ? z + 1
           : z + 1 < s.to[2] ? s.to[2] - 1
           : z < s.to[2]     ? z + 1
                             : s.nz;
}

template <typename REAL, int V, int R, bool ENDS, bool MASK>
__device__ __forceinline__ void stream_planes(const step<REAL> &s, const place<R> &at, int z0, int z1)
{
    const REAL *p = s.now + (int64_t)z0 * s.plane;
    const REAL *beyond = z0 + 1 < s.nz ? p + s.plane : p - s.plane;
    REAL *u = s.next + (int64_t)z0 * s.plane;
    plane_rows<REAL, V, R> below, here;
    walls<REAL, V> wall[R];
    interior_row interior[R];
    unsigned bits[R], next_bits[R]; /* for this plane and the next, read one iteration ahead */
#pragma unroll
    for (int j = 0; j < R && MASK; j++) {
        interior[j].open(s, at.x, at.y + j, z0);
        next_bits[j] = interior[j].read<V>(s, at.x, at.y + j);
    }
    int change = z0;
    constexpr int ahead = sizeof(REAL) == sizeof(double) ? 2 : 1; /* prefetch distance in iterations: the fastest */
    read_plane<REAL, V, R, ENDS>(below, at, z0 > 0 ? p - s.plane : p + s.plane);
    read_plane<REAL, V, R, ENDS>(here, at, p);
#pragma unroll 1
    for (int z = z0; z < z1; z++) {
        plane_rows<REAL, V, R> above;
        packed<REAL, V> old[R];
#pragma unroll
        for (int j = 0; j < R; j++) {
            if (MASK) {
                bits[j] = next_bits[j];
                if (z + 1 < z1)
                    interior[j].next_plane(s);
                next_bits[j] = interior[j].read<V>(s, at.x, at.y + j);
            }
            if (!MASK || bits[j])
                old[j] = load<REAL, V>(u, at.offset[j + 1]);
        }
        if (at.prefetches && z + ahead < z1 && z + ahead + 1 < s.nz)
#pragma unroll
            for (int j = 0; j < R; j++) {
                ptx::prefetch_global_l2(at_bytes(u + ahead * s.plane, at.offset[j + 1]));
                ptx::prefetch_global_l2(at_bytes(beyond + ahead * s.plane, at.offset[j + 1]));
            }
        read_plane<REAL, V, R, ENDS>(above, at, beyond);
        if (!MASK && z == change) {
#pragma unroll
            for (int j = 0; j < R; j++)
                box_walls<REAL, V>(wall[j], s, at.x, at.y + j, z);
            change = next_change(s, z);
        }
#pragma unroll
        for (int j = 0; j < R; j++) {
            if (R > 1 && at.y + j >= s.ny) /* a warp lies in the same rows */
                break;
            packed<REAL, V> out;
#pragma unroll
            for (int i = 0; i < V; i++) {
                const REAL sum = (below.v[j].v[i] + above.v[j].v[i]) + here.w[j].v[i];
                const REAL rigid = mirrored_value(sum, here.p[j].v[i], old[j].v[i]);
                out.v[i] = MASK                       ? rigid
                           : wall[j].inside >> i & 1u ? weigh(rigid, old[j].v[i], wall[j].weight[i])
                                                      : REAL(0);
            }
            REAL *to = at_bytes(u, at.offset[j + 1]);
            if (MASK)
                store_interior<V>(to, out, bits[j]);
            else if (at.stores)
                *reinterpret_cast<packed<REAL, V> *>(to) = out;
        }
#pragma unroll
        for (int j = 0; j < R; j++) {
            below.v[j] = here.v[j];
            here.v[j] = above.v[j];
            here.w[j] = above.w[j];
            here.p[j] = above.p[j];
        }
        beyond += z + 2 < s.nz ? s.plane : -s.plane;
        u += s.plane;
    }
}

/* Blocks per multiprocessor. Registers limit the resident warps, and so the speed. */
constexpr int blocks_of(size_t real, size_t bytes, int rows)
{
    return rows == 2 ? 3 : bytes == 8 ? 7 : real == 8 ? 5 : 6;
}

/* LISTS: there are boundary points. */
template <typename REAL, int V, int R, bool LISTS>
__global__ void __launch_bounds__(ROOM_THREADS, blocks_of(sizeof(REAL), sizeof(REAL) * V, R))
    corner_step(const __grid_constant__ step<REAL> s)
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
        step_boundary_points<REAL, corners_stencil<REAL>>(s, points, thread, threads);
        return;
    }
    const unsigned flags = s.tiles ? s.tiles[work] : 0u;
    const tile_position tile = position_of(s, work);
    if (LISTS)
        wait_for_last_step();
    else
        wait_for_last_step_of(s, tile, thread);
    const place<R> at = find_place<REAL, V, R>(s, tile);
    const int z0 = tile.z * s.chunk, z1 = min(z0 + s.chunk, s.nz);
    if (at.y < s.ny) { /* a warp lies in the same rows */
        if (LISTS && flags & TILE_MASK)
            stream_planes<REAL, V, R, false, true>(s, at, z0, z1);
        else if (s.missing & 2u && tile.x + 1 == s.tiling[0])
            stream_planes<REAL, V, R, true, false>(s, at, z0, z1);
        else
            stream_planes<REAL, V, R, false, false>(s, at, z0, z1);
    }
    if (flags & TILE_DRIVE) { /* uniform over the block */
        __syncthreads();
        add_drives(s, work, thread, threads);
    }
    if (!LISTS)
        tell_tile_ended(s, work, thread);
}

template <typename REAL, int V, int R>
void launch(const struct step<REAL> *s, struct block_shape block, cudaStream_t stream)
{
    launch_overlapping(s->order ? corner_step<REAL, V, R, true> : corner_step<REAL, V, R, false>,
                       {dim3(s->tap_blocks + s->block_count), dim3((unsigned)block.x, (unsigned)block.y), stream}, *s);
}

const char *any_room(const struct problem *p, const struct layout *l)
{
    const uint64_t plane = (uint64_t)l->pitch * l->points[1] * precision_bytes(p->precision);
    return plane >> 32 ? "a plane of the grid must be smaller than 4 GB"
                       : boundary_points_refusal(l); /* place::offset */
}

} // namespace

#define CORNER_STEPS(identifier, name, bytes, rows)                                                                    \
    extern const struct step_kernel identifier = {SINGLE_STEPS(name, ONLY_19_POINT),                                   \
                                                  {32, 4, 16},                                                         \
                                                  true,                                                                \
                                                  true,                                                                \
                                                  {bytes / 4, bytes / 8},                                              \
                                                  any_room,                                                            \
                                                  launch<float, bytes / 4, rows>,                                      \
                                                  launch<double, bytes / 8, rows>,                                     \
                                                  rows};

/* 16 bytes per thread and row, and 8: more warps with fewer values each; two rows: fewer loads
 * of adjacent rows. */
CORNER_STEPS(corner_room_kernel, "room", 16, 1)
CORNER_STEPS(corner_room_narrow_kernel, "room-narrow", 8, 1)
CORNER_STEPS(corner_room_tall_kernel, "room-tall", 16, 2)
