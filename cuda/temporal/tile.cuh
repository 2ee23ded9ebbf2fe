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
 * CLUSTER: the tiles of a thread block cluster need no margins between them. Once the last level but one of an iteration is made, first and
 * last columns and rows of all levels go to the blocks beside, which need them in their next iteration, once its first level is made: half an
 * iteration for a way that takes a fraction of it. Each warp waits for what its own rows have beside them. Sets of edges are kept as within a
 * block: who has a neighbour's values of an iteration knows that it reads none of the one before the last, whose place is written next. All
 * blocks of a cluster make the same planes, and none ends while anything is under way to it.
 *
 * In place, the grids that are read and those that are written are the same memory, `spare` planes apart (state.cuh), and a launch makes a
 * slab of chunks: what it writes lies where only planes lie that neither it nor a later launch reads.
 *
 * Arithmetic order as in the kernels of one step, without contraction: the same bits. */
#ifndef AULA_CUDA_FUSED_CUH
#define AULA_CUDA_FUSED_CUH

#include "cuda/ptx.cuh"
#include "cuda/temporal/completion_flag.cuh"
#include "cuda/temporal/tile_parts.cuh"

namespace fused
{

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

/* One thread block's march. */
template <typename REAL, int STEPS, int V, int ROWS, int WARPS, int DEPTH, bool WEIGHTS, bool MAP, bool CLUSTER>
struct march {
    typedef tile_shape<REAL, STEPS, V, ROWS, WARPS, DEPTH, CLUSTER> shape;
    enum age { NEW, HERE, BELOW }; /* made in this iteration, in the one before, and before that */
    typedef REAL points[ROWS][V];
    typedef points history[STEPS - 1][3]; /* of levels 1 .. STEPS - 1, by age */
    typedef held_rows<REAL, V, ROWS> held;
    typedef framed_rows<REAL, V, ROWS> framed;
    typedef loaded_rows<REAL, V, shape::PITCH> loaded;
    typedef loaded_rows<REAL, V, shape::WIDTH> loaded_before;
    const temporal_block<REAL> &s;
    const CUtensorMap *now_map, *before_map;
    REAL *stages_now, *stages_before, *edges, *sides, *drive_values;
    tile_event *events;
    uint64_t *gates, *edge_gate,
        *hand_gates; /* the last, of sets and warps: what the other blocks of the cluster hand over is there */
    unsigned long long *level_of_base; /* of the captures */
    uint16_t *first_event;             /* by plane */
    uint8_t *flags;
    int warp, lane, x, y;         /* of the thread's first point */
    uint32_t to_side, to_row;     /* where, in other blocks, the lane hands a column and the warp a row; 0: nowhere */
    uint32_t gate_side, gate_row; /* that count them */
    uint32_t handed, hand_parity; /* bytes of an iteration that others hand to this warp */
    bool leads;                   /* the block's first thread */
    int set, slot_before;         /* of edges that this iteration writes; of p^{n-1} that it reads */
    tile_column column;
    int z_first, z0, z1, planes; /* plane of p^n loaded first; written; loaded */
    unsigned writes;             /* bit r: row r is written, in the thread's columns */
    int64_t at;                  /* the thread's first point in plane 0 */
    factors<REAL, V> f;

    /* The thread's rows of the plane loaded `back` iterations ago. */
    __device__ __forceinline__ loaded plane(int slot, int back)
    {
        const int from = slot - back < 0 ? slot - back + shape::RING : slot - back;
        return {stages_now + from * shape::NOW + (warp * ROWS + 1) * shape::PITCH + shape::BESIDE + lane * V};
    }

    /* Of a set; row 0: nothing, then first and last of each warp. */
    __device__ __forceinline__ REAL *edge(int set, int t, int row)
    {
        return edges + set * shape::EDGES + ((t - 1) * shape::EDGE_ROWS + row) * shape::WIDTH + lane * V;
    }

    /* Of a set: the column of level t before (0) or after (1) the tile, where the warp has its rows. */
    __device__ __forceinline__ REAL *side(int set, int t, int which)
    {
        return sides + set * shape::SIDES + (((t - 1) * 2 + which) * WARPS + warp) * shape::SIDE_ROWS;
    }

    /* What lies beside the rows of level t of the iteration before, */
    template <int t> __device__ __forceinline__ auto beside(int last_set, const framed &)
    {
        if constexpr (CLUSTER) {
            columns_beside<REAL, ROWS> out;
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
            return nothing_beside{};
        }
    }

    /* or of p^n. */
    template <int t> __device__ __forceinline__ auto beside(int, const loaded &here)
    {
        if constexpr (CLUSTER) {
            columns_beside<REAL, ROWS> out;
            const REAL *from = here.first + (lane < 16 ? -1 : shape::WIDTH) - lane * V;
            out.first = lane == 0;
            out.last = lane == 31;
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                out.values[r] = from[r * shape::PITCH];
            return out;
        } else {
            return nothing_beside{};
        }
    }

    /* All levels of this iteration to the blocks beside, which need them in their next: at once, since only few lanes have any. */
    __device__ __forceinline__ void hand_edges(const history &level)
    {
        if (to_side) {
            const uint32_t to = to_side + set * (int)(shape::SIDES * sizeof(REAL)),
                           gate = gate_side + set * (int)(WARPS * sizeof(uint64_t));
            REAL columns[STEPS - 1][ROWS];
#pragma unroll
            for (int t = 0; t < STEPS - 1; t++)
#pragma unroll
                for (int r = 0; r < ROWS; r++)
                    columns[t][r] = lane ? level[t][NEW][r][V - 1] : level[t][NEW][r][0];
#pragma unroll
            for (int t = 0; t < STEPS - 1; t++)
                send(to + t * (int)(2 * WARPS * shape::SIDE_ROWS * sizeof(REAL)), gate, columns[t]);
        }
        if (to_row) {
            const uint32_t to = to_row + set * (int)(shape::EDGES * sizeof(REAL)),
                           gate = gate_row + set * (int)(WARPS * sizeof(uint64_t));
#pragma unroll
            for (int t = 1; t < STEPS; t++) {
                REAL row[V];
#pragma unroll
                for (int v = 0; v < V; v++)
                    row[v] = warp ? level[t - 1][NEW][ROWS - 1][v] : level[t - 1][NEW][0][v];
                send(to + (t - 1) * (int)(shape::EDGE_ROWS * shape::WIDTH * sizeof(REAL)), gate, row);
            }
        }
    }

    /* Until what they made in the iteration before is here; in the first the gates stand open. */
    __device__ __forceinline__ void wait_for_neighbours()
    {
        const int last_set = set == 0 ? shape::EDGE_SETS - 1 : set - 1;
        ptx::mbarrier_wait_parity(hand_gates + last_set * WARPS + warp, set == 0 ? hand_parity ^ 1u : hand_parity);
    }

    __device__ __forceinline__ void request(int k)
    {
        uint64_t *gate = gates + k % shape::RING;
        ptx::mbarrier_arrive_expect_tx(gate, (uint32_t)((shape::LOADED + shape::BEFORE) * sizeof(REAL)));
        ptx::cp_async_bulk_tensor_3d(stages_now + k % shape::RING * shape::NOW, now_map, gate, column.x - shape::BESIDE,
                                     column.y - 1, z_first + k);
        ptx::cp_async_bulk_tensor_3d(stages_before + k % DEPTH * shape::BEFORE, before_map, gate, column.x, column.y,
                                     z_first + k - 1);
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
        ptx::fence_proxy_async_shared(); /* the copy engine writes there next */
    }

    /* The factors of the first or last plane, and back. A link fewer is a whole λ² more at the centre, exactly; weights are looked up. */
    __device__ __forceinline__ void face_ends(unsigned flag, bool there)
    {
        if (WEIGHTS) {
            box_factors<REAL, V, ROWS>(f, s, x, y, there ? flag : 0);
            return;
        }
        const int walls = (flag & FUSED_LOW ? s.missing >> 4 & 1 : 0) + (flag & FUSED_HIGH ? s.missing >> 5 & 1 : 0);
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

    /* Level t of iteration k from the level before it: `here` and `below` of the iterations before, `above` of this one. */
    template <int t, typename HERE, typename BELOW, typename ABOVE, typename OLD>
    __device__ __forceinline__ void make(int k, points &values, const HERE &here, const BELOW &below,
                                         const ABOVE &above, const OLD &old)
    {
        const int z = z_first + k - t, last_set = set == 0 ? shape::EDGE_SETS - 1 : set - 1;
        const unsigned flag = k >= 2 * t ? flags[k - t] : FUSED_OUTSIDE;
        if (flag & FUSED_OUTSIDE) {
#pragma unroll
            for (int r = 0; r < ROWS; r++)
#pragma unroll
                for (int v = 0; v < V; v++)
                    values[r][v] = REAL(0);
        } else if (MAP && (flag & FUSED_MAP)) {
            advance<REAL, V, ROWS, WEIGHTS, true>(values, here, below, above, old, beside<t - 1>(last_set, here), f, s,
                                                  x, y, z);
        } else {
            if (flag & (FUSED_LOW | FUSED_HIGH))
                face_ends(flag, true);
            advance<REAL, V, ROWS, WEIGHTS, false>(values, here, below, above, old, beside<t - 1>(last_set, here), f, s,
                                                   x, y, z);
            if (flag & (FUSED_LOW | FUSED_HIGH))
                face_ends(flag, false);
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
            ptx::mbarrier_arrive(edge_gate);
    }

    /* Levels t .. STEPS. */
    template <int t, typename OLD> __device__ __forceinline__ void make_from(int k, history &level, const OLD &old)
    {
        if constexpr (t <= STEPS) {
            const int last_set = set == 0 ? shape::EDGE_SETS - 1 : set - 1;
            const framed here = {level[t - 2][HERE], edge(last_set, t - 1, 2 * warp),
                                 edge(last_set, t - 1, 2 * warp + 3)};
            const held below = {level[t - 2][BELOW]}, above = {level[t - 2][NEW]};
            if constexpr (t == STEPS) {
                points last;
                if (CLUSTER)
                    hand_edges(level);
                const bool events_to_come =
                    k >= 2 * STEPS && flags[k - STEPS] & FUSED_EVENT; /* they use what the copy engine writes next */
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
        ptx::mbarrier_wait_parity(gates + slot, parity);
        const loaded here = plane(slot, 1), below = plane(slot, 2), above = plane(slot, 0);
        const loaded_before old = {stages_before + slot_before * shape::BEFORE + warp * ROWS * shape::WIDTH + lane * V};
        if (CLUSTER && lane == 0)
            ptx::mbarrier_arrive_expect_tx(hand_gates + set * WARPS + warp, handed);
        make<1>(k, level[0][NEW], here, below, above, old);
        if (CLUSTER)
            wait_for_neighbours();
        make_from<2>(k, level, below);
        ptx::mbarrier_wait_parity(edge_gate, (uint32_t)k & 1u);
        if ((CLUSTER ? leads : threadIdx.x == 0) && k + DEPTH < planes)
            request(k + DEPTH);
        slot_before = slot_before + 1 == DEPTH ? 0 : slot_before + 1;
        set = set + 1 == shape::EDGE_SETS ? 0 : set + 1;
        if (CLUSTER && set == 0)
            hand_parity ^= 1u;
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
        if (CLUSTER) /* nothing is under way to this warp any more when it ends */
            wait_for_neighbours();
    }

    /* Asks for the first planes, and sets up all else while they come: the barriers of the first two iterations, which make nothing yet,
     * stand before its use. */
    __device__ __forceinline__ void open(REAL *memory, int index, int first, int end)
    {
        stages_now = memory;
        stages_before = stages_now + shape::RING * shape::NOW;
        edges = stages_before + DEPTH * shape::BEFORE;
        sides = edges + shape::EDGE_SETS * shape::EDGES;
        gates = reinterpret_cast<uint64_t *>(sides + shape::EDGE_SETS * shape::SIDES);
        edge_gate = gates + shape::RING;
        hand_gates = edge_gate + 1;
        level_of_base = reinterpret_cast<unsigned long long *>(hand_gates + (CLUSTER ? shape::EDGE_SETS * WARPS : 0));
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
                ptx::mbarrier_init(gates + k, 1);
            ptx::mbarrier_init(edge_gate, WARPS);
            for (int i = 0; CLUSTER && i < shape::EDGE_SETS * WARPS; i++)
                ptx::mbarrier_init(hand_gates + i, 1);
            ptx::fence_mbarrier_init();
        }
        int thread = (int)threadIdx.x;
        if (CLUSTER)
            thread = ptx::opaque(thread); /* kept: reading threadIdx again in the loop takes long */
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
        /* the tables are older than the pass before this one */
        const uint32_t *list = s.first_events + (int64_t)index * (s.nz + 1);
        const uint32_t event0 = list[max(z_first, 0)];
        const int event_count = (int)(list[min(z_first + planes, s.nz)] - event0);
        for (int k = (int)threadIdx.x; k <= planes; k += shape::THREADS) {
            const int z = z_first + k;
            first_event[k] = (uint16_t)(list[min(max(z, 0), s.nz)] - event0);
            if (k < planes)
                flags[k] = z < 0 || z >= s.nz ? (uint8_t)FUSED_OUTSIDE : s.flags[(int64_t)index * s.nz + z];
        }
        const unsigned around = CLUSTER ? find_neighbours() : 0;
        for (int i = (int)threadIdx.x; i < shape::EDGE_SETS * (STEPS - 1) * shape::WIDTH;
             i += shape::THREADS) { /* beside the first and the last row */
            REAL *rows = edges + (i / shape::WIDTH) * (shape::EDGE_ROWS * shape::WIDTH) + i % shape::WIDTH;
            if (!(around & 4))
                rows[0] = REAL(0);
            if (!(around & 8))
                rows[(shape::EDGE_ROWS - 1) * shape::WIDTH] = REAL(0);
        }
        for (int i = (int)threadIdx.x; i < shape::EDGE_SETS * shape::SIDES; i += shape::THREADS)
            if (!(around >> i / (WARPS * shape::SIDE_ROWS) % 2 & 1))
                sides[i] = REAL(0);
        wait_for_previous_kernel();
        if (s.ended && blockIdx.x == 0) { /* the first thread that lets the next kernel begin does so for the block */
            if (threadIdx.x == 0)
                clear_completion_flag(s.ended);
            __syncthreads();
        }
        release_next_kernel();
        if (threadIdx.x == 0)
            for (int k = 0; k < DEPTH; k++)
                request(k);
        __syncthreads();
        if (CLUSTER) /* nothing is handed to a block that is not ready */
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

    /* Blocks of a cluster are numbered along x, then y. Bits: there is one before and after this one along x, and along y. */
    __device__ __forceinline__ unsigned find_neighbours()
    {
        const int x_max = s.cluster[0], y_max = s.cluster[1], rank = (int)blockIdx.x % (x_max * y_max),
                  i = rank % x_max, j = rank / x_max;
        const unsigned around = (unsigned)(i > 0) | (unsigned)(i + 1 < x_max) << 1 | (unsigned)(j > 0) << 2 |
                                (unsigned)(j + 1 < y_max) << 3;
        const bool beside = lane == 0 ? around & 1 : lane == 31 && around & 2,
                   along = warp == 0 ? around & 4 : warp == WARPS - 1 && around & 8;
        const uint32_t side_away = distance_to(sides, (unsigned)(beside ? rank + (lane ? 1 : -1) : rank));
        const uint32_t row_away = distance_to(edges, (unsigned)(along ? rank + (warp ? x_max : -x_max) : rank));
        to_side = beside ? ptx::shared_address(side(0, 1, lane ? 0 : 1)) + side_away : 0;
        gate_side = ptx::shared_address(hand_gates + warp) + side_away;
        to_row = along ? ptx::shared_address(edge(0, 1, warp ? 0 : shape::EDGE_ROWS - 1)) + row_away : 0;
        gate_row = ptx::shared_address(hand_gates + (warp ? 0 : WARPS - 1)) + row_away;
        handed = (uint32_t)((STEPS - 1) *
                            ((int)((around & 1) + (around >> 1 & 1)) * ROWS + (along ? (int)shape::WIDTH : 0)) *
                            sizeof(REAL));
        hand_parity = 0;
        return around;
    }
};

#endif

/* WEIGHTS: some wall absorbs. MAP: some tile must read the map; without its code, registers go further. */
template <typename REAL, int STEPS, int V, int ROWS, int WARPS, int DEPTH, bool WEIGHTS, bool MAP, bool CLUSTER>
__global__ void __launch_bounds__(32 * WARPS, 1)
    step(const __grid_constant__ CUtensorMap now_map, const __grid_constant__ CUtensorMap before_map,
         const __grid_constant__ temporal_block<REAL> s)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    extern __shared__ __align__(128) unsigned char shared_memory[];
    REAL *memory = reinterpret_cast<REAL *>(shared_memory);
    const int chunk = s.first_chunk + (int)blockIdx.x / s.column_count;
    int index = (int)blockIdx.x % s.column_count;
    if (CLUSTER) { /* tiles are numbered along x, then y, over clusters */
        const int blocks = s.cluster[0] * s.cluster[1], cluster = index / blocks, rank = index % blocks,
                  along_x = s.across / s.cluster[0];
        index = (cluster / along_x * s.cluster[1] + rank / s.cluster[0]) * s.across + cluster % along_x * s.cluster[0] +
                rank % s.cluster[0];
    }
    const int z0 = chunk * s.chunk, z1 = min(z0 + s.chunk, s.nz);
    const tile_column column = s.columns[index];
    if (MAP && column.map) {
        march<REAL, STEPS, V, ROWS, WARPS, DEPTH, WEIGHTS, MAP, CLUSTER> m = {s, &now_map, &before_map};
        m.column = column;
        m.open(memory, index, z0, z1);
        m.run();
    } else {
        march<REAL, STEPS, V, ROWS, WARPS, DEPTH, WEIGHTS, false, CLUSTER> m = {s, &now_map, &before_map};
        m.column = column;
        m.open(memory, index, z0, z1);
        m.run();
    }
#endif
}

} // namespace fused

#endif
