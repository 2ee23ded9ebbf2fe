/* SPDX-License-Identifier: MIT */
#include "room/grid/partition_error.h"

#include <math.h>
#include <stdio.h>

#include "room/grid/walls.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "solver/schemes/leapfrog/partition_waves.h"

enum { PER_OCTAVE = 12, OCTAVES = 6, ANGLES = 24, AZIMUTHS = 3 };

/* Transmitted energies of plane waves: on the grid, and through a limp sheet. */
struct passed {
    double grid, sheet;
};

static struct passed passed_along(const struct model *m, const struct transmission *sheet,
                                  const struct material_transmission *t, double frequency, const double direction[3])
{
    const struct grid *g = &m->grid;
    const struct wall_discretization clock = walls_clock(g);
    const double of_grid = wall_discretization_grid_frequency(&clock, frequency) / g->rate;
    const double size = g->stencil == STENCIL_19_POINT
                            ? isotropic19_wavenumber_along(of_grid, direction)
                            : cartesian7_wavenumber_along(g->courant_squared, of_grid, direction);
    const double kappa[3] = {size * direction[0], size * direction[1], size * direction[2]};
    const double passed = cabs(partition_passed(g->stencil, g->courant_squared, sheet, of_grid, kappa));
    const double reduction = partition_reduction_at(t, partition_air_impedance(m->room), frequency, direction[0]);
    return (struct passed){passed * passed, pow(10.0, -0.1 * reduction)};
}

static double level_of(const struct passed *p)
{
    return -10.0 * log10(p->grid / p->sheet);
}

/* *field: the error at field incidence. Returns the one of largest magnitude at any angle. */
static double error_at(double *field, const struct model *m, const struct transmission *sheet,
                       const struct material_transmission *t, double frequency)
{
    const double limit = cos(78.0 * M_PI / 180.0), least = limit * limit;
    struct passed sum = {0.0, 0.0};
    double worst = 0.0;
    for (int i = 0; i < ANGLES; i++)
        for (int k = 0; k < AZIMUTHS; k++) {
            const double square = least + (1.0 - least) * (i + 0.5) / ANGLES; /* cos²θ, as for the field incidence */
            const double sine = sqrt(1.0 - square), azimuth = 0.25 * M_PI * k / (AZIMUTHS - 1);
            const double direction[3] = {sqrt(square), sine * cos(azimuth), sine * sin(azimuth)};
            const struct passed one = passed_along(m, sheet, t, frequency, direction);
            sum.grid += one.grid;
            sum.sheet += one.sheet;
            worst = !(fabs(level_of(&one)) <= fabs(worst)) ? level_of(&one) : worst;
        }
    *field = level_of(&sum);
    return worst;
}

struct partition_error partition_error_of(const struct model *m, size_t material)
{
    const struct transmission sheet = partition_transmission(m, material);
    const double edge = m->grid.valid_frequency;
    struct material_transmission t = m->room->materials[material].transmission;
    struct partition_error e = {.above = {INFINITY, INFINITY}, .valid_frequency = edge};
    t.mass = m->partitions.of[material].mass;
    for (int i = 0; i <= PER_OCTAVE * OCTAVES; i++) {
        const double frequency = edge * exp2((double)i / PER_OCTAVE - OCTAVES);
        e.angle = error_at(&e.field, m, &sheet, &t, frequency);
        e.field_worst = !(fabs(e.field) <= fabs(e.field_worst)) ? e.field : e.field_worst;
        for (int k = 0; k < 2; k++)
            if (isinf(e.above[k]) && !(fabs(e.angle) <= partition_error_bounds[k]))
                e.above[k] = frequency;
    }
    return e;
}

bool partition_error_is_noted(const struct model *m, size_t material, const struct partition_error *e)
{
    return m->partitions.counted && m->partitions.of[material].faces && isfinite(e->above[1]);
}

const char *partition_error_text(char text[PARTITION_ERROR_TEXT], const struct partition_error *e)
{
    int used =
        snprintf(text, PARTITION_ERROR_TEXT,
                 "R is off by %+.1f dB at field incidence and up to %+.1f dB at single angles at %.0f Hz, the edge "
                 "of the valid band",
                 e->field, e->angle, e->valid_frequency);
    for (int k = 0; k < 2 && isfinite(e->above[k]); k++)
        used += snprintf(text + used, (size_t)(PARTITION_ERROR_TEXT - used), "%s%g dB from %.3g Hz",
                         k ? " and " : "; at single angles by more than ", partition_error_bounds[k], e->above[k]);
    if (isfinite(e->above[0]))
        snprintf(text + used, (size_t)(PARTITION_ERROR_TEXT - used), " on");
    return text;
}
