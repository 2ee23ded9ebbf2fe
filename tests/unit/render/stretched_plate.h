/* SPDX-License-Identifier: MIT */
/* A plate in vacuo with its stretching energy, for tests. Included after cmocka.h. */
#ifndef AULA_TESTS_STRETCHED_PLATE_H
#define AULA_TESTS_STRETCHED_PLATE_H

#include <math.h>
#include <stdlib.h>

#include "render/synth/large_amplitude.h"

/* A plate with its stretching, and memory for a deflection, a gradient and scratch. */
struct plate {
    struct surface_plan plan;
    struct surface_grid grid;
    struct surface *surface;
    struct plate_stretching *stretching;
    struct large_amplitude_fit fit;
    size_t nodes;
    double *w, *gradient, *scratch;
};

static const double young = 1.1e11, thickness = 1e-3;

/* A bronze plate 1 mm thick, 0.4 m along its first axis, at a stable time step. */
static inline struct surface_plan bronze(enum surface_outline outline, enum surface_edge edge, double across,
                                         double poisson, size_t cells)
{
    return (struct surface_plan){.outline = outline,
                                 .half = {0.2, 0.2 * across},
                                 .edge = edge,
                                 .density = 8.8,
                                 .bending = young * pow(thickness, 3.0) / (12.0 * (1.0 - poisson * poisson)),
                                 .poisson = poisson,
                                 .time_step = 1.0 / (1500.0 * (double)(cells * cells)),
                                 .cells = cells};
}

static inline void plate_make(struct plate *p, struct surface_plan plan)
{
    struct error e;
    *p = (struct plate){.plan = plan};
    if (surface_make(&p->surface, &p->grid, &p->plan, "tested", &e) ||
        large_amplitude_make(&p->stretching, &p->fit, p->surface, &p->grid, &p->plan, young * thickness, &e))
        fail_msg("%s", e.message);
    p->nodes = p->surface->nx * p->surface->ny;
    p->w = calloc(2 * p->nodes + plate_stretching_scratch(p->stretching), sizeof *p->w);
    assert_non_null(p->w);
    p->gradient = p->w + p->nodes;
    p->scratch = p->gradient + p->nodes;
}

static inline void plate_free(struct plate *p)
{
    plate_stretching_free(p->stretching);
    surface_free(p->surface);
    free(p->w);
}

#endif
