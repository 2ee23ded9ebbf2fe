/* SPDX-License-Identifier: MIT */
#include "solver/schemes/bodies/drift.h"

#include <math.h>

#include "solver/schemes/bodies/loops.h"
#include "solver/schemes/bodies/ports.h"
#include "solver/schemes/bodies/stretching.h"

/* The plate among what stretches; stretching_count: none. */
static size_t plate_of(const struct body *body)
{
    size_t i = 0;
    while (i < body->stretching_count && !body->stretching[i].plate)
        i++;
    return i;
}

size_t body_drift_scratch(const struct body *body)
{
    const size_t i = plate_of(body);
    if (i == body->stretching_count)
        return 0;
    return body->surface->nx * body->surface->ny + plate_stretching_scratch(body->stretching[i].plate);
}

struct body_drift body_drift(const struct body *body, const double *saved, double *scratch)
{
    const size_t i = plate_of(body);
    if (i == body->stretching_count)
        return (struct body_drift){0.0, 0.0};
    const size_t nodes = body->surface->nx * body->surface->ny;
    const double *now = saved + 2, *before = now + nodes;
    const double psi = saved[body_state_bytes(body) / sizeof *saved - body->stretching_count + i];
    const double root = sqrt(2.0 * plate_stretching(body->stretching[i].plate, now, scratch, scratch + nodes));
    double sums[2];
    body_loops()->scale(sums, scratch, root > 0.0 ? 1.0 / root : 0.0, now, before, nodes);
    return (struct body_drift){root - 0.5 * sums[1] - psi, psi};
}
