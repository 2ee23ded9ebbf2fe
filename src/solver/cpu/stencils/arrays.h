/* SPDX-License-Identifier: MIT */
/* Stepping of the schemes of plain arrays (sweep, derivative, sediment) on the CPU engine. */
#ifndef AULA_SOLVER_CPU_STENCILS_ARRAYS_H
#define AULA_SOLVER_CPU_STENCILS_ARRAYS_H

#include "solver/engine.h"

enum { ARRAYS_MAX = 4 };

/* The arrays of a kernel. Point (x, y, z) is at z * plane + y * pitch + x from the array's pointer; ghost points have
 * x or y of -1 or beyond the last. Values are of the problem's precision. */
struct array_grid {
    const struct problem *problem;
    ptrdiff_t n[3], pitch, plane;
    void *now[ARRAYS_MAX];  /* in the scheme's order */
    void *next[ARRAYS_MAX]; /* results, for the arrays that a step replaces */
};

/* Takes rows row0 .. row1 - 1, row = y + ny z, through one phase of a step. Phases are separated
 * by barriers. */
typedef void array_rows(const struct array_grid *g, ptrdiff_t row0, ptrdiff_t row1);

enum { PHASES_MAX = 2 };

struct array_kernel {
    const char *name;
    const struct scheme *scheme;
    bool one_thread; /* true for the reference */
    /* NULL if the kernel supports this problem on this machine, else the reason why it does not. */
    const char *(*applicable)(const struct problem *p);
    int phases;
    array_rows *rows[PHASES_MAX][2]; /* by phase and enum precision */
    void (*prepare)(
        const struct array_grid *g); /* sets the ghost points in `now` before the first step of a run; may be NULL */
};
extern const struct array_kernel sediment_rows, sediment_reference; /* sediment.c */
extern const struct array_kernel *const array_kernels[];            /* NULL-terminated; fastest first for each scheme */

const char *array_kernel_name(const struct scheme *scheme, size_t index); /* NULL beyond the last */

extern const struct stepper cpu_arrays;

#endif
