/* The leapfrog scheme point by point, straight from the voxel map and PHYSICS (1) to (4): slow, readable, and the
 * reference that every other kernel is checked against. Compiled for both precisions with REAL and VARIANT set. */
#include <math.h>
#include <stdint.h>

#include "cpu/kernel.h"
#include "cpu/variant.h"

void NAME(reference_sweep)(const struct field *f, size_t row0, size_t row1, void *saved);
void NAME(reference_finish)(const struct field *f, size_t row0, size_t row1, const void *saved, double *absorbed);
double NAME(reference_branch_energy)(const struct field *f);

struct surroundings {
    int links;              /* K */
    REAL now, before;       /* S of p and of p⁻ */
    double admittance;      /* real Σ Y over the missing faces */
    uint8_t missing[FACES]; /* their codes */
    uint64_t key;           /* of the point's kind when any missing face has branches */
};

static struct surroundings look_around(const struct field *f, size_t x, size_t y, size_t z)
{
    const struct leapfrog_problem *l = leapfrog_of(f->problem);
    const size_t *n = f->problem->points;
    const size_t row = f->rows.stride, stride[3] = {1, row, row * n[1]}, at[3] = {x, y, z};
    const size_t point = (z * n[1] + y) * row + x, cell_stride[3] = {1, n[0], n[0] * n[1]};
    const uint8_t *here = f->cells + (z * n[1] + y) * n[0] + x;
    struct surroundings around = {.links = 0};
    REAL now[3] = {0, 0, 0}, before[3] = {0, 0, 0};
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++) {
            bool inside = side ? at[axis] + 1 < n[axis] : at[axis] > 0;
            uint8_t cell = !inside ? l->outside[2 * axis + side]
                           : side  ? here[cell_stride[axis]]
                                   : *(here - cell_stride[axis]);
            if (cell >= CELL_SOLID) {
                around.admittance += l->admittance[cell];
                around.missing[2 * axis + side - around.links] = cell;
            } else {
                const size_t neighbour = side ? point + stride[axis] : point - stride[axis];
                around.links++;
                now[axis] += ((const REAL *)f->now)[neighbour];
                before[axis] += ((const REAL *)f->before)[neighbour];
            }
        }
    around.now = (now[0] + now[1]) + now[2];
    around.before = (before[0] + before[1]) + before[2];
    around.key = branches_key(l, around.missing, FACES - around.links);
    return around;
}

/* PHYSICS (1), and (2) in lossy air. */
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
            if (around.admittance > 0.0 || around.key)
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

/* Factors of every branch at a point, part by part; returns how many. */
static int list_factors(struct branch_factors factors[FACES * BRANCHES_MAX], const struct problem *p, uint64_t key)
{
    const struct leapfrog_problem *l = leapfrog_of(p);
    struct wall_part parts[FACES];
    const int count = branches_parts(parts, key);
    int used = 0;
    for (int i = 0; i < count; i++)
        for (int m = 0; m < l->branch_count[parts[i].code]; m++)
            factors[used++] = branch_factors_of(&l->branches[parts[i].code][m], sqrt(l->courant_squared), parts[i].area,
                                                p->precision);
    return used;
}

/* PHYSICS (4); returns the energy absorbed. */
static double branch_update(const struct field *f, uint64_t key, REAL *u, REAL before, REAL *states)
{
    struct branch_factors factors[FACES * BRANCHES_MAX];
    struct branch_kind kind;
    const int count = list_factors(factors, f->problem, key);
    REAL push = 0;
    branches_weigh(&kind, leapfrog_of(f->problem), key, f->problem->precision);
    for (int m = 0; m < count; m++)
        push += (REAL)factors[m].push_v * states[2 * m] - (REAL)factors[m].push_g * states[2 * m + 1];
    const REAL rigid = *u - push;
    const REAL part = (REAL)kind.weight * (kind.heavy ? rigid - before : before - rigid);
    *u = (kind.heavy ? before : rigid) + part;
    const REAL change = kind.heavy ? part : *u - before;
    double lost = kind.half_a * (double)change * (double)change;
    for (int m = 0; m < count; m++) {
        REAL *v = &states[2 * m], *g = v + 1;
        const REAL sum = ((REAL)factors[m].b * change + (REAL)factors[m].four_bd * *v) - (REAL)factors[m].twice_bf * *g;
        *g += (REAL)0.5 * sum;
        *v = sum - *v;
        lost += 0.25 * factors[m].lost * (double)sum * (double)sum;
    }
    return lost;
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
            if (!(around.admittance > 0.0) && !around.key)
                continue;
            REAL *u = (REAL *)f->next + point, before = *keep++;
            if (around.key) {
                absorbed[row] += branch_update(f, around.key, u, before, states_of(f, row * nx + x));
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
        struct branch_factors factors[FACES * BRANCHES_MAX];
        const int count = around.key ? list_factors(factors, f->problem, around.key) : 0;
        const REAL *states = count ? states_of(f, point) : NULL;
        for (int m = 0; m < count; m++)
            energy += factors[m].stored_v * (double)states[2 * m] * (double)states[2 * m] +
                      factors[m].stored_g * (double)states[2 * m + 1] * (double)states[2 * m + 1];
    }
    return energy;
}
