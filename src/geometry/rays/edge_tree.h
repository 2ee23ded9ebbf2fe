/* SPDX-License-Identifier: MIT */
/* A tree of boxes around edges, so that each ray segment tests few edges. */
#ifndef AULA_GEOMETRY_RAYS_EDGE_TREE_H
#define AULA_GEOMETRY_RAYS_EDGE_TREE_H

#include "geometry/rays/edges.h"

/* Sorts edges->list and makes its tree. ERROR_MEMORY. */
int edge_tree_make(struct ray_edges *edges, struct error *e);

#endif
