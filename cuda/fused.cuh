/* Several time steps in one pass over memory.
 *
 * A block of threads owns a tile of the (x, y) plane and marches through a chunk of planes. While it loads plane i of p^n and plane i - 1
 * of p^{n-1}, it makes plane i - t of level n + t for t = 1 .. STEPS: each level trails the one before by a plane, so all that a level
 * needs of the others is already at hand. Every thread keeps ROWS rows of V values of two planes of every level in registers; x
 * neighbours come by shuffle, y neighbours from its own rows and, at the first and last row of its warp, through shared memory: one
 * barrier a plane, which warps pass while they make the last level. With three sets of edges none is overwritten that a warp one
 * plane behind still reads. What a tile cannot know it computes wrong and does not write: a margin of STEPS columns at each side and STEPS - 1
 * rows, which the tiles beside make. At the walls of the box of air there is no margin.
 *
 * Arithmetic order as in the kernels of one step, without contraction: the same bits. */
#ifndef AULA_CUDA_FUSED_CUH
#define AULA_CUDA_FUSED_CUH

#include <cuda.h>

#include "kernel.cuh"

enum fused_flag {
    FUSED_MAP = 1,     /* a plane of a tile is not what the box of air says: read the codes */
    FUSED_EVENT = 2,   /* has drives or taps */
    FUSED_OUTSIDE = 4, /* beyond the box of air: zero */
    FUSED_LOW = 8,     /* touches the wall at the lower end of z */
    FUSED_HIGH = 16    /* or at the upper */
};

/* A drive that a tile contains, or a tap that it owns. */
struct fused_event {
    uint16_t row, x;     /* in the tile */
    uint32_t tap;        /* else a drive; drives come first */
    uint32_t first, end; /* drive: its terms; tap: first is its capture */
    double factor;       /* of a drive, as in drive_point */
};

/* A tile of the plane. */
struct fused_column {
    int32_t x, y;                   /* of its first point; x may be beyond the grid's edges */
    int32_t x0, x1, y0, y1;         /* what it writes, in the grid */
    uint32_t map;                   /* some plane of it has FUSED_MAP */
};

template <typename REAL> struct fused_pass {
    REAL *next, *next_before; /* p^{n + STEPS} and p^{n + STEPS - 1} on return */
    int nx, ny, nz, pitch;
    int64_t plane;
    int from[3], to[3]; /* the box of air */
    unsigned missing;
    REAL side;
    coefficients<REAL> states[STATES];
    const coefficients<REAL> *codes;
    const point_code *map;        /* [nz][ny][pitch] */
    const fused_column *columns;
    const uint8_t *flags;         /* [column][nz] */
    int column_count, chunk;      /* planes */
    const fused_event *events;    /* by column and plane */
    const uint32_t *first_events; /* [column][nz + 1] */
    unsigned events_most;         /* of a column */
    const unsigned long long *base;
    int offset;
    const term *drive_terms;
    const double *drive;
    unsigned long long drive_stride;
    double *captures;             /* [capture][capture_stride], by level since *base = 0 */
    unsigned long long capture_stride;
};

/* DEPTH planes are asked for ahead of the one at work. */
template <typename REAL, int STEPS, int V, int ROWS, int WARPS, int DEPTH> struct fused_shape {
    enum { WIDTH = 32 * V, HEIGHT = ROWS * WARPS, THREADS = 32 * WARPS };
    enum { RING = DEPTH + 2, NOW = (HEIGHT + 2) * WIDTH, BEFORE = HEIGHT * WIDTH }; /* values of a plane */
    enum { EDGE_ROWS = 2 * WARPS + 2, EDGES = (STEPS - 1) * EDGE_ROWS * WIDTH };
    enum { EDGE_SETS = 3, VALUES = RING * NOW + DEPTH * BEFORE + EDGE_SETS * EDGES };
    /* Shared memory for chunks of so many planes and tiles of so many events. */
    static constexpr size_t bytes(int planes, size_t events)
    {
        const size_t loaded = (size_t)planes + 2 * STEPS;
        return VALUES * sizeof(REAL) + (RING + 2) * sizeof(uint64_t) + events * (STEPS * sizeof(REAL) + sizeof(fused_event)) + (loaded + 1) * sizeof(uint16_t) + loaded;
    }
};

namespace fused {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

__device__ __forceinline__ uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

__device__ __forceinline__ void open_gate(uint64_t *gate, uint32_t arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(gate)), "r"(arrivals) : "memory");
}

__device__ __forceinline__ void arrive_at(uint64_t *gate)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(gate)) : "memory");
}

__device__ __forceinline__ void expect(uint64_t *gate, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(gate)), "r"(bytes) : "memory");
}

__device__ __forceinline__ void wait_at(uint64_t *gate, uint32_t parity)
{
    asm volatile("{\n"
                 ".reg .pred arrived;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 arrived, [%0], %1;\n"
                 "@arrived bra.uni done;\n"
                 "bra.uni again;\n"
                 "done:\n"
                 "}" ::"r"(shared_address(gate)),
                 "r"(parity)
                 : "memory");
}

/* A box of a plane to shared memory; what lies beyond the grid comes as zero. */
__device__ __forceinline__ void fetch(void *to, const CUtensorMap *map, uint64_t *gate, int x, int y, int z)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];" ::"r"(
                     shared_address(to)),
                 "l"(map), "r"(shared_address(gate)), "r"(x), "r"(y), "r"(z)
                 : "memory");
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
__device__ __forceinline__ void box_factors(factors<REAL, V> &f, const fused_pass<REAL> &s, int x, int y, unsigned flag)
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

/* One level of a thread's points in one plane: the box of air by its factors, or each point by the map. */
template <typename REAL, int V, int ROWS, bool WEIGHTS, bool MAP, typename HERE, typename BELOW, typename ABOVE, typename OLD>
__device__ __forceinline__ void advance(REAL (&out)[ROWS][V], const HERE &rows_here, const BELOW &rows_below, const ABOVE &rows_above,
                                        const OLD &rows_old, const factors<REAL, V> &f, const fused_pass<REAL> &s, int x, int y, int z)
{
    packed<REAL, V> front = rows_here.row(-1), here = rows_here.row(0);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const packed<REAL, V> back = rows_here.row(r + 1), below = rows_below.row(r), above = rows_above.row(r), old = rows_old.row(r);
        const REAL left = __shfl_up_sync(0xffffffffu, here.v[V - 1], 1), right = __shfl_down_sync(0xffffffffu, here.v[0], 1);
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
template <typename REAL> __device__ inline REAL drive_value(const fused_pass<REAL> &s, const fused_event &event, int step)
{
    const unsigned long long n = *s.base + (unsigned long long)(s.offset + step);
    double sum = 0.0;
    for (uint32_t k = event.first; k < event.end; k++)
        sum += s.drive_terms[k].weight * s.drive[s.drive_terms[k].channel * s.drive_stride + n];
    return (REAL)(event.factor * sum);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

/* One thread block's march. */
template <typename REAL, int STEPS, int V, int ROWS, int WARPS, int DEPTH, bool WEIGHTS, bool MAP> struct march {
    typedef fused_shape<REAL, STEPS, V, ROWS, WARPS, DEPTH> shape;
    enum age { NEW, HERE, BELOW }; /* made in this iteration, in the one before, and before that */
    typedef REAL points[ROWS][V];
    typedef points history[STEPS - 1][3]; /* of levels 1 .. STEPS - 1, by age */
    typedef held_rows<REAL, V, ROWS> held;
    typedef framed_rows<REAL, V, ROWS> framed;
    typedef loaded_rows<REAL, V, shape::WIDTH> loaded;
    const fused_pass<REAL> &s;
    const CUtensorMap *now_map, *before_map;
    REAL *stages_now, *stages_before, *edges, *drive_values;
    fused_event *events;
    uint64_t *gates, *edge_gate;
    unsigned long long *level_of_base; /* of the captures */
    uint16_t *first_event; /* by plane */
    uint8_t *flags;
    int warp, lane, x, y;         /* of the thread's first point */
    int set, slot_before;         /* of edges that this iteration writes; of p^{n-1} that it reads */
    fused_column column;
    int z_first, z0, z1, planes;  /* plane of p^n loaded first; written; loaded */
    unsigned writes;              /* bit r: row r is written, in the thread's columns */
    int64_t at;                   /* the thread's first point in plane 0 */
    factors<REAL, V> f;

    /* The thread's rows of the plane loaded `back` iterations ago. */
    __device__ __forceinline__ loaded plane(int slot, int back)
    {
        const int from = slot - back < 0 ? slot - back + shape::RING : slot - back;
        return {stages_now + from * shape::NOW + (warp * ROWS + 1) * shape::WIDTH + lane * V};
    }

    /* Of a set; row 0: nothing, then first and last of each warp. */
    __device__ __forceinline__ REAL *edge(int set, int t, int row)
    {
        return edges + set * shape::EDGES + ((t - 1) * shape::EDGE_ROWS + row) * shape::WIDTH + lane * V;
    }

    __device__ __forceinline__ void request(int k)
    {
        uint64_t *gate = gates + k % shape::RING;
        expect(gate, (uint32_t)((shape::NOW + shape::BEFORE) * sizeof(REAL)));
        fetch(stages_now + k % shape::RING * shape::NOW, now_map, gate, column.x, column.y - 1, z_first + k);
        fetch(stages_before + k % DEPTH * shape::BEFORE, before_map, gate, column.x, column.y, z_first + k - 1);
    }

    /* Drives and taps, a lane each, in a copy of the warp's rows: in registers each point would be a question to all of them. The copy lies
     * where the rows of p^{n-1} were, which level 1 has used. */
    __device__ __forceinline__ void handle_events(points &values, int k, int t, int z)
    {
        const int begin = first_event[k - t], end = first_event[k - t + 1];
        REAL *strip = stages_before + slot_before * shape::BEFORE + warp * ROWS * shape::WIDTH;
        bool mine = false;
        for (int i = begin + lane; i < end; i += 32)
            mine = mine || events[i].row / ROWS == warp;
        if (!__any_sync(0xffffffffu, mine))
            return;
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            write_row<REAL, V>(strip + r * shape::WIDTH + lane * V, values[r]);
        __syncwarp();
        if (!events[begin].tap) { /* drives come first */
#pragma unroll 1
            for (int i = begin + lane; i < end; i += 32)
                if (events[i].row / ROWS == warp && !events[i].tap)
                    strip[events[i].row % ROWS * shape::WIDTH + events[i].x] += drive_values[i * STEPS + t - 1];
            __syncwarp();
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                const packed<REAL, V> row = read_row<REAL, V>(strip + r * shape::WIDTH + lane * V);
#pragma unroll
                for (int v = 0; v < V; v++)
                    values[r][v] = row.v[v];
            }
        }
        if (z >= z0 && z < z1)
#pragma unroll 1
            for (int i = begin + lane; i < end; i += 32)
                if (events[i].row / ROWS == warp && events[i].tap)
                    s.captures[events[i].first * s.capture_stride + *level_of_base + (unsigned long long)t] =
                        (double)strip[events[i].row % ROWS * shape::WIDTH + events[i].x];
        __syncwarp();
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); /* the copy engine writes there next */
    }

    __device__ __forceinline__ void store(REAL *grid, const points &values, int z)
    {
        REAL *to = grid + (at + z * s.plane);
#pragma unroll
        for (int r = 0; r < ROWS; r++, to += s.pitch)
            if (writes >> r & 1u)
                write_row<REAL, V>(to, values[r]);
    }

    /* Level t of iteration k from the level before it: `here` and `below` of the iterations before, `above` of this one. */
    template <int t, typename HERE, typename BELOW, typename ABOVE, typename OLD>
    __device__ __forceinline__ void make(int k, points &values, const HERE &here, const BELOW &below, const ABOVE &above, const OLD &old)
    {
        const int z = z_first + k - t;
        const unsigned flag = k >= 2 * t ? flags[k - t] : FUSED_OUTSIDE;
        if (flag & FUSED_OUTSIDE) {
#pragma unroll
            for (int r = 0; r < ROWS; r++)
#pragma unroll
                for (int v = 0; v < V; v++)
                    values[r][v] = REAL(0);
        } else if (MAP && (flag & FUSED_MAP)) {
            advance<REAL, V, ROWS, WEIGHTS, true>(values, here, below, above, old, f, s, x, y, z);
        } else {
            if (flag & (FUSED_LOW | FUSED_HIGH))
                box_factors<REAL, V, ROWS>(f, s, x, y, flag);
            advance<REAL, V, ROWS, WEIGHTS, false>(values, here, below, above, old, f, s, x, y, z);
            if (flag & (FUSED_LOW | FUSED_HIGH))
                box_factors<REAL, V, ROWS>(f, s, x, y, 0);
        }
        if (flag & FUSED_EVENT)
            handle_events(values, k, t, z);
        if (t < STEPS) {
            write_row<REAL, V>(edge(set, t < STEPS ? t : 1, 2 * warp + 1), values[0]);
            write_row<REAL, V>(edge(set, t < STEPS ? t : 1, 2 * warp + 2), values[ROWS - 1]);
        }
        if (t >= STEPS - 1 && z >= z0 && z < z1)
            store(t == STEPS ? s.next : s.next_before, values, z);
    }

    __device__ __forceinline__ void give_edges()
    {
        __syncwarp();
        if (lane == 0)
            arrive_at(edge_gate);
    }

    /* Levels t .. STEPS. */
    template <int t, typename OLD> __device__ __forceinline__ void make_from(int k, history &level, const OLD &old)
    {
        if constexpr (t <= STEPS) {
            const int last_set = set == 0 ? shape::EDGE_SETS - 1 : set - 1;
            const framed here = {level[t - 2][HERE], edge(last_set, t - 1, 2 * warp), edge(last_set, t - 1, 2 * warp + 3)};
            const held below = {level[t - 2][BELOW]}, above = {level[t - 2][NEW]};
            if constexpr (t == STEPS) {
                points last;
                const bool events_to_come = k >= 2 * STEPS && flags[k - STEPS] & FUSED_EVENT; /* they use what the copy engine writes next */
                if (!events_to_come)
                    give_edges(); /* the last level has none */
                make<t>(k, last, here, below, above, old);
                if (events_to_come)
                    give_edges();
            } else {
                make<t>(k, level[t - 1][NEW], here, below, above, old);
                make_from<t + 1>(k, level, below);
            }
        }
    }

    __device__ __forceinline__ void iterate(int k, history &level, int &slot, uint32_t &parity)
    {
        wait_at(gates + slot, parity);
        const loaded here = plane(slot, 1), below = plane(slot, 2), above = plane(slot, 0);
        const loaded old = {stages_before + slot_before * shape::BEFORE + warp * ROWS * shape::WIDTH + lane * V};
        make<1>(k, level[0][NEW], here, below, above, old);
        make_from<2>(k, level, below);
        wait_at(edge_gate, (uint32_t)k & 1u);
        if (threadIdx.x == 0 && k + DEPTH < planes)
            request(k + DEPTH);
        slot_before = slot_before + 1 == DEPTH ? 0 : slot_before + 1;
        set = set + 1 == shape::EDGE_SETS ? 0 : set + 1;
        slot++;
        if (slot == shape::RING) {
            slot = 0;
            parity ^= 1u;
        }
    }

    __device__ __forceinline__ void run()
    {
        history level;
#pragma unroll
        for (int t = 0; t < STEPS - 1; t++)
#pragma unroll
            for (int k = 0; k < 3; k++)
#pragma unroll
                for (int r = 0; r < ROWS; r++)
#pragma unroll
                    for (int v = 0; v < V; v++)
                        level[t][k][r][v] = REAL(0);
        uint32_t parity = 0;
        int slot = 0;
#pragma unroll 1
        for (int k = 0; k < planes; k++) {
            iterate(k, level, slot, parity);
#pragma unroll
            for (int t = 0; t < STEPS - 1; t++)
#pragma unroll
                for (int r = 0; r < ROWS; r++)
#pragma unroll
                    for (int v = 0; v < V; v++) {
                        level[t][BELOW][r][v] = level[t][HERE][r][v];
                        level[t][HERE][r][v] = level[t][NEW][r][v];
                    }
        }
    }

    /* Asks for the first planes, and sets up all else while they come: the barriers of the first two iterations, which make nothing yet,
     * stand before its use. */
    __device__ __forceinline__ void open(REAL *memory, int index, int first, int end)
    {
        stages_now = memory;
        stages_before = stages_now + shape::RING * shape::NOW;
        edges = stages_before + DEPTH * shape::BEFORE;
        gates = reinterpret_cast<uint64_t *>(edges + shape::EDGE_SETS * shape::EDGES);
        edge_gate = gates + shape::RING;
        level_of_base = reinterpret_cast<unsigned long long *>(edge_gate + 1);
        set = 0;
        slot_before = 0;
        events = reinterpret_cast<fused_event *>(level_of_base + 1);
        drive_values = reinterpret_cast<REAL *>(events + s.events_most);
        first_event = reinterpret_cast<uint16_t *>(drive_values + s.events_most * STEPS);
        z0 = first;
        z1 = end;
        z_first = z0 - STEPS;
        planes = z1 - z0 + 2 * STEPS;
        flags = reinterpret_cast<uint8_t *>(first_event + planes + 1);
        if (threadIdx.x == 0) {
            for (int k = 0; k < shape::RING; k++)
                open_gate(gates + k, 1);
            open_gate(edge_gate, WARPS);
            asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        }
        cudaGridDependencySynchronize();
        cudaTriggerProgrammaticLaunchCompletion();
        if (threadIdx.x == 0)
            for (int k = 0; k < DEPTH; k++)
                request(k);
        __syncthreads();
        warp = (int)threadIdx.x / 32;
        lane = (int)threadIdx.x % 32;
        x = column.x + lane * V;
        y = column.y + warp * ROWS;
        writes = 0;
        for (int r = 0; r < ROWS; r++)
            writes |= (unsigned)(y + r >= column.y0 && y + r < column.y1 && x >= column.x0 && x < column.x1) << r;
        at = (int64_t)y * s.pitch + x;
        box_factors<REAL, V, ROWS>(f, s, x, y, 0);
        const uint32_t *list = s.first_events + (int64_t)index * (s.nz + 1);
        const uint32_t event0 = list[max(z_first, 0)];
        const int event_count = (int)(list[min(z_first + planes, s.nz)] - event0);
        for (int k = (int)threadIdx.x; k <= planes; k += shape::THREADS) {
            const int z = z_first + k;
            first_event[k] = (uint16_t)(list[min(max(z, 0), s.nz)] - event0);
            if (k < planes)
                flags[k] = z < 0 || z >= s.nz ? (uint8_t)FUSED_OUTSIDE : s.flags[(int64_t)index * s.nz + z];
        }
        for (int i = (int)threadIdx.x; i < event_count * STEPS; i += shape::THREADS) {
            const fused_event event = s.events[event0 + i / STEPS];
            if (i % STEPS == 0)
                events[i / STEPS] = event;
            if (!event.tap)
                drive_values[i] = drive_value(s, event, i % STEPS);
        }
        if (threadIdx.x == 0)
            *level_of_base = *s.base + (unsigned long long)s.offset;
        for (int i = (int)threadIdx.x; i < shape::EDGE_SETS * (STEPS - 1) * shape::WIDTH; i += shape::THREADS) { /* beside the first and the last row */
            REAL *rows = edges + (i / shape::WIDTH) * (shape::EDGE_ROWS * shape::WIDTH) + i % shape::WIDTH;
            rows[0] = REAL(0);
            rows[(shape::EDGE_ROWS - 1) * shape::WIDTH] = REAL(0);
        }
    }
};

#endif

/* WEIGHTS: some wall absorbs. MAP: some tile must read the map; without its code, registers go further. */
template <typename REAL, int STEPS, int V, int ROWS, int WARPS, int DEPTH, bool WEIGHTS, bool MAP>
__global__ void __launch_bounds__(32 * WARPS, 1)
    step(const __grid_constant__ CUtensorMap now_map, const __grid_constant__ CUtensorMap before_map, const __grid_constant__ fused_pass<REAL> s)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    extern __shared__ __align__(128) unsigned char shared_memory[];
    REAL *memory = reinterpret_cast<REAL *>(shared_memory);
    const int chunk = (int)blockIdx.x / s.column_count, index = (int)blockIdx.x % s.column_count;
    const int z0 = chunk * s.chunk, z1 = min(z0 + s.chunk, s.nz);
    const fused_column column = s.columns[index];
    if (MAP && column.map) {
        march<REAL, STEPS, V, ROWS, WARPS, DEPTH, WEIGHTS, MAP> m = {s, &now_map, &before_map};
        m.column = column;
        m.open(memory, index, z0, z1);
        m.run();
    } else {
        march<REAL, STEPS, V, ROWS, WARPS, DEPTH, WEIGHTS, false> m = {s, &now_map, &before_map};
        m.column = column;
        m.open(memory, index, z0, z1);
        m.run();
    }
#endif
}

} // namespace fused

#endif
