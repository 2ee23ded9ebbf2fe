/* SPDX-License-Identifier: MIT */
/* A leapfrog solver of the CPU engine at run time, shared by leapfrog_plan.c, leapfrog.c and
 * leapfrog_run.c. */
#ifndef AULA_SOLVER_CPU_LEAPFROG_STATE_H
#define AULA_SOLVER_CPU_LEAPFROG_STATE_H

#include "solver/cpu/bodies.h"
#include "solver/cpu/channels.h"
#include "solver/cpu/corner_columns.h"
#include "solver/cpu/kernels.h"
#include "solver/cpu/partition_flows.h"
#include "solver/cpu/skewed_tiles.h"
#include "solver/solver.h"

/* Memory of the grids of the CPU engine: pages without air are never written, and occupy no
 * memory. */

/* A grid of rows y + ny z of `stride` values that begins `before` bytes after the start of its
 * memory. */
struct grid_shape {
    const struct problem *problem;
    size_t stride, before, bytes; /* bytes: size of the whole memory */
    bool whole;                   /* every page is stored */
};

/* Bytes that the grid will occupy. ERROR_MEMORY. */
int grid_memory_need(uint64_t *bytes, const struct grid_shape *shape, struct error *e);

/* Memory of `shape->bytes` bytes, aligned to 2 MiB; zero where it may contain no air,
 * uninitialized elsewhere. ERROR_MEMORY. */
struct grid_memory {
    void *block;
    size_t bytes; /* nonzero: from memory_pages; 0: from memory_large */
};
int grid_memory_make(struct grid_memory *m, const struct grid_shape *shape, struct error *e);
void grid_memory_free(struct grid_memory *m); /* safe on a zeroed struct */

struct cpu_state {
    struct field field;
    const struct kernel *kernel;
    struct kernel_functions functions;
    enum precision precision;
    size_t real;    /* size of a value in bytes */
    size_t levels;  /* number of grids: 2, or 3 in lossy air */
    void *grids[3]; /* p^n, p^{n-1} and, with three grids, the free one; inside `memory` */
    struct grid_memory memory[3];
    int threads;
    struct skewed_tiles tiles;
    void **saved;     /* [threads][planes stepped together][walls.kept_max], then [planes][rows.wall_max] */
    double *absorbed; /* [rows] energy of the last steps, by row so that sums do not depend on threads */
    double absorbed_before, absorbed_lost; /* energy of earlier steps, and the rounding error of that sum */
    uint64_t steps;                        /* taken so far */
    struct channels channels;
    struct corner_columns columns; /* empty if the kernel does not use columns */
    uint64_t *shapes;              /* of the rows (row_shapes.h); NULL if the kernel does not unroll steps */
    struct body_states *bodies;    /* NULL: no bodies */
    struct partition_flows flows;  /* no links: no partition transmits */
    bool balanced;                 /* of its plan */
};

const struct kernel *leapfrog_kernel(const struct problem *p, const struct solver_options *c,
                                     struct error *e);                        /* NULL on failure */
size_t leapfrog_levels(const struct problem *p);                              /* number of grids of a solver */
size_t leapfrog_stride(const struct problem *p, const struct kernel *kernel); /* distance between rows, in values */
struct grid_shape leapfrog_grid(const struct problem *p, const struct kernel *kernel, size_t g); /* grid g */

void leapfrog_counted(size_t rows[2], const struct problem *p); /* rows of the planes that count: first, end */

/* The stepper's `require`. */
int leapfrog_plan(struct solver_plan *r, const struct problem *p, const struct solver_options *c, struct error *e);

/* The stepper's `run`. */
int leapfrog_run(void *state, size_t steps, const struct block *b, struct error *e);

/* Starts the links of partitions from the field, before steps and audits. */
static inline void leapfrog_start_flows(struct cpu_state *s)
{
    partition_flows_start(&s->flows, s->grids[0], s->grids[1], s->absorbed);
}

#endif
