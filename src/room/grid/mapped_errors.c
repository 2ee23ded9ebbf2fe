/* SPDX-License-Identifier: MIT */
#include "room/grid/mapped_errors.h"

#include <math.h>

#include "solver/schemes/isotropic19/isotropic19.h"

enum {
    ANGLES = 76 /* degrees, from 0 to 75 */,
    TURNS = 10 /* of the plane of incidence, over 45° */,
    ADMITTANCES = 18
};

static double reflection(double a, double admittance)
{
    return (a - admittance) / (a + admittance);
}

/* Largest difference for one angle of incidence: a = λ N sin κ_x/sin(ω k), N = 1 - (2/3)(s_y + s_z), takes the place of
 * cos θ (Kowalczyk, van Walstijn 2011, for the wall that halves the mass at its points). */
static double wall_error(double grid_frequency, double normal, double turn)
{
    const double along = sqrt(1.0 - normal * normal), direction[3] = {normal, along * cos(turn), along * sin(turn)};
    const double kappa = isotropic19_wavenumber_along(grid_frequency, direction);
    const double y = sin(0.5 * kappa * direction[1]), z = sin(0.5 * kappa * direction[2]);
    const double a = sqrt(ISOTROPIC19_COURANT_SQUARED) * (1.0 - 2.0 / 3.0 * (y * y + z * z)) * sin(kappa * normal) /
                     sin(2.0 * M_PI * grid_frequency);
    const double factor = isotropic19_wall_factor(isotropic19_wavenumber(grid_frequency));
    double worst = 0.0;
    for (int i = 0; i < ADMITTANCES; i++) {
        const double admittance = 0.02 * pow(50.0, (double)i / (ADMITTANCES - 1));
        worst = fmax(worst, fabs(reflection(a, factor * admittance) - reflection(normal, admittance)));
    }
    return worst;
}

/* dB: level of a point source's field over that in the continuum, 2 G/sqrt(Λ_1 Λ_2), in a direction of symmetry, where
 * sound travels along the wave's normal. Λ_i are the second derivatives of Λ(κ) = 4 [s1 + s2 + s3 - (2/3)(s1 s2 + s1 s3
 * + s2 s3)] along the two tangents (stationary phase: |∇Λ| times the root of the Gaussian curvature of Λ = const). */
static double level(double grid_frequency, double first, double second)
{
    return 20.0 * log10(2.0 * isotropic19_gain(grid_frequency) / sqrt(first * second));
}

static double level_on_axis(double grid_frequency)
{
    const double s = sin(0.5 * isotropic19_wavenumber_along(grid_frequency, (const double[3]){1.0, 0.0, 0.0}));
    const double across = 2.0 - 4.0 / 3.0 * s * s; /* body diagonals have the same */
    return level(grid_frequency, across, across);
}

static double level_on_face_diagonal(double grid_frequency)
{
    const double kappa = isotropic19_wavenumber_along(grid_frequency, (const double[3]){M_SQRT1_2, M_SQRT1_2, 0.0});
    const double part = kappa * M_SQRT1_2, s = 0.5 * (1.0 - cos(part)), slope = 0.5 * sin(part), bend = 0.5 * cos(part);
    return level(grid_frequency, 4.0 * (bend - 2.0 / 3.0 * (s * bend - slope * slope)), 2.0 - 8.0 / 3.0 * s);
}

void mapped_errors_at(struct mapped_errors *e, double frequency)
{
    const double f = isotropic19_grid_frequency(frequency);
    const double levels[2] = {level_on_axis(f), level_on_face_diagonal(f)};
    e->phase = isotropic19_mapped_dispersion(frequency);
    e->level[0] = fmin(levels[0], levels[1]);
    e->level[1] = fmax(levels[0], levels[1]);
    e->wall = 0.0;
    for (int angle = 0; angle < ANGLES; angle++)
        for (int turn = 0; turn < TURNS; turn++)
            e->wall = fmax(e->wall, wall_error(f, cos(angle * M_PI / 180.0), turn * M_PI / (4.0 * (TURNS - 1))));
}
