/* The general weighted stencil: u becomes a weighted sum over a cross of neighbours. */
#ifndef AULA_SCHEME_SWEEP_H
#define AULA_SCHEME_SWEEP_H

#include "schemes/scheme.h"

extern const struct scheme sweep_scheme;

/* Points of the stencil: 1 + 2 dimensions radius. */
static inline int sweep_size(const struct sweep_problem *s)
{
    return 1 + 2 * s->dimensions * s->radius;
}

#endif
