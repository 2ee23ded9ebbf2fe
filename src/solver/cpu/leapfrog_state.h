/* SPDX-License-Identifier: MIT */
/* A running leapfrog solver of the CPU engine, shared by leapfrog_plan.c, leapfrog.c and leapfrog_run.c. */
#ifndef AULA_SOLVER_CPU_LEAPFROG_STATE_H
#define AULA_SOLVER_CPU_LEAPFROG_STATE_H

#include "solver/cpu/bodies.h"
#include "solver/cpu/channels.h"
#include "solver/cpu/corner_columns.h"
#include "solver/cpu/kernels.h"
#include "solver/cpu/skewed_tiles.h"
#include "solver/solver.h"

/* Memory of the CPU engine's grids: pages without air are never written to, and take none. */

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

struct cpu_state {
    struct field field;
    const struct kernel *kernel;
    struct kernel_functions functions;
    enum precision precision;
    size_t real;    /* bytes of a value */
    size_t levels;  /* grids: 2, in air that loses 3 */
    void *grids[3]; /* p^n, p^{n-1}, and with three the free one; inside `memory` */
    struct grid_memory memory[3];
    int threads;
    struct skewed_tiles tiles;
    void **saved;     /* [threads][planes stepped at once][walls.kept_max], then [planes][rows.wall_max] */
    double *absorbed; /* [rows], so that the sum does not depend on the number of threads; of the last steps */
    double absorbed_before, absorbed_lost; /* of the steps before them; what rounding took from that */
    uint64_t steps;                        /* so far */
    struct channels channels;
    struct corner_columns columns; /* empty where the kernel does not step by them */
    uint64_t *shapes;              /* of the rows (row_shapes.h); NULL where the kernel does not unroll steps */
    struct body_states *bodies;    /* NULL: none */
};

const struct kernel *leapfrog_kernel(const struct problem *p, const struct solver_options *c,
                                     struct error *e);                        /* NULL: fails */
size_t leapfrog_levels(const struct problem *p);                              /* grids of a solver */
size_t leapfrog_stride(const struct problem *p, const struct kernel *kernel); /* values from a row to the next */
struct grid_shape leapfrog_grid(const struct problem *p, const struct kernel *kernel, size_t g); /* grid g */

void leapfrog_counted(size_t rows[2], const struct problem *p); /* rows of the planes that count: first, end */

/* The stepper's `require`. */
int leapfrog_plan(struct solver_plan *r, const struct problem *p, const struct solver_options *c, struct error *e);

/* The stepper's `run`. */
int leapfrog_run(void *state, size_t steps, const struct block *b, struct error *e);

#endif
