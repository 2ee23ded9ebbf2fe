/* SPDX-License-Identifier: MIT */
/* Where the states of walls with branches are on the device, in the order of the scheme's segments
 * (solver/schemes/leapfrog/branches.h: [segment][branch][v, g][point]). That order depends on the walls of one plane alone,
 * and not on how points are cut into blocks; so it is the order in which states leave the device. */
#ifndef AULA_CUDA_BRANCH_ORDER_H
#define AULA_CUDA_BRANCH_ORDER_H

#include "solver/schemes/leapfrog/rows.h"

/* A point with branches: its index in the grid, its kind, and the index of its first branch's state (those of further
 * branches are `apart` of branch_order apart). A state is a pair v, g. */
struct branch_place {
    uint64_t at, first_state;
    uint32_t kind;
};

/* Values of the states of planes z0 .. z0 + nz - 1. */
uint64_t branch_order_count(const struct rows *rows, size_t z0, size_t nz);

/* Index of each of these values among the values of all states on the device. places [place_count]: those of all
 * points, ascending; `pitch` values from a row of the grid to the next; `apart` states from a branch of a point to its
 * next. 0, or -1 where a point of a segment is not among the places. */
int branch_order_list(uint64_t *list, const struct rows *rows, size_t z0, size_t nz, const struct branch_place *places,
                      size_t place_count, size_t pitch, size_t apart);

#endif
