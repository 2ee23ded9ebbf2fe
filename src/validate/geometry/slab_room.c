/* SPDX-License-Identifier: MIT */
#include "validate/geometry/slab_room.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/transport/thread_transport.h"

static double between(struct random *r, double low, double high)
{
    return low + (high - low) * random_unit(r);
}

static uint32_t any_material(struct random *r)
{
    return (uint32_t)random_between(r, 0, 9); /* few, so that shares of a triangle's faces are rounded */
}

/* ---- the surface, in units of the spacing */

static void turn_axes(struct surface_solid *s, struct random *r)
{
    const double yaw = between(r, 0, 90), pitch = between(r, 0, 90), roll = between(r, 0, 90);
    const double slope[3] = {0.0, s->half[2], s->half[1]};
    const double length = hypot(slope[1], slope[2]);
    for (int k = 0; k < 3; k++)
        mesh_turn_point(s->axes[k], (const double[3]){k == 0, k == 1, k == 2}, yaw, pitch, roll);
    for (int i = 0; i < 3; i++)
        s->slope[i] = (slope[1] * s->axes[1][i] + slope[2] * s->axes[2][i]) / length;
}

/* Of any shape; one in three is thinner than a voxel. */
static void add_solid(struct slab_room *s, const double size[3], struct random *r)
{
    const size_t index = s->surface.solid_count++;
    struct surface_solid *solid = &s->solids[index];
    const double *centre = solid->centre, *half = solid->half;
    *solid = (struct surface_solid){.shape = (enum solid_shape)random_between(r, SOLID_BOX, SOLID_SPHERE),
                                    .material = any_material(r)};
    for (int k = 0; k < 3; k++) {
        solid->centre[k] = between(r, 0.0, size[k]);
        solid->half[k] = random_between(r, 0, 2) ? between(r, 0.5, 0.25 * size[k]) : between(r, 0.01, 0.5);
        solid->from[k] = centre[k] - half[k];
        solid->to[k] = centre[k] + half[k];
        solid->axes[k][k] = 1.0;
    }
    solid->radius = fmin(half[0], fmin(half[1], half[2]));
    if (random_between(r, 0, 3) == 0) /* faces at centres of voxels */
        for (int k = 0; k < 3; k++) {
            solid->from[k] = floor(solid->from[k]) + 0.5;
            solid->to[k] = fmax(floor(solid->to[k]) + 0.5, solid->from[k] + 0.1);
        }
    solid->slope[1] = solid->half[2] / hypot(half[1], half[2]);
    solid->slope[2] = solid->half[1] / hypot(half[1], half[2]);
    if (solid->shape == SOLID_TURNED_BOX || solid->shape == SOLID_TURNED_WEDGE)
        turn_axes(solid, r);
    for (int i = 0; i < SLAB_ROOM_PLAN; i++) { /* a star, which need not be convex */
        const double angle = 2.0 * M_PI * i / SLAB_ROOM_PLAN, reach = between(r, 0.4, 1.0);
        s->plans[index][i][0] = centre[0] + half[0] * reach * cos(angle);
        s->plans[index][i][1] = centre[1] + half[1] * reach * sin(angle);
    }
    solid->corners = (const double(*)[2])s->plans[index];
    solid->corner_count = SLAB_ROOM_PLAN;
}

/* Single voxels, many of which touch only at edges and corners. */
static void add_cells(struct slab_room *s, const size_t count[3], struct random *r)
{
    for (size_t i = random_between(r, 20, SLAB_ROOM_SOLIDS / 2); i-- > 0;) {
        struct surface_solid *cell = &s->solids[s->surface.solid_count++];
        *cell = (struct surface_solid){.shape = SOLID_BOX, .material = any_material(r)};
        for (int k = 0; k < 3; k++) {
            cell->from[k] = (double)random_between(r, 0, count[k] - 1);
            cell->to[k] = cell->from[k] + 1.0;
        }
    }
}

/* A sheet anywhere, or a wall across the room with a hole, so that the air beyond is connected
 * through other parts. */
static void add_sheet(struct slab_room *s, const double size[3], struct random *r)
{
    const int axis = (int)random_between(r, 0, 2), b = axis == 0 ? 1 : 0, c = axis == 2 ? 1 : 2;
    if (random_between(r, 0, 1)) {
        double hole_from[2], hole_to[2];
        const double to[2] = {size[b], size[c]};
        for (int i = 0; i < 2; i++) {
            hole_from[i] = between(r, 0.1, 0.7) * to[i];
            hole_to[i] = hole_from[i] + between(r, 0.05, 0.25) * to[i];
        }
        mesh_add_holed(&s->mesh, axis, between(r, 0.2, 0.8) * size[axis], (const double[]){0, 0}, to, hole_from,
                       hole_to, any_material(r));
        return;
    }
    double corner[4][3];
    for (int k = 0; k < 3; k++) {
        const double at = between(r, 0.0, size[k]), one = between(r, -0.4, 0.4) * size[k],
                     other = between(r, -0.4, 0.4) * size[k];
        corner[0][k] = at;
        corner[1][k] = at + one;
        corner[2][k] = at + one + other;
        corner[3][k] = at + other;
    }
    mesh_add_quad(&s->mesh, corner[0], corner[1], corner[2], corner[3], any_material(r));
}

static void add_mesh_room(struct slab_room *s, const double size[3], struct random *r)
{
    const double none[3] = {0, 0, 0};
    if (random_between(r, 0, 3) == 0) {
        const double centre[3] = {0.5 * size[0], 0.5 * size[1], 0.5 * size[2]};
        mesh_add_sphere(&s->mesh, centre, 0.5 * fmin(size[0], fmin(size[1], size[2])), 3, any_material(r));
    } else {
        mesh_add_box(&s->mesh, none, size, random_between(r, 0, 1) ? 0 : any_material(r));
    }
    if (random_between(r, 0, 9) == 0)
        s->mesh.count--; /* the room leaks */
}

static void draw_surface(struct slab_room *s, const size_t count[3], struct random *r)
{
    const double size[3] = {(double)count[0], (double)count[1], (double)count[2]};
    s->surface.solids = s->solids;
    if (!s->lattice.walled)
        add_mesh_room(s, size, r);
    for (size_t sheets = random_between(r, 0, 3); sheets-- > 0;)
        add_sheet(s, size, r);
    for (size_t balls = random_between(r, 0, 2); balls-- > 0;) {
        const double at[3] = {between(r, 0, size[0]), between(r, 0, size[1]), between(r, 0, size[2])};
        mesh_add_sphere(&s->mesh, at, between(r, 0.5, 0.3 * size[2]), 2, any_material(r));
    }
    for (size_t solids = random_between(r, 0, 3) ? random_between(r, 0, 6) : 0; solids-- > 0;)
        add_solid(s, size, r);
    if (random_between(r, 0, 3) == 0)
        add_cells(s, count, r);
}

void slab_room_draw(struct slab_room *s, struct random *r)
{
    size_t count[3];
    memset(s, 0, sizeof *s);
    for (int k = 0; k < 3; k++)
        count[k] = random_between(r, 3, k == 2 ? 60 : 40);
    s->lattice = (struct lattice){.spacing = 1.0, .walled = random_between(r, 0, 2) == 0};
    s->surface = surface_of(&s->mesh);
    draw_surface(s, count, r);
    for (int k = 0; k < FACES; k++)
        s->lattice.walls[k] = any_material(r);
    if (!s->lattice.walled && random_between(r, 0, 1))
        mesh_turn(&s->mesh, between(r, 0, 90), between(r, 0, 40), 0.0);
    s->surface.triangles = s->mesh.triangles;
    s->surface.triangle_count = s->mesh.count;
    const struct lattice around = s->lattice.walled ? s->lattice : lattice_around(&s->mesh, 1.0);
    memcpy(s->lattice.origin, around.origin, sizeof around.origin);
    memcpy(s->lattice.count, s->lattice.walled ? count : around.count, sizeof count);
    for (int k = 0; k < 3 && random_between(r, 0, 1); k++) /* rounding differs from plane to plane */
        s->lattice.origin[k] -= random_unit(r);
    s->source_voxel_count = random_between(r, 0, SLAB_ROOM_SEEDS);
    for (size_t i = 0; i < s->source_voxel_count; i++) {
        s->source_voxels[i].receiver = i > 0 && random_between(r, 0, 1);
        for (int k = 0; k < 3; k++)
            s->source_voxels[i].position[k] = s->lattice.origin[k] + between(r, 0.3, 0.7) * (double)s->lattice.count[k];
    }
    s->options = (struct voxelize_options){.seal = random_between(r, 0, 3) ? VOXELIZE_SEAL : 0.0,
                                           .close_corners = random_between(r, 0, 1),
                                           .crop = !s->lattice.walled || random_between(r, 0, 1),
                                           .margin = random_between(r, 0, 1),
                                           .threads = 1};
}

void slab_room_free(struct slab_room *s)
{
    mesh_clear(&s->mesh);
}

/* ---- parts */

void slab_outcome_free(struct slab_outcome *o)
{
    voxel_set_free(o->made.set);
    voxel_report_free(&o->report);
    memset(o, 0, sizeof *o);
}

struct part {
    const struct slab_room *room;
    struct transport *transport; /* NULL: a single part */
    struct slab_outcome *outcome;
};

static void *make(void *context)
{
    const struct part *p = context;
    const struct slab_room *s = p->room;
    struct slab_outcome *o = p->outcome;
    o->status = voxelize_planes(&o->made, &o->report, &s->surface, &s->lattice, s->source_voxels, s->source_voxel_count,
                                &s->options, p->transport, &o->error);
    return NULL;
}

int slab_room_make(struct slab_outcome *outcomes, const struct slab_room *s, int parts, struct error *e)
{
    struct thread_hub *hub = NULL;
    struct part *all = calloc((size_t)parts, sizeof *all);
    pthread_t *threads = calloc((size_t)parts, sizeof *threads);
    int status = all && threads ? 0 : fail(e, ERROR_MEMORY, "out of memory"), started = 0;
    if (!status && parts > 1)
        status = thread_hub_open(&hub, parts, e);
    for (int part = 0; part < parts && !status; part++) {
        all[part] = (struct part){s, hub ? thread_hub_end(hub, part) : NULL, &outcomes[part]};
        if (part > 0 && pthread_create(&threads[part], NULL, make, &all[part])) {
            status = fail(e, ERROR_ENGINE, "cannot start a thread for a part of the grid");
            transport_abandon(thread_hub_end(hub, 0), e);
        } else
            started = part;
    }
    if (!status)
        make(&all[0]);
    for (int part = 1; part <= started; part++)
        pthread_join(threads[part], NULL);
    thread_hub_close(hub);
    free(threads);
    free(all);
    return status;
}

/* ---- comparison */

static bool same_row(const struct voxel_row *a, const struct voxel_row *b)
{
    bool same =
        a->air_count == b->air_count && (!a->air_count || !memcmp(a->air, b->air, a->air_count * sizeof *a->air));
    for (int side = 0; side < FACES && same; side++)
        same = a->face_count[side] == b->face_count[side] &&
               (!a->face_count[side] ||
                !memcmp(a->faces[side], b->faces[side], a->face_count[side] * sizeof *a->faces[side]));
    return same;
}

static const char *set_difference(const struct voxel_planes *whole, const struct slab_outcome *outcomes, int parts)
{
    size_t next = 0;
    for (int part = 0; part < parts; part++) {
        const struct voxel_planes *made = &outcomes[part].made;
        if (memcmp(made->count, whole->count, sizeof made->count))
            return "the size of the set";
        const size_t planes = voxel_set_count(made->set, 2);
        if (planes && made->first != next)
            return "the order of the planes";
        next += planes;
        for (size_t z = 0; z < planes; z++)
            for (size_t y = 0; y < whole->count[1]; y++) {
                const struct voxel_row one = voxel_set_row(whole->set, y, made->first + z);
                const struct voxel_row other = voxel_set_row(made->set, y, z);
                if (!same_row(&one, &other))
                    return "a row of voxels";
            }
    }
    return next == whole->count[2] ? NULL : "the number of planes";
}

static const char *report_difference(const struct voxel_report *a, const struct voxel_report *b,
                                     size_t source_voxel_count)
{
    if (a->volume != b->volume || memcmp(a->origin, b->origin, sizeof a->origin) ||
        memcmp(a->offset, b->offset, sizeof a->offset))
        return "volume or origin";
    if (memcmp(a->source_voxels, b->source_voxels, source_voxel_count * sizeof *a->source_voxels))
        return "the source voxels";
    if (memcmp(a->components, b->components, sizeof a->components) || a->component_count != b->component_count ||
        a->closed_count != b->closed_count || a->closed_volume != b->closed_volume)
        return "the parts of the air";
    for (size_t i = 0; i < a->material_count; i++)
        if (memcmp(&a->materials[i], &b->materials[i], sizeof a->materials[i]))
            return "the areas of a material";
    if (a->sheet_voxels != b->sheet_voxels || memcmp(a->sheet_place, b->sheet_place, sizeof a->sheet_place) ||
        a->closed_voxels != b->closed_voxels)
        return "the voxels that became solid";
    if (a->solid_count != b->solid_count || memcmp(a->solids, b->solids, a->solid_count * sizeof *a->solids))
        return "the objects found";
    return NULL;
}

const char *slab_room_difference(const struct slab_outcome *whole, const struct slab_outcome *outcomes, int parts,
                                 size_t source_voxel_count)
{
    for (int part = 0; part < parts; part++) {
        const struct slab_outcome *o = &outcomes[part];
        if (o->status != whole->status)
            return o->status ? "one part succeeds, several fail" : "one part fails, several succeed";
        if (o->status && (o->error.code != whole->error.code || strcmp(o->error.message, whole->error.message)))
            return "the error";
        const char *difference = o->status ? NULL : report_difference(&whole->report, &o->report, source_voxel_count);
        if (difference)
            return difference;
    }
    return whole->status ? NULL : set_difference(&whole->made, outcomes, parts);
}
