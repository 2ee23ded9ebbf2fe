/* SPDX-License-Identifier: MIT */
/* The stored energy of bodies, for every engine. */
#include <math.h>

#include "solver/schemes/bodies/bodies.h"

/* P w at a node, P = B + (1 - σ0 k), in the terms of the losses that grow with frequency. */
static double lossy_at(const struct surface *s, const double *w, size_t node)
{
    const struct stencil *stencil = &s->stencils[s->kind[node]];
    double sum = (2.0 - s->denominator) * w[node];
    for (uint32_t k = 0; k < stencil->lossy; k++)
        sum += stencil->before[k] * w[(ptrdiff_t)node + stencil->offset[k]];
    return sum;
}

/* k²K = 2 - N - P */
void surface_stiffness(double *out, const struct surface *s, const double *w)
{
    for (size_t i = 0; i < s->nx * s->ny; i++) {
        const struct stencil *stencil = &s->stencils[s->kind[i]];
        double stiff = s->kind[i] ? 2.0 * w[i] - lossy_at(s, w, i) : 0.0;
        for (uint32_t k = 0; k < stencil->count; k++)
            stiff -= stencil->now[k] * w[(ptrdiff_t)i + stencil->offset[k]];
        out[i] = stiff;
    }
}

/* ½ <δ, (1 - P/2) δ> + ½ <w⁺, k²K w> over the force gain, δ = w⁺ - w. */
double surface_energy(const struct surface *s, const double *const w[2])
{
    double sum = 0.0;
    for (size_t i = 0; i < s->nx * s->ny; i++) {
        const struct stencil *stencil = &s->stencils[s->kind[i]];
        if (!s->kind[i])
            continue;
        const double change = w[0][i] - w[1][i], lossy = lossy_at(s, w[1], i);
        double stiff = 2.0 * w[1][i] - lossy;
        for (uint32_t k = 0; k < stencil->count; k++)
            stiff -= stencil->now[k] * w[1][(ptrdiff_t)i + stencil->offset[k]];
        sum += 0.5 * change * (change - 0.5 * (lossy_at(s, w[0], i) - lossy)) + 0.5 * w[0][i] * stiff;
    }
    return sum / s->force_gain;
}

double modes_energy(const struct line_body *line, const double *const q[2])
{
    double sum = 0.0;
    for (size_t m = 0; m < line->modes; m++) {
        const double mass = 0.5 * (1.0 + line->before[m]) / line->gain[m], change = q[0][m] - q[1][m];
        const double stiff = 2.0 - 2.0 * line->now[m] / (1.0 + line->before[m]);
        sum += 0.5 * mass * (change * change + stiff * q[0][m] * q[1][m]);
    }
    return sum;
}

double connection_energy(const struct line_body *line, const double *const q[2], const double *const w[2],
                         double time_step)
{
    const struct connection *c = &line->connection;
    const double k2 = time_step * time_step;
    double surface[2], end[2], energy = 0.0;
    for (int i = 0; i < 2; i++) {
        surface[i] = connection_at(c, w[i]);
        end[i] = c->kind == CONNECTION_BRIDGE  ? q[i][line->modes]
                 : c->kind == CONNECTION_POINT ? connection_reach(line, q[i])
                                               : surface[i];
    }
    if (c->kind != CONNECTION_POINT) {
        const double change = end[0] - end[1];
        energy += (connection_reach(line, q[0]) - connection_reach(line, q[1])) * change / k2;
        energy += 0.5 * (c->end_mass + (c->kind == CONNECTION_BRIDGE ? c->bridge_mass : 0.0)) * change * change / k2 +
                  0.5 * c->end_stiffness * end[0] * end[1];
    }
    if (c->kind != CONNECTION_END && !isinf(c->stiffness))
        for (int i = 0; i < 2; i++)
            energy += 0.25 * c->stiffness * (end[i] - surface[i]) * (end[i] - surface[i]);
    return energy;
}
