/* SPDX-License-Identifier: MIT */
#include "validate/geometry/voxel_run.h"

#include <math.h>
#include <stdlib.h>

#include "solver/schemes/isotropic19/isotropic19.h"
#include "solver/schemes/leapfrog/branches.h"
#include "solver/schemes/leapfrog/leapfrog.h"

const char *const stencil_names[] = {[STENCIL_7_POINT] = "7-point", [STENCIL_19_POINT] = "19-point"};

/* An air voxel adds its mass to its point, or an eighth of it to each of its corners. */
static void add_mass(struct voxel_run *run, size_t x, size_t y, size_t z)
{
    const size_t *n = run->problem.points;
    const bool corners = run->leapfrog.stencil == STENCIL_19_POINT;
    for (size_t i = 0; i < (corners ? 8 : 1); i++)
        run->mass[((z + (i >> 2)) * n[1] + y + (i >> 1 & 1)) * n[0] + x + (i & 1)] += corners ? 1.0 / MASS_UNITS : 1.0;
}

static void weigh(struct voxel_run *run, const struct voxel_set *set)
{
    for (size_t z = 0; z < voxel_set_count(set, 2); z++)
        for (size_t y = 0; y < voxel_set_count(set, 1); y++) {
            const struct voxel_row row = voxel_set_row(set, y, z);
            for (size_t i = 0; i < row.air_count; i++)
                for (size_t x = row.air[i].start; x < row.air[i].end; x++)
                    add_mass(run, x, y, z);
        }
}

int voxel_run_pose(struct voxel_run *run, const struct voxel_room *room, enum air_stencil stencil, struct error *e)
{
    const bool corners = stencil == STENCIL_19_POINT;
    *run = (struct voxel_run){.spacing = room->lattice.spacing, .points = 1};
    run->problem.scheme = corners ? &isotropic19_scheme : &cartesian7_scheme;
    run->problem.parameters = &run->leapfrog;
    run->problem.precision = PRECISION_DOUBLE;
    run->leapfrog.stencil = stencil;
    run->leapfrog.voxels = room->set;
    run->leapfrog.courant_squared = ISOTROPIC19_COURANT_SQUARED;
    if (!corners && cartesian7_courant_squared(0.0, &run->leapfrog.courant_squared, e))
        return -1;
    for (int k = 0; k < 3; k++) {
        run->problem.points[k] = voxel_set_count(room->set, k) + (corners ? 1 : 0);
        run->points *= run->problem.points[k];
        run->origin[k] = room->report.origin[k] + (corners ? 0.0 : 0.5 * run->spacing);
    }
    return 0;
}

int voxel_run_make(struct voxel_run *run, const struct voxel_room *room, enum air_stencil stencil, struct error *e)
{
    if (voxel_run_pose(run, room, stencil, e))
        return -1;
    run->mass = calloc(run->points, sizeof *run->mass);
    run->values = calloc(run->points, sizeof *run->values);
    if (!run->mass || !run->values)
        return fail(e, ERROR_MEMORY, "out of memory");
    weigh(run, room->set);
    return 0;
}

void voxel_run_free(struct voxel_run *run)
{
    free(run->mass);
    free(run->values);
    *run = (struct voxel_run){.mass = NULL};
}

void voxel_run_admit(struct voxel_run *run, double admittance)
{
    for (int code = CELL_SOLID; code < CELL_CODES; code++)
        run->leapfrog.admittance[code] = admittance;
}

void voxel_run_random_walls(struct voxel_run *run, struct random *r)
{
    enum { BRANCHES = 4 };
    for (int i = 0; i < SCENE_MESH_MATERIALS; i++) {
        const int code = CELL_SOLID + i;
        if (i % 2) {
            run->leapfrog.branches[code] = run->branches[i];
            run->leapfrog.branch_count[code] = (uint8_t)scene_draw_branches(run->branches[i], BRANCHES, r);
        } else {
            run->leapfrog.admittance[code] = pow(10.0, -3.0 + 3.0 * random_unit(r));
        }
    }
}

void voxel_run_any_walls(struct voxel_run *run, struct random *r)
{
    const bool branched = random_between(r, 0, 1);
    for (int i = 0; i < SCENE_MESH_MATERIALS; i++) {
        const int code = CELL_SOLID + i;
        const size_t kind = random_between(r, 0, branched ? 4 : 1);
        if (kind == 1)
            run->leapfrog.admittance[code] = 2.0 * random_unit(r);
        if (kind < 2)
            continue;
        run->leapfrog.branches[code] = run->branches[i];
        run->leapfrog.branch_count[code] =
            (uint8_t)scene_draw_branches(run->branches[i], kind == 4 ? BRANCHES_MAX : 6, r);
    }
}

double voxel_run_step(const struct voxel_run *run)
{
    return sqrt(run->leapfrog.courant_squared) * run->spacing / SPEED_OF_SOUND;
}

void voxel_run_place(double place[3], const struct voxel_run *run, size_t point)
{
    const size_t *n = run->problem.points;
    const size_t at[3] = {point % n[0], point / n[0] % n[1], point / n[0] / n[1]};
    for (int k = 0; k < 3; k++)
        place[k] = run->origin[k] + (double)at[k] * run->spacing;
}

size_t voxel_run_air_point(const struct voxel_run *run, struct random *r)
{
    for (;;) {
        const size_t point = random_between(r, 0, run->points - 1);
        if (run->mass[point] > 0.0)
            return point;
    }
}

static int put(struct voxel_run *run, struct solver *solver, const char *array, struct error *e)
{
    return solver_put(solver, array, 0, run->problem.points[2], run->values, e);
}

int voxel_run_start(struct voxel_run *run, struct solver *solver, struct error *e)
{
    return put(run, solver, "p", e) || put(run, solver, "p_previous", e);
}

static void draw_noise(struct voxel_run *run, struct random *r)
{
    double sum = 0.0, mass = 0.0;
    for (size_t i = 0; i < run->points; i++) {
        run->values[i] = random_unit(r) - 0.5;
        sum += run->mass[i] * run->values[i];
        mass += run->mass[i];
    }
    for (size_t i = 0; i < run->points; i++)
        run->values[i] -= sum / mass;
}

int voxel_run_noise(struct voxel_run *run, struct solver *solver, struct random *r, struct error *e)
{
    draw_noise(run, r);
    if (put(run, solver, "p", e))
        return -1;
    draw_noise(run, r);
    return put(run, solver, "p_previous", e);
}
