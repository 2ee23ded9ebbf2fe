/* SPDX-License-Identifier: MIT */
#include "validate/cartesian7/wall_probe.h"

#include <math.h>
#include <string.h>

#include "base/acoustics/branch_admittance.h"
#include "solver/schemes/leapfrog/leapfrog.h"

int wall_probe_material_on(struct wall_model *wall, const char *name, const struct wall_discretization *clock,
                           struct error *e)
{
    struct room *library;
    if (room_read_library(&library, e))
        return -1;
    const struct grid grid = {.valid_frequency = clock->edge};
    const struct material *found = NULL;
    for (size_t i = 0; i < library->material_count && !found; i++)
        if (!strcmp(library->materials[i].name, name))
            found = &library->materials[i];
    const int status =
        found ? wall_make(wall, found, walls_bands(&grid), clock, library->path, e)
              : fail(e, ERROR_INPUT, "rooms/materials.cfg: material %s is missing; restore the file", name);
    room_free(library);
    return status;
}

int wall_probe_material(struct wall_model *wall, const char *name, struct error *e)
{
    double courant_squared;
    if (cartesian7_courant_squared(0.0, &courant_squared, e))
        return -1;
    const struct wall_discretization clock = {
        .rate = WALL_PROBE_RATE, .edge = WALL_PROBE_RATE * cartesian7_valid_frequency(courant_squared, 0.02)};
    return wall_probe_material_on(wall, name, &clock, e);
}

struct wall_model wall_probe_real(double admittance)
{
    return (struct wall_model){.admittance = admittance};
}

void wall_probe_end(struct scene *s, const struct wall_model *wall)
{
    s->outside[FACE_X_MAX] = CELL_SOLID + 1;
    s->leapfrog.admittance[CELL_SOLID + 1] = wall->admittance;
    if (wall->branch_count)
        scene_branches(s, 1, wall->branches, wall->branch_count);
}

double complex wall_probe_continuum(const struct wall_model *wall, double frequency)
{
    return wall->admittance + branch_admittance(wall->branches, wall->branch_count, I * (2.0 * M_PI * frequency));
}

double complex wall_probe_discrete(const struct wall_model *wall, double frequency)
{
    double y[2];
    cartesian7_admittance(wall->branches, wall->branch_count, wall->admittance, frequency, y);
    return y[0] + I * y[1];
}

double complex wall_probe_reflection(double courant_squared, const struct wall_model *wall, double frequency,
                                     double kappa)
{
    double closed[2];
    const double complex y = wall_probe_discrete(wall, frequency);
    cartesian7_reflection(courant_squared, (const double[2]){creal(y), cimag(y)}, frequency, kappa, closed);
    return closed[0] + I * closed[1];
}
