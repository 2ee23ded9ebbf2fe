/* SPDX-License-Identifier: MIT */
/* The kernel of temporal blocks: STEPS time steps in one sweep over memory. Overlapped temporal
 * blocking with redundant halo computation, in 3.5D: tiles in x and y, streaming along z (Nguyen et
 * al. 2010; with registers and one barrier per plane as in AN5D, Matsumura et al. 2020).
 *
 * A thread block has a tile of the (x, y) plane and streams through a chunk of planes. Iteration k
 * loads plane k of p^n and plane k - 1 of p^{n-1}, and computes plane k - t of level n + t, t = 1
 * .. STEPS: each level trails the previous one by a plane, so that all planes it needs are
 * available. Between iterations a thread keeps ROWS rows of V values of two planes of every level
 * in registers. Neighbours in x are exchanged by shuffles. Neighbours in y come from the thread's
 * own rows and, at the first and last row of a warp, through shared memory. One mbarrier per plane
 * guards that memory, and no warp waits on it before it has computed its last level. With three
 * sets of these edges, no warp overwrites one that a warp one plane behind still reads
 * (docs/design/gpu.md G9). The copy engine loads planes AHEAD iterations in advance into a ring
 * with an mbarrier for each slot.
 *
 * Tiles overlap by a halo of STEPS columns on each side and STEPS - 1 rows at each end, which is
 * computed but not written: errors spread inwards by one point per level. Along z a chunk has a
 * halo too: STEPS planes of p^n before and after it are loaded, and level t is computed in STEPS -
 * t of them. There is no halo at the walls of the box of air.
 *
 * WEIGHTS: some wall absorbs, so that factors include a weight a/(1 + a). MAP: some plane of the
 * tile has irregular points, whose factors are read from the map and its table of codes. Code
 * without these features needs fewer registers.
 *
 * CLUSTER: the tiles of a thread block cluster exchange halos through distributed shared memory
 * instead of overlapping. After the last level but one of an iteration, the first and last columns
 * and rows of all levels are sent to the neighbouring blocks (st.async), which need them in their
 * next iteration after its first level. This leaves half an iteration to hide a latency that is a
 * fraction of it. Each warp waits on an mbarrier for its own rows. Three sets suffice here as well:
 * a block that has received a neighbour's halo of an iteration knows that the neighbour no longer
 * reads the set that is written next (docs/design/gpu.md G11). All blocks of a cluster stream
 * through the same planes, and none ends while values are in flight to it.
 *
 * In place, the grids that are read and those that are written share memory, `spare` planes apart
 * (engine/state.cuh). A launch takes a slab of chunks, and writes only to planes that neither it
 * nor a later launch reads (docs/design/gpu.md G8).
 *
 * The order of arithmetic is that of single-step kernels, without contraction: the same bits. */
#ifndef AULA_CUDA_TILE_CUH
#define AULA_CUDA_TILE_CUH

#include "cuda/ptx.cuh"
#include "cuda/temporal/tile_parts.cuh"

namespace temporal
{

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

/* A thread block on its way through the planes z0 .. z1 - 1 of a tile. */
template <typename REAL, int STEPS, int V, int ROWS, int WARPS, int AHEAD, bool WEIGHTS, bool MAP, bool CLUSTER>
struct tile_stream {
    typedef tile_shape<REAL, STEPS, V, ROWS, WARPS, AHEAD, CLUSTER> shape;
    static_assert(STEPS >= 3, "the last level reads no stage, which may be overwritten once the edges are published");
    enum age { NEW, HERE, BELOW }; /* planes computed in this iteration, in the previous one, and in the one before */
    typedef REAL points[ROWS][V];
    typedef points history[STEPS - 1][3]; /* of levels 1 .. STEPS - 1, by age */
    typedef register_rows<REAL, V, ROWS> own_rows;
    typedef edged_rows<REAL, V, ROWS> own_rows_with_edges;
    typedef shared_rows<REAL, V, shape::PITCH> rows_of_now;
    typedef shared_rows<REAL, V, shape::WIDTH> rows_of_before;
    const temporal_block<REAL> &s;
    const CUtensorMap *now_map, *before_map;
    REAL *stages_now, *stages_before, *edges, *sides, *drive_values;
    tile_event *events;
    uint64_t *plane_barriers, *edge_barrier; /* mbarriers: [ring] of loads; of edges */
    uint64_t *halo_barriers;                 /* [set][warp] of halos from other blocks */
    unsigned long long *level_of_base;       /* index of level n in the tap history */
    uint16_t *first_event;                   /* by plane */
    uint8_t *flags;
    int warp, lane, x, y;               /* of the thread's first point */
    uint32_t remote_side, remote_row;   /* destinations of the lane's column and the warp's row; 0: none */
    uint32_t side_barrier, row_barrier; /* their mbarriers */
    uint32_t halo_bytes, halo_parity;   /* bytes that the warp receives in an iteration */
    bool leads;                         /* the block's first thread */
    int set, slot_before;               /* set of edges that this iteration writes; slot of p^{n-1} that it reads */
    tile_column column;
    int z_first, z0, z1, planes; /* z_first: first plane of p^n loaded; z0 .. z1 - 1: written; planes: number loaded */
    unsigned writes;             /* bit r: row r is written in the thread's columns */
    int64_t at;                  /* the thread's first point in plane 0 */
    point_factors<REAL, V> f;

    /* The thread's rows of the plane loaded `back` iterations ago. */
    __device__ __forceinline__ rows_of_now plane(int slot, int back)
    {
        const int from = slot - back < 0 ? slot - back + shape::RING : slot - back;
        return {stages_now + from * shape::NOW + (warp * ROWS + 1) * shape::PITCH + shape::HALO_COLUMNS + lane * V};
    }

    /* An edge of level t. row: 0: the halo before the tile; 2 w + 1 and 2 w + 2: the first and
     * the last row of warp w; 2 WARPS + 1: the halo after. */
    __device__ __forceinline__ REAL *edge(int set, int t, int row)
    {
        return edges + set * shape::EDGES + ((t - 1) * shape::EDGE_ROWS + row) * shape::WIDTH + lane * V;
    }

    /* The halo column of level t before (0) or after (1) the tile, next to the warp's rows. */
    __device__ __forceinline__ REAL *side(int set, int t, int which)
    {
        return sides + set * shape::SIDES + (((t - 1) * 2 + which) * WARPS + warp) * shape::SIDE_ROWS;
    }

    /* The halo columns of level t of the previous iteration, as sent by neighbouring blocks. */
    template <int t> __device__ __forceinline__ auto halo_columns_of(int last_set, const own_rows_with_edges &)
    {
        if constexpr (CLUSTER) {
            halo_columns<REAL, ROWS> out;
            const REAL *from = side(last_set, t, lane / 16);
            out.first = lane == 0;
            out.last = lane == 31;
#pragma unroll
            for (int r = 0; r < shape::SIDE_ROWS; r += shape::VECTOR) {
                const packed<REAL, shape::VECTOR> part = read_row<REAL, shape::VECTOR>(from + r);
#pragma unroll
                for (int v = 0; v < shape::VECTOR && r + v < ROWS; v++)
                    out.values[r + v] = part.v[v];
            }
            return out;
        } else {
            return no_halo_columns{};
        }
    }

    /* The halo columns of p^n, loaded by the block itself. */
    template <int t> __device__ __forceinline__ auto halo_columns_of(int, const rows_of_now &here)
    {
        if constexpr (CLUSTER) {
            halo_columns<REAL, ROWS> out;
            const REAL *from = here.first + (lane < 16 ? -1 : shape::WIDTH) - lane * V;
            out.first = lane == 0;
            out.last = lane == 31;
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                out.values[r] = from[r * shape::PITCH];
            return out;
        } else {
            return no_halo_columns{};
        }
    }

    /* Sends edges of all levels to the neighbouring blocks together, as only few lanes have any. */
    __device__ __forceinline__ void send_halo(const history &level)
    {
        if (remote_side) {
            const uint32_t to = remote_side + set * (int)(shape::SIDES * sizeof(REAL)),
                           barrier = side_barrier + set * (int)(WARPS * sizeof(uint64_t));
            REAL columns[STEPS - 1][ROWS];
#pragma unroll
            for (int t = 0; t < STEPS - 1; t++)
#pragma unroll
                for (int r = 0; r < ROWS; r++)
                    columns[t][r] = lane ? level[t][NEW][r][V - 1] : level[t][NEW][r][0];
#pragma unroll
            for (int t = 0; t < STEPS - 1; t++)
                send_to_block(to + t * (int)(2 * WARPS * shape::SIDE_ROWS * sizeof(REAL)), barrier, columns[t]);
        }
        if (remote_row) {
            const uint32_t to = remote_row + set * (int)(shape::EDGES * sizeof(REAL)),
                           barrier = row_barrier + set * (int)(WARPS * sizeof(uint64_t));
#pragma unroll
            for (int t = 1; t < STEPS; t++) {
                REAL row[V];
#pragma unroll
                for (int v = 0; v < V; v++)
                    row[v] = warp ? level[t - 1][NEW][ROWS - 1][v] : level[t - 1][NEW][0][v];
                send_to_block(to + (t - 1) * (int)(shape::EDGE_ROWS * shape::WIDTH * sizeof(REAL)), barrier, row);
            }
        }
    }

    /* Waits for the halos of the previous iteration; in the first iteration the mbarriers do not
     * block. */
    __device__ __forceinline__ void wait_for_halo()
    {
        const int last_set = set == 0 ? shape::EDGE_SETS - 1 : set - 1;
        ptx::mbarrier_wait_parity(halo_barriers + last_set * WARPS + warp, set == 0 ? halo_parity ^ 1u : halo_parity);
    }

    /* Called by one thread: loads plane k of p^n and plane k - 1 of p^{n-1}, relative to
     * z_first. */
    __device__ __forceinline__ void load_plane(int k)
    {
        uint64_t *barrier = plane_barriers + k % shape::RING;
        ptx::mbarrier_arrive_expect_tx(barrier, (uint32_t)((shape::LOADED + shape::BEFORE) * sizeof(REAL)));
        ptx::cp_async_bulk_tensor_3d(stages_now + k % shape::RING * shape::NOW, now_map, barrier,
                                     column.x - shape::HALO_COLUMNS, column.y - 1, z_first + k);
        ptx::cp_async_bulk_tensor_3d(stages_before + k % AHEAD * shape::BEFORE, before_map, barrier, column.x, column.y,
                                     z_first + k - 1);
    }

    /* Drives and taps of level t in plane z, one lane each, in a copy of the warp's rows in
     * shared memory, as registers cannot be indexed. The copy replaces the rows of p^{n-1},
     * which level 1 has used. */
    __device__ __forceinline__ void drive_and_tap(points &values, int k, int t, int z)
    {
        const int begin = first_event[k - t], end = first_event[k - t + 1];
        REAL *copy = stages_before + slot_before * shape::BEFORE + warp * ROWS * shape::WIDTH;
        bool mine = false;
        for (int i = begin + lane; i < end; i += 32)
            mine = mine || events[i].row / ROWS == warp;
        if (!__any_sync(0xffffffffu, mine))
            return;
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            write_row<REAL, V>(copy + r * shape::WIDTH + lane * V, values[r]);
        __syncwarp();
        if (!events[begin].tap) { /* drives come first */
#pragma unroll 1
            for (int i = begin + lane; i < end; i += 32)
                if (events[i].row / ROWS == warp && !events[i].tap)
                    copy[events[i].row % ROWS * shape::WIDTH + events[i].x] += drive_values[i * STEPS + t - 1];
            __syncwarp();
#pragma unroll
            for (int r = 0; r < ROWS; r++) {
                const packed<REAL, V> row = read_row<REAL, V>(copy + r * shape::WIDTH + lane * V);
#pragma unroll
                for (int v = 0; v < V; v++)
                    values[r][v] = row.v[v];
            }
        }
        if (z >= z0 && z < z1)
#pragma unroll 1
            for (int i = begin + lane; i < end; i += 32)
                if (events[i].row / ROWS == warp && events[i].tap)
                    s.tap_history[events[i].first * s.tap_history_stride + *level_of_base + (unsigned long long)t] =
                        (double)copy[events[i].row % ROWS * shape::WIDTH + events[i].x];
        __syncwarp();
        ptx::fence_proxy_async_shared(); /* the copy engine writes there next */
    }

    /* Sets the factors of the first or last plane (there), or resets them. A missing link adds
     * λ² to the centre, exactly; with weights they are looked up. */
    __device__ __forceinline__ void set_face_factors(unsigned flag, bool there)
    {
        if (WEIGHTS) {
            box_factors<REAL, V, ROWS>(f, s, x, y, there ? flag : 0);
            return;
        }
        const int walls = (flag & PLANE_LOW ? s.missing >> 4 & 1 : 0) + (flag & PLANE_HIGH ? s.missing >> 5 & 1 : 0);
#pragma unroll
        for (int kind = 0; kind < 3; kind++)
#pragma unroll
            for (int v = 0; v < V; v++)
                f.centre[kind][v] += REAL(there ? walls : -walls) * f.side[v];
    }

    __device__ __forceinline__ void store(REAL *grid, const points &values, int z)
    {
        REAL *to = grid + (at + z * s.plane);
#pragma unroll
        for (int r = 0; r < ROWS; r++, to += s.pitch)
            if (writes >> r & 1u)
                write_row<REAL, V>(to, values[r]);
    }

    /* Level t in iteration k from level t - 1 in three planes and level t - 2: zero outside the
     * box of air; handles drives and taps, writes edges for the other warps, and the last two
     * levels to memory. */
    template <int t, typename HERE, typename BELOW, typename ABOVE, typename OLD>
    __device__ __forceinline__ void compute(int k, points &values, const HERE &here, const BELOW &below,
                                            const ABOVE &above, const OLD &old)
    {
        const int z = z_first + k - t, last_set = set == 0 ? shape::EDGE_SETS - 1 : set - 1;
        const unsigned flag = k >= 2 * t ? flags[k - t] : PLANE_OUTSIDE;
        if (flag & PLANE_OUTSIDE) {
#pragma unroll
            for (int r = 0; r < ROWS; r++)
#pragma unroll
                for (int v = 0; v < V; v++)
                    values[r][v] = REAL(0);
        } else if (MAP && (flag & PLANE_MAP)) {
            step_rows<REAL, V, ROWS, WEIGHTS, true>(values, here, below, above, old,
                                                    halo_columns_of<t - 1>(last_set, here), f, s, x, y, z);
        } else {
            if (flag & (PLANE_LOW | PLANE_HIGH))
                set_face_factors(flag, true);
            step_rows<REAL, V, ROWS, WEIGHTS, false>(values, here, below, above, old,
                                                     halo_columns_of<t - 1>(last_set, here), f, s, x, y, z);
            if (flag & (PLANE_LOW | PLANE_HIGH))
                set_face_factors(flag, false);
        }
        if (flag & PLANE_EVENT)
            drive_and_tap(values, k, t, z);
        if (t < STEPS) {
            write_row<REAL, V>(edge(set, t < STEPS ? t : 1, 2 * warp + 1), values[0]);
            write_row<REAL, V>(edge(set, t < STEPS ? t : 1, 2 * warp + 2), values[ROWS - 1]);
        }
        if (t >= STEPS - 1 && z >= z0 && z < z1)
            store(t == STEPS ? s.next : s.next_before, values, z);
    }

    /* Called after the warp's edges of all levels are written. */
    __device__ __forceinline__ void publish_edges()
    {
        __syncwarp();
        if (lane == 0)
            ptx::mbarrier_arrive(edge_barrier);
    }

    /* Levels t .. STEPS. */
    template <int t, typename OLD> __device__ __forceinline__ void compute_from(int k, history &level, const OLD &old)
    {
        if constexpr (t <= STEPS) {
            const int last_set = set == 0 ? shape::EDGE_SETS - 1 : set - 1;
            const own_rows_with_edges here = {level[t - 2][HERE], edge(last_set, t - 1, 2 * warp),
                                              edge(last_set, t - 1, 2 * warp + 3)};
            const own_rows below = {level[t - 2][BELOW]}, above = {level[t - 2][NEW]};
            if constexpr (t == STEPS) {
                points last;
                if (CLUSTER)
                    send_halo(level);
                /* events use the memory of p^{n-1}, which is loaded next */
                const bool events_to_come = k >= 2 * STEPS && flags[k - STEPS] & PLANE_EVENT;
                if (!events_to_come)
                    publish_edges(); /* the last level needs no edges */
                compute<t>(k, last, here, below, above, old);
                if (events_to_come)
                    publish_edges();
            } else {
                compute<t>(k, level[t - 1][NEW], here, below, above, old);
                compute_from<t + 1>(k, level, below);
            }
        }
    }

    /* Iteration k. Phases: wait for the planes loaded; level 1, which needs no halo of other
     * blocks; wait for these halos; levels 2 .. STEPS, the last of which publishes the edges;
     * wait for the edges of all warps, after which stages may be overwritten, and load plane k +
     * AHEAD. */
    __device__ __forceinline__ void iterate(int k, history &level, int &slot, uint32_t &parity)
    {
        ptx::mbarrier_wait_parity(plane_barriers + slot, parity);
        const rows_of_now here = plane(slot, 1), below = plane(slot, 2), above = plane(slot, 0);
        const rows_of_before old = {stages_before + slot_before * shape::BEFORE + warp * ROWS * shape::WIDTH +
                                    lane * V};
        if (CLUSTER && lane == 0)
            ptx::mbarrier_arrive_expect_tx(halo_barriers + set * WARPS + warp, halo_bytes);
        compute<1>(k, level[0][NEW], here, below, above, old);
        if (CLUSTER)
            wait_for_halo();
        compute_from<2>(k, level, below);
        ptx::mbarrier_wait_parity(edge_barrier, (uint32_t)k & 1u);
        if ((CLUSTER ? leads : threadIdx.x == 0) && k + AHEAD < planes)
            load_plane(k + AHEAD);
        slot_before = slot_before + 1 == AHEAD ? 0 : slot_before + 1;
        set = set + 1 == shape::EDGE_SETS ? 0 : set + 1;
        if (CLUSTER && set == 0)
            halo_parity ^= 1u;
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
        if (CLUSTER) /* a block ends only after it has received everything sent to it */
            wait_for_halo();
    }

    /* Phases: the layout of shared memory and the mbarriers; the thread's position in the tile;
     * tables that are older than the previous temporal block; halos at walls, which stay 0;
     * after the previous kernel has ended, the loads of the first planes; while these are in
     * flight, the drives' values. The barriers of the first two iterations, which compute
     * nothing yet, make them visible to all threads. */
    __device__ __forceinline__ void set_up(REAL *memory, int index, int first, int end)
    {
        stages_now = memory;
        stages_before = stages_now + shape::RING * shape::NOW;
        edges = stages_before + AHEAD * shape::BEFORE;
        sides = edges + shape::EDGE_SETS * shape::EDGES;
        plane_barriers = reinterpret_cast<uint64_t *>(sides + shape::EDGE_SETS * shape::SIDES);
        edge_barrier = plane_barriers + shape::RING;
        halo_barriers = edge_barrier + 1;
        level_of_base =
            reinterpret_cast<unsigned long long *>(halo_barriers + (CLUSTER ? shape::EDGE_SETS * WARPS : 0));
        set = 0;
        slot_before = 0;
        events = reinterpret_cast<tile_event *>(level_of_base + 1);
        drive_values = reinterpret_cast<REAL *>(events + s.events_max);
        first_event = reinterpret_cast<uint16_t *>(drive_values + s.events_max * STEPS);
        z0 = first;
        z1 = end;
        z_first = z0 - STEPS;
        planes = z1 - z0 + 2 * STEPS;
        flags = reinterpret_cast<uint8_t *>(first_event + planes + 1);
        if (threadIdx.x == 0) {
            for (int k = 0; k < shape::RING; k++)
                ptx::mbarrier_init(plane_barriers + k, 1);
            ptx::mbarrier_init(edge_barrier, WARPS);
            for (int i = 0; CLUSTER && i < shape::EDGE_SETS * WARPS; i++)
                ptx::mbarrier_init(halo_barriers + i, 1);
            ptx::fence_mbarrier_init();
        }
        int thread = (int)threadIdx.x;
        if (CLUSTER)
            thread = ptx::opaque(thread); /* kept in a register, as reading threadIdx again in the loop is slow */
        leads = thread == 0;
        warp = thread / 32;
        lane = thread % 32;
        x = column.x + lane * V;
        y = column.y + warp * ROWS;
        writes = 0;
        for (int r = 0; r < ROWS; r++)
            writes |= (unsigned)(y + r >= column.y0 && y + r < column.y1 && x >= column.x0 && x < column.x1) << r;
        at = (int64_t)y * s.pitch + x;
        box_factors<REAL, V, ROWS>(f, s, x, y, 0);
        /* events by plane, and flags */
        const uint32_t *list = s.first_events + (int64_t)index * (s.nz + 1);
        const uint32_t event0 = list[max(z_first, 0)];
        const int event_count = (int)(list[min(z_first + planes, s.nz)] - event0);
        for (int k = (int)threadIdx.x; k <= planes; k += shape::THREADS) {
            const int z = z_first + k;
            first_event[k] = (uint16_t)(list[min(max(z, 0), s.nz)] - event0);
            if (k < planes)
                flags[k] = z < 0 || z >= s.nz ? (uint8_t)PLANE_OUTSIDE : s.flags[(int64_t)index * s.nz + z];
        }
        const unsigned neighbours = CLUSTER ? set_up_halo_exchange() : 0;
        for (int i = (int)threadIdx.x; i < shape::EDGE_SETS * (STEPS - 1) * shape::WIDTH;
             i += shape::THREADS) { /* halo rows */
            REAL *rows = edges + (i / shape::WIDTH) * (shape::EDGE_ROWS * shape::WIDTH) + i % shape::WIDTH;
            if (!(neighbours & 4))
                rows[0] = REAL(0);
            if (!(neighbours & 8))
                rows[(shape::EDGE_ROWS - 1) * shape::WIDTH] = REAL(0);
        }
        for (int i = (int)threadIdx.x; i < shape::EDGE_SETS * shape::SIDES; i += shape::THREADS)
            if (!(neighbours >> i / (WARPS * shape::SIDE_ROWS) % 2 & 1))
                sides[i] = REAL(0);
        wait_for_previous_kernel();
        wait_for_halos(s.halos, z0 - STEPS, z1 + STEPS);
        release_next_kernel();
        if (threadIdx.x == 0)
            for (int k = 0; k < AHEAD; k++)
                load_plane(k);
        __syncthreads();
        if (CLUSTER) /* nothing may be sent to a block before its mbarriers are initialized */
            ptx::barrier_cluster_arrive_relaxed();
        for (int i = (int)threadIdx.x; i < event_count * STEPS; i += shape::THREADS) {
            const tile_event event = s.events[event0 + i / STEPS];
            if (i % STEPS == 0)
                events[i / STEPS] = event;
            if (!event.tap)
                drive_values[i] = drive_value(s, event, i % STEPS);
        }
        if (threadIdx.x == 0)
            *level_of_base = *s.base + (unsigned long long)s.offset;
        if (CLUSTER)
            ptx::barrier_cluster_wait();
    }

    /* Destinations of the lane's and the warp's edges, and the edges they receive. Blocks of a
     * cluster are numbered along x, then y. Returns bits: this block has a neighbour before and
     * after it along x, before and after it along y. */
    __device__ __forceinline__ unsigned set_up_halo_exchange()
    {
        const int x_max = s.cluster[0], y_max = s.cluster[1], rank = (int)blockIdx.x % (x_max * y_max),
                  i = rank % x_max, j = rank / x_max;
        const unsigned neighbours = (unsigned)(i > 0) | (unsigned)(i + 1 < x_max) << 1 | (unsigned)(j > 0) << 2 |
                                    (unsigned)(j + 1 < y_max) << 3;
        const bool beside = lane == 0 ? neighbours & 1 : lane == 31 && neighbours & 2,
                   along = warp == 0 ? neighbours & 4 : warp == WARPS - 1 && neighbours & 8;
        const uint32_t side_away = distance_to_block(sides, (unsigned)(beside ? rank + (lane ? 1 : -1) : rank));
        const uint32_t row_away = distance_to_block(edges, (unsigned)(along ? rank + (warp ? x_max : -x_max) : rank));
        remote_side = beside ? ptx::shared_address(side(0, 1, lane ? 0 : 1)) + side_away : 0;
        side_barrier = ptx::shared_address(halo_barriers + warp) + side_away;
        remote_row = along ? ptx::shared_address(edge(0, 1, warp ? 0 : shape::EDGE_ROWS - 1)) + row_away : 0;
        row_barrier = ptx::shared_address(halo_barriers + (warp ? 0 : WARPS - 1)) + row_away;
        halo_bytes =
            (uint32_t)((STEPS - 1) *
                       ((int)((neighbours & 1) + (neighbours >> 1 & 1)) * ROWS + (along ? (int)shape::WIDTH : 0)) *
                       sizeof(REAL));
        halo_parity = 0;
        return neighbours;
    }
};

#endif

} // namespace temporal

#endif
