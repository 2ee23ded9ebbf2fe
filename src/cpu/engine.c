/* The CPU engine: memory, threads, drives and taps around the kernels. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "cpu/barrier.h"
#include "cpu/float_mode.h"
#include "cpu/kernel.h"
#include "scheme/scheme.h"

/* A drive entry in the order of its row. */
struct drive_point {
    size_t at; /* in the padded grid */
    size_t row, channel;
    double weight;
    double before;   /* p^{n-1} there, during a step */
    double supplied; /* work done so far */
};

struct cpu_state {
    struct field field;
    const struct kernel *kernel;
    struct kernel_functions functions;
    enum precision precision;
    size_t real;    /* bytes of a value */
    void *grids[2]; /* 0: p^n, 1: p^{n-1}, swapped with each step; inside `memory` */
    void *memory[2];
    int threads;
    size_t *thread_rows; /* [threads + 1]: equal shares of the air */
    void **saved;        /* [threads][rows.wall_most] */
    size_t strip;        /* rows of a plane that stay in the cache while z advances */
    double *absorbed;    /* [rows], so that the sum does not depend on the threads */
    struct drive_point *drives;
    size_t drive_count;
};

/* A multiple of the page size apart, p and p⁻ would fall on the same cache sets and look alike to the store queue. */
enum { GRID_SKEW = 2048 + 64, GRID_MARGIN = ROW_ALIGNMENT };

static const char *unavailable(void)
{
    return NULL;
}

static const struct kernel *find_kernel(const struct problem *p, const struct choice *c, struct error *e)
{
    const char *names[16];
    size_t count = 0;
    const char *wanted = c ? c->kernel : NULL;
    for (size_t i = 0; kernels[i]; i++) {
        if (kernels[i]->scheme != p->scheme)
            continue;
        const char *reason = kernels[i]->applicable(p);
        names[count++] = kernels[i]->name;
        if (wanted ? strcmp(wanted, kernels[i]->name) != 0 : reason != NULL)
            continue;
        if (!reason)
            return kernels[i];
        fail(e, ERROR_ENGINE, "the %s kernel cannot run this: %s", wanted, reason);
        return NULL;
    }
    ptrdiff_t closest = wanted ? text_closest(wanted, names, count) : -1;
    fail(e, ERROR_USAGE, "--kernel %s: the cpu engine has no such kernel%s%s", wanted ? wanted : "",
         closest < 0 ? "" : "; did you mean ", closest < 0 ? "" : names[closest]);
    return NULL;
}

static int thread_count(const struct problem *p, const struct choice *c)
{
    int threads = c && c->threads > 0 ? c->threads : omp_get_max_threads();
    size_t rows = p->points[1] * p->points[2];
    return (size_t)threads > rows ? (int)rows : threads;
}

static size_t real_size(enum precision precision)
{
    return precision == PRECISION_DOUBLE ? sizeof(double) : sizeof(float);
}

static size_t entry_total(const struct channel *channels, size_t count)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += channels[i].count;
    return total;
}

static int require(struct requirement *r, const struct problem *p, const struct choice *c, struct error *e)
{
    const struct kernel *kernel = find_kernel(p, c, e);
    const uint64_t points = (uint64_t)p->points[0] * p->points[1] * p->points[2];
    const uint64_t rows = (uint64_t)p->points[1] * p->points[2];
    if (!kernel)
        return -1;
    r->engine = "cpu";
    r->kernel = kernel->name;
    r->available_bytes = memory_available();
    r->field_bytes =
        2 * (rows_stride(p->points[0], p->precision) * rows * real_size(p->precision) + 2 * GRID_MARGIN) + GRID_SKEW;
    r->channel_bytes = entry_total(p->drives, p->drive_count) * sizeof(struct drive_point);
    if (r->field_bytes > r->available_bytes)
        return 0;
    if (rows_count(&r->boundary_bytes, &r->air_points, &r->wall_points, p, e))
        return -1;
    r->boundary_bytes += rows * sizeof(double) + (kernel->needs_cells ? points : 0);
    return 0;
}

/* Canonical index to index in the padded grid. */
static size_t padded(const struct cpu_state *s, uint64_t point)
{
    const struct rows *rows = &s->field.rows;
    return point / rows->nx * rows->stride + point % rows->nx;
}

static double value_at(const struct cpu_state *s, const void *grid, size_t at)
{
    return s->precision == PRECISION_DOUBLE ? ((const double *)grid)[at] : (double)((const float *)grid)[at];
}

static void add_to(const struct cpu_state *s, void *grid, size_t at, double value)
{
    if (s->precision == PRECISION_DOUBLE)
        ((double *)grid)[at] += value;
    else
        ((float *)grid)[at] += (float)value;
}

static void close_state(void *state)
{
    struct cpu_state *s = state;
    if (!s)
        return;
    for (int i = 0; s->saved && i < s->threads; i++)
        free(s->saved[i]);
    free(s->saved);
    free(s->memory[0]);
    free(s->memory[1]);
    free(s->thread_rows);
    free(s->absorbed);
    free(s->drives);
    free(s->field.cells);
    free((void *)s->field.zeros);
    rows_free(&s->field.rows);
    free(s);
}

/* Contiguous rows for each thread, with equal numbers of air points. */
static void share_rows(struct cpu_state *s)
{
    const struct rows *rows = &s->field.rows;
    uint64_t seen = 0;
    int thread = 0;
    s->thread_rows[0] = 0;
    for (size_t row = 0; row < rows->count; row++) {
        while (thread + 1 < s->threads && seen >= rows->air_points * (uint64_t)(thread + 1) / (uint64_t)s->threads &&
               seen > 0)
            s->thread_rows[++thread] = row;
        for (uint64_t r = rows->run_start[row]; r < rows->run_start[row + 1]; r++)
            seen += rows->runs[r].length;
    }
    while (thread < s->threads)
        s->thread_rows[++thread] = rows->count;
}

/* Rows of a plane such that three planes of each thread's strip fit in half of the last cache. Higher strips mean
 * longer streams: on Webb's grid whole planes in the third-level cache beat strips for the second-level cache. */
static size_t strip_height(const struct cpu_state *s)
{
    long level3 = sysconf(_SC_LEVEL3_CACHE_SIZE), level2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
    size_t share = level3 > 0 ? (size_t)level3 / (size_t)s->threads : 0;
    size_t cache = level2 > 0 && (size_t)level2 > share ? (size_t)level2 : share;
    size_t bytes = cache > 0 ? cache : (size_t)1 << 20;
    size_t height = bytes / 2 / (3 * s->field.rows.stride * s->real);
    return height < 8 ? 8 : height;
}

static int by_point(const void *a, const void *b)
{
    const struct drive_point *p = a, *q = b;
    if (p->at != q->at)
        return p->at < q->at ? -1 : 1;
    return (p->channel > q->channel) - (p->channel < q->channel);
}

static int collect_drives(struct cpu_state *s, const struct problem *p)
{
    s->drive_count = entry_total(p->drives, p->drive_count);
    s->drives = calloc(s->drive_count + 1, sizeof *s->drives);
    if (!s->drives)
        return -1;
    size_t n = 0;
    for (size_t c = 0; c < p->drive_count; c++)
        for (size_t i = 0; i < p->drives[c].count; i++) {
            const struct channel_entry *entry = &p->drives[c].entries[i];
            s->drives[n++] = (struct drive_point){.at = padded(s, entry->point),
                                                  .row = (size_t)(entry->point / p->points[0]),
                                                  .channel = c,
                                                  .weight = entry->weight};
        }
    qsort(s->drives, s->drive_count, sizeof *s->drives, by_point);
    return 0;
}

static void clear_grids(struct cpu_state *s)
{
    const size_t row_bytes = s->field.rows.stride * s->real;
#pragma omp parallel num_threads(s->threads)
    { /* the thread that steps a row is the first to touch it */
        for (int t = omp_get_thread_num(); t < s->threads; t += omp_get_num_threads())
            for (int g = 0; g < 2; g++)
                memset((char *)s->grids[g] + s->thread_rows[t] * row_bytes, 0,
                       (s->thread_rows[t + 1] - s->thread_rows[t]) * row_bytes);
    }
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
    s->real = real_size(p->precision);
    s->threads = thread_count(p, c);
    s->field.problem = p;
    if (rows_make(&s->field.rows, p, e))
        goto fail;
    const size_t rows = s->field.rows.count, points = rows * p->points[0];
    for (size_t g = 0; g < 2; g++) {
        s->memory[g] = memory_large(rows * s->field.rows.stride * s->real + 2 * GRID_MARGIN + g * GRID_SKEW);
        s->grids[g] = s->memory[g] ? (char *)s->memory[g] + GRID_MARGIN + g * GRID_SKEW : NULL;
    }
    s->field.zeros = calloc(s->field.rows.stride, s->real);
    s->absorbed = calloc(rows, sizeof *s->absorbed);
    s->thread_rows = calloc((size_t)s->threads + 1, sizeof *s->thread_rows);
    s->saved = calloc((size_t)s->threads, sizeof *s->saved);
    bool good = s->grids[0] && s->grids[1] && s->field.zeros && s->absorbed && s->thread_rows && s->saved;
    for (int i = 0; good && i < s->threads; i++)
        good = (s->saved[i] = malloc((s->field.rows.wall_most + 1) * s->real)) != NULL;
    if (good && s->kernel->needs_cells) {
        good = (s->field.cells = malloc(points)) != NULL;
        if (good)
            p->as.leapfrog.cells(p->as.leapfrog.voxels, 0, p->points[2], s->field.cells);
    }
    if (!good || collect_drives(s, p)) {
        fail(e, ERROR_MEMORY, "out of memory for a grid of %s", memory_text(total));
        goto fail;
    }
    share_rows(s);
    s->strip = strip_height(s);
    clear_grids(s);
    *out = s;
    return 0;
fail:
    close_state(s);
    return -1;
}

/* First drive at or after `row`. */
static size_t first_drive(const struct cpu_state *s, size_t row)
{
    size_t low = 0, high = s->drive_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->drives[middle].row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* One step of some rows of one plane. The field is this thread's own view of it. */
static void step_rows(struct cpu_state *s, const struct field *f, size_t row0, size_t row1, void *saved,
                      const struct block *b, size_t n)
{
    size_t first = first_drive(s, row0), end = first;
    for (; end < s->drive_count && s->drives[end].row < row1; end++)
        s->drives[end].before = value_at(s, f->next, s->drives[end].at);
    s->functions.sweep(f, row0, row1, saved);
    for (size_t i = first; b->drive && i < end; i++)
        add_to(s, f->next, s->drives[i].at, s->drives[i].weight * b->drive[s->drives[i].channel * b->drive_stride + n]);
    s->functions.finish(f, row0, row1, saved, s->absorbed);
    for (size_t i = first; b->drive && i < end; i++) {
        struct drive_point *d = &s->drives[i];
        double change = value_at(s, f->next, d->at) - d->before;
        d->supplied += 0.5 * d->weight * b->drive[d->channel * b->drive_stride + n] * change;
    }
}

/* One step of a thread's share: strips of y, so that three planes of a strip stay in the cache while z advances. */
static void step_share(struct cpu_state *s, const struct field *f, size_t first, size_t end, void *saved,
                       const struct block *b, size_t n)
{
    const size_t ny = f->rows.ny;
    if (first >= end)
        return;
    for (size_t y = 0; y < ny; y += s->strip)
        for (size_t z = first / ny; z <= (end - 1) / ny; z++) {
            size_t row0 = z * ny + y, row1 = z * ny + (y + s->strip < ny ? y + s->strip : ny);
            row0 = row0 < first ? first : row0;
            row1 = row1 > end ? end : row1;
            if (row0 < row1)
                step_rows(s, f, row0, row1, saved, b, n);
        }
}

static void read_taps(const struct cpu_state *s, const void *grid, int level, const struct block *b, size_t n)
{
    const struct problem *p = s->field.problem;
    for (size_t c = 0; c < p->tap_count; c++) {
        double sum = level == 0 ? 0.0 : b->taps[c * b->tap_stride + n];
        for (size_t i = 0; i < p->taps[c].count; i++)
            if (p->taps[c].entries[i].level == level)
                sum += p->taps[c].entries[i].weight * value_at(s, grid, padded(s, p->taps[c].entries[i].point));
        b->taps[c * b->tap_stride + n] = sum;
    }
}

static int run(void *state, size_t steps, const struct block *b, struct error *e)
{
    struct cpu_state *s = state;
    struct barrier barrier = {.threads = 0};
    (void)e;
#pragma omp parallel num_threads(s->threads)
    {
#pragma omp single
        barrier.threads = omp_get_num_threads(); /* single ends in a barrier of its own */
        const float_mode mode = float_mode_flush();
        const int thread = omp_get_thread_num(), team = omp_get_num_threads();
        struct field f = s->field;
        for (size_t n = 0; n < steps; n++) {
            f.now = s->grids[n & 1];
            f.next = s->grids[~n & 1];
            if (thread == 0 && b->taps) /* nobody writes p^n during step n, so reading needs no barrier of its own */
                read_taps(s, f.now, 0, b, n);
            for (int t = thread; t < s->threads; t += team) /* a smaller team than asked for does all shares */
                step_share(s, &f, s->thread_rows[t], s->thread_rows[t + 1], s->saved[t], b, n);
            barrier_wait(&barrier);
            if (thread == 0 && b->taps)
                read_taps(s, f.next, 1, b, n);
        }
        float_mode_restore(mode);
    }
    if (steps & 1) {
        void *swap = s->grids[0];
        s->grids[0] = s->grids[1];
        s->grids[1] = swap;
    }
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
    f.next = s->grids[1];
#pragma omp parallel for num_threads(s->threads) schedule(static)
    for (size_t row = 0; row < f.rows.count; row++)
        energy[row] = row_energy(&f, row);
    memset(a, 0, sizeof *a);
    for (size_t row = 0; row < f.rows.count; row++) {
        a->stored += energy[row];
        a->absorbed += s->absorbed[row];
    }
    for (size_t i = 0; i < s->drive_count; i++)
        a->supplied += s->drives[i].supplied;
    a->balanced = true;
    free(energy);
    return 0;
}

static void describe(char *text, size_t size)
{
    char model[256] = "processor", line[512];
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "model name : %255[^\n]", model) == 1)
            break;
    if (f)
        fclose(f);
    const struct problem any = {.points = {1, 1, 1}};
    const char *kernel = "none";
    for (size_t i = 0; kernels[i]; i++)
        if (!kernels[i]->applicable(&any)) {
            kernel = kernels[i]->name;
            break;
        }
    snprintf(text, size, "%s, %d threads, kernel %s", model, omp_get_max_threads(), kernel);
}

static int plain_pass(void *state, size_t passes, struct error *e)
{
    struct cpu_state *s = state;
    void (*loop)(void *, const void *, size_t) =
        s->precision == PRECISION_DOUBLE ? plain_loop_double : plain_loop_single;
    const size_t stride = s->field.rows.stride;
    struct barrier barrier = {.threads = 0};
    (void)e;
#pragma omp parallel num_threads(s->threads)
    {
#pragma omp single
        barrier.threads = omp_get_num_threads();
        const float_mode mode = float_mode_flush();
        for (size_t n = 0; n < passes; n++) {
            for (int t = omp_get_thread_num(); t < s->threads; t += omp_get_num_threads()) {
                const size_t first = s->thread_rows[t] * stride, count = s->thread_rows[t + 1] * stride - first;
                loop((char *)s->grids[1] + first * s->real, (const char *)s->grids[0] + first * s->real, count);
            }
            barrier_wait(&barrier);
        }
        float_mode_restore(mode);
    }
    return 0;
}

static const char *kernel_name(size_t index)
{
    size_t count = 0;
    while (kernels[count])
        count++;
    return index < count ? kernels[index]->name : NULL;
}

const struct engine cpu_engine = {
    .name = "cpu",
    .unavailable = unavailable,
    .require = require,
    .open = open_state,
    .run = run,
    .put = put,
    .get = get,
    .audit = audit,
    .plain_pass = plain_pass,
    .close = close_state,
    .describe = describe,
    .kernel_name = kernel_name,
};
