/* How the CPU engine steps the leapfrog scheme: memory, threads, drives and taps around the kernels. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "cpu/bodies.h"
#include "cpu/channels.h"
#include "cpu/float_mode.h"
#include "cpu/kernel.h"
#include "cpu/passes.h"
#include "cpu/shapes.h"
#include "cpu/waiting.h"
#include "scheme/bodies.h"
#include "scheme/scheme.h"

struct cpu_state {
    struct field field;
    const struct kernel *kernel;
    struct kernel_functions functions;
    enum precision precision;
    size_t real;    /* bytes of a value */
    size_t levels;  /* grids: 2, in air that loses 3 */
    void *grids[3]; /* p^n, p^{n-1}, and the one that is free; inside `memory` */
    void *memory[3];
    int threads;
    struct passes passes;
    void **saved;     /* [threads][rows.wall_most + rows.branches.most_in_plane] */
    double *absorbed; /* [rows], so that the sum does not depend on the threads */
    struct channels channels;
    uint64_t *shapes;           /* of the rows; NULL where the kernel steps them one step at a time */
    struct body_states *bodies; /* NULL: none */
};

/* A multiple of the page size apart, p and p⁻ would fall on the same cache sets and look alike to the store queue. */
enum { GRID_SKEW = 2048 + 64, GRID_MARGIN = ROW_ALIGNMENT };

static const struct kernel *find_kernel(const struct problem *p, const struct choice *c, struct error *e)
{
    const char *names[16];
    size_t count = 0;
    const char *wanted = c ? c->kernel : NULL;
    for (size_t i = 0; kernels[i]; i++) {
        const char *reason = kernels[i]->applicable(p);
        names[count++] = kernels[i]->name;
        if (wanted ? strcmp(wanted, kernels[i]->name) != 0 : reason != NULL)
            continue;
        if (!reason)
            return kernels[i];
        fail(e, ERROR_ENGINE, "the %s kernel cannot run this: %s", wanted, reason);
        return NULL;
    }
    char hint[HINT];
    fail(e, ERROR_USAGE, "--kernel %s: the cpu engine has no such kernel%s", wanted ? wanted : "",
         text_hint(hint, wanted ? wanted : "", names, count));
    return NULL;
}

static int thread_count(const struct problem *p, const struct choice *c)
{
    int threads = c && c->threads > 0 ? c->threads : omp_get_max_threads();
    size_t rows = p->points[1] * p->points[2];
    return (size_t)threads > rows ? (int)rows : threads;
}

static size_t level_count(const struct problem *p)
{
    return p->as.leapfrog.viscosity > 0.0 ? 3 : 2;
}

/* Where p^{n+k} is among the grids, n being the step before a walk: k from -2 on. */
static size_t slot_of(size_t levels, size_t k_and_levels)
{
    return (levels - k_and_levels % levels) % levels;
}

/* Tiles and passes that were asked for are taken as they are or not at all. */
static int check_passes(const struct kernel *kernel, const struct choice *c, struct error *e)
{
    if (c && c->in_place)
        return fail(e, ERROR_ENGINE, "--in-place: passes of the cpu engine need no more memory than single steps");
    if (!c || (!c->fuse && !c->block[1]))
        return 0;
    if (kernel->needs_cells)
        return fail(e, ERROR_ENGINE, "the %s kernel has one order of its own: without --fuse and --block",
                    kernel->name);
    if (c->fuse > PASS_STEPS_MOST)
        return fail(e, ERROR_USAGE, "--fuse %d: the cpu engine takes 1 to %d steps in a pass", c->fuse,
                    PASS_STEPS_MOST);
    if (c->block[1] && c->fuse > c->block[1])
        return fail(e, ERROR_USAGE, "--fuse %d --block %dx%dx%d: tiles of %d rows can take at most %d steps in a pass",
                    c->fuse, c->block[0], c->block[1], c->block[2], c->block[1], c->block[1]);
    return 0;
}

static int require(struct requirement *r, const struct problem *p, const struct choice *c, struct error *e)
{
    const struct kernel *kernel = find_kernel(p, c, e);
    if (!kernel || check_passes(kernel, c, e))
        return -1;
    const uint64_t points = (uint64_t)p->points[0] * p->points[1] * p->points[2];
    const uint64_t rows = (uint64_t)p->points[1] * p->points[2];
    r->engine = "cpu";
    r->kernel = kernel->name;
    r->available_bytes = memory_available();
    const uint64_t grid = rows_stride(p->points[0], p->precision) * rows * precision_bytes(p->precision);
    r->field_bytes = level_count(p) * (grid + 2 * GRID_MARGIN + GRID_SKEW);
    r->channel_bytes = channels_bytes(p) + bodies_bytes(p->as.leapfrog.bodies);
    if (r->field_bytes > r->available_bytes)
        return 0;
    if (rows_count(&r->boundary_bytes, &r->air_points, &r->wall_points, p, e))
        return -1;
    r->boundary_bytes +=
        rows * (sizeof(double) + sizeof(uint64_t)) + (kernel->needs_cells ? points * (1 + sizeof(uint32_t)) : 0);
    return 0;
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
        free(s->memory[g]);
    free(s->absorbed);
    passes_free(&s->passes);
    channels_free(&s->channels);
    body_states_free(s->bodies);
    free(s->shapes);
    free(s->field.cells);
    free(s->field.branch_first);
    free(s->field.states);
    free((void *)s->field.zeros);
    rows_free(&s->field.rows);
    free(s);
}

/* The thread that steps a row is the first to touch it. */
static void clear_grids(struct cpu_state *s)
{
    const struct passes *passes = &s->passes;
    const size_t row_bytes = s->field.rows.stride * s->real;
#pragma omp parallel for num_threads(s->threads) schedule(static, 1)
    for (size_t tile = 0; tile < passes->tiles; tile++)
        for (size_t z = 0; z < passes->nz; z++) {
            const size_t y = tile * passes->height, left = y < passes->ny ? passes->ny - y : 0;
            const size_t height = left < passes->height ? left : passes->height;
            for (size_t g = 0; g < s->levels; g++)
                memset((char *)s->grids[g] + (z * passes->ny + y) * row_bytes, 0, height * row_bytes);
        }
}

/* The reference steps the whole grid once before it goes on, in one thread's hands: the plainest order. */
static int make_passes(struct cpu_state *s, const struct problem *p, const struct choice *c)
{
    const size_t row_bytes = s->field.rows.stride * s->real * s->levels / 2; /* what two grids would have */
    const bool plain = s->kernel->needs_cells;
    return passes_make(&s->passes, p->points[1], p->points[2], row_bytes, s->threads,
                       plain ? p->points[1]
                       : c   ? (size_t)c->block[1]
                             : 0,
                       plain ? 1
                       : c   ? (size_t)c->fuse
                             : 0);
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

/* States of branches, and for a kernel that walks the map where each point's begin. */
static int make_states(struct cpu_state *s)
{
    struct field *f = &s->field;
    const struct branches *b = &f->rows.branches;
    struct numbering numbering = {f, 0};
    f->states = calloc(b->state_count + 1, s->real);
    if (!f->states)
        return -1;
    if (!s->kernel->needs_cells)
        return 0;
    f->branch_first = calloc(f->rows.count * f->rows.nx, sizeof *f->branch_first);
    if (!f->branch_first)
        return -1;
    for (size_t row = 0; row < f->rows.count; row += f->rows.ny)
        branches_visit(b, f->rows.ny, row, row + f->rows.ny, number_span, &numbering);
    return 0;
}

static void *aligned_zeros(size_t bytes)
{
    void *zeros = aligned_alloc(ROW_ALIGNMENT, bytes); /* a row: a multiple of the alignment */
    return zeros ? memset(zeros, 0, bytes) : NULL;
}

static int open_state(void **out, struct requirement *r, const struct problem *p, const struct choice *c,
                      struct error *e)
{
    if (require(r, p, c, e))
        return -1;
    uint64_t total = r->field_bytes + r->boundary_bytes + r->channel_bytes;
    if (total > r->available_bytes)
        return fail(e, ERROR_MEMORY, "this grid needs %s of memory and %s is available", memory_text(total),
                    memory_text(r->available_bytes));
    struct cpu_state *s = calloc(1, sizeof *s);
    if (!s)
        return fail(e, ERROR_MEMORY, "out of memory");
    s->kernel = find_kernel(p, c, e);
    s->functions = s->kernel->functions[p->precision];
    s->precision = p->precision;
    s->real = precision_bytes(p->precision);
    s->levels = level_count(p);
    s->threads = thread_count(p, c);
    s->field.problem = p;
    if (rows_make(&s->field.rows, p, e))
        goto fail;
    const size_t rows = s->field.rows.count, points = rows * p->points[0];
    bool good = true;
    for (size_t g = 0; g < s->levels; g++) {
        s->memory[g] = memory_large(rows * s->field.rows.stride * s->real + 2 * GRID_MARGIN + g * GRID_SKEW);
        s->grids[g] = s->memory[g] ? (char *)s->memory[g] + GRID_MARGIN + g * GRID_SKEW : NULL;
        good = good && s->grids[g];
    }
    s->field.zeros = aligned_zeros(s->field.rows.stride * s->real);
    s->absorbed = calloc(rows, sizeof *s->absorbed);
    s->saved = calloc((size_t)s->threads, sizeof *s->saved);
    good = good && s->field.zeros && s->absorbed && s->saved;
    const size_t saved = (size_t)s->field.rows.wall_most + s->field.rows.branches.most_in_plane + 1;
    for (int i = 0; good && i < s->threads; i++)
        good = (s->saved[i] = malloc(saved * s->real)) != NULL;
    if (good && s->kernel->needs_cells) {
        good = (s->field.cells = malloc(points)) != NULL;
        if (good)
            p->as.leapfrog.cells(p->as.leapfrog.voxels, 0, p->points[2], s->field.cells);
    }
    if (!good || make_states(s) || channels_make(&s->channels, p, &s->field.rows) || make_passes(s, p, c)) {
        fail(e, ERROR_MEMORY, "out of memory for a grid of %s", memory_text(total));
        goto fail;
    }
    if (s->functions.stairs && s->levels == 2 && !(s->shapes = shapes_make(&s->field.rows, &s->channels))) {
        fail(e, ERROR_MEMORY, "out of memory for a grid of %s", memory_text(total));
        goto fail;
    }
    if (body_states_make(&s->bodies, p, &s->field.rows, e))
        goto fail;
    clear_grids(s);
    *out = s;
    return 0;
fail:
    close_state(s);
    return -1;
}

/* A thread's view of a walk through some steps of a block. */
struct worker {
    struct cpu_state *state;
    const struct block *block;
    size_t first; /* of the block's steps */
    void *saved;
    struct ahead ahead;
};

/* When the rows are as they stay: what drives did, and what taps hear. */
static void end_rows(struct cpu_state *s, const struct block *b, const void *next, size_t row0, size_t row1,
                     size_t first, size_t step)
{
    if (b->drive)
        channels_after(&s->channels, next, row0, row1, b->drive + first + step, b->drive_stride);
    if (b->taps)
        channels_listen(&s->channels, next, row0, row1, step + 1);
}

static void step_rows(struct worker *worker, size_t row0, size_t row1, size_t step)
{
    struct cpu_state *s = worker->state;
    struct channels *channels = &s->channels;
    const struct block *b = worker->block;
    const double *drive = b->drive ? b->drive + worker->first + step : NULL;
    const struct kernel_functions *functions = &s->functions;
    struct field f = s->field;
    f.ahead = &worker->ahead;
    f.now = s->grids[slot_of(s->levels, step)];
    f.next = s->grids[slot_of(s->levels, step + 1)];
    f.before = s->grids[slot_of(s->levels, step + s->levels - 1)];
    void *kept = (char *)worker->saved + f.rows.wall_most * s->real;
    const bool branched = f.rows.branches.point_count > 0;
    channels_before(channels, f.before, row0, row1);
    if (branched && functions->keep)
        functions->keep(&f, row0, row1, kept);
    functions->sweep(&f, row0, row1, worker->saved);
    if (drive)
        channels_drive(channels, f.next, row0, row1, drive, b->drive_stride);
    functions->finish(&f, row0, row1, worker->saved, s->absorbed);
    if (branched && functions->branch)
        functions->branch(&f, row0, row1, kept, s->absorbed);
    if (!s->bodies)
        end_rows(s, b, f.next, row0, row1, worker->first, step);
}

/* Rows of one shape, without drives. */
static void step_alike(struct worker *worker, size_t row0, size_t row1, size_t step, size_t steps)
{
    struct cpu_state *s = worker->state;
    struct field f = s->field;
    const struct row_shape shape = shape_of(s->shapes[row0]);
    f.ahead = &worker->ahead;
    f.now = s->grids[slot_of(s->levels, step)];
    f.next = s->grids[slot_of(s->levels, step + 1)];
    s->functions.stairs(&f, &shape, row0, row1, steps, s->absorbed);
    if (!s->bodies && worker->block->taps)
        for (size_t k = 0; k < steps; k++)
            channels_listen(&s->channels, s->grids[slot_of(s->levels, step + k + 1)], row0 - k * s->field.rows.ny,
                            row1 - k * s->field.rows.ny, step + k + 1);
}

static void visit_rows(void *context, size_t row0, size_t row1, size_t step, size_t steps)
{
    struct worker *worker = context;
    const struct cpu_state *s = worker->state;
    const size_t ny = s->field.rows.ny;
    for (size_t end; row0 < row1; row0 = end) {
        bool alike = false;
        end = s->shapes ? shapes_end(s->shapes, ny, row0, row1, steps, &alike) : row1;
        if (alike)
            step_alike(worker, row0, end, step, steps);
        else
            for (size_t k = 0; k < steps; k++)
                step_rows(worker, row0 - k * ny, end - k * ny, step + k);
    }
}

/* The next wave will enter new rows of p⁻, and of p a plane further on. Asked for while this wave is at work, they are
 * in the cache by then. */
static void begin_wave(void *context, size_t row0, size_t row1, size_t step, size_t visits)
{
    struct worker *worker = context;
    const struct cpu_state *s = worker->state;
    const size_t bytes = s->field.rows.stride * s->real, further = row0 + s->field.rows.ny;
    const char *now = s->grids[slot_of(s->levels, step)], *before = s->grids[slot_of(s->levels, step + s->levels - 1)];
    const size_t lines = further < s->field.rows.count ? (row1 - row0) * bytes / ROW_ALIGNMENT : 0;
    worker->ahead = (struct ahead){.at = {now + further % s->field.rows.count * bytes, before + row0 * bytes},
                                   .lines = lines,
                                   .lines_a_row = (bytes / ROW_ALIGNMENT + visits - 1) / visits};
}

static const struct passes_work passes_work = {visit_rows, begin_wave, STAIRS_MOST};

/* After `steps` steps the grids change places. */
static void turn_grids(struct cpu_state *s, size_t steps)
{
    void *before[3];
    memcpy(before, s->grids, sizeof before);
    for (size_t i = 0; i < s->levels; i++)
        s->grids[i] = before[slot_of(s->levels, steps + s->levels - i)];
}

/* Some steps, at most STEPS_A_WALK of the block. */
static void walk(struct cpu_state *s, const struct block *b, size_t first, size_t steps)
{
    if (b->taps)
        channels_listen(&s->channels, s->grids[0], 0, s->field.rows.count, 0);
    passes_begin(&s->passes);
#pragma omp parallel num_threads(s->threads)
    {
        const float_mode mode = float_mode_flush();
        const size_t thread = (size_t)omp_get_thread_num(), team = (size_t)omp_get_num_threads();
        struct worker worker = {.state = s, .block = b, .first = first, .saved = s->saved[thread]};
        passes_walk(&s->passes, thread, team, steps, &passes_work, &worker);
        float_mode_restore(mode);
    }
    if (b->taps)
        channels_sum(&s->channels, b, first, steps);
    turn_grids(s, steps);
}

static void begin_step(struct cpu_state *s, const struct block *b)
{
    if (b->taps)
        channels_listen(&s->channels, s->grids[0], 0, s->field.rows.count, 0);
    passes_begin(&s->passes);
    bodies_before(s->bodies, s->grids[0], s->grids[slot_of(s->levels, s->levels - 1)]);
}

static void end_step(struct cpu_state *s, const struct block *b, size_t n)
{
    bodies_end(s->bodies);
    end_rows(s, b, s->grids[slot_of(s->levels, 1)], 0, s->field.rows.count, n, 0);
    if (b->taps) {
        channels_sum(&s->channels, b, n, 1);
        bodies_listen(s->bodies, b->taps + n, b->tap_stride);
    }
    turn_grids(s, 1);
}

/* Bodies touch air that any row's step may need, so with them the whole grid is stepped, then they are, each by one
 * thread. Threads meet at barriers of our own: a step may take no longer than the opening of a team. */
static void run_with_bodies(struct cpu_state *s, const struct block *b, size_t steps)
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
            passes_walk(&s->passes, thread, team, 1, &passes_work, &worker);
            barrier_wait(&barrier);
            void *next = s->grids[slot_of(s->levels, 1)];
            if (thread == 0)
                bodies_begin(s->bodies, next, b->drive ? b->drive + n : NULL, b->drive_stride);
            barrier_wait(&barrier);
            bodies_step(s->bodies, next, thread, team);
            barrier_wait(&barrier);
            if (thread == 0)
                end_step(s, b, n);
        }
        float_mode_restore(mode);
    }
}

static int run(void *state, size_t steps, const struct block *b, struct error *e)
{
    struct cpu_state *s = state;
    (void)e;
    if (s->bodies)
        run_with_bodies(s, b, steps);
    else
        for (size_t first = 0; first < steps; first += STEPS_A_WALK)
            walk(s, b, first, steps - first < STEPS_A_WALK ? steps - first : STEPS_A_WALK);
    return 0;
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
    struct field f = s->field;
    double (*row_energy)(const struct field *, size_t) =
        s->precision == PRECISION_DOUBLE ? row_energy_double : row_energy_single;
    double *energy = malloc(f.rows.count * sizeof *energy);
    if (!energy)
        return fail(e, ERROR_MEMORY, "out of memory for the energy balance");
    f.now = s->grids[0];
    f.before = f.next = s->grids[1];
#pragma omp parallel for num_threads(s->threads) schedule(static)
    for (size_t row = 0; row < f.rows.count; row++)
        energy[row] = row_energy(&f, row);
    memset(a, 0, sizeof *a);
    for (size_t row = 0; row < f.rows.count; row++) {
        a->stored += energy[row];
        a->absorbed += s->absorbed[row];
    }
    for (size_t i = 0; i < s->channels.drive_count; i++)
        a->supplied += s->channels.drives[i].supplied;
    a->stored += s->functions.branch_energy(&f);
    if (s->bodies)
        bodies_audit(s->bodies, f.now, f.before, a);
    a->balanced = s->levels == 2; /* what air takes is not followed */
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

const struct stepper cpu_leapfrog = {
    .require = require,
    .open = open_state,
    .run = run,
    .put = put,
    .get = get,
    .audit = audit,
    .plain_pass = plain_pass,
    .close = close_state,
};
