/* SPDX-License-Identifier: MIT */
/* The kernel of temporal blocks with the 19-point stencil: STEPS time steps in one sweep over
 * memory, in tiles that overlap along x, y and z as in tile.cuh.
 *
 * A point has four diagonal neighbours in its own plane and four in each adjacent plane, so that
 * every level is stored as a whole in shared memory: rings of planes of p^n and p^{n-1}, filled by
 * the copy engine, and of levels 1 .. STEPS - 1. Along z, a level needs sums over planes of the
 * level below (solver/schemes/isotropic19/isotropic19.h)
 *
 *     r(y) = p(x-1) + p(x+1)    a = r + (p(y-1) + p(y+1))    d = r(y-1) + r(y+1)    v = 2 p + a
 *     q(z) = h ((v(z-1) + v(z+1)) + (2 a + d)) + C p - p⁻,   h = W/2, C = 2 - 12 W
 *
 * computed once when a plane arrives and kept in registers: v of two planes and 2 a + d of one,
 * three values per point and level. A thread has ROWS rows of V values; its neighbours in x are
 * exchanged by shuffles, those in y read from shared memory.
 *
 * A level trails the one below by a plane: plane z is computed as soon as plane z + 1 of the level
 * below is, whose rows a thread still has in registers. A barrier after each level but the last
 * separates the writes of a plane from the reads of other warps (docs/design/gpu.md G12). Two
 * iterations form one pass of the loop, in which the two planes of v exchange their roles without
 * copies. In the first iterations, levels are computed from arbitrary memory; nothing depends on
 * them.
 *
 * At the walls of the box of air, the neighbours of the stencil are mirrored. Along z, the planes
 * beyond a wall are loaded from before it, and stay mirror images to the bit, as sums of two do not
 * depend on their order; along y by the address of the row before the first and after the last;
 * along x by a shuffle from the thread's own lane. A fixed end has a plane of zeros, next to which
 * mirror images change their sign: p - p keeps them zero.
 *
 * The code is deliberately small: when a few tiles ran a large variant of their own, their
 * multiprocessors appeared to wait for instructions, and took two to three times as long.
 *
 * ENDS: some end of the box is fixed, or has an absorbing wall. WEIGHTS: some wall absorbs. SPLIT:
 * along x the box ends after the first of a thread's two points, which then mirrors its neighbour,
 * or with zeros in the first. ANY: SPLIT, and rows of the tile lie beyond the box of air, or other
 * ends are in positions that the other variants exclude (tile_cut.cu). EVENTS: the tile has drives
 * or taps, which are usually in event boxes.
 *
 * The order of arithmetic is that of single-step kernels, contracted only if the product is exact
 * (2 p, 2 a): the same bits. */
#ifndef AULA_CUDA_TILE19_CUH
#define AULA_CUDA_TILE19_CUH

#include <climits>

#include "cuda/ptx.cuh"
#include "cuda/temporal/tile19_parts.cuh"

extern "C" {
#include "solver/schemes/isotropic19/isotropic19.h"
}

namespace temporal
{

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

/* A thread block on its way through the planes z0 .. z1 - 1 of a tile. */
template <typename REAL, int STEPS, int V, int ROWS, int WARPS, int AHEAD, bool ENDS, bool WEIGHTS, bool SPLIT,
          bool ANY, bool EVENTS>
struct tile19_stream {
    typedef tile19_shape<REAL, STEPS, V, ROWS, WARPS, AHEAD> shape;
    typedef REAL points[ROWS][V];
    const temporal_block<REAL> &s;
    const CUtensorMap *now_map, *before_map;
    REAL *memory; /* planes: p^n in their ring, p^{n-1} in theirs, then the levels (shape) */
    tile_column column;
    tile19_events<REAL, STEPS, ROWS, WARPS> events;
    REAL *own;                                /* the thread's first point in the first plane of p^n */
    uint64_t *now_barriers, *before_barriers; /* mbarriers of loads, by slot of the ring */
    int warp, lane, x, y;                     /* of the thread's first point */
    int z_first, planes;                      /* first plane of p^n loaded; number loaded */
    int z_write, writes_planes;               /* planes that are written: first and number */
    unsigned writes;                          /* bit r: row r is written in the thread's columns */
    unsigned at;                              /* byte offset of the thread's first point in a plane */
    bool leads;                               /* the block's first thread */
    /* of planes of p^n and of levels with three, by age in iterations: values from the first of
     * their ring */
    int now_at[3], level_at[3];
    int now_slot;                       /* slot of the newest plane of p^n in its ring */
    int before_slot, before_at;         /* EARLIER: of the iteration's p^{n-1}, from the first of its ring */
    uint32_t now_parity, before_parity; /* of the phases of mbarriers */
    int front0, back0, front, back; /* offsets of the rows before the first and after the last, in p^n and in levels */
    bool front_zero, back_zero;     /* these rows are zero in levels, as they are in p^n */
    bool clears;                    /* columns beyond an end of the box must be cleared */
    int z_zero[2];                  /* planes of zeros that end the box of air; INT_MIN: none */
    int lane_before, lane_after;    /* lanes with the neighbours in x; at an end of the box, the lane itself */
    REAL sign_before, sign_after;   /* -1: mirrored with inverted sign; otherwise 1 */
    bool mirrored_odd;              /* the wall follows the first of the thread's two points: SPLIT */
    unsigned inside;                /* bit v: column v is in the box of air */
    unsigned x_states, row_states;  /* at absorbing walls: two bits per column; bits 2, 3 by row */
    /* Of the level below, v of two planes and 2 a + d of the latter. In odd iterations (ODD),
     * v_here belongs to the former plane. */
    points v_below[STEPS], v_here[STEPS], rest[STEPS];

    /* The thread's rows of the plane of p^n that arrived `age` iterations ago. */
    __device__ __forceinline__ REAL *plane_of_now(int age)
    {
        return own + now_at[age];
    }

    /* Offset from `own` of the plane of level t computed `age` iterations ago. */
    template <int t, bool ODD> __device__ __forceinline__ int level_from_own(int age)
    {
        const int first = (int)shape::LEVELS - (int)shape::WIDTH + shape::first_slot(t) * (int)shape::PLANE;
        return first + (shape::slots(t) == 2 ? ((ODD + age) & 1) * (int)shape::PLANE : level_at[age]);
    }

    /* The thread's rows of that plane; the whole plane. */
    template <int t, bool ODD> __device__ __forceinline__ REAL *plane_of_level(int age)
    {
        return own + level_from_own<t, ODD>(age);
    }

    template <int t, bool ODD> __device__ __forceinline__ REAL *whole_plane(int age)
    {
        return memory + shape::WIDTH + level_from_own<t, ODD>(age);
    }

    /* Called by one thread: loads plane n of p^n, relative to z_first; and the values of p^{n-1}
     * that iteration n needs. */
    __device__ __forceinline__ void load_now(int n)
    {
        uint64_t *barrier = now_barriers + n % shape::RING;
        ptx::mbarrier_arrive_expect_tx(barrier, (uint32_t)(shape::LOADED * sizeof(REAL)));
        ptx::cp_async_bulk_tensor_3d(memory + n % shape::RING * shape::LOADED, now_map, barrier, column.x, column.y - 1,
                                     mirrored_plane(s, z_first + n));
    }

    __device__ __forceinline__ void load_before(int n)
    {
        uint64_t *barrier = before_barriers + n % shape::RING_BEFORE;
        ptx::mbarrier_arrive_expect_tx(barrier, (uint32_t)(shape::PLANE * sizeof(REAL)));
        ptx::cp_async_bulk_tensor_3d(memory + shape::BEFORE + n % shape::RING_BEFORE * shape::PLANE, before_map,
                                     barrier, column.x, column.y, mirrored_plane(s, z_first + n - 1));
    }

    /* p(x-1) + p(x+1) of a row. Values at the tile's edges are arbitrary, and their errors stay
     * in its halo. Products are exact. */
    __device__ __forceinline__ void sum_beside(REAL (&sum)[V], const REAL (&p)[V])
    {
        static_assert(V == 2, "a mirrored neighbour is the thread's other point");
        const REAL left = __shfl_sync(0xffffffffu, p[1], lane_before);
        const REAL right = __shfl_sync(0xffffffffu, p[0], lane_after);
        sum[0] = ENDS ? add_product(p[1], left, sign_before) : p[1] + left;
        sum[1] = ENDS ? add_product(p[0], right, sign_after) : p[0] + right;
        if (SPLIT && mirrored_odd)
            sum[0] = left + left;
    }

    /* The wall's update of row r; z_state: bits 4 and 5. */
    __device__ __forceinline__ void absorb(REAL (&out)[V], const REAL (&old)[V], int r, unsigned z_state)
    {
        unsigned state = z_state;
        if (ANY)
            state |= ((unsigned)(y + r == s.from[1]) << 2 | (unsigned)(y + r + 1 == s.to[1]) << 3) & s.missing;
        else
            state |= (r == 0 ? row_states & 4u : 0u) | (r == ROWS - 1 ? row_states & 8u : 0u);
        if (!(state | x_states))
            return;
#pragma unroll
        for (int v = 0; v < V; v++) {
            const REAL weight = s.states[state | (x_states >> (2 * v) & 3u)].weight;
            out[v] = out[v] + weight * (old[v] - out[v]);
        }
    }

    /* Row r of the newest plane of level t - 1; for t > 1 from registers. */
    template <int t>
    __device__ __forceinline__ void load_newest(REAL (&to)[V], const REAL *newest, const points &made, int r)
    {
        if (t == 1)
            load_row<REAL, V>(to, newest + r * shape::WIDTH);
        else
#pragma unroll
            for (int v = 0; v < V; v++)
                to[v] = made[r][v];
    }

    /* Level t, and the sums of the newest plane of level t - 1, `made`. z_state: bits 4 and 5
     * tell the wall at which the plane lies. sign_below: -1 for the zeros of a fixed end. */
    template <int t, bool ODD>
    __device__ __forceinline__ void compute(points &out, const points &made, unsigned z_state, REAL sign_below)
    {
        const REAL h = REAL(0.5 * ISOTROPIC19_W), c = REAL(2.0 - 12.0 * ISOTROPIC19_W);
        constexpr int t1 = t > 1 ? t - 1 : 1, t2 = t > 2 ? t - 2 : 1;
        const REAL *newest = t == 1 ? plane_of_now(0) : plane_of_level<t1, ODD>(0);
        const REAL *here = t == 1 ? plane_of_now(1) : plane_of_level<t1, ODD>(1);
        const REAL *old = t == 1
                              ? own + (shape::BEFORE - shape::WIDTH) + (shape::EARLIER ? before_at : ODD * shape::PLANE)
                          : t == 2 ? plane_of_now(2)
                                   : plane_of_level<t2, ODD>(2);
        const REAL *row_before = newest + (t == 1 ? front0 : front), *row_after = newest + (t == 1 ? back0 : back);
        if (ENDS && t > 1 && front_zero)
            row_before = plane_of_now(0) - shape::WIDTH;
        if (ENDS && t > 1 && back_zero)
            row_after = plane_of_now(0) + ROWS * shape::WIDTH;
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
            if (ANY && y + r + 1 == s.to[1] && s.missing & 8u)
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
                const REAL pair = ENDS ? add_product(v_new, v_old, sign_below) : v_old + v_new;
                out[r][v] = (h * (pair + rest[t - 1][r][v]) + c * p_here[v]) - p_old[v];
                if (ODD)
                    v_here[t - 1][r][v] = v_new;
                else
                    v_below[t - 1][r][v] = v_new;
                rest[t - 1][r][v] = add_twice(d, a);
            }
            if (WEIGHTS)
                absorb(out[r], p_old, r, z_state);
#pragma unroll
            for (int v = 0; v < V; v++) {
                if (ANY && y + r >= s.to[1])
                    out[r][v] = REAL(0);
                p_front[v] = p[v];
                p[v] = p_back[v];
                r_front[v] = r_here[v];
                r_here[v] = r_back[v];
            }
        }
    }

    /* Clears all values of a plane outside the box of air, or columns beyond it. */
    __device__ __forceinline__ void clear(points &values, bool outside)
    {
        ptx::keep_branch();
        const unsigned kept = outside ? 0u : inside;
#pragma unroll
        for (int r = 0; r < ROWS; r++)
#pragma unroll
            for (int v = 0; v < V; v++)
                values[r][v] = kept >> v & 1u ? values[r][v] : REAL(0);
    }

    /* Drives, and taps of the last level, in a copy of the warp's rows, as registers cannot be
     * indexed. The copy uses the memory in which level t is published next; for the last level,
     * the older plane of the last but one. No other warp reads these before the barrier. */
    template <int t, bool ODD> __device__ __forceinline__ void drive_and_tap(points &values, int plane)
    {
        constexpr int place = t < STEPS ? t : STEPS - 1;
        REAL *mine = plane_of_level<place, ODD>(t == STEPS ? 1 : 0);
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            write_row<REAL, V>(mine + r * shape::WIDTH, values[r]);
        __syncwarp();
        events.drive(mine - lane * V, shape::WIDTH, t, plane, warp, lane);
        __syncwarp();
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            load_row<REAL, V>(values[r], mine + r * shape::WIDTH);
        if (t == STEPS && events.marked(plane, 1u << (warp + 16)))
            events.tap_rows(s, mine - lane * V, shape::WIDTH, t, plane, warp, lane);
    }

    __device__ __forceinline__ void store(REAL *grid, const points &values, int z)
    {
        char *plane = reinterpret_cast<char *>(grid + z * s.plane); /* the same for all threads */
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            if (writes >> r & 1u)
                write_row<REAL, V>(
                    reinterpret_cast<REAL *>(plane + (at + (unsigned)(r * s.pitch) * (unsigned)sizeof(REAL))),
                    values[r]);
    }

    /* Level t in iteration k from the sums of three planes, including drives; results go to the
     * level above, and the last two levels to memory. */
    template <int t, bool ODD> __device__ __forceinline__ void make_level(int k, points &values, const points &made)
    {
        const int plane = k - t, z = z_first + plane;
        unsigned z_state = 0;
        bool outside = false;
        if (WEIGHTS && (z <= s.from[2] || z + 1 >= s.to[2])) {
            const int in_box = mirrored_plane(s, z);
            outside = in_box < s.from[2] || in_box >= s.to[2];
            z_state = ((in_box == s.from[2] ? 16u : 0u) | (in_box + 1 == s.to[2] ? 32u : 0u)) & s.missing;
        }
        compute<t, ODD>(values, made, z_state, ENDS && !ANY && (z == z_zero[0] || z == z_zero[1]) ? REAL(-1) : REAL(1));
        if ((ANY && outside) || (SPLIT && clears))
            clear(values, outside);
        if (EVENTS && events.marked(plane, (t == STEPS ? 0x10001u : 1u) << warp))
            drive_and_tap<t, ODD>(values, plane);
        if constexpr (t < STEPS) {
            REAL *to = plane_of_level<t, ODD>(0);
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                write_row<REAL, V>(to + r * shape::WIDTH, values[r]);
        }
        if (t >= STEPS - 1 && (unsigned)(z - z_write) < (unsigned)writes_planes)
            store(t == STEPS ? s.next : s.next_before, values, z);
    }

    /* Level t and all above; `below`: results of level t - 1. */
    template <int t, bool ODD> __device__ __forceinline__ void make_levels(int k, const points &below)
    {
        points values;
        make_level<t, ODD>(k, values, below);
        if constexpr (t < STEPS) {
            __syncthreads();
            if (t <= 1 + shape::EARLIER && leads)
                load_next<t>(k);
            if (EVENTS && events.marked(k - t, events.TAPS))
                events.tap(s, whole_plane<t, ODD>(0), shape::WIDTH, t, k - t);
            make_levels<t + 1, ODD>(k, values);
        }
    }

    /* docs/design/gpu.md (G10). Called after the barrier that follows level t in iteration k.
     * After the first barrier, all warps have used the p^{n-1} values of iteration k, and the
     * plane of p^n that level 2 read in the previous iteration; EARLIER: after the second, also
     * the one that it read in this iteration. */
    template <int t> __device__ __forceinline__ void load_next(int k)
    {
        static_assert(STEPS >= 3, "a barrier follows level 2");
        constexpr int age = shape::EARLIER ? 2 : 3;
        if (t == 1 + shape::EARLIER && k >= age && k - age + shape::RING < planes)
            load_now(k - age + shape::RING);
        if (t == 1 && k + shape::RING_BEFORE < planes)
            load_before(k + shape::RING_BEFORE);
    }

    template <bool ODD> __device__ __forceinline__ void iterate(int k)
    {
        static_assert(shape::EARLIER || shape::RING_BEFORE == 2, "planes of p^{n-1} by the parity of the iteration");
        ptx::mbarrier_wait_parity(now_barriers + now_slot, now_parity);
        ptx::mbarrier_wait_parity(before_barriers + (shape::EARLIER ? before_slot : ODD), before_parity);
        make_levels<1, ODD>(k, rest[0]); /* level 1 reads p^n itself */
        if (!shape::EARLIER)
            before_parity ^= ODD;
        else if (++before_slot < shape::RING_BEFORE)
            before_at += shape::PLANE;
        else {
            before_slot = before_at = 0;
            before_parity ^= 1u;
        }
        now_at[2] = now_at[1];
        now_at[1] = now_at[0];
        now_at[0] += shape::LOADED;
        if (++now_slot == shape::RING) {
            now_slot = now_at[0] = 0;
            now_parity ^= 1u;
        }
        const int oldest = level_at[2];
        level_at[2] = level_at[1];
        level_at[1] = level_at[0];
        level_at[0] = oldest;
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
        now_slot = before_slot = before_at = 0;
        now_parity = before_parity = 0;
        for (int age = 0; age < 3; age++) {
            now_at[age] = (shape::RING - age) % shape::RING * shape::LOADED;
            level_at[age] = (3 - age) % 3 * shape::PLANE;
        }
#pragma unroll 1
        for (int k = 0; k < planes; k++) {
            iterate<false>(k);
            if (++k == planes)
                break;
            iterate<true>(k);
        }
    }

    __device__ __forceinline__ void divide_memory()
    {
        now_barriers = reinterpret_cast<uint64_t *>(memory + shape::values());
        before_barriers = now_barriers + shape::RING;
        events.divide_memory(reinterpret_cast<unsigned long long *>(now_barriers + shape::BARRIERS), s.events_max,
                             planes);
    }

    /* The thread's position in the tile, and the walls there. */
    __device__ __forceinline__ void find_place()
    {
        const int thread =
            ptx::opaque((int)threadIdx.x); /* kept in a register, as reading threadIdx again in the loop is slow */
        leads = thread == 0;
        warp = thread / 32;
        lane = thread % 32;
        x = column.x + lane * V;
        y = column.y + warp * ROWS;
        own = memory + ptx::opaque((warp * ROWS + 1) * (int)shape::WIDTH + lane * V);
        at = ((unsigned)y * (unsigned)s.pitch + (unsigned)x) * (unsigned)sizeof(REAL);
        writes = inside = x_states = 0;
        for (int r = 0; r < ROWS; r++)
            writes |= (unsigned)(y + r >= column.y0 && y + r < column.y1 && x >= column.x0 && x < column.x1) << r;
        const unsigned walls_x = s.missing & 3u;
        for (int v = 0; v < V; v++) {
            inside |= (unsigned)(x + v >= s.from[0] && x + v < s.to[0]) << v;
            x_states |= (((unsigned)(x + v == s.from[0]) | (unsigned)(x + v + 1 == s.to[0]) << 1) & walls_x) << (2 * v);
        }
        /* Mirrored are x_min - 1 at a wall there, which begins the grid and so a thread's
         * points; and x_max + 1 if it follows them. Next to the zeros of a fixed end, likewise
         * in a thread's points, the mirror image changes its sign, so that they stay zero: 0 = p
         * - p. */
        const bool wall_before = walls_x & 1u && x == s.from[0], wall_after = walls_x & 2u && x + V == s.to[0];
        const bool zero_before = !(walls_x & 1u) && x + 1 == s.from[0],
                   zero_after = !(walls_x & 2u) && x + 1 == s.to[0];
        lane_before = wall_before || zero_before ? lane : (lane + 31) & 31;
        lane_after = wall_after || zero_after ? lane : (lane + 1) & 31;
        sign_before = zero_before ? REAL(-1) : REAL(1);
        sign_after = zero_after ? REAL(-1) : REAL(1);
        mirrored_odd = walls_x & 2u && x + 1 == s.to[0];
        /* columns beyond a wall are not read, and with it in a thread's points written */
        clears = (column.x < s.from[0] && !(walls_x & 1u) && s.from[0] % V == 0) ||
                 (column.x + (int)shape::WIDTH > s.to[0] && s.to[0] % V == (walls_x & 2u ? 1 : 0));
        z_zero[0] = s.missing & 16u ? INT_MIN : s.from[2] - 1;
        z_zero[1] = s.missing & 32u ? INT_MIN : s.to[2];
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

    /* Phases: mbarriers; after the previous kernel has ended, the loads of the first planes;
     * while these are in flight, the events, which the barriers of the first iteration make
     * visible before a level is complete. `column` and the events' count must be known. */
    __device__ __forceinline__ void set_up(const uint32_t *list, int first, int end)
    {
        z_first = first - STEPS;
        planes = end - first + 2 * STEPS;
        z_write = first;
        writes_planes = end - first;
        divide_memory();
        if (threadIdx.x == 0) {
            for (int i = 0; i < shape::BARRIERS; i++)
                ptx::mbarrier_init(now_barriers + i, 1);
            ptx::fence_mbarrier_init();
        }
        find_place();
        for (int i = (int)threadIdx.x; i < planes && EVENTS; i += shape::THREADS)
            events.marks[i] = 0;
        wait_for_previous_kernel();
        wait_for_halos(s.halos, first - STEPS, end + STEPS);
        release_next_kernel();
        if (threadIdx.x == 0) {
            for (int n = 0; n < shape::RING && n < planes; n++)
                load_now(n);
            for (int n = 0; n < shape::RING_BEFORE && n < planes; n++)
                load_before(n);
        }
        __syncthreads();
        if (EVENTS)
            events.load(s, list, z_first, planes);
    }
};

#endif

} // namespace temporal

#endif
