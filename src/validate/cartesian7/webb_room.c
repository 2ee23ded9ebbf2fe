/* SPDX-License-Identifier: MIT */
#include "validate/cartesian7/webb_room.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/nan_max.h"
#include "base/random.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "validate/bench/bench.h"

const char *const wall_kind_names[WALL_KINDS] = {[WALLS_FIXED] = "fixed",
                                                 [WALLS_RIGID] = "rigid",
                                                 [WALLS_REAL] = "real admittance",
                                                 [WALLS_BRANCHES] = "branches",
                                                 [WALLS_SIX] = "six branches"};

const size_t room_grids[ROOM_GRIDS][3] = {{WEBB_X, WEBB_Y, WEBB_Z}, {512, 512, 512}};

static const struct material materials[WALL_KINDS] = {
    {.name = "fixed", .kind = MATERIAL_FIXED},
    {.name = "rigid", .kind = MATERIAL_RIGID},
    {.name = "wall", .kind = MATERIAL_IMPEDANCE, .impedance = 20.0},
    {.name = "curtain", .kind = MATERIAL_ABSORPTION, .absorption = {0.14, 0.14, 0.35, 0.55, 0.72, 0.7, 0.65, 0.65}},
    {.name = "resonators", .kind = MATERIAL_BRANCHES, .branch_count = 6},
};

/* Resonators in the octaves from 63 Hz, Q = √2. */
static void tune(struct material *m)
{
    for (size_t i = 0; i < m->branch_count; i++) {
        const double omega = 2.0 * M_PI * octave_band_centre[i], admittance = 0.04 + 0.02 * (double)i;
        m->branches[i] =
            (struct branch){M_SQRT2 / (admittance * omega), 1.0 / admittance, M_SQRT2 * omega / admittance, 0};
    }
}

/* Independent of the number of threads, as each plane has its own seed. */
static int make_noise(struct webb_room *w, enum precision precision, struct error *e)
{
    const size_t plane = w->points / w->nz;
    w->noise = malloc(w->points * precision_bytes(precision));
    if (!w->noise)
        return fail(e, ERROR_MEMORY, "out of memory");
#pragma omp parallel for schedule(static)
    for (size_t z = 0; z < w->nz; z++) {
        struct random r = {z + 1};
        for (size_t i = z * plane; i < (z + 1) * plane; i++) {
            const double value = random_unit(&r) - 0.5;
            if (precision == PRECISION_DOUBLE)
                ((double *)w->noise)[i] = value;
            else
                ((float *)w->noise)[i] = (float)value;
        }
    }
    return 0;
}

int webb_room_fill(struct webb_room *w, struct error *e)
{
    return solver_put(w->solver, "p", 0, w->nz, w->noise, e) ||
           solver_put(w->solver, "p_previous", 0, w->nz, w->noise, e);
}

/* Positions keep their grid points, as the spacing of the 19-point scheme is smaller at the same
 * rate. */
static void place(struct webb_room *w, enum air_stencil stencil)
{
    const double scale = stencil == STENCIL_19_POINT ? sqrt((1.0 / 3.0) / ISOTROPIC19_COURANT_SQUARED) : 1.0;
    w->source = (struct source){.name = "S", .gain = 1.0, .position = {1.0 * scale, 1.2 * scale, 1.1 * scale}};
    for (int i = 0; i < WEBB_RECEIVERS; i++)
        w->receivers[i] = (struct receiver){
            .name = "R", .position = {scale * (0.3 + 0.35 * i), scale * (2.9 - 0.21 * i), scale * (0.4 + 0.25 * i)}};
}

int webb_room_open(struct webb_room *w, enum room_grid grid, enum air_stencil stencil, size_t wall_kind,
                   enum precision precision, const struct solver_options *choice, struct error *e)
{
    return webb_room_open_points(w, room_grids[grid], stencil, wall_kind, precision, choice, e);
}

int webb_room_open_points(struct webb_room *w, const size_t n[3], enum air_stencil stencil, size_t wall_kind,
                          enum precision precision, const struct solver_options *choice, struct error *e)
{
    memset(w, 0, sizeof *w);
    w->nz = n[2];
    w->points = n[0] * n[1] * n[2];
    w->material = materials[wall_kind];
    if (wall_kind == WALLS_SIX)
        tune(&w->material);
    place(w, stencil);
    w->room = (struct room){.path = "webb",
                            .sized_by_points = true,
                            .points = {n[0], n[1], n[2]},
                            .materials = &w->material,
                            .material_count = 1,
                            .duration = 1.0,
                            .sources = &w->source,
                            .source_count = 1,
                            .receivers = w->receivers,
                            .receiver_count = WEBB_RECEIVERS};
    w->room.air.temperature = 20.0;
    w->room.grid.rate = 44100.0;
    w->room.grid.precision = precision;
    w->room.output.dispersion = 0.02;
    if (stencil == STENCIL_19_POINT) {
        w->room.grid.scheme = GRID_SCHEME_19_POINT;
        w->room.output.filter = FILTER_NONE; /* no map, so that a real admittance stays real */
    }
    if (model_make(&w->model, &w->room, e) || model_problem(&w->problem, &w->leapfrog, w->model, 0, 1, e) ||
        solver_open(&w->solver, &w->problem, choice, e) || make_noise(w, precision, e) || webb_room_fill(w, e)) {
        webb_room_close(w);
        return -1;
    }
    return 0;
}

int webb_room_field_after(void **field, struct webb_room *w, size_t steps, struct error *e)
{
    const struct block silence = {0};
    *field = malloc(w->points * sizeof(double));
    if (!*field)
        return fail(e, ERROR_MEMORY, "out of memory");
    memset(*field, 0xff, w->points * sizeof(double)); /* NaN */
    return webb_room_fill(w, e) || solver_run(w->solver, steps, &silence, e) ||
           solver_get(w->solver, "p", 0, w->nz, *field, e);
}

double webb_room_difference(const void *got, const void *expected, size_t points, enum precision precision)
{
    double worst = 0.0, peak = 0.0;
    for (size_t i = 0; i < points; i++) {
        const double a = precision == PRECISION_DOUBLE ? ((const double *)got)[i] : (double)((const float *)got)[i];
        const double b =
            precision == PRECISION_DOUBLE ? ((const double *)expected)[i] : (double)((const float *)expected)[i];
        peak = fmax(peak, fabs(b));
        worst = nan_max(worst, fabs(a - b));
    }
    return worst / peak;
}

int webb_room_time_steps(double *step, struct webb_room *w, size_t steps, struct error *e)
{
    double times[WEBB_RUNS], *taps = malloc(WEBB_RECEIVERS * steps * sizeof *taps),
                             *drive = calloc(steps, sizeof *drive);
    int status = taps && drive ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (int i = -1; i < WEBB_RUNS && !status; i++) { /* i = -1 is a warm-up */
        const struct block b = {drive, steps, taps, steps};
        const double start = clock_seconds();
        status = solver_run(w->solver, steps, &b, e);
        if (i >= 0)
            times[i] = (clock_seconds() - start) / (double)steps;
    }
    if (!status)
        *step = bench_median(times, WEBB_RUNS);
    free(taps);
    free(drive);
    return status;
}

void webb_room_close(struct webb_room *w)
{
    solver_close(w->solver);
    model_problem_free(&w->problem);
    model_free(w->model);
    free(w->noise);
    memset(w, 0, sizeof *w);
}
