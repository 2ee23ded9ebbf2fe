/* Walls with branches inside a pass of several steps: PHYSICS (4), after scheme/branches.h.
 *
 * For a wall point of weight w = A/(1 + A), with push = (1 - w) Σ λ s (2 b D v - b F g), level t of a plane is
 *
 *   field    p⁺ = (q + w (p⁻ - q)) - push, and change = p⁺ - p⁻
 *   states   v⁺, g⁺ of the change, and the push for level t + 1, which is made in the next iteration
 *
 * Where the tile's wall points are on the faces x and y of the box of air, some more warps, the *keepers*, hold their states in shared
 * memory and take them from level to level; push and change pass between field and keepers by a value for each place along these faces. The
 * keepers so have a whole iteration for each level, and lanes without idleness, where the field has one point of a warp's row at a wall.
 * In a plane that is a wall itself, or that objects cross, any point of the tile may be a wall point: in such a *dense* plane the warps of
 * the field take the states of their own rows; push, change and states between levels are in global memory, which the second-level cache
 * holds.
 *
 * Gates, for each level, by even and odd planes so that no phase of one can pass unseen: `pushed` when the keepers have done a plane,
 * `changed` when the field has. */
#ifndef AULA_CUDA_FUSED_WALLS_CUH
#define AULA_CUDA_FUSED_WALLS_CUH

#include "branches.cuh"
#include "fused_parts.cuh"
#include "keep.cuh"

/* Where the parts of a block's memory for walls begin, in bytes; gates are first. `loaded`: most planes that a block of the launch loads. */
template <typename REAL, typename SHAPE, int STEPS> struct wall_memory {
    enum { PLACES = 2 * (SHAPE::HEIGHT + SHAPE::WIDTH), GATES = 4 * STEPS };
    static constexpr size_t values_at = GATES * sizeof(uint64_t);
    static constexpr size_t planes_at = values_at + 4 * STEPS * PLACES * sizeof(REAL);
    __host__ __device__ static constexpr size_t factors_at(int loaded)
    {
        return planes_at + (size_t)loaded * sizeof(fused_wall_plane);
    }
    __host__ __device__ static constexpr size_t slots_at(int loaded, size_t factors)
    {
        return factors_at(loaded) + factors * sizeof(fused_branch<REAL>);
    }
    /* `states` pairs are kept for each of STEPS planes */
    static constexpr size_t bytes(int loaded, size_t factors, size_t states)
    {
        return slots_at(loaded, factors) + STEPS * states * 2 * sizeof(REAL);
    }
};

namespace fused {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

/* That memory as the threads of a block see it. */
template <typename REAL, typename SHAPE, int STEPS> struct wall_exchange {
    typedef wall_memory<REAL, SHAPE, STEPS> memory;
    const fused_pass<REAL> &s;
    int z_first; /* plane loaded first */

    __device__ __forceinline__ unsigned char *at(size_t offset) const
    {
        extern __shared__ __align__(128) unsigned char shared_memory[];
        return shared_memory + (s.walls.memory + offset);
    }
    __device__ __forceinline__ uint64_t *pushed(int t, int z) const
    {
        return reinterpret_cast<uint64_t *>(at(0)) + (2 * (t - 1) + (z & 1));
    }
    __device__ __forceinline__ uint64_t *changed(int t, int z) const
    {
        return pushed(t, z) + 2 * STEPS;
    }
    /* Of the gates of level t, when plane z passes. */
    __device__ __forceinline__ uint32_t parity(int t, int z) const
    {
        return (uint32_t)(z - max(s.from[2], z_first + t)) >> 1 & 1u;
    }
    __device__ __forceinline__ REAL *push(int t, int z) const
    {
        return reinterpret_cast<REAL *>(at(memory::values_at)) + (2 * (t - 1) + (z & 1)) * memory::PLACES;
    }
    __device__ __forceinline__ REAL *change(int t, int z) const
    {
        return push(t, z) + 2 * STEPS * memory::PLACES;
    }
    __device__ __forceinline__ fused_wall_plane *plane(int z) const
    {
        return reinterpret_cast<fused_wall_plane *>(at(memory::planes_at)) + (z - z_first);
    }
    __device__ __forceinline__ fused_branch<REAL> *factors() const
    {
        return reinterpret_cast<fused_branch<REAL> *>(at(memory::factors_at(s.chunk + 2 * STEPS)));
    }
    __device__ __forceinline__ pair<REAL> *slot(int z) const
    {
        return reinterpret_cast<pair<REAL> *>(at(memory::slots_at(s.chunk + 2 * STEPS, s.walls.factor_count))) +
               (size_t)((unsigned)z % STEPS) * s.walls.slot_states;
    }
};

/* Arrays of a dense plane: push, change, and the weights of points that the map says nothing of. */
enum { DENSE_PUSH, DENSE_CHANGE, DENSE_WEIGHT, DENSE_ARRAYS };

template <typename REAL, typename SHAPE> __device__ __forceinline__ REAL *dense_array(const fused_pass<REAL> &s, const fused_wall_plane *plane, int which)
{
    return s.walls.dense + ((size_t)plane->dense * DENSE_ARRAYS + which) * (SHAPE::HEIGHT * SHAPE::WIDTH);
}

/* Wall points on their way through the levels. */
template <typename REAL, typename SHAPE, int STEPS> struct wall_points {
    typedef fused_branch<REAL> branch;
    const fused_pass<REAL> &s;
    wall_exchange<REAL, SHAPE, STEPS> meet;
    int z0, z1; /* planes written */

    /* One of them at a level. */
    struct way {
        const pair<REAL> *from;
        pair<REAL> *to;              /* nullptr: nobody needs them */
        size_t from_apart, to_apart; /* from a branch to the next */
        const branch *factors;
        REAL change;
        bool moves; /* level 0 only pushes */
    };

    /* N branches: all that must be loaded is asked for at once. */
    template <int N> static __device__ __forceinline__ REAL advance(const way &w, unsigned first)
    {
        pair<REAL> state[N];
        branch f[N];
        REAL push = 0;
#pragma unroll
        for (int m = 0; m < N; m++)
            state[m] = w.from[(first + m) * w.from_apart];
#pragma unroll
        for (int m = 0; m < N; m++)
            f[m] = w.factors[first + m];
#pragma unroll
        for (int m = 0; m < N; m++) {
            if (w.moves) {
                const REAL sum = (f[m].b * w.change + f[m].four_bd * state[m].first) - f[m].twice_bf * state[m].second;
                state[m] = {sum - state[m].first, state[m].second + REAL(0.5) * sum};
                if (w.to)
                    w.to[(first + m) * w.to_apart] = state[m];
            }
            push += f[m].push_v * state[m].first - f[m].push_g * state[m].second;
        }
        return push;
    }

    template <int MOST> static __device__ __forceinline__ REAL advance_all(const way &w, unsigned count)
    {
        REAL push = 0;
        unsigned m = 0;
        for (; m + MOST <= count; m += MOST)
            push += advance<MOST>(w, m);
        for (; m < count; m++)
            push += advance<1>(w, m);
        return push;
    }

    /* After level t of plane z: `change` of its pressure to the push that it returns. `kept`: its states between levels, `apart` from a
     * branch to the next. */
    template <int MOST>
    __device__ __forceinline__ REAL take(fused_wall_item item, REAL change, pair<REAL> *kept, size_t apart, int t, int z) const
    {
        const fused_wall_kind kind = s.walls.kinds[item.kind];
        way w;
        w.factors = (s.walls.factor_count ? meet.factors() : s.walls.factors) + kind.first;
        w.moves = t > 0;
        w.change = change;
        w.from = t <= 1 ? s.walls.states_in + item.states : kept;
        w.from_apart = t <= 1 ? (size_t)BRANCH_THREADS : apart;
        w.to = kept;
        w.to_apart = apart;
        if (t == STEPS) {
            w.to = item.place & FUSED_PLACE_MINE && z >= z0 && z < z1 ? s.walls.states_out + item.states : nullptr;
            w.to_apart = BRANCH_THREADS;
        }
        return advance_all<MOST>(w, kind.count);
    }
};

/* In a dense plane each warp of the field takes the states of its own rows. */
template <typename REAL, typename SHAPE, int STEPS, int WARPS>
__device__ __forceinline__ void take_dense(const wall_points<REAL, SHAPE, STEPS> &points, int t, int z)
{
    const fused_walls_pass<REAL> &walls = points.s.walls;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const fused_wall_plane plane = *points.meet.plane(z);
    const uint32_t *first = walls.dense_items + (size_t)plane.dense * (WARPS + 1);
    const uint32_t end = first[warp + 1];
    const REAL *change = dense_array<REAL, SHAPE>(points.s, &plane, DENSE_CHANGE);
    REAL *push = dense_array<REAL, SHAPE>(points.s, &plane, DENSE_PUSH);
    __syncwarp();
#pragma unroll 1
    for (uint32_t i = first[warp] + lane; i < end; i += 32) {
        const fused_wall_item item = walls.items[i];
        const unsigned place = item.place & FUSED_PLACE_MOST;
        push[place] = points.template take<2>(item, t ? change[place] : REAL(0), walls.scratch + plane.states + (i - plane.first), plane.count, t, z);
    }
    __syncwarp();
}

/* The warps that keep the states of points on the faces x and y. */
template <typename REAL, typename SHAPE, int STEPS> struct wall_keepers {
    wall_points<REAL, SHAPE, STEPS> points;
    int thread;

    /* All of plane z, after level t. */
    __device__ __forceinline__ void step(int t, int z)
    {
        const auto &meet = points.meet;
        const fused_walls_pass<REAL> &walls = points.s.walls;
        const fused_wall_plane plane = *meet.plane(z);
        const fused_wall_item *items = walls.items + plane.first;
        pair<REAL> *kept = plane.states == FUSED_NOWHERE ? meet.slot(z) : walls.scratch + plane.states;
        const unsigned count = plane.dense == FUSED_NOWHERE ? plane.count : 0;
        fused_wall_item item = {};
        if ((unsigned)thread < count)
            item = items[thread]; /* comes while the field is waited for */
        if (t > 0)
            wait_at(meet.changed(t, z), meet.parity(t, z));
        for (unsigned i = (unsigned)thread; i < count; i += SHAPE::KEEPERS) {
            const fused_wall_item here = item;
            const unsigned place = here.place & FUSED_PLACE_MOST;
            if (i + SHAPE::KEEPERS < count)
                item = items[i + SHAPE::KEEPERS];
            const REAL push = points.template take<7>(here, t ? meet.change(t, z)[place] : REAL(0), kept + i, count, t, z);
            if (t < STEPS)
                meet.push(t + 1, z)[place] = push;
        }
        if (t < STEPS && z > meet.z_first + t) { /* else nobody makes level t + 1 there */
            __syncwarp();
            if (thread % 32 == 0)
                arrive_at(meet.pushed(t + 1, z));
        }
    }

    /* Before the block begins. */
    __device__ __forceinline__ void set_up(int block)
    {
        const auto &meet = points.meet;
        const fused_wall_plane *planes = points.s.walls.planes + (size_t)block * (size_t)(points.s.chunk + 2 * STEPS);
        REAL *values = meet.push(1, 0);
        for (int i = thread; i < points.z1 - points.z0 + 2 * STEPS; i += SHAPE::KEEPERS)
            *meet.plane(meet.z_first + i) = planes[i];
        for (int i = thread; i < (int)points.s.walls.factor_count; i += SHAPE::KEEPERS)
            meet.factors()[i] = points.s.walls.factors[i];
        for (int i = thread; i < 4 * STEPS * wall_memory<REAL, SHAPE, STEPS>::PLACES; i += SHAPE::KEEPERS)
            values[i] = REAL(0);
    }

    __device__ __forceinline__ void run()
    {
        const auto &meet = points.meet;
        for (int k = 0; k < points.z1 - points.z0 + 2 * STEPS; k++)
            for (int t = 0; t <= STEPS && 2 * t <= k; t++) {
                const int z = meet.z_first + k - t;
                if (z >= points.s.from[2] && z < points.s.to[2])
                    step(t, z);
            }
    }
};

#endif

} // namespace fused

#endif
