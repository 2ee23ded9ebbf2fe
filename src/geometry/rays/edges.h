/* SPDX-License-Identifier: MIT */
/* Free edges of a scene, which diffract sound: edges of furniture, corners that project into the
 * room, borders of sheets. */
#ifndef AULA_GEOMETRY_RAYS_EDGES_H
#define AULA_GEOMETRY_RAYS_EDGES_H

#include "geometry/rays/tree.h"

#define RAY_EDGE_LENGTH 0.1 /* m: shorter ones are none */
#define RAY_EDGE_TOUCH 0.02 /* m: faces closer than that to an edge close it, so that lower steps have none */
#define RAY_EDGE_BEND 18.0  /* degrees between the normals of its faces, at least */
#define RAY_EDGE_APART 0.02 /* m: of a passage from both ends of the flight, at least */

/* Air fills more than half a turn around an edge. Faces have no orientation, so the wedge between
 * two faces, which the air does not fill, identifies an edge. */
struct ray_edge {
    double from[3], along[3]; /* m; unit vector */
    double length;            /* m */
    double faces[2][3]; /* unit vectors square to the edge, into each of its faces; of a sheet both are the same */
};

struct ray_edge_boxes;
struct ray_edge_lanes;

enum { RAY_EDGE_LEVELS = 11 };

struct ray_edges {
    struct ray_edge *list; /* [count], in the order of the tree's leaves */
    size_t count;
    double length; /* m: of all of them */
    /* of the tree: eights of the list are leaves, eights of them blocks of boxes, eights of blocks blocks again */
    struct ray_edge_lanes *lanes;
    struct ray_edge_boxes *boxes;
    uint32_t levels[RAY_EDGE_LEVELS]; /* index of the first block of each, from the leaves up */
    int level_count;
    double centre[3], rounding; /* m: of what lanes and boxes are relative to; what they may be off by */
};

/* Pieces that continue each other along a line form one edge. Not edges are sides that lie on a
 * continuous face (the foot of a box on the floor), sides between facets of round solids, and sides
 * outside the air, where from a point nearby fewer than half of all directions hit a face, or some
 * hit a solid's face from inside. Zero *edges first, and call ray_edges_free also after an error.
 * ERROR_MEMORY, ERROR_STOPPED. */
int ray_edges_make(struct ray_edges *edges, const struct ray_scene *scene, const struct ray_tree *tree,
                   struct error *e);
void ray_edges_free(struct ray_edges *edges); /* safe on a zeroed struct */

/* A straight ray segment from its origin. */
struct ray_flight {
    const double *origin, *direction; /* m; unit vector */
    double length;                    /* m */
    double reach;                     /* m: edges further away do not count */
    const uint32_t *passed;           /* [passed_count], edges that no longer count */
    size_t passed_count;
};

#define RAY_NO_EDGE UINT32_MAX

struct ray_passage {
    uint32_t edge;   /* index of edges.list */
    double at;       /* m: along the flight, where it is closest to the edge */
    double distance; /* m: between them there */
    uint32_t looked; /* at so many leaves and blocks of the tree: what it took to find */
};

/* Finds the first edge that a flight passes. At their closest points the flight must be inside the
 * length of the edge, at least RAY_EDGE_APART from both of its own ends, closer than its reach,
 * more than 6 degrees from parallel, and on the side of the air. Returns false if it passes none. */
bool ray_edges_first(const struct ray_edges *edges, const struct ray_flight *flight, struct ray_passage *passage);

/* The same by testing every edge. */
bool ray_edges_first_of_all(const struct ray_edges *edges, const struct ray_flight *flight,
                            struct ray_passage *passage);

#endif
