/* What a pass of several steps is made of: its arguments, its gates and copies, and one level of a thread's points. fused.cuh says how they
 * work together. */
#ifndef AULA_CUDA_FUSED_PARTS_CUH
#define AULA_CUDA_FUSED_PARTS_CUH

#include <cuda.h>

#include "cuda/grid/view.cuh"
#include "cuda/ptx.cuh"

enum fused_flag {
    FUSED_MAP = 1,     /* a plane of a tile is not what the box of air says: read the codes */
    FUSED_EVENT = 2,   /* has drives or taps */
    FUSED_OUTSIDE = 4, /* beyond the box of air: zero */
    FUSED_LOW = 8,     /* touches the wall at the lower end of z */
    FUSED_HIGH = 16    /* or at the upper */
};

/* A drive that a tile contains, or a tap that it owns. */
struct tile_event {
    uint16_t row, x;     /* in the tile */
    uint32_t tap;        /* else a drive; drives come first */
    uint32_t first, end; /* drive: its terms; tap: first is its capture */
    double factor;       /* of a drive, as in drive_point */
};

/* A tile of the plane. */
struct tile_column {
    int32_t x, y;           /* of its first point; x may be beyond the grid's edges */
    int32_t x0, x1, y0, y1; /* what it writes, in the grid */
    uint32_t map;           /* some plane of it has FUSED_MAP */
};

template <typename REAL> struct temporal_block {
    REAL *next, *next_before; /* p^{n + STEPS} and p^{n + STEPS - 1} on return */
    int nx, ny, nz, pitch;
    int64_t plane;
    int from[3], to[3]; /* the box of air */
    unsigned missing;
    REAL side;
    coefficients<REAL> states[STATES];
    const coefficients<REAL> *codes;
    const point_code *map; /* [nz][ny][pitch] */
    const tile_column *columns;
    const uint8_t *flags;         /* [column][nz] */
    int column_count, chunk;      /* planes */
    int first_chunk;              /* of this launch: in place, a pass is several */
    int across, cluster[2];       /* tiles along x; of a cluster, along x and y */
    const tile_event *events;     /* by column and plane */
    const uint32_t *first_events; /* [column][nz + 1] */
    unsigned events_max;          /* of a column */
    const unsigned long long *base;
    int offset;
    const term *drive_terms;
    const double *drive;
    unsigned long long drive_stride;
    unsigned *ended;  /* to be cleared; or nullptr */
    double *captures; /* [capture][capture_stride], by level since *base = 0 */
    unsigned long long capture_stride;
};

/* DEPTH planes are asked for ahead of the one at work. CLUSTER: the tiles of a cluster hand their edges to each other; of p^n each loads the
 * columns beside it, as many as the copy engine asks for. */
template <typename REAL, int STEPS, int V, int ROWS, int WARPS, int DEPTH, bool CLUSTER> struct tile_shape {
    enum { WIDTH = 32 * V, HEIGHT = ROWS * WARPS, THREADS = 32 * WARPS };
    enum {
        VECTOR = 16 / sizeof(REAL),
        BESIDE = CLUSTER ? VECTOR : 0,
        PITCH = WIDTH + 2 * BESIDE
    }; /* of a row of p^n */
    enum { LOADED = (HEIGHT + 2) * PITCH, LINE = 128 / sizeof(REAL), NOW = (LOADED + LINE - 1) / LINE * LINE };
    enum { RING = DEPTH + 2, BEFORE = HEIGHT * WIDTH }; /* values of a plane */
    enum { EDGE_ROWS = 2 * WARPS + 2, EDGES = (STEPS - 1) * EDGE_ROWS * WIDTH };
    enum {
        SIDE_ROWS = (ROWS + VECTOR - 1) / VECTOR * VECTOR,
        SIDES = CLUSTER ? (STEPS - 1) * 2 * WARPS * SIDE_ROWS : 0
    }; /* columns beside */
    enum { EDGE_SETS = 3, VALUES = RING * NOW + DEPTH * BEFORE + EDGE_SETS * (EDGES + SIDES) };
    /* Shared memory for chunks of so many planes and tiles of so many events. */
    static constexpr size_t bytes(int planes, size_t events)
    {
        const size_t loaded = (size_t)planes + 2 * STEPS;
        const size_t gates = RING + 2 + (CLUSTER ? EDGE_SETS * WARPS : 0);
        return VALUES * sizeof(REAL) + gates * sizeof(uint64_t) + events * (STEPS * sizeof(REAL) + sizeof(tile_event)) +
               (loaded + 1) * sizeof(uint16_t) + loaded;
    }
};

namespace fused
{

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

/* How far block `rank` of the cluster has its shared memory from this block's, in shared addresses. */
__device__ __forceinline__ uint32_t distance_to(const void *p, unsigned rank)
{
    return ptx::mapa(p, rank) - ptx::shared_address(p);
}

/* Values to another block of the cluster, whose mbarrier counts the bytes; both are addresses in its shared memory. */
template <int COUNT> __device__ __forceinline__ void send(uint32_t to, uint32_t barrier, const float (&values)[COUNT])
{
    constexpr int whole = COUNT / 4 * 4;
#pragma unroll
    for (int i = 0; i < whole; i += 4)
        ptx::st_async_v4(to + i * 4, barrier, values[i], values[i + 1], values[i + 2], values[i + 3]);
#pragma unroll
    for (int i = whole; i < COUNT; i++)
        ptx::st_async(to + i * 4, barrier, values[i]);
}

template <int COUNT> __device__ __forceinline__ void send(uint32_t to, uint32_t barrier, const double (&values)[COUNT])
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

/* A thread's rows of a plane: in registers, */
template <typename REAL, int V, int ROWS> struct held_rows {
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

/* in registers, with the rows of the neighbours before and after, */
template <typename REAL, int V, int ROWS> struct framed_rows {
    const REAL (&values)[ROWS][V];
    const REAL *front, *back;
    __device__ __forceinline__ packed<REAL, V> row(int r) const
    {
        if (r < 0)
            return read_row<REAL, V>(front);
        if (r >= ROWS)
            return read_row<REAL, V>(back);
        return held_rows<REAL, V, ROWS>{values}.row(r);
    }
};

/* or in shared memory. */
template <typename REAL, int V, int WIDTH> struct loaded_rows {
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

/* What a thread's points multiply by where the box of air says it all: the first row of a warp, the last, and those between. */
template <typename REAL, int V> struct factors {
    REAL centre[3][V], weight[3][V], side[V];
};

template <typename REAL, int V, int ROWS>
__device__ __forceinline__ void box_factors(factors<REAL, V> &f, const temporal_block<REAL> &s, int x, int y,
                                            unsigned flag)
{
    const unsigned z_ends = (unsigned)(flag & FUSED_LOW ? 1 : 0) << 4 | (unsigned)(flag & FUSED_HIGH ? 1 : 0) << 5;
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

/* What lies beside a warp's rows: nothing that counts, */
struct nothing_beside {
    template <typename REAL> __device__ __forceinline__ REAL left(int, REAL shuffled) const
    {
        return shuffled;
    }
    template <typename REAL> __device__ __forceinline__ REAL right(int, REAL shuffled) const
    {
        return shuffled;
    }
};

/* or a value a row, which the lanes of the first half have of the column before the rows and the others of the column after them. */
template <typename REAL, int ROWS> struct columns_beside {
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

/* One level of a thread's points in one plane: the box of air by its factors, or each point by the map. */
template <typename REAL, int V, int ROWS, bool WEIGHTS, bool MAP, typename HERE, typename BELOW, typename ABOVE,
          typename OLD, typename BESIDE>
__device__ __forceinline__ void advance(REAL (&out)[ROWS][V], const HERE &rows_here, const BELOW &rows_below,
                                        const ABOVE &rows_above, const OLD &rows_old, const BESIDE &beside,
                                        const factors<REAL, V> &f, const temporal_block<REAL> &s, int x, int y, int z)
{
    packed<REAL, V> front = rows_here.row(-1), here = rows_here.row(0);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const packed<REAL, V> back = rows_here.row(r + 1), below = rows_below.row(r), above = rows_above.row(r),
                              old = rows_old.row(r);
        const REAL left = beside.left(r, __shfl_up_sync(0xffffffffu, here.v[V - 1], 1));
        const REAL right = beside.right(r, __shfl_down_sync(0xffffffffu, here.v[0], 1));
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

/* What drives add to a level, in the order of the kernels of one step. */
template <typename REAL>
__device__ inline REAL drive_value(const temporal_block<REAL> &s, const tile_event &event, int step)
{
    const unsigned long long n = *s.base + (unsigned long long)(s.offset + step);
    double sum = 0.0;
    for (uint32_t k = event.first; k < event.end; k++)
        sum += s.drive_terms[k].weight * s.drive[s.drive_terms[k].channel * s.drive_stride + n];
    return (REAL)(event.factor * sum);
}

} // namespace fused

#endif
