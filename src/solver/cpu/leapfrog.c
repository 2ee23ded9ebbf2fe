/* SPDX-License-Identifier: MIT */
/* The leapfrog solvers of the CPU engine: open, put and get. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"
#include "solver/cpu/instruction_sets.h"
#include "solver/cpu/leapfrog_state.h"
#include "solver/cpu/leapfrog_state_blocks.h"
#include "solver/cpu/row_shapes.h"
#include "solver/cpu/waiting.h"
#include "solver/engine.h"

static int thread_count(const struct problem *p, const struct solver_options *c)
{
    int threads = c && c->threads > 0 ? c->threads : omp_get_max_threads();
    size_t rows = p->points[1] * p->points[2];
    return (size_t)threads > rows ? (int)rows : threads;
}

static void close_state(void *state)
{
    struct cpu_state *s = state;
    if (!s)
        return;
    for (int i = 0; s->saved && i < s->threads; i++)
        free(s->saved[i]);
    free(s->saved);
    for (size_t g = 0; g < s->levels; g++)
        grid_memory_free(&s->memory[g]);
    free(s->absorbed);
    skewed_tiles_free(&s->tiles);
    channels_free(&s->channels);
    body_states_free(s->bodies);
    partition_flows_free(&s->flows);
    free(s->shapes);
    corner_columns_free(&s->columns);
    free(s->field.cells);
    free(s->field.branch_first);
    free(s->field.states);
    branch_layout_free(&s->field.walls);
    free((void *)s->field.zeros);
    rows_free(&s->field.rows);
    free(s);
}

/* Clears only the stored pages; pages without air are zero already. */
static void clear_rows(struct cpu_state *s, size_t g, size_t row0, size_t row1)
{
    const struct rows *rows = &s->field.rows;
    char *grid = s->grids[g];
    if (!s->memory[g].bytes)
        memset(grid + row0 * rows->stride * s->real, 0, (row1 - row0) * rows->stride * s->real);
    else
        for (size_t row = row0; row < row1; row++)
            for (uint64_t r = rows->run_start[row]; r < rows->run_start[row + 1]; r++)
                memset(grid + (row * rows->stride + rows->runs[r].start) * s->real, 0, rows->runs[r].length * s->real);
}

/* Clears the memory before the first row and after the last, which vectors at the ends of rows
 * load into lanes that masks discard. */
static void clear_margins(struct cpu_state *s, size_t g, const struct grid_shape *shape)
{
    const size_t end = shape->before + s->field.rows.count * s->field.rows.stride * s->real;
    char *block = s->memory[g].block;
    if (s->memory[g].bytes) /* fresh pages are zero */
        return;
    memset(block, 0, shape->before);
    memset(block + end, 0, shape->bytes - end);
}

/* Each row is first touched by the thread that will step it. */
static void clear_grids(struct cpu_state *s)
{
    const struct skewed_tiles *t = &s->tiles;
#pragma omp parallel for num_threads(s->threads) schedule(static, 1)
    for (size_t tile = 0; tile < t->count; tile++)
        for (size_t z = 0; z < t->nz && !stop_requested(); z++) {
            const size_t y = t->bounds[tile], end = t->bounds[tile + 1] < t->ny ? t->bounds[tile + 1] : t->ny;
            for (size_t g = 0; g < s->levels && y < end; g++)
                clear_rows(s, g, z * t->ny + y, z * t->ny + end);
        }
}

/* Cost of each row of y over all planes, in points of air; a branch at a wall point counts as
 * one (measured: 1 to 1.5). Returns [ny], to be freed, or NULL when out of memory. */
static double *row_costs(const struct rows *rows)
{
    const struct branches *b = &rows->branches;
    double *costs = calloc(rows->ny, sizeof *costs);
    for (size_t row = 0; costs && row < rows->count; row++) {
        for (uint64_t r = rows->run_start[row]; r < rows->run_start[row + 1]; r++)
            costs[row % rows->ny] += (double)rows->runs[r].length;
        for (uint64_t i = b->segment_start[row]; i < b->segment_start[row + 1]; i++) {
            const struct branch_segment *s = &b->segments[i];
            const double branches = (double)b->kinds[s->kind].count;
            if (!s->along_y)
                costs[row % rows->ny] += branches * s->length;
            for (size_t y = 0; s->along_y && y < s->length; y++)
                costs[row % rows->ny + y] += 1.5 * branches;
        }
    }
    return costs;
}

/* The reference steps the whole grid in one thread, one step at a time. */
static int make_tiles(struct cpu_state *s, const struct problem *p, const struct solver_options *c)
{
    const size_t row_bytes = s->field.rows.stride * s->real * s->levels / 2; /* scaled to two grids */
    struct tile_choice choice = {
        .row_bytes = row_bytes, .planes = s->functions.sweep_planes ? PLANES_MAX : 1, .threads = s->threads};
    if (s->kernel->needs_cells) {
        choice.height = p->points[1];
        choice.depth = 1;
    } else if (c) {
        choice.height = (size_t)c->block[1];
        choice.depth = (size_t)c->time_block;
    }
    double *costs = row_costs(&s->field.rows);
    choice.costs = costs;
    const int status = costs ? skewed_tiles_make(&s->tiles, p->points[1], p->points[2], &choice) : -1;
    free(costs);
    return status;
}

struct numbering {
    struct field *field;
    uint32_t next;
};

static void number_span(void *context, const struct branch_span *span)
{
    struct numbering *n = context;
    const struct rows *rows = &n->field->rows;
    const struct branch_segment *segment = span->segment;
    uint32_t *at = n->field->branch_first + span->row * rows->nx + segment->x;
    for (size_t i = 0; i < span->count; i++) {
        at[segment->along_y ? i * rows->nx : i] = n->next;
        n->next += 2 * rows->branches.kinds[segment->kind].count;
    }
}

/* Allocates the states of branches and, for a kernel that reads the map, the index of the first
 * state of each point. */
static int make_states(struct cpu_state *s)
{
    struct field *f = &s->field;
    const struct branches *b = &f->rows.branches;
    struct numbering numbering = {f, 0};
    if (!s->kernel->needs_cells) {
        if (branch_layout_make(&f->walls, &f->rows, s->precision))
            return -1;
        const size_t bytes = f->walls.state_count * s->real + ROW_ALIGNMENT;
        f->states = memory_large(bytes);
        if (!f->states)
            return -1;
        return memory_zero(f->states, bytes);
    }
    f->states = calloc(b->state_count + 1, s->real);
    if (!f->states)
        return -1;
    f->branch_first = calloc(f->rows.count * f->rows.nx, sizeof *f->branch_first);
    if (!f->branch_first)
        return -1;
    for (size_t row = 0; row < f->rows.count; row += f->rows.ny)
        branches_visit(b, f->rows.ny, row, row + f->rows.ny, number_span, &numbering);
    return 0;
}

/* bytes must be a multiple of the alignment */
static void *aligned_zeros(size_t bytes)
{
    void *zeros = aligned_alloc(ROW_ALIGNMENT, bytes);
    return zeros ? memset(zeros, 0, bytes) : NULL;
}

static int make_saved(struct cpu_state *s)
{
    const size_t planes = s->functions.sweep_planes ? PLANES_MAX : 1;
    const size_t values = planes * (s->field.walls.kept_max + s->field.rows.wall_max) +
                          (s->kernel->needs_cells ? s->field.rows.branches.max_in_plane : 0);
    for (int i = 0; i < s->threads; i++)
        if (!(s->saved[i] = aligned_zeros((values * s->real / ROW_ALIGNMENT + 1) * ROW_ALIGNMENT)))
            return -1;
    return 0;
}

/* Rows that receive flows through partitions are not unrolled. */
static void clear_shapes(struct cpu_state *s)
{
    const struct partition_flows *f = &s->flows;
    for (size_t row = 0; s->shapes && f->links.count && row < f->rows; row++)
        if (f->term_start[row] < f->term_start[row + 1])
            s->shapes[row] = 0;
}

static int open_state(void **out, struct solver_plan *r, const struct problem *p, const struct solver_options *c,
                      struct error *e)
{
    if (leapfrog_plan(r, p, c, e))
        return -1;
    uint64_t total = r->field_bytes + r->boundary_bytes + r->channel_bytes;
    if (total > r->available_bytes)
        return fail(e, ERROR_MEMORY, "out of memory (%s needed for the grid, %s available)", memory_text(total),
                    memory_text(r->available_bytes));
    struct cpu_state *s = calloc(1, sizeof *s);
    if (!s)
        return fail(e, ERROR_MEMORY, "out of memory");
    s->kernel = leapfrog_kernel(p, c, e);
    s->functions = s->kernel->functions[p->precision];
    s->precision = p->precision;
    s->real = precision_bytes(p->precision);
    s->levels = leapfrog_levels(p);
    s->balanced = r->balanced;
    s->threads = thread_count(p, c);
    s->field.problem = p;
    if (rows_make(&s->field.rows, p, e))
        goto fail;
    s->field.rows.stride = leapfrog_stride(p, s->kernel);
    leapfrog_counted(s->field.counted, p);
    const size_t rows = s->field.rows.count, points = rows * p->points[0];
    bool good = true;
    for (size_t g = 0; g < s->levels; g++) {
        const struct grid_shape shape = leapfrog_grid(p, s->kernel, g);
        if (grid_memory_make(&s->memory[g], &shape, e))
            goto fail;
        s->grids[g] = (char *)s->memory[g].block + shape.before;
        clear_margins(s, g, &shape);
    }
    s->field.zeros = aligned_zeros(s->field.rows.stride * s->real);
    s->absorbed = calloc(rows, sizeof *s->absorbed);
    s->saved = calloc((size_t)s->threads, sizeof *s->saved);
    good = good && s->field.zeros && s->absorbed && s->saved;
    if (good && s->kernel->needs_cells) {
        good = (s->field.cells = malloc(points)) != NULL; /* at least one byte per voxel */
        if (good)
            voxel_set_write_cells(leapfrog_of(p)->voxels, s->field.cells);
    }
    if (!good || make_states(s) || make_saved(s) || channels_make(&s->channels, p, &s->field.rows) ||
        make_tiles(s, p, c)) {
        if (!stop_check(e))
            fail(e, ERROR_MEMORY, "out of memory (%s needed for the grid)", memory_text(total));
        goto fail;
    }
    if (s->functions.unrolled && s->levels == 2 && !(s->shapes = row_shapes_make(&s->field.rows, &s->channels))) {
        fail(e, ERROR_MEMORY, "out of memory (%s needed for the grid)", memory_text(total));
        goto fail;
    }
    s->field.columns = &s->columns;
    if (s->functions.sweep_planes &&
        corner_columns_make(&s->columns, &s->field.rows, s->kernel->vector_bytes / s->real)) {
        fail(e, ERROR_MEMORY, "out of memory (%s needed for the grid)", memory_text(total));
        goto fail;
    }
    if (body_states_make(&s->bodies, p, &s->field.rows, e))
        goto fail;
    if (partition_flows_make(&s->flows, p, &s->field.rows, e))
        goto fail;
    clear_shapes(s);
    clear_grids(s);
    if (stop_check(e)) /* clearing was interrupted */
        goto fail;
    *out = s;
    return 0;
fail:
    close_state(s);
    return -1;
}

static int put(void *state, size_t array, size_t z0, size_t nz, const void *values, struct error *e)
{
    struct cpu_state *s = state;
    const struct rows *rows = &s->field.rows;
    (void)e;
    for (size_t row = z0 * rows->ny; row < (z0 + nz) * rows->ny; row++)
        for (uint64_t r = rows->run_start[row]; r < rows->run_start[row + 1]; r++) {
            const size_t x = rows->runs[r].start;
            memcpy((char *)s->grids[array] + (row * rows->stride + x) * s->real,
                   (const char *)values + ((row - z0 * rows->ny) * rows->nx + x) * s->real,
                   rows->runs[r].length * s->real);
        }
    return 0;
}

static int get(void *state, size_t array, size_t z0, size_t nz, void *values, struct error *e)
{
    const struct cpu_state *s = state;
    const struct rows *rows = &s->field.rows;
    (void)e;
    for (size_t row = z0 * rows->ny; row < (z0 + nz) * rows->ny; row++)
        memcpy((char *)values + (row - z0 * rows->ny) * rows->nx * s->real,
               (const char *)s->grids[array] + row * rows->stride * s->real, rows->nx * s->real);
    return 0;
}

static int audit(void *state, struct audit *a, struct error *e)
{
    struct cpu_state *s = state;
    leapfrog_start_flows(s);
    struct field f = s->field;
    double (*const energies[][2])(const struct field *, size_t) = {
        [STENCIL_7_POINT] = {row_energy_single, row_energy_double},
        [STENCIL_19_POINT] = {isotropic19_row_energy_single, isotropic19_row_energy_double}};
    double (*row_energy)(const struct field *, size_t) = energies[f.rows.stencil][s->precision];
    double *energy = malloc(f.rows.count * sizeof *energy);
    if (!energy)
        return fail(e, ERROR_MEMORY, "out of memory");
    f.now = s->grids[0];
    f.before = f.next = s->grids[1];
#pragma omp parallel for num_threads(s->threads) schedule(static)
    for (size_t row = f.counted[0]; row < f.counted[1]; row++)
        energy[row] = row_energy(&f, row);
    memset(a, 0, sizeof *a);
    for (size_t row = f.counted[0]; row < f.counted[1]; row++)
        a->stored += energy[row];
    a->absorbed = s->absorbed_before + s->absorbed_lost;
    for (size_t row = f.counted[0]; row < f.counted[1]; row++)
        a->absorbed += s->absorbed[row];
    const struct drive_point *drives = s->channels.drives;
    for (size_t i = s->channels.drive_start[f.counted[0]]; i < s->channels.drive_start[f.counted[1]]; i++)
        a->supplied += drives[i].supplied;
    a->stored += s->functions.branch_energy(&f);
    partition_flows_audit(&s->flows, f.now, f.counted, a);
    if (s->bodies)
        bodies_audit(s->bodies, f.now, f.before, a);
    a->balanced = s->balanced;
    free(energy);
    return 0;
}

static int plain_pass(void *state, size_t passes, struct error *e)
{
    struct cpu_state *s = state;
    void (*loop)(void *, const void *, size_t) =
        s->precision == PRECISION_DOUBLE ? plain_loop_double : plain_loop_single;
    const size_t stride = s->field.rows.stride, rows = s->field.rows.count;
    struct barrier barrier = {.threads = 0};
    (void)e;
#pragma omp parallel num_threads(s->threads)
    {
#pragma omp single
        barrier.threads = omp_get_num_threads();
        const float_mode mode = float_mode_flush();
        const size_t thread = (size_t)omp_get_thread_num(), team = (size_t)omp_get_num_threads();
        for (size_t n = 0; n < passes; n++) {
            const size_t first = rows * thread / team * stride, end = rows * (thread + 1) / team * stride;
            loop((char *)s->grids[1] + first * s->real, (const char *)s->grids[0] + first * s->real, end - first);
            barrier_wait(&barrier);
        }
        float_mode_restore(mode);
    }
    return 0;
}

/* The states of walls in nz planes from z0: returns the index of the first and their number. */
static void states_of(const struct cpu_state *s, size_t z0, size_t nz, size_t *first, size_t *count)
{
    const struct rows *rows = &s->field.rows;
    const size_t from = z0 * rows->ny, end = (z0 + nz) * rows->ny;
    *first = (size_t)branch_layout_state(&s->field.walls, from, rows->count);
    *count = (size_t)branch_layout_state(&s->field.walls, end, rows->count) - *first;
}

static size_t states_bytes(const void *state, size_t z0, size_t nz)
{
    const struct cpu_state *s = state;
    size_t first, count;
    if (s->kernel->needs_cells) /* states in the kernel's own order, which never steps part of a grid */
        return 0;
    states_of(s, z0, nz, &first, &count);
    return count * s->real + partition_states_bytes(&s->flows, z0, nz);
}

static int get_states(void *state, size_t z0, size_t nz, void *states, struct error *e)
{
    struct cpu_state *s = state;
    size_t first, count;
    (void)e;
    if (s->kernel->needs_cells)
        return 0;
    states_of(s, z0, nz, &first, &count);
    memcpy(states, (const char *)s->field.states + first * s->real, count * s->real);
    partition_states_copy(&s->flows, z0, nz, (char *)states + count * s->real, true);
    return 0;
}

static int put_states(void *state, size_t z0, size_t nz, const void *states, struct error *e)
{
    struct cpu_state *s = state;
    size_t first, count;
    (void)e;
    if (s->kernel->needs_cells)
        return 0;
    states_of(s, z0, nz, &first, &count);
    memcpy((char *)s->field.states + first * s->real, states, count * s->real);
    partition_states_copy(&s->flows, z0, nz, (char *)states + count * s->real, false);
    return 0;
}

static const struct state_access state_access = {.bytes = states_bytes, .get = get_states, .put = put_states};

const struct stepper cpu_leapfrog = {
    .plan = leapfrog_plan,
    .open = open_state,
    .run = leapfrog_run,
    .put = put,
    .get = get,
    .audit = audit,
    .plain_pass = plain_pass,
    .close = close_state,
    .states = &state_access,
    .state_blocks = &leapfrog_state_blocks,
};
