/* Kernels of the CPU engine for the leapfrog scheme: one row of the table in kernels.c each. */
#ifndef AULA_CPU_KERNEL_H
#define AULA_CPU_KERNEL_H

#include <stddef.h>

#include "scheme/rows.h"
#include "solver.h"

/* What a kernel steps. Grids are in canonical order with rows padded to rows.stride, in the precision
 * of the problem, with ROW_ALIGNMENT readable bytes before and after. */
struct field {
    const struct problem *problem;
    struct rows rows;
    uint8_t *cells;         /* [nz][ny][nx], only for kernels that declare needs_cells */
    uint32_t *branch_first; /* [nz][ny][nx], for these too: where the states of a point with branches begin */
    const void *zeros;      /* [stride], the neighbours across a missing face */
    void *next;             /* p^{n+1} on return */
    const void *now;        /* p^n */
    const void *before;     /* p^{n-1}: `next` itself in lossless air, a grid of its own in air that loses */
    void *states; /* of branches: the kernel's own layout, [rows.branches.state_count] of the problem's precision */
};

/* The rows row0 .. row1 - 1 lie in one plane. A step of these rows is
 *     keep(...);             what is needed later of p^{n-1} at points with branches; may be NULL
 *     sweep(...);            rigid update (1) or (2), p^{n-1} of the wall points kept in `saved`
 *     ... drives are added to `next` ...
 *     finish(...);           absorbing walls (3); adds what they took in row r to absorbed[r]
 *     branch(...);           walls with branches (4), the same; may be NULL
 * saved: [rows.wall_most] and kept: [rows.branches.most_in_plane] of the problem's precision. */
struct kernel_functions {
    void (*sweep)(const struct field *f, size_t row0, size_t row1, void *saved);
    void (*finish)(const struct field *f, size_t row0, size_t row1, const void *saved, double *absorbed);
    void (*keep)(const struct field *f, size_t row0, size_t row1, void *kept);
    void (*branch)(const struct field *f, size_t row0, size_t row1, const void *kept, double *absorbed);
    double (*branch_energy)(const struct field *f); /* stored in the branches */
};

struct kernel {
    const char *name;
    bool needs_cells;
    /* NULL when the kernel can do this problem here, else the reason why not */
    const char *(*applicable)(const struct problem *p);
    struct kernel_functions functions[2]; /* by enum precision */
};
extern const struct kernel *const kernels[]; /* NULL-terminated, fastest first */

extern const struct stepper cpu_leapfrog;

/* Stored energy of one row, ½ (p⁺ - p)² + (λ²/2) p⁺ (K p - S) summed over its points: Σ over links of Δp⁺ Δp by parts.
 */
double row_energy_single(const struct field *f, size_t row);
double row_energy_double(const struct field *f, size_t row);

/* u = p - u over n points: the plain loop that the whole step is measured against. */
void plain_loop_single(void *u, const void *p, size_t n);
void plain_loop_double(void *u, const void *p, size_t n);

#endif
