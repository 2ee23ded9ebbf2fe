/* The kernel of temporal blocks with the 19-point stencil: STEPS time steps in one sweep over memory, in tiles that
 * overlap along x, y and z as in tile.cuh.
 *
 * A point has the four diagonal neighbours in its own plane and four in each plane beside it, so that every level is
 * kept whole in shared memory: rings of planes of p^n and p^{n-1}, filled by the copy engine, and of levels 1 .. STEPS
 * - 1. What a level needs of the one below along z are sums over a plane (schemes/scheme19/scheme19.h)
 *
 *   r(y) = p(x-1) + p(x+1)    a = r + (p(y-1) + p(y+1))    d = r(y-1) + r(y+1)    v = 2 p + a
 *   q(z) = h ((v(z-1) + v(z+1)) + (2 a + d)) + C p - p⁻,   h = W/2, C = 2 - 12 W
 *
 * made once when a plane comes and kept in registers: v of two planes and 2 a + d of one, three values a point and
 * level. A thread has ROWS rows of V values; its neighbours in x come by shuffles, those in y from shared memory.
 *
 * A level trails the one below by TRAIL planes, and is made only in the iterations in which its planes are needed:
 * 1: plane z is made as soon as plane z + 1 of the level below, whose rows a thread still has in registers. A barrier
 *    after each level but the last separates a plane's writing from its reading by other warps. Two iterations make a
 *    pass of the loop, in which the two planes of v change their roles, which spares copies.
 * 2: plane z is made in the iteration after plane z + 1 of the level below, so that one barrier an iteration is enough.
 *    Levels are made in descending order.
 *
 * At the walls of the box of air the stencil's neighbours are mirrored: along y by the address of the row before the
 * first and after the last, along z by code for the two planes at the walls, along x by selects in tiles that reach an
 * end of the box (ENDS). Beyond a fixed end all is zero.
 *
 * WEIGHTS: some wall absorbs. SHORT: rows of the tile lie beyond the box of air.
 *
 * Arithmetic order as in the kernels of single steps, contracted only where the product is exact (2 p, 2 a): the same
 * bits. */
#ifndef AULA_CUDA_TILE19_CUH
#define AULA_CUDA_TILE19_CUH

#include "cuda/ptx.cuh"
#include "cuda/temporal/completion_flag.cuh"
#include "cuda/temporal/tile19_parts.cuh"

extern "C" {
#include "schemes/scheme19/scheme19.h"
}

namespace temporal
{

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

/* A thread block on its way through the planes z0 .. z1 - 1 of a tile. */
template <typename REAL, int STEPS, int V, int ROWS, int WARPS, int AHEAD, int TRAIL, bool WEIGHTS, bool ENDS,
          bool SHORT>
struct tile19_stream {
    typedef tile19_shape<REAL, STEPS, V, ROWS, WARPS, AHEAD, TRAIL> shape;
    typedef REAL points[ROWS][V];
    const temporal_block<REAL> &s;
    const CUtensorMap *now_map, *before_map;
    REAL *stages_now, *stages_before, *levels, *zeros;
    uint64_t *now_barriers, *before_barriers; /* mbarriers of loads, by place in the ring */
    unsigned long long *level_of_base;        /* of the tap history: level n */
    uint8_t *flags;                           /* by plane */
    uint16_t *first_event;                    /* likewise */
    tile_event *events;
    REAL *drive_values;
    tile_column column;
    int warp, lane, x, y;        /* of the thread's first point */
    int z_first, z0, z1, planes; /* plane of p^n loaded first; written; loaded */
    unsigned writes;             /* bit r: row r is written, in the thread's columns */
    int64_t at;                  /* the thread's first point in plane 0 */
    bool leads;                  /* the block's first thread */
    int now_slot, before_slot;   /* of the planes that this iteration reads first */
    uint32_t now_parity, before_parity;
    int front0, back0, front, back; /* offsets of the rows before the first and after the last, in p^n and in levels */
    bool front_zero, back_zero;     /* in levels these rows are zero */
    bool mirrored_first;            /* the thread's first point is at a wall */
    int mirrored_last;              /* index of the thread's point at a wall after it; -1: none */
    unsigned inside;                /* bit v: column v is in the box of air */
    unsigned x_states, row_states;  /* at absorbing walls: two bits for each column; bits 2 and 3 of the first and last
                                       row */
    /* Of the level below, v of two planes and 2 a + d of the latter. In odd iterations (ODD) of TRAIL 1 v_here is of
     * the former plane. */
    points v_below[STEPS], v_here[STEPS], rest[STEPS];

    /* The thread's rows of the plane of p^n that came `age` iterations ago. */
    __device__ __forceinline__ REAL *plane_of_now(int age)
    {
        const int slot = now_slot - age < 0 ? now_slot - age + shape::RING : now_slot - age;
        return stages_now + slot * shape::LOADED + (warp * ROWS + 1) * shape::WIDTH + lane * V;
    }

    /* The thread's rows of the plane of level t that was made `age` iterations before iteration k. */
    template <int t> __device__ __forceinline__ REAL *plane_of_level(int k, int age)
    {
        return levels + (shape::first_slot(t) + ((k - age) & (shape::slots(t) - 1))) * shape::PLANE +
               warp * ROWS * shape::WIDTH + lane * V;
    }

    /* By one thread: plane n of p^n, counted from z_first; and of p^{n-1} what iteration n needs. */
    __device__ __forceinline__ void load_now(int n)
    {
        uint64_t *barrier = now_barriers + n % shape::RING;
        ptx::mbarrier_arrive_expect_tx(barrier, (uint32_t)(shape::LOADED * sizeof(REAL)));
        ptx::cp_async_bulk_tensor_3d(stages_now + n % shape::RING * shape::LOADED, now_map, barrier, column.x,
                                     column.y - 1, z_first + n);
    }

    __device__ __forceinline__ void load_before(int n)
    {
        uint64_t *barrier = before_barriers + n % shape::RING_BEFORE;
        ptx::mbarrier_arrive_expect_tx(barrier, (uint32_t)(shape::PLANE * sizeof(REAL)));
        ptx::cp_async_bulk_tensor_3d(stages_before + n % shape::RING_BEFORE * shape::PLANE, before_map, barrier,
                                     column.x, column.y, z_first + n - 1);
    }

    /* p(x-1) + p(x+1) of a row. At the tile's edges any values, whose errors stay in its halo. */
    __device__ __forceinline__ void sum_beside(REAL (&sum)[V], const REAL (&p)[V])
    {
        REAL left = __shfl_up_sync(0xffffffffu, p[V - 1], 1);
        const REAL right = __shfl_down_sync(0xffffffffu, p[0], 1);
        if (ENDS && mirrored_first)
            left = p[1];
#pragma unroll
        for (int v = 0; v < V; v++) {
            const REAL x_min = v > 0 ? p[v > 0 ? v - 1 : 0] : left;
            REAL x_max = v + 1 < V ? p[v + 1 < V ? v + 1 : 0] : right;
            if (ENDS && mirrored_last == v)
                x_max = x_min;
            sum[v] = x_min + x_max;
        }
    }

    /* The wall's update of row r; z_state: bits 4 and 5. */
    template <bool FACE>
    __device__ __forceinline__ void absorb(REAL (&out)[V], const REAL (&old)[V], int r, unsigned z_state)
    {
        unsigned state = FACE ? z_state : 0u;
        if (SHORT)
            state |= ((unsigned)(y + r == s.from[1]) << 2 | (unsigned)(y + r + 1 == s.to[1]) << 3) & s.missing;
        else
            state |= (r == 0 ? row_states & 4u : 0u) | (r == ROWS - 1 ? row_states & 8u : 0u);
        if (!(state | (ENDS ? x_states : 0u)))
            return;
#pragma unroll
        for (int v = 0; v < V; v++) {
            const REAL weight = s.states[state | (ENDS ? x_states >> (2 * v) & 3u : 0u)].weight;
            out[v] = out[v] + weight * (old[v] - out[v]);
        }
    }

    /* Row r of the plane of level t - 1 that came last: TRAIL 1, t > 1: from registers. */
    template <int t>
    __device__ __forceinline__ void load_newest(REAL (&to)[V], const REAL *newest, const points &made, int r)
    {
        if (TRAIL == 2 || t == 1)
            load_row<REAL, V>(to, newest + r * shape::WIDTH);
        else
#pragma unroll
            for (int v = 0; v < V; v++)
                to[v] = made[r][v];
    }

    /* Level t in iteration k, and the sums of the plane of level t - 1 that has come last, `made` with TRAIL 1. FACE:
     * the plane is at a wall, z_state: bits 4 and 5 say which. */
    template <int t, bool FACE, bool ODD>
    __device__ __forceinline__ void compute(int k, points &out, const points &made, unsigned z_state)
    {
        const REAL h = REAL(0.5 * SCHEME19_W), c = REAL(2.0 - 12.0 * SCHEME19_W);
        constexpr int t1 = t > 1 ? t - 1 : 1, t2 = t > 2 ? t - 2 : 1;
        const REAL *newest = t == 1 ? plane_of_now(0) : plane_of_level<t1>(k, TRAIL - 1);
        const REAL *here = t == 1 ? plane_of_now(1) : plane_of_level<t1>(k, TRAIL);
        const REAL *old = t == 1   ? stages_before + before_slot * shape::PLANE + warp * ROWS * shape::WIDTH + lane * V
                          : t == 2 ? plane_of_now(1 + TRAIL)
                                   : plane_of_level<t2>(k, 2 * TRAIL);
        const REAL *row_before = newest + (t == 1 ? front0 : front), *row_after = newest + (t == 1 ? back0 : back);
        if (t > 1 && front_zero)
            row_before = zeros + lane * V;
        if (t > 1 && back_zero)
            row_after = zeros + lane * V;
        REAL p_front[V], p[V], p_back[V], r_front[V], r_here[V], r_back[V]; /* of the newest plane */
        load_row<REAL, V>(p_front, row_before);
        load_newest<t>(p, newest, made, 0);
        sum_beside(r_front, p_front);
        sum_beside(r_here, p);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (r == ROWS - 1)
                load_row<REAL, V>(p_back, row_after);
            else
                load_newest<t>(p_back, newest, made, r + 1 < ROWS ? r + 1 : 0);
            sum_beside(r_back, p_back);
            if (SHORT && y + r + 1 == s.to[1] && s.missing & 8u)
#pragma unroll
                for (int v = 0; v < V; v++) {
                    p_back[v] = p_front[v];
                    r_back[v] = r_front[v];
                }
            REAL p_here[V], p_old[V];
            load_row<REAL, V>(p_here, here + r * shape::WIDTH);
            load_row<REAL, V>(p_old, old + r * shape::WIDTH);
#pragma unroll
            for (int v = 0; v < V; v++) {
                const REAL a = r_here[v] + (p_front[v] + p_back[v]), d = r_front[v] + r_back[v];
                const REAL v_new = add_twice(a, p[v]);
                const REAL v_old = ODD ? v_here[t - 1][r][v] : v_below[t - 1][r][v];
                REAL below = v_old, above = v_new;
                if (FACE && z_state & 16u)
                    below = v_new;
                if (FACE && z_state & 32u)
                    above = v_old;
                out[r][v] = (h * ((below + above) + rest[t - 1][r][v]) + c * p_here[v]) - p_old[v];
                if (TRAIL == 2)
                    v_below[t - 1][r][v] = v_here[t - 1][r][v];
                if (TRAIL == 2 || ODD)
                    v_here[t - 1][r][v] = v_new;
                else
                    v_below[t - 1][r][v] = v_new;
                rest[t - 1][r][v] = add_twice(d, a);
            }
            if (WEIGHTS)
                absorb<FACE>(out[r], p_old, r, z_state);
#pragma unroll
            for (int v = 0; v < V; v++) {
                if ((ENDS && !(inside >> v & 1u)) || (SHORT && y + r >= s.to[1]))
                    out[r][v] = REAL(0);
                p_front[v] = p[v];
                p[v] = p_back[v];
                r_front[v] = r_here[v];
                r_here[v] = r_back[v];
            }
        }
    }

    /* Drives and taps of level t in plane z, a lane each, in a copy of the warp's rows, because registers cannot be
     * indexed. The copy takes the place in which level t is published next; for the last level that of the last but
     * one, with TRAIL 1 its older plane: no other warp reads these before the barrier. */
    template <int t> __device__ __forceinline__ void drive_and_tap(int k, points &values, int plane, int z)
    {
        const int begin = first_event[plane], end = first_event[plane + 1];
        constexpr int place = t < STEPS ? t : STEPS - 1;
        REAL *mine = plane_of_level<place>(k, t == STEPS && TRAIL == 1 ? 1 : 0), *copy = mine - lane * V;
        bool any = false;
        for (int i = begin + lane; i < end; i += 32)
            any = any || events[i].row / ROWS == warp;
        if (!__any_sync(0xffffffffu, any))
            return;
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            write_row<REAL, V>(mine + r * shape::WIDTH, values[r]);
        __syncwarp();
        if (!events[begin].tap) { /* drives come first */
#pragma unroll 1
            for (int i = begin + lane; i < end; i += 32)
                if (events[i].row / ROWS == warp && !events[i].tap)
                    copy[events[i].row % ROWS * shape::WIDTH + events[i].x] += drive_values[i * STEPS + t - 1];
            __syncwarp();
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                load_row<REAL, V>(values[r], mine + r * shape::WIDTH);
        }
        if (z >= z0 && z < z1)
#pragma unroll 1
            for (int i = begin + lane; i < end; i += 32)
                if (events[i].row / ROWS == warp && events[i].tap)
                    s.tap_history[events[i].first * s.tap_history_stride + *level_of_base + (unsigned long long)t] =
                        (double)copy[events[i].row % ROWS * shape::WIDTH + events[i].x];
        __syncwarp();
    }

    __device__ __forceinline__ void store(REAL *grid, const points &values, int z)
    {
        REAL *to = grid + (at + z * s.plane);
#pragma unroll
        for (int r = 0; r < ROWS; r++, to += s.pitch)
            if (writes >> r & 1u)
                write_row<REAL, V>(to, values[r]);
    }

    /* Level t in iteration k: from the sums of three planes, which the first two iterations only gather; zero outside
     * the box of air, drives and taps, for the level above, and the last two levels to memory. */
    template <int t, bool ODD> __device__ __forceinline__ void make_level(int k, points &values, const points &made)
    {
        const int plane = k - (TRAIL * (t - 1) + 1), z = z_first + plane;
        const unsigned flag = plane >= 0 ? flags[plane] : (unsigned)PLANE_OUTSIDE;
        if (flag & (PLANE_LOW | PLANE_HIGH))
            compute<t, true, ODD>(k, values, made,
                                  ((flag & PLANE_LOW ? 16u : 0u) | (flag & PLANE_HIGH ? 32u : 0u)) & s.missing);
        else
            compute<t, false, ODD>(k, values, made, 0);
        if (flag & PLANE_OUTSIDE) {
#pragma unroll
            for (int r = 0; r < ROWS; r++)
#pragma unroll
                for (int v = 0; v < V; v++)
                    values[r][v] = REAL(0);
        }
        if (flag & PLANE_EVENT)
            drive_and_tap<t>(k, values, plane, z);
        if constexpr (t < STEPS) {
            REAL *to = plane_of_level<t>(k, 0);
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                write_row<REAL, V>(to + r * shape::WIDTH, values[r]);
        }
        if (t >= STEPS - 1 && z >= z0 && z < z1)
            store(t == STEPS ? s.next : s.next_before, values, z);
    }

    /* TRAIL 1: level t and those above; `below`: of level t - 1. */
    template <int t, bool ODD> __device__ __forceinline__ void make_levels_up(int k, const points &below)
    {
        points values;
        if (k >= 2 * (t - 1))
            make_level<t, ODD>(k, values, below);
        if constexpr (t < STEPS) {
            __syncthreads();
            if (t == 1 && leads)
                load_next(k);
            make_levels_up<t + 1, ODD>(k, values);
        }
    }

    /* TRAIL 2: level t and those below. */
    template <int t> __device__ __forceinline__ void make_levels_down(int k)
    {
        points values;
        if (k >= 3 * (t - 1) && k < planes + t - 1)
            make_level<t, false>(k, values, values);
        if constexpr (t > 1)
            make_levels_down<t - 1>(k);
    }

    /* In iteration k, when all warps are done with the oldest plane of p^n, and with what iteration k needs of p^{n-1}:
     * after its first barrier. */
    __device__ __forceinline__ void load_next(int k)
    {
        if (k >= 3 && k - 3 + shape::RING < planes)
            load_now(k - 3 + shape::RING);
        if (k + shape::RING_BEFORE < planes)
            load_before(k + shape::RING_BEFORE);
    }

    __device__ __forceinline__ void advance_slots()
    {
        if (++now_slot == shape::RING) {
            now_slot = 0;
            now_parity ^= 1u;
        }
        if (++before_slot == shape::RING_BEFORE) {
            before_slot = 0;
            before_parity ^= 1u;
        }
    }

    template <bool ODD> __device__ __forceinline__ void iterate(int k)
    {
        if (TRAIL == 1 || k < planes) {
            ptx::mbarrier_wait_parity(now_barriers + now_slot, now_parity);
            ptx::mbarrier_wait_parity(before_barriers + before_slot, before_parity);
        }
        if constexpr (TRAIL == 1) {
            make_levels_up<1, ODD>(k, rest[0]); /* level 1 reads p^n itself */
        } else {
            make_levels_down<STEPS>(k);
            __syncthreads();
            if (leads)
                load_next(k);
        }
        advance_slots();
    }

    __device__ __forceinline__ void run()
    {
#pragma unroll
        for (int t = 0; t < STEPS; t++)
#pragma unroll
            for (int r = 0; r < ROWS; r++)
#pragma unroll
                for (int v = 0; v < V; v++)
                    v_below[t][r][v] = v_here[t][r][v] = rest[t][r][v] = REAL(0);
        now_slot = before_slot = 0;
        now_parity = before_parity = 0;
        const int count = TRAIL == 1 ? planes : planes + STEPS - 1;
#pragma unroll 1
        for (int k = 0; k < count; k++) {
            iterate<false>(k);
            if (TRAIL == 1) {
                if (++k == count)
                    break;
                iterate<true>(k);
            }
        }
    }

    __device__ __forceinline__ void divide_memory(REAL *memory)
    {
        stages_now = memory;
        stages_before = stages_now + shape::RING * shape::LOADED;
        levels = stages_before + shape::RING_BEFORE * shape::PLANE;
        zeros = levels + shape::first_slot(STEPS) * shape::PLANE;
        now_barriers = reinterpret_cast<uint64_t *>(zeros + shape::WIDTH);
        before_barriers = now_barriers + shape::RING;
        level_of_base = reinterpret_cast<unsigned long long *>(now_barriers + shape::BARRIERS);
        flags = reinterpret_cast<uint8_t *>(level_of_base + 1);
        first_event = reinterpret_cast<uint16_t *>(flags + shape::whole((size_t)planes));
        events = reinterpret_cast<tile_event *>(reinterpret_cast<uint8_t *>(first_event) +
                                                shape::whole((size_t)(planes + 1) * sizeof(uint16_t)));
        drive_values = reinterpret_cast<REAL *>(events + s.events_max);
    }

    /* The thread's place in the tile, and the walls there. */
    __device__ __forceinline__ void find_place()
    {
        const int thread = ptx::opaque((int)threadIdx.x); /* kept: reading threadIdx again in the loop takes long */
        leads = thread == 0;
        warp = thread / 32;
        lane = thread % 32;
        x = column.x + lane * V;
        y = column.y + warp * ROWS;
        at = (int64_t)y * s.pitch + x;
        writes = inside = x_states = 0;
        for (int r = 0; r < ROWS; r++)
            writes |= (unsigned)(y + r >= column.y0 && y + r < column.y1 && x >= column.x0 && x < column.x1) << r;
        const unsigned walls_x = s.missing & 3u;
        for (int v = 0; v < V; v++) {
            inside |= (unsigned)(x + v >= s.from[0] && x + v < s.to[0]) << v;
            x_states |= (((unsigned)(x + v == s.from[0]) | (unsigned)(x + v + 1 == s.to[0]) << 1) & walls_x) << (2 * v);
        }
        mirrored_first = walls_x & 1u && x == s.from[0];
        mirrored_last = walls_x & 2u && x < s.to[0] && x + V >= s.to[0] ? s.to[0] - 1 - x : -1;
        const bool at_first = y == s.from[1], at_last = y + ROWS == s.to[1];
        const bool wall_first = s.missing & 4u && at_first, wall_last = s.missing & 8u && at_last;
        row_states = (wall_first ? 4u : 0u) | (wall_last ? 8u : 0u);
        front0 = wall_first ? shape::WIDTH : -(int)shape::WIDTH;
        back0 = wall_last ? (ROWS - 2) * shape::WIDTH : ROWS * shape::WIDTH;
        front = warp == 0 ? (int)shape::WIDTH : -(int)shape::WIDTH;
        back = warp == WARPS - 1 ? (ROWS - 2) * shape::WIDTH : ROWS * shape::WIDTH;
        front_zero = warp == 0 && at_first && !wall_first;
        back_zero = warp == WARPS - 1 && at_last && !wall_last;
    }

    /* Phases as in tile_stream: shared memory, mbarriers and tables; after the kernel before has ended, the loads of
     * the first planes; while these come, the drives' values, which the barriers of the first iterations make visible
     * before a level is complete. */
    __device__ __forceinline__ void set_up(REAL *memory, int index, int first, int end)
    {
        z0 = first;
        z1 = end;
        z_first = z0 - STEPS;
        planes = z1 - z0 + 2 * STEPS;
        divide_memory(memory);
        if (threadIdx.x == 0) {
            for (int i = 0; i < shape::BARRIERS; i++)
                ptx::mbarrier_init(now_barriers + i, 1);
            ptx::fence_mbarrier_init();
        }
        find_place();
        const uint32_t *list = s.first_events + (int64_t)index * (s.nz + 1); /* events by plane, and flags */
        const uint32_t event0 = list[max(z_first, 0)];
        const int event_count = (int)(list[min(z_first + planes, s.nz)] - event0);
        for (int k = (int)threadIdx.x; k <= planes; k += shape::THREADS) {
            const int z = z_first + k;
            first_event[k] = (uint16_t)(list[min(max(z, 0), s.nz)] - event0);
            if (k < planes)
                flags[k] = z < 0 || z >= s.nz ? (uint8_t)PLANE_OUTSIDE : s.flags[(int64_t)index * s.nz + z];
        }
        for (int i = (int)threadIdx.x; i < shape::WIDTH; i += shape::THREADS)
            zeros[i] = REAL(0);
        wait_for_previous_kernel();
        if (s.complete && blockIdx.x == 0) { /* before any thread releases the next kernel */
            if (threadIdx.x == 0)
                clear_completion_flag(s.complete);
            __syncthreads();
        }
        release_next_kernel();
        if (threadIdx.x == 0) {
            for (int n = 0; n < shape::RING; n++)
                load_now(n);
            for (int n = 0; n < shape::RING_BEFORE; n++)
                load_before(n);
        }
        __syncthreads();
        for (int i = (int)threadIdx.x; i < event_count * STEPS; i += shape::THREADS) {
            const tile_event event = s.events[event0 + i / STEPS];
            if (i % STEPS == 0)
                events[i / STEPS] = event;
            if (!event.tap)
                drive_values[i] = drive_value(s, event, i % STEPS);
        }
        if (threadIdx.x == 0)
            *level_of_base = *s.base + (unsigned long long)s.offset;
    }
};

#endif

} // namespace temporal

#endif
