/* Webb's grid (2013): 256 x 296 x 212 points, fixed walls, and the same grid with other walls, each step measured
 * against the plain loop u = p - u over the same two grids with the same threads.
 *
 * Steps and plain passes alternate in short turns, and the ratio is taken turn by turn, so that what else the machine
 * does hits both. The median over the turns is reported. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/clock.h"
#include "base/random.h"
#include "bench/bench.h"
#include "model/model.h"

enum { TURNS = 31, STEPS = 8, PUBLISHED_STEPS = 44100, TAPS = 8 };

static const double webb_points[3] = {256, 296, 212};

struct wall_kind {
    const char *name;
    struct material material;
};
static const struct wall_kind kinds[] = {
    {"fixed", {.name = "fixed", .kind = MATERIAL_FIXED}},
    {"rigid", {.name = "rigid", .kind = MATERIAL_RIGID}},
    {"real admittance", {.name = "wall", .kind = MATERIAL_IMPEDANCE, .impedance = 20.0}},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

struct result {
    const char *walls, *precision, *kernel;
    double step, plain, ratio;    /* s, s, medians */
    double ratio_low, ratio_high; /* quartiles */
};

double bench_median(double *values, size_t count)
{
    for (size_t i = 1; i < count; i++) { /* few values: insertion sort */
        double value = values[i];
        size_t k = i;
        for (; k > 0 && values[k - 1] > value; k--)
            values[k] = values[k - 1];
        values[k] = value;
    }
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

/* Webb's room through the real model: one source, eight receivers. */
static int make_model(struct model **m, struct room *room, struct material *material, const struct wall_kind *kind,
                      enum precision precision, struct source *source, struct receiver *receivers, struct error *e)
{
    *material = kind->material;
    *source = (struct source){.name = "S", .gain = 1.0, .position = {1.0, 1.2, 1.1}};
    for (int i = 0; i < TAPS; i++)
        receivers[i] = (struct receiver){.name = "R", .position = {0.3 + 0.35 * i, 2.9 - 0.21 * i, 0.4 + 0.25 * i}};
    *room = (struct room){.path = "webb",
                          .sized_by_points = true,
                          .points = {(size_t)webb_points[0], (size_t)webb_points[1], (size_t)webb_points[2]},
                          .materials = material,
                          .material_count = 1,
                          .duration = 1.0,
                          .sources = source,
                          .source_count = 1,
                          .receivers = receivers,
                          .receiver_count = TAPS};
    room->air.temperature = 20.0;
    room->grid.rate = 44100.0;
    room->grid.precision = precision;
    room->output.dispersion = 0.02;
    return model_make(m, room, e);
}

/* Random values: zeros may run faster than sound does. */
static int fill(struct solver *s, const struct model *m, void *noise, struct error *e)
{
    return solver_put(s, "p", 0, m->grid.points[2], noise, e) ||
           solver_put(s, "p_previous", 0, m->grid.points[2], noise, e);
}

static void make_noise(void *noise, size_t count, enum precision precision)
{
    struct random r = {1};
    for (size_t i = 0; i < count; i++) {
        double value = random_unit(&r) - 0.5;
        if (precision == PRECISION_DOUBLE)
            ((double *)noise)[i] = value;
        else
            ((float *)noise)[i] = (float)value;
    }
}

static int measure(struct result *result, struct solver *s, const struct model *m, void *noise, struct error *e)
{
    double steps[TURNS], plain[TURNS], ratios[TURNS], taps[TAPS * STEPS], drive[STEPS];
    for (int i = 0; i < STEPS; i++)
        drive[i] = 1.0 - 2.0 * (i % 2);
    const struct block b = {drive, STEPS, taps, STEPS};
    for (int turn = -1; turn < TURNS; turn++) { /* the first one warms up */
        if (fill(s, m, noise, e))
            return -1;
        double start = clock_seconds();
        if (solver_run(s, STEPS, &b, e))
            return -1;
        double middle = clock_seconds();
        if (solver_plain_pass(s, STEPS, e))
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

static int bench_case(struct result *result, const struct wall_kind *kind, enum precision precision,
                      const struct choice *choice, struct error *e)
{
    struct room room;
    struct material material;
    struct source source;
    struct receiver receivers[TAPS];
    struct model *model = NULL;
    struct problem problem = {0};
    struct solver *solver = NULL;
    void *noise = NULL;
    *result = (struct result){.walls = kind->name, .precision = precision_names[precision]};
    int status = make_model(&model, &room, &material, kind, precision, &source, receivers, e) ||
                 model_problem(&problem, model, 0, 1, e) || solver_open(&solver, &problem, choice, e);
    if (!status) {
        size_t points = (size_t)grid_points(&model->grid);
        result->kernel = solver_requirement(solver)->kernel;
        noise = malloc(points * sizeof(double));
        status = noise ? 0 : fail(e, ERROR_MEMORY, "out of memory");
        if (!status) {
            make_noise(noise, points, precision);
            status = measure(result, solver, model, noise, e);
        }
    }
    free(noise);
    solver_close(solver);
    model_problem_free(&problem);
    model_free(model);
    return status;
}

static void print_result(const struct result *r)
{
    const double points = webb_points[0] * webb_points[1] * webb_points[2];
    const double bytes = 3.0 * points * (strcmp(r->precision, "double") ? 4.0 : 8.0);
    printf("%-16s %-7s %-12s %8.2f %8.2f %8.3f %9.3f %6.1f - %4.2f %9.0f %7.2f\n", r->walls, r->precision, r->kernel,
           1e3 * r->step, 1e3 * r->plain, points / r->step * 1e-9, r->ratio, r->ratio_low, r->ratio_high,
           PUBLISHED_STEPS * r->step, bytes / r->step * 1e-9);
    fflush(stdout);
}

static void add_result(cJSON *rows, const struct result *r)
{
    const double points = webb_points[0] * webb_points[1] * webb_points[2];
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "walls", r->walls);
    cJSON_AddStringToObject(row, "precision", r->precision);
    cJSON_AddStringToObject(row, "kernel", r->kernel);
    cJSON_AddNumberToObject(row, "step_seconds", r->step);
    cJSON_AddNumberToObject(row, "plain_seconds", r->plain);
    cJSON_AddNumberToObject(row, "ratio", r->ratio);
    cJSON_AddNumberToObject(row, "ratio_lower_quartile", r->ratio_low);
    cJSON_AddNumberToObject(row, "ratio_upper_quartile", r->ratio_high);
    cJSON_AddNumberToObject(row, "points_per_second", points / r->step);
    cJSON_AddNumberToObject(row, "seconds_for_44100_steps", PUBLISHED_STEPS * r->step);
    cJSON_AddItemToArray(rows, row);
}

static int run(const struct options *o, struct error *e)
{
    cJSON *rows = o->json ? cJSON_CreateArray() : NULL;
    int status = 0;
    if (!o->json)
        printf("Webb's grid, 256 x 296 x 212 points, one source, eight receivers; %d turns of %d steps and %d plain "
               "passes\n"
               "(u = p - u over the same two grids, same threads); medians; seconds for 44,100 steps are scaled up\n\n"
               "%-16s %-7s %-12s %8s %8s %8s %9s %13s %9s %7s\n",
               TURNS, STEPS, STEPS, "walls", "", "kernel", "step ms", "plain ms", "Gpoint/s", "step/plain", "quartiles",
               "44100 st", "GB/s");
    for (int precision = PRECISION_SINGLE; precision <= PRECISION_DOUBLE && !status; precision++)
        for (size_t k = 0; k < KINDS && !status; k++) {
            struct result result;
            status = bench_case(&result, &kinds[k], (enum precision)precision, &o->choice, e);
            if (!status && o->json)
                add_result(rows, &result);
            else if (!status)
                print_result(&result);
        }
    if (!status && o->json) {
        char *text = cJSON_Print(rows);
        printf("%s\n", text ? text : "");
        free(text);
    }
    cJSON_Delete(rows);
    return status;
}

const struct benchmark benchmark_webb = {"webb", "Webb's grid of 16 million points", run};
