/* SPDX-License-Identifier: MIT */
/* Walls with branches in the layout of the kernels: the segments of
 * solver/schemes/leapfrog/branches.h, with states in the order in which they are stepped.
 *
 * Segments along x are joined and split into cache lines of the row. Points of segments along y are
 * packed, row after row, into strips of half a cache line of points of one kind in one plane, so
 * that the short segments of curved walls share strips. The states of all points of a line or strip
 * are contiguous, [branch][v, g][LINE or STRIP], and aligned; lines and strips follow each other in
 * the order of access. Lanes without a point stay 0. */
#ifndef AULA_SOLVER_CPU_BRANCH_LAYOUT_H
#define AULA_SOLVER_CPU_BRANCH_LAYOUT_H

#include "solver/schemes/leapfrog/rows.h"

/* Points of a line and of a strip. */
static inline size_t branch_line_points(enum precision precision)
{
    return ROW_ALIGNMENT / precision_bytes(precision);
}

static inline size_t branch_strip_points(enum precision precision)
{
    return branch_line_points(precision) / 2;
}

/* Consecutive points of one kind along x: from .. end - 1. */
struct branch_run {
    uint32_t from, end, kind;
    uint64_t states; /* index of its first state */
};

enum { STRIP_POINTS_MAX = 8, STRIP_ROWS = 32 };

/* Points of one kind in up to STRIP_ROWS rows of a plane, starting with the row that lists the
 * strip, in the order of rows. Lanes beyond `count` repeat the last point. */
struct branch_strip {
    uint32_t at[STRIP_POINTS_MAX];  /* offset in a grid from the start of the row that lists the strip */
    uint8_t rows[STRIP_POINTS_MAX]; /* rows after that row */
    uint16_t kind;
    uint8_t count;
    uint64_t states;
};

/* Multipliers of a branch in the precision of the field (struct branch_factors); `lost` is a
 * quarter of that one. */
#define BRANCH_MULTIPLIERS(type)                                                                                       \
    {                                                                                                                  \
        type b, four_bd, twice_bf, push_v, push_g, lost;                                                               \
        uint32_t tanks;                                                                                                \
    }
struct branch_multipliers_single BRANCH_MULTIPLIERS(float);
struct branch_multipliers_double BRANCH_MULTIPLIERS(double);

struct branch_layout {
    struct branch_run *runs;
    uint64_t *run_start; /* [rows + 1] */
    struct branch_strip *strips;
    uint64_t *strip_start; /* [rows + 1] */
    void *multipliers;     /* [factor_count], in the order of branches.factors */
    uint64_t state_count;
    size_t kept_max; /* largest number of p⁻ values of the lines and strips of a plane, in whole cache lines */
};

/* Bytes of the layout of these segments, including states, minus the unpadded states; UINT64_MAX
 * when out of memory. */
uint64_t branch_layout_bytes(const struct branches *b, uint64_t ny, uint64_t row_count, enum precision precision);

/* 0, or -1 when out of memory. */
int branch_layout_make(struct branch_layout *l, const struct rows *rows, enum precision precision);
void branch_layout_free(struct branch_layout *l);

/* Index of the first state of the rows from `row`, which begins a plane; the states of a plane
 * are contiguous. */
uint64_t branch_layout_state(const struct branch_layout *l, size_t row, size_t row_count);

/* Number of lines of a run. */
static inline size_t branch_run_lines(const struct branch_run *run, size_t line)
{
    return (run->end - 1) / line - run->from / line + 1;
}

#endif
