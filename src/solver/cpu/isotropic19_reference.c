/* SPDX-License-Identifier: MIT */
/* The 19-point scheme point by point, straight from the voxel map
 * (solver/schemes/leapfrog/corners.h). This slow and readable kernel is the reference for all
 * other kernels of the scheme. Compiled for both precisions with REAL and VARIANT set. */
#include <math.h>

#include "solver/cpu/kernels.h"
#include "solver/cpu/reference.h"
#include "solver/cpu/variant.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "solver/schemes/leapfrog/corners.h"

void NAME(isotropic19_reference_sweep)(const struct field *f, size_t row0, size_t row1, void *saved);
void NAME(isotropic19_reference_finish)(const struct field *f, size_t row0, size_t row1, const void *saved,
                                        double *absorbed);
double NAME(isotropic19_reference_branch_energy)(const struct field *f);

struct point {
    unsigned pattern;
    struct row_wall wall;
};

/* Whether the voxel with index i - 1 along each axis is air. */
static bool is_air(const struct field *f, size_t x, size_t y, size_t z)
{
    const size_t *points = f->problem->points; /* one more point than voxels */
    return x > 0 && x < points[0] && y > 0 && y < points[1] && z > 0 && z < points[2] &&
           f->cells[((z - 1) * (points[1] - 1) + (y - 1)) * (points[0] - 1) + (x - 1)] == CELL_AIR;
}

static struct point look_around(const struct field *f, size_t x, size_t y, size_t z)
{
    unsigned air = 0;
    for (unsigned i = 0; i < CORNER_VOXELS; i++)
        air |= (unsigned)is_air(f, x + (i & 1), y + (i >> 1 & 1), z + (i >> 2)) << i;
    struct point point = {.pattern = air};
    if (air == 0 || air == PATTERN_ALL)
        return point;
    const struct corner corner = corner_at(leapfrog_of(f->problem)->voxels, (size_t[3]){x, y, z});
    point.pattern = corner.pattern;
    if (corner.pattern)
        point.wall = corner_wall(leapfrog_of(f->problem), &corner);
    return point;
}

/* Offsets of the lower and the upper neighbour along an axis; a missing side is replaced by the
 * other one (mirrored). */
struct mirror {
    ptrdiff_t lower, upper;
};

static struct mirror mirror_of(unsigned sides, size_t stride)
{
    const ptrdiff_t step = (ptrdiff_t)stride;
    return (struct mirror){sides & 1u ? -step : step, sides & 2u ? step : -step};
}

/* Within a plane: the sum of the four neighbours along the axes, and of the four along the
 * diagonals. */
struct plane_sums {
    REAL axes, diagonals;
};

static struct plane_sums sum_plane(const REAL *p, struct mirror x, struct mirror y)
{
    const REAL row = p[x.lower] + p[x.upper], *below = p + y.lower, *above = p + y.upper;
    return (struct plane_sums){row + (*below + *above),
                               (below[x.lower] + below[x.upper]) + (above[x.lower] + above[x.upper])};
}

/* h S + C p - p⁻ with S = 2 S6 + S12, h = W/2, C = 2 - 12 W, grouped by planes. */
static REAL mirrored_update(const struct field *f, const REAL *p, REAL before, unsigned pattern)
{
    const size_t row = f->rows.stride, plane = row * f->rows.ny;
    const struct mirror x = mirror_of(corner_sides(pattern, 0), 1), y = mirror_of(corner_sides(pattern, 1), row),
                        z = mirror_of(corner_sides(pattern, 2), plane);
    const struct plane_sums here = sum_plane(p, x, y);
    const REAL below = (REAL)2 * p[z.lower] + sum_plane(p + z.lower, x, y).axes;
    const REAL above = (REAL)2 * p[z.upper] + sum_plane(p + z.upper, x, y).axes;
    const REAL sum = (below + above) + ((REAL)2 * here.axes + here.diagonals);
    return ((REAL)(0.5 * ISOTROPIC19_W) * sum + (REAL)(2.0 - 12.0 * ISOTROPIC19_W) * *p) - before;
}

/* p + ((p - p⁻) + g Σ n (p_j - p)), neighbours in canonical order. */
static REAL assembled_update(const struct field *f, const REAL *p, REAL before, unsigned pattern)
{
    const ptrdiff_t row = (ptrdiff_t)f->rows.stride, plane = row * (ptrdiff_t)f->rows.ny;
    const REAL g = (REAL)(2.0 * ISOTROPIC19_W / __builtin_popcount(pattern));
    REAL sum = 0;
    const struct corner_neighbours near = corner_neighbours_of(pattern);
    for (int i = 0; i < near.count; i++) {
        const struct corner_neighbour *n = &near.list[i];
        sum += (REAL)n->links * (p[n->dx + n->dy * row + n->dz * plane] - *p);
    }
    return *p + ((*p - before) + g * sum);
}

void NAME(isotropic19_reference_sweep)(const struct field *f, size_t row0, size_t row1, void *saved)
{
    REAL *keep = saved;
    for (size_t row = row0; row < row1; row++)
        for (size_t x = 0; x < f->rows.nx; x++) {
            const struct point corner = look_around(f, x, row % f->rows.ny, row / f->rows.ny);
            const size_t point = row * f->rows.stride + x;
            const REAL *p = (const REAL *)f->now + point, before = ((const REAL *)f->before)[point];
            if (!corner.pattern)
                continue;
            if (corner.wall.branched || corner.wall.weight > 0.0)
                *keep++ = before;
            ((REAL *)f->next)[point] = corner_mirrors(corner.pattern) ? mirrored_update(f, p, before, corner.pattern)
                                                                      : assembled_update(f, p, before, corner.pattern);
        }
}

static REAL *states_of(const struct field *f, size_t row, size_t x)
{
    return (REAL *)f->states + f->branch_first[row * f->rows.nx + x];
}

void NAME(isotropic19_reference_finish)(const struct field *f, size_t row0, size_t row1, const void *saved,
                                        double *absorbed)
{
    const REAL *keep = saved;
    for (size_t row = row0; row < row1; row++)
        for (size_t x = 0; x < f->rows.nx; x++) {
            const struct point corner = look_around(f, x, row % f->rows.ny, row / f->rows.ny);
            const struct row_wall *wall = &corner.wall;
            if (!corner.pattern || !(wall->branched || wall->weight > 0.0))
                continue;
            REAL *u = (REAL *)f->next + row * f->rows.stride + x, before = *keep++;
            if (wall->branched) {
                absorbed[row] += NAME(reference_branch_update)(f, &wall->key, u, before, states_of(f, row, x));
                continue;
            }
            *u = *u + (REAL)wall->weight * (before - *u);
            const double a = wall->weight / (1.0 - wall->weight), change = (double)*u - (double)before;
            absorbed[row] += 0.5 * a * change * change * (double)wall->key.mass / MASS_UNITS;
        }
}

double NAME(isotropic19_reference_branch_energy)(const struct field *f)
{
    double energy = 0.0;
    for (size_t row = 0; row < f->rows.count; row++)
        for (size_t x = 0; x < f->rows.nx; x++) {
            const struct point corner = look_around(f, x, row % f->rows.ny, row / f->rows.ny);
            if (corner.pattern && corner.wall.branched)
                energy += NAME(reference_stored)(f, &corner.wall.key, states_of(f, row, x));
        }
    return energy;
}
