/* SPDX-License-Identifier: MIT */
/* The 19-point scheme on Webb's grid, with rigid walls, real admittances and branches, beside the 7-point scheme on as
 * many points.
 *
 * Rooms of both schemes step in short turns, so that other load on the machine affects both, and the ratio is taken
 * turn by turn. Medians over the turns are reported. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "io/json_build.h"
#include "solver/engine.h"
#include "validate/cartesian7/webb_room.h"
#include "validate/isotropic19/commands.h"
#include "validate/isotropic19/isotropic19_gpu.h"

enum { TURNS = 15, STEPS = 24 };

struct result {
    enum wall_kind walls;
    enum precision precision;
    const char *kernel;
    double step, step_7_point;           /* s */
    double ratio, ratio_low, ratio_high; /* of the rates, 19-point over 7-point: median, quartiles */
};

static int time_turn(double *seconds, struct webb_room *w, const struct block *b, struct error *e)
{
    if (webb_room_fill(w, e))
        return -1;
    const double start = clock_seconds();
    const int status = solver_run(w->solver, STEPS, b, e);
    *seconds = (clock_seconds() - start) / STEPS;
    return status;
}

static int measure(struct result *result, struct webb_room rooms[2], struct error *e)
{
    double steps[2][TURNS], ratios[TURNS], taps[WEBB_RECEIVERS * STEPS], drive[STEPS];
    for (int i = 0; i < STEPS; i++)
        drive[i] = 1.0 - 2.0 * (i % 2);
    const struct block b = {drive, STEPS, taps, STEPS};
    for (int turn = -1; turn < TURNS; turn++) { /* turn -1 warms up */
        double seconds[2];
        if (time_turn(&seconds[0], &rooms[0], &b, e) || time_turn(&seconds[1], &rooms[1], &b, e))
            return -1;
        if (turn < 0)
            continue;
        steps[0][turn] = seconds[0];
        steps[1][turn] = seconds[1];
        ratios[turn] = seconds[1] / seconds[0];
    }
    result->step = bench_median(steps[0], TURNS);
    result->step_7_point = bench_median(steps[1], TURNS);
    result->ratio = bench_median(ratios, TURNS);
    result->ratio_low = ratios[TURNS / 4];
    result->ratio_high = ratios[TURNS - 1 - TURNS / 4];
    return 0;
}

static int bench_case(struct result *result, const struct solver_options *choice, struct error *e)
{
    static const enum air_stencil stencils[2] = {STENCIL_19_POINT, STENCIL_7_POINT};
    struct webb_room rooms[2] = {{.solver = NULL}, {.solver = NULL}};
    int status = 0;
    for (int i = 0; i < 2 && !status; i++)
        status = webb_room_open(&rooms[i], GRID_WEBB, stencils[i], result->walls, result->precision, choice, e);
    if (!status) {
        result->kernel = solver_plan_of(rooms[0].solver)->kernel;
        status = measure(result, rooms, e);
    }
    for (int i = 0; i < 2; i++)
        webb_room_close(&rooms[i]);
    return status;
}

static void print_result(const struct result *r)
{
    printf("%-16s %-7s %-14s %8.2f %9.3f %10.2f %9.3f %7.2f %6.2f - %4.2f\n", wall_kind_names[r->walls],
           precision_names[r->precision], r->kernel, 1e3 * r->step, WEBB_POINTS / r->step * 1e-9, 1e3 * r->step_7_point,
           WEBB_POINTS / r->step_7_point * 1e-9, r->ratio, r->ratio_low, r->ratio_high);
    fflush(stdout);
}

static void add_result(cJSON *rows, const struct result *r)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "walls", wall_kind_names[r->walls]);
    cJSON_AddStringToObject(row, "precision", precision_names[r->precision]);
    cJSON_AddStringToObject(row, "kernel", r->kernel);
    cJSON_AddNumberToObject(row, "step_seconds", r->step);
    cJSON_AddNumberToObject(row, "points_per_second", WEBB_POINTS / r->step);
    cJSON_AddNumberToObject(row, "points_per_second_7_point", WEBB_POINTS / r->step_7_point);
    cJSON_AddNumberToObject(row, "rate_over_7_point", r->ratio);
    cJSON_AddNumberToObject(row, "ratio_lower_quartile", r->ratio_low);
    cJSON_AddNumberToObject(row, "ratio_upper_quartile", r->ratio_high);
    cJSON_AddItemToArray(rows, row);
}

static int run_on_cpu(const struct bench_settings *o, struct error *e)
{
    static const enum wall_kind walls[] = {WALLS_RIGID, WALLS_REAL, WALLS_SIX};
    if (o->full)
        return fail(e, ERROR_USAGE, "--full is for the table of a GPU; here is the cpu engine's");
    cJSON *rows = o->json ? cJSON_CreateArray() : NULL;
    int status = 0;
    if (!o->json)
        printf(
            "The 19-point scheme on Webb's grid, 256 x 296 x 212 points, one source, eight receivers, and the 7-point "
            "scheme on as many;\n%d turns of %d steps of each; medians\n\n"
            "%-16s %-7s %-14s %8s %9s %10s %9s %7s %13s\n",
            TURNS, STEPS, "walls", "", "kernel", "step ms", "Gpoint/s", "7-pt. ms", "Gpoint/s", "ratio", "quartiles");
    for (int precision = PRECISION_SINGLE; precision <= PRECISION_DOUBLE && !status; precision++)
        for (size_t i = 0; i < sizeof walls / sizeof *walls && !status; i++) {
            struct result result = {.walls = walls[i], .precision = (enum precision)precision};
            status = bench_case(&result, &o->choice, e);
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
    if (o->plot || o->webb_variant)
        return fail(e, ERROR_USAGE, "--plot, --prefer-l1 and --read-only-cache are for aula bench webb");
    return strcmp(engine->name, "cpu") ? isotropic19_run_on_gpu(o, e) : run_on_cpu(o, e);
}

const struct benchmark benchmark_isotropic19 = {"isotropic19",
                                                "the 19-point scheme on Webb's grid, beside the 7-point scheme", run};
