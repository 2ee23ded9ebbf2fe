/* SPDX-License-Identifier: MIT */
#include "room/grid/walls.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diagnostics.h"
#include "base/stop.h"
#include "room/grid/absorption.h"
#include "room/grid/admittance_fit.h"
#include "room/grid/layer_fit.h"
#include "room/grid/wall_fit.h"
#include "solver/schemes/leapfrog/leapfrog.h"

size_t walls_bands(const struct grid *g)
{
    size_t bands = 1;
    while (bands < OCTAVE_BANDS && octave_band_centre[bands] <= g->valid_frequency)
        bands++;
    return bands;
}

struct wall_discretization walls_clock(const struct grid *g)
{
    return (struct wall_discretization){.rate = g->rate, .mapped = g->mapped, .edge = g->valid_frequency};
}

double wall_absorption(const struct wall_model *wall, const struct wall_discretization *clock, double frequency)
{
    if (!(frequency <= clock->edge))
        return complex_incidence_absorption(wall_admittance_at(&wall->material, frequency), NULL);
    const double grid_frequency = wall_discretization_grid_frequency(clock, frequency) / clock->rate;
    const double factor = wall_discretization_view(clock, frequency).factor;
    double y[2];
    cartesian7_admittance(wall->branches, wall->branch_count, wall->admittance, grid_frequency, y);
    return complex_incidence_absorption(y[0] / factor + I * (y[1] / factor), NULL);
}

double wall_misfit(const struct wall_model *wall, size_t band)
{
    const double misfit = fabs(wall->fitted[band] - wall->target[band]);
    return isfinite(misfit) ? misfit : 0.0;
}

/* ---- From materials to admittance, and branches in SI units ---- */

/* From absorption: accepted if the fit is good in every band, else marked (the caller warns) or refused. */
static int fit_wall(struct wall_model *wall, const struct material *material, const char *path, struct error *e)
{
    struct wall_fit fit;
    char where[512];
    struct error reason;
    origin_text(&material->origin, path, where, sizeof where);
    if (wall_fit_make(&fit, material->absorption, false, &reason))
        return fail(e, reason.code, "%s: material %s: absorption: %.600s", where, material->name, reason.message);
    wall->material = fit.wall;
    memcpy(wall->target, fit.target, sizeof fit.target);
    wall->worst_linear = fit.worst_linear;
    wall->overshoot = fit.overshoot;
    return 0;
}

static void take_impedance(struct wall_model *wall, const struct material *material)
{
    wall->material.real = 1.0 / material->impedance;
}

static void take_branches(struct wall_model *wall, const struct material *material)
{
    wall->material.branch_count = material->branch_count;
    memcpy(wall->material.branches, material->branches, material->branch_count * sizeof *material->branches);
}

/* Without a default: the compiler names this place for a new kind. */
static int take_material(struct wall_model *wall, const struct material *material, const char *path, struct error *e)
{
    switch (material->kind) {
    case MATERIAL_ABSORPTION:
        return fit_wall(wall, material, path, e);
    case MATERIAL_IMPEDANCE:
        take_impedance(wall, material);
        return 0;
    case MATERIAL_BRANCHES:
        take_branches(wall, material);
        return 0;
    case MATERIAL_LAYERS:
        wall->material.layers = material->layered;
        return 0;
    case MATERIAL_RIGID:
    case MATERIAL_FIXED: /* no wall is left to be made */
    case MATERIAL_KINDS:
        break;
    }
    return 0;
}

static size_t worst_band_of(const struct wall_model *wall, size_t bands)
{
    size_t worst = 0;
    for (size_t b = 1; b < bands; b++)
        if (wall_misfit(wall, b) > wall_misfit(wall, worst))
            worst = b;
    return worst;
}

static int check_fit(const struct wall_model *wall, size_t bands, const struct material *material, const char *path,
                     struct error *e)
{
    char where[512];
    const size_t b = worst_band_of(wall, bands);
    if (wall_misfit(wall, b) <= FIT_WORST)
        return 0;
    return fail(e, ERROR_INPUT,
                "%s: material %s: absorption: in the %g Hz octave the closest passive wall absorbs %.3f instead of "
                "%.3f; smooth the absorption between octaves, or use branches",
                origin_text(&material->origin, path, where, sizeof where), material->name, octave_band_centre[b],
                wall->fitted[b], wall->target[b]);
}

static int set_layers(struct wall_model *wall, const struct wall_discretization *clock, struct error *e)
{
    struct layer_fit fit;
    if (layer_fit_make(&fit, &wall->material.layers, clock, e))
        return -1;
    wall->branch_count = fit.branch_count;
    memcpy(wall->branches, fit.branches, fit.branch_count * sizeof *fit.branches);
    wall->worst_reflection = fit.worst;
    wall->worst_frequency = fit.worst_frequency;
    return 0;
}

/* A real admittance is stepped as it is where the grid's frequencies are the true ones. */
static int set_stepped(struct wall_model *wall, const struct wall_discretization *clock, struct error *e)
{
    const struct wall_admittance *material = &wall->material;
    struct admittance_fit fit;
    if (material->layers.count)
        return set_layers(wall, clock, e);
    if (!material->branch_count && !clock->mapped) {
        wall->admittance = material->real;
        return 0;
    }
    admittance_fit_make(&fit, &(struct admittance){material->real, material->branches, material->branch_count}, clock);
    wall->branch_count = fit.branch_count;
    for (size_t m = 0; m < fit.branch_count; m++)
        wall->branches[m] = fit.branches[m];
    return 0;
}

static void set_fitted(struct wall_model *wall, const struct wall_discretization *clock)
{
    const struct admittance stepped = {wall->admittance, wall->branches, wall->branch_count};
    for (size_t b = 0; b < OCTAVE_BANDS; b++) {
        const double centre = octave_band_centre[b];
        wall->fitted[b] = centre * M_SQRT2 <= clock->edge ? octave_mean_absorption(&stepped, centre, clock)
                                                          : wall_admittance_absorption(&wall->material, centre);
    }
}

int wall_make(struct wall_model *wall, const struct material *material, size_t bands,
              const struct wall_discretization *clock, const char *path, struct error *e)
{
    *wall = (struct wall_model){.material = {.fixed = boundary_kind_of(material)->fixed}};
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        wall->target[b] = wall->fitted[b] = NAN;
    if (wall->material.fixed)
        return 0;
    if (take_material(wall, material, path, e) || set_stepped(wall, clock, e))
        return -1;
    set_fitted(wall, clock);
    wall->worst_band = worst_band_of(wall, OCTAVE_BANDS);
    for (size_t m = 0; m < wall->branch_count; m++) {
        wall->branches[m].inertance *= clock->rate;
        wall->branches[m].stiffness /= clock->rate;
    }
    return check_fit(wall, bands, material, path, e);
}

static struct diagnostics_place place_of(const struct material *material, const struct room *room)
{
    const struct origin *origin = &material->origin;
    const bool own = origin->file && room->path && !strcmp(origin->file, room->path);
    return (struct diagnostics_place){.line = own ? origin->line : INT_MAX, .inner = origin->line};
}

int walls_make(struct wall_model **out, const struct room *room, size_t bands, const struct wall_discretization *clock,
               struct error *e)
{
    struct wall_model *walls = calloc(room->material_count + 1, sizeof *walls);
    struct error *reasons = calloc(room->material_count + 1, sizeof *reasons); /* ERROR_NONE: it was made */
    struct diagnostics diagnostics = {0};
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
        else if (!diagnostics_keep(&diagnostics, &reasons[i], place_of(&room->materials[i], room)))
            break;
    }
    status = status || diagnostics_tell(&diagnostics, e) ? -1 : 0;
    diagnostics_free(&diagnostics);
    free(reasons);
    if (status)
        free(walls);
    else
        *out = walls;
    return status;
}
