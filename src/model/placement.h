/* Placement of sources and receivers on the grid. */
#ifndef AULA_MODEL_PLACEMENT_H
#define AULA_MODEL_PLACEMENT_H

#include "model/model.h"

/* A source or receiver to place. */
struct placement {
    const char *what, *name; /* "source", "S1": for messages */
    const struct origin *origin;
    const double *position; /* m */
    double scale;           /* of its weights, which sum to 1 */
    bool drives;            /* a source: what it adds is divided by the share of air around each point */
};

/* 7-point grids: trilinear weights over the eight points around the position, renormalised over those that are air.
 * 19-point grids: the stencil of stencil_placement.h, of which notes are added to the model's.
 * Fails outside the box, inside an object and in a fixed layer; nothing is allocated then. */
int placement_make(struct placed *placed, struct model *m, const struct placement *p, struct error *e);

/* Fills *e with "FILE:LINE: source S at (x, y, z) m REASON" and returns -1. */
int placement_refuse(const struct placement *p, struct error *e, const char *reason);

#endif
