/* SPDX-License-Identifier: MIT */
/* The steps of finding free edges: candidate sides of faces, the pieces of them that are free, and
 * the edges that these pieces form. */
#ifndef AULA_GEOMETRY_RAYS_EDGE_PIECES_H
#define AULA_GEOMETRY_RAYS_EDGE_PIECES_H

#include "geometry/rays/edges.h"

/* A side of a face that its own faces do not close. */
struct edge_side {
    double ends[2][3]; /* m */
};

/* *sides: made here, [*count]. Each once: corners within 0.1 mm are one. ERROR_MEMORY. */
int edge_sides_find(struct edge_side **sides, size_t *count, const struct ray_scene *scene, struct error *e);

/* Pieces that continue each other become one, of the same ones one is left; those that are too short are left out. The
 * list is sorted in place; *count. ERROR_MEMORY. */
int edge_pieces_join(struct ray_edge *pieces, size_t *count, struct error *e);

#endif
