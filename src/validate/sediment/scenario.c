/* SPDX-License-Identifier: MIT */
/* Runs a basin to its end: writes PREFIX-h.png, PREFIX-s.png and PREFIX-profile.csv, and prints
 * a summary. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/stop.h"
#include "io/drawing/png_map.h"
#include "validate/sediment/basin.h"
#include "validate/sediment/checks.h"
#include "validate/validate.h"

enum { STEPS_A_LOOK = 256 };
static const double steps_max = 1e9;

static double sum_of(const double *values, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* Volume flowing in through all sides per unit of time. */
static double inflow_of(const struct basin *b)
{
    double sum = 0.0;
    for (int side = 0; side < 4; side++)
        for (int sediment = 0; sediment < 2; sediment++)
            if (b->inflow[sediment][side])
                sum += sum_of(b->inflow[sediment][side], b->points[side < 2 ? 1 : 0]) * b->spacing[side < 2 ? 1 : 0];
    return sum;
}

static void limits(const double *values, size_t count, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t i = 0; i < count; i++) {
        *low = values[i] < *low ? values[i] : *low;
        *high = values[i] > *high ? values[i] : *high;
    }
}

/* The row of the profile along x: through the middle of the inflow at x_min, or else of the
 * basin. */
static size_t profile_row(const struct basin *b)
{
    double moment = 0.0, sum = 0.0;
    for (int sediment = 0; sediment < 2; sediment++)
        for (size_t y = 0; b->inflow[sediment][0] && y < b->points[1]; y++) {
            moment += fabs(b->inflow[sediment][0][y]) * (double)y;
            sum += fabs(b->inflow[sediment][0][y]);
        }
    const double row = sum > 0.0 ? floor(moment / sum + 0.5) : (double)(b->points[1] / 2);
    return row < (double)b->points[1] ? (size_t)row : b->points[1] - 1;
}

static int write_profile(const char *path, const struct basin *b, const double *h, const double *s, struct error *e)
{
    const size_t first = profile_row(b) * b->points[0], room = 128 * (b->points[0] + 2);
    char *text = malloc(room);
    if (!text)
        return fail(e, ERROR_MEMORY, "out of memory");
    size_t used = (size_t)snprintf(text, room, "x,h_before,h,s_before,s\n");
    for (size_t x = 0; x < b->points[0]; x++)
        used += (size_t)snprintf(text + used, room - used, "%.9g,%.9g,%.9g,%.9g,%.9g\n", (double)x * b->spacing[0],
                                 b->arrays[0][first + x], h[first + x], b->arrays[1][first + x], s[first + x]);
    const int status = output_file_text(path, text, e);
    free(text);
    return status;
}

enum { OUTPUTS = 3, PATH_MAX = 1024 };
static const char *const suffixes[OUTPUTS] = {"-h.png", "-s.png", "-profile.csv"};

/* The names of the output files; fails before any work if they cannot be written. */
static int name_outputs(char path[OUTPUTS][PATH_MAX], const char *prefix, struct error *e)
{
    for (int i = 0; i < OUTPUTS; i++) {
        if (snprintf(path[i], PATH_MAX, "%s%s", prefix, suffixes[i]) >= PATH_MAX)
            return fail(e, ERROR_OUTPUT, "%.60s...: the name is too long; use a shorter one", prefix);
        if (output_file_try(path[i], e))
            return -1;
    }
    return 0;
}

static int write_all(char path[OUTPUTS][PATH_MAX], const struct basin *b, const double *h, const double *s,
                     struct error *e)
{
    double low, high;
    limits(h, b->points[0] * b->points[1], &low, &high);
    if (png_map(path[0], h, b->points[0], b->points[1], low, high, e) ||
        png_map(path[1], s, b->points[0], b->points[1], 0.0, 1.0, e) || write_profile(path[2], b, h, s, e))
        return -1;
    printf("%s: h from %.6g (black) to %.6g (white)\n%s: s from 0 (black) to 1 (white)\n%s: along x at y = %.6g\n",
           path[0], low, high, path[1], path[2], (double)profile_row(b) * b->spacing[1]);
    return 0;
}

static int step_through(struct solver *solver, size_t steps, struct error *e)
{
    const struct block silence = {0};
    struct audit audit;
    for (size_t done = 0; done < steps;) {
        const size_t part = steps - done < STEPS_A_LOOK ? steps - done : STEPS_A_LOOK;
        if (stop_requested())
            return fail(e, ERROR_STOPPED, "stopped; nothing was written");
        if (solver_run(solver, part, &silence, e) || solver_audit(solver, &audit, e))
            return -1;
        done += part;
    }
    return 0;
}

static void print_end(const struct basin *b, const struct problem *p, const struct solver_plan *r, size_t steps,
                      double seconds, const double *h, const double *s)
{
    const size_t count = b->points[0] * b->points[1];
    const double cell = b->spacing[0] * b->spacing[1];
    const double gained = (sum_of(h, count) - sum_of(b->arrays[0], count)) * cell;
    const double brought = inflow_of(b) * sediment_of(p)->time_step * (double)steps;
    double low, high;
    limits(s, count, &low, &high);
    printf("%zu x %zu points, %zu steps of %.6g in %.2f s by %s/%s, %s\n", b->points[0], b->points[1], steps,
           sediment_of(p)->time_step, seconds, r->engine, r->kernel, b->conservative ? "conservative" : "published");
    printf("gain of volume %.9g, inflow %.9g, difference %.2g; s from %.4f to %.4f\n", gained, brought,
           gained - brought, low, high);
}

/* The scheme keeps 0 <= s <= 1 on smooth data; fails otherwise, as the pictures would be wrong. */
static int check_fraction(const double *h, const double *s, size_t count, struct error *e)
{
    for (size_t i = 0; i < count; i++)
        if (!(s[i] >= -0.01 && s[i] <= 1.01) || !isfinite(h[i]))
            return fail(e, ERROR_UNSTABLE,
                        "the sand fraction left 0 .. 1 (%.3g at height %.3g); use a larger layer, a smaller step, "
                        "gentler slopes or a finer grid",
                        s[i], h[i]);
    return 0;
}

static int run_basin(struct basin *b, const char *prefix, const struct solver_options *c, struct error *e)
{
    static const char *const names[BASIN_ARRAYS] = {"h", "s", "alpha", "beta"};
    const size_t count = b->points[0] * b->points[1];
    struct sediment_problem parameters;
    struct problem p;
    struct solver *solver = NULL;
    double *h = malloc(count * sizeof *h), *s = malloc(count * sizeof *s);
    char path[OUTPUTS][PATH_MAX];
    basin_problem(&p, &parameters, b);
    const double wanted = ceil(b->duration / parameters.time_step);
    const size_t steps = wanted >= 1.0 && wanted <= steps_max ? (size_t)wanted : 0;
    int status = h && s ? name_outputs(path, prefix, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status && !steps)
        status = fail(e, ERROR_INPUT,
                      "a duration of %g with a time step of %g needs %g steps, but at most %g are supported; use a "
                      "shorter duration or a larger step",
                      b->duration, parameters.time_step, wanted, steps_max);
    status = status || solver_open(&solver, &p, c, e);
    for (int i = 0; i < BASIN_ARRAYS && !status; i++)
        status = solver_put(solver, names[i], 0, 1, b->arrays[i], e);
    const double start = clock_seconds();
    status = status || step_through(solver, steps, e);
    const double seconds = clock_seconds() - start;
    status = status || solver_get(solver, "h", 0, 1, h, e) || solver_get(solver, "s", 0, 1, s, e);
    if (!status)
        status = check_fraction(h, s, count, e);
    if (!status) {
        print_end(b, &p, solver_plan_of(solver), steps, seconds, h, s);
        status = write_all(path, b, h, s, e);
    }
    solver_close(solver);
    free(h);
    free(s);
    return status ? -1 : 0;
}

static int run(const char *path, const char *prefix, const struct solver_options *c, struct error *e)
{
    struct basin basin;
    if (basin_read(&basin, path, e))
        return -1;
    const int status = run_basin(&basin, prefix, c, e);
    basin_free(&basin);
    return status;
}

const struct scenario sediment_scenario = {"rooms/basin.cfg", "basin", run};
