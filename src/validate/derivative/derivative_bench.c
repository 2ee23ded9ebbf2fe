/* SPDX-License-Identifier: MIT */
/* The eighth-order derivative along x, y and z, at the published size and at one larger than
 * every cache. */
#include <stdio.h>
#include <string.h>

#include "solver/engine.h"
#include "solver/schemes/derivative/derivative.h"
#include "validate/bench/arrays.h"
#include "validate/derivative/commands.h"

static const size_t sizes[] = {64, 512};
static const char *const axis_names[] = {"x", "y", "z"};

/* Points along the axis and pencils of the published tiles. */
struct shape_of_block {
    int threads[3];
};
static const struct shape_of_block tiles[] = {{{64, 4, 1}}, {{64, 1, 1}}};
enum { TILES = sizeof tiles / sizeof *tiles };

struct place {
    const struct bench_settings *settings;
    const struct engine *engine;
    double copy; /* bytes per second */
    cJSON *rows; /* with --json */
    size_t *measured;
};

static void report(const struct place *place, const struct problem *p, const struct timing *t)
{
    const double n = (double)p->points[0], real = (double)precision_bytes(p->precision);
    const double bytes = 2.0 * n * n * n * real / t->step;
    char block[32];
    ++*place->measured;
    if (!place->rows) {
        printf("%4zu^3 %-7s %s  %-12s %-10s %11.2f %10.2f %10.1f%%\n", p->points[0], precision_names[p->precision],
               axis_names[derivative_of(p)->axis], t->plan.kernel, arrays_block(block, &t->plan), 1e6 * t->step,
               1e-9 * bytes, 100.0 * bytes / place->copy);
        fflush(stdout);
        return;
    }
    cJSON *row = cJSON_CreateObject();
    cJSON_AddNumberToObject(row, "points_along_axis", n);
    cJSON_AddStringToObject(row, "precision", precision_names[p->precision]);
    cJSON_AddStringToObject(row, "axis", axis_names[derivative_of(p)->axis]);
    cJSON_AddStringToObject(row, "kernel", t->plan.kernel);
    cJSON_AddStringToObject(row, "block", arrays_block(block, &t->plan));
    cJSON_AddNumberToObject(row, "seconds", t->step);
    cJSON_AddNumberToObject(row, "bytes_per_second", bytes);
    cJSON_AddNumberToObject(row, "share_of_copy", bytes / place->copy);
    cJSON_AddItemToArray(place->rows, row);
}

static int measure_kernel(const struct place *place, const struct problem *p, const char *kernel,
                          const struct shape_of_block *block, struct error *e)
{
    struct solver_options c = place->settings->choice;
    struct timing t;
    c.engine = place->engine->name;
    c.kernel = *kernel ? kernel : NULL;
    if (block)
        memcpy(c.block, block->threads, sizeof c.block);
    if (arrays_time(&t, p, &c, e))
        return -1;
    if (t.applies)
        report(place, p, &t);
    return 0;
}

static int measure(const struct place *place, size_t n, enum precision precision, struct error *e)
{
    for (int axis = 0; axis < 3; axis++) {
        const struct derivative_problem d = {axis, 1.0 / (double)(n - 1)};
        const struct problem p = {
            .scheme = &derivative_scheme, .parameters = &d, .points = {n, n, n}, .precision = precision};
        const char *kernel;
        for (size_t k = 0; (kernel = arrays_kernel(place->engine, &derivative_scheme, k, &place->settings->choice));
             k++) {
            const bool as_published = !strcmp(kernel, "pencils") && !place->settings->choice.block[0];
            for (int i = 0; i < (as_published ? TILES : 1); i++)
                if (measure_kernel(place, &p, kernel, as_published ? &tiles[i] : NULL, e))
                    return -1;
        }
    }
    return 0;
}

static int run(const struct bench_settings *o, struct error *e)
{
    size_t measured = 0;
    struct place place = {.settings = o, .engine = solver_engine(&o->choice, e), .measured = &measured};
    if (!place.engine || arrays_check_options(o, e) || place.engine->copy_bandwidth(&place.copy, &o->choice, e))
        return -1;
    place.rows = o->json ? cJSON_CreateArray() : NULL;
    if (!place.rows)
        printf("Nine-point derivative on a periodic grid, %s engine; copy bandwidth %.1f GB/s\nbandwidth counts one "
               "read and one write per value; median of 5 runs; published (C2050, single, 64^3, x, 64 x 4 tile): 33.69 "
               "us, 57.97 GB/s\n\n%-6s %-7s %s  %-12s %-10s %11s %10s %11s\n",
               place.engine->name, 1e-9 * place.copy, "grid", "", "", "kernel", "block", "time us", "GB/s", "of copy");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int precision = PRECISION_SINGLE; precision <= PRECISION_DOUBLE; precision++)
            if (measure(&place, sizes[i], (enum precision)precision, e)) {
                cJSON_Delete(place.rows);
                return -1;
            }
    if (!measured) /* no kernel applied: *e holds the last reason */
        return -1;
    return o->json ? json_print(place.rows, e) : 0;
}

const struct benchmark benchmark_derivative = {"derivative", "the eighth-order derivative at 64^3 and 512^3", run};
