/* SPDX-License-Identifier: MIT */
/* Speedup by parts: a cube in one part and in several, and cubes that grow with their number,
 * with both schemes, together with the bandwidth of copies within a device and between two. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "base/stop.h"
#include "io/json_build.h"
#include "solver/engine.h"
#include "solver/parts/cut.h"
#include "validate/bench/bench.h"
#include "validate/cartesian7/webb_room.h"
#include "validate/parts/commands.h"

enum { STEPS_TRIED = 16, STEPS_MULTIPLE = 32 };
static const double least_seconds = 0.2; /* minimum duration of a timed run */

struct row {
    const char *scheme;
    size_t points[3];
    int parts;
    bool grows;        /* grows with the number of parts, with the same number of points each */
    double step, rate; /* s; air points per second; in one part the mean of all GPUs, measured one after the other */
    double slowest, fastest;
    double gain;   /* rate relative to one part; for a growing cube, relative to that times the number of parts */
    int halo;      /* planes */
    double across; /* bytes per second across a cut, in each direction */
};

struct table {
    const struct bench_settings *settings;
    const struct engine *engine;
    int counts[PART_NUMBERS], count; /* numbers of parts: 1, 2, 4 .. and the largest */
    double copy, peer;               /* bytes per second; peer 0: there is one device */
    cJSON *json;                     /* NULL: printed as text */
};

/* On one engine, whatever the number of parts. */
static struct solver_options of_parts(const struct table *t, int parts)
{
    struct solver_options one = part_options_of(&t->settings->choice, parts);
    one.engine = t->engine->name;
    return one;
}

static int time_row(struct row *row, enum air_stencil stencil, const struct solver_options *choice, struct error *e)
{
    struct webb_room w = {.solver = NULL};
    double tried = 0.0;
    int status = webb_room_open_points(&w, row->points, stencil, WALLS_RIGID, PRECISION_SINGLE, choice, e);
    if (!status)
        status = webb_room_time_steps(&tried, &w, STEPS_TRIED, e) || stop_check(e) ? -1 : 0;
    if (!status) {
        const double wanted = ceil(fmin(least_seconds / tried, 20000.0) / STEPS_MULTIPLE) * STEPS_MULTIPLE;
        status = webb_room_time_steps(&row->step, &w, (size_t)wanted, e) || stop_check(e) ? -1 : 0;
    }
    if (!status) {
        const struct solver_plan *r = solver_plan_of(w.solver);
        row->rate = (double)row->points[0] * (double)row->points[1] * (double)row->points[2] / row->step;
        row->halo = r->parts.halo;
        row->across = r->parts.halo > 0 ? (double)r->parts.halo_bytes / ((double)r->parts.halo * row->step) : 0.0;
    }
    webb_room_close(&w);
    return status;
}

static void print_row(const struct row *row)
{
    char grid[48];
    snprintf(grid, sizeof grid, "%zu x %zu x %zu", row->points[0], row->points[1], row->points[2]);
    printf("%-9s %-18s %5d %9.3f %10.2f %8.3f %-10s %5d %9.2f\n", row->scheme, grid, row->parts, 1e3 * row->step,
           1e-9 * row->rate, row->gain, row->grows ? "of parts" : "of one", row->halo, 1e-9 * row->across);
    if (row->slowest < row->fastest)
        printf("%44s%.2f to %.2f per GPU\n", "", 1e-9 * row->slowest, 1e-9 * row->fastest);
    fflush(stdout);
}

static void add_row(cJSON *rows, const struct row *row)
{
    cJSON *json = cJSON_CreateObject();
    cJSON *points = cJSON_AddArrayToObject(json, "points");
    for (int axis = 0; axis < 3; axis++)
        cJSON_AddItemToArray(points, cJSON_CreateNumber((double)row->points[axis]));
    cJSON_AddStringToObject(json, "scheme", row->scheme);
    cJSON_AddNumberToObject(json, "parts", row->parts);
    cJSON_AddBoolToObject(json, "grows_with_parts", row->grows);
    cJSON_AddNumberToObject(json, "step_seconds", row->step);
    cJSON_AddNumberToObject(json, "points_per_second", row->rate);
    if (row->slowest < row->fastest) {
        cJSON_AddNumberToObject(json, "slowest_points_per_second", row->slowest);
        cJSON_AddNumberToObject(json, "fastest_points_per_second", row->fastest);
    }
    cJSON_AddNumberToObject(json, row->grows ? "efficiency" : "speedup", row->gain);
    cJSON_AddNumberToObject(json, "halo_planes", row->halo);
    cJSON_AddNumberToObject(json, "bytes_per_second_across_a_cut", row->across);
    cJSON_AddItemToArray(rows, json);
}

/* In one part, on each GPU that has a part in other rows, as GPUs of one model differ by some
 * per cent. */
static int time_each_device(struct row *row, const struct table *t, enum air_stencil stencil, struct error *e)
{
    const struct solver_options *all = &t->settings->choice;
    const int most = t->counts[t->count - 1], count = all->device_count < most ? all->device_count : most;
    double sum = 0.0;
    for (int i = 0; i < count || i < 1; i++) {
        struct solver_options one = of_parts(t, 1);
        if (count)
            one.device = all->devices[i];
        if (time_row(row, stencil, &one, e))
            return -1;
        sum += row->rate;
        row->slowest = i ? fmin(row->slowest, row->rate) : row->rate;
        row->fastest = i ? fmax(row->fastest, row->rate) : row->rate;
    }
    const double mean = sum / (count ? count : 1);
    row->step *= row->rate / mean;
    row->rate = mean;
    return 0;
}

/* Adds a row; *alone: the rate of one part on the cube. */
static int add(struct table *t, enum air_stencil stencil, size_t side, int parts, bool grows, double *alone,
               struct error *e)
{
    struct row row = {.scheme = stencil == STENCIL_19_POINT ? "19-point" : "7-point",
                      .points = {side, side, grows ? side * (size_t)parts : side},
                      .parts = parts,
                      .grows = grows};
    const struct solver_options choice = of_parts(t, parts);
    if (parts == 1 ? time_each_device(&row, t, stencil, e) : time_row(&row, stencil, &choice, e))
        return -1;
    if (parts == 1)
        *alone = row.rate;
    row.gain = row.rate / (grows ? *alone * parts : *alone);
    if (t->json)
        add_row(t->json, &row);
    else
        print_row(&row);
    return 0;
}

static int add_cube(struct table *t, size_t side, bool growing, struct error *e)
{
    static const enum air_stencil stencils[] = {STENCIL_7_POINT, STENCIL_19_POINT};
    for (size_t s = 0; s < sizeof stencils / sizeof *stencils; s++) {
        double alone = 0.0;
        for (int i = 0; i < t->count; i++)
            if (add(t, stencils[s], side, t->counts[i], false, &alone, e))
                return -1;
        for (int i = 1; i < t->count && growing; i++)
            if (add(t, stencils[s], side, t->counts[i], true, &alone, e))
                return -1;
    }
    return 0;
}

static int measure_copies(struct table *t, struct error *e)
{
    const struct solver_options *c = &t->settings->choice;
    const struct solver_options first = of_parts(t, 1);
    if (t->engine->copy_bandwidth(&t->copy, &first, e))
        return -1;
    if (!t->engine->peer_bandwidth || c->device_count < 2)
        return 0;
    return t->engine->peer_bandwidth(&t->peer, c->devices[0], c->devices[1], e);
}

static void print_heading(const struct table *t)
{
    char machine[200];
    t->engine->describe(machine, sizeof machine);
    printf("Cubes with rigid walls in parts, single precision; %s.\nA copy moves %.1f GB/s, read plus written", machine,
           1e-9 * t->copy);
    if (t->peer > 0.0)
        printf("; from the first device to the second %.1f GB/s", 1e-9 * t->peer);
    printf(".\n\n%-9s %-18s %5s %9s %10s %8s %-10s %5s %9s\n", "scheme", "points", "parts", "step ms", "Gpoint/s",
           "gain", "", "halo", "GB/s");
}

static int find_counts(struct table *t, struct error *e)
{
    const struct solver_options *c = &t->settings->choice;
    const bool on_cpu = !strcmp(t->engine->name, "cpu");
    int most = c->parts.count ? c->parts.count : c->device_count;
    if (!most && on_cpu)
        most = c->threads > 0 ? c->threads : omp_get_max_threads();
    if (most < 2)
        return fail(e, ERROR_USAGE, "nothing to compare with one part; set --parts, or --devices 0,1 for GPUs");
    t->count = part_numbers(t->counts, most);
    return 0;
}

static int run(const struct bench_settings *o, struct error *e)
{
    struct table t = {.settings = o, .engine = solver_engine(&o->choice, e)};
    if (!t.engine)
        return -1;
    if (o->plot || o->webb_variant)
        return fail(e, ERROR_USAGE, "--plot, --prefer-l1 and --read-only-cache are supported by aula bench webb only");
    if (find_counts(&t, e) || measure_copies(&t, e))
        return -1;
    const bool on_cpu = !strcmp(t.engine->name, "cpu");
    cJSON *whole = o->json ? cJSON_CreateObject() : NULL;
    if (whole) {
        cJSON_AddNumberToObject(whole, "copy_bytes_per_second", t.copy);
        if (t.peer > 0.0)
            cJSON_AddNumberToObject(whole, "peer_bytes_per_second", t.peer);
        t.json = cJSON_AddArrayToObject(whole, "rows");
    } else {
        print_heading(&t);
    }
    int status = add_cube(&t, on_cpu ? 256 : 512, true, e);
    if (!status && o->full)
        status = add_cube(&t, on_cpu ? 512 : 1024, false, e);
    if (!status && whole)
        return json_print(whole, e);
    cJSON_Delete(whole);
    return status;
}

const struct benchmark benchmark_parts = {"parts", "a grid in several parts or on several GPUs, compared with one",
                                          run};
