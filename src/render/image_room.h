/* SPDX-License-Identifier: MIT */
/* A room for image sources and rays: its faces, and an empty box in closed form. */
#ifndef AULA_RENDER_IMAGE_ROOM_H
#define AULA_RENDER_IMAGE_ROOM_H

#include "geometry/rays/edges.h"
#include "render/hybrid/mesh_images.h"
#include "room/grid/model.h"

#define IMAGE_ORDER_BOX 10
#define IMAGE_ORDER_FACES 3
enum { IMAGE_RAYS = 1 << 17 }; /* rays that find longer sequences of mirrors */
#define IMAGE_TRIES 4e6        /* sequences to try exhaustively */

struct image_room {
    bool is_box; /* a box without objects */
    struct image_box box;
    struct ray_scene scene; /* faces numbered by the materials of the room */
    struct ray_tree tree;
    struct ray_edges edges;
    bool turning;           /* edges that deflect rays: room.hybrid.edges */
    bool traced;            /* rays exist to carry the energy that edges deflect from image paths */
    double sound_speed;     /* m/s */
    struct mirrors mirrors; /* empty for a box without objects */
    double nearest;         /* m: minimum distance assumed between a source and a receiver */
    size_t order;
    size_t all;    /* other rooms: all sequences of up to this many mirrors are tried */
    size_t search; /* rays that find longer sequences */
};

/* Order of image sources in a room: room.hybrid.order, or the default. */
size_t image_room_order(const struct room *room);

/* Number of paths of up to `order` reflections in an empty box, (2n + 1)(2n² + 2n + 3)/3; 0 for
 * other rooms, which have no formula. */
double image_room_ways(const struct room *room, size_t order);

/* Number of positions at which the receivers of a room record. */
size_t image_room_places(const struct room *room);

/* The room on the grid of the model, which rounds the size of a box. search, tries: at most
 * IMAGE_RAYS and IMAGE_TRIES. ERROR_MEMORY, ERROR_INPUT. */
int image_room_make(struct image_room *r, const struct model *m, size_t search, double tries, struct error *e);
void image_room_free(struct image_room *r); /* safe on a zeroed struct */

/* Scattering of a material by octave. If free edges deflect no rays, smooth walls scatter by
 * SCATTERING_FLAT in their stead. */
void image_room_scattering(double scattering[OCTAVE_BANDS], const struct image_room *r,
                           const struct material *material);

/* Finds the sequences from a source that are too long for exhaustive search; none in a box. */
int image_room_sequences(struct mirror_sequences *s, const struct image_room *r, const double source[3],
                         struct error *e);

/* Adds the paths of at most `longest` m. ERROR_MEMORY, ERROR_STOPPED. */
int image_room_paths(struct image_paths *paths, const struct image_room *r, const struct mirror_sequences *sequences,
                     const double source[3], const double receiver[3], double longest, struct error *e);

/* Points of a path of this room between source and receiver, and the materials there: as of
 * path_points.h. */
void image_room_points(double (*points)[3], uint32_t *materials, const struct image_room *r,
                       const struct image_path *path, const double source[3], const double receiver[3]);

#endif
