/* SPDX-License-Identifier: MIT */
#include "solver/cpu/stencils/arrays.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "solver/cpu/instruction_sets.h"
#include "solver/cpu/waiting.h"
#include "solver/engine.h"
#include "solver/find_kernel.h"
#include "solver/scheme.h"

/* Bytes before and after each array, and before each row of arrays with ghost points, so that
 * rows stay aligned. */
enum { ALIGNMENT = 64 };

struct array_state {
    struct array_grid grid;
    const struct array_kernel *kernel;
    const struct scheme *scheme;
    size_t real, lead; /* size of a value in bytes; number of values before the first of a row */
    int threads;
    void *memory[2 * ARRAYS_MAX];
    size_t memory_count, memory_bytes;
};

/* Kernel `index` among those that support a scheme; NULL beyond the last. */
static const struct array_kernel *kernel_of_scheme(const struct scheme *scheme, size_t index)
{
    for (size_t i = 0; array_kernels[i]; i++)
        if (array_kernels[i]->scheme == scheme && index-- == 0)
            return array_kernels[i];
    return NULL;
}

const char *array_kernel_name(const struct scheme *scheme, size_t index)
{
    const struct array_kernel *k = kernel_of_scheme(scheme, index);
    return k ? k->name : NULL;
}

static const char *kernel_of_table(const void *context, size_t index, const char **reason)
{
    const struct problem *p = context;
    const struct array_kernel *k = kernel_of_scheme(p->scheme, index);
    *reason = k ? k->applicable(p) : NULL;
    return k ? k->name : NULL;
}

static const struct array_kernel *choose_kernel(const struct problem *p, const struct solver_options *c,
                                                struct error *e)
{
    const struct kernel_table table = {"cpu", p->scheme->name, kernel_of_table, p};
    size_t index;
    return find_kernel(&index, &table, c ? c->kernel : NULL, e) ? NULL : kernel_of_scheme(p->scheme, index);
}

static size_t round_up(size_t value, size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Computes the sizes from the problem only. */
static void lay_out(struct array_state *s, const struct problem *p)
{
    s->scheme = p->scheme;
    s->real = precision_bytes(p->precision);
    const size_t line = ALIGNMENT / s->real, ghosts = (size_t)s->scheme->ghosts;
    s->lead = ghosts ? line : 0;
    s->grid.problem = p;
    for (int axis = 0; axis < 3; axis++)
        s->grid.n[axis] = (ptrdiff_t)p->points[axis];
    const size_t pitch = round_up(s->lead + p->points[0] + ghosts, line), rows = p->points[1] + 2 * ghosts;
    s->grid.pitch = (ptrdiff_t)pitch;
    s->grid.plane = (ptrdiff_t)(pitch * rows);
    s->memory_count = (size_t)(s->scheme->array_count + s->scheme->stepped);
    s->memory_bytes = round_up(pitch * rows * p->points[2] * s->real, ALIGNMENT) + 2 * ALIGNMENT;
}

static int require(struct solver_plan *r, const struct problem *p, const struct solver_options *c, struct error *e)
{
    struct array_state s = {.real = 0};
    const struct array_kernel *kernel = choose_kernel(p, c, e);
    if (!kernel)
        return -1;
    if (c && (c->time_block > 1 || c->cuda.in_place || c->block[0]))
        return fail(
            e, ERROR_USAGE,
            "the cpu engine does not support --time-block, --in-place and --block with the %s scheme; remove them",
            p->scheme->name);
    lay_out(&s, p);
    r->engine = "cpu";
    r->kernel = kernel->name;
    r->field_bytes = s.memory_count * s.memory_bytes;
    r->available_bytes = memory_available();
    r->air_points = (uint64_t)p->points[0] * p->points[1] * p->points[2];
    return 0;
}

static void close_state(void *state)
{
    struct array_state *s = state;
    if (!s)
        return;
    for (size_t i = 0; i < s->memory_count; i++)
        free(s->memory[i]);
    free(s);
}

static int open_state(void **out, struct solver_plan *r, const struct problem *p, const struct solver_options *c,
                      struct error *e)
{
    if (require(r, p, c, e))
        return -1;
    if (r->field_bytes > r->available_bytes)
        return fail(e, ERROR_MEMORY, "out of memory (%s needed for the grid, %s available)",
                    memory_text(r->field_bytes), memory_text(r->available_bytes));
    struct array_state *s = calloc(1, sizeof *s);
    if (!s)
        return fail(e, ERROR_MEMORY, "out of memory");
    lay_out(s, p);
    s->kernel = choose_kernel(p, c, e);
    s->threads = s->kernel->one_thread ? 1 : c && c->threads > 0 ? c->threads : omp_get_max_threads();
    const size_t first = ALIGNMENT / s->real + (size_t)s->scheme->ghosts * (size_t)s->grid.pitch + s->lead;
    for (size_t i = 0; i < s->memory_count; i++) {
        s->memory[i] = memory_large(s->memory_bytes);
        if (!s->memory[i]) {
            close_state(s);
            return fail(e, ERROR_MEMORY, "out of memory (%s needed for the grid)", memory_text(r->field_bytes));
        }
        memset(s->memory[i], 0, s->memory_bytes);
        void *point = (char *)s->memory[i] + first * s->real;
        if (i < (size_t)s->scheme->array_count)
            s->grid.now[i] = point;
        else
            s->grid.next[i - (size_t)s->scheme->array_count] = point;
    }
    *out = s;
    return 0;
}

static int run(void *state, size_t steps, const struct block *b, struct error *e)
{
    struct array_state *s = state;
    struct barrier barrier = {.threads = 0};
    const ptrdiff_t rows = s->grid.n[1] * s->grid.n[2];
    (void)b;
    (void)e;
    if (s->kernel->prepare)
        s->kernel->prepare(&s->grid);
#pragma omp parallel num_threads(s->threads)
    {
#pragma omp single
        barrier.threads = omp_get_num_threads();
        const float_mode mode = float_mode_flush();
        const ptrdiff_t thread = omp_get_thread_num(), team = omp_get_num_threads();
        struct array_grid g = s->grid;
        for (size_t n = 0; n < steps; n++) {
            for (int phase = 0; phase < s->kernel->phases; phase++) {
                s->kernel->rows[phase][g.problem->precision](&g, rows * thread / team, rows * (thread + 1) / team);
                barrier_wait(&barrier);
            }
            for (int i = 0; i < s->scheme->stepped; i++) {
                void *swap = g.now[i];
                g.now[i] = g.next[i];
                g.next[i] = swap;
            }
        }
        float_mode_restore(mode);
#pragma omp master
        s->grid = g;
    }
    return 0;
}

/* Sets both copies of a stepped array, so that points that a step leaves unchanged agree in
 * both. */
static int put(void *state, size_t array, size_t z0, size_t nz, const void *values, struct error *e)
{
    struct array_state *s = state;
    const struct array_grid *g = &s->grid;
    const size_t row_bytes = (size_t)g->n[0] * s->real;
    (void)e;
    for (size_t z = z0; z < z0 + nz; z++)
        for (size_t y = 0; y < (size_t)g->n[1]; y++) {
            const char *from = (const char *)values + ((z - z0) * (size_t)g->n[1] + y) * row_bytes;
            const size_t at = (z * (size_t)g->plane + y * (size_t)g->pitch) * s->real;
            memcpy((char *)g->now[array] + at, from, row_bytes);
            if (array < (size_t)s->scheme->stepped)
                memcpy((char *)g->next[array] + at, from, row_bytes);
        }
    return 0;
}

static int get(void *state, size_t array, size_t z0, size_t nz, void *values, struct error *e)
{
    const struct array_state *s = state;
    const struct array_grid *g = &s->grid;
    const size_t row_bytes = (size_t)g->n[0] * s->real;
    (void)e;
    for (size_t z = z0; z < z0 + nz; z++)
        for (size_t y = 0; y < (size_t)g->n[1]; y++)
            memcpy((char *)values + ((z - z0) * (size_t)g->n[1] + y) * row_bytes,
                   (const char *)g->now[array] + (z * (size_t)g->plane + y * (size_t)g->pitch) * s->real, row_bytes);
    return 0;
}

/* These schemes have no energy; `stored` is the sum of the first array. */
static int audit(void *state, struct audit *a, struct error *e)
{
    const struct array_state *s = state;
    const struct array_grid *g = &s->grid;
    (void)e;
    *a = (struct audit){.balanced = false};
    for (ptrdiff_t z = 0; z < g->n[2]; z++)
        for (ptrdiff_t y = 0; y < g->n[1]; y++)
            for (ptrdiff_t x = 0, at = z * g->plane + y * g->pitch; x < g->n[0]; x++, at++)
                a->stored += s->real == sizeof(double) ? ((const double *)g->now[0])[at]
                                                       : (double)((const float *)g->now[0])[at];
    return 0;
}

static int plain_pass(void *state, size_t passes, struct error *e)
{
    (void)state;
    (void)passes;
    return fail(
        e, ERROR_ENGINE,
        "the plain loop is available for the leapfrog scheme only; this scheme is compared with the copy bandwidth");
}

const struct stepper cpu_arrays = {
    .plan = require,
    .open = open_state,
    .run = run,
    .put = put,
    .get = get,
    .audit = audit,
    .plain_pass = plain_pass,
    .close = close_state,
};
