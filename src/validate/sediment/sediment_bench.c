/* SPDX-License-Identifier: MIT */
/* Tables 2 and 3 of Su et al. (2013) on this machine: 4096 x 4096 points in double precision,
 * their variant (4) of the equation for s; kernels for h, for s, and for both together. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solver/engine.h"
#include "solver/schemes/sediment/sediment.h"
#include "validate/bench/arrays.h"
#include "validate/sediment/checks.h"

enum { SIZE = 4096 };

struct published {
    const char *kernel;
    double k20[2], gtx590[2]; /* GFLOP/s of h and s */
};
static const struct published published[] = {
    {"baseline", {88.43, 67.99}, {76.46, 72.23}},
    {"opt-1", {178.69, 122.78}, {81.36, 75.11}},
    {"opt-2", {182.36, 112.84}, {76.98, 56.49}},
    {"opt-3", {190.45, 110.55}, {87.97, 60.39}},
};

static const struct published *published_of(const char *kernel)
{
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        if (!strcmp(published[i].kernel, kernel))
            return &published[i];
    return NULL;
}

static struct sediment_problem basin(enum sediment_part part)
{
    struct sediment_problem s = {
        .part = part, .spacing = {1.0, 1.0}, .layer = 1.0, .compaction = {1.0, 1.0}, .mobility_max = 1.0};
    s.time_step = 0.5 * sediment_step_limit(&s);
    return s;
}

static const char *const part_names[] = {[SEDIMENT_H] = "h", [SEDIMENT_S] = "s", [SEDIMENT_BOTH] = "h and s"};
static const int flops[] = {[SEDIMENT_H] = SEDIMENT_FLOPS_H,
                            [SEDIMENT_S] = SEDIMENT_FLOPS_S,
                            [SEDIMENT_BOTH] = SEDIMENT_FLOPS_H + SEDIMENT_FLOPS_S};
static const double bytes[] = {[SEDIMENT_H] = 40.0, [SEDIMENT_S] = 40.0, [SEDIMENT_BOTH] = 48.0};

static void report(cJSON *rows, enum sediment_part part, const struct timing *t, double copy)
{
    const double rate = (double)SIZE * SIZE / t->step, share = bytes[part] * rate / copy;
    const struct published *paper = part == SEDIMENT_BOTH ? NULL : published_of(t->plan.kernel);
    if (!rows) {
        printf("%-8s %-14s %9.1f %9.1f %9.0f %9.1f%% %9d %9d %9.3f", part_names[part], t->plan.kernel, 1e6 * t->step,
               1e-9 * rate, 1e-9 * flops[part] * rate, 100.0 * share, t->plan.cuda.registers, t->plan.cuda.shared_bytes,
               t->plan.cuda.occupancy);
        if (paper)
            printf(" %9.2f %9.2f", paper->k20[part - 1], paper->gtx590[part - 1]);
        printf("\n");
        fflush(stdout);
        return;
    }
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "part", part_names[part]);
    cJSON_AddStringToObject(row, "kernel", t->plan.kernel);
    cJSON_AddNumberToObject(row, "seconds", t->step);
    cJSON_AddNumberToObject(row, "points_per_second", rate);
    cJSON_AddNumberToObject(row, "flops_per_second", flops[part] * rate);
    cJSON_AddNumberToObject(row, "share_of_copy", share);
    cJSON_AddNumberToObject(row, "registers_per_thread", t->plan.cuda.registers);
    cJSON_AddNumberToObject(row, "shared_bytes_per_block", t->plan.cuda.shared_bytes);
    cJSON_AddNumberToObject(row, "occupancy", t->plan.cuda.occupancy);
    if (paper) {
        cJSON_AddNumberToObject(row, "published_flops_per_second_k20", 1e9 * paper->k20[part - 1]);
        cJSON_AddNumberToObject(row, "published_flops_per_second_gtx590", 1e9 * paper->gtx590[part - 1]);
    }
    cJSON_AddItemToArray(rows, row);
}

/* The shortest times over the kernels; `fused` is for kernels that step h and s together. */
struct min {
    double separate[3], fused; /* by part */
    size_t measured;
};

static int measure(struct min *min, enum sediment_part part, const struct bench_settings *o,
                   const struct engine *engine, double copy, cJSON *rows, struct error *e)
{
    const struct sediment_problem parameters = basin(part);
    const struct problem p = {.scheme = &sediment_scheme,
                              .parameters = &parameters,
                              .points = {SIZE, SIZE, 1},
                              .precision = PRECISION_DOUBLE};
    const char *kernel;
    min->separate[part == SEDIMENT_BOTH ? 0 : part] = NAN;
    for (size_t k = 0; (kernel = arrays_kernel(engine, &sediment_scheme, k, &o->choice)); k++) {
        struct solver_options c = o->choice;
        struct timing t;
        c.engine = engine->name;
        c.kernel = *kernel ? kernel : NULL;
        if (part == SEDIMENT_BOTH && strcmp(kernel, "fused") != 0)
            continue; /* kernels that step h and then s were timed separately for each part */
        if (arrays_time(&t, &p, &c, e))
            return -1;
        if (!t.applies)
            continue;
        report(rows, part, &t, copy);
        min->measured++;
        if (part == SEDIMENT_BOTH)
            min->fused = t.step;
        else
            min->separate[part] = fmin(min->separate[part], t.step); /* fmin ignores a NaN */
    }
    return 0;
}

static int run(const struct bench_settings *o, struct error *e)
{
    const struct engine *engine = solver_engine(&o->choice, e);
    struct min min = {.fused = NAN};
    double copy;
    if (!engine || arrays_check_options(o, e) || engine->copy_bandwidth(&copy, &o->choice, e))
        return -1;
    cJSON *rows = o->json ? cJSON_CreateArray() : NULL;
    if (!rows)
        printf("Sediment, %d x %d points, double, equation (4) as printed, %s engine; copy bandwidth %.1f GB/s\n"
               "40 bytes per point for h and for s, 48 for both in one pass; 55 and 34 flops per point; median of 5 "
               "runs; K20 and GTX 590: GFLOP/s as published\n\n%-8s %-14s %9s %9s %9s %10s %9s %9s %9s %9s %9s\n",
               SIZE, SIZE, engine->name, 1e-9 * copy, "part", "kernel", "time us", "Gpoint/s", "GFLOP/s", "of copy",
               "registers", "shared B", "occupancy", "K20", "GTX 590");
    for (int part = SEDIMENT_H; part <= SEDIMENT_BOTH; part++)
        if (measure(&min, (enum sediment_part)part, o, engine, copy, rows, e)) {
            cJSON_Delete(rows);
            return -1;
        }
    if (!min.measured) { /* no kernel applied: *e holds the last reason */
        cJSON_Delete(rows);
        return -1;
    }
    const double pair = min.separate[SEDIMENT_H] + min.separate[SEDIMENT_S];
    if (!rows && isfinite(pair / min.fused))
        printf("\nh and s in one pass: %.2f times as fast as the fastest separate pair\n", pair / min.fused);
    return o->json ? json_print(rows, e) : 0;
}

const struct benchmark benchmark_sediment = {"sediment",
                                             "sediment in a basin of 4096^2 points, as in Su's tables of 2013", run};
