/* Runs of a row stepped by the 19-point stencil, with the ends between walls merged. */
#ifndef AULA_CPU_CORNER_RUNS_H
#define AULA_CPU_CORNER_RUNS_H

#include "schemes/leapfrog/corners.h"

enum { SIDE_LOWER = 1, SIDE_UPPER = 2, SIDES_BOTH = 3 };

/* Points start .. end - 1. Where they mirror, the first lacks its left side and the last its right side if that end is
 * closed; all others have both. */
struct corner_run {
    uint32_t start, end;
    bool mirrors, closed_left, closed_right;
    unsigned sides[2]; /* along y and z: bits SIDE_LOWER and SIDE_UPPER */
    unsigned pattern;  /* of a run that does not mirror */
};

static inline bool corner_run_continues(const struct corner_run *run, struct run next, unsigned sides_x)
{
    const unsigned pattern = next.links;
    return next.start == run->end && corner_mirrors(pattern) && corner_sides(pattern, 0) == sides_x &&
           corner_sides(pattern, 1) == run->sides[0] && corner_sides(pattern, 2) == run->sides[1];
}

/* A row between two walls has runs of one point at its ends; merges them with the run between. Returns the number of
 * runs merged into `run`. */
static inline size_t corner_run_merge(struct corner_run *run, const struct run *runs, size_t count)
{
    const unsigned pattern = runs[0].links, sides = corner_sides(pattern, 0);
    size_t taken = 1;
    *run = (struct corner_run){.start = runs[0].start,
                               .end = runs[0].start + runs[0].length,
                               .mirrors = corner_mirrors(pattern),
                               .closed_left = sides == SIDE_UPPER,
                               .closed_right = sides == SIDE_LOWER,
                               .sides = {corner_sides(pattern, 1), corner_sides(pattern, 2)},
                               .pattern = pattern};
    if (!run->mirrors || run->closed_right)
        return taken;
    if (run->closed_left && taken < count && corner_run_continues(run, runs[taken], SIDES_BOTH))
        run->end += runs[taken++].length;
    if (taken < count && corner_run_continues(run, runs[taken], SIDE_LOWER)) {
        run->end += runs[taken++].length;
        run->closed_right = true;
    }
    return taken;
}

/* A row of one such run, packed: 0 for other rows. Rows with equal bits along x are stepped alike. */
enum { SHAPE_END_AT = 25, SHAPE_LEFT_AT = 50, SHAPE_RIGHT_AT = 51, SHAPE_Y_AT = 52, SHAPE_Z_AT = 54 };

static inline uint64_t corner_shape_pack(const struct corner_run *run)
{
    return run->start | (uint64_t)run->end << SHAPE_END_AT | (uint64_t)run->closed_left << SHAPE_LEFT_AT |
           (uint64_t)run->closed_right << SHAPE_RIGHT_AT | (uint64_t)run->sides[0] << SHAPE_Y_AT |
           (uint64_t)run->sides[1] << SHAPE_Z_AT;
}

static inline struct corner_run corner_shape_unpack(uint64_t shape)
{
    const uint64_t places = ((uint64_t)1 << SHAPE_END_AT) - 1;
    return (struct corner_run){.start = (uint32_t)(shape & places),
                               .end = (uint32_t)(shape >> SHAPE_END_AT & places),
                               .mirrors = true,
                               .closed_left = shape >> SHAPE_LEFT_AT & 1u,
                               .closed_right = shape >> SHAPE_RIGHT_AT & 1u,
                               .sides = {shape >> SHAPE_Y_AT & SIDES_BOTH, shape >> SHAPE_Z_AT & SIDES_BOTH}};
}

#endif
