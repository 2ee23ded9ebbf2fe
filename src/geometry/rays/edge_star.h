/* SPDX-License-Identifier: MIT */
/* The open sectors that faces leave around a point on a line. */
#ifndef AULA_GEOMETRY_RAYS_EDGE_STAR_H
#define AULA_GEOMETRY_RAYS_EDGE_STAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "geometry/rays/scene.h"

enum { EDGE_ARMS = 64 }; /* directions in which faces leave the place; more are not told apart */

/* The section through a place, square to a line. */
struct edge_star {
    double place[3], along[3]; /* m; unit vector */
    double across[3], up[3];   /* unit vectors of the section */
    double arms[EDGE_ARMS];    /* angles in it, in rising order once open was asked for */
    size_t count;
    bool curved; /* facets of a round solid touch the place */
};

struct edge_star edge_star_at(const double place[3], const double along[3]);

/* Adds the directions in which a face goes on from the place: both, where it passes within `touch` m, one where it ends
 * there. None if it is nowhere that close, or stands across the line. */
void edge_star_add(struct edge_star *star, const struct ray_face *face, double touch);

/* Whether a part of more than half a turn and RAY_EDGE_BEND is open; then the unit vectors into the faces on both sides
 * of it, and the one in its middle. */
bool edge_star_open(struct edge_star *star, double faces[2][3], double middle[3]);

#endif
