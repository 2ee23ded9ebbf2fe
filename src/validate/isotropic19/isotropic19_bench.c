/* SPDX-License-Identifier: MIT */
/* The 19-point scheme on Webb's grid, with rigid walls, real admittances and branches, compared
 * with the 7-point scheme on the same number of points.
 *
 * Rooms of both schemes step in short alternating runs, so that other load on the machine affects
 * both, and the ratio is computed run by run. Medians over the runs are reported. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "io/json_build.h"
#include "solver/engine.h"
#include "validate/bench/bench.h"
#include "validate/cartesian7/webb_room.h"
#include "validate/isotropic19/checks.h"

/* The 19-point scheme's table on a GPU. */

enum { WEBB_STEPS_TIMED = 2000, CUBE_STEPS_TIMED = 240, CHECK_STEPS = 200, ROWS_MAX = 64 };

struct row {
    enum room_grid grid;
    enum wall_kind walls;
    enum precision precision;
    bool passes;         /* temporal blocks were requested */
    int time_block;      /* depth of the temporal blocks of the 19-point scheme, if more than one */
    double step;         /* s, median */
    double step_7_point; /* with the same options; NAN: not measured */
    double error;        /* relative to peak, compared with single steps; NAN: not compared */
};

static double points_of(const struct row *row)
{
    const size_t *n = room_grids[row->grid];
    return (double)n[0] * (double)n[1] * (double)n[2];
}

static double bytes_of(const struct row *row)
{
    return row->precision == PRECISION_DOUBLE ? 24.0 : 12.0;
}

static struct solver_options choice_of(const struct row *row, const struct bench_settings *o)
{
    struct solver_options c = o->choice;
    c.engine = "cuda"; /* no other engine */
    if (!row->passes) {
        c.time_block = 1;
        c.cuda.in_place = false;
    }
    return c;
}

/* The field after CHECK_STEPS single steps of the 19-point scheme. */
static int expected_field(void **field, const struct row *row, const struct bench_settings *o, struct error *e)
{
    struct row plain = *row;
    struct webb_room w;
    plain.passes = false;
    const struct solver_options c = choice_of(&plain, o);
    *field = NULL;
    if (webb_room_open(&w, row->grid, STENCIL_19_POINT, row->walls, row->precision, &c, e))
        return -1;
    const int status = webb_room_field_after(field, &w, CHECK_STEPS, e);
    webb_room_close(&w);
    return status;
}

/* Times one scheme; compares its field with the expected one, if any. */
static int time_scheme(double *step, struct row *row, enum air_stencil stencil, const void *expected,
                       const struct bench_settings *o, struct error *e)
{
    const struct solver_options c = choice_of(row, o);
    const size_t steps = row->grid != GRID_WEBB ? CUBE_STEPS_TIMED : o->full ? WEBB_STEPS : WEBB_STEPS_TIMED;
    struct webb_room w;
    void *field = NULL;
    if (webb_room_open(&w, row->grid, stencil, row->walls, row->precision, &c, e))
        return -1;
    const int depth = solver_plan_of(w.solver)->time_block;
    if (stencil == STENCIL_19_POINT)
        row->time_block = depth;
    int status = 0;
    *step = NAN;
    if (row->passes && !depth) { /* it would repeat single steps */
        webb_room_close(&w);
        return 0;
    }
    if (expected) {
        status = webb_room_field_after(&field, &w, CHECK_STEPS, e);
        if (!status)
            row->error = webb_room_difference(field, expected, w.points, row->precision);
    }
    status = status || webb_room_fill(&w, e) || webb_room_time_steps(step, &w, steps, e);
    free(field);
    webb_room_close(&w);
    return status;
}

/* A time of NaN means that the row does not apply. */
static int bench_row(struct row *row, const struct bench_settings *o, struct error *e)
{
    void *expected = NULL;
    row->error = row->step = row->step_7_point = NAN;
    int status = row->passes ? expected_field(&expected, row, o, e) : 0;
    status = status || time_scheme(&row->step, row, STENCIL_19_POINT, expected, o, e);
    free(expected);
    if (!status && !isnan(row->step))
        status = time_scheme(&row->step_7_point, row, STENCIL_7_POINT, NULL, o, e);
    return status && row->passes && e->code == ERROR_ENGINE
               ? 0
               : status; /* temporal blocks that these walls do not support */
}

static void print_row(const struct row *r, double copy)
{
    char depth[16] = "one step", error[16] = "", ratio[16] = "", rate[16] = "";
    if (r->time_block)
        snprintf(depth, sizeof depth, "%d a pass", r->time_block);
    if (!isnan(r->error))
        snprintf(error, sizeof error, "%.1e", r->error);
    if (!isnan(r->step_7_point)) {
        snprintf(rate, sizeof rate, "%.1f", points_of(r) / r->step_7_point * 1e-9);
        snprintf(ratio, sizeof ratio, "%.2f", r->step_7_point / r->step);
    }
    printf("%-6s %-16s %-7s %-9s %9.1f %7.1f%% %9s %7s %8s\n", r->grid == GRID_WEBB ? "Webb" : "512^3",
           wall_kind_names[r->walls], precision_names[r->precision], depth, points_of(r) / r->step * 1e-9,
           100.0 * points_of(r) / r->step * bytes_of(r) / copy, rate, ratio, error);
    fflush(stdout);
}

static cJSON *row_json(const struct row *r, double copy)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "grid", r->grid == GRID_WEBB ? "webb" : "512^3");
    cJSON_AddStringToObject(row, "walls", wall_kind_names[r->walls]);
    cJSON_AddStringToObject(row, "precision", precision_names[r->precision]);
    cJSON_AddNumberToObject(row, "time_block", r->time_block ? r->time_block : 1);
    cJSON_AddNumberToObject(row, "points_per_second", points_of(r) / r->step);
    cJSON_AddNumberToObject(row, "share_of_copy", points_of(r) / r->step * bytes_of(r) / copy);
    cJSON_AddNumberToObject(row, "points_per_second_7_point", points_of(r) / r->step_7_point);
    cJSON_AddNumberToObject(row, "error", r->error);
    return row;
}

/* Every kind of wall on Webb's grid, fixed and rigid ones in the cube. */
static size_t plan_rows(struct row *rows, const struct bench_settings *o)
{
    static const enum wall_kind walls[] = {WALLS_FIXED, WALLS_RIGID, WALLS_REAL, WALLS_SIX};
    size_t count = 0;
    for (int precision = PRECISION_SINGLE; precision <= PRECISION_DOUBLE; precision++)
        for (int grid = 0; grid < ROOM_GRIDS; grid++)
            for (size_t w = 0; w < sizeof walls / sizeof *walls; w++)
                for (int passes = 0; passes < 2; passes++)
                    if ((grid == GRID_WEBB || w < 2) && !(passes && (o->choice.time_block == 1 || o->choice.kernel)))
                        rows[count++] = (struct row){.grid = (enum room_grid)grid,
                                                     .walls = walls[w],
                                                     .precision = (enum precision)precision,
                                                     .passes = passes};
    return count;
}

static int isotropic19_run_on_gpu(const struct bench_settings *o, struct error *e)
{
    struct row rows[ROWS_MAX];
    const size_t count = plan_rows(rows, o);
    double copy;
    if (solver_engine(&o->choice, e)->copy_bandwidth(&copy, &o->choice, e))
        return -1;
    cJSON *json = o->json ? cJSON_CreateObject() : NULL, *array = json ? cJSON_AddArrayToObject(json, "rows") : NULL;
    if (json)
        cJSON_AddNumberToObject(json, "copy_bytes_per_second", copy);
    else
        printf("The 19-point scheme on Webb's grid, 256 x 296 x 212 points, and on 512^3; copy bandwidth %.2f TB/s, "
               "which limits single steps to %.0f Gpoint/s in double and %.0f in single precision\nmedian of %d runs "
               "of %d steps (512^3: %d); the 7-point scheme on the same number of points for comparison; error of "
               "temporal blocks compared with single steps after %d steps, relative to peak\n\n%-6s %-16s %-7s %-9s "
               "%9s %8s %9s %7s %8s\n",
               copy * 1e-12, copy / 24.0 * 1e-9, copy / 12.0 * 1e-9, WEBB_RUNS, o->full ? WEBB_STEPS : WEBB_STEPS_TIMED,
               CUBE_STEPS_TIMED, CHECK_STEPS, "grid", "walls", "", "", "Gpoint/s", "of copy", "7-point", "ratio",
               "error");
    int status = 0;
    double worst = 0.0;
    for (size_t i = 0; i < count && !status; i++) {
        status = bench_row(&rows[i], o, e);
        if (status || isnan(rows[i].step))
            continue;
        if (rows[i].passes && !(rows[i].error <= worst))
            worst = rows[i].error;
        if (json)
            cJSON_AddItemToArray(array, row_json(&rows[i], copy));
        else
            print_row(&rows[i], copy);
    }
    if (!status && json)
        status = json_print(json, e);
    else
        cJSON_Delete(json);
    if (!status && !(worst <= 0.0))
        status = fail(e, ERROR_FAILED, "temporal blocks differ from single steps by %g relative to peak", worst);
    return status;
}

enum { TURNS = 15, STEPS = 24 };

struct result {
    enum wall_kind walls;
    enum precision precision;
    const char *kernel;
    double step, step_7_point;           /* s */
    double ratio, ratio_low, ratio_high; /* ratio of the rates, 19-point to 7-point: median, quartiles */
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
    for (int turn = -1; turn < TURNS; turn++) { /* turn -1 is a warm-up */
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
        return fail(e, ERROR_USAGE, "--full is supported by the cuda engine only; remove it");
    cJSON *rows = o->json ? cJSON_CreateArray() : NULL;
    int status = 0;
    if (!o->json)
        printf("The 19-point scheme on Webb's grid, 256 x 296 x 212 points, one source, eight receivers, and the "
               "7-point scheme on the same number of points;\nmedians of %d runs of %d steps each\n\n%-16s %-7s %-14s "
               "%8s %9s %10s %9s %7s %13s\n",
               TURNS, STEPS, "walls", "", "kernel", "step ms", "Gpoint/s", "7-pt. ms", "Gpoint/s", "ratio",
               "quartiles");
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
        return fail(e, ERROR_USAGE, "--plot, --prefer-l1 and --read-only-cache are supported by aula bench webb only");
    return strcmp(engine->name, "cpu") ? isotropic19_run_on_gpu(o, e) : run_on_cpu(o, e);
}

const struct benchmark benchmark_isotropic19 = {
    "isotropic19", "the 19-point scheme on Webb's grid, compared with the 7-point scheme", run};
