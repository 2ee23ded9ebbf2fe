/* SPDX-License-Identifier: MIT */
#include "solver/schemes/bodies/stretching.h"

#include <math.h>

#include "solver/schemes/bodies/loops.h"

size_t stretching_scratch(const struct stretching *s)
{
    return s->plate ? plate_stretching_scratch(s->plate) : 0;
}

double control_drift(double *gradient, size_t count, double potential, double psi, double gain, const double *now,
                     const double *before)
{
    const double root = sqrt(2.0 * potential), inverse = root > 0.0 ? 1.0 / root : 0.0;
    double sums[2];
    body_loops()->scale(sums, gradient, inverse, now, before, count);
    const struct drift_control drift = drift_of(root, sums[1], sums[0], psi, gain);
    body_loops()->add_change(gradient, drift.pull, now, before, count);
    return drift.error;
}

static void surface_slope(double *g, const struct surface *surface, const struct stretching *s, const double *now,
                          const double *before, double psi, double *scratch)
{
    const size_t nodes = surface->nx * surface->ny;
    if (s->plate) {
        const double potential = plate_stretching(s->plate, now, g, scratch);
        control_drift(g, nodes, potential, psi, surface->force_gain, now, before);
        return;
    }
    surface_stiffness(g, surface, now);
    for (size_t i = 0; i < nodes; i++)
        g[i] *= 2.0 * s->factor;
}

void stretching_slope(double *g, const struct body *body, const struct stretching *s, const double *now,
                      const double *before, double psi, double *scratch)
{
    if (!s->slope) {
        surface_slope(g, body->surface, s, now, before, psi, scratch);
        return;
    }
    const struct line_body *line = &body->lines[s->part - (body->surface != NULL)];
    for (size_t m = 0; m < line->modes; m++)
        g[m] = 2.0 * s->factor * s->slope[m] * now[m];
    if (line_points(line) > line->modes)
        g[line->modes] = 0.0;
}
