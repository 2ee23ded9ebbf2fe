/* SPDX-License-Identifier: MIT */
/* The leapfrog scheme point by point, straight from the voxel map and theory (7), (22), (33) and
 * (34). This slow and readable kernel is the reference for all other kernels. Compiled for both
 * precisions with REAL and VARIANT set. */
#include <math.h>
#include <stdint.h>

#include "solver/cpu/kernels.h"
#include "solver/cpu/reference.h"
#include "solver/cpu/variant.h"

void NAME(reference_sweep)(const struct field *f, size_t row0, size_t row1, void *saved);
void NAME(reference_finish)(const struct field *f, size_t row0, size_t row1, const void *saved, double *absorbed);
double NAME(reference_branch_energy)(const struct field *f);

struct surroundings {
    int links;           /* K */
    REAL now, before;    /* S of p and S of p⁻ */
    double admittance;   /* Σ Y of the real admittances over the missing faces */
    struct wall_key key; /* materials of the missing faces */
    bool branched;       /* some materials have branches */
};

static struct surroundings look_around(const struct field *f, size_t x, size_t y, size_t z)
{
    const struct leapfrog_problem *l = leapfrog_of(f->problem);
    const size_t *n = f->problem->points;
    const size_t row = f->rows.stride, stride[3] = {1, row, row * n[1]}, at[3] = {x, y, z};
    const size_t point = (z * n[1] + y) * row + x, cell_stride[3] = {1, n[0], n[0] * n[1]};
    const uint8_t *here = f->cells + (z * n[1] + y) * n[0] + x;
    struct surroundings around = {.key.mass = MASS_UNITS};
    REAL now[3] = {0, 0, 0}, before[3] = {0, 0, 0};
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++) {
            const bool inside = side ? at[axis] + 1 < n[axis] : at[axis] > 0;
            const bool air = inside && *(side ? here + cell_stride[axis] : here - cell_stride[axis]) == CELL_AIR;
            const struct face_run *face = air ? NULL : voxel_set_face(l->voxels, x, y, z, 2 * axis + side);
            if (face && face->code != CELL_FIXED) {
                around.admittance += (double)face->area / FACE_AREA_UNITS * l->admittance[face->code];
                wall_key_add(&around.key, l, face->code, face->area * (AREA_UNITS / FACE_AREA_UNITS));
            } else {
                const size_t neighbour = side ? point + stride[axis] : point - stride[axis];
                around.links++;
                now[axis] += ((const REAL *)f->now)[neighbour];
                before[axis] += ((const REAL *)f->before)[neighbour];
            }
        }
    around.now = (now[0] + now[1]) + now[2];
    around.before = (before[0] + before[1]) + before[2];
    around.branched = wall_key_branched(&around.key, l);
    return around;
}

/* theory (7), and (22) in lossy air. */
static REAL rigid_update(const struct leapfrog_problem *l, const struct surroundings *around, REAL p, REAL before)
{
    const REAL links = (REAL)around->links, side = (REAL)(l->courant_squared + l->viscosity);
    const REAL lossless = ((REAL)2 - links * side) * p + side * around->now;
    if (!(l->viscosity > 0.0))
        return lossless - before;
    return lossless - (((REAL)1 - links * (REAL)l->viscosity) * before + (REAL)l->viscosity * around->before);
}

void NAME(reference_sweep)(const struct field *f, size_t row0, size_t row1, void *saved)
{
    const size_t nx = f->problem->points[0], ny = f->problem->points[1];
    REAL *keep = saved;
    for (size_t row = row0; row < row1; row++)
        for (size_t x = 0; x < nx; x++) {
            size_t point = row * f->rows.stride + x;
            if (f->cells[row * nx + x] != CELL_AIR)
                continue;
            struct surroundings around = look_around(f, x, row % ny, row / ny);
            const REAL before = ((const REAL *)f->before)[point];
            if (around.admittance > 0.0 || around.branched)
                *keep++ = before;
            ((REAL *)f->next)[point] =
                rigid_update(leapfrog_of(f->problem), &around, ((const REAL *)f->now)[point], before);
        }
}

/* States of a point's branches: v, g by part and branch. */
static REAL *states_of(const struct field *f, size_t point)
{
    return (REAL *)f->states + f->branch_first[point];
}

void NAME(reference_finish)(const struct field *f, size_t row0, size_t row1, const void *saved, double *absorbed)
{
    const size_t nx = f->problem->points[0], ny = f->problem->points[1];
    const double courant = sqrt(leapfrog_of(f->problem)->courant_squared);
    const REAL *keep = saved;
    for (size_t row = row0; row < row1; row++)
        for (size_t x = 0; x < nx; x++) {
            size_t point = row * f->rows.stride + x;
            if (f->cells[row * nx + x] != CELL_AIR)
                continue;
            struct surroundings around = look_around(f, x, row % ny, row / ny);
            if (!(around.admittance > 0.0) && !around.branched)
                continue;
            REAL *u = (REAL *)f->next + point, before = *keep++;
            if (around.branched) {
                absorbed[row] += NAME(reference_branch_update)(f, &around.key, u, before, states_of(f, row * nx + x));
                continue;
            }
            double a = 0.5 * courant * around.admittance;
            *u = *u + (REAL)(a / (1.0 + a)) * (before - *u);
            double change = (double)*u - (double)before;
            absorbed[row] += 0.5 * a * change * change;
        }
}

double NAME(reference_branch_energy)(const struct field *f)
{
    const size_t nx = f->problem->points[0], ny = f->problem->points[1];
    double energy = 0.0;
    for (size_t point = 0; point < nx * f->rows.count; point++) {
        if (f->cells[point] != CELL_AIR)
            continue;
        const struct surroundings around = look_around(f, point % nx, point / nx % ny, point / nx / ny);
        if (around.branched)
            energy += NAME(reference_stored)(f, &around.key, states_of(f, point));
    }
    return energy;
}
