/* SPDX-License-Identifier: MIT */
#include "solver/schemes/bodies/stretching.h"

void stretching_slope(double *g, const struct body *body, const struct stretching *s, const double *w)
{
    if (!s->slope) {
        surface_stiffness(g, body->surface, w);
        for (size_t i = 0; i < body->surface->nx * body->surface->ny; i++)
            g[i] *= 2.0 * s->factor;
        return;
    }
    const struct line_body *line = &body->lines[s->part - (body->surface != NULL)];
    for (size_t m = 0; m < line->modes; m++)
        g[m] = 2.0 * s->factor * s->slope[m] * w[m];
    if (line_points(line) > line->modes)
        g[line->modes] = 0.0;
}
