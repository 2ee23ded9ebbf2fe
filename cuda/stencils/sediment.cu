/* The sediment scheme: the kernels of Su et al. 2013 (baseline, read-only cache, shared memory, halo threads; the methods
 * are the paper's, the code is not), and two of ours in which a warp marches along y with its rows in registers: h or s
 * alone, and both in one pass.
 *
 * All keep the order of arithmetic of scheme/sediment.h. The threads that hold points of the boundary also write the
 * ghosts beside them, so that a step needs no further launch. */
#include "cuda/stencils/arrays.cuh"

#include <new>

extern "C" {
#include "cuda/engine/check.h"
#include "schemes/sediment/sediment.h"
}
#include "cuda/engine/state.cuh"

namespace
{

/* A step as the kernels see it. Ghost points are at -1 and at nx or ny. */
struct basin {
    const double *h, *s, *alpha, *beta;
    double *h_next, *s_next;
    int nx, ny;
    int64_t pitch;
    sediment_factors f;
    const sediment_edge *edges[4]; /* along each side: x_min x_max y_min y_max */
    int rows;                      /* of y that a marching warp covers */
};

/* What lives on the device besides the arrays: one value for each point of the four sides. */
struct sides {
    double *inflow[2]; /* of sand, of mud */
    sediment_edge *edges;
};

__device__ __forceinline__ double ghost_h(const sediment_edge &edge, double h)
{
    return h + edge.rise;
}

__device__ __forceinline__ double ghost_s(const sediment_edge &edge, double s)
{
    return edge.twice + edge.sign * s;
}

template <bool SAND> __device__ __forceinline__ double ghost(const sediment_edge &edge, double value)
{
    return SAND ? ghost_s(edge, value) : ghost_h(edge, value);
}

/* The ghosts beside a point; most points have none. */
template <bool SAND>
__device__ __forceinline__ void store_ghosts(const basin &b, double *next, int x, int y, double value)
{
    double *at = next + y * b.pitch + x;
    if (x == 0)
        at[-1] = ghost<SAND>(b.edges[0][y], value);
    if (x == b.nx - 1)
        at[1] = ghost<SAND>(b.edges[1][y], value);
    if (y == 0)
        at[-b.pitch] = ghost<SAND>(b.edges[2][x], value);
    if (y == b.ny - 1)
        at[b.pitch] = ghost<SAND>(b.edges[3][x], value);
}

template <bool SAND> __device__ __forceinline__ void store(const basin &b, double *next, int x, int y, double value)
{
    next[y * b.pitch + x] = value;
    store_ghosts<SAND>(b, next, x, y, value);
}

/* Arithmetic of one point, whatever it is read from. */

__device__ __forceinline__ double mobility(const basin &b, double sand, double mud)
{
    return b.f.sand * sand + b.f.mud * mud;
}

__device__ __forceinline__ double flux(double lower, double upper, double h_lower, double h_upper)
{
    return (lower + upper) * (h_upper - h_lower);
}

__device__ __forceinline__ double upwind(double lower, double here, double upper, double rise)
{
    return (rise < 0.0 ? here - lower : upper - here) * rise;
}

__device__ __forceinline__ double next_h(const basin &b, double h, double along_x, double along_y)
{
    return h + (b.f.h[0] * along_x + b.f.h[1] * along_y);
}

__device__ __forceinline__ double next_s(const basin &b, double s, double along_x, double along_y, double gain)
{
    return (b.f.layer * s + (b.f.s[0] * along_x + b.f.s[1] * along_y)) / (b.f.layer + gain);
}

/* A point and its four neighbours. */
struct cross {
    double here, x_min, x_max, y_min, y_max;
};

template <bool READ_ONLY> __device__ __forceinline__ double fetch(const double *p)
{
    return READ_ONLY ? __ldg(p) : *p;
}

template <bool READ_ONLY> __device__ __forceinline__ cross fetch_cross(const double *p, int64_t pitch)
{
    return {fetch<READ_ONLY>(p), fetch<READ_ONLY>(p - 1), fetch<READ_ONLY>(p + 1), fetch<READ_ONLY>(p - pitch),
            fetch<READ_ONLY>(p + pitch)};
}

__device__ __forceinline__ double flux_difference_x(const cross &m, const cross &h)
{
    return flux(m.here, m.x_max, h.here, h.x_max) - flux(m.x_min, m.here, h.x_min, h.here);
}

__device__ __forceinline__ double flux_difference_y(const cross &m, const cross &h)
{
    return flux(m.here, m.y_max, h.here, h.y_max) - flux(m.y_min, m.here, h.y_min, h.here);
}

__device__ __forceinline__ double h_at_cross(const basin &b, const cross &mobility, const cross &h)
{
    return next_h(b, h.here, flux_difference_x(mobility, h), flux_difference_y(mobility, h));
}

/* From products alpha s and from whichever heights the variant takes: `h` is old when conservative, else new. */
template <bool CONSERVATIVE>
__device__ __forceinline__ double s_at_cross(const basin &b, const cross &sand, const cross &h, double s, double gain)
{
    if (CONSERVATIVE)
        return next_s(b, s, flux_difference_x(sand, h), flux_difference_y(sand, h), gain);
    return next_s(b, s, upwind(sand.x_min, sand.here, sand.x_max, h.x_max - h.x_min),
                  upwind(sand.y_min, sand.here, sand.y_max, h.y_max - h.y_min), gain);
}

/* The second half of an s kernel, the products once known. */
template <bool CONSERVATIVE, bool READ_ONLY>
__device__ __forceinline__ void finish_s(const basin &b, int x, int y, const cross &sand, double s)
{
    const int64_t at = y * b.pitch + x;
    if (CONSERVATIVE) {
        const cross h = fetch_cross<READ_ONLY>(b.h + at, b.pitch);
        store<true>(b, b.s_next, x, y, s_at_cross<true>(b, sand, h, s, fetch<READ_ONLY>(b.h_next + at) - h.here));
    } else {
        const cross h = fetch_cross<READ_ONLY>(b.h_next + at, b.pitch);
        store<true>(b, b.s_next, x, y, s_at_cross<false>(b, sand, h, s, h.here - fetch<READ_ONLY>(b.h + at)));
    }
}

/* Baseline and OPT-1: one thread a point, everything from global memory, OPT-1 by the read-only cache. */

template <bool READ_ONLY> __global__ void direct_h(const basin b)
{
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= b.nx || y >= b.ny)
        return;
    const int64_t at = y * b.pitch + x;
    const cross h = fetch_cross<READ_ONLY>(b.h + at, b.pitch), s = fetch_cross<READ_ONLY>(b.s + at, b.pitch);
    const cross alpha = fetch_cross<READ_ONLY>(b.alpha + at, b.pitch),
                beta = fetch_cross<READ_ONLY>(b.beta + at, b.pitch);
    const cross m = {mobility(b, alpha.here * s.here, beta.here * (1.0 - s.here)),
                     mobility(b, alpha.x_min * s.x_min, beta.x_min * (1.0 - s.x_min)),
                     mobility(b, alpha.x_max * s.x_max, beta.x_max * (1.0 - s.x_max)),
                     mobility(b, alpha.y_min * s.y_min, beta.y_min * (1.0 - s.y_min)),
                     mobility(b, alpha.y_max * s.y_max, beta.y_max * (1.0 - s.y_max))};
    store<false>(b, b.h_next, x, y, h_at_cross(b, m, h));
}

template <bool CONSERVATIVE, bool READ_ONLY> __global__ void direct_s(const basin b)
{
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x), y = (int)(blockIdx.y * blockDim.y + threadIdx.y);
    if (x >= b.nx || y >= b.ny)
        return;
    const int64_t at = y * b.pitch + x;
    const cross s = fetch_cross<READ_ONLY>(b.s + at, b.pitch), alpha = fetch_cross<READ_ONLY>(b.alpha + at, b.pitch);
    const cross sand = {alpha.here * s.here, alpha.x_min * s.x_min, alpha.x_max * s.x_max, alpha.y_min * s.y_min,
                        alpha.y_max * s.y_max};
    finish_s<CONSERVATIVE, READ_ONLY>(b, x, y, sand, s.here);
}

/* OPT-2 and OPT-3: alpha s, and for h also beta (1 - s), once for each point of a tile with a rim of one, in shared
 * memory. OPT-2 has a thread for each point and those at the edges load the rim too; OPT-3 has threads for the rim, and
 * after the barrier its first threads take the points, row by row, so that the warps that compute are full. */

struct tile {
    double *sand, *mud; /* mud: NULL in the s kernels */
    int width;
    int x0, y0; /* of the first point, without the rim */
};

template <bool HALO, bool MUD> __device__ __forceinline__ tile make_tile()
{
    extern __shared__ __align__(16) double memory[];
    const int rim = HALO ? 2 : 0, width = (int)blockDim.x - rim + 2, height = (int)blockDim.y - rim + 2;
    return {memory, MUD ? memory + width * height : nullptr, width, (int)blockIdx.x * (width - 2),
            (int)blockIdx.y * (height - 2)};
}

/* x and y count from the tile's first point; the rim is at -1. Beyond the ghosts there is nothing to load. */
template <bool MUD> __device__ __forceinline__ void load_tile(const basin &b, const tile &t, int x, int y)
{
    if (t.x0 + x > b.nx || t.y0 + y > b.ny)
        return;
    const int64_t at = (t.y0 + y) * b.pitch + t.x0 + x;
    const int to = (y + 1) * t.width + x + 1;
    const double s = __ldg(b.s + at);
    t.sand[to] = __ldg(b.alpha + at) * s;
    if (MUD)
        t.mud[to] = __ldg(b.beta + at) * (1.0 - s);
}

/* Fills the tile and says which of its points is this thread's. */
template <bool HALO, bool MUD> __device__ __forceinline__ int2 fill_tile(const basin &b, const tile &t)
{
    const int x = (int)threadIdx.x, y = (int)threadIdx.y, width = (int)blockDim.x, height = (int)blockDim.y;
    if (HALO) {
        const int thread = y * width + x;
        load_tile<MUD>(b, t, x - 1, y - 1);
        __syncthreads();
        return make_int2(thread % (width - 2), thread / (width - 2));
    }
    load_tile<MUD>(b, t, x, y);
    if (x == 0)
        load_tile<MUD>(b, t, -1, y);
    if (x == width - 1)
        load_tile<MUD>(b, t, width, y);
    if (y == 0)
        load_tile<MUD>(b, t, x, -1);
    if (y == height - 1)
        load_tile<MUD>(b, t, x, height);
    __syncthreads();
    return make_int2(x, y);
}

__device__ __forceinline__ cross cross_of(const double *p, int width)
{
    return {p[0], p[-1], p[1], p[-width], p[width]};
}

/* The neighbours within a partial tile may never have been loaded, but those of a point of the grid have. */
template <bool HALO> __device__ __forceinline__ bool is_mine(const basin &b, const tile &t, int2 point)
{
    return point.y < (int)blockDim.y - (HALO ? 2 : 0) && t.x0 + point.x < b.nx && t.y0 + point.y < b.ny;
}

template <bool HALO> __global__ void shared_h(const basin b)
{
    const tile t = make_tile<HALO, true>();
    const int2 point = fill_tile<HALO, true>(b, t);
    if (!is_mine<HALO>(b, t, point))
        return;
    const int x = t.x0 + point.x, y = t.y0 + point.y, in_tile = (point.y + 1) * t.width + point.x + 1;
    const cross h = fetch_cross<true>(b.h + y * b.pitch + x, b.pitch);
    const cross sand = cross_of(t.sand + in_tile, t.width), mud = cross_of(t.mud + in_tile, t.width);
    const cross m = {mobility(b, sand.here, mud.here), mobility(b, sand.x_min, mud.x_min),
                     mobility(b, sand.x_max, mud.x_max), mobility(b, sand.y_min, mud.y_min),
                     mobility(b, sand.y_max, mud.y_max)};
    store<false>(b, b.h_next, x, y, h_at_cross(b, m, h));
}

template <bool CONSERVATIVE, bool HALO> __global__ void shared_s(const basin b)
{
    const tile t = make_tile<HALO, false>();
    const int2 point = fill_tile<HALO, false>(b, t);
    if (!is_mine<HALO>(b, t, point))
        return;
    const int x = t.x0 + point.x, y = t.y0 + point.y, in_tile = (point.y + 1) * t.width + point.x + 1;
    finish_s<CONSERVATIVE, true>(b, x, y, cross_of(t.sand + in_tile, t.width), __ldg(b.s + y * b.pitch + x));
}

/* Marching. A warp covers 64 columns, two neighbouring ones a thread, of which the outermost two on either side belong to
 * the warps beside it: they are there for their values alone. It goes through its rows one after the other; what of the
 * rows behind and ahead is needed again stays in registers, and neighbours along x come by shuffles.
 *
 * Every other warp along y goes upwards, its neighbours downwards: two warps meet at the rows that both of them read, at
 * the same time, and so one of them finds the rows in the cache. "Ahead" and "behind" then change places, which turns the
 * signs of both fluxes along y, or of the rise and the difference of (4), and leaves the bits as they are. */

enum { COLUMNS = 64, COLUMNS_OWN = 60 };

struct march {
    int x;       /* of the first column of this thread, even; may be ghost or beyond */
    bool inside; /* that column is on the grid or a ghost: it may be read */
    bool own;    /* these columns are this thread's to write */
    int y, step; /* the first row, and whether it goes up or down */
    int count;   /* rows; 0: nothing to do, for the whole warp */
};

__device__ __forceinline__ march find_march(const basin &b)
{
    const int warp = (int)(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32), lane = (int)threadIdx.x % 32;
    const int chunk = (int)(blockIdx.y * blockDim.y + threadIdx.y), first = chunk * b.rows;
    march m;
    m.x = warp * COLUMNS_OWN - 2 + 2 * lane;
    m.inside = m.x <= b.nx;
    m.own = lane > 0 && lane < 31 && m.x < b.nx;
    m.count = warp * COLUMNS_OWN < b.nx && first < b.ny ? min(b.rows, b.ny - first) : 0;
    m.step = chunk % 2 ? -1 : 1;
    m.y = chunk % 2 ? first + m.count - 1 : first;
    return m;
}

/* Both columns of row y, which is a row of the grid or of ghosts, else the nearest of these (and its values unused). The
 * second column may be one beyond the ghosts: it is in memory, and unused too. */
__device__ __forceinline__ double2 load_pair(const basin &b, const march &m, const double *values, int y)
{
    const int row = min(max(y, -1), b.ny);
    return m.inside ? __ldg((const double2 *)(values + row * b.pitch + m.x)) : make_double2(0.0, 0.0);
}

template <bool SAND>
__device__ __forceinline__ void store_pair(const basin &b, const march &m, double *next, int y, double2 v)
{
    if (!m.own)
        return;
    double *to = next + y * b.pitch + m.x;
    if (m.x + 1 < b.nx)
        *(double2 *)to = v;
    else
        *to = v.x;
    if (m.x == 0 || m.x + 2 >= b.nx || y == 0 || y == b.ny - 1) {
        store_ghosts<SAND>(b, next, m.x, y, v.x);
        if (m.x + 1 < b.nx)
            store_ghosts<SAND>(b, next, m.x + 1, y, v.y);
    }
}

/* Each column's neighbour. The outermost lane gets some value that is not used. */
__device__ __forceinline__ double2 lower_neighbours(double2 v)
{
    return make_double2(__shfl_up_sync(0xffffffffu, v.y, 1), v.x);
}

__device__ __forceinline__ double2 upper_neighbours(double2 v)
{
    return make_double2(v.y, __shfl_down_sync(0xffffffffu, v.x, 1));
}

__device__ __forceinline__ double2 flux(double2 lower, double2 upper, double2 h_lower, double2 h_upper)
{
    return make_double2(flux(lower.x, upper.x, h_lower.x, h_upper.x), flux(lower.y, upper.y, h_lower.y, h_upper.y));
}

__device__ __forceinline__ double2 operator-(double2 a, double2 b)
{
    return make_double2(a.x - b.x, a.y - b.y);
}

__device__ __forceinline__ double2 operator*(double2 a, double2 b)
{
    return make_double2(a.x * b.x, a.y * b.y);
}

/* Difference along x of (m + m') (h' - h): the flux on the lower side is the upper one of the column below. */
__device__ __forceinline__ double2 flux_difference(double2 m, double2 h, double2 h_upper)
{
    const double2 upper = flux(m, upper_neighbours(m), h, h_upper);
    return upper - lower_neighbours(upper);
}

__device__ __forceinline__ double2 upwind(double2 lower, double2 here, double2 upper, double2 rise)
{
    return make_double2(upwind(lower.x, here.x, upper.x, rise.x), upwind(lower.y, here.y, upper.y, rise.y));
}

__device__ __forceinline__ double2 next_h(const basin &b, double2 h, double2 along_x, double2 along_y)
{
    return make_double2(next_h(b, h.x, along_x.x, along_y.x), next_h(b, h.y, along_x.y, along_y.y));
}

__device__ __forceinline__ double2 next_s(const basin &b, double2 s, double2 along_x, double2 along_y, double2 gain)
{
    return make_double2(next_s(b, s.x, along_x.x, along_y.x, gain.x), next_s(b, s.y, along_x.y, along_y.y, gain.y));
}

/* A row as it is in memory. */
struct raw_row {
    double2 h, s, alpha, beta;
};

template <bool WITH_H> __device__ __forceinline__ raw_row load_row(const basin &b, const march &m, int y)
{
    raw_row r;
    r.h = load_pair(b, m, b.h, y);
    r.s = load_pair(b, m, b.s, y);
    r.alpha = load_pair(b, m, b.alpha, y);
    r.beta = WITH_H ? load_pair(b, m, b.beta, y) : make_double2(0.0, 0.0);
    return r;
}

/* A row as it is computed with. */
struct row {
    double2 h, s, sand, mobility;
};

__device__ __forceinline__ row make_row(const basin &b, const raw_row &r)
{
    row out;
    out.h = r.h;
    out.s = r.s;
    out.sand = r.alpha * r.s;
    out.mobility.x = mobility(b, out.sand.x, r.beta.x * (1.0 - r.s.x));
    out.mobility.y = mobility(b, out.sand.y, r.beta.y * (1.0 - r.s.y));
    return out;
}

/* h, or s of the conservative variant, or both: nothing but a row behind and one ahead is needed. The row after the next
 * one is on its way from memory while a row is computed. */
template <bool WITH_H, bool WITH_S> __global__ void __launch_bounds__(256) march_fluxes(const basin b)
{
    const march m = find_march(b);
    if (m.count == 0)
        return;
    const row first = make_row(b, load_row<WITH_H>(b, m, m.y - m.step));
    row here = make_row(b, load_row<WITH_H>(b, m, m.y));
    raw_row coming = load_row<WITH_H>(b, m, m.y + m.step);
    double2 h_coming = WITH_H ? here.h : load_pair(b, m, b.h_next, m.y);
    double2 behind = flux(first.mobility, here.mobility, first.h, here.h);
    double2 sand_behind = flux(first.sand, here.sand, first.h, here.h);
    for (int i = 0, y = m.y; i < m.count; i++, y += m.step) {
        const row ahead = make_row(b, coming);
        double2 h = h_coming;
        coming = load_row<WITH_H>(b, m, y + 2 * m.step);
        if (!WITH_H)
            h_coming = load_pair(b, m, b.h_next, y + m.step);
        const double2 h_upper = upper_neighbours(here.h);
        if (WITH_H) {
            const double2 onward = flux(here.mobility, ahead.mobility, here.h, ahead.h);
            h = next_h(b, here.h, flux_difference(here.mobility, here.h, h_upper), onward - behind);
            store_pair<false>(b, m, b.h_next, y, h);
            behind = onward;
        }
        if (WITH_S) {
            const double2 onward = flux(here.sand, ahead.sand, here.h, ahead.h);
            const double2 along_x = flux_difference(here.sand, here.h, h_upper);
            store_pair<true>(b, m, b.s_next, y, next_s(b, here.s, along_x, onward - sand_behind, h - here.h));
            sand_behind = onward;
        }
        here = ahead;
    }
}

/* s of the published variant, h+ being in memory with its ghosts. */
__global__ void __launch_bounds__(256) march_upwind(const basin b)
{
    const march m = find_march(b);
    if (m.count == 0)
        return;
    double2 behind = load_pair(b, m, b.alpha, m.y - m.step) * load_pair(b, m, b.s, m.y - m.step);
    double2 s = load_pair(b, m, b.s, m.y), here = load_pair(b, m, b.alpha, m.y) * s;
    double2 h_behind = load_pair(b, m, b.h_next, m.y - m.step), h = load_pair(b, m, b.h_next, m.y);
    double2 s_coming = load_pair(b, m, b.s, m.y + m.step), alpha_coming = load_pair(b, m, b.alpha, m.y + m.step);
    double2 h_coming = load_pair(b, m, b.h_next, m.y + m.step), old_coming = load_pair(b, m, b.h, m.y);
    for (int i = 0, y = m.y; i < m.count; i++, y += m.step) {
        const double2 s_ahead = s_coming, ahead = alpha_coming * s_coming, h_ahead = h_coming, gain = h - old_coming;
        s_coming = load_pair(b, m, b.s, y + 2 * m.step);
        alpha_coming = load_pair(b, m, b.alpha, y + 2 * m.step);
        h_coming = load_pair(b, m, b.h_next, y + 2 * m.step);
        old_coming = load_pair(b, m, b.h, y + m.step);
        const double2 rise = upper_neighbours(h) - lower_neighbours(h);
        const double2 along_x = upwind(lower_neighbours(here), here, upper_neighbours(here), rise);
        const double2 along_y = upwind(behind, here, ahead, h_ahead - h_behind);
        store_pair<true>(b, m, b.s_next, y, next_s(b, s, along_x, along_y, gain));
        behind = here;
        here = ahead;
        h_behind = h;
        h = h_ahead;
        s = s_ahead;
    }
}

/* The ghosts of h+ beside this thread's columns take the places of what the shuffles brought. */
__device__ __forceinline__ double2 rise_along_x(const basin &b, const march &m, int y, double2 h)
{
    double2 lower = lower_neighbours(h), upper = upper_neighbours(h);
    if (m.x == 0)
        lower.x = ghost_h(b.edges[0][y], h.x);
    if (m.x == b.nx - 1)
        upper.x = ghost_h(b.edges[1][y], h.x);
    if (m.x + 1 == b.nx - 1)
        upper.y = ghost_h(b.edges[1][y], h.y);
    return upper - lower;
}

/* h+ of the ghost row beyond row y, which is the first or the last of the grid. */
__device__ __forceinline__ double2 ghost_row(const basin &b, const march &m, int beyond, double2 h)
{
    const sediment_edge *edges = b.edges[beyond < 0 ? 2 : 3];
    if (m.x >= 0 && m.x < b.nx)
        h.x = ghost_h(edges[m.x], h.x);
    if (m.x + 1 >= 0 && m.x + 1 < b.nx)
        h.y = ghost_h(edges[m.x + 1], h.y);
    return h;
}

__device__ __forceinline__ bool is_ghost_row(const basin &b, int y)
{
    return y < 0 || y >= b.ny;
}

/* Both of the published variant. s+ needs h+ on all sides of its point: h+ of one more column on either side and of one
 * more row at either end is computed here too, and s+ is always one row behind h+. */
__global__ void __launch_bounds__(256) march_published(const basin b)
{
    const march m = find_march(b);
    if (m.count == 0)
        return;
    const row first = make_row(b, load_row<true>(b, m, m.y - 2 * m.step));
    row here = make_row(b, load_row<true>(b, m, m.y - m.step)), last = here;
    raw_row coming = load_row<true>(b, m, m.y);
    double2 behind = flux(first.mobility, here.mobility, first.h, here.h);
    double2 sand_before = first.sand, h_before = here.h, h_last = here.h; /* h_: of h+, one and two rows behind */
    for (int i = -1, y = m.y - m.step; i <= m.count; i++, y += m.step) {
        const row ahead = make_row(b, coming);
        coming = load_row<true>(b, m, y + 2 * m.step);
        const double2 onward = flux(here.mobility, ahead.mobility, here.h, ahead.h);
        double2 h =
            next_h(b, here.h, flux_difference(here.mobility, here.h, upper_neighbours(here.h)), onward - behind);
        if (i == m.count && is_ghost_row(b, y))
            h = ghost_row(b, m, y, h_last);
        if (i == 0 && is_ghost_row(b, y - m.step))
            h_last = ghost_row(b, m, y - m.step, h);
        if (i >= 0 && i < m.count)
            store_pair<false>(b, m, b.h_next, y, h);
        if (i >= 1) {
            const double2 along_x = upwind(lower_neighbours(last.sand), last.sand, upper_neighbours(last.sand),
                                           rise_along_x(b, m, y - m.step, h_last));
            const double2 along_y = upwind(sand_before, last.sand, here.sand, h - h_before);
            store_pair<true>(b, m, b.s_next, y - m.step, next_s(b, last.s, along_x, along_y, h_last - last.h));
        }
        behind = onward;
        sand_before = last.sand;
        h_before = h_last;
        h_last = h;
        last = here;
        here = ahead;
    }
}

/* Ghosts before the first step */

/* As sediment_edge_at() of scheme/sediment.c. */
__device__ sediment_edge make_edge(double sand, double mud, const sediment_problem &p, int side, double alpha,
                                   double beta)
{
    const double spacing = p.spacing[side / 2];
    const double a = sand != 0.0 && alpha != 0.0 ? sand * p.compaction[0] * spacing / alpha : 0.0;
    const double c = mud != 0.0 && beta != 0.0 ? mud * p.compaction[1] * spacing / beta : 0.0;
    if (a + c == 0.0)
        return {0.0, 0.0, 1.0};
    return {a + c, 2.0 * a / (a + c), -1.0};
}

/* The arrays that a basin holds as constant, to be written by this kernel alone. */
struct ghosted {
    double *h[2], *s[2], *alpha, *beta; /* h and s: now and next */
    sides boundary;
    sediment_problem problem;
    int nx, ny;
    int64_t pitch;
};

/* A thread for each point of each side, one side after the other. */
__global__ void fill_ghosts(const ghosted g)
{
    const int at = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (at >= 2 * (g.nx + g.ny))
        return;
    const int side = at < g.ny ? 0 : at < 2 * g.ny ? 1 : at < 2 * g.ny + g.nx ? 2 : 3;
    const int i = side < 2 ? at - side * g.ny : at - 2 * g.ny - (side - 2) * g.nx;
    const int64_t x = side == 0 ? 0 : side == 1 ? g.nx - 1 : i, y = side == 2 ? 0 : side == 3 ? g.ny - 1 : i;
    const int64_t point = y * g.pitch + x, beyond = point + (side % 2 ? 1 : -1) * (side < 2 ? 1 : g.pitch);
    const sediment_edge edge =
        make_edge(g.boundary.inflow[0][at], g.boundary.inflow[1][at], g.problem, side, g.alpha[point], g.beta[point]);
    g.boundary.edges[at] = edge;
    g.alpha[beyond] = g.alpha[point];
    g.beta[beyond] = g.beta[point];
    for (int copy = 0; copy < 2; copy++) {
        g.h[copy][beyond] = ghost_h(edge, g.h[copy][point]);
        g.s[copy][beyond] = ghost_s(edge, g.s[copy][point]);
    }
}

/* In both copies, so that a step that leaves h or s alone finds them on whichever side the arrays lie. */
void prepare(const struct cuda_array_grid *g)
{
    ghosted all = {};
    for (int copy = 0; copy < 2; copy++) {
        all.h[copy] = (double *)(copy ? g->next[0] : g->now[0]);
        all.s[copy] = (double *)(copy ? g->next[1] : g->now[1]);
    }
    all.alpha = (double *)g->now[2];
    all.beta = (double *)g->now[3];
    all.boundary = *(const sides *)g->extra;
    all.problem = *sediment_of(g->problem);
    all.nx = (int)g->n[0];
    all.ny = (int)g->n[1];
    all.pitch = g->pitch;
    const unsigned threads = 128, points = 2 * (unsigned)(g->n[0] + g->n[1]);
    fill_ghosts<<<(points + threads - 1) / threads, threads, 0, g->stream>>>(all);
}

void close_sides(void *extra)
{
    sides *s = (sides *)extra;
    if (!s)
        return;
    cudaFree(s->inflow[0]);
    cudaFree(s->inflow[1]);
    cudaFree(s->edges);
    delete s;
}

int open_sides(void **extra, const struct cuda_array_grid *g, struct error *e)
{
    const sediment_problem &p = *sediment_of(g->problem);
    const size_t length[4] = {(size_t)g->n[1], (size_t)g->n[1], (size_t)g->n[0], (size_t)g->n[0]};
    const size_t points = 2 * (length[0] + length[2]);
    sides *s = new (std::nothrow) sides();
    if (!s)
        return fail(e, ERROR_MEMORY, "out of memory");
    *extra = s; /* the engine closes it, whatever happens here */
    if (upload<sediment_edge>(&s->edges, nullptr, points, "sides", e))
        return -1;
    for (int sediment = 0; sediment < 2; sediment++) {
        if (upload<double>(&s->inflow[sediment], nullptr, points, "inflow", e))
            return -1;
        size_t at = 0;
        for (int side = 0; side < 4; at += length[side++])
            if (p.inflow[sediment][side] &&
                cuda_check(cudaMemcpy(s->inflow[sediment] + at, p.inflow[sediment][side], length[side] * sizeof(double),
                                      cudaMemcpyHostToDevice),
                           "inflow", e))
                return -1;
    }
    return 0;
}

basin make_basin(const struct cuda_array_grid *g)
{
    const sides *s = (const sides *)g->extra;
    basin b = {};
    b.h = (const double *)g->now[0];
    b.s = (const double *)g->now[1];
    b.alpha = (const double *)g->now[2];
    b.beta = (const double *)g->now[3];
    b.h_next = (double *)g->next[0];
    b.s_next = (double *)g->next[1];
    b.nx = (int)g->n[0];
    b.ny = (int)g->n[1];
    b.pitch = g->pitch;
    b.f = sediment_factors_of(sediment_of(g->problem));
    b.edges[0] = s->edges;
    b.edges[1] = b.edges[0] + g->n[1];
    b.edges[2] = b.edges[1] + g->n[1];
    b.edges[3] = b.edges[2] + g->n[0];
    b.rows = g->block.z;
    return b;
}

/* Launches */

typedef void (*kernel_function)(basin);

/* The functions of a method: h, and s or both by variant (published, conservative). */
struct functions {
    kernel_function h, s[2];
};

enum method { BASELINE, OPT_1, OPT_2, OPT_3, MARCHING, FUSED };

template <enum method METHOD> functions functions_of()
{
    switch (METHOD) {
    case BASELINE:
        return {direct_h<false>, {direct_s<false, false>, direct_s<true, false>}};
    case OPT_1:
        return {direct_h<true>, {direct_s<false, true>, direct_s<true, true>}};
    case OPT_2:
        return {shared_h<false>, {shared_s<false, false>, shared_s<true, false>}};
    case OPT_3:
        return {shared_h<true>, {shared_s<false, true>, shared_s<true, true>}};
    case MARCHING:
        return {march_fluxes<true, false>, {march_upwind, march_fluxes<false, true>}};
    default:
        return {nullptr, {march_published, march_fluxes<true, true>}};
    }
}

/* Bytes of shared memory of a block: one or two products for each point of the tile and its rim. */
template <enum method METHOD> size_t shared_bytes(struct block_shape block, bool with_mud)
{
    const int rim = METHOD == OPT_3 ? 0 : 2;
    const size_t points = (size_t)(block.x + rim) * (size_t)(block.y + rim);
    return METHOD == OPT_2 || METHOD == OPT_3 ? points * sizeof(double) * (with_mud ? 2 : 1) : 0;
}

template <enum method METHOD> void take_step(const struct cuda_array_grid *g)
{
    const sediment_problem &p = *sediment_of(g->problem);
    const struct block_shape block = g->block;
    const bool marches = METHOD >= MARCHING;
    const int rim = METHOD == OPT_3 ? 2 : 0;
    const int columns = marches ? block.x / 32 * COLUMNS_OWN : block.x - rim;
    const int rows = marches ? block.y * block.z : block.y - rim;
    const dim3 blocks((unsigned)((g->n[0] + columns - 1) / columns), (unsigned)((g->n[1] + rows - 1) / rows));
    const dim3 threads((unsigned)block.x, (unsigned)block.y);
    const functions f = functions_of<METHOD>();
    const basin b = make_basin(g);
    if (f.h && (p.part & SEDIMENT_H))
        f.h<<<blocks, threads, shared_bytes<METHOD>(block, true), g->stream>>>(b);
    if (p.part & SEDIMENT_S)
        f.s[p.conservative]<<<blocks, threads, shared_bytes<METHOD>(block, false), g->stream>>>(b);
}

/* Of the kernel that the part is about; of h when there are two. */
template <enum method METHOD>
void figures(struct kernel_figures *out, const struct problem *p, struct block_shape block)
{
    const functions f = functions_of<METHOD>();
    const bool of_h = f.h && (sediment_of(p)->part & SEDIMENT_H);
    figures_of(out, of_h ? f.h : f.s[sediment_of(p)->conservative], block.x * block.y,
               shared_bytes<METHOD>(block, of_h));
}

template <enum method METHOD> const char *applicable(const struct problem *p, struct block_shape block)
{
    const bool marches = METHOD >= MARCHING;
    if (METHOD == FUSED && sediment_of(p)->part != SEDIMENT_BOTH)
        return "the fused kernel computes h and s in one pass, not one of them alone";
    if (p->points[0] > (size_t)INT32_MAX / 2 || p->points[1] > (size_t)INT32_MAX / 2)
        return "a side of the basin has too many points";
    if (block.x < 1 || block.y < 1 || block.x > 1024 || block.y > 1024 || block.x * block.y > (marches ? 256 : 1024))
        return marches ? "a block of a marching kernel has at most 256 threads" : "a block has at most 1024 threads";
    if (marches && (block.x % 32 || block.z < 1))
        return "a marching kernel takes whole warps along x, and along z the rows that a warp covers";
    if (!marches && block.z > 1)
        return "its blocks are one thread deep";
    if (METHOD == OPT_3 && (block.x < 3 || block.y < 3))
        return "two threads of a block, along x and along y, are for the halo";
    if (shared_bytes<METHOD>(block, true) > 48 * 1024)
        return "the tile of that block does not fit into shared memory";
    const int rows = marches ? block.y * (block.z < 1 << 20 ? block.z : 1 << 20) : block.y - (METHOD == OPT_3 ? 2 : 0);
    return p->points[1] / (size_t)rows >= 65535 ? "too many blocks along y: make them higher" : nullptr;
}

} // namespace

#define SEDIMENT(identifier, name, method, x, y, z, ...)                                                               \
    extern const struct cuda_array_kernel identifier = {                                                               \
        name,    &sediment_scheme, {x, y, z},  {__VA_ARGS__}, applicable<method>, take_step<method>, figures<method>,  \
        prepare, open_sides,       close_sides};

/* The published block sizes are never tuned; the marching ones are, along z by the rows of a warp. */
SEDIMENT(sediment_baseline, "baseline", BASELINE, 32, 4, 1, {0, 0, 0})
SEDIMENT(sediment_opt_1, "opt-1", OPT_1, 32, 4, 1, {0, 0, 0})
SEDIMENT(sediment_opt_2, "opt-2", OPT_2, 32, 4, 1, {0, 0, 0})
SEDIMENT(sediment_opt_3, "opt-3", OPT_3, 34, 6, 1, {0, 0, 0})
SEDIMENT(sediment_marching, "marching", MARCHING, 128, 1, 32, {128, 1, 8}, {128, 1, 16}, {128, 1, 32}, {128, 1, 64},
         {32, 4, 16}, {32, 4, 32}, {64, 2, 16}, {64, 2, 32}, {256, 1, 16}, {256, 1, 32})
SEDIMENT(sediment_fused, "fused", FUSED, 128, 1, 32, {128, 1, 16}, {128, 1, 24}, {128, 1, 32}, {128, 1, 48},
         {128, 1, 64}, {32, 4, 16}, {32, 4, 32}, {64, 2, 16}, {64, 2, 32}, {64, 2, 64}, {256, 1, 32})
