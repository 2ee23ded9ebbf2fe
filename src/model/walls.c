/* SPDX-License-Identifier: MIT */
#include "model/walls.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/complaints.h"
#include "base/stop.h"
#include "model/absorption.h"
#include "model/admittance_fit.h"
#include "model/wall_fit.h"
#include "schemes/leapfrog/leapfrog.h"

size_t walls_bands(const struct grid *g)
{
    size_t bands = 1;
    while (bands < OCTAVE_BANDS && octave_band_centre[bands] <= g->valid_frequency)
        bands++;
    return bands;
}

struct wall_clock walls_clock(const struct grid *g)
{
    return (struct wall_clock){.rate = g->rate, .mapped = g->mapped, .edge = g->valid_frequency};
}

double wall_absorption(const struct wall_model *wall, const struct wall_clock *clock, double frequency)
{
    const double grid_frequency = wall_clock_grid_frequency(clock, frequency) / clock->rate;
    const double factor = wall_clock_view(clock, frequency).factor;
    double y[2];
    leapfrog_admittance(wall->branches, wall->branch_count, wall->admittance, grid_frequency, y);
    return complex_incidence_absorption(y[0] / factor + I * (y[1] / factor), NULL);
}

double wall_misfit(const struct wall_model *wall, size_t band)
{
    const double misfit = fabs(wall->fitted[band] - wall->target[band]);
    return isfinite(misfit) ? misfit : 0.0;
}

/* ---- From materials to admittance, and branches in SI units ---- */

typedef int wall_maker(struct wall_model *wall, const struct material *material, size_t bands,
                       const struct wall_clock *clock, const char *path, struct error *e);

/* From absorption: accepted if the fit is good in every band, else marked (the caller warns) or refused. */
static int fit_wall(struct wall_model *wall, const struct material *material, size_t bands,
                    const struct wall_clock *clock, const char *path, struct error *e)
{
    struct wall_fit fit;
    char where[512];
    struct error reason;
    origin_text(&material->origin, path, where, sizeof where);
    if (wall_fit_make(&fit, material->absorption, bands, clock, false, &reason))
        return fail(e, reason.code, "%s: material %s: absorption: %.600s", where, material->name, reason.message);
    wall->admittance = fit.admittance;
    wall->branch_count = fit.branch_count;
    wall->worst_linear = fit.worst_linear;
    wall->overshoot = fit.overshoot;
    for (size_t m = 0; m < fit.branch_count; m++)
        wall->branches[m] = fit.branches[m];
    for (size_t b = 0; b < bands; b++)
        wall->target[b] = fit.target[b];
    return 0;
}

/* A known admittance: as it is, or what a mapped grid is to step in its place. */
static void take(struct wall_model *wall, const struct admittance *y, const struct wall_clock *clock)
{
    struct admittance_fit fit;
    if (clock->mapped)
        admittance_fit_make(&fit, y, clock);
    wall->admittance = clock->mapped ? 0.0 : y->real;
    wall->branch_count = clock->mapped ? fit.branch_count : y->branch_count;
    for (size_t m = 0; m < wall->branch_count; m++)
        wall->branches[m] = clock->mapped ? fit.branches[m] : y->branches[m];
}

static int take_impedance(struct wall_model *wall, const struct material *material, size_t bands,
                          const struct wall_clock *clock, const char *path, struct error *e)
{
    (void)bands, (void)path, (void)e;
    take(wall, &(struct admittance){.real = 1.0 / material->impedance}, clock);
    return 0;
}

static int take_branches(struct wall_model *wall, const struct material *material, size_t bands,
                         const struct wall_clock *clock, const char *path, struct error *e)
{
    (void)bands, (void)path, (void)e;
    take(wall, &(struct admittance){.branches = material->branches, .branch_count = material->branch_count}, clock);
    return 0;
}

/* NULL: rigid, or fixed, where no wall is left to be made. */
static wall_maker *const makers[MATERIAL_KINDS] = {
    [MATERIAL_ABSORPTION] = fit_wall,
    [MATERIAL_IMPEDANCE] = take_impedance,
    [MATERIAL_BRANCHES] = take_branches,
};

static int check_fit(struct wall_model *wall, const struct material *material, const char *path, struct error *e)
{
    char where[512];
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        if (wall_misfit(wall, b) > wall_misfit(wall, wall->worst_band))
            wall->worst_band = b;
    const size_t b = wall->worst_band;
    if (wall_misfit(wall, b) <= FIT_WORST)
        return 0;
    return fail(e, ERROR_INPUT,
                "%s: material %s: absorption: in the octave of %g Hz the closest passive wall absorbs %.3f in place of "
                "%.3f: let the absorption change less from octave to octave, or give the wall's branches",
                origin_text(&material->origin, path, where, sizeof where), material->name, octave_band_centre[b],
                wall->fitted[b], wall->target[b]);
}

int wall_make(struct wall_model *wall, const struct material *material, size_t bands, const struct wall_clock *clock,
              const char *path, struct error *e)
{
    *wall = (struct wall_model){.admittance = 0.0};
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        wall->target[b] = wall->fitted[b] = NAN;
    if (boundary_kind_of(material)->fixed)
        return 0;
    if (makers[material->kind] && makers[material->kind](wall, material, bands, clock, path, e))
        return -1;
    const struct admittance y = {wall->admittance, wall->branches, wall->branch_count};
    for (size_t b = 0; b < bands; b++)
        wall->fitted[b] = wall->branch_count ? octave_mean_absorption(&y, octave_band_centre[b], clock)
                                             : random_incidence_absorption(wall->admittance);
    for (size_t m = 0; m < wall->branch_count; m++) {
        wall->branches[m].inertance *= clock->rate;
        wall->branches[m].stiffness /= clock->rate;
    }
    return check_fit(wall, material, path, e);
}

static struct complaint_place place_of(const struct material *material, const struct room *room)
{
    const struct origin *origin = &material->origin;
    const bool own = origin->file && room->path && !strcmp(origin->file, room->path);
    return (struct complaint_place){.line = own ? origin->line : INT_MAX, .inner = origin->line};
}

int walls_make(struct wall_model **out, const struct room *room, size_t bands, const struct wall_clock *clock,
               struct error *e)
{
    struct wall_model *walls = calloc(room->material_count + 1, sizeof *walls);
    struct error *reasons = calloc(room->material_count + 1, sizeof *reasons); /* ERROR_NONE: it was made */
    struct complaints complaints = {0};
    *out = NULL;
    int status = walls && reasons ? 0 : fail(e, ERROR_MEMORY, "out of memory");
#pragma omp parallel for schedule(dynamic, 1) if (!status && room->material_count > 1)
    for (size_t i = 0; i < room->material_count; i++)
        if (!status && !stop_requested() &&
            !wall_make(&walls[i], &room->materials[i], bands, clock, room->path, &reasons[i]))
            reasons[i].code = ERROR_NONE;
    status = status || stop_check(e) ? -1 : 0;
    for (size_t i = 0; i < room->material_count && !status; i++) {
        if (reasons[i].code == ERROR_NONE)
            continue;
        if (reasons[i].code != ERROR_INPUT)
            status = fail(e, reasons[i].code, "%s", reasons[i].message);
        else if (!complaints_keep(&complaints, &reasons[i], place_of(&room->materials[i], room)))
            break;
    }
    status = status || complaints_tell(&complaints, e) ? -1 : 0;
    complaints_free(&complaints);
    free(reasons);
    if (status)
        free(walls);
    else
        *out = walls;
    return status;
}
