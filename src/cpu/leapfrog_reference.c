/* The leapfrog scheme point by point, straight from the voxel map and PHYSICS (1) and (3): slow, readable, and the
 * oracle that every other kernel is checked against. Compiled for both precisions with REAL and VARIANT set. */
#include <math.h>
#include <stdint.h>

#include "cpu/kernel.h"

#define JOIN(a, b) a##_##b
#define EXPAND(a, b) JOIN(a, b)
#define NAME(function) EXPAND(function, VARIANT)

void NAME(reference_sweep)(const struct field *f, size_t row0, size_t row1, void *saved);
void NAME(reference_finish)(const struct field *f, size_t row0, size_t row1, const void *saved, double *absorbed);

struct surroundings {
    int links;         /* K */
    REAL sum;          /* S */
    double admittance; /* Σ Y over the missing faces */
};

static struct surroundings look_around(const struct field *f, size_t x, size_t y, size_t z)
{
    const struct leapfrog_problem *l = &f->problem->as.leapfrog;
    const size_t *n = f->problem->points;
    const size_t row = f->rows.stride, stride[3] = {1, row, row * n[1]}, at[3] = {x, y, z};
    const size_t point = (z * n[1] + y) * row + x, cell_stride[3] = {1, n[0], n[0] * n[1]};
    const uint8_t *here = f->cells + (z * n[1] + y) * n[0] + x;
    struct surroundings around = {0, 0, 0.0};
    REAL pair[3] = {0, 0, 0};
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++) {
            bool inside = side ? at[axis] + 1 < n[axis] : at[axis] > 0;
            uint8_t cell = !inside ? l->outside[2 * axis + side]
                           : side  ? here[cell_stride[axis]]
                                   : *(here - cell_stride[axis]);
            if (cell >= CELL_SOLID) {
                around.admittance += l->admittance[cell];
            } else {
                around.links++;
                pair[axis] += ((const REAL *)f->now)[side ? point + stride[axis] : point - stride[axis]];
            }
        }
    around.sum = (pair[0] + pair[1]) + pair[2];
    return around;
}

void NAME(reference_sweep)(const struct field *f, size_t row0, size_t row1, void *saved)
{
    const size_t nx = f->problem->points[0], ny = f->problem->points[1];
    const REAL courant_squared = (REAL)f->problem->as.leapfrog.courant_squared;
    REAL *keep = saved;
    for (size_t row = row0; row < row1; row++)
        for (size_t x = 0; x < nx; x++) {
            size_t point = row * f->rows.stride + x;
            if (f->cells[row * nx + x] != CELL_AIR)
                continue;
            struct surroundings around = look_around(f, x, row % ny, row / ny);
            REAL *u = (REAL *)f->next + point;
            REAL p = ((const REAL *)f->now)[point];
            if (around.admittance > 0.0)
                *keep++ = *u;
            *u = (((REAL)2 - (REAL)around.links * courant_squared) * p + courant_squared * around.sum) - *u;
        }
}

void NAME(reference_finish)(const struct field *f, size_t row0, size_t row1, const void *saved, double *absorbed)
{
    const size_t nx = f->problem->points[0], ny = f->problem->points[1];
    const double courant = sqrt(f->problem->as.leapfrog.courant_squared);
    const REAL *keep = saved;
    for (size_t row = row0; row < row1; row++)
        for (size_t x = 0; x < nx; x++) {
            size_t point = row * f->rows.stride + x;
            if (f->cells[row * nx + x] != CELL_AIR)
                continue;
            struct surroundings around = look_around(f, x, row % ny, row / ny);
            if (!(around.admittance > 0.0))
                continue;
            REAL *u = (REAL *)f->next + point, before = *keep++;
            double a = 0.5 * courant * around.admittance;
            *u = *u + (REAL)(a / (1.0 + a)) * (before - *u);
            double change = (double)*u - (double)before;
            absorbed[row] += 0.5 * a * change * change;
        }
}
