/* Which strips cover the flat walls with branches. */
#ifndef AULA_CUDA_STRIPS_PLAN_CUH
#define AULA_CUDA_STRIPS_PLAN_CUH

#include <vector>

#include "cuda/grid/point_set.cuh"
#include "cuda/step/branches.cuh"

struct cuda_state;

/* Lanes of a strip; branches that a point of one may have. */
enum { STRIP_LANES = 32, STRIP_BRANCHES = 8 };

/* A rectangle of a flat wall, one lane wide a point, and the points before it. Its depth goes away from the wall. */
struct strip {
    int32_t from[3];     /* the wall's point of the first lane and line, both loaded for the margins only */
    int32_t lines;       /* loaded */
    uint32_t first_pair; /* of [line][STRIP_LANES] */
    uint32_t kind;
    uint8_t face;                 /* that the wall is at: x_min x_max y_min y_max z_min z_max */
    uint8_t first_lane, end_lane; /* written */
};

/* The axes of a strip whose wall is at this face: lanes along x where they can be, so that a warp loads whole lines. */
__host__ __device__ static inline int strip_lane_axis(int face)
{
    return face < 2 ? 1 : 0;
}

__host__ __device__ static inline int strip_line_axis(int face)
{
    return face < 4 ? 2 : 1;
}

struct strip_cover {
    std::vector<strip> strips; /* by kind */
    std::vector<uint32_t>
        pairs; /* states of the first branch, as branch_place counts them; 0 where a margin needs none */
};

/* Every point with branches of a strip has a wall at one face only, all of one kind; before it lie 2 STEPS - 2 points of plain air, none of
 * them driven or heard. So of what a pass makes wrong there, points up to STEPS - 1 before the wall, a strip writes all but a margin. Places
 * as branches_places gives them. */
strip_cover strips_cover(const cuda_state *s, int steps, const std::vector<branch_place> &places);

/* Points of air that have neighbours across all of these faces at least; what is held counts as a neighbour. */
point_set air_points(const cuda_state *s, unsigned links);

/* What a strip writes. */
box strip_written(const strip &one, int steps);

#endif
