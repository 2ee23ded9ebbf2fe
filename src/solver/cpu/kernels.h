/* SPDX-License-Identifier: MIT */
/* Kernels of the CPU engine for the leapfrog scheme, each a row of the table in kernels.c. */
#ifndef AULA_SOLVER_CPU_KERNELS_H
#define AULA_SOLVER_CPU_KERNELS_H

#include <stddef.h>

#include "solver/cpu/branch_layout.h"
#include "solver/engine.h"
#include "solver/schemes/leapfrog/rows.h"

/* Memory that the next wavefront reads. A kernel prefetches a few cache lines of both arrays
 * with every row it steps. */
struct prefetch {
    const char *at[2];
    size_t lines;       /* cache lines left of each */
    size_t lines_a_row; /* cache lines to prefetch per row */
    /* for kernels that step several planes together: */
    size_t planes; /* further planes of such memory */
    size_t lines_a_plane, plane_bytes;
};

static inline void prefetch_some(struct prefetch *a)
{
    const size_t lines = a->lines < a->lines_a_row ? a->lines : a->lines_a_row;
    for (size_t n = 0; n < lines; n++)
        for (int k = 0; k < 2; k++) {
            __builtin_prefetch(a->at[k], 0, 2); /* to the second-level cache */
            a->at[k] += ROW_ALIGNMENT;
        }
    a->lines -= lines;
}

/* For kernels that step several planes together and prefetch per vector: returns the next
 * `lines` cache lines of both arrays, as far as the plane has any left; NULL if none are left. */
static inline const char *const *prefetch_take(struct prefetch *a, const char *at[2], size_t lines)
{
    if (a->lines == 0 && a->planes > 0) {
        for (int k = 0; k < 2; k++)
            a->at[k] += a->plane_bytes - a->lines_a_plane * ROW_ALIGNMENT;
        a->lines = a->lines_a_plane;
        a->planes--;
    }
    const size_t taken = lines < a->lines ? lines : a->lines;
    for (int k = 0; k < 2; k++) {
        at[k] = a->at[k];
        a->at[k] += taken * ROW_ALIGNMENT;
    }
    a->lines -= taken;
    return taken ? at : NULL;
}

struct corner_columns; /* corner_columns.h */

/* The field that a kernel steps. Grids are in canonical order with rows padded to rows.stride,
 * in the precision of the problem, with ROW_ALIGNMENT readable bytes before and after. */
struct field {
    const struct problem *problem;
    struct rows rows;
    uint8_t *cells; /* CELL_AIR or CELL_SOLID of each voxel, only for kernels that declare needs_cells */
    uint32_t
        *branch_first; /* [nz][ny][nx], also only with needs_cells: index of the first state of a point with branches */
    const void *zeros; /* [stride] zeros, read in place of neighbours across a missing face */
    void *next;        /* p^{n+1} on return */
    const void *now;   /* p^n */
    const void *before;        /* p^{n-1}: `next` itself in lossless air, a third grid in lossy air */
    struct prefetch *prefetch; /* state of this thread */
    void *states; /* of branches, in the problem's precision, in the order of `walls` or in the kernel's own order */
    struct branch_layout walls; /* walls with branches; empty for kernels that declare needs_cells */
    size_t counted[2];          /* rows first .. end - 1 that count in an audit */
    const struct corner_columns
        *columns; /* layout of the rows for kernels of the 19-point stencil that step by vectors */
};

/* A row with a single run: points start .. end - 1 have all their links, except that the first
 * lacks its left one and the last its right one if that end is closed. */
struct row_shape {
    uint32_t start, end; /* start == end: not a row of this shape */
    bool closed_left, closed_right;
    bool absorbs_left, absorbs_right; /* walls of real admittance; the two ends lie on different cache lines */
};

/* Largest number of steps that a kernel unrolls, and of planes that it steps together. */
enum { UNROLL_MAX = 3, PLANES_MAX = 4 };

/* The rows row0 .. row1 - 1 lie in one plane. A step of these rows is
 *       keep(...);             saves p^{n-1} at points with branches; may be NULL
 *       sweep(...);            rigid update (1) or (2); saves p^{n-1} of the wall points in `saved`
 *       ... drives are added to `next` ...
 *       finish(...);           absorbing walls (3); adds the energy absorbed in row r to absorbed[r]
 *       branch(...);           walls with branches (4), likewise; may be NULL
 * saved: [rows.wall_max] and kept: [walls.kept_max] in the problem's precision; kept is aligned to
 * cache lines.
 *
 * Time-skewed unrolling: if the rows have one shape in `steps` planes of lossless air, without
 * drives, and with walls only of real admittance at their ends,
 *       unrolled(...);         may be NULL
 * takes them through `steps` steps, the first in this plane and each further one in the plane below
 * the previous. f->now and f->next are those of the first step. It adds the energy absorbed in row
 * r to absorbed[r].
 *
 * Several planes together, in place of sweep:
 *       sweep_planes(...);     may be NULL
 * sweeps these rows and the same rows of the planes above, `planes` <= PLANES_MAX planes in total.
 * p^{n-1} of the wall points of plane k begins at saved + k rows.wall_max. */
struct kernel_functions {
    void (*sweep)(const struct field *f, size_t row0, size_t row1, void *saved);
    void (*finish)(const struct field *f, size_t row0, size_t row1, const void *saved, double *absorbed);
    void (*keep)(const struct field *f, size_t row0, size_t row1, void *kept);
    void (*branch)(const struct field *f, size_t row0, size_t row1, const void *kept, double *absorbed);
    double (*branch_energy)(const struct field *f); /* energy stored in the branches of the rows that count */
    void (*unrolled)(const struct field *f, const struct row_shape *shape, size_t row0, size_t row1, size_t steps,
                     double *absorbed);
    void (*sweep_planes)(const struct field *f, size_t row0, size_t row1, size_t planes, void *saved);
};

struct kernel {
    const char *name;
    size_t vector_bytes; /* size of a vector, for kernels that step `columns` */
    bool needs_cells;
    /* NULL if the kernel can step this problem on this machine, else the reason why it cannot */
    const char *(*applicable)(const struct problem *p);
    struct kernel_functions functions[2]; /* by enum precision */
};
extern const struct kernel *const kernels[];             /* for the 7-point stencil; NULL-terminated, fastest first */
extern const struct kernel *const isotropic19_kernels[]; /* for the 19-point stencil */

extern const struct stepper cpu_leapfrog;

/* Energy stored in a row: ½ (p⁺ - p)² + (λ²/2) p⁺ (K p - S) summed over its points, which equals
 * Σ Δp⁺ Δp over links after summation by parts. */
double row_energy_single(const struct field *f, size_t row);
double row_energy_double(const struct field *f, size_t row);
double isotropic19_row_energy_single(const struct field *f, size_t row);
double isotropic19_row_energy_double(const struct field *f, size_t row);

/* u = p - u over n points: the plain loop that benchmarks use as a reference for the time of a
 * step. */
void plain_loop_single(void *u, const void *p, size_t n);
void plain_loop_double(void *u, const void *p, size_t n);

#endif
