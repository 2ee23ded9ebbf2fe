/* SPDX-License-Identifier: MIT */
/* Webb's table (2013) on a GPU: his six kernels and the production kernel on 256 x 296 x 212 points
 * with fixed walls, and the production kernel with other walls, compared with the copy bandwidth
 * measured in the same run and with the published times.
 *
 * A step moves p⁻, p and p⁺: 24 bytes per point in double precision, 12 in single. That over the
 * copy bandwidth is the lower limit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/drawing/svg_plot.h"
#include "io/json_build.h"
#include "solver/engine.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "validate/cartesian7/webb_gpu.h"
#include "validate/cartesian7/webb_room.h"

enum { STEPS = 2000, CUBE_STEPS = 240, CHECK_STEPS = 1000, ROWS_MAX = 32 };

struct published {
    const char *kernel, *name;
    double c2050, k20; /* s for 44,100 steps, double */
};
static const struct published published[] = {
    {"tiling-3d", "3D tiling", 227.1, 156.9},
    {"tiling-3d-shared", "3D tiling, shared", 340.8, 218.7},
    {"tiling-3d-extended", "3D tiling, extended shared", 272.7, 198.1},
    {"slicing-2d", "2D slicing", 300.8, 183.3},
    {"slicing-2d-shared", "2D slicing, shared", 334.3, 164.6},
    {"slicing-2d-extended", "2D slicing, extended shared", 227.6, 150.8},
};
enum { PUBLISHED = sizeof published / sizeof *published };

struct row {
    char name[96];
    enum precision precision;
    const struct published *paper; /* NULL for the production kernel */
    enum wall_kind walls;
    enum room_grid grid;
    bool plain;     /* single steps were requested */
    int time_block; /* depth of the temporal blocks, if more than one */
    double step;    /* s, median */
    double error;   /* relative to peak after CHECK_STEPS steps; NAN: not compared */
};

static double bytes_of(enum precision precision)
{
    return precision == PRECISION_DOUBLE ? 24.0 : 12.0;
}

/* `expected` is NULL if this row is not compared. */
static int bench_row(struct row *row, size_t walls, const struct solver_options *choice, const void *expected,
                     size_t steps, struct error *e)
{
    struct webb_room w;
    void *field = NULL;
    if (webb_room_open(&w, row->grid, STENCIL_7_POINT, walls, row->precision, choice, e))
        return -1;
    int status = 0;
    row->time_block = solver_plan_of(w.solver)->time_block;
    if (!row->paper && row->time_block)
        snprintf(row->name, sizeof row->name, "%d steps %s, walls %s", row->time_block,
                 solver_plan_of(w.solver)->cuda.in_place ? "in place" : "a pass", wall_kind_names[walls]);
    row->error = NAN;
    if (expected) {
        status = webb_room_field_after(&field, &w, CHECK_STEPS, e);
        if (!status)
            row->error = webb_room_difference(field, expected, w.points, row->precision);
    }
    status = status || webb_room_fill(&w, e) || webb_room_time_steps(&row->step, &w, steps, e);
    free(field);
    webb_room_close(&w);
    return status;
}

static int expected_field(void **field, enum room_grid grid, size_t walls, enum precision precision,
                          const struct solver_options *choice, struct error *e)
{
    struct webb_room w;
    if (webb_room_open(&w, grid, STENCIL_7_POINT, walls, precision, choice, e))
        return -1;
    int status = webb_room_field_after(field, &w, CHECK_STEPS, e);
    webb_room_close(&w);
    return status;
}

static int bench_precision(struct row *rows, size_t *count, enum precision precision, const struct bench_settings *o,
                           struct error *e)
{
    const size_t steps = o->full ? WEBB_STEPS : STEPS;
    const struct solver_options cpu = {.engine = "cpu"};
    for (size_t walls = 0; walls < WEBB_WALLS; walls++) {
        void *expected = NULL;
        if (o->choice.kernel && strcmp(o->choice.kernel, "room") != 0 && walls > 0)
            break; /* one of Webb's kernels was requested: fixed walls only */
        int status = expected_field(&expected, GRID_WEBB, walls, precision, &cpu, e);
        const size_t papers = walls == 0 ? (size_t)PUBLISHED : 0;
        for (size_t i = 0; i < papers + 2 && !status; i++) { /* after Webb's: single steps, then the automatic choice */
            struct row *row = &rows[*count];
            struct solver_options choice = o->choice;
            *row = (struct row){.precision = precision,
                                .paper = i < papers ? &published[i] : NULL,
                                .walls = (enum wall_kind)walls,
                                .plain = i == papers};
            if (o->choice.kernel && strcmp(o->choice.kernel, row->paper ? row->paper->kernel : "room") != 0)
                continue;
            choice.engine = "cuda"; /* no other engine */
            if (row->paper)
                choice.kernel = webb_kernel(row->paper->kernel, o->webb_variant);
            else if (!row->plain && (choice.time_block == 1 || choice.kernel))
                continue;
            if (row->paper || row->plain) {
                choice.time_block = 1;
                choice.cuda.in_place = false;
            }
            snprintf(row->name, sizeof row->name, "%s%s%s", row->paper ? row->paper->name : "room",
                     row->paper ? "" : ", walls ", row->paper ? "" : wall_kind_names[walls]);
            status = bench_row(row, walls, &choice, expected, steps, e);
            if (status && e->code == ERROR_ENGINE && !row->paper && !row->plain) {
                status = 0; /* temporal blocks were requested, which these walls do not support */
                continue;
            }
            if (row->paper || row->plain || row->time_block) /* otherwise it would repeat single steps */
                ++*count;
        }
        free(expected);
        if (status)
            return -1;
    }
    return 0;
}

/* Fixed walls around the cube: single steps, and temporal blocks compared with them. */
static int bench_cube(struct row *rows, size_t *count, enum precision precision, const struct bench_settings *o,
                      struct error *e)
{
    struct solver_options choice = o->choice;
    void *expected = NULL;
    choice.engine = "cuda";
    if (o->choice.kernel && strcmp(o->choice.kernel, "room") != 0)
        return 0;
    for (int blocks = 0; blocks < 2; blocks++) {
        struct row *row = &rows[*count];
        *row = (struct row){.precision = precision, .grid = GRID_CUBE, .plain = !blocks};
        if (blocks && (o->choice.time_block == 1 || o->choice.kernel))
            break;
        choice.time_block = blocks ? o->choice.time_block : 1;
        choice.cuda.in_place = blocks && o->choice.cuda.in_place;
        if (!blocks && expected_field(&expected, GRID_CUBE, WALLS_FIXED, precision, &choice, e))
            return -1;
        snprintf(row->name, sizeof row->name, "512^3, room, walls fixed");
        if (bench_row(row, WALLS_FIXED, &choice, blocks ? expected : NULL, CUBE_STEPS, e)) {
            free(expected);
            return -1;
        }
        if (row->time_block)
            snprintf(row->name, sizeof row->name, "512^3, %d steps %s", row->time_block,
                     choice.cuda.in_place ? "in place" : "a pass");
        *count += !blocks || row->time_block;
    }
    free(expected);
    return 0;
}

static double points_of(const struct row *row)
{
    const size_t *n = room_grids[row->grid];
    return (double)n[0] * (double)n[1] * (double)n[2];
}

static double base_step(const struct row *rows, size_t count, enum precision precision)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].precision == precision && rows[i].paper == &published[0])
            return rows[i].step;
    return NAN;
}

/* Cost of walls: speed relative to rigid ones. */
static void print_shares(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count && rows[i].walls > WALLS_RIGID; k++)
            if (rows[k].walls == WALLS_RIGID && rows[k].grid == rows[i].grid &&
                rows[k].precision == rows[i].precision && rows[k].plain == rows[i].plain)
                printf("%-37s %-7s %.1f %% of the rigid walls' speed\n", rows[i].name,
                       precision_names[rows[i].precision], 100.0 * rows[k].step / rows[i].step);
}

static void print_rows(const struct row *rows, size_t count, double copy, bool full)
{
    printf("Webb's grid, 256 x 296 x 212 points; copy bandwidth %.2f TB/s, which limits single steps to %.0f Gpoint/s "
           "in double and %.0f in single precision\n",
           copy * 1e-12, copy / 24.0 * 1e-9, copy / 12.0 * 1e-9);
    printf("median of %d runs of %d steps%s; error relative to peak, compared with the cpu engine after %d steps\n\n",
           WEBB_RUNS, full ? WEBB_STEPS : STEPS, full ? "" : ", seconds scaled to 44,100", CHECK_STEPS);
    printf("%-37s %-7s %8s %9s %7s %7s %8s %7s %7s %8s %9s\n", "kernel", "", "44100 st", "Gpoint/s", "TB/s", "of copy",
           "of 3D t.", "C2050 s", "K20 s", "x K20", "error");
    for (size_t i = 0; i < count; i++) {
        const struct row *r = &rows[i];
        const double seconds = WEBB_STEPS * r->step, rate = points_of(r) / r->step,
                     bytes = rate * bytes_of(r->precision);
        const double ratio = r->grid == GRID_WEBB ? r->step / base_step(rows, count, r->precision) : NAN;
        char of_tiling[16] = "";
        if (isfinite(ratio)) /* 3D tiling is in the table */
            snprintf(of_tiling, sizeof of_tiling, "%.2fx", ratio);
        printf("%-37s %-7s %8.3f %9.1f %7.3f %6.1f%% %8s", r->name, precision_names[r->precision], seconds, rate * 1e-9,
               bytes * 1e-12, 100.0 * bytes / copy, of_tiling);
        if (r->paper)
            printf(" %7.1f %7.1f %7.0fx", r->paper->c2050, r->paper->k20, r->paper->k20 / seconds);
        else
            printf(" %7s %7s %8s", "", "", "");
        if (isnan(r->error) && r->grid == GRID_CUBE)
            printf("\n");
        else
            printf(" %9.1e\n", r->error);
    }
    print_shares(rows, count);
}

static int print_json(const struct row *rows, size_t count, double copy, struct error *e)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "copy_bytes_per_second", copy);
    cJSON *array = cJSON_AddArrayToObject(json, "rows");
    for (size_t i = 0; i < count; i++) {
        cJSON *row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "kernel", rows[i].name);
        cJSON_AddStringToObject(row, "precision", precision_names[rows[i].precision]);
        const double seconds = WEBB_STEPS * rows[i].step, rate = points_of(&rows[i]) / rows[i].step;
        cJSON_AddNumberToObject(row, "seconds_for_44100_steps", seconds);
        cJSON_AddNumberToObject(row, "points_per_second", rate);
        cJSON_AddNumberToObject(row, "bytes_per_second", rate * bytes_of(rows[i].precision));
        cJSON_AddNumberToObject(row, "share_of_copy", rate * bytes_of(rows[i].precision) / copy);
        cJSON_AddNumberToObject(row, "time_over_3d_tiling", rows[i].step / base_step(rows, count, rows[i].precision));
        if (rows[i].paper) {
            cJSON_AddNumberToObject(row, "published_seconds_c2050", rows[i].paper->c2050);
            cJSON_AddNumberToObject(row, "published_seconds_k20", rows[i].paper->k20);
            cJSON_AddNumberToObject(row, "speed_over_k20", rows[i].paper->k20 / seconds);
        }
        cJSON_AddNumberToObject(row, "error", rows[i].error);
        cJSON_AddItemToArray(array, row);
    }
    return json_print(json, e);
}

static int plot_rows(const char *path, const struct row *rows, size_t count, double copy, struct error *e)
{
    struct plot_bar bars[ROWS_MAX];
    for (size_t i = 0; i < count; i++)
        bars[i] = (struct plot_bar){rows[i].name, precision_names[rows[i].precision],
                                    100.0 * points_of(&rows[i]) / rows[i].step * bytes_of(rows[i].precision) / copy};
    return svg_bars(path, "Webb's grid, 256 x 296 x 212 points", "% of the copy bandwidth", bars, count, 100.0, "copy",
                    e);
}

static int judge(const struct row *rows, size_t count, struct error *e)
{
    for (size_t i = 0; i < count; i++)
        if ((rows[i].grid == GRID_WEBB || !rows[i].plain) &&
            !(rows[i].error <= (rows[i].precision == PRECISION_DOUBLE ? 1e-12 : 1e-4)))
            return fail(e, ERROR_FAILED, "%s, %s: error of %g relative to peak, which is too large", rows[i].name,
                        precision_names[rows[i].precision], rows[i].error);
    return 0;
}

int webb_run_on_gpu(const struct bench_settings *o, struct error *e)
{
    struct row rows[ROWS_MAX];
    size_t count = 0;
    double copy;
    if (o->choice.block[0] && !o->choice.kernel)
        return fail(e, ERROR_USAGE, "--block: one shape does not suit all kernels; choose one with --kernel");
    if (solver_engine(&o->choice, e)->copy_bandwidth(&copy, &o->choice, e) ||
        bench_precision(rows, &count, PRECISION_SINGLE, o, e) || bench_cube(rows, &count, PRECISION_SINGLE, o, e) ||
        bench_precision(rows, &count, PRECISION_DOUBLE, o, e) || bench_cube(rows, &count, PRECISION_DOUBLE, o, e))
        return -1;
    if (!count)
        return fail(e, ERROR_USAGE,
                    "--kernel %s: bench webb supports room, tiling-3d and slicing-2d, the latter two also with -shared "
                    "and -extended",
                    o->choice.kernel);
    if (o->json ? print_json(rows, count, copy, e) : (print_rows(rows, count, copy, o->full), 0))
        return -1;
    if (o->plot && plot_rows(o->plot, rows, count, copy, e))
        return -1;
    return judge(rows, count, e);
}
