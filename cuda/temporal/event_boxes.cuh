/* SPDX-License-Identifier: MIT */
/* Event boxes: the work for sources and receivers in a temporal block, separate from its tiles. A
 * source between points drives more than a hundred of them, and the tile that contains them would
 * end last. So tiles ignore sources and receivers. Boxes of points around them are stepped once
 * more, by thread blocks on multiprocessors that the tiles leave idle.
 *
 * A box with receivers records levels into the tap history, and writes nothing else. A box with
 * sources waits until the tiles have written its points, and writes these again (docs/design/gpu.md
 * G14).
 *
 * 19-point: the last thread blocks of the tiles' launch step the boxes, and tiles count their
 * arrivals. 7-point: a separate launch does, which begins as soon as all tiles have begun, and
 * waits for them to end. Tiles may be launched in clusters, and the gaps that clusters leave have
 * no room for another cluster. */
#ifndef AULA_CUDA_EVENT_BOXES_CUH
#define AULA_CUDA_EVENT_BOXES_CUH

#include <vector>

#include "cuda/grid/corners.cuh"
#include "cuda/ptx.cuh"
#include "cuda/temporal/tile_parts.cuh"

struct cuda_state;
struct tile_cut;
struct tile_kernel;

/* A drive that affects a box, or a tap inside it. */
struct box_event {
    tile_event event;
    uint32_t at, halo; /* index among the box's values; distance from its points low .. high - 1 */
};

struct event_boxes_plan {
    std::vector<event_box> boxes; /* with receivers, then with sources */
    std::vector<box_event> events;
    unsigned first_driven; /* box with sources */
    unsigned blocks;       /* number of thread blocks for them; 0: too many, tiles handle drives and taps themselves */
    size_t values;         /* per level, of the largest box */
};

/* Whether the tiles' launch steps the boxes; otherwise a separate launch does. */
bool event_boxes_in_launch(const struct tile_kernel *k);

/* Largest size in bytes of two levels of a box in shared memory: that of a tile, if in its
 * launch. */
size_t event_boxes_bytes_max(const struct tile_kernel *k, int chunk);

/* Number of multiprocessors that the last of a kernel's tiles leave idle. */
size_t event_boxes_idle(const struct tile_kernel *k, const tile_cut &cut, int nz);

/* Plans boxes for a kernel's tiles as divided in the cut, and for this number of
 * multiprocessors. */
void event_boxes_make(event_boxes_plan *plan, const cuda_state *s, const struct tile_kernel *k, const tile_cut &cut,
                      size_t idle);

/* Requests the shared memory of the separate launch, for boxes of this number of values. */
int event_boxes_prepare(enum precision precision, size_t values, struct error *e);

/* Called right after the tiles of a block of `steps` steps. The check after the block reports
 * errors. */
template <typename REAL>
void event_boxes_launch(const temporal_block<REAL> &block, int steps, size_t values, cudaStream_t stream);

/* --- on the device --- */

namespace temporal
{

/* Called by all threads of a tile after its writes: notifies the boxes with sources in it. */
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

/* p⁺, without its wall, of a point of the box of air that touches the walls of `state`; row,
 * plane: distances of its neighbours along y and z. Neighbours beyond the box are zero, or
 * mirrored with the 19-point stencil. */
template <enum air_stencil STENCIL, typename REAL>
__device__ __forceinline__ REAL rigid_update(const temporal_block<REAL> &s, unsigned state, const REAL *p, REAL old,
                                             int row, int plane)
{
    if constexpr (STENCIL == STENCIL_19_POINT)
        return mirrored_update(p, old, pattern_of_state(state), row, plane);
    const REAL sum = ((p[-1] + p[1]) + (p[-row] + p[row])) + (p[-plane] + p[plane]);
    return (s.states[state].centre * *p + s.side * sum) - old;
}

/* A box while it is stepped: two levels, [z][y][x], with a ring around the points that are
 * loaded. */
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

    /* Calls a function for points low .. high - 1 of the grid, and `halo` around them, within
     * the box of air. */
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

    /* Computes level t at the points that later levels need. */
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

    /* Loads the box and computes all levels; `level`: index of level n in the tap history. */
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

    /* Waits until all tiles of this launch that write points of the box have written them. */
    __device__ __forceinline__ void wait_for_tiles(unsigned *arrived) const
    {
        if (threadIdx.x == 0) {
            while (*(volatile unsigned *)arrived < b.tiles)
                __nanosleep(100);
            *arrived = 0; /* reset for the next block */
            __threadfence();
            gate_delay(GATE_FLAG);
        }
        __syncthreads();
    }

    /* Writes the points, after the tiles have written them. */
    __device__ __forceinline__ void write() const
    {
        each(0, [&](int x, int y, int z, int at) {
            const int64_t to = z * s.plane + (int64_t)y * s.pitch + x;
            s.next[to] = now[at];
            s.next_before[to] = before[at];
        });
    }
};

/* Called by thread block `block` of those for event boxes in a launch of 19-point tiles, in the
 * shared memory of a tile. */
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
