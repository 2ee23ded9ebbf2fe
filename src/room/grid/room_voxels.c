/* SPDX-License-Identifier: MIT */
#include "room/grid/room_voxels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "geometry/voxelize.h"
#include "room/grid/room_surface.h"
#include "solver/parts/lead_voxels.h"

/* Larger grids cannot be stepped, and building their rows would take minutes. */
static const double steppable = 3e10;
/* Such a room is measured on a coarser lattice of this many voxels. */
static const double measurable = 1e8;

bool room_voxels_has_layer(const struct grid *g, const struct room *room, int wall)
{
    return g->stencil == STENCIL_7_POINT && room_form(room) == ROOM_BOX &&
           boundary_kind_of(&room->materials[room->walls[wall]])->fixed;
}

static struct lattice lattice_of(const struct grid *g, const struct room *room)
{
    struct lattice l = {.spacing = g->spacing, .walled = room_form(room) == ROOM_BOX};
    memcpy(l.origin, g->origin, sizeof l.origin);
    memcpy(l.count, g->voxels, sizeof l.count);
    for (int wall = 0; wall < FACES && l.walled; wall++)
        l.walls[wall] = (uint32_t)room->walls[wall];
    return l;
}

/* ---- layers of fixed walls */

/* Layers follow all objects, because the last solid that covers a voxel owns it. */
static int add_layers(struct room_surface *s, const struct grid *g, const struct room *room, struct error *e)
{
    const size_t count = s->surface.solid_count;
    struct surface_solid *solids = realloc(s->solids, (count + FACES) * sizeof *solids);
    if (!solids)
        return fail(e, ERROR_MEMORY, "out of memory");
    s->solids = solids;
    s->surface.solids = solids;
    for (int wall = 0; wall < FACES; wall++) {
        struct surface_solid layer = {.shape = SOLID_BOX, .material = (uint32_t)room->walls[wall]};
        if (!room_voxels_has_layer(g, room, wall))
            continue;
        for (int k = 0; k < 3; k++) /* from and to halfway between centres of voxels */
            layer.to[k] = (double)g->voxels[k] * g->spacing;
        if (wall % 2)
            layer.from[wall / 2] = ((double)g->voxels[wall / 2] - 1.0) * g->spacing;
        else
            layer.to[wall / 2] = g->spacing;
        s->solids[s->surface.solid_count++] = layer;
    }
    return 0;
}

/* The layer must not count as a surface in addition to the wall. */
static void forget_layers(struct room_voxels *v, const struct surface *surface, size_t objects)
{
    for (size_t i = objects; i < surface->solid_count; i++) {
        const struct surface_solid *s = &surface->solids[i];
        double side[3];
        for (int k = 0; k < 3; k++)
            side[k] = s->to[k] - s->from[k];
        v->report.materials[s->material].mesh -= 2.0 * (side[0] * side[1] + side[0] * side[2] + side[1] * side[2]);
    }
}

/* ---- sources and receivers */

struct source_voxels {
    struct source_voxel *list; /* [count]: sources, then receivers */
    size_t count;
};

static void free_source_voxels(struct source_voxels *s)
{
    for (size_t i = 0; i < s->count; i++)
        free((char *)s->list[i].name);
    free(s->list);
}

static char *seed_name(const struct origin *origin, const char *kind, const char *name)
{
    char where[512];
    origin_text(origin, "", where, sizeof where);
    return text_format("%s%s%s %s", where, *where ? ": " : "", kind, name);
}

/* A position on a wall that rounding moved inwards is clamped to the end of the box. */
static void seed_position(double to[3], const double position[3], const struct grid *g, const struct room *room)
{
    for (int k = 0; k < 3; k++)
        to[k] = room_form(room) == ROOM_BOX ? fmin(position[k], g->size[k]) : position[k];
}

static int find_source_voxels(struct source_voxels *s, const struct grid *g, const struct room *room, struct error *e)
{
    size_t places = 0;
    for (size_t i = 0; i < room->receiver_count; i++)
        places += receiver_place_count(&room->receivers[i]);
    *s = (struct source_voxels){calloc(room->source_count + places + 1, sizeof *s->list), 0};
    bool good = s->list != NULL;
    for (size_t i = 0; i < room->source_count && good; i++) {
        struct source_voxel *seed = &s->list[s->count++];
        seed_position(seed->position, room->sources[i].position, g, room);
        good = (seed->name = seed_name(&room->sources[i].origin, "source", room->sources[i].name)) != NULL;
    }
    for (size_t i = 0; i < room->receiver_count && good; i++)
        for (size_t k = 0; k < receiver_place_count(&room->receivers[i]) && good; k++) {
            const struct receiver *r = &room->receivers[i];
            struct source_voxel *seed = &s->list[s->count++];
            seed->receiver = true;
            seed_position(seed->position, receiver_place(r, k), g, room);
            good = (seed->name = seed_name(&r->origin, "receiver", r->name)) != NULL;
        }
    return good ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

const size_t *room_voxels_seed(const struct room_voxels *v, size_t index)
{
    return v->set && v->report.source_voxels ? v->report.source_voxels[index] : NULL;
}

/* ---- messages */

/* Where a room of any form is described. */
static const char *room_place(const struct room *room, char text[512])
{
    const enum room_form form = room_form(room);
    return origin_text(form == ROOM_MESH ? &room->geometry.origin : &room->size_origin, room->path, text, 512);
}

static const char *room_key(const struct room *room)
{
    static const char *const keys[] = {
        [ROOM_BOX] = "room.size", [ROOM_POLYGON] = "room.corners", [ROOM_MESH] = "room.geometry"};
    return keys[room_form(room)];
}

/* Messages about a source or receiver begin with its name, which gives the location; all others
 * concern the room. */
static int add_place(const struct room *room, const struct source_voxels *s, struct error *e)
{
    char where[512];
    if (e->code != ERROR_INPUT)
        return -1;
    for (size_t i = 0; i < s->count; i++)
        if (s->list[i].name && !strncmp(e->message, s->list[i].name, strlen(s->list[i].name)))
            return -1;
    const struct error found = *e;
    return fail(e, ERROR_INPUT, "%s: %s: %s", room_place(room, where), room_key(room), found.message);
}

/* ---- the room */

static bool is_too_large(const struct lattice *l)
{
    const double rows = (double)l->count[1] * (double)l->count[2];
    return !(rows * (double)l->count[0] <= steppable && rows < UINT32_MAX && l->count[0] <= VOXEL_ROW_MAX - 2 &&
             l->count[1] <= VOXEL_ROW_MAX - 2 && l->count[2] <= VOXEL_ROW_MAX - 2);
}

static void coarsen(struct lattice *l)
{
    l->spacing *= 2.0;
    for (int k = 0; k < 3; k++)
        l->count[k] = (l->count[k] + 1) / 2;
}

/* Measures volume and areas of a room that is too large to step on a coarser lattice, whose box is
 * rounded up. */
static int measure(struct room_voxels *v, const struct surface *surface, const struct lattice *lattice, double seal,
                   struct error *e)
{
    struct lattice coarse = *lattice;
    struct voxel_set *set;
    double share = 1.0;
    while ((double)coarse.count[0] * (double)coarse.count[1] * (double)coarse.count[2] > measurable)
        coarsen(&coarse);
    const struct voxelize_options options = {.seal = seal};
    if (voxelize(&set, &v->report, surface, &coarse, NULL, 0, &options, e))
        return -1;
    voxel_set_free(set);
    for (int k = 0; k < 3 && lattice->walled; k++)
        share *= (double)lattice->count[k] * lattice->spacing / ((double)coarse.count[k] * coarse.spacing);
    v->report.volume *= share;
    for (size_t i = 0; i < v->report.material_count; i++)
        v->report.materials[i].corrected *= pow(share, 2.0 / 3.0);
    return 0;
}

/* The extent of the air, whose voxels may have a margin around them. 0: faces of the model that the
 * air touches extend beyond the room, so its size is unknown. */
static double rounding_along(const struct grid *g, const struct room_voxels *v, int axis)
{
    const double size = g->size[axis] - (v->has_margin ? 2.0 * g->spacing : 0.0);
    const double rounding = size - (v->report.model_high[axis] - v->report.model_low[axis]);
    return fabs(rounding) <= 2.0 * g->spacing ? rounding : 0.0;
}

/* The grid of the set's voxels. */
static void fit_grid(struct grid *g, const struct room_voxels *v)
{
    for (int k = 0; k < 3; k++) {
        g->origin[k] = v->report.origin[k];
        g->voxels[k] = voxel_set_count(v->set, k);
        g->points[k] = g->voxels[k] + (g->stencil == STENCIL_19_POINT ? 1 : 0);
        g->size[k] = (double)g->voxels[k] * g->spacing;
        g->rounding[k] = rounding_along(g, v, k);
    }
}

static bool has_fixed(const struct room *room)
{
    for (size_t i = 0; i < room->material_count; i++)
        if (boundary_kind_of(&room->materials[i])->fixed)
            return true;
    return false;
}

static bool any_transmits(const struct room *room)
{
    for (size_t i = 0; i < room->material_count; i++)
        if (room->materials[i].transmission.given)
            return true;
    return false;
}

static int make_set(struct room_voxels *v, struct grid *g, const struct room *room, struct room_surface *surface,
                    const struct source_voxels *source_voxels, struct transport *t, struct error *e)
{
    const struct lattice lattice = lattice_of(g, room);
    const double seal = room_form(room) == ROOM_MESH ? room->geometry.seal : VOXELIZE_SEAL;
    const struct voxelize_options options = {.seal = seal,
                                             .close_corners = g->stencil == STENCIL_19_POINT,
                                             .crop = !lattice.walled,
                                             .bodies = room_form(room) == ROOM_MESH,
                                             .margin = g->stencil == STENCIL_7_POINT && has_fixed(room)};
    const size_t objects = surface->surface.solid_count;
    v->has_mesh = room_form(room) == ROOM_MESH;
    v->has_margin = options.margin;
    if (is_too_large(&lattice))
        return measure(v, &surface->surface, &lattice, seal, e);
    if (add_layers(surface, g, room, e))
        return -1;
    const struct voxel_task task = {surface->surface, lattice, source_voxels->list, source_voxels->count, options};
    /* partitions join voxels of several parts, which cut_grid and rays must know */
    if (t && !any_transmits(room) ? lead_voxels(&v->slabs, &v->set, &v->report, &task, t, e)
                                  : voxelize(&v->set, &v->report, &task.surface, &lattice, source_voxels->list,
                                             source_voxels->count, &options, e))
        return -1;
    forget_layers(v, &surface->surface, objects);
    if ((v->slabs ? voxel_slabs_all_air(v->slabs) : voxel_set_air(v->set)) == 0)
        return fail(e, ERROR_INPUT, "the room encloses no air at a grid spacing of %.4g m; use a finer grid",
                    g->spacing);
    if (!lattice.walled)
        fit_grid(g, v);
    return 0;
}

int room_voxels_make(struct room_voxels *v, struct grid *g, const struct room *room, struct error *e)
{
    return room_voxels_make_in_parts(v, g, room, NULL, e);
}

int room_voxels_make_in_parts(struct room_voxels *v, struct grid *g, const struct room *room, struct transport *t,
                              struct error *e)
{
    struct source_voxels source_voxels = {NULL, 0};
    struct room_surface surface = {.materials = NULL};
    *v = (struct room_voxels){.set = NULL};
    int status = room_surface_make(&surface, room, NULL, e);
    if (!status)
        status = find_source_voxels(&source_voxels, g, room, e);
    if (!status && make_set(v, g, room, &surface, &source_voxels, t, e))
        status = add_place(room, &source_voxels, e);
    free_source_voxels(&source_voxels);
    room_surface_free(&surface);
    if (status)
        room_voxels_free(v);
    return status ? -1 : 0;
}

void room_voxels_free(struct room_voxels *v)
{
    voxel_set_free(v->set);
    voxel_slabs_free(v->slabs);
    voxel_report_free(&v->report);
    memset(v, 0, sizeof *v);
}

bool room_voxels_is_fixed(const struct voxel_set *set, const size_t at[3])
{
    if (voxel_set_is_air(set, at[0], at[1], at[2]))
        return false;
    for (int side = 0; side < FACES; side++) {
        size_t beside[3] = {at[0], at[1], at[2]};
        beside[side / 2] += side % 2 ? 1 : (size_t)-1; /* wraps below 0, where there is no air */
        const struct face_run *face = voxel_set_face(set, beside[0], beside[1], beside[2], side ^ 1);
        if (face && face->code == CELL_FIXED)
            return true;
    }
    return false;
}
