/* SPDX-License-Identifier: MIT */
/* Sweep, "registers": streaming along z with planes in registers. A warp spans a row of 32
 * vectors along x, so that x neighbours are exchanged by shuffles, and each thread has ROWS such
 * rows. All loads of a plane are outstanding while the plane below it is computed. */
#include "cuda/stencils/arrays.cuh"
#include "cuda/stencils/sweep/sweep.cuh"

namespace
{

enum { ROWS = 2 }; /* per thread */

/* A thread's values of a plane. */
template <typename REAL, int V> struct plane_values {
    packed<REAL, V> here[ROWS], front, back; /* its rows; the rows before and behind them */
    REAL edge[ROWS];                         /* the point beyond the end of the warp, in its first and last lane */
};

/* A thread's column: its offsets in every plane. */
template <typename REAL, int V> struct column {
    int64_t row[ROWS], front, back, edge; /* offsets from a plane's first point; edge: from a row's vector */
    bool in_row, has_edge;

    __device__ __forceinline__ plane_values<REAL, V> read(const REAL *plane) const
    {
        plane_values<REAL, V> p = {};
        if (in_row) {
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                p.here[r] = load<REAL, V>(plane + row[r]);
            p.front = load<REAL, V>(plane + front);
            p.back = load<REAL, V>(plane + back);
        }
        if (has_edge) {
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                p.edge[r] = plane[row[r] + edge];
        }
        return p;
    }
};

/* Phases: locate the warp's column; load the first two planes into registers; then for each
 * plane, the loads of the next, the sums and the stores, after which the planes move down by
 * one. */
template <typename REAL, int V>
__global__ void __launch_bounds__(STREAMING_THREADS_MAX) sweep_stream(const __grid_constant__ sweep<REAL> s)
{
    /* Blocks start in the order of their index. Every other step takes the planes from the other
     * end, and begins with those that the previous step used last. */
    const unsigned layer = s.reversed ? gridDim.z - 1 - blockIdx.z : blockIdx.z;
    const int lane = (int)(threadIdx.x & 31u), nx = (int)s.n[0], last_row = (int)s.n[1] - 1;
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x) * V,
              y = 1 + (int)(blockIdx.y * blockDim.y + threadIdx.y) * ROWS;
    const int z0 = 1 + (int)layer * s.chunk, z1 = min(z0 + s.chunk, (int)s.n[2] - 1);
    wait_for_last_step();
    if (x - lane * V >= nx || y >= last_row) /* the whole warp: it lies in these rows */
        return;
    column<REAL, V> at;
    at.in_row = x < nx;
    at.has_edge = (lane == 0 && x > 0) || (lane == 31 && x + V < nx);
    at.edge = lane == 0 ? -1 : V;
#pragma unroll
    for (int r = 0; r < ROWS; r++) /* a row beyond the last is replaced by the last, and not stored */
        at.row[r] = min(y + r, last_row) * s.stride[1] + x;
    at.front = (y - 1) * s.stride[1] + x;
    at.back = min(y + ROWS, last_row) * s.stride[1] + x;
    unsigned inside = 0;
#pragma unroll
    for (int i = 0; i < V; i++)
        inside |= (unsigned)(x + i > 0 && x + i < nx - 1) << i;
    const REAL *u = s.u + z0 * s.stride[2];
    REAL *next = s.next + z0 * s.stride[2];
    packed<REAL, V> below[ROWS] = {};
    if (at.in_row) {
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            below[r] = load<REAL, V>(u - s.stride[2] + at.row[r]);
    }
    plane_values<REAL, V> now = at.read(u);
#pragma unroll 2
    for (int z = z0; z < z1; z++) {
        const plane_values<REAL, V> above = at.read(u + s.stride[2]);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const packed<REAL, V> &here = now.here[r], &front = r > 0 ? now.here[r > 0 ? r - 1 : 0] : now.front,
                                  &back = r + 1 < ROWS ? now.here[r + 1 < ROWS ? r + 1 : 0] : now.back;
            REAL left = __shfl_up_sync(0xffffffffu, here.v[V - 1], 1),
                 right = __shfl_down_sync(0xffffffffu, here.v[0], 1);
            left = lane == 0 ? now.edge[r] : left;
            right = lane == 31 ? now.edge[r] : right;
            packed<REAL, V> out;
#pragma unroll
            for (int i = 0; i < V; i++) {
                const REAL x_min = i > 0 ? here.v[i > 0 ? i - 1 : 0] : left,
                           x_max = i + 1 < V ? here.v[i + 1 < V ? i + 1 : 0] : right;
                const REAL sum =
                    seven(s, here.v[i], x_min, x_max, front.v[i], back.v[i], below[r].v[i], above.here[r].v[i]);
                /* vectors are written whole; edge points keep their value, which both copies
                 * contain */
                out.v[i] = inside >> i & 1u ? sum : here.v[i];
            }
            if (at.in_row && y + r < last_row)
                *reinterpret_cast<packed<REAL, V> *>(next + at.row[r]) = out;
            below[r] = here;
        }
        now = above;
        u += s.stride[2];
        next += s.stride[2];
    }
}

/* A block has threads along x, a vector each; threads along y, ROWS rows each; and planes to
 * stream through. It covers only inner rows and planes. */
struct streaming_method {
    static constexpr bool overlaps = true;

    static sweep_launch launch(const struct problem *p, struct block_shape b)
    {
        const size_t *n = p->points;
        const int vector = VECTOR_BYTES / (int)value_bytes(p);
        return {dim3(sweep_parts(n[0], b.x * vector), sweep_parts(n[1] - 2, b.y * ROWS), sweep_parts(n[2] - 2, b.z)),
                dim3((unsigned)b.x, (unsigned)b.y), 0};
    }

    template <typename REAL> static sweep_kernel<REAL> kernel(const struct problem *)
    {
        return sweep_stream<REAL, VECTOR_BYTES / (int)sizeof(REAL)>;
    }
};

const char *can_stream(const struct problem *p, struct block_shape b)
{
    const char *reason = sweep_refuse_stencil(p);
    if (!reason)
        reason = sweep_refuse_threads(b, (int64_t)b.x * b.y, STREAMING_THREADS_MAX);
    if (!reason && b.x % 32)
        reason = "a block of the registers kernel must be a multiple of 32 threads wide";
    for (int axis = 0; axis < 3 && !reason; axis++)
        if (p->points[axis] < 3 || p->points[axis] > (1u << 30))
            reason = "the registers kernel supports 3 to 2^30 points along an axis";
    return reason ? reason : sweep_refuse_launch(streaming_method::launch(p, b));
}

} // namespace

extern const struct cuda_array_kernel sweep_registers = {"registers",
                                                         &sweep_scheme,
                                                         {32, 4, 32},
                                                         {{32, 4, 32},
                                                          {32, 4, 64},
                                                          {32, 8, 32},
                                                          {64, 4, 32},
                                                          {32, 4, 16},
                                                          {32, 2, 32},
                                                          {64, 2, 32},
                                                          {32, 8, 64},
                                                          {128, 1, 32},
                                                          {128, 2, 32},
                                                          {32, 4, 8},
                                                          {32, 8, 16}},
                                                         can_stream,
                                                         sweep_step<streaming_method>,
                                                         sweep_figures<streaming_method>};
