/* SPDX-License-Identifier: MIT */
#include "solver/schemes/isotropic19/isotropic19.h"

#include <math.h>

#include "solver/schemes/leapfrog/leapfrog.h"

/* Newton's method converges quadratically here; the bound only ends it on NaN. */
enum { NEWTON_STEPS = 60 };

static const double cosine_of_diagonal = 0.57735026918962576451; /* 1/sqrt(3) */

/* κ and its derivative with respect to Φ, at Φ = sin²(π f_n)/λ². */
struct mean_wavenumber {
    double kappa, slope;
};

static struct mean_wavenumber mean_at(double phi)
{
    const double root = sqrt(9.0 - 8.0 * phi), sigma = 2.0 * phi / (3.0 + root); /* Φ = 3σ - 2σ² */
    const double axis = 2.0 * asin(sqrt(phi)), diagonal = 2.0 * asin(sqrt(sigma)) / cosine_of_diagonal;
    const double axis_slope = 1.0 / sqrt(phi * (1.0 - phi));
    const double diagonal_slope = 1.0 / (cosine_of_diagonal * sqrt(sigma * (1.0 - sigma)) * root);
    const double sum = axis + diagonal;
    return (struct mean_wavenumber){2.0 * axis * diagonal / sum,
                                    2.0 * (axis_slope * diagonal * diagonal + diagonal_slope * axis * axis) /
                                        (sum * sum)};
}

static double phi_at(double grid_frequency)
{
    const double sine = sin(M_PI * grid_frequency);
    return sine * sine / ISOTROPIC19_COURANT_SQUARED;
}

/* dκ/dω_n, ω_n = 2π f_n. */
static double slope_at(double grid_frequency)
{
    return mean_at(phi_at(grid_frequency)).slope * sin(2.0 * M_PI * grid_frequency) /
           (2.0 * ISOTROPIC19_COURANT_SQUARED);
}

double isotropic19_wavenumber(double grid_frequency)
{
    if (grid_frequency == 0.0)
        return 0.0;
    return grid_frequency > 0.0 && grid_frequency < 0.5 ? mean_at(phi_at(grid_frequency)).kappa : NAN;
}

double isotropic19_true_frequency(double grid_frequency)
{
    return sqrt(ISOTROPIC19_COURANT_SQUARED) * isotropic19_wavenumber(grid_frequency) / (2.0 * M_PI);
}

double isotropic19_grid_frequency(double true_frequency)
{
    const double courant = sqrt(ISOTROPIC19_COURANT_SQUARED), cut_off = asin(courant) / M_PI;
    if (!(true_frequency > 0.0))
        return true_frequency == 0.0 ? 0.0 : NAN;
    if (!(true_frequency < isotropic19_true_frequency(cut_off * (1.0 - 1e-12))))
        return NAN;
    double f = fmin(true_frequency, 0.9 * cut_off);
    for (int i = 0; i < NEWTON_STEPS; i++) {
        const double excess = isotropic19_true_frequency(f) - true_frequency;
        const double step = excess / (courant * slope_at(f));
        const double next = f - step;
        if (!(fabs(step) > 4e-16 * f))
            return next;
        f = next < cut_off
                ? fmax(next, 0.5 * f)
                : 0.5 * (f + cut_off); /* f(f_n) is convex; the bounds shorten the few steps that overshoot */
    }
    return f;
}

double isotropic19_gain(double grid_frequency)
{
    if (grid_frequency == 0.0)
        return 1.0;
    const struct mean_wavenumber mean = mean_at(phi_at(grid_frequency));
    return 2.0 / (mean.kappa * mean.slope);
}

double isotropic19_group_velocity(double grid_frequency)
{
    if (grid_frequency == 0.0)
        return 1.0;
    return 1.0 / (sqrt(ISOTROPIC19_COURANT_SQUARED) * slope_at(grid_frequency));
}

double isotropic19_wall_factor(double kappa)
{
    /* mean over angles of A/cos θ, where A belongs to the reflection at a flat wall, weighted by
     * cos θ: fitted down to 3 points per wavelength */
    const double square = kappa * kappa;
    return 1.0 - square * (0.03161 + square * (0.00172 + square * 0.000087));
}

double isotropic19_sine_squared(double kappa, const double direction[3])
{
    double s[3];
    for (int axis = 0; axis < 3; axis++) {
        const double sine = sin(0.5 * kappa * direction[axis]);
        s[axis] = sine * sine;
    }
    return ISOTROPIC19_COURANT_SQUARED * ((s[0] + s[1] + s[2]) - 2.0 / 3.0 * (s[0] * s[1] + s[0] * s[2] + s[1] * s[2]));
}

double isotropic19_wavenumber_along(double grid_frequency, const double direction[3])
{
    const double sine = sin(M_PI * grid_frequency), wanted = sine * sine;
    if (!(grid_frequency >= 0.0 && grid_frequency < 0.5))
        return NAN;
    /* waves on the grid are never faster than c: κ is at least that of the continuum, and the
     * sine rises up to κ = π */
    double low = 2.0 * M_PI * grid_frequency / sqrt(ISOTROPIC19_COURANT_SQUARED), high = low;
    while (high < M_PI && isotropic19_sine_squared(high, direction) < wanted)
        high = fmin(1.1 * high, M_PI);
    if (isotropic19_sine_squared(high, direction) < wanted)
        return NAN;
    for (int i = 0; i < 200 && low < high; i++) {
        const double middle = 0.5 * (low + high);
        if (middle == low || middle == high)
            break;
        if (isotropic19_sine_squared(middle, direction) < wanted)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

double isotropic19_valid_frequency(double dispersion)
{
    const double axis[3] = {1.0, 0.0, 0.0}, courant = sqrt(ISOTROPIC19_COURANT_SQUARED);
    double low = 0.0, high = asin(courant) / M_PI;
    for (int i = 0; i < 200; i++) {
        const double middle = 0.5 * (low + high);
        const double velocity = 2.0 * M_PI * middle / (courant * isotropic19_wavenumber_along(middle, axis));
        if (1.0 - velocity <= dispersion)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double isotropic19_mapped_dispersion(double true_frequency)
{
    const double half = sqrt(0.5);
    const double extremes[3][3] = {
        {1.0, 0.0, 0.0}, {half, half, 0.0}, {cosine_of_diagonal, cosine_of_diagonal, cosine_of_diagonal}};
    const double grid_frequency = isotropic19_grid_frequency(true_frequency),
                 mean = isotropic19_wavenumber(grid_frequency);
    double max = 0.0;
    for (int i = 0; i < 3; i++) {
        const double error = fabs(mean / isotropic19_wavenumber_along(grid_frequency, extremes[i]) - 1.0);
        max = error <= max ? max : error;
    }
    return max;
}

static const char *const arrays[] = {"p", "p_previous", NULL};

static int check(const struct problem *p, struct error *e)
{
    const struct leapfrog_problem *l = leapfrog_of(p);
    if (l->stencil != STENCIL_19_POINT || !(l->courant_squared == ISOTROPIC19_COURANT_SQUARED))
        return fail(e, ERROR_ENGINE, "the squared Courant number of the 19-point scheme must be 765/1024, not %.9g",
                    l->courant_squared);
    if (!(l->viscosity == 0.0) || l->bodies)
        return fail(e, ERROR_ENGINE,
                    "the 19-point scheme does not support lossy air and instruments; use the 7-point scheme");
    for (int axis = 0; axis < 3; axis++)
        if (p->points[axis] < 2)
            return fail(e, ERROR_ENGINE,
                        "a grid of %zu x %zu x %zu points contains no voxel; the 19-point scheme needs at least two "
                        "points along each axis",
                        p->points[0], p->points[1], p->points[2]);
    return leapfrog_check(p, e);
}

const struct scheme isotropic19_scheme = {
    .name = "isotropic19",
    .arrays = arrays,
    .array_count = 2,
    .stepped = 2,
    .radius = 1,
    .flops_per_point = 14.0, /* with sums shared between neighbours in a plane and between planes */
    .values_per_point = 3,
    .check = check,
};
