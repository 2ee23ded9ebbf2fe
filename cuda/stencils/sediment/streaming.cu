/* SPDX-License-Identifier: MIT */
/* Sediment, streaming along y with rows in registers: h, s, or both together.
 *
 * A warp covers 64 columns, two adjacent ones per thread. The outermost two on either side belong
 * to the adjacent warps, and only their values are used. The warp takes its rows one after the
 * other: rows behind and ahead stay in registers, and neighbours along x are exchanged by shuffles.
 *
 * Every other warp along y goes upwards, its neighbours downwards. So two neighbours reach the rows
 * that both read at the same time, and one of them finds these in the cache. "Ahead" and "behind"
 * then change roles, which inverts the signs of both fluxes along y, or of the rise and the
 * difference of (4), and does not change the bits. */
#include "cuda/stencils/sediment/sediment.cuh"

namespace
{

using ::flux, ::next_h, ::next_s, ::upwind; /* for one column; those below are for two */

/* A thread's columns and its warp's rows. */
struct stream {
    int x;       /* the first of two columns, even; may be a ghost or beyond */
    bool inside; /* that column is on the grid or a ghost, and may be read */
    bool own;    /* this thread writes these columns */
    int y, step; /* the first row; +1 upwards, -1 downwards */
    int count;   /* number of rows; 0: nothing to do for the whole warp */
};

__device__ __forceinline__ stream find_stream(const basin &b)
{
    const int warp = (int)(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32), lane = (int)threadIdx.x % 32;
    const int chunk = (int)(blockIdx.y * blockDim.y + threadIdx.y), first = chunk * b.rows;
    stream m;
    m.x = warp * SEDIMENT_STREAMING_COLUMNS - 2 + 2 * lane;
    m.inside = m.x <= b.nx;
    m.own = lane > 0 && lane < 31 && m.x < b.nx;
    m.count = warp * SEDIMENT_STREAMING_COLUMNS < b.nx && first < b.ny ? min(b.rows, b.ny - first) : 0;
    m.step = chunk % 2 ? -1 : 1;
    m.y = chunk % 2 ? first + m.count - 1 : first;
    return m;
}

/* Both columns of row y. A row beyond the ghosts is replaced by the nearest one in memory, and
 * its values are not used. The same holds for a second column beyond the ghosts, which is in
 * memory too. */
__device__ __forceinline__ double2 load_pair(const basin &b, const stream &m, const double *values, int y)
{
    const int row = min(max(y, -1), b.ny);
    return m.inside ? __ldg((const double2 *)(values + row * b.pitch + m.x)) : make_double2(0.0, 0.0);
}

template <bool SAND>
__device__ __forceinline__ void store_pair(const basin &b, const stream &m, double *next, int y, double2 v)
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

/* Each column's neighbour; the value in the outermost lane is not used. */
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

/* A row of the arrays. */
struct raw_row {
    double2 h, s, alpha, beta;
};

template <bool WITH_H> __device__ __forceinline__ raw_row load_row(const basin &b, const stream &m, int y)
{
    raw_row r;
    r.h = load_pair(b, m, b.h, y);
    r.s = load_pair(b, m, b.s, y);
    r.alpha = load_pair(b, m, b.alpha, y);
    r.beta = WITH_H ? load_pair(b, m, b.beta, y) : make_double2(0.0, 0.0);
    return r;
}

/* A row of operands: sand = alpha s, mobility = sand/C_s + mud/C_m. */
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

/* h, or s of the conservative variant, or both, from the rows behind and ahead. The row after
 * the next is loaded while a row is computed. */
template <bool WITH_H, bool WITH_S>
__global__ void __launch_bounds__(SEDIMENT_STREAMING_THREADS) stream_fluxes(const basin b)
{
    const stream m = find_stream(b);
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

/* s of the published variant, from h+ in memory with its ghosts. */
__global__ void __launch_bounds__(SEDIMENT_STREAMING_THREADS) stream_upwind(const basin b)
{
    const stream m = find_stream(b);
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

/* h+ of the upper neighbours minus that of the lower ones, from shuffles or, at the sides, from
 * the ghosts' coefficients. */
__device__ __forceinline__ double2 rise_along_x(const basin &b, const stream &m, int y, double2 h)
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

/* h+ of the ghost row `beyond`, from h+ of the first or last row of the grid. */
__device__ __forceinline__ double2 ghost_row(const basin &b, const stream &m, int beyond, double2 h)
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

/* h and s of the published variant. s+ needs h+ of all four neighbours. So h+ is computed for an
 * additional column on either side and an additional row at either end, and s+ lags one row
 * behind h+. */
__global__ void __launch_bounds__(SEDIMENT_STREAMING_THREADS) stream_published(const basin b)
{
    const stream m = find_stream(b);
    if (m.count == 0)
        return;
    const row first = make_row(b, load_row<true>(b, m, m.y - 2 * m.step));
    row here = make_row(b, load_row<true>(b, m, m.y - m.step)), last = here;
    raw_row coming = load_row<true>(b, m, m.y);
    double2 behind = flux(first.mobility, here.mobility, first.h, here.h);
    double2 sand_before = first.sand, h_before = here.h, h_last = here.h; /* h_: h+ one and two rows behind */
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

} // namespace

sediment_kernels sediment_streaming(bool fused)
{
    return fused ? sediment_kernels{nullptr, {stream_published, stream_fluxes<true, true>}}
                 : sediment_kernels{stream_fluxes<true, false>, {stream_upwind, stream_fluxes<false, true>}};
}
