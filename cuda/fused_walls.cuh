/* Walls with branches inside a pass of several steps: PHYSICS (4), after scheme/branches.h.
 *
 * For a wall point of weight w = A/(1 + A), with push = (1 - w) Σ λ s (2 b D v - b F g), level t of a plane is
 *
 *   field    p⁺ = (q + w (p⁻ - q)) - push, and change = p⁺ - p⁻
 *   states   v⁺, g⁺ of the change, and the push for level t + 1, which is made in the next iteration
 *
 * Some more warps, the *keepers*, hold the states of the tile's wall points and take them from level to level; so they have a whole iteration
 * for each level, and no lane is idle, where the field has one point of a warp's row at a wall. Where the wall points are on the faces x and y
 * of the box of air, the states between levels are in shared memory, and push and change pass between field and keepers by a value for each
 * place along these faces. In a plane that is a wall itself, or that objects cross, any point of the tile may be a wall point: such a *dense*
 * plane has arrays of push, change and states in global memory, which the second-level cache holds.
 *
 * Gates, for each level, by even and odd iterations so that no phase of one can pass unseen: `pushed` when the keepers have done a plane,
 * `changed` when the field has. */
#ifndef AULA_CUDA_FUSED_WALLS_CUH
#define AULA_CUDA_FUSED_WALLS_CUH

#include "branches.cuh"
#include "fused_parts.cuh"
#include "keep.cuh"

/* Where the parts of a block's memory for walls begin, in bytes; gates are first. `loaded`: most planes that a block of the launch loads. */
template <typename REAL, typename SHAPE, int STEPS> struct wall_memory {
    enum { PLACES = 2 * (SHAPE::HEIGHT + SHAPE::WIDTH), GATES = 4 * STEPS, SLOT_POINTS = FUSED_SLOT_POINTS };
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
    /* `branches` of SLOT_POINTS points are kept for each of STEPS + 1 planes; 0: none */
    static constexpr size_t bytes(int loaded, size_t factors, size_t branches)
    {
        return slots_at(loaded, factors) + (STEPS + 1) * branches * SLOT_POINTS * 2 * sizeof(REAL);
    }
};

namespace fused {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

/* That memory as the threads of a block see it. */
template <typename REAL, typename SHAPE, int STEPS> struct wall_exchange {
    typedef wall_memory<REAL, SHAPE, STEPS> memory;
    enum { SLOT_POINTS = memory::SLOT_POINTS };
    const fused_pass<REAL> &s;
    int z_first; /* plane loaded first */

    __device__ __forceinline__ unsigned char *at(size_t offset) const
    {
        extern __shared__ __align__(128) unsigned char shared_memory[];
        return shared_memory + (s.walls.memory + offset);
    }
    /* Gates of level t, by the iteration k >= 2 t that makes it: `pushed` before, `changed` after. */
    __device__ __forceinline__ uint64_t *pushed(int t, int k) const
    {
        return reinterpret_cast<uint64_t *>(at(0)) + (k & 1) * (2 * STEPS) + (t - 1);
    }
    __device__ __forceinline__ uint64_t *changed(int t, int k) const
    {
        return pushed(t, k) + STEPS;
    }
    static __device__ __forceinline__ uint32_t parity(int t, int k)
    {
        return (uint32_t)((k >> 1) - t) & 1u;
    }
    /* Values of the iteration that makes level t; change() of the same one. */
    __device__ __forceinline__ REAL *push(int t, int k) const
    {
        return reinterpret_cast<REAL *>(at(memory::values_at)) + (k & 1) * (2 * STEPS * memory::PLACES) + (t - 1) * memory::PLACES;
    }
    __device__ __forceinline__ REAL *change(int t, int k) const
    {
        return push(t, k) + STEPS * memory::PLACES;
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
               (size_t)((unsigned)z % (STEPS + 1)) * (s.walls.slot_branches * SLOT_POINTS);
    }
};

/* Arrays of a dense plane: push, change, and the weights of points that the map says nothing of. */
enum { DENSE_PUSH, DENSE_CHANGE, DENSE_WEIGHT, DENSE_ARRAYS };

template <typename REAL, typename SHAPE> __device__ __forceinline__ REAL *dense_array(const fused_pass<REAL> &s, const fused_wall_plane *plane, int which)
{
    return s.walls.dense + ((size_t)plane->dense * DENSE_ARRAYS + which) * (SHAPE::HEIGHT * SHAPE::WIDTH);
}

/* Loads in the order they are written in: a chain of loads and uses, as the compiler likes it where registers are short, would wait for each. */
__device__ __forceinline__ pair<float> load_shared(const pair<float> *from)
{
    pair<float> p;
    asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(p.first), "=f"(p.second) : "r"(shared_address(from)) : "memory");
    return p;
}

__device__ __forceinline__ pair<double> load_shared(const pair<double> *from)
{
    pair<double> p;
    asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(p.first), "=d"(p.second) : "r"(shared_address(from)) : "memory");
    return p;
}

__device__ __forceinline__ void store_shared(pair<float> *to, pair<float> p)
{
    asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(shared_address(to)), "f"(p.first), "f"(p.second) : "memory");
}

__device__ __forceinline__ void store_shared(pair<double> *to, pair<double> p)
{
    asm volatile("st.shared.v2.f64 [%0], {%1, %2};" ::"r"(shared_address(to)), "d"(p.first), "d"(p.second) : "memory");
}

__device__ __forceinline__ pair<float> load_global(const pair<float> *from)
{
    pair<float> p;
    asm volatile("ld.global.cg.v2.f32 {%0, %1}, [%2];" : "=f"(p.first), "=f"(p.second) : "l"(from) : "memory");
    return p;
}

__device__ __forceinline__ pair<double> load_global(const pair<double> *from)
{
    pair<double> p;
    asm volatile("ld.global.cg.v2.f64 {%0, %1}, [%2];" : "=d"(p.first), "=d"(p.second) : "l"(from) : "memory");
    return p;
}

/* The warps that keep the states. A warp of them waits for its own instructions more than for memory, so what counts is how few a level takes:
 * the number N of branches that are taken at once is known to the compiler, and every kind has a multiple of it, filled up with factors of 0;
 * values beyond a point's own branches are loaded and stored between levels, and mean nothing. */
template <typename REAL, typename SHAPE, int STEPS, int N> struct wall_keepers {
    typedef pair<REAL> states[N];
    const fused_pass<REAL> &s;
    wall_exchange<REAL, SHAPE, STEPS> meet;
    int z0, z1, thread; /* planes written */

    /* The thread's point of points `base` on of a plane; the last one where it has none. */
    __device__ __forceinline__ uint4 item_of(const fused_wall_plane &plane, unsigned base) const
    {
        return __ldg(reinterpret_cast<const uint4 *>(s.walls.items) + (plane.first + min(base + (unsigned)thread, plane.count - 1)));
    }

    static __device__ __forceinline__ fused_wall_item unpack(uint4 item)
    {
        return {item.x, item.y, (uint16_t)item.z, (uint16_t)(item.z >> 16), item.w};
    }

    __device__ __forceinline__ bool has_walls(int z) const
    {
        return z >= s.from[2] && z < min(s.to[2], z1 + STEPS);
    }

    __device__ __forceinline__ void load_in(states &state, const fused_wall_item &item, unsigned first) const
    {
        const pair<REAL> *from = s.walls.states_in + item.states + first * BRANCH_THREADS;
#pragma unroll
        for (int m = 0; m < N; m++)
            state[m] = load_global(from + m * BRANCH_THREADS); /* there is memory after the last (branches.cu) */
    }

    __device__ __forceinline__ void store_out(const states &state, const fused_wall_item &item, unsigned first, int z) const
    {
        pair<REAL> *to = s.walls.states_out + item.states + first * BRANCH_THREADS;
        if (item.place & FUSED_PLACE_MINE && z >= z0 && z < z1)
#pragma unroll
            for (int m = 0; m < N; m++)
                if (first + m < item.count)
                    to[m * BRANCH_THREADS] = state[m];
    }

    __device__ __forceinline__ const fused_branch<REAL> *factors_of(const fused_wall_item &item, unsigned first) const
    {
        return meet.factors() + item.factors + first;
    }

    static __device__ __forceinline__ void move(states &state, const fused_branch<REAL> *f, REAL change)
    {
#pragma unroll
        for (int m = 0; m < N; m++) {
            const REAL sum = multiply_add(f[m].b, change, multiply_add(f[m].four_bd, state[m].first, -(f[m].twice_bf * state[m].second)));
            state[m] = {sum - state[m].first, multiply_add(REAL(0.5), sum, state[m].second)};
        }
    }

    static __device__ __forceinline__ REAL push_of(const states &state, const fused_branch<REAL> *f)
    {
        REAL even = 0, odd = 0;
#pragma unroll
        for (int m = 0; m < N; m++) {
            even = multiply_add(f[m].push_v, state[m].first, even);
            odd = multiply_add(f[m].push_g, state[m].second, odd);
        }
        return even - odd;
    }

    /* The thread's point of a plane whose states are in shared memory, after level t; some of its branches. */
    __device__ __forceinline__ void take_near(const fused_wall_item &item, unsigned first, unsigned base, int k, int t, int z) const
    {
        enum { APART = wall_memory<REAL, SHAPE, STEPS>::SLOT_POINTS };
        const unsigned place = item.place & FUSED_PLACE_MOST;
        const fused_branch<REAL> *f = factors_of(item, first);
        pair<REAL> *kept = meet.slot(z) + first * APART + base + thread;
        states state;
        if (t == 0) {
            load_in(state, item, first);
        } else {
            const REAL change = meet.change(t, k)[place];
#pragma unroll
            for (int m = 0; m < N; m++)
                state[m] = load_shared(kept + m * APART);
            move(state, f, change);
        }
        if (t == STEPS) {
            store_out(state, item, first, z);
            return;
        }
#pragma unroll
        for (int m = 0; m < N; m++)
            store_shared(kept + m * APART, state[m]);
        REAL *push = meet.push(t + 1, k + 1) + place;
        *push = push_of(state, f) + (first ? *push : REAL(0));
    }

    /* Some points of a plane whose states are in global memory. */
    template <int POINTS>
    __device__ __forceinline__ void take_far(const uint4 (&packed_items)[POINTS], const fused_wall_plane &plane, unsigned base, int k, int t, int z) const
    {
        const bool dense = plane.dense != FUSED_NOWHERE;
        const REAL *changes = dense ? dense_array<REAL, SHAPE>(s, &plane, DENSE_CHANGE) : meet.change(max(t, 1), k);
        REAL *pushes = dense ? dense_array<REAL, SHAPE>(s, &plane, DENSE_PUSH) : meet.push(min(t + 1, STEPS), k + 1);
        fused_wall_item item[POINTS];
        unsigned most = 0;
#pragma unroll
        for (int i = 0; i < POINTS; i++) {
            item[i] = unpack(packed_items[i]);
            most = max(most, (unsigned)item[i].count);
        }
#pragma unroll 1
        for (unsigned first = 0; first < most; first += N) {
            states state[POINTS];
            const auto kept = [&](int i) { return s.walls.scratch + plane.states + min(base + (unsigned)(i * SHAPE::KEEPERS + thread), plane.count - 1) + (size_t)first * plane.count; };
#pragma unroll
            for (int i = 0; i < POINTS; i++)
                if (item[i].count > first) {
                    if (t == 0)
                        load_in(state[i], item[i], first);
                    else
#pragma unroll
                        for (int m = 0; m < N; m++)
                            state[i][m] = load_global(kept(i) + m * plane.count);
                }
#pragma unroll
            for (int i = 0; i < POINTS; i++) {
                const unsigned place = item[i].place & FUSED_PLACE_MOST;
                const fused_branch<REAL> *f = factors_of(item[i], first);
                if (item[i].count <= first || base + (unsigned)(i * SHAPE::KEEPERS + thread) >= plane.count)
                    continue;
                if (t > 0)
                    move(state[i], f, changes[place]);
                if (t == STEPS) {
                    store_out(state[i], item[i], first, z);
                    continue;
                }
#pragma unroll
                for (int m = 0; m < N; m++)
                    kept(i)[m * plane.count] = state[i][m];
                pushes[place] = push_of(state[i], f) + (first ? pushes[place] : REAL(0));
            }
        }
    }

    /* All of plane z, after level t in iteration k; `next` is the thread's first point of it, and becomes that of plane z_next. */
    __device__ __forceinline__ void step(int k, int t, int z, uint4 &next, int z_next) const
    {
        enum { MANY = N * sizeof(REAL) <= 24 ? 3 : 2 }; /* points at once where there are many */
        const fused_wall_plane plane = *meet.plane(z);
        const fused_wall_item first = unpack(next);
        if (has_walls(z_next) && meet.plane(z_next)->count)
            next = item_of(*meet.plane(z_next), 0);
        if (t > 0)
            wait_at(meet.changed(t, k), meet.parity(t, k));
        if (plane.states == FUSED_NOWHERE) {
            if ((unsigned)thread < plane.count)
#pragma unroll 1
                for (unsigned m = 0; m < first.count; m += N)
                    take_near(first, m, 0, k, t, z);
#pragma unroll 1
            for (unsigned base = SHAPE::KEEPERS; base + (unsigned)thread < plane.count; base += SHAPE::KEEPERS) {
                const fused_wall_item item = unpack(item_of(plane, base));
#pragma unroll 1
                for (unsigned m = 0; m < item.count; m += N)
                    take_near(item, m, base, k, t, z);
            }
            return;
        }
        uint4 after[MANY];
#pragma unroll
        for (int i = 0; i < MANY; i++)
            after[i] = item_of(plane, (unsigned)(i * SHAPE::KEEPERS));
#pragma unroll 1
        for (unsigned base = 0; base < plane.count; base += MANY * SHAPE::KEEPERS) {
            uint4 items[MANY];
#pragma unroll
            for (int i = 0; i < MANY; i++) {
                items[i] = after[i];
                after[i] = item_of(plane, base + (unsigned)((MANY + i) * SHAPE::KEEPERS));
            }
            take_far<MANY>(items, plane, base, k, t, z);
        }
    }

    /* Before the block begins. */
    __device__ __forceinline__ void set_up(int block) const
    {
        const fused_wall_plane *planes = s.walls.planes + (size_t)block * (size_t)(s.chunk + 2 * STEPS);
        REAL *values = meet.push(1, 0);
        for (int i = thread; i < z1 - z0 + 2 * STEPS; i += SHAPE::KEEPERS)
            *meet.plane(meet.z_first + i) = planes[i];
        for (int i = thread; i < (int)s.walls.factor_count; i += SHAPE::KEEPERS)
            meet.factors()[i] = s.walls.factors[i];
        for (int i = thread; i < 4 * STEPS * wall_memory<REAL, SHAPE, STEPS>::PLACES; i += SHAPE::KEEPERS)
            values[i] = REAL(0);
    }

    __device__ __forceinline__ void run() const
    {
        uint4 next = {};
        if (has_walls(meet.z_first) && meet.plane(meet.z_first)->count)
            next = item_of(*meet.plane(meet.z_first), 0);
#pragma unroll 1
        for (int k = 0; k < z1 - z0 + 2 * STEPS; k++) {
            const int last = min(STEPS, k / 2);
#pragma unroll 1
            for (int t = 0; t <= last; t++) {
                const int z = meet.z_first + k - t, z_next = t < last ? z - 1 : meet.z_first + k + 1;
                if (has_walls(z) && meet.plane(z)->count) {
                    step(k, t, z, next, z_next);
                } else {
                    if (has_walls(z_next) && meet.plane(z_next)->count)
                        next = item_of(*meet.plane(z_next), 0);
                    if (t > 0)
                        wait_at(meet.changed(t, k), meet.parity(t, k));
                }
                if (t < STEPS && k > 2 * t) { /* level t + 1 of this plane is made in the next iteration */
                    __syncwarp();
                    if (thread % 32 == 0)
                        arrive_at(meet.pushed(t + 1, k + 1));
                }
            }
        }
    }
};

template <typename REAL, typename SHAPE, int STEPS, int N>
__device__ __forceinline__ void keep_some_walls(const fused_pass<REAL> &s, int z0, int z1, int thread, int block, bool walled)
{
    const wall_keepers<REAL, SHAPE, STEPS, N> keepers = {s, {s, z0 - STEPS}, z0, z1, thread};
    keepers.set_up(block);
    cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
    __syncthreads();
    if (walled)
        keepers.run();
}

/* What the keepers do while the field marches. */
template <typename REAL, typename SHAPE, int STEPS>
__device__ __forceinline__ void keep_walls(const fused_pass<REAL> &s, int z0, int z1, int thread, int block, bool walled)
{
    switch (s.walls.branches_at_once) {
    case 2:
        return keep_some_walls<REAL, SHAPE, STEPS, 2>(s, z0, z1, thread, block, walled);
    case 4:
        return keep_some_walls<REAL, SHAPE, STEPS, 4>(s, z0, z1, thread, block, walled);
    case 6:
        return keep_some_walls<REAL, SHAPE, STEPS, 6>(s, z0, z1, thread, block, walled);
    default:
        return keep_some_walls<REAL, SHAPE, STEPS, 8>(s, z0, z1, thread, block, walled);
    }
}

#endif

} // namespace fused

#endif
