/* SPDX-License-Identifier: MIT */
/* A room as image sources and rays see it: faces and, for image sources, an empty box by its formula. */
#ifndef AULA_RENDER_IMAGE_ROOM_H
#define AULA_RENDER_IMAGE_ROOM_H

#include "geometry/rays/edges.h"
#include "render/hybrid/mesh_images.h"
#include "room/grid/model.h"

#define IMAGE_ORDER_BOX 10
#define IMAGE_ORDER_FACES 3
enum { IMAGE_RAYS = 1 << 17 }; /* by which longer sequences of mirrors are found */
#define IMAGE_TRIES 4e6        /* sequences that are tried one by one */

struct image_room {
    bool is_box; /* without objects */
    struct image_box box;
    struct ray_scene scene; /* faces have the materials of the room */
    struct ray_tree tree;
    struct ray_edges edges;
    bool turning;           /* edges turn rays: room.hybrid.edges */
    bool traced;            /* there are rays to carry what edges turn off ways by mirrors */
    double sound_speed;     /* m/s */
    struct mirrors mirrors; /* none in an empty box */
    double nearest;         /* m: a source and a receiver at one place count as so far apart */
    size_t order;
    size_t all;    /* other rooms: sequences of so many mirrors are tried one by one */
    size_t search; /* rays by which longer ones are found */
};

/* The order of image sources in a room: room.hybrid.order, or the default. */
size_t image_room_order(const struct room *room);

/* Ways of up to `order` reflections in an empty box, (2n + 1)(2n² + 2n + 3)/3; 0 in other rooms, where it is not
 * known. */
double image_room_ways(const struct room *room, size_t order);

/* Places at which the receivers of a room hear. */
size_t image_room_places(const struct room *room);

/* On the grid of the model: a box has its size there. search, tries: IMAGE_RAYS and IMAGE_TRIES, or fewer.
 * ERROR_MEMORY, ERROR_INPUT. */
int image_room_make(struct image_room *r, const struct model *m, size_t search, double tries, struct error *e);
void image_room_free(struct image_room *r); /* safe on a zeroed struct */

/* Scattering of a material by octave. Smooth walls have SCATTERING_FLAT where there are free edges that turn no rays: it
 * stands in for them. */
void image_room_scattering(double scattering[OCTAVE_BANDS], const struct image_room *r,
                           const struct material *material);

/* Sequences that are not tried one by one, for a source; none in a box. */
int image_room_sequences(struct mirror_sequences *s, const struct image_room *r, const double source[3],
                         struct error *e);

/* Adds the ways of at most `longest` m. ERROR_MEMORY, ERROR_STOPPED. */
int image_room_paths(struct image_paths *paths, const struct image_room *r, const struct mirror_sequences *sequences,
                     const double source[3], const double receiver[3], double longest, struct error *e);

#endif
