/* SPDX-License-Identifier: MIT */
/* Location of the states of walls with branches on the device, in the order of the scheme's
 * segments (solver/schemes/leapfrog/branches.h: [segment][branch][v, g][point]). That order
 * depends only on the walls of one plane, not on how points are divided into blocks, and is the
 * order in which states leave the device. */
#ifndef AULA_CUDA_BRANCH_ORDER_H
#define AULA_CUDA_BRANCH_ORDER_H

#include "solver/schemes/leapfrog/rows.h"

/* A point with branches: its index in the grid, its kind, and the index of the state of its
 * first branch; further branches follow at distance `apart` of branch_order. A state is a pair
 * v, g. */
struct branch_place {
    uint64_t at, first_state;
    uint32_t kind;
};

/* Number of values in the states of planes z0 .. z0 + nz - 1. */
uint64_t branch_order_count(const struct rows *rows, size_t z0, size_t nz);

/* Index of each of these values among the values of all states on the device. places
 * [place_count]: all points, ascending; `pitch`: distance between rows of the grid in values;
 * `apart`: distance in states between branches of a point. 0, or -1 if a point of a segment is
 * missing from places. */
int branch_order_list(uint64_t *list, const struct rows *rows, size_t z0, size_t nz, const struct branch_place *places,
                      size_t place_count, size_t pitch, size_t apart);

#endif
