/* Steps the shell around walls with branches and objects, brick by brick. */
#include "cuda/ptx.cuh"
#include "cuda/step/branch_update.cuh"
#include "cuda/temporal/boundary_tiles.cuh"
#include "cuda/temporal/completion_flag.cuh"

namespace
{

/* Points of a thread, and how many are loaded together; codes whose coefficients are in shared memory. */
enum { OWN = BRICK_POINTS / BRICK_THREADS, TOGETHER = 4, TABLE = 128 };

/* A size of bricks: at most so many threads, a point with branches each, and values. */
template <int THREADS> struct brick_size {
    enum { POINTS = BRICK_POINTS / (BRICK_THREADS / THREADS), VALUES = BRICK_VALUES / (BRICK_THREADS / THREADS) };
};

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
__device__ __forceinline__ void load_wall(kept_wall<REAL, N> &w, const brick_pass<REAL> &s, const brick &b, unsigned i,
                                          const REAL *now, const REAL *before)
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

template <typename REAL, int N>
__device__ __forceinline__ void step_wall(kept_wall<REAL, N> &w, const brick_pass<REAL> &s, REAL *next)
{
    const branch_factors_device<REAL> *f = s.factors + w.factors;
    REAL push = 0;
#pragma unroll
    for (int m = 0; m < N; m++)
        if (m < w.count)
            push += push_of<REAL>(f[m], w.state[m]);
    REAL change;
    const REAL after = weigh_wall(next[w.at] - push, w.before, w.weight, w.heavy, &change);
    next[w.at] = after;
    w.before = w.now;
    w.now = after;
#pragma unroll
    for (int m = 0; m < N; m++)
        if (m < w.count)
            step_state<REAL>(f[m], change, w.state[m]);
}

/* N: most branches of a point. What is read before the first wait is older than the pass that these bricks follow. */
template <typename REAL, int N, int THREADS>
__global__ void __launch_bounds__(THREADS, N > BRANCHES_WHOLE ? 1 : (int)BRICK_THREADS / THREADS)
    step_bricks(const __grid_constant__ brick_pass<REAL> s)
{
    release_next_kernel();
    invalidate_first_level_cache();
    extern __shared__ __align__(128) unsigned char shared_memory[];
    REAL *now = reinterpret_cast<REAL *>(shared_memory), *before = now + brick_size<THREADS>::VALUES;
    coefficients<REAL> *table = reinterpret_cast<coefficients<REAL> *>(before + brick_size<THREADS>::VALUES);
    point_code *codes = reinterpret_cast<point_code *>(table + TABLE);
    const brick b = s.bricks[blockIdx.x];
    const temporal_block<REAL> &field = s.field;
    const int thread = (int)threadIdx.x;
    const int row = b.size[0] + 2, plane = row * (b.size[1] + 2), values = plane * (b.size[2] + 2);
    const int64_t first = b.from[2] * field.plane + (int64_t)b.from[1] * field.pitch + b.from[0];
    const brick_point *points = s.points + (size_t)b.shape * BRICK_POINTS + thread;
    uint32_t own[OWN];                             /* value, and reach << BRICK_REACH */
    for (int i = thread; i < values; i += THREADS) /* the ring stays so */
        now[i] = before[i] = REAL(0);
    for (int i = thread; i < TABLE && i < s.code_count; i += THREADS)
        table[i] = field.codes[i];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < OWN; k += TOGETHER) {
        brick_point p[TOGETHER];
        REAL p_now[TOGETHER], p_before[TOGETHER];
        point_code code[TOGETHER];
#pragma unroll
        for (int j = 0; j < TOGETHER; j++)
            p[j] = points[(k + j) * THREADS];
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
            codes[thread + (k + j) * THREADS] = code[j];
        }
    }
    __syncthreads();
    kept_wall<REAL, N> wall;
    load_wall(wall, s, b, threadIdx.x, now, before);
    __syncthreads();
    if (b.event_count)
        wait_for_completion(s.ended); /* receivers are heard anew */
    const unsigned long long level = *field.base + (unsigned long long)field.offset;
    for (int t = 1; t <= s.steps; t++) {
        const unsigned most = (unsigned)(s.steps - t); /* reach that this level still needs */
#pragma unroll
        for (int k = 0; k < OWN; k++) {
            const unsigned code = own[k] >> BRICK_REACH <= most ? codes[thread + k * THREADS] : 0u;
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
            for (unsigned i = threadIdx.x; i < b.event_count; i += THREADS) {
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
        for (unsigned i = threadIdx.x; i < b.event_count; i += THREADS) {
            const brick_event e = s.brick_events[b.first_event + i];
            if (e.event.tap)
                field.captures[e.event.first * field.capture_stride + level + (unsigned long long)t] =
                    (double)now[e.at];
        }
    }
    wait_for_completion(s.ended);
#pragma unroll
    for (int k = 0; k < OWN; k++)
        if (own[k] >> BRICK_REACH == 0 && codes[thread + k * THREADS]) {
            const int64_t at = first + points[k * THREADS].at;
            field.next[at] = now[own[k] & BRICK_VALUE];
            field.next_before[at] = before[own[k] & BRICK_VALUE];
        }
    if (wall.reach == 0)
#pragma unroll
        for (int m = 0; m < N; m++)
            if (m < wall.count)
                s.states_out[wall.first + m * BRANCH_THREADS] = wall.state[m];
    wait_for_previous_kernel();
}

template <typename REAL, int N, int THREADS> constexpr brick_kernel<REAL> kernel_of()
{
    typedef brick_size<THREADS> size;
    return {N, step_bricks<REAL, N, THREADS>, THREADS,
            2 * size::VALUES * sizeof(REAL) + TABLE * sizeof(coefficients<REAL>) + size::POINTS * sizeof(point_code)};
}

} // namespace

/* The longest first. Beyond BRANCHES_WHOLE a thread's states fit into its registers only where a block has half the threads. */
template <typename REAL> const brick_kernel<REAL> *brick_kernels()
{
    enum { HALF = BRICK_THREADS / 2, WHOLE = BRICK_THREADS };
    static const brick_kernel<REAL> all[BRICK_KERNELS] = {
        kernel_of<REAL, 48, WHOLE>(), kernel_of<REAL, 24, WHOLE>(), kernel_of<REAL, 16, WHOLE>(),
        kernel_of<REAL, 8, WHOLE>(),  kernel_of<REAL, 6, WHOLE>(),  kernel_of<REAL, 4, WHOLE>(),
        kernel_of<REAL, 2, WHOLE>(),  kernel_of<REAL, 48, HALF>(),  kernel_of<REAL, 24, HALF>(),
        kernel_of<REAL, 16, HALF>(),  kernel_of<REAL, 8, HALF>(),   kernel_of<REAL, 6, HALF>(),
        kernel_of<REAL, 4, HALF>(),   kernel_of<REAL, 2, HALF>(),
    };
    return all;
}

template <typename REAL> int brick_kernel_for(const brick &b)
{
    const int whole = brick_is_half(b) ? BRICK_KERNELS / 2 : 0;
    int found = whole;
    while (found + 1 < whole + BRICK_KERNELS / 2 && brick_kernels<REAL>()[found + 1].branches >= b.branches)
        found++;
    return found;
}

template const brick_kernel<float> *brick_kernels<float>();
template const brick_kernel<double> *brick_kernels<double>();
template int brick_kernel_for<float>(const brick &);
template int brick_kernel_for<double>(const brick &);
