/* SPDX-License-Identifier: MIT */
/* Webb's grid (2013): 256 x 296 x 212 points with fixed walls, and with other walls. Each step is
 * compared with the plain loop u = p - u over the same two grids with the same threads.
 *
 * Steps and plain loops alternate in short runs of a few steps each, as in a render, and the ratio
 * is computed run by run, so that other load on the machine affects both. The median over the runs
 * is reported. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "io/json_build.h"
#include "solver/engine.h"
#include "validate/cartesian7/checks.h"
#include "validate/cartesian7/webb_gpu.h"
#include "validate/cartesian7/webb_room.h"

enum { TURNS = 15, STEPS = 24 };

struct result {
    const char *walls, *precision, *kernel;
    double step, plain, ratio;    /* medians: s, s, ratio */
    double ratio_low, ratio_high; /* quartiles */
    double share;                 /* relative to the speed of rigid walls, in alternation with them; 0: not measured */
};

static int measure(struct result *result, struct webb_room *w, struct error *e)
{
    double steps[TURNS], plain[TURNS], ratios[TURNS], taps[WEBB_RECEIVERS * STEPS], drive[STEPS];
    for (int i = 0; i < STEPS; i++)
        drive[i] = 1.0 - 2.0 * (i % 2);
    const struct block b = {drive, STEPS, taps, STEPS};
    for (int turn = -1; turn < TURNS; turn++) { /* turn -1 is a warm-up */
        if (webb_room_fill(w, e))
            return -1;
        double start = clock_seconds();
        if (solver_run(w->solver, STEPS, &b, e))
            return -1;
        double middle = clock_seconds();
        if (solver_plain_pass(w->solver, STEPS, e))
            return -1;
        double end = clock_seconds();
        if (turn < 0)
            continue;
        steps[turn] = (middle - start) / STEPS;
        plain[turn] = (end - middle) / STEPS;
        ratios[turn] = steps[turn] / plain[turn];
    }
    result->step = bench_median(steps, TURNS);
    result->plain = bench_median(plain, TURNS);
    result->ratio = bench_median(ratios, TURNS);
    result->ratio_low = ratios[TURNS / 4];
    result->ratio_high = ratios[TURNS - 1 - TURNS / 4];
    return 0;
}

static int bench_case(struct result *result, size_t wall_kind, enum precision precision,
                      const struct solver_options *choice, struct error *e)
{
    struct webb_room w;
    *result = (struct result){.walls = wall_kind_names[wall_kind], .precision = precision_names[precision]};
    if (webb_room_open(&w, GRID_WEBB, STENCIL_7_POINT, wall_kind, precision, choice, e))
        return -1;
    result->kernel = solver_plan_of(w.solver)->kernel;
    int status = measure(result, &w, e);
    webb_room_close(&w);
    return status;
}

static void print_result(const struct result *r)
{
    char share[16] = "";
    if (r->share > 0.0)
        snprintf(share, sizeof share, "%.0f %%", 100.0 * r->share);
    printf("%-16s %-7s %-12s %8.2f %8.2f %8.3f %9.3f %6.2f - %4.2f %9.0f %9s\n", r->walls, r->precision, r->kernel,
           1e3 * r->step, 1e3 * r->plain, WEBB_POINTS / r->step * 1e-9, r->ratio, r->ratio_low, r->ratio_high,
           WEBB_STEPS * r->step, share);
    fflush(stdout);
}

static void add_result(cJSON *rows, const struct result *r)
{
    const double points = WEBB_POINTS;
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "walls", r->walls);
    cJSON_AddStringToObject(row, "precision", r->precision);
    cJSON_AddStringToObject(row, "kernel", r->kernel);
    cJSON_AddNumberToObject(row, "step_seconds", r->step);
    cJSON_AddNumberToObject(row, "plain_seconds", r->plain);
    cJSON_AddNumberToObject(row, "ratio", r->ratio);
    cJSON_AddNumberToObject(row, "ratio_lower_quartile", r->ratio_low);
    cJSON_AddNumberToObject(row, "ratio_upper_quartile", r->ratio_high);
    if (r->share > 0.0)
        cJSON_AddNumberToObject(row, "share_of_rigid_speed", r->share);
    cJSON_AddNumberToObject(row, "points_per_second", points / r->step);
    cJSON_AddNumberToObject(row, "seconds_for_44100_steps", WEBB_STEPS * r->step);
    cJSON_AddItemToArray(rows, row);
}

static int time_steps(double *seconds, struct webb_room *w, const struct block *b, struct error *e)
{
    if (webb_room_fill(w, e))
        return -1;
    const double start = clock_seconds();
    const int status = solver_run(w->solver, STEPS, b, e);
    *seconds = clock_seconds() - start;
    return status;
}

/* Speed relative to rigid walls: both rooms step alternately, so that other load on the machine
 * affects both. */
static int bench_share(double *share, size_t wall_kind, enum precision precision, const struct solver_options *choice,
                       struct error *e)
{
    double shares[TURNS], taps[WEBB_RECEIVERS * STEPS], drive[STEPS];
    struct webb_room rigid, walls = {.solver = NULL};
    for (int i = 0; i < STEPS; i++)
        drive[i] = 1.0 - 2.0 * (i % 2);
    const struct block b = {drive, STEPS, taps, STEPS};
    int status = webb_room_open(&rigid, GRID_WEBB, STENCIL_7_POINT, WALLS_RIGID, precision, choice, e);
    if (status)
        return -1;
    status = webb_room_open(&walls, GRID_WEBB, STENCIL_7_POINT, wall_kind, precision, choice, e);
    for (int turn = -1; turn < TURNS && !status; turn++) { /* turn -1 is a warm-up */
        double plain, walled;
        status = time_steps(&plain, &rigid, &b, e) || time_steps(&walled, &walls, &b, e);
        if (turn >= 0 && !status)
            shares[turn] = plain / walled;
    }
    if (!status)
        *share = bench_median(shares, TURNS);
    webb_room_close(&rigid);
    webb_room_close(&walls);
    return status;
}

static int run_on_cpu(const struct bench_settings *o, struct error *e)
{
    if (o->plot || o->full)
        return fail(e, ERROR_USAGE, "--plot and --full are supported by the cuda engine only; remove them");
    cJSON *rows = o->json ? cJSON_CreateArray() : NULL;
    int status = 0;
    if (!o->json)
        printf("Webb's grid, 256 x 296 x 212 points, one source, eight receivers; medians of %d runs of %d steps and "
               "%d plain passes\n(u = p - u over the same two grids, same threads); seconds scaled to 44,100 "
               "steps\n\n%-16s %-7s %-12s %8s %8s %8s %9s %13s %9s %9s\n",
               TURNS, STEPS, STEPS, "walls", "", "kernel", "step ms", "plain ms", "Gpoint/s", "step/plain", "quartiles",
               "44100 st", "of rigid");
    for (int precision = PRECISION_SINGLE; precision <= PRECISION_DOUBLE && !status; precision++)
        for (size_t k = 0; k < WEBB_WALLS && !status; k++) {
            struct result result;
            status = bench_case(&result, k, (enum precision)precision, &o->choice, e) ||
                     (k > WALLS_RIGID && bench_share(&result.share, k, (enum precision)precision, &o->choice, e));
            if (!status && o->json)
                add_result(rows, &result);
            else if (!status)
                print_result(&result);
        }
    if (!status && o->json)
        return json_print(rows, e);
    cJSON_Delete(rows);
    return status;
}

static int run(const struct bench_settings *o, struct error *e)
{
    const struct engine *engine = solver_engine(&o->choice, e);
    if (!engine)
        return -1;
    return strcmp(engine->name, "cpu") ? webb_run_on_gpu(o, e) : run_on_cpu(o, e);
}

const struct benchmark benchmark_webb = {"webb", "Webb's grid of 16 million points", run};
