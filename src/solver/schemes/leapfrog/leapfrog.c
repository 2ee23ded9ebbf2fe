/* SPDX-License-Identifier: MIT */
#include "solver/schemes/leapfrog/leapfrog.h"
#include "base/acoustics/branch_admittance.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "solver/schemes/bodies/bodies.h"
#include "solver/schemes/leapfrog/partition_links.h"

static const char *const arrays[] = {"p", "p_previous", NULL};

/* Number of points of an array; 0: no such array. */
static uint64_t array_points(const struct problem *p, size_t array)
{
    if (array == 0)
        return (uint64_t)p->points[0] * p->points[1] * p->points[2];
    return array < BODY_ARRAYS || !leapfrog_of(p)->bodies ? 0 : bodies_points(leapfrog_of(p)->bodies, array);
}

static int check_channels(const struct channel *channels, size_t count, const struct problem *p, int level_min,
                          const char *what, struct error *e)
{
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < channels[c].count; i++) {
            const struct channel_entry *entry = &channels[c].entries[i];
            const bool of_body = entry->array >= BODY_ARRAYS;
            if (entry->point >= array_points(p, entry->array) || entry->level < (of_body ? 1 : level_min) ||
                entry->level > 1)
                return fail(e, ERROR_ENGINE, "%s channel %zu, entry %zu: no such point, array or time level", what, c,
                            i);
            if (!isfinite(entry->weight))
                return fail(e, ERROR_ENGINE, "%s channel %zu, entry %zu: the weight must be finite", what, c, i);
        }
    return 0;
}

static bool tanks_follow(const struct branch *branch, size_t left)
{
    bool follow = branch->tanks < left;
    for (size_t t = 1; follow && t <= branch->tanks; t++)
        follow = !branch[t].tanks;
    return follow;
}

static int check_wall(const struct leapfrog_problem *l, int code, struct error *e)
{
    if (!(l->admittance[code] >= 0.0))
        return fail(e, ERROR_ENGINE, "specific admittance %g of a wall: must not be negative", l->admittance[code]);
    if (l->branch_count[code] > BRANCHES_MAX)
        return fail(e, ERROR_ENGINE, "%d branches of a wall: at most %d are supported", l->branch_count[code],
                    BRANCHES_MAX);
    for (int m = 0; m < l->branch_count[code]; m++) {
        const struct branch *b = &l->branches[code][m];
        const double sum = b->inertance + b->resistance + b->stiffness;
        if (!(b->inertance >= 0.0 && b->resistance >= 0.0 && b->stiffness >= 0.0 && sum >= 1e-18 && sum <= 1e24))
            return fail(e, ERROR_ENGINE,
                        "branch of a wall with inertance %g, resistance %g and stiffness %g (normalized by the time "
                        "step): each must be non-negative, and their sum must lie between 1e-18 and 1e24",
                        b->inertance, b->resistance, b->stiffness);
    }
    for (size_t m = 0; m < l->branch_count[code]; m += 1 + l->branches[code][m].tanks)
        if (!tanks_follow(l->branches[code] + m, l->branch_count[code] - m))
            return fail(e, ERROR_ENGINE, "branch of a wall with %zu tanks: these do not follow it",
                        l->branches[code][m].tanks);
    return 0;
}

static int check(const struct problem *p, struct error *e)
{
    const struct leapfrog_problem *l = leapfrog_of(p);
    const double courant_squared = l->courant_squared;
    if (!(courant_squared > 0.0 && l->viscosity >= 0.0 && courant_squared + 2.0 * l->viscosity <= 1.0 / 3.0))
        return fail(e, ERROR_ENGINE,
                    "Courant number %.9g%s: must not exceed the stability limit 1/sqrt(3) of the leapfrog scheme",
                    sqrt(courant_squared + 2.0 * l->viscosity),
                    l->viscosity > 0.0 ? " (including the losses of air)" : "");
    return leapfrog_check(p, e);
}

/* Whether the set of voxels matches the numbers of points; a grid too large to step has no set. */
static int check_voxels(const struct problem *p, struct error *e)
{
    const struct leapfrog_problem *l = leapfrog_of(p);
    const size_t fewer = l->stencil == STENCIL_19_POINT ? 1 : 0;
    for (int axis = 0; axis < 3 && l->voxels; axis++)
        if (voxel_set_count(l->voxels, axis) + fewer != p->points[axis])
            return fail(e, ERROR_ENGINE, "%zu voxels along %c do not match %zu points",
                        voxel_set_count(l->voxels, axis), "xyz"[axis], p -> points[axis]);
    return 0;
}

int leapfrog_check(const struct problem *p, struct error *e)
{
    for (int axis = 0; axis < 3; axis++)
        if (p->points[axis] == 0)
            return fail(e, ERROR_ENGINE,
                        "a grid of %zu x %zu x %zu points is empty; each axis needs at least one point", p->points[0],
                        p->points[1], p->points[2]);
    for (int code = CELL_SOLID; code < CELL_CODES; code++)
        if (check_wall(leapfrog_of(p), code, e))
            return -1;
    return transmission_check(leapfrog_of(p), e) || check_voxels(p, e) ||
           check_channels(p->drives, p->drive_count, p, 1, "drive", e) ||
           check_channels(p->taps, p->tap_count, p, 0, "tap", e);
}

const struct scheme cartesian7_scheme = {
    .name = "cartesian7",
    .arrays = arrays,
    .array_count = 2,
    .stepped = 2,
    .radius = 1,
    .flops_per_point = 9.0,
    .values_per_point = 3,
    .check = check,
};

/* λ² is a multiple of this unit, so that K λ² and 2 - K λ² need at most 22 bits for any λ. */
static const double courant_squared_unit = 0x1p-21;

int cartesian7_courant_squared(double courant, double *courant_squared, struct error *e)
{
    double wanted = courant == 0.0 ? 1.0 / 3.0 : courant * courant;
    /* accepts 1/sqrt(3) rounded up in its last digits */
    if (!(courant >= 0.0) || wanted > (1.0 / 3.0) * (1.0 + 1e-9))
        return fail(
            e, ERROR_INPUT,
            "Courant number %.9g: the scheme is unstable above 1/sqrt(3) = 0.577350269; use a value from 0.01 to 0.577",
            courant);
    if (wanted > 1.0 / 3.0)
        wanted = 1.0 / 3.0;
    *courant_squared = floor(wanted / courant_squared_unit) * courant_squared_unit;
    if (!(wanted >= 1e-4))
        return fail(e, ERROR_INPUT, "Courant number %.9g: must be at least 0.01; use a value from 0.01 to 0.577",
                    courant);
    return 0;
}

/* The viscosity is a multiple of this unit: with λ² below 1/3, 2 - K (λ² + viscosity) and 1 - K
 * viscosity fit into the 24 bits of single precision. */
static const double viscosity_unit = 0x1p-23;

int cartesian7_viscosity(double courant, double t, double *courant_squared, double *viscosity, struct error *e)
{
    const double max = 1.0 / (3.0 * (1.0 + 2.0 * t));
    *viscosity = 0.0;
    if (!(t >= 0.0 && isfinite(t)))
        return fail(e, ERROR_INPUT, "viscothermal time of %g steps: must be finite and not negative", t);
    if (cartesian7_courant_squared(courant, courant_squared, e))
        return -1;
    if (t == 0.0)
        return 0;
    *courant_squared = fmin(*courant_squared, floor(max / courant_squared_unit) * courant_squared_unit);
    *viscosity = fmax(1.0, round(*courant_squared * t / viscosity_unit)) * viscosity_unit;
    if (*courant_squared + 2.0 * *viscosity > 1.0 / 3.0)
        *courant_squared -=
            courant_squared_unit * ceil((*courant_squared + 2.0 * *viscosity - 1.0 / 3.0) / courant_squared_unit);
    return *courant_squared > 0.0
               ? 0
               : fail(e, ERROR_INPUT, "viscothermal time of %g steps: the losses are too large for a stable time step",
                      t);
}

double cartesian7_axial_velocity(double courant_squared, double frequency)
{
    double courant = sqrt(courant_squared);
    double sine = sin(M_PI * frequency) / courant;
    if (frequency <= 0.0)
        return 1.0;
    if (!(sine <= 1.0))
        return NAN;
    double kappa = 2.0 * asin(sine);
    return 2.0 * M_PI * frequency / (courant * kappa);
}

double cartesian7_valid_frequency(double courant_squared, double dispersion)
{
    double low = 0.0, high = asin(sqrt(courant_squared)) / M_PI; /* the cut-off: 0.196 at the limit */
    for (int i = 0; i < 200; i++) {
        double middle = 0.5 * (low + high);
        if (1.0 - cartesian7_axial_velocity(courant_squared, middle) <= dispersion)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double cartesian7_wavenumber(double courant_squared, double frequency)
{
    return 2.0 * asin(sin(M_PI * frequency) / sqrt(courant_squared));
}

double cartesian7_wavenumber_along(double courant_squared, double frequency, const double direction[3])
{
    const double sine = sin(M_PI * frequency), wanted = sine * sine / courant_squared;
    double kappa = 2.0 * M_PI * frequency / sqrt(courant_squared); /* that of the continuum, at most that of the grid */
    for (int i = 0; i < 60; i++) {
        double value = -wanted, slope = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            const double half = 0.5 * kappa * direction[axis];
            value += sin(half) * sin(half);
            slope += sin(half) * cos(half) * direction[axis];
        }
        const double step = value / slope;
        kappa -= step;
        if (!(fabs(step) > 4e-16 * kappa))
            break;
    }
    return kappa;
}

void cartesian7_admittance(const struct branch *branches, size_t count, double real, double frequency,
                           double admittance[2])
{
    const double complex sum = real + branch_admittance(branches, count, 2.0 * I * tan(M_PI * frequency));
    admittance[0] = creal(sum);
    admittance[1] = cimag(sum);
}

void cartesian7_reflection(double courant_squared, const double admittance[2], double frequency, double kappa,
                           double reflection[2])
{
    const double complex half = cexp(I * (0.5 * kappa)), y = admittance[0] + I * admittance[1];
    double complex r = 1.0;
    if (y != 0.0) {
        const double complex a = 2.0 * sqrt(courant_squared) * sin(0.5 * kappa) / (y * sin(2.0 * M_PI * frequency));
        r = (a - half) / (a + conj(half));
    }
    reflection[0] = creal(r);
    reflection[1] = cimag(r);
}

#define VARIANTS(name)                                                                                                 \
    {                                                                                                                  \
        name, name WEBB_READ_ONLY_SUFFIX, name WEBB_PREFER_L1_SUFFIX, name WEBB_READ_ONLY_SUFFIX WEBB_PREFER_L1_SUFFIX \
    }

static const char *const webb_kernels[WEBB_KERNELS][WEBB_VARIANTS] = {
    VARIANTS("tiling-3d"),  VARIANTS("tiling-3d-shared"),  VARIANTS("tiling-3d-extended"),
    VARIANTS("slicing-2d"), VARIANTS("slicing-2d-shared"), VARIANTS("slicing-2d-extended"),
};

const char *webb_kernel(const char *name, unsigned variant)
{
    for (size_t i = 0; name && i < WEBB_KERNELS; i++)
        if (!strcmp(name, webb_kernels[i][0]))
            return webb_kernels[i][variant];
    return name;
}
