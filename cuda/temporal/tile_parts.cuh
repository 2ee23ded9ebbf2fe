/* SPDX-License-Identifier: MIT */
/* Parts of the kernel of temporal blocks (tile.cuh): its arguments, the shape of a tile, and one level of a thread's
 * points. */
#ifndef AULA_CUDA_TILE_PARTS_CUH
#define AULA_CUDA_TILE_PARTS_CUH

#include <cuda.h>

#include "cuda/engine/halos.cuh"
#include "cuda/grid/view.cuh"
#include "cuda/ptx.cuh"

/* Flags of a plane of a tile. */
enum plane_flag {
    PLANE_MAP = 1,     /* has irregular points: read the codes */
    PLANE_EVENT = 2,   /* has drives or taps */
    PLANE_OUTSIDE = 4, /* outside the box of air: 0 */
    PLANE_LOW = 8,     /* at the lower wall in z */
    PLANE_HIGH = 16    /* at the upper wall in z */
};

/* A drive that a tile contains, or a tap that it owns. */
struct tile_event {
    uint16_t row, x;     /* in the tile */
    uint32_t tap : 1;    /* otherwise a drive; drives come first */
    uint32_t z : 31;     /* in the grid */
    uint32_t first, end; /* drive: range of its terms; tap: `first` is its point of the tap history */
    double factor;       /* of a drive, as in drive_point */
};

/* A tile of the (x, y) plane. */
struct tile_column {
    int32_t x, y;           /* of its first point; x may lie outside the grid */
    int32_t x0, x1, y0, y1; /* range of points that it writes, in the grid */
    uint32_t map;           /* some plane has PLANE_MAP; 19-point: some rows lie beyond the box of air */
};

/* The work of a thread block: planes z0 .. z1 - 1 of a tile. */
struct tile_chunk {
    int32_t column, z0, z1;
};

/* A box of points low .. high - 1 with drives or taps, and the points of p^n and p^{n-1} that it
 * loads (event_boxes.cuh). */
struct event_box {
    int32_t from[3], size[3], low[3], high[3];
    uint32_t first_event, event_count;
    uint32_t driven; /* it has drives, and writes its points */
    uint32_t tiles;  /* number of tiles that write points of a driven box */
};

/* All boxes of a temporal block; boxes first_driven .. count - 1 are driven. */
struct event_boxes {
    const struct event_box *boxes;
    const struct box_event *events;
    unsigned *arrived; /* [count] number of tiles that have written */
    unsigned count, first_driven;
    unsigned blocks; /* number of thread blocks for them */
};

/* Arguments of the kernel: a temporal block of STEPS steps from p^n and p^{n-1}. */
template <typename REAL> struct temporal_block : grid_view<REAL>, drive_view {
    const REAL *now, *before; /* p^n and p^{n-1} */
    REAL *next, *next_before; /* p^{n + STEPS} and p^{n + STEPS - 1} on return */
    coefficients<REAL> states[STATES];
    const tile_column *columns;
    const uint8_t *flags;         /* [column][nz] */
    int column_count, chunk;      /* planes */
    int first_chunk;              /* of this launch; in place, a temporal block takes several */
    const tile_chunk *chunks;     /* [thread block]; nullptr: all chunks of all columns, column by column */
    int across, cluster[2];       /* tiles along x; tiles of a cluster along x and y */
    const tile_event *events;     /* by column and plane */
    const uint32_t *first_events; /* [column][nz + 1] */
    unsigned events_max;          /* largest number of a column */
    double *tap_history;          /* [point][tap_history_stride]: p by level since *base = 0 */
    unsigned long long tap_history_stride;
    event_boxes boxes; /* none: tiles handle drives and taps */
    halo_gate halos;   /* in a part of a grid, after an exchange */
};

/* A tile has WARPS warps, adjacent in y, each with ROWS rows of 32 * V points. AHEAD: number of
 * planes loaded ahead of the current one. CLUSTER: the tiles of a cluster exchange halos; of
 * p^n, each loads its halo columns itself, as many as the copy engine's alignment requires. */
template <typename REAL, int STEPS, int V, int ROWS, int WARPS, int AHEAD, bool CLUSTER> struct tile_shape {
    enum { WIDTH = 32 * V, HEIGHT = ROWS * WARPS, THREADS = 32 * WARPS };
    enum { VECTOR = 16 / sizeof(REAL) };
    enum { HALO_COLUMNS = CLUSTER ? VECTOR : 0, PITCH = WIDTH + 2 * HALO_COLUMNS }; /* of a row of p^n */
    enum { LOADED = (HEIGHT + 2) * PITCH, LINE = 128 / sizeof(REAL), NOW = (LOADED + LINE - 1) / LINE * LINE };
    enum { RING = AHEAD + 2, BEFORE = HEIGHT * WIDTH }; /* values of a plane */
    enum { EDGE_ROWS = 2 * WARPS + 2, EDGES = (STEPS - 1) * EDGE_ROWS * WIDTH };
    enum { SIDE_ROWS = (ROWS + VECTOR - 1) / VECTOR * VECTOR }; /* of a halo column of a warp */
    enum { SIDES = CLUSTER ? (STEPS - 1) * 2 * WARPS * SIDE_ROWS : 0 };
    enum { EDGE_SETS = 3, VALUES = RING * NOW + AHEAD * BEFORE + EDGE_SETS * (EDGES + SIDES) };
    /* Bytes of shared memory for chunks of this number of planes and tiles with this number of
     * events. */
    static constexpr size_t bytes(int planes, size_t events)
    {
        const size_t loaded = (size_t)planes + 2 * STEPS;
        const size_t barriers = RING + 2 + (CLUSTER ? EDGE_SETS * WARPS : 0);
        return VALUES * sizeof(REAL) + barriers * sizeof(uint64_t) +
               events * (STEPS * sizeof(REAL) + sizeof(tile_event)) + (loaded + 1) * sizeof(uint16_t) + loaded;
    }
};

namespace temporal
{

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

/* Difference between the address of p in this block's shared memory and its counterpart in block
 * `rank` of the cluster. */
__device__ __forceinline__ uint32_t distance_to_block(const void *p, unsigned rank)
{
    return ptx::mapa(p, rank) - ptx::shared_address(p);
}

/* Sends values to another block of the cluster, whose mbarrier counts the bytes; both are
 * addresses in its shared memory. */
template <int COUNT>
__device__ __forceinline__ void send_to_block(uint32_t to, uint32_t barrier, const float (&values)[COUNT])
{
    constexpr int whole = COUNT / 4 * 4;
#pragma unroll
    for (int i = 0; i < whole; i += 4)
        ptx::st_async_v4(to + i * 4, barrier, values[i], values[i + 1], values[i + 2], values[i + 3]);
#pragma unroll
    for (int i = whole; i < COUNT; i++)
        ptx::st_async(to + i * 4, barrier, values[i]);
}

template <int COUNT>
__device__ __forceinline__ void send_to_block(uint32_t to, uint32_t barrier, const double (&values)[COUNT])
{
    constexpr int whole = COUNT / 2 * 2;
#pragma unroll
    for (int i = 0; i < whole; i += 2)
        ptx::st_async_v2(to + i * 8, barrier, values[i], values[i + 1]);
#pragma unroll
    for (int i = whole; i < COUNT; i++)
        ptx::st_async(to + i * 8, barrier, values[i]);
}

#endif

template <typename REAL, int V> struct alignas(sizeof(REAL) * V) packed {
    REAL v[V];
};

template <typename REAL, int V> __device__ __forceinline__ packed<REAL, V> read_row(const REAL *from)
{
    return *reinterpret_cast<const packed<REAL, V> *>(from);
}

/* A thread's rows of a plane in three forms. In registers; */
template <typename REAL, int V, int ROWS> struct register_rows {
    const REAL (&values)[ROWS][V];
    __device__ __forceinline__ packed<REAL, V> row(int r) const
    {
        packed<REAL, V> out;
#pragma unroll
        for (int v = 0; v < V; v++)
            out.v[v] = values[r][v];
        return out;
    }
};

/* in registers, with the rows before and after in shared memory; */
template <typename REAL, int V, int ROWS> struct edged_rows {
    const REAL (&values)[ROWS][V];
    const REAL *front, *back;
    __device__ __forceinline__ packed<REAL, V> row(int r) const
    {
        if (r < 0)
            return read_row<REAL, V>(front);
        if (r >= ROWS)
            return read_row<REAL, V>(back);
        return register_rows<REAL, V, ROWS>{values}.row(r);
    }
};

/* in shared memory. */
template <typename REAL, int V, int WIDTH> struct shared_rows {
    const REAL *first;
    __device__ __forceinline__ packed<REAL, V> row(int r) const
    {
        return read_row<REAL, V>(first + r * WIDTH);
    }
};

template <typename REAL, int V> __device__ __forceinline__ void write_row(REAL *to, const REAL (&from)[V])
{
    packed<REAL, V> row;
#pragma unroll
    for (int v = 0; v < V; v++)
        row.v[v] = from[v];
    *reinterpret_cast<packed<REAL, V> *>(to) = row;
}

/* Coefficients of a thread's regular points: for the first row of a warp, the rows between, and
 * the last. side: for the six neighbours. */
template <typename REAL, int V> struct point_factors {
    REAL centre[3][V], weight[3][V], side[V];
};

template <typename REAL, int V, int ROWS>
__device__ __forceinline__ void box_factors(point_factors<REAL, V> &f, const temporal_block<REAL> &s, int x, int y,
                                            unsigned flag)
{
    const unsigned z_ends = (unsigned)(flag & PLANE_LOW ? 1 : 0) << 4 | (unsigned)(flag & PLANE_HIGH ? 1 : 0) << 5;
#pragma unroll
    for (int kind = 0; kind < 3; kind++) {
        const int row = kind == 0 ? y : kind == 1 ? -1 : y + ROWS - 1;
        const unsigned around = (unsigned)(row == s.from[1]) << 2 | (unsigned)(row + 1 == s.to[1]) << 3;
#pragma unroll
        for (int v = 0; v < V; v++) {
            const unsigned ends = (unsigned)(x + v == s.from[0]) | (unsigned)(x + v + 1 == s.to[0]) << 1;
            const coefficients<REAL> c = s.states[((kind == 1 ? 0u : around) | ends | z_ends) & s.missing];
            const bool inside = x + v >= s.from[0] && x + v < s.to[0];
            f.centre[kind][v] = inside ? c.centre : REAL(0);
            f.weight[kind][v] = inside ? c.weight : REAL(0);
            f.side[v] = inside ? s.side : REAL(0);
        }
    }
}

/* The columns before and after a warp's rows in a tile without a cluster: arbitrary values,
 * whose errors stay in its halo. */
struct no_halo_columns {
    template <typename REAL> __device__ __forceinline__ REAL left(int, REAL shuffled) const
    {
        return shuffled;
    }
    template <typename REAL> __device__ __forceinline__ REAL right(int, REAL shuffled) const
    {
        return shuffled;
    }
};

/* The columns in a tile of a cluster: one value per row, of the column before for lanes 0 .. 15
 * and of the column after for lanes 16 .. 31. */
template <typename REAL, int ROWS> struct halo_columns {
    REAL values[ROWS];
    bool first, last; /* lane */
    __device__ __forceinline__ REAL left(int r, REAL shuffled) const
    {
        return first ? values[r] : shuffled;
    }
    __device__ __forceinline__ REAL right(int r, REAL shuffled) const
    {
        return last ? values[r] : shuffled;
    }
};

/* One level of a thread's points in one plane: regular points by f, or with MAP each point by
 * its code. */
template <typename REAL, int V, int ROWS, bool WEIGHTS, bool MAP, typename HERE, typename BELOW, typename ABOVE,
          typename OLD, typename COLUMNS>
__device__ __forceinline__ void step_rows(REAL (&out)[ROWS][V], const HERE &rows_here, const BELOW &rows_below,
                                          const ABOVE &rows_above, const OLD &rows_old, const COLUMNS &columns,
                                          const point_factors<REAL, V> &f, const temporal_block<REAL> &s, int x, int y,
                                          int z)
{
    packed<REAL, V> front = rows_here.row(-1), here = rows_here.row(0);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const packed<REAL, V> back = rows_here.row(r + 1), below = rows_below.row(r), above = rows_above.row(r),
                              old = rows_old.row(r);
        const REAL left = columns.left(r, __shfl_up_sync(0xffffffffu, here.v[V - 1], 1));
        const REAL right = columns.right(r, __shfl_down_sync(0xffffffffu, here.v[0], 1));
        const int kind = r == 0 ? 0 : r == ROWS - 1 ? 2 : 1;
#pragma unroll
        for (int v = 0; v < V; v++) {
            REAL centre = f.centre[kind][v], weight = f.weight[kind][v], side = f.side[v];
            if (MAP) {
                const bool inside = x + v >= 0 && x + v < s.nx && y + r < s.ny;
                const unsigned code = inside ? __ldg(s.map + (z * s.plane + (int64_t)(y + r) * s.pitch + x + v)) : 0u;
                const coefficients<REAL> c = s.codes[code];
                centre = code ? c.centre : REAL(0);
                weight = code ? c.weight : REAL(0);
                side = code ? s.side : REAL(0);
            }
            const REAL x_min = v > 0 ? here.v[v > 0 ? v - 1 : 0] : left;
            const REAL x_max = v + 1 < V ? here.v[v + 1 < V ? v + 1 : 0] : right;
            const REAL sum = ((x_min + x_max) + (front.v[v] + back.v[v])) + (below.v[v] + above.v[v]);
            const REAL rigid = (centre * here.v[v] + side * sum) - old.v[v];
            out[r][v] = WEIGHTS || MAP ? rigid + weight * (old.v[v] - rigid) : rigid;
        }
        front = here;
        here = back;
    }
}

/* The value that a drive adds to level n + step + 1, summed in the order of the kernels of
 * single steps. */
template <typename REAL>
__device__ inline REAL drive_value(const temporal_block<REAL> &s, const tile_event &event, int step)
{
    const unsigned long long n = *s.base + (unsigned long long)(s.offset + step);
    double sum = 0.0;
    for (uint32_t k = event.first; k < event.end; k++)
        sum += s.drive_terms[k].weight * s.drive[s.drive_terms[k].channel * s.drive_stride + n];
    return (REAL)(event.factor * sum);
}

} // namespace temporal

#endif
