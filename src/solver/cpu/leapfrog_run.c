/* SPDX-License-Identifier: MIT */
/* Steps the grid through a block of audio: threads, temporal blocks, drives, taps and bodies
 * around the kernels. */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "solver/cpu/instruction_sets.h"
#include "solver/cpu/leapfrog_state.h"
#include "solver/cpu/row_shapes.h"
#include "solver/cpu/waiting.h"

/* Index of p^{n+k} among the grids, where n is the level before a chunk, for k >= -2. */
static size_t slot_of(size_t levels, size_t k_and_levels)
{
    return (levels - k_and_levels % levels) % levels;
}

/* A thread's view of a chunk of the block of audio. */
struct worker {
    struct cpu_state *state;
    const struct block *block;
    size_t first; /* first step of the chunk in the block */
    void *saved;
    struct prefetch prefetch;
};

/* Bodies, and links through partitions, couple points that are far apart: each step then covers the whole grid. */
static bool steps_singly(const struct cpu_state *s)
{
    return s->bodies || s->flows.links.count;
}

/* Completes final rows: adds up the work of drives and stores the tap points. */
static void end_rows(struct cpu_state *s, const struct block *b, const void *next, size_t row0, size_t row1,
                     size_t first, size_t step)
{
    if (b->drive)
        channels_after(&s->channels, next, row0, row1, b->drive + first + step, b->drive_stride);
    if (b->taps)
        channels_record(&s->channels, next, row0, row1, step + 1);
}

/* Buffer in which a thread saves p^{n-1} of walls without and with branches, for one of the
 * planes stepped together. */
static void *kept_of(const struct worker *worker, size_t plane)
{
    return (char *)worker->saved + plane * worker->state->field.walls.kept_max * worker->state->real;
}

static void *saved_of(const struct worker *worker, size_t plane)
{
    const struct cpu_state *s = worker->state;
    return (char *)kept_of(worker, s->tiles.planes) + plane * s->field.rows.wall_max * s->real;
}

static void step_rows(struct worker *worker, size_t row0, size_t row1, size_t planes, size_t step)
{
    struct cpu_state *s = worker->state;
    struct channels *channels = &s->channels;
    const struct block *b = worker->block;
    const double *drive = b->drive ? b->drive + worker->first + step : NULL;
    const struct kernel_functions *functions = &s->functions;
    struct field f = s->field;
    f.prefetch = &worker->prefetch;
    f.now = s->grids[slot_of(s->levels, step)];
    f.next = s->grids[slot_of(s->levels, step + 1)];
    f.before = s->grids[slot_of(s->levels, step + s->levels - 1)];
    const bool branched = f.rows.branches.point_count > 0;
    const size_t ny = f.rows.ny;
    for (size_t k = 0; k < planes; k++) {
        channels_before(channels, f.before, row0 + k * ny, row1 + k * ny);
        if (branched && functions->keep)
            functions->keep(&f, row0 + k * ny, row1 + k * ny, kept_of(worker, k));
    }
    if (functions->sweep_planes)
        functions->sweep_planes(&f, row0, row1, planes, saved_of(worker, 0));
    else
        functions->sweep(&f, row0, row1, saved_of(worker, 0));
    for (size_t k = 0; k < planes; k++, row0 += ny, row1 += ny) {
        if (drive)
            channels_drive(channels, f.next, row0, row1, drive, b->drive_stride);
        if (s->flows.links.count)
            partition_flows_add(&s->flows, f.next, row0, row1);
        functions->finish(&f, row0, row1, saved_of(worker, k), s->absorbed);
        if (branched && functions->branch)
            functions->branch(&f, row0, row1, kept_of(worker, k), s->absorbed);
        if (!steps_singly(s))
            end_rows(s, b, f.next, row0, row1, worker->first, step);
    }
}

/* Steps rows of one shape, without drives, by time-skewed unrolling. */
static void step_unrolled(struct worker *worker, size_t row0, size_t row1, size_t step, size_t steps)
{
    struct cpu_state *s = worker->state;
    struct field f = s->field;
    const struct row_shape shape = row_shape_of(s->shapes[row0]);
    f.prefetch = &worker->prefetch;
    f.now = s->grids[slot_of(s->levels, step)];
    f.next = s->grids[slot_of(s->levels, step + 1)];
    s->functions.unrolled(&f, &shape, row0, row1, steps, s->absorbed);
    if (!steps_singly(s) && worker->block->taps)
        for (size_t k = 0; k < steps; k++)
            channels_record(&s->channels, s->grids[slot_of(s->levels, step + k + 1)], row0 - k * s->field.rows.ny,
                            row1 - k * s->field.rows.ny, step + k + 1);
}

static void visit_rows(void *context, const struct plane_rows *rows, size_t step, size_t steps)
{
    struct worker *worker = context;
    const struct cpu_state *s = worker->state;
    const size_t ny = s->field.rows.ny, row1 = rows->row1;
    for (size_t row0 = rows->row0, end; row0 < row1; row0 = end) {
        bool unrolled = false;
        end = s->shapes ? row_shapes_end(s->shapes, ny, row0, row1, steps, &unrolled) : row1;
        if (unrolled)
            step_unrolled(worker, row0, end, step, steps);
        else
            for (size_t k = 0; k < steps; k++)
                step_rows(worker, row0 - k * ny, end - k * ny, 1, step + k);
    }
}

static void visit_planes(void *context, const struct plane_rows *rows, size_t step, size_t steps)
{
    (void)steps; /* one step */
    step_rows(context, rows->row0, rows->row1, rows->planes, step);
}

/* Prefetches for the next wavefront: its new rows of p⁻, and p of one plane further. */
static void begin_wavefront(void *context, const struct plane_rows *rows, size_t step, size_t visits)
{
    struct worker *worker = context;
    const struct cpu_state *s = worker->state;
    const size_t ny = s->field.rows.ny,
                 left = s->field.rows.nz - rows->row0 / ny - 1; /* number of planes above the lowest */
    const size_t bytes = s->field.rows.stride * s->real, further = left ? rows->row0 + ny : 0;
    const size_t lines = (rows->row1 - rows->row0) * bytes / ROW_ALIGNMENT;
    const char *now = s->grids[slot_of(s->levels, step)], *before = s->grids[slot_of(s->levels, step + s->levels - 1)];
    worker->prefetch = (struct prefetch){.at = {now + further * bytes, before + rows->row0 * bytes},
                                         .lines = left ? lines : 0,
                                         .lines_a_row = (bytes / ROW_ALIGNMENT + visits - 1) / visits,
                                         .planes = left < rows->planes ? (left ? left - 1 : 0) : rows->planes - 1,
                                         .lines_a_plane = lines,
                                         .plane_bytes = ny * bytes};
}

/* The 19-point stencil reads diagonally in y and z, and takes one step at a time:
 * docs/design/cpu.md (C5). */
static const struct row_work row_works[] = {
    [STENCIL_7_POINT] = {visit_rows, begin_wavefront, UNROLL_MAX},
    [STENCIL_19_POINT] = {visit_planes, begin_wavefront, 1},
};

/* Rotates the grids by `steps` steps. */
static void rotate_grids(struct cpu_state *s, size_t steps)
{
    void *before[3];
    memcpy(before, s->grids, sizeof before);
    for (size_t i = 0; i < s->levels; i++)
        s->grids[i] = before[slot_of(s->levels, steps + s->levels - i)];
}

/* Steps a chunk of the block, at most CHUNK_STEPS steps. */
static void run_chunk(struct cpu_state *s, const struct block *b, size_t first, size_t steps)
{
    if (b->taps)
        channels_record(&s->channels, s->grids[0], 0, s->field.rows.count, 0);
    skewed_tiles_begin(&s->tiles);
#pragma omp parallel num_threads(s->threads)
    {
        const float_mode mode = float_mode_flush();
        const size_t thread = (size_t)omp_get_thread_num(), team = (size_t)omp_get_num_threads();
        struct worker worker = {.state = s, .block = b, .first = first, .saved = s->saved[thread]};
        skewed_tiles_run(&s->tiles, thread, team, steps, &row_works[s->field.rows.stencil], &worker);
        float_mode_restore(mode);
    }
    if (b->taps)
        channels_sum(&s->channels, b, first, steps);
    rotate_grids(s, steps);
}

static void begin_step(struct cpu_state *s, const struct block *b)
{
    if (b->taps)
        channels_record(&s->channels, s->grids[0], 0, s->field.rows.count, 0);
    skewed_tiles_begin(&s->tiles);
    if (s->bodies)
        bodies_before(s->bodies, s->grids[0], s->grids[slot_of(s->levels, s->levels - 1)]);
}

enum { ASIDE_STEPS = 1024 };

/* Adds the energy absorbed in rows to one compensated sum (Neumaier). Rows that absorb ever
 * less, as when a constant pressure decays slowly, would otherwise lose contributions below half
 * a unit in the last place of their own sums, always in the same direction: up to 1e-12 of the
 * energy in 10,000 steps. This happens after the same steps however runs are divided, so that
 * sums have the same bits: docs/design/cpu.md (C8). */
static void set_absorbed_aside(struct cpu_state *s)
{
    for (size_t row = s->field.counted[0]; row < s->field.counted[1]; row++) {
        const double more = s->absorbed[row], sum = s->absorbed_before + more;
        s->absorbed_lost +=
            fabs(s->absorbed_before) >= fabs(more) ? s->absorbed_before - sum + more : more - sum + s->absorbed_before;
        s->absorbed_before = sum;
        s->absorbed[row] = 0.0;
    }
}

static void count_steps(struct cpu_state *s, size_t steps)
{
    s->steps += steps;
    if (s->steps % ASIDE_STEPS == 0)
        set_absorbed_aside(s);
}

static void end_step(struct cpu_state *s, const struct block *b, size_t n)
{
    if (s->bodies)
        bodies_end(s->bodies);
    end_rows(s, b, s->grids[slot_of(s->levels, 1)], 0, s->field.rows.count, n, 0);
    if (b->taps) {
        channels_sum(&s->channels, b, n, 1);
        if (s->bodies)
            bodies_read_taps(s->bodies, b->taps + n, b->tap_stride);
    }
    rotate_grids(s, 1);
    count_steps(s, 1);
}

/* The bodies' part of a step, each body in one thread. All threads call it. */
static void step_bodies(struct cpu_state *s, const struct block *b, size_t n, size_t thread, size_t team,
                        struct barrier *barrier)
{
    void *next = s->grids[slot_of(s->levels, 1)];
    if (thread == 0)
        bodies_begin(s->bodies, next, b->drive ? b->drive + n : NULL, b->drive_stride);
    barrier_wait(barrier);
    bodies_step(s->bodies, next, thread, team);
    barrier_wait(barrier);
}

/* Bodies may touch air of any row, and a partition links rows that lie apart. So the flows through partitions are
 * computed from the old field, then a step covers the whole grid, and then the bodies. The barriers are not OpenMP's,
 * as opening a team can take longer than a step. */
static void run_singly(struct cpu_state *s, const struct block *b, size_t steps)
{
    struct barrier barrier = {.threads = 0};
#pragma omp parallel num_threads(s->threads)
    {
#pragma omp single
        barrier.threads = omp_get_num_threads();
        const float_mode mode = float_mode_flush();
        const size_t thread = (size_t)omp_get_thread_num(), team = (size_t)omp_get_num_threads();
        for (size_t n = 0; n < steps; n++) {
            struct worker worker = {.state = s, .block = b, .first = n, .saved = s->saved[thread]};
            if (thread == 0)
                begin_step(s, b);
            barrier_wait(&barrier);
            if (s->flows.links.count) {
                partition_flows_step(&s->flows, s->grids[0], thread, team, s->absorbed);
                barrier_wait(&barrier);
            }
            skewed_tiles_run(&s->tiles, thread, team, 1, &row_works[s->field.rows.stencil], &worker);
            barrier_wait(&barrier);
            if (s->bodies)
                step_bodies(s, b, n, thread, team, &barrier);
            if (thread == 0)
                end_step(s, b, n);
        }
        float_mode_restore(mode);
    }
}

int leapfrog_run(void *state, size_t steps, const struct block *b, struct error *e)
{
    struct cpu_state *s = state;
    (void)e;
    leapfrog_start_flows(s);
    if (steps_singly(s))
        run_singly(s, b, steps);
    for (size_t first = 0, count; first < steps && !steps_singly(s); first += count) {
        const size_t left = steps - first, to_aside = ASIDE_STEPS - (size_t)(s->steps % ASIDE_STEPS);
        count = left < CHUNK_STEPS ? left : CHUNK_STEPS;
        count = count < to_aside ? count : to_aside;
        run_chunk(s, b, first, count);
        count_steps(s, count);
    }
    return 0;
}
