/* The sweep scheme: a weighted cross of neighbours. The methods are those of the stencil chapter (basic, a tile in shared memory, thread
 * coarsening along z, register tiling), the code is not: both precisions, 64-bit indices, blocks that are not cubes, and one kernel for
 * the stencils of every dimension and radius. The listings carry slips; what they mean is written here:
 *   - the tile of the second lacks its __shared__: each thread would have one of its own and read what nobody wrote;
 *   - the last copies from `inNext_s`, which does not exist: the next plane is in a register, and that is what goes to shared memory;
 *   - signed indices are compared with an unsigned size: right only after another test has ruled out negative ones. Here all are signed;
 *   - the coarsened kernels give c3 to y + 1 and c4 to y - 1, the others the other way round: here c3 is always of the lower neighbour.
 *
 * Points nearer to an edge than the radius keep their values: both copies hold them since they were put, and no kernel changes them.
 * Sums have the order of the CPU's: the same bits. */
extern "C" {
#include "schemes/sweep/sweep.h"
}
#include "cuda/overlap.cuh"
#include "cuda/stencils/arrays.cuh"

#include <algorithm>

namespace
{

enum { BLOCKS_MAX = 65535 /* of a grid along y and z */, SHARED_BYTES_MAX = 48 * 1024, VECTOR_BYTES = 16 };
enum { BLOCK_THREADS = 1024, MARCH_THREADS = 256 }; /* the most in a block: of any kernel, of the registers kernel */
enum { ROWS = 2 };                                  /* of a thread of the registers kernel */

/* Everything a step needs, passed by value. */
template <typename REAL> struct sweep {
    const REAL *u;
    REAL *next;
    int64_t n[3], stride[3];
    REAL c[SWEEP_COEFFICIENTS_MAX]; /* in the order of sweep_problem */
    int chunk;                      /* planes a block marches through */
    bool reversed;                  /* begin with the last planes: they are what the step before left in the cache */
};

/* One thread a point, straight from global memory. */
template <typename REAL, int DIMENSIONS, int RADIUS>
__global__ void __launch_bounds__(BLOCK_THREADS) sweep_points(const __grid_constant__ sweep<REAL> s)
{
    const int64_t x = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (x < RADIUS || x >= s.n[0] - RADIUS)
        return;
        /* A grid can have more rows and planes than a launch has blocks. As a rule a loop is taken once: unrolled it would cost registers. */
#pragma unroll 1
    for (int64_t z = (int64_t)blockIdx.z * blockDim.z + threadIdx.z; z < s.n[2]; z += (int64_t)gridDim.z * blockDim.z)
#pragma unroll 1
        for (int64_t y = (int64_t)blockIdx.y * blockDim.y + threadIdx.y; y < s.n[1];
             y += (int64_t)gridDim.y * blockDim.y) {
            if ((DIMENSIONS > 1 && (y < RADIUS || y >= s.n[1] - RADIUS)) ||
                (DIMENSIONS > 2 && (z < RADIUS || z >= s.n[2] - RADIUS)))
                continue;
            const int64_t point = z * s.stride[2] + y * s.stride[1] + x;
            const REAL *u = s.u + point;
            REAL sum = s.c[0] * *u;
#pragma unroll
            for (int distance = 1; distance <= RADIUS; distance++)
#pragma unroll
                for (int axis = 0; axis < DIMENSIONS; axis++) {
                    const int c = 1 + 2 * (axis + DIMENSIONS * (distance - 1));
                    sum += s.c[c] * u[-distance * s.stride[axis]];
                    sum += s.c[c + 1] * u[distance * s.stride[axis]];
                }
            s.next[point] = sum;
        }
}

/* The seven points in the order of every kernel. */
template <typename REAL>
__device__ __forceinline__ REAL seven(const sweep<REAL> &s, REAL u, REAL x_min, REAL x_max, REAL y_min, REAL y_max,
                                      REAL z_min, REAL z_max)
{
    REAL sum = s.c[0] * u;
    sum += s.c[1] * x_min;
    sum += s.c[2] * x_max;
    sum += s.c[3] * y_min;
    sum += s.c[4] * y_max;
    sum += s.c[5] * z_min;
    sum += s.c[6] * z_max;
    return sum;
}

template <typename REAL> __device__ __forceinline__ REAL *shared_values()
{
    extern __shared__ __align__(16) unsigned char raw[];
    return reinterpret_cast<REAL *>(raw);
}

/* Where a thread of a tile with a layer of halo stands along an axis: tiles of the output touch, those of the input overlap. */
struct tile_place {
    int64_t at;
    bool in_grid, computes; /* has a point; the point is inside the grid's edges and the tile's */
};

__device__ __forceinline__ tile_place find_place(unsigned block, unsigned thread, unsigned threads, int64_t n)
{
    tile_place p;
    p.at = (int64_t)block * (threads - 2) + thread - 1;
    p.in_grid = p.at >= 0 && p.at < n;
    p.computes = thread > 0 && thread + 1 < threads && p.at > 0 && p.at < n - 1;
    return p;
}

/* The block's input in shared memory; its outermost threads only read. */
template <typename REAL>
__global__ void __launch_bounds__(BLOCK_THREADS) sweep_tile(const __grid_constant__ sweep<REAL> s)
{
    REAL *tile = shared_values<REAL>();
    const tile_place x = find_place(blockIdx.x, threadIdx.x, blockDim.x, s.n[0]),
                     y = find_place(blockIdx.y, threadIdx.y, blockDim.y, s.n[1]),
                     z = find_place(blockIdx.z, threadIdx.z, blockDim.z, s.n[2]);
    const int64_t point = z.at * s.stride[2] + y.at * s.stride[1] + x.at;
    const int row = (int)blockDim.x, plane = row * (int)blockDim.y;
    REAL *mine = tile + (int)threadIdx.z * plane + (int)threadIdx.y * row + (int)threadIdx.x;
    if (x.in_grid && y.in_grid && z.in_grid)
        *mine = s.u[point];
    __syncthreads();
    if (x.computes && y.computes && z.computes)
        s.next[point] = seven(s, *mine, mine[-1], mine[1], mine[-row], mine[row], mine[-plane], mine[plane]);
}

/* Coarsened along z: a block marches through s.chunk planes with three of them in shared memory. */
template <typename REAL>
__global__ void __launch_bounds__(BLOCK_THREADS) sweep_planes(const __grid_constant__ sweep<REAL> s)
{
    REAL *tile = shared_values<REAL>();
    const tile_place x = find_place(blockIdx.x, threadIdx.x, blockDim.x, s.n[0]),
                     y = find_place(blockIdx.y, threadIdx.y, blockDim.y, s.n[1]);
    const int row = (int)blockDim.x, plane = row * (int)blockDim.y, mine = (int)threadIdx.y * row + (int)threadIdx.x;
    const int64_t z0 = 1 + (int64_t)blockIdx.z * s.chunk, z1 = min(z0 + s.chunk, s.n[2] - 1);
    const bool reads = x.in_grid && y.in_grid && z0 < z1, computes = x.computes && y.computes;
    int64_t point = z0 * s.stride[2] + y.at * s.stride[1] + x.at;
    REAL *previous = tile + mine, *current = previous + plane, *next = current + plane;
    if (reads) {
        *previous = s.u[point - s.stride[2]];
        *current = s.u[point];
    }
    for (int64_t z = z0; z < z1; z++, point += s.stride[2]) { /* the same planes for all threads of the block */
        if (reads)
            *next = s.u[point + s.stride[2]];
        __syncthreads();
        if (computes)
            s.next[point] = seven(s, *current, current[-1], current[1], current[-row], current[row], *previous, *next);
        /* The planes change roles instead of being copied. One barrier is enough: of the previous plane, which is filled again before the
         * next barrier, every thread reads its own value only. */
        REAL *const filled_again = previous;
        previous = current;
        current = next;
        next = filled_again;
    }
}

/* V neighbours along x, 16 bytes. */
template <typename REAL, int V> struct alignas(sizeof(REAL) * V) packed {
    REAL v[V];
};

template <typename REAL, int V> __device__ __forceinline__ packed<REAL, V> load(const REAL *p)
{
    return *reinterpret_cast<const packed<REAL, V> *>(p);
}

/* What a thread of the registers kernel needs of a plane besides the planes below and above. */
template <typename REAL, int V> struct plane_values {
    packed<REAL, V> here[ROWS], front, back; /* its rows; the rows before and behind them */
    REAL edge[ROWS];                         /* the point beyond the warp's end, in its first and last lane */
};

/* Register tiling along z: a warp spans a row of 32 vectors along x, so that x neighbours come by shuffle, and each thread has ROWS rows
 * of them. All loads of a plane are on their way while the plane below it is computed. */
template <typename REAL, int V> struct column {
    int64_t row[ROWS], front, back, edge; /* offsets from a plane's first point; edge: from a row's vector */
    bool in_row, has_edge;

    __device__ __forceinline__ plane_values<REAL, V> read(const REAL *plane) const
    {
        plane_values<REAL, V> p = {};
        if (in_row) {
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                p.here[r] = load<REAL, V>(plane + row[r]);
            p.front = load<REAL, V>(plane + front);
            p.back = load<REAL, V>(plane + back);
        }
        if (has_edge) {
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                p.edge[r] = plane[row[r] + edge];
        }
        return p;
    }
};

template <typename REAL, int V>
__global__ void __launch_bounds__(MARCH_THREADS) sweep_march(const __grid_constant__ sweep<REAL> s)
{
    /* Blocks start in the order of their index: every other step takes the planes from the other end, so that it begins with what the step
     * before touched last. */
    const unsigned layer = s.reversed ? gridDim.z - 1 - blockIdx.z : blockIdx.z;
    const int lane = (int)(threadIdx.x & 31u), nx = (int)s.n[0], last_row = (int)s.n[1] - 1;
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x) * V,
              y = 1 + (int)(blockIdx.y * blockDim.y + threadIdx.y) * ROWS;
    const int z0 = 1 + (int)layer * s.chunk, z1 = min(z0 + s.chunk, (int)s.n[2] - 1);
    wait_for_last_step();
    if (x - lane * V >= nx || y >= last_row) /* the whole warp: it lies in these rows */
        return;
    column<REAL, V> at;
    at.in_row = x < nx;
    at.has_edge = (lane == 0 && x > 0) || (lane == 31 && x + V < nx);
    at.edge = lane == 0 ? -1 : V;
#pragma unroll
    for (int r = 0; r < ROWS; r++) /* rows beyond the last are not computed: any that exists will do for them */
        at.row[r] = min(y + r, last_row) * s.stride[1] + x;
    at.front = (y - 1) * s.stride[1] + x;
    at.back = min(y + ROWS, last_row) * s.stride[1] + x;
    unsigned inside = 0;
#pragma unroll
    for (int i = 0; i < V; i++)
        inside |= (unsigned)(x + i > 0 && x + i < nx - 1) << i;
    const REAL *u = s.u + z0 * s.stride[2];
    REAL *next = s.next + z0 * s.stride[2];
    packed<REAL, V> below[ROWS] = {};
    if (at.in_row) {
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            below[r] = load<REAL, V>(u - s.stride[2] + at.row[r]);
    }
    plane_values<REAL, V> now = at.read(u);
#pragma unroll 2
    for (int z = z0; z < z1; z++) {
        const plane_values<REAL, V> above = at.read(u + s.stride[2]);
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            const packed<REAL, V> &here = now.here[r], &front = r > 0 ? now.here[r > 0 ? r - 1 : 0] : now.front,
                                  &back = r + 1 < ROWS ? now.here[r + 1 < ROWS ? r + 1 : 0] : now.back;
            REAL left = __shfl_up_sync(0xffffffffu, here.v[V - 1], 1),
                 right = __shfl_down_sync(0xffffffffu, here.v[0], 1);
            left = lane == 0 ? now.edge[r] : left;
            right = lane == 31 ? now.edge[r] : right;
            packed<REAL, V> out;
#pragma unroll
            for (int i = 0; i < V; i++) {
                const REAL x_min = i > 0 ? here.v[i > 0 ? i - 1 : 0] : left,
                           x_max = i + 1 < V ? here.v[i + 1 < V ? i + 1 : 0] : right;
                const REAL sum =
                    seven(s, here.v[i], x_min, x_max, front.v[i], back.v[i], below[r].v[i], above.here[r].v[i]);
                out.v[i] = inside >> i & 1u
                               ? sum
                               : here.v[i]; /* vectors are written whole; the edge is the same in both copies */
            }
            if (at.in_row && y + r < last_row)
                *reinterpret_cast<packed<REAL, V> *>(next + at.row[r]) = out;
            below[r] = here;
        }
        now = above;
        u += s.stride[2];
        next += s.stride[2];
    }
}

size_t value_bytes(const struct problem *p)
{
    return precision_bytes(p->precision);
}

int64_t parts(int64_t whole, int64_t part)
{
    return (whole + part - 1) / part;
}

template <typename REAL> sweep<REAL> describe(const struct cuda_array_grid *g)
{
    const struct sweep_problem *p = sweep_of(g->problem);
    sweep<REAL> s = {(const REAL *)g->now[0],
                     (REAL *)g->next[0],
                     {g->n[0], g->n[1], g->n[2]},
                     {1, g->pitch, g->plane},
                     {},
                     g->block.z,
                     false};
    for (int i = 0; i < SWEEP_COEFFICIENTS_MAX; i++)
        s.c[i] = (REAL)p->coefficients[i];
    s.reversed = g->now[0] < g->next[0]; /* the copies change places with every step */
    return s;
}

/* How the four kinds of kernel are launched. */
struct shape {
    dim3 blocks, threads;
    size_t shared_bytes;
};

typedef shape shape_of(const struct problem *p, struct block_shape block);

unsigned up_to_most(int64_t blocks)
{
    return (unsigned)std::min(blocks, (int64_t)BLOCKS_MAX);
}

unsigned in_parts(size_t whole, int part)
{
    return (unsigned)parts((int64_t)whole, part);
}

/* Threads by points; a launch has as many blocks as it can. */
shape points_shape(const struct problem *p, struct block_shape b)
{
    const size_t *n = p->points;
    return {dim3(in_parts(n[0], b.x), up_to_most(parts((int64_t)n[1], b.y)), up_to_most(parts((int64_t)n[2], b.z))),
            dim3((unsigned)b.x, (unsigned)b.y, (unsigned)b.z), 0};
}

/* Points of the tile, with its halo. */
shape tile_shape(const struct problem *p, struct block_shape b)
{
    const size_t *n = p->points;
    return {dim3(in_parts(n[0], b.x - 2), in_parts(n[1], b.y - 2), in_parts(n[2], b.z - 2)),
            dim3((unsigned)b.x, (unsigned)b.y, (unsigned)b.z),
            value_bytes(p) * (size_t)b.x * (size_t)b.y * (size_t)b.z};
}

/* Points of a plane of the tile, with its halo, by planes to march through. */
shape planes_shape(const struct problem *p, struct block_shape b)
{
    const size_t *n = p->points;
    return {dim3(in_parts(n[0], b.x - 2), in_parts(n[1], b.y - 2), in_parts(n[2], b.z)),
            dim3((unsigned)b.x, (unsigned)b.y), 3 * value_bytes(p) * (size_t)b.x * (size_t)b.y};
}

/* Threads along x, each a vector, by threads along y, each ROWS rows, by planes to march through. Only inner rows and planes are
 * covered. */
shape march_shape(const struct problem *p, struct block_shape b)
{
    const size_t *n = p->points;
    const int vector = VECTOR_BYTES / (int)value_bytes(p);
    return {dim3(in_parts(n[0], b.x * vector), in_parts(n[1] - 2, b.y * ROWS), in_parts(n[2] - 2, b.z)),
            dim3((unsigned)b.x, (unsigned)b.y), 0};
}

template <typename REAL> using kernel_function = void (*)(sweep<REAL>);

template <typename REAL> kernel_function<REAL> points_kernel(const struct sweep_problem *s)
{
    switch (s->dimensions) {
    case 1:
        return s->radius == 1   ? sweep_points<REAL, 1, 1>
               : s->radius == 2 ? sweep_points<REAL, 1, 2>
                                : sweep_points<REAL, 1, 3>;
    case 2:
        return s->radius == 1 ? sweep_points<REAL, 2, 1> : sweep_points<REAL, 2, 2>;
    default:
        return s->radius == 1 ? sweep_points<REAL, 3, 1> : sweep_points<REAL, 3, 2>;
    }
}

enum method { POINTS, TILE, PLANES, MARCH };

template <enum method METHOD, typename REAL> kernel_function<REAL> kernel_of(const struct problem *p)
{
    return METHOD == POINTS   ? points_kernel<REAL>(sweep_of(p))
           : METHOD == TILE   ? sweep_tile<REAL>
           : METHOD == PLANES ? sweep_planes<REAL>
                              : sweep_march<REAL, VECTOR_BYTES / (int)sizeof(REAL)>;
}

template <enum method METHOD> shape shape_for(const struct problem *p, struct block_shape block)
{
    shape_of *const shapes[] = {points_shape, tile_shape, planes_shape, march_shape};
    return shapes[METHOD](p, block);
}

template <enum method METHOD, typename REAL> void launch(const struct cuda_array_grid *g)
{
    const shape how = shape_for<METHOD>(g->problem, g->block);
    const kernel_function<REAL> kernel = kernel_of<METHOD, REAL>(g->problem);
    if (METHOD == MARCH) /* the only one that waits for the step before, and so may come early */
        launch_overlapping(kernel, how.blocks, how.threads, g->stream, describe<REAL>(g));
    else
        kernel<<<how.blocks, how.threads, how.shared_bytes, g->stream>>>(describe<REAL>(g));
}

template <enum method METHOD> void take_step(const struct cuda_array_grid *g)
{
    if (g->problem->precision == PRECISION_DOUBLE)
        launch<METHOD, double>(g);
    else
        launch<METHOD, float>(g);
}

template <enum method METHOD> void figures(struct kernel_figures *f, const struct problem *p, struct block_shape block)
{
    const shape how = shape_for<METHOD>(p, block);
    const int threads = (int)(how.threads.x * how.threads.y * how.threads.z);
    if (p->precision == PRECISION_DOUBLE)
        figures_of(f, kernel_of<METHOD, double>(p), threads, how.shared_bytes);
    else
        figures_of(f, kernel_of<METHOD, float>(p), threads, how.shared_bytes);
}

/* Bounds that keep products in 32 bits, and what all kernels ask for. */
const char *sensible(struct block_shape b, int64_t threads, int64_t threads_max)
{
    if (b.x < 1 || b.y < 1 || b.z < 1 || b.x > 1024 || b.y > 1024 || b.z > 65536)
        return "a block is at least 1 x 1 x 1 and at most 1024 x 1024 x 65536";
    if (threads > threads_max)
        return threads_max == BLOCK_THREADS ? "a block has at most 1024 threads"
                                            : "a block of the registers kernel has at most 256 threads";
    return nullptr;
}

const char *any_stencil(const struct problem *, struct block_shape b)
{
    const char *reason = sensible(b, (int64_t)b.x * b.y * b.z, BLOCK_THREADS);
    return reason || b.z <= 64 ? reason : "a block has at most 64 threads along z";
}

const char *seven_points(const struct problem *p)
{
    return sweep_of(p)->dimensions == 3 && sweep_of(p)->radius == 1
               ? nullptr
               : "only the general kernel has stencils other than the 3D 7-point one";
}

const char *fits(const shape &how)
{
    if (how.blocks.y > BLOCKS_MAX || how.blocks.z > BLOCKS_MAX)
        return "the grid has more blocks of this shape than a launch";
    return how.shared_bytes > SHARED_BYTES_MAX ? "the tile with its halo is larger than 48 KiB of shared memory"
                                               : nullptr;
}

const char *can_do_basic(const struct problem *p, struct block_shape b)
{
    const char *reason = seven_points(p);
    return reason ? reason : any_stencil(p, b);
}

const char *can_do_tile(const struct problem *p, struct block_shape b)
{
    const char *reason = can_do_basic(p, b);
    if (!reason && (b.x < 3 || b.y < 3 || b.z < 3))
        reason = "a tile has at least three points along each axis: its outermost threads only read";
    return reason ? reason : fits(tile_shape(p, b));
}

const char *can_do_planes(const struct problem *p, struct block_shape b)
{
    const char *reason = seven_points(p);
    if (!reason)
        reason = sensible(b, (int64_t)b.x * b.y, BLOCK_THREADS);
    if (!reason && (b.x < 3 || b.y < 3))
        reason = "a tile has at least three points along x and y: its outermost threads only read";
    return reason ? reason : fits(planes_shape(p, b));
}

const char *can_march(const struct problem *p, struct block_shape b)
{
    const char *reason = seven_points(p);
    if (!reason)
        reason = sensible(b, (int64_t)b.x * b.y, MARCH_THREADS);
    if (!reason && b.x % 32)
        reason = "a block of the registers kernel is a multiple of 32 threads wide";
    for (int axis = 0; axis < 3 && !reason; axis++)
        if (p->points[axis] < 3 || p->points[axis] > (1u << 30))
            reason = "the registers kernel wants inner points, and counts along an axis in 32 bits";
    return reason ? reason : fits(march_shape(p, b));
}

} // namespace

extern const struct cuda_array_kernel sweep_registers = {"registers",
                                                         &sweep_scheme,
                                                         {32, 4, 32},
                                                         {{32, 4, 32},
                                                          {32, 4, 64},
                                                          {32, 8, 32},
                                                          {64, 4, 32},
                                                          {32, 4, 16},
                                                          {32, 2, 32},
                                                          {64, 2, 32},
                                                          {32, 8, 64},
                                                          {128, 1, 32},
                                                          {128, 2, 32},
                                                          {32, 4, 8},
                                                          {32, 8, 16}},
                                                         can_march,
                                                         take_step<MARCH>,
                                                         figures<MARCH>,
                                                         nullptr,
                                                         nullptr,
                                                         nullptr};

/* Published: tiles of 32 x 32 with the halo, and as many planes as the tile has output rows. */
extern const struct cuda_array_kernel sweep_coarsened = {
    "coarsened",
    &sweep_scheme,
    {32, 32, 30},
    {{32, 32, 30}, {32, 16, 32}, {64, 16, 32}, {32, 8, 32}, {64, 8, 32}, {128, 8, 32}, {32, 32, 64}, {32, 16, 16}},
    can_do_planes,
    take_step<PLANES>,
    figures<PLANES>,
    nullptr,
    nullptr,
    nullptr};

extern const struct cuda_array_kernel sweep_shared = {
    "shared",
    &sweep_scheme,
    {8, 8, 8}, /* published */
    {{8, 8, 8}, {10, 10, 10}, {32, 8, 4}, {16, 8, 8}, {32, 4, 8}, {32, 6, 5}},
    can_do_tile,
    take_step<TILE>,
    figures<TILE>,
    nullptr,
    nullptr,
    nullptr};

extern const struct cuda_array_kernel sweep_basic = {
    "basic",
    &sweep_scheme,
    {8, 8, 8}, /* published */
    {{8, 8, 8}, {32, 4, 2}, {32, 8, 1}, {32, 4, 4}, {32, 2, 4}, {64, 4, 1}, {64, 2, 2}, {128, 2, 1}},
    can_do_basic,
    take_step<POINTS>,
    figures<POINTS>,
    nullptr,
    nullptr,
    nullptr};

extern const struct cuda_array_kernel sweep_general = {
    "general",       &sweep_scheme,
    {128, 1, 1},     {{128, 1, 1}, {256, 1, 1}, {32, 4, 1}, {32, 8, 1}, {32, 4, 2}, {64, 4, 1}, {64, 2, 2}, {8, 8, 8}},
    any_stencil,     take_step<POINTS>,
    figures<POINTS>, nullptr,
    nullptr,         nullptr};
