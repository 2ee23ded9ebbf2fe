/* SPDX-License-Identifier: MIT */
/* Memory of the CPU engine's grids: pages without air are never written to, and take none. */
#ifndef AULA_SOLVER_CPU_GRID_MEMORY_H
#define AULA_SOLVER_CPU_GRID_MEMORY_H

#include "solver/solver.h"

/* A grid of rows y + ny z of `stride` values, `before` bytes after the beginning of its memory. */
struct grid_shape {
    const struct problem *problem;
    size_t stride, before, bytes; /* bytes: of all its memory */
    bool whole;                   /* every page is stored */
};

/* Bytes that the grid will take. ERROR_MEMORY. */
int grid_memory_need(uint64_t *bytes, const struct grid_shape *shape, struct error *e);

/* Memory of `shape->bytes` bytes, aligned to 2 MiB; zero where it may hold no air, and not set elsewhere.
 * ERROR_MEMORY. */
struct grid_memory {
    void *block;
    size_t bytes; /* of memory_pages; 0: of memory_large */
};
int grid_memory_make(struct grid_memory *m, const struct grid_shape *shape, struct error *e);
void grid_memory_free(struct grid_memory *m); /* safe on a zeroed struct */

#endif
