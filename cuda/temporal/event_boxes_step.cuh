/* SPDX-License-Identifier: MIT */
/* The device's part of event boxes (event_boxes.cuh). */
#ifndef AULA_CUDA_EVENT_BOXES_STEP_CUH
#define AULA_CUDA_EVENT_BOXES_STEP_CUH

#include "cuda/grid/corners.cuh"
#include "cuda/ptx.cuh"
#include "cuda/temporal/event_boxes.cuh"

namespace temporal
{

/* By all threads of a tile, when it has written: tells the boxes with sources in it. */
template <typename REAL>
__device__ __forceinline__ void tell_event_boxes(const temporal_block<REAL> &s, const tile_column &column, int z0,
                                                 int z1)
{
    const event_boxes &all = s.boxes;
    if (all.first_driven == all.count)
        return;
    __syncthreads();
    for (unsigned i = all.first_driven + threadIdx.x; i < all.count; i += blockDim.x) {
        const event_box &b = all.boxes[i];
        if (b.low[0] < column.x1 && b.high[0] > column.x0 && b.low[1] < column.y1 && b.high[1] > column.y0 &&
            b.low[2] < z1 && b.high[2] > z0) {
            gate_delay(GATE_FLAG);
            __threadfence();
            atomicAdd(all.arrived + i, 1u);
        }
    }
}

/* p⁺, without its wall, of a point of the box of air that touches the walls of `state`; row, plane: distances of its
 * neighbours along y and z. Neighbours beyond the box are zero, or with the 19-point stencil mirrored. */
template <enum air_stencil STENCIL, typename REAL>
__device__ __forceinline__ REAL rigid_update(const temporal_block<REAL> &s, unsigned state, const REAL *p, REAL old,
                                             int row, int plane)
{
    if constexpr (STENCIL == STENCIL_19_POINT)
        return mirrored_update(p, old, pattern_of_state(state), row, plane);
    const REAL sum = ((p[-1] + p[1]) + (p[-row] + p[row])) + (p[-plane] + p[plane]);
    return (s.states[state].centre * *p + s.side * sum) - old;
}

/* A box on its way: two levels, [z][y][x] with a ring around what is loaded. */
template <enum air_stencil STENCIL, typename REAL, int THREADS> struct event_box_stream {
    const temporal_block<REAL> &s;
    const event_box &b;
    const int steps, row, plane;
    REAL *now, *before;

    __device__ __forceinline__ event_box_stream(const temporal_block<REAL> &block, const event_box &box, REAL *memory,
                                                int steps)
        : s(block), b(box), steps(steps), row(b.size[0] + 2), plane(row * (b.size[1] + 2)), now(memory),
          before(memory + plane * (b.size[2] + 2))
    {
    }

    /* Calls for points low .. high - 1 of the grid, and `halo` around them, in the box of air. */
    template <typename CALL> __device__ __forceinline__ void each(int halo, const CALL &call) const
    {
        int low[3], size[3];
#pragma unroll
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = max(b.low[axis] - halo, s.from[axis]);
            size[axis] = max(min(b.high[axis] + halo, s.to[axis]) - low[axis], 0);
        }
        for (int i = (int)threadIdx.x; i < size[0] * size[1] * size[2]; i += THREADS) {
            const int x = low[0] + i % size[0], rest = i / size[0], y = low[1] + rest % size[1],
                      z = low[2] + rest / size[1];
            call(x, y, z, (z - b.from[2] + 1) * plane + (y - b.from[1] + 1) * row + (x - b.from[0] + 1));
        }
    }

    __device__ __forceinline__ void load() const
    {
        for (int i = (int)threadIdx.x; i < plane * (b.size[2] + 2); i += THREADS) {
            const int x = b.from[0] - 1 + i % row, y = b.from[1] - 1 + i % plane / row, z = b.from[2] - 1 + i / plane;
            const bool loads = x >= 0 && x < s.nx && y >= 0 && y < s.ny && z >= 0 && z < s.nz;
            const int64_t at = z * s.plane + (int64_t)y * s.pitch + x;
            now[i] = loads ? s.now[at] : REAL(0);
            before[i] = loads ? s.before[at] : REAL(0);
        }
        __syncthreads();
    }

    /* Level t of the points that later levels need. */
    __device__ __forceinline__ void make_level(int t) const
    {
        each(steps - t, [&](int x, int y, int z, int at) {
            const unsigned state = ((unsigned)(x == s.from[0]) | (unsigned)(x + 1 == s.to[0]) << 1 |
                                    (unsigned)(y == s.from[1]) << 2 | (unsigned)(y + 1 == s.to[1]) << 3 |
                                    (unsigned)(z == s.from[2]) << 4 | (unsigned)(z + 1 == s.to[2]) << 5) &
                                   s.missing;
            const REAL old = before[at], weight = s.states[state].weight,
                       rigid = rigid_update<STENCIL>(s, state, now + at, old, row, plane);
            before[at] = rigid + weight * (old - rigid);
        });
        __syncthreads();
        for (unsigned i = threadIdx.x; i < b.event_count; i += THREADS) {
            const box_event &e = s.boxes.events[b.first_event + i];
            if (!e.event.tap && e.halo <= (unsigned)(steps - t))
                before[e.at] += drive_value(s, e.event, t - 1);
        }
        __syncthreads();
    }

    __device__ __forceinline__ void record(int t, unsigned long long level) const
    {
        for (unsigned i = threadIdx.x; i < b.event_count; i += THREADS) {
            const box_event &e = s.boxes.events[b.first_event + i];
            if (e.event.tap)
                s.tap_history[e.event.first * s.tap_history_stride + level + (unsigned long long)t] = (double)now[e.at];
        }
    }

    /* Loads the box and makes all levels; `level`: of the tap history, level n. */
    __device__ __forceinline__ void run(unsigned long long level)
    {
        load();
#pragma unroll 1
        for (int t = 1; t <= steps; t++) {
            make_level(t);
            REAL *made = before;
            before = now;
            now = made;
            record(t, level);
        }
    }

    /* Until all tiles of this launch that write points of the box have. */
    __device__ __forceinline__ void wait_for_tiles(unsigned *arrived) const
    {
        if (threadIdx.x == 0) {
            while (*(volatile unsigned *)arrived < b.tiles)
                __nanosleep(100);
            *arrived = 0; /* for the next block */
            __threadfence();
            gate_delay(GATE_FLAG);
        }
        __syncthreads();
    }

    /* Once the tiles have written these points. */
    __device__ __forceinline__ void write() const
    {
        each(0, [&](int x, int y, int z, int at) {
            const int64_t to = z * s.plane + (int64_t)y * s.pitch + x;
            s.next[to] = now[at];
            s.next_before[to] = before[at];
        });
    }
};

/* By thread block `block` of those for event boxes in a launch of 19-point tiles, in shared memory of a tile. */
template <typename REAL, int STEPS, int THREADS>
__device__ void step_event_boxes(const temporal_block<REAL> &s, REAL *memory, unsigned block)
{
    wait_for_previous_kernel();
    wait_for_halos(s.halos, INT_MIN, INT_MAX);
    release_next_kernel();
    const unsigned long long level = *s.base + (unsigned long long)s.offset;
#pragma unroll 1
    for (unsigned i = block; i < s.boxes.count; i += s.boxes.blocks) {
        event_box_stream<STENCIL_19_POINT, REAL, THREADS> stream(s, s.boxes.boxes[i], memory, STEPS);
        stream.run(level);
        if (stream.b.driven) {
            stream.wait_for_tiles(s.boxes.arrived + i);
            stream.write();
        }
        __syncthreads();
    }
}

} // namespace temporal

#endif
