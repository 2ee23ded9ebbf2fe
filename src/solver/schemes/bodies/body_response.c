/* SPDX-License-Identifier: MIT */
#include "solver/schemes/bodies/body_response.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

size_t body_response_scratch(const struct body *body)
{
    return (body->surface ? surface_response_scratch(body->surface) : 0) + 3 * body->line_count + 1;
}

static bool is_zero(const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] != 0.0)
            return false;
    return true;
}

/* q: displacements of the modes for a surface at rest. Returns the force of the line on the surface.
 * *bridge: displacement of the bridge for a surface at rest. */
static double reaction_of(const struct line_body *line, const double *q, double bridge_force, double time_step,
                          double *bridge)
{
    const struct connection *c = &line->connection;
    const double reach = connection_reach(line, q), k2 = time_step * time_step;
    *bridge = 0.0;
    if (c->kind == CONNECTION_END)
        return -reach / k2;
    const double outward = connection_outward(c, time_step);
    if (c->kind == CONNECTION_BRIDGE) {
        *bridge = (bridge_force - reach / k2) / connection_stiffness(line, time_step);
        return outward * *bridge;
    }
    const double gain = connection_gain(line);
    return isinf(c->stiffness) ? reach / gain : outward * reach / (1.0 + outward * gain);
}

/* Adds the motion w of the surface at the connection, where the line exerts `force`. */
static void follow_surface(double *q, const struct line_body *line, double w, double force, double bridge,
                           double time_step)
{
    const struct connection *c = &line->connection;
    double moved = c->kind == CONNECTION_POINT ? force : w / (time_step * time_step);
    if (c->kind == CONNECTION_BRIDGE) {
        q[line->modes] = bridge + connection_outward(c, time_step) / connection_stiffness(line, time_step) * w;
        moved = q[line->modes] / (time_step * time_step);
    }
    for (size_t m = 0; m < line->modes; m++)
        q[m] -= line->gain[m] * c->shape[m] * moved;
}

/* theory (73), as the engines' coupling of lines, from rest. */
static void couple_lines(double *response, const struct body *body, const struct line_coupling *j, const double *force,
                         double time_step, double *scratch)
{
    double *reaction = scratch, *bridge = reaction + j->lines, *free = bridge + j->lines;
    for (size_t i = 0; i < j->lines; i++) {
        const size_t at = body_offset(body, 1 + i);
        const struct line_body *line = &body->lines[i];
        reaction[i] =
            reaction_of(line, response + at, line->connection.kind == CONNECTION_BRIDGE ? force[at + line->modes] : 0.0,
                        time_step, &bridge[i]);
        free[i] = connection_at(&line->connection, response);
    }
    for (size_t i = 0; i < j->lines; i++) {
        double at = 0.0;
        for (size_t k = 0; k < j->lines; k++)
            at += j->free[i * j->lines + k] * free[k] + j->forced[i * j->lines + k] * reaction[k];
        const double pull = reaction[i] - j->slope[i] * at;
        for (uint32_t k = j->answer.start[i]; k < j->answer.start[i + 1]; k++)
            response[j->answer.column[k]] += j->answer.value[k] * pull;
        follow_surface(response + body_offset(body, 1 + i), &body->lines[i], at, pull, bridge[i], time_step);
    }
}

void body_response(double *response, const struct body *body, const struct line_coupling *j, const double *force,
                   double time_step, double *scratch)
{
    const size_t nodes = body->surface ? body->surface->nx * body->surface->ny : 0;
    if (nodes && is_zero(force, nodes))
        memset(response, 0, nodes * sizeof *response);
    else if (nodes)
        surface_response(response, body->surface, force, scratch);
    for (size_t i = 0; i < body->line_count; i++) {
        const struct line_body *line = &body->lines[i];
        const size_t at = body_offset(body, (body->surface != NULL) + i);
        for (size_t m = 0; m < line->modes; m++)
            response[at + m] = line->gain[m] * force[at + m];
        if (line->connection.kind == CONNECTION_BRIDGE)
            response[at + line->modes] = 0.0;
    }
    if (j->lines)
        couple_lines(response, body, j, force, time_step, scratch);
}
