/* SPDX-License-Identifier: MIT */
/* The field of wall tiles: the lines of each level that a lane holds, and what a level is made of, by stencil. A lane
 * has a column, [depth] from the wall; its neighbours along the lanes come by shuffles. AXIS: of the wall's normal,
 * along which depth counts; lanes lie along x, or along y where AXIS is 0, lines along z, or along y where AXIS is
 * 2. */
#ifndef AULA_CUDA_WALL_TILES_LINES_CUH
#define AULA_CUDA_WALL_TILES_LINES_CUH

#include "cuda/grid/corners.cuh"
#include "cuda/temporal/wall_tiles.cuh"

namespace
{

/* By level: its last line but one, and the one before. In round t level t is made of those of level t - 1 and its
 * newest line, `front`. */
template <typename REAL, int STEPS> struct wall_tile_levels {
    enum { DEPTH = 2 * STEPS };
    REAL middle[STEPS][DEPTH], back[STEPS][DEPTH];
    REAL newer[DEPTH]; /* of level t - 2: its newest line */

    /* p⁻ of level t; old: of level 1. */
    __device__ __forceinline__ REAL before(int t, int d, const REAL (&old)[DEPTH]) const
    {
        return t == 1 ? old[d] : back[t == 1 ? 0 : t - 2][d];
    }

    /* Ends round t: front becomes what was made. */
    __device__ __forceinline__ void move_on(int t, REAL (&front)[DEPTH], const REAL (&made)[DEPTH])
    {
#pragma unroll
        for (int d = 0; d < DEPTH; d++) { /* level t - 1 is still needed as it was, but after the last level */
            if (t > 1) {
                back[t > 1 ? t - 2 : 0][d] = middle[t > 1 ? t - 2 : 0][d];
                middle[t > 1 ? t - 2 : 0][d] = newer[d];
            }
            newer[d] = front[d];
            front[d] = made[d];
            if (t == STEPS) {
                back[t - 1][d] = middle[t - 1][d];
                middle[t - 1][d] = newer[d];
            }
        }
    }
};

template <typename REAL> __device__ __forceinline__ REAL lane_before(REAL value)
{
    return __shfl_up_sync(0xffffffffu, value, 1);
}

template <typename REAL> __device__ __forceinline__ REAL lane_after(REAL value)
{
    return __shfl_down_sync(0xffffffffu, value, 1);
}

template <typename REAL, int STEPS, int AXIS, enum air_stencil STENCIL>
struct wall_tile_lines : wall_tile_levels<REAL, STEPS> {
    enum {DEPTH = 2 * STEPS};

    __device__ __forceinline__ void read_front(int, const REAL (&)[DEPTH]){}

    /* Without branches. */
    __device__ __forceinline__ void make(int t, REAL (&made)[DEPTH], const REAL (&front)[DEPTH],
                                         const REAL (&old)[DEPTH], const wall_tile_arguments<REAL> &s) const {
        const auto & middle = this->middle[t - 1], &back = this->back[t - 1];
#pragma unroll
        for (int d = 0; d < DEPTH - t;
             d++){const REAL here = middle[d]; const REAL lanes = lane_before(here) + lane_after(here);
                  const REAL lines = back[d] + front[d], depths = (d ? middle[d ? d - 1 : 0] : REAL(0)) + middle[d + 1];
                  const REAL sum = AXIS == 2 ? (lanes + lines) + depths : (lanes + depths) + lines; /* x, y, z */
                  made[d] = ((d ? s.centre : s.wall_centre) * here + s.side * sum) - this->before(t, d, old);}
} // namespace
}
;

/* The 19-point stencil, in the order of cuda/grid/corners.cuh. At the wall the neighbour at depth -1 is the one at
 * depth 1.
 *
 * Walls normal to x and y: a line is part of a plane. It gives v = 2 p + a to the lines before and after it, w = 2 a +
 * d to itself. With depth along x, the pairs r of the neighbouring lanes are added up from their columns, because an
 * addition takes a quarter of the time of a shuffle. */
template <typename REAL, int STEPS, int AXIS>
struct wall_tile_lines<REAL, STEPS, AXIS, STENCIL_19_POINT> : wall_tile_levels<REAL, STEPS> {
    enum { DEPTH = 2 * STEPS };
    REAL v_middle[STEPS][DEPTH], v_back[STEPS][DEPTH], w_middle[STEPS][DEPTH];

    /* Of the two neighbours along the depth. */
    static __device__ __forceinline__ REAL pair(const REAL (&p)[DEPTH], int d)
    {
        return p[d ? d - 1 : 1] + p[d + 1];
    }

    __device__ __forceinline__ void sum_line(int depths, const REAL (&p)[DEPTH], REAL (&v)[DEPTH], REAL (&w)[DEPTH])
    {
        REAL before[DEPTH], after[DEPTH], r[DEPTH]; /* lanes; r of lanes along x */
#pragma unroll
        for (int d = 0; d <= depths; d++) {
            before[d] = lane_before(p[d]);
            after[d] = lane_after(p[d]);
            r[d] = before[d] + after[d];
        }
#pragma unroll
        for (int d = 0; d < depths; d++) {
            const REAL axes = AXIS == 0 ? pair(p, d) + r[d] : r[d] + pair(p, d);
            v[d] = twice_plus(p[d], axes);
            w[d] = twice_plus(axes, AXIS == 0 ? pair(before, d) + pair(after, d) : pair(r, d));
        }
    }

    REAL v_front[DEPTH], w_front[DEPTH]; /* of level t - 1 */

    __device__ __forceinline__ void read_front(int t, const REAL (&front)[DEPTH])
    {
        sum_line(DEPTH - t, front, v_front, w_front);
    }

    __device__ __forceinline__ void make(int t, REAL (&made)[DEPTH], const REAL (&)[DEPTH], const REAL (&old)[DEPTH],
                                         const wall_tile_arguments<REAL> &) const
    {
#pragma unroll
        for (int d = 0; d < DEPTH - t; d++)
            made[d] = mirrored_value((v_back[t - 1][d] + v_front[d]) + w_middle[t - 1][d], this->middle[t - 1][d],
                                     this->before(t, d, old));
    }

    __device__ __forceinline__ void move_on(int t, REAL (&front)[DEPTH], const REAL (&made)[DEPTH])
    {
#pragma unroll
        for (int d = 0; d < DEPTH - t; d++) {
            v_back[t - 1][d] = v_middle[t - 1][d];
            v_middle[t - 1][d] = v_front[d];
            w_middle[t - 1][d] = w_front[d];
        }
        wall_tile_levels<REAL, STEPS>::move_on(t, front, made);
    }
};

/* Walls normal to z: depths are planes, and lines along y part of each. */
template <typename REAL, int STEPS>
struct wall_tile_lines<REAL, STEPS, 2, STENCIL_19_POINT> : wall_tile_levels<REAL, STEPS> {
    enum { DEPTH = 2 * STEPS };
    REAL r_middle[STEPS][DEPTH], r_back[STEPS][DEPTH];
    REAL r_front[DEPTH]; /* of level t - 1 */

    __device__ __forceinline__ void read_front(int t, const REAL (&front)[DEPTH])
    {
#pragma unroll
        for (int d = 0; d <= DEPTH - t; d++)
            r_front[d] = lane_before(front[d]) + lane_after(front[d]);
    }

    __device__ __forceinline__ void make(int t, REAL (&made)[DEPTH], const REAL (&front)[DEPTH],
                                         const REAL (&old)[DEPTH], const wall_tile_arguments<REAL> &) const
    {
        REAL axes[DEPTH], v[DEPTH];
#pragma unroll
        for (int d = 0; d <= DEPTH - t; d++) {
            axes[d] = r_middle[t - 1][d] + (this->back[t - 1][d] + front[d]);
            v[d] = twice_plus(this->middle[t - 1][d], axes[d]);
        }
#pragma unroll
        for (int d = 0; d < DEPTH - t; d++) {
            const REAL w = twice_plus(axes[d], r_back[t - 1][d] + r_front[d]);
            made[d] =
                mirrored_value((v[d ? d - 1 : 1] + v[d + 1]) + w, this->middle[t - 1][d], this->before(t, d, old));
        }
    }

    __device__ __forceinline__ void move_on(int t, REAL (&front)[DEPTH], const REAL (&made)[DEPTH])
    {
#pragma unroll
        for (int d = 0; d <= DEPTH - t; d++) {
            r_back[t - 1][d] = r_middle[t - 1][d];
            r_middle[t - 1][d] = r_front[d];
        }
        wall_tile_levels<REAL, STEPS>::move_on(t, front, made);
    }
};

} // namespace

#endif
