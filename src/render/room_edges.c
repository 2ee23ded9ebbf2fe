/* SPDX-License-Identifier: MIT */
#include "render/room_edges.h"

#include "geometry/rays/edges.h"
#include "room/grid/room_surface.h"

int room_edges_make(struct ray_edges *edges, const struct room *room, const struct grid *grid, struct error *e)
{
    struct room_surface surface = {.materials = NULL};
    struct ray_scene scene = {.faces = NULL};
    struct ray_tree tree = {.nodes = NULL};
    double size[3];
    for (int k = 0; k < 3; k++)
        size[k] = grid->size[k] - grid->rounding[k];
    const int status = room_surface_make(&surface, room, size, e) ||
                       ray_scene_make(&scene, &surface.surface, RAY_SCENE_DEVIATION, e) ||
                       ray_tree_make(&tree, &scene, e) || ray_edges_make(edges, &scene, &tree, e);
    ray_tree_free(&tree);
    ray_scene_free(&scene);
    room_surface_free(&surface);
    return status ? -1 : 0;
}

int room_edges_measure(struct room_edges *measured, const struct model *m, struct error *e)
{
    struct ray_edges edges = {.list = NULL};
    const int status = room_edges_make(&edges, m->room, &m->grid, e);
    *measured = (struct room_edges){edges.count, edges.length};
    ray_edges_free(&edges);
    return status;
}
