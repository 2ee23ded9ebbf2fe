/* SPDX-License-Identifier: MIT */
#include "model/wide_wall.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/absorption.h"
#include "model/wall_fit.h"
#include "schemes/leapfrog/leapfrog.h"

/* In the continuum: time steps of no length carry all octaves. */
static int fit(struct wide_wall *wall, const struct material *material, const char *path, struct error *e)
{
    const struct wall_clock continuum = {.rate = 0.0};
    struct wall_fit found;
    struct error reason;
    char where[512];
    if (wall_fit_make(&found, material->absorption, OCTAVE_BANDS, &continuum, false, &reason))
        return fail(e, reason.code, "%s: material %s: absorption: %.600s",
                    origin_text(&material->origin, path, where, sizeof where), material->name, reason.message);
    wall->real = found.admittance;
    wall->branch_count = found.branch_count;
    memcpy(wall->branches, found.branches, sizeof wall->branches);
    return 0;
}

static int take(struct wide_wall *wall, const struct material *material, const char *path, struct error *e)
{
    if (material->kind == MATERIAL_ABSORPTION)
        return fit(wall, material, path, e);
    if (material->kind == MATERIAL_IMPEDANCE)
        wall->real = 1.0 / material->impedance;
    if (material->kind == MATERIAL_BRANCHES) {
        wall->branch_count = material->branch_count;
        memcpy(wall->branches, material->branches, sizeof wall->branches);
    }
    return 0;
}

int wide_walls_make(struct wide_wall **walls, const struct model *m, struct error *e)
{
    const size_t count = m->room->material_count;
    int status = 0;
    *walls = calloc(count + 1, sizeof **walls);
    if (!*walls)
        return fail(e, ERROR_MEMORY, "out of memory for %zu materials", count);
    for (size_t i = 0; i < count && !status; i++) {
        const struct material *material = &m->room->materials[i];
        (*walls)[i].fixed = boundary_kind_of(material)->fixed;
        (*walls)[i].clock = walls_clock(&m->grid);
        (*walls)[i].stepped = m->walls[i];
        status = take(&(*walls)[i], material, m->room->path, e);
    }
    if (status) {
        free(*walls);
        *walls = NULL;
    }
    return status;
}

static double complex stepped_admittance(const struct wide_wall *wall, double frequency)
{
    const struct wall_clock *clock = &wall->clock;
    double y[2];
    leapfrog_admittance(wall->stepped.branches, wall->stepped.branch_count, wall->stepped.admittance,
                        wall_clock_grid_frequency(clock, frequency) / clock->rate, y);
    return (y[0] + I * y[1]) / wall_clock_view(clock, frequency).factor;
}

double complex wide_wall_admittance(const struct wide_wall *wall, double frequency)
{
    const double edge = wall->clock.edge;
    const double place = log(frequency / edge) / log(M_SQRT2); /* 0 at the edge, 1 half an octave above */
    const bool carried = wall_clock_carries(&wall->clock, frequency);
    const double share = !carried || place >= 1.0 ? 0.0 : place <= 0.0 ? 1.0 : pow(cos(0.5 * M_PI * place), 2.0);
    double complex y = 0.0;
    if (share > 0.0)
        y += share * stepped_admittance(wall, frequency);
    if (share < 1.0)
        y += (1.0 - share) *
             (wall->real + branches_admittance(wall->branches, wall->branch_count, 2.0 * M_PI * frequency));
    return y;
}

double wide_wall_absorption(const struct wide_wall *wall, double centre)
{
    double sum = 0.0;
    if (wall->fixed)
        return NAN;
    for (int i = 0; i < OCTAVE_POINTS; i++) {
        const double frequency = centre * exp2(((double)i + 0.5) / OCTAVE_POINTS - 0.5);
        sum += complex_incidence_absorption(wide_wall_admittance(wall, frequency), NULL);
    }
    return sum / OCTAVE_POINTS;
}
