/* SPDX-License-Identifier: MIT */
/* The kernel of one level of the boundary region: the points near walls and objects at one time step of a block. */
#include "cuda/temporal/region_levels.cuh"

extern "C" {
#include "cuda/engine/check.h"
}
#include "cuda/ptx.cuh"
#include "cuda/step/boundary_step.cuh"
#include "cuda/temporal/region_sets.cuh"

namespace
{

template <typename REAL> struct alignas(16) packed {
    REAL v[level_values<REAL>()];
};

template <typename REAL> __device__ __forceinline__ packed<REAL> load(const REAL *p)
{
    return *reinterpret_cast<const packed<REAL> *>(p);
}

/* Values of a row, from the one before a vector to the one after it. */
template <typename REAL> struct row_around {
    packed<REAL> here;
    REAL left, right;

    __device__ __forceinline__ void read(const REAL *p)
    {
        here = load(p);
        left = p[-1];
        right = p[level_values<REAL>()];
    }

    /* p(x-1) + p(x+1) of value i */
    __device__ __forceinline__ REAL pair(int i) const
    {
        const int last = level_values<REAL>() - 1;
        return (i > 0 ? here.v[i > 0 ? i - 1 : 0] : left) + (i < last ? here.v[i < last ? i + 1 : 0] : right);
    }
};

/* p⁺ of a vector's interior points, in the order of step/room.cu and step/room_corners.cu. */
template <typename REAL> struct links_level {
    using points = links_stencil<REAL, false>;

    static __device__ __forceinline__ packed<REAL> update(const step<REAL> &s, uint64_t at)
    {
        const REAL *p = s.now + at;
        row_around<REAL> row;
        row.read(p);
        const packed<REAL> front = load(p - s.pitch), back = load(p + s.pitch), below = load(p - s.plane),
                           above = load(p + s.plane), old = load(s.before + at);
        const REAL centre = s.states[0].centre;
        packed<REAL> out;
#pragma unroll
        for (int i = 0; i < level_values<REAL>(); i++) {
            const REAL sum = (row.pair(i) + (front.v[i] + back.v[i])) + (below.v[i] + above.v[i]);
            out.v[i] = (centre * row.here.v[i] + s.side * sum) - old.v[i];
        }
        return out;
    }
};

template <typename REAL> struct corners_level {
    using points = corners_stencil<REAL>;

    /* 2 p + a of an adjacent plane: its four neighbours along the axes */
    static __device__ __forceinline__ packed<REAL> beside(const REAL *p, int pitch)
    {
        row_around<REAL> row;
        row.read(p);
        const packed<REAL> front = load(p - pitch), back = load(p + pitch);
        packed<REAL> out;
#pragma unroll
        for (int i = 0; i < level_values<REAL>(); i++)
            out.v[i] = twice_plus(row.here.v[i], row.pair(i) + (front.v[i] + back.v[i]));
        return out;
    }

    static __device__ __forceinline__ packed<REAL> update(const step<REAL> &s, uint64_t at)
    {
        const REAL *p = s.now + at;
        row_around<REAL> front, row, back;
        front.read(p - s.pitch);
        row.read(p);
        back.read(p + s.pitch);
        const packed<REAL> below = beside(p - s.plane, s.pitch), above = beside(p + s.plane, s.pitch),
                           old = load(s.before + at);
        packed<REAL> out;
#pragma unroll
        for (int i = 0; i < level_values<REAL>(); i++) {
            const REAL axes = row.pair(i) + (front.here.v[i] + back.here.v[i]);
            const REAL here = twice_plus(axes, front.pair(i) + back.pair(i));
            out.v[i] = mirrored_value((below.v[i] + above.v[i]) + here, row.here.v[i], old.v[i]);
        }
        return out;
    }
};

template <typename REAL>
__device__ __forceinline__ void add_drives_to(packed<REAL> &out, const step<REAL> &s, uint64_t at)
{
    for (unsigned k = 0; k < s.drive_point_count; k++)
#pragma unroll
        for (int i = 0; i < level_values<REAL>(); i++)
            if (s.drive_points[k].at == at + (uint64_t)i)
                out.v[i] += drive_of(s, s.drive_points[k]);
}

template <typename REAL, typename LEVEL>
__device__ __forceinline__ void step_vector(const level_step<REAL> &s, enum level_work work, level_entry entry)
{
    packed<REAL> out = LEVEL::update(s, entry.at);
    if (work == LEVEL_DRIVEN)
        add_drives_to(out, s, entry.at);
    store_interior<level_values<REAL>()>(s.next + entry.at, out, entry.kind);
}

template <typename REAL> __device__ __forceinline__ void clear(const level_step<REAL> &s, level_entry entry)
{
    packed<REAL> zero;
#pragma unroll
    for (int i = 0; i < level_values<REAL>(); i++)
        zero.v[i] = REAL(0);
    store_interior<level_values<REAL>()>(s.cleared[0] + entry.at, zero, entry.kind);
    store_interior<level_values<REAL>()>(s.cleared[1] + entry.at, zero, entry.kind);
}

template <typename REAL, typename POINTS>
__device__ __forceinline__ void step_point(const level_step<REAL> &s, const level_block &block, level_entry entry)
{
    const REAL before = s.before[entry.at];
    const auto value = [&] { return update_driven<REAL, POINTS>(s, entry.at, entry.kind, before, nullptr); };
    if (block.work == LEVEL_PLAIN) {
        s.next[entry.at] = value();
        return;
    }
    const boundary_view<REAL> &b = s.boundary;
    const uint64_t state = block.walls.states / 2 + threadIdx.x;
    moved_point<REAL> point;
    point.p = s.next + entry.at;
    point.states = b.states + state;
    point.factors = b.factors + block.walls.first;
    point.absorbed = nullptr;
    point.policy = evict_last_policy(b.kept);
    point.before = before;
    point.moved = s.new_states + state;
    step_branches<REAL, POINTS::one_code>(point, block.walls, value);
}

template <typename REAL, typename LEVEL>
__global__ void __launch_bounds__(VECTOR_THREADS, sizeof(REAL) == 4 ? 8 : 5)
    step_level(const __grid_constant__ level_step<REAL> s)
{
    const unsigned number = s.reversed ? s.block_count - 1 - blockIdx.x : blockIdx.x;
    const level_block block = s.blocks[number];
    const level_entry entry = s.entries[(size_t)number * VECTOR_THREADS + threadIdx.x];
    wait_for_last_step();
    if (block.work == LEVEL_PLAIN || block.work == LEVEL_BRANCHED) {
        if (threadIdx.x < block.walls.points)
            step_point<REAL, typename LEVEL::points>(s, block, entry);
    } else if (entry.kind) {
        if (block.work == LEVEL_CLEARED)
            clear(s, entry);
        else
            step_vector<REAL, LEVEL>(s, block.work, entry);
    }
}

template <typename REAL> __global__ void keep_taps(const level_taps<REAL> t)
{
    wait_for_last_step();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < t.count; i += gridDim.x * blockDim.x)
        t.levels[t.history[i] * t.stride + *t.base + (unsigned long long)t.offset] = (double)t.grid[t.at[i]];
}

template <typename REAL> using level_code = void (*)(const level_step<REAL>);

template <typename REAL> level_code<REAL> code_of(enum air_stencil stencil)
{
    return stencil == STENCIL_19_POINT ? step_level<REAL, corners_level<REAL>> : step_level<REAL, links_level<REAL>>;
}

/* Tiles use nearly all of a multiprocessor's memory as shared memory. Kernels launched after
 * them have only the rest as first-level cache unless they request more. */
template <typename REAL> int ask_for_first_level_cache(enum air_stencil stencil, struct error *e)
{
    return cuda_check(cudaFuncSetAttribute(code_of<REAL>(stencil), cudaFuncAttributePreferredSharedMemoryCarveout,
                                           cudaSharedmemCarveoutMaxL1),
                      "boundary region", e);
}

} // namespace

int level_step_prepare(enum air_stencil stencil, enum precision precision, struct error *e)
{
    return precision == PRECISION_DOUBLE ? ask_for_first_level_cache<double>(stencil, e)
                                         : ask_for_first_level_cache<float>(stencil, e);
}

template <typename REAL>
void level_step_launch(const level_step<REAL> &s, enum air_stencil stencil, cudaStream_t stream)
{
    launch_overlapping(code_of<REAL>(stencil), {dim3(s.block_count), dim3(VECTOR_THREADS), stream}, s);
}

template <typename REAL> void level_taps_launch(const level_taps<REAL> &t, cudaStream_t stream)
{
    launch_overlapping(keep_taps<REAL>, {dim3((t.count + 127) / 128), dim3(128), stream}, t);
}

template void level_step_launch<float>(const level_step<float> &, enum air_stencil, cudaStream_t);
template void level_step_launch<double>(const level_step<double> &, enum air_stencil, cudaStream_t);
template void level_taps_launch<float>(const level_taps<float> &, cudaStream_t);
template void level_taps_launch<double>(const level_taps<double> &, cudaStream_t);
