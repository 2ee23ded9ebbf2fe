/* The CPU engine's leapfrog solvers: memory requirement, opening, put and get. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cpu/float_mode.h"
#include "cpu/leapfrog_state.h"
#include "cpu/row_shapes.h"
#include "cpu/waiting.h"
#include "schemes/bodies/bodies.h"
#include "solver/find_kernel.h"
#include "solver/scheme.h"

/* Offset between grids: at a multiple of the page size, p and p⁻ would share cache sets and alias in the store queue. */
enum { GRID_SKEW = 2048 + 64, GRID_PADDING = ROW_ALIGNMENT };

static const struct kernel *const *table_of(const struct problem *p)
{
    return leapfrog_of(p)->stencil == STENCIL_19_POINT ? scheme19_kernels : kernels;
}

static const char *kernel_of_table(const void *problem, size_t index, const char **reason)
{
    const struct kernel *k = table_of(problem)[index];
    *reason = k ? k->applicable(problem) : NULL;
    return k ? k->name : NULL;
}

static const struct kernel *choose_kernel(const struct problem *p, const struct choice *c, struct error *e)
{
    const struct kernel_table table = {"cpu", NULL, kernel_of_table, p};
    size_t index;
    return find_kernel(&index, &table, c ? c->kernel : NULL, e) ? NULL : table_of(p)[index];
}

static int thread_count(const struct problem *p, const struct choice *c)
{
    int threads = c && c->threads > 0 ? c->threads : omp_get_max_threads();
    size_t rows = p->points[1] * p->points[2];
    return (size_t)threads > rows ? (int)rows : threads;
}

static size_t level_count(const struct problem *p)
{
    return leapfrog_of(p)->viscosity > 0.0 ? 3 : 2;
}

/* A requested tile or depth is used exactly or refused. */
static int check_time_block(const struct kernel *kernel, const struct choice *c, struct error *e)
{
    if (c && c->in_place)
        return fail(e, ERROR_ENGINE, "--in-place: passes of the cpu engine need no more memory than single steps");
    if (!c || (!c->time_block && !c->block[1]))
        return 0;
    if (kernel->needs_cells)
        return fail(e, ERROR_ENGINE, "the %s kernel has one order of its own: without --time-block and --block",
                    kernel->name);
    if (c->time_block > DEPTH_MAX)
        return fail(e, ERROR_USAGE, "--time-block %d: the cpu engine takes 1 to %d steps in a pass", c->time_block,
                    DEPTH_MAX);
    if (c->block[1] && c->time_block > c->block[1])
        return fail(e, ERROR_USAGE,
                    "--time-block %d --block %dx%dx%d: tiles of %d rows can take at most %d steps in a pass",
                    c->time_block, c->block[0], c->block[1], c->block[2], c->block[1], c->block[1]);
    return 0;
}

/* Values from a row to the next. Columns of vectors must not share the sets of the first-level cache, of which a way is
 * 4 KiB on common processors: their rows take an odd number of cache lines. */
static size_t stride_of(const struct problem *p, const struct kernel *kernel)
{
    const size_t stride = rows_stride(p->points[0], p->precision), line = ROW_ALIGNMENT / precision_bytes(p->precision);
    return kernel->functions[p->precision].sweep_planes && stride % (2 * line) == 0 ? stride + line : stride;
}

static int require(struct requirement *r, const struct problem *p, const struct choice *c, struct error *e)
{
    const struct kernel *kernel = choose_kernel(p, c, e);
    if (!kernel || check_time_block(kernel, c, e))
        return -1;
    const uint64_t points = (uint64_t)p->points[0] * p->points[1] * p->points[2];
    const uint64_t rows = (uint64_t)p->points[1] * p->points[2];
    r->engine = "cpu";
    r->kernel = kernel->name;
    r->available_bytes = memory_available();
    const uint64_t grid = stride_of(p, kernel) * rows * precision_bytes(p->precision);
    r->field_bytes = level_count(p) * (grid + 2 * GRID_PADDING + GRID_SKEW);
    r->channel_bytes = channels_bytes(p) + bodies_bytes(leapfrog_of(p)->bodies);
    if (r->field_bytes > r->available_bytes)
        return 0;
    struct branches branches;
    int status = rows_count(&r->boundary_bytes, &r->air_points, &r->wall_points, &branches, p, e);
    const uint64_t layout = status ? 0 : branch_layout_bytes(&branches, p->points[1], rows, p->precision);
    if (layout == UINT64_MAX)
        status = fail(e, ERROR_MEMORY, "out of memory for the walls");
    r->boundary_bytes += layout;
    branches_free(&branches);
    if (status)
        return -1;
    r->boundary_bytes += rows * (sizeof(double) + 4 * sizeof(uint64_t)) + /* energy, shapes, starts of walls */
                         (kernel->needs_cells ? points * (1 + sizeof(uint32_t)) : 0);
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
    skewed_tiles_free(&s->tiles);
    channels_free(&s->channels);
    body_states_free(s->bodies);
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

/* Each row is first touched by the thread that will step it. */
static void clear_grids(struct cpu_state *s)
{
    const struct skewed_tiles *t = &s->tiles;
    const size_t row_bytes = s->field.rows.stride * s->real;
#pragma omp parallel for num_threads(s->threads) schedule(static, 1)
    for (size_t tile = 0; tile < t->count; tile++)
        for (size_t z = 0; z < t->nz; z++) {
            const size_t y = t->bounds[tile], end = t->bounds[tile + 1] < t->ny ? t->bounds[tile + 1] : t->ny;
            const size_t height = end > y ? end - y : 0;
            for (size_t g = 0; g < s->levels; g++)
                memset((char *)s->grids[g] + (z * t->ny + y) * row_bytes, 0, height * row_bytes);
        }
}

/* Cost of each row of y in all planes: a point of air 1, a branch of a point of a wall about as much (1 to 1.5 measured).
 * [ny], to be freed; NULL when out of memory. */
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

/* The reference steps the whole grid step by step in one thread. */
static int make_tiles(struct cpu_state *s, const struct problem *p, const struct choice *c)
{
    const size_t row_bytes = s->field.rows.stride * s->real * s->levels / 2; /* size that two grids would have */
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

/* Memory for the states of branches and, for a kernel that reads the map, the index of each point's first state. */
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
        memset(f->states, 0, bytes);
        return 0;
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

/* bytes: a multiple of the alignment */
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
    s->kernel = choose_kernel(p, c, e);
    s->functions = s->kernel->functions[p->precision];
    s->precision = p->precision;
    s->real = precision_bytes(p->precision);
    s->levels = level_count(p);
    s->threads = thread_count(p, c);
    s->field.problem = p;
    if (rows_make(&s->field.rows, p, e))
        goto fail;
    s->field.rows.stride = stride_of(p, s->kernel);
    const size_t rows = s->field.rows.count, points = rows * p->points[0];
    bool good = true;
    for (size_t g = 0; g < s->levels; g++) {
        s->memory[g] = memory_large(rows * s->field.rows.stride * s->real + 2 * GRID_PADDING + g * GRID_SKEW);
        s->grids[g] = s->memory[g] ? (char *)s->memory[g] + GRID_PADDING + g * GRID_SKEW : NULL;
        good = good && s->grids[g];
    }
    s->field.zeros = aligned_zeros(s->field.rows.stride * s->real);
    s->absorbed = calloc(rows, sizeof *s->absorbed);
    s->saved = calloc((size_t)s->threads, sizeof *s->saved);
    good = good && s->field.zeros && s->absorbed && s->saved;
    if (good && s->kernel->needs_cells) {
        good = (s->field.cells = malloc(points)) != NULL; /* at least one for each voxel */
        if (good)
            voxel_set_write_cells(leapfrog_of(p)->voxels, s->field.cells);
    }
    if (!good || make_states(s) || make_saved(s) || channels_make(&s->channels, p, &s->field.rows) ||
        make_tiles(s, p, c)) {
        fail(e, ERROR_MEMORY, "out of memory for a grid of %s", memory_text(total));
        goto fail;
    }
    if (s->functions.unrolled && s->levels == 2 && !(s->shapes = row_shapes_make(&s->field.rows, &s->channels))) {
        fail(e, ERROR_MEMORY, "out of memory for a grid of %s", memory_text(total));
        goto fail;
    }
    s->field.columns = &s->columns;
    if (s->functions.sweep_planes &&
        corner_columns_make(&s->columns, &s->field.rows, s->kernel->vector_bytes / s->real)) {
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
    double (*const energies[][2])(const struct field *, size_t) = {
        [STENCIL_7_POINT] = {row_energy_single, row_energy_double},
        [STENCIL_19_POINT] = {scheme19_row_energy_single, scheme19_row_energy_double}};
    double (*row_energy)(const struct field *, size_t) = energies[f.rows.stencil][s->precision];
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
    a->balanced = s->levels == 2; /* losses of the air are not summed */
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
    .run = leapfrog_run,
    .put = put,
    .get = get,
    .audit = audit,
    .plain_pass = plain_pass,
    .close = close_state,
};
