/* Steps the shell around walls with branches, brick by brick. */
#include <algorithm>
#include <cstring>
#include <vector>

#include "branch_update.cuh"
#include "bricks.cuh"
#include "bricks_plan.cuh"
#include "state.cuh"

/* Kernels by the branches that a point may have: a corner has those of all its materials. */
enum { KERNELS = 7 };

struct bricks {
    brick *list;
    brick_wall *walls;
    brick_event *events;
    brick_kind *kinds;
    brick_point *points;
    unsigned first[KERNELS + 1]; /* by the kernel that steps them */
    int steps;
};

namespace {

template <typename REAL> struct brick_pass {
    const REAL *now, *before;
    int steps, code_count;
    const brick *bricks;
    const brick_wall *walls;
    const brick_event *brick_events;
    const brick_kind *kinds;
    const brick_point *points;
    const branch_factors_device<REAL> *factors;
    const pair<REAL> *states_in;
    pair<REAL> *states_out;
    fused_pass<REAL> field; /* what drives, taps, codes and the grids that are written are found by */
};

/* Points of a thread, and how many are loaded together; codes whose coefficients are in shared memory. */
enum { OWN = BRICK_POINTS / BRICK_THREADS, TOGETHER = 4, TABLE = 128 };

/* A point with branches on its way through the steps. */
template <typename REAL, int N> struct kept_wall {
    unsigned first, count; /* state of the first branch, in pairs; branches */
    uint16_t at, reach;
    bool heavy;
    uint32_t factors; /* of the first */
    REAL weight, now, before;
    pair<REAL> state[N];
};

template <typename REAL, int N>
__device__ __forceinline__ void load_wall(kept_wall<REAL, N> &w, const brick_pass<REAL> &s, const brick &b, unsigned i, const REAL *now, const REAL *before)
{
    w.count = 0;
    w.reach = BRICK_NOWHERE;
    if (i >= b.wall_count)
        return;
    const brick_wall wall = s.walls[b.first_wall + i];
    const brick_kind kind = s.kinds[wall.kind];
    w.at = wall.at;
    w.reach = wall.reach;
    w.first = wall.pair;
    w.count = kind.count;
    w.factors = kind.first;
    w.heavy = kind.heavy;
    w.weight = (REAL)kind.weight;
    w.now = now[wall.at];
    w.before = before[wall.at];
#pragma unroll
    for (int m = 0; m < N; m++)
        if (m < w.count)
            w.state[m] = s.states_in[wall.pair + m * BRANCH_THREADS];
}

template <typename REAL, int N> __device__ __forceinline__ void step_wall(kept_wall<REAL, N> &w, const brick_pass<REAL> &s, REAL *next)
{
    const branch_factors_device<REAL> *f = s.factors + w.factors;
    REAL push = 0;
#pragma unroll
    for (int m = 0; m < N; m++)
        if (m < w.count)
            push += push_of(f[m], w.state[m]);
    REAL change;
    const REAL after = weigh_wall(next[w.at] - push, w.before, w.weight, w.heavy, &change);
    next[w.at] = after;
    w.before = w.now;
    w.now = after;
#pragma unroll
    for (int m = 0; m < N; m++)
        if (m < w.count)
            step_state(f[m], change, w.state[m]);
}

/* N: most branches of a point. */
template <typename REAL, int N> __global__ void __launch_bounds__(BRICK_THREADS) step_bricks(const __grid_constant__ brick_pass<REAL> s)
{
    extern __shared__ __align__(128) unsigned char shared_memory[];
    REAL *now = reinterpret_cast<REAL *>(shared_memory), *before = now + BRICK_VALUES;
    coefficients<REAL> *table = reinterpret_cast<coefficients<REAL> *>(before + BRICK_VALUES);
    point_code *codes = reinterpret_cast<point_code *>(table + TABLE);
    const brick b = s.bricks[blockIdx.x];
    const fused_pass<REAL> &field = s.field;
    const int thread = (int)threadIdx.x;
    const int row = b.size[0] + 2, plane = row * (b.size[1] + 2), values = plane * (b.size[2] + 2);
    const int64_t first = b.from[2] * field.plane + (int64_t)b.from[1] * field.pitch + b.from[0];
    const brick_point *points = s.points + (size_t)b.shape * BRICK_POINTS + thread;
    uint32_t own[OWN]; /* value, and reach << BRICK_REACH */
    for (int i = thread; i < values; i += BRICK_THREADS) /* the ring stays so */
        now[i] = before[i] = REAL(0);
    for (int i = thread; i < TABLE && i < s.code_count; i += BRICK_THREADS)
        table[i] = field.codes[i];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < OWN; k += TOGETHER) {
        brick_point p[TOGETHER];
        REAL p_now[TOGETHER], p_before[TOGETHER];
        point_code code[TOGETHER];
#pragma unroll
        for (int j = 0; j < TOGETHER; j++)
            p[j] = points[(k + j) * BRICK_THREADS];
#pragma unroll
        for (int j = 0; j < TOGETHER; j++) { /* beyond the last point the first is loaded, and not used */
            p_now[j] = s.now[first + p[j].at];
            p_before[j] = s.before[first + p[j].at];
            code[j] = field.map[first + p[j].at];
        }
#pragma unroll
        for (int j = 0; j < TOGETHER; j++) {
            own[k + j] = p[j].value;
            if (p[j].value >> BRICK_REACH == BRICK_NOWHERE)
                continue;
            now[p[j].value & BRICK_VALUE] = p_now[j];
            before[p[j].value & BRICK_VALUE] = p_before[j];
            codes[thread + (k + j) * BRICK_THREADS] = code[j];
        }
    }
    __syncthreads();
    kept_wall<REAL, N> wall;
    load_wall(wall, s, b, threadIdx.x, now, before);
    __syncthreads();
    const unsigned long long level = *field.base + (unsigned long long)field.offset;
    for (int t = 1; t <= s.steps; t++) {
        const unsigned most = (unsigned)(s.steps - t); /* reach that this level still needs */
#pragma unroll
        for (int k = 0; k < OWN; k++) {
            const unsigned code = own[k] >> BRICK_REACH <= most ? codes[thread + k * BRICK_THREADS] : 0u;
            if (!code)
                continue;
            const REAL *p = now + (own[k] & BRICK_VALUE);
            REAL *u = before + (own[k] & BRICK_VALUE);
            const coefficients<REAL> c = code < TABLE ? table[code] : field.codes[code];
            const REAL sum = ((p[-1] + p[1]) + (p[-row] + p[row])) + (p[-plane] + p[plane]), old = *u;
            const REAL rigid = (c.centre * *p + field.side * sum) - old;
            *u = rigid + c.weight * (old - rigid);
        }
        __syncthreads();
        if (b.event_count) {
            for (unsigned i = threadIdx.x; i < b.event_count; i += BRICK_THREADS) {
                const brick_event e = s.brick_events[b.first_event + i];
                if (!e.event.tap && e.reach <= most)
                    before[e.at] += fused::drive_value(field, e.event, t - 1);
            }
            __syncthreads();
        }
        if (wall.reach <= most)
            step_wall(wall, s, before);
        __syncthreads();
        REAL *made = before;
        before = now;
        now = made;
        for (unsigned i = threadIdx.x; i < b.event_count; i += BRICK_THREADS) {
            const brick_event e = s.brick_events[b.first_event + i];
            if (e.event.tap)
                field.captures[e.event.first * field.capture_stride + level + (unsigned long long)t] = (double)now[e.at];
        }
    }
#pragma unroll
    for (int k = 0; k < OWN; k++)
        if (own[k] >> BRICK_REACH == 0 && codes[thread + k * BRICK_THREADS]) {
            const int64_t at = first + points[k * BRICK_THREADS].at;
            field.next[at] = now[own[k] & BRICK_VALUE];
            field.next_before[at] = before[own[k] & BRICK_VALUE];
        }
    if (wall.reach == 0)
#pragma unroll
        for (int m = 0; m < N; m++)
            if (m < wall.count)
                s.states_out[wall.first + m * BRANCH_THREADS] = wall.state[m];
}

template <typename REAL> constexpr size_t shared_bytes()
{
    return 2 * BRICK_VALUES * sizeof(REAL) + TABLE * sizeof(coefficients<REAL>) + BRICK_POINTS * sizeof(point_code);
}

/* A kernel, and the branches of a point that it can hold. */
template <typename REAL> struct brick_kernel {
    unsigned branches;
    void (*code)(const brick_pass<REAL>);
};

/* Beyond eight a thread's states no longer fit into its registers; only corners have as many. */
template <typename REAL> const brick_kernel<REAL> *brick_kernels()
{
    static const brick_kernel<REAL> all[KERNELS] = {
        {2, step_bricks<REAL, 2>},   {4, step_bricks<REAL, 4>},   {6, step_bricks<REAL, 6>},  {8, step_bricks<REAL, 8>},
        {16, step_bricks<REAL, 16>}, {24, step_bricks<REAL, 24>}, {48, step_bricks<REAL, 48>},
    };
    return all;
}

template <typename REAL> int kernel_for(unsigned branches)
{
    int found = 0;
    while (found < KERNELS && brick_kernels<REAL>()[found].branches < branches)
        found++;
    return found;
}

unsigned most_branches(const struct branches *b)
{
    unsigned most = 0;
    for (size_t kind = 0; kind < b->kind_count; kind++)
        most = std::max(most, b->kinds[kind].count);
    return most;
}

template <typename REAL> int prepare(struct bricks *b, const cuda_state *s, int steps, bool *fit, struct error *e)
{
    const struct branches *walls = &s->rows.branches;
    brick_cover cover = bricks_cover(s, steps);
    std::vector<brick_kind> kinds;
    *fit = cover.fits;
    if (!cover.fits)
        return 0;
    for (size_t i = 0; i < walls->kind_count; i++)
        kinds.push_back({walls->kinds[i].first, walls->kinds[i].count, walls->kinds[i].weight, walls->kinds[i].heavy});
    std::stable_sort(cover.bricks.begin(), cover.bricks.end(),
                     [](const brick &a, const brick &b) { return kernel_for<REAL>(a.branches) < kernel_for<REAL>(b.branches); });
    for (const brick &one : cover.bricks)
        for (int kernel = kernel_for<REAL>(one.branches) + 1; kernel <= KERNELS; kernel++)
            b->first[kernel]++;
    for (int kernel = 0; kernel < KERNELS; kernel++)
        if (cuda_check(cudaFuncSetAttribute(brick_kernels<REAL>()[kernel].code, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes<REAL>()),
                       "walls", e))
            return -1;
    if (upload(&b->list, cover.bricks.data(), cover.bricks.size(), "walls", e) || upload(&b->walls, cover.walls.data(), cover.walls.size(), "walls", e) ||
        upload(&b->events, cover.events.data(), cover.events.size(), "walls", e) || upload(&b->kinds, kinds.data(), kinds.size(), "walls", e) ||
        upload(&b->points, cover.points.data(), cover.points.size(), "walls", e))
        return -1;
    b->steps = steps;
    return 0;
}

} // namespace

const char *bricks_refusal(const struct rows *rows)
{
    const unsigned branches = most_branches(&rows->branches);
    /* blocks of a kind's points are full but for its last */
    const uint64_t pairs = rows->branches.state_count / 2 + rows->branches.kind_count * (uint64_t)(BRANCH_THREADS * branches);
    if (!rows->branches.point_count)
        return nullptr;
    if (branches > brick_kernels<float>()[KERNELS - 1].branches)
        return "a corner of walls of more than 48 branches is stepped one step at a time";
    return pairs > UINT32_MAX || rows->nx * rows->ny > UINT32_MAX / 64 ? "so large a grid with branches at its walls is stepped one step at a time" : nullptr;
}

int bricks_set_up(cuda_state *s, int steps, bool *fit, struct error *e)
{
    *fit = true;
    if (!s->branches.block_count || (s->bricks && s->bricks->steps == steps))
        return 0;
    bricks_drop(s->bricks);
    s->bricks = new bricks();
    if ((!s->map && setup_map(s, e)) || branches_set_up_pair(&s->branches, s->problem->precision, e))
        return -1;
    return s->problem->precision == PRECISION_DOUBLE ? prepare<double>(s->bricks, s, steps, fit, e) : prepare<float>(s->bricks, s, steps, fit, e);
}

uint64_t bricks_device_bytes(const struct rows *rows, enum precision precision)
{
    /* a point with branches is loaded by two bricks of a box and by eight of a curved wall, whose bricks differ more, too */
    const uint64_t points = rows->branches.point_count, shapes = std::min<uint64_t>(64 + points / 200, BRICK_SHAPES);
    return points ? branches_device_bytes(rows, precision, false) + 8 * points * sizeof(brick_wall) + shapes * BRICK_POINTS * sizeof(brick_point) : 0;
}

void bricks_drop(struct bricks *b)
{
    if (!b)
        return;
    cudaFree(b->list);
    cudaFree(b->walls);
    cudaFree(b->events);
    cudaFree(b->kinds);
    cudaFree(b->points);
    delete b;
}

template <typename REAL> void bricks_enqueue(const struct bricks *b, const cuda_state *s, const fused_pass<REAL> &pass, int steps, int phase, int pair_of_grids)
{
    brick_pass<REAL> all;
    memset(&all, 0, sizeof all);
    all.now = (const REAL *)s->grids[grid_in(s, pair_of_grids, phase)];
    all.before = (const REAL *)s->grids[grid_in(s, pair_of_grids, phase - 1)];
    all.steps = steps;
    all.walls = b->walls;
    all.brick_events = b->events;
    all.kinds = b->kinds;
    all.points = b->points;
    all.code_count = (int)s->layout.code_count;
    all.factors = (const branch_factors_device<REAL> *)s->branches.factors;
    all.states_in = (const pair<REAL> *)s->branches.states[pair_of_grids];
    all.states_out = (pair<REAL> *)s->branches.states[!pair_of_grids];
    all.field = pass;
    for (int kernel = 0; kernel < KERNELS; kernel++) {
        const unsigned count = b->first[kernel + 1] - b->first[kernel];
        all.bricks = b->list + b->first[kernel];
        if (count)
            brick_kernels<REAL>()[kernel].code<<<count, BRICK_THREADS, shared_bytes<REAL>(), s->stream>>>(all);
    }
}

template void bricks_enqueue<float>(const struct bricks *, const cuda_state *, const fused_pass<float> &, int, int, int);
template void bricks_enqueue<double>(const struct bricks *, const cuda_state *, const fused_pass<double> &, int, int, int);
