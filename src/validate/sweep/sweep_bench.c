/* SPDX-License-Identifier: MIT */
/* The seven-point sweep in three dimensions with every kernel, at a size larger than every
 * cache. */
#include <stdio.h>
#include <string.h>

#include "solver/engine.h"
#include "solver/schemes/sweep/sweep.h"
#include "validate/bench/arrays.h"
#include "validate/sweep/commands.h"

enum { SIZE = 512, FLOPS = 13 };

static void report(cJSON *rows, enum precision precision, const struct timing *t, double copy)
{
    const double points = (double)SIZE * SIZE * SIZE, real = (double)precision_bytes(precision);
    const double rate = points / t->step, bytes = 2.0 * real * rate;
    char block[32];
    if (!rows) {
        printf("%-7s %-12s %-10s %10.3f %10.1f %10.1f %10.1f%% %10.1f\n", precision_names[precision], t->plan.kernel,
               arrays_block(block, &t->plan), 1e3 * t->step, 1e-9 * rate, 1e-9 * bytes, 100.0 * bytes / copy,
               1e-9 * FLOPS * rate);
        fflush(stdout);
        return;
    }
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "precision", precision_names[precision]);
    cJSON_AddStringToObject(row, "kernel", t->plan.kernel);
    cJSON_AddStringToObject(row, "block", arrays_block(block, &t->plan));
    cJSON_AddNumberToObject(row, "seconds", t->step);
    cJSON_AddNumberToObject(row, "points_per_second", rate);
    cJSON_AddNumberToObject(row, "bytes_per_second", bytes);
    cJSON_AddNumberToObject(row, "share_of_copy", bytes / copy);
    cJSON_AddItemToArray(rows, row);
}

static int measure(const struct bench_settings *o, const struct engine *engine, enum precision precision, double copy,
                   cJSON *rows, size_t *measured, struct error *e)
{
    const char *kernel;
    for (size_t k = 0; (kernel = arrays_kernel(engine, &sweep_scheme, k, &o->choice)); k++) {
        static const struct sweep_problem sweep = {3, 1, {0.4, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}};
        const struct problem p = {
            .scheme = &sweep_scheme, .parameters = &sweep, .points = {SIZE, SIZE, SIZE}, .precision = precision};
        struct solver_options c = o->choice;
        struct timing t;
        c.engine = engine->name;
        c.kernel = *kernel ? kernel : NULL;
        if (arrays_time(&t, &p, &c, e))
            return -1;
        if (t.applies) {
            report(rows, precision, &t, copy);
            ++*measured;
        }
    }
    return 0;
}

static int run(const struct bench_settings *o, struct error *e)
{
    const struct engine *engine = solver_engine(&o->choice, e);
    double copy;
    size_t measured = 0;
    if (!engine || arrays_check_options(o, e) || engine->copy_bandwidth(&copy, &o->choice, e))
        return -1;
    cJSON *rows = o->json ? cJSON_CreateArray() : NULL;
    if (!rows)
        printf("Seven-point sweep, %d^3 points, %s engine; copy bandwidth %.1f GB/s\nbandwidth counts one read and one "
               "write per value; median of 5 runs\n\n%-7s %-12s %-10s %10s %10s %10s %11s %10s\n",
               SIZE, engine->name, 1e-9 * copy, "", "kernel", "block", "time ms", "Gpoint/s", "GB/s", "of copy",
               "GFLOP/s");
    if (measure(o, engine, PRECISION_SINGLE, copy, rows, &measured, e) ||
        measure(o, engine, PRECISION_DOUBLE, copy, rows, &measured, e) || !measured) {
        cJSON_Delete(rows);
        return -1;
    }
    return o->json ? json_print(rows, e) : 0;
}

const struct benchmark benchmark_sweep = {"sweep", "the seven-point sweep at 512^3 with each kernel", run};
