/* SPDX-License-Identifier: MIT */
#include "render/image_room.h"

#include <math.h>
#include <string.h>

#include "render/hybrid/path_points.h"
#include "render/image_partitions.h"
#include "render/room_edges.h"
#include "room/grid/room_surface.h"

/* In grid spacings: at this distance 1/(4πr) equals the field of a source at its own point of a
 * cubic grid (Watson's integral, 0.2527). */
static const double OWN_POINT = 0.315;

static int make_faces(struct image_room *r, const struct model *m, struct error *e)
{
    struct room_surface surface = {.materials = NULL};
    int status = room_surface_make(&surface, m->room, m->grid.size, e);
    if (!status) {
        image_partitions_close_slits(&surface, m);
        status = ray_scene_make(&r->scene, &surface.surface, RAY_SCENE_DEVIATION, e) ||
                 ray_tree_make(&r->tree, &r->scene, e);
    }
    if (!status)
        image_partitions_mark(&r->scene, &r->tree, m);
    room_surface_free(&surface);
    return status ? -1 : 0;
}

static bool is_empty_box(const struct room *room)
{
    return room_form(room) == ROOM_BOX && !room->object_count;
}

size_t image_room_order(const struct room *room)
{
    if (is_empty_box(room))
        return room->hybrid.order ? room->hybrid.order : IMAGE_ORDER_BOX;
    if (room->hybrid.order > PATH_WALLS_MAX)
        return PATH_WALLS_MAX;
    return room->hybrid.order ? room->hybrid.order : IMAGE_ORDER_FACES;
}

double image_room_ways(const struct room *room, size_t order)
{
    const double n = (double)order;
    return is_empty_box(room) ? (2.0 * n + 1.0) * (2.0 * n * n + 2.0 * n + 3.0) / 3.0 : 0.0;
}

size_t image_room_places(const struct room *room)
{
    size_t places = 0;
    for (size_t i = 0; i < room->receiver_count; i++)
        places += receiver_place_count(&room->receivers[i]);
    return places;
}

/* The grid rounds the size of a box alone; of other rooms, the faces serve for the edges as well. */
static int make_edges(struct image_room *r, const struct model *m, struct error *e)
{
    if (room_form(m->room) != ROOM_BOX)
        return ray_edges_make(&r->edges, &r->scene, &r->tree, e);
    return room_edges_make(&r->edges, m->room, &m->grid, e);
}

int image_room_make(struct image_room *r, const struct model *m, size_t search, double tries, struct error *e)
{
    const struct room *room = m->room;
    memset(r, 0, sizeof *r);
    r->is_box = is_empty_box(room);
    r->turning = room->hybrid.edges;
    r->traced = room->hybrid.rays > 0;
    r->sound_speed = m->grid.sound_speed;
    r->order = image_room_order(room);
    r->nearest = OWN_POINT * m->grid.spacing;
    memcpy(r->box.size, m->grid.size, sizeof r->box.size);
    for (int wall = 0; wall < FACES; wall++)
        r->box.materials[wall] = (uint32_t)room->walls[wall];
    if (make_faces(r, m, e) || (!r->is_box && mirrors_make(&r->mirrors, &r->scene, e)) || make_edges(r, m, e)) {
        image_room_free(r);
        return -1;
    }
    r->all = r->is_box ? 0 : mesh_images_all(&r->mirrors, r->order, tries);
    r->search = search;
    return 0;
}

void image_room_free(struct image_room *r)
{
    ray_edges_free(&r->edges);
    mirrors_free(&r->mirrors);
    ray_tree_free(&r->tree);
    ray_scene_free(&r->scene);
    memset(r, 0, sizeof *r);
}

void image_room_scattering(double scattering[OCTAVE_BANDS], const struct image_room *r, const struct material *material)
{
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        scattering[b] = material->smooth && r->edges.count && !r->turning ? SCATTERING_FLAT : material->scattering[b];
}

static struct mesh_room faces_of(const struct image_room *r)
{
    return (struct mesh_room){.scene = &r->scene,
                              .tree = &r->tree,
                              .mirrors = &r->mirrors,
                              .edges = r->turning && r->traced ? &r->edges : NULL,
                              .sound_speed = r->sound_speed};
}

int image_room_sequences(struct mirror_sequences *s, const struct image_room *r, const double source[3],
                         struct error *e)
{
    const struct mesh_room faces = faces_of(r);
    memset(s, 0, sizeof *s);
    if (r->is_box || r->all >= r->order)
        return 0;
    return mirror_sequences_find(s, &faces, source, r->all + 1, r->order, r->search, e);
}

static int find_paths(struct image_paths *paths, const struct image_room *r, const struct mirror_sequences *sequences,
                      const double source[3], const double receiver[3], double longest, struct error *e)
{
    const struct mesh_room faces = faces_of(r);
    if (r->is_box)
        return box_images_find(paths, &r->box, source, receiver, r->order, longest, e);
    return mesh_images_find(paths, &faces, source, receiver, r->all, sequences, longest, e);
}

int image_room_paths(struct image_paths *paths, const struct image_room *r, const struct mirror_sequences *sequences,
                     const double source[3], const double receiver[3], double longest, struct error *e)
{
    const double least = 1e-3; /* m: closer positions count as one */
    if (find_paths(paths, r, sequences, source, receiver, longest, e))
        return -1;
    for (size_t i = 0; i < paths->count && !(paths->list[i].distance > least); i++) /* sorted, nearest first */
        paths->list[i].distance = fmax(paths->list[i].distance, r->nearest);
    return 0;
}

void image_room_points(double (*points)[3], uint32_t *materials, const struct image_room *r,
                       const struct image_path *path, const double source[3], const double receiver[3])
{
    if (r->is_box)
        box_path_points(points, materials, path, &r->box, source, receiver);
    else
        mesh_path_points(points, materials, path, &r->mirrors, source, receiver);
}
