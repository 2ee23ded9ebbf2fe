/* SPDX-License-Identifier: MIT */
#include "validate/hybrid/trend_room.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/rays/tree.h"

static const double wall_distance = 0.5, apart = 0.6; /* m: of positions from walls, of receivers from sources */

enum { TRIES = 100000, LEGS = 3 };

/* Region for random positions: a box, or the space that rays reach from a position in the air of
 * a model. */
struct air {
    const double *size; /* m; NULL: of a model */
    struct ray_scene scene;
    struct ray_tree tree;
    double inside[3];
};

/* Follows random directions, each time for a random share of the distance to the next face. */
static bool draw_reached(double at[3], const struct air *air, struct random *random)
{
    struct ray ray = {.reach = INFINITY, .left = RAY_NO_FACE};
    memcpy(at, air->inside, 3 * sizeof *at);
    for (int leg = 0; leg < LEGS; leg++) {
        struct ray_hit hit;
        memcpy(ray.origin, at, sizeof ray.origin);
        space_direction(ray.direction, random);
        if (!ray_tree_closest(&air->tree, &ray, &hit))
            return false;
        const double way = hit.distance * random_unit(random);
        for (int k = 0; k < 3; k++)
            at[k] += way * ray.direction[k];
    }
    return ray_scene_distance(&air->scene, at) >= wall_distance;
}

static bool draw(double at[3], const struct air *air, struct random *random)
{
    if (!air->size)
        return draw_reached(at, air, random);
    for (int axis = 0; axis < 3; axis++)
        at[axis] = wall_distance + (air->size[axis] - 2.0 * wall_distance) * random_unit(random);
    return true;
}

static bool is_apart(const double at[3], const struct trend_room *room)
{
    for (size_t s = 0; s < TREND_SOURCES; s++) {
        const double *p = room->sources[s].position;
        if (hypot(hypot(at[0] - p[0], at[1] - p[1]), at[2] - p[2]) < apart)
            return false;
    }
    return true;
}

static int place_all(struct trend_room *room, const struct air *air, struct random *random, struct error *e)
{
    size_t sources = 0, receivers = 0;
    for (int i = 0; i < TRIES && receivers < TREND_RECEIVERS; i++) {
        double at[3];
        if (!draw(at, air, random))
            continue;
        if (sources < TREND_SOURCES) {
            room->sources[sources] = (struct source){.name = "S", .gain = 1.0};
            memcpy(room->sources[sources++].position, at, sizeof at);
        } else if (is_apart(at, room)) {
            room->receivers[receivers] = (struct receiver){.name = "R"};
            memcpy(room->receivers[receivers++].position, at, sizeof at);
        }
    }
    return receivers < TREND_RECEIVERS
               ? fail(e, ERROR_INPUT, "the room has no %d positions in the air", (int)TREND_RECEIVERS)
               : 0;
}

static int read_model(struct trend_room *room, struct air *air, size_t model, struct validation *v, struct error *e)
{
    if (model_read(&room->mesh, model, v, e))
        return -1;
    struct room *r = &room->box.room;
    const struct surface surface = surface_of(&room->mesh);
    r->geometry.given = true;
    r->geometry.seal = VOXELIZE_SEAL;
    r->mesh_materials = room->mesh_materials; /* the first set owns all of them */
    r->mesh.material_count = SCENE_MESH_MATERIALS;
    r->mesh.vertices = calloc(3 * room->mesh.count, sizeof *r->mesh.vertices);
    r->mesh.triangles = calloc(room->mesh.count, sizeof *r->mesh.triangles);
    if (!r->mesh.vertices || !r->mesh.triangles)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t t = 0; t < room->mesh.count; t++) {
        memcpy(r->mesh.vertices[3 * t], room->mesh.triangles[t].corner, sizeof room->mesh.triangles[t].corner);
        for (uint32_t c = 0; c < 3; c++)
            r->mesh.triangles[t].vertex[c] = (uint32_t)(3 * t) + c;
    }
    r->mesh.triangle_count = room->mesh.count;
    r->mesh.vertex_count = 3 * room->mesh.count;
    memcpy(air->inside, models[model].source, sizeof air->inside);
    if (ray_scene_make(&air->scene, &surface, RAY_SCENE_DEVIATION, e) || ray_tree_make(&air->tree, &air->scene, e))
        return -1;
    for (int axis = 0; axis < 3; axis++) {
        r->lower[axis] = air->scene.lower[axis];
        r->size[axis] = air->scene.upper[axis] - air->scene.lower[axis];
    }
    return 0;
}

int trend_room_make(struct trend_room *room, const struct trend_spec *spec, size_t model, struct validation *v,
                    struct error *e)
{
    struct air air = {.size = spec->model ? NULL : spec->size};
    memset(room, 0, sizeof *room);
    space_box_init(&room->box, spec->size, spec->walls);
    struct room *r = &room->box.room;
    room->box.materials[1] = (struct material){
        .name = "floor", .kind = MATERIAL_IMPEDANCE, .impedance = spec->floor > 0.0 ? spec->floor : spec->walls};
    r->walls[FACE_Z_MIN] = 1;
    for (int m = 0; m < 2; m++)
        for (int band = 0; band < OCTAVE_BANDS; band++)
            room->box.materials[m].scattering[band] = spec->scattering > 0.0 ? spec->scattering : SCATTERING_FLAT;
    r->sources = room->sources;
    r->source_count = TREND_SOURCES;
    r->receivers = room->receivers;
    r->receiver_count = TREND_RECEIVERS;
    r->duration = spec->seconds;
    r->output.rate = 16.0 * spec->edge;
    r->grid.scheme = GRID_SCHEME_19_POINT;
    r->grid.precision = PRECISION_SINGLE;
    r->grid.max_frequency = spec->edge;
    r->hybrid.full = true;
    r->hybrid.order = 3;
    r->hybrid.rays = v->full ? 50000 : 5000;
    const int status =
        (spec->model && read_model(room, &air, model, v, e)) || place_all(room, &air, &v->random, e) ? -1 : 0;
    ray_tree_free(&air.tree);
    ray_scene_free(&air.scene);
    return status;
}

void trend_room_free(struct trend_room *room)
{
    space_box_free(&room->box);
    free(room->box.room.mesh.vertices);
    free(room->box.room.mesh.triangles);
    mesh_clear(&room->mesh);
    memset(room, 0, sizeof *room);
}

const char *const wall_set_names[WALL_SETS] = {[WALLS_LIVE] = "Y = 0.05",
                                               [WALLS_DAMPED] = "Y = 0.2",
                                               [WALLS_PANEL] = "Y = 0.05 and a panel",
                                               [WALLS_MIXED] = "Y = 0.05, 0.2"};

/* Resonators an octave apart, with Q = √2, whose absorption increases with frequency. */
static double complex panel(double complex omega)
{
    static const double frequency[] = {250.0, 500.0, 1000.0, 2000.0, 4000.0};
    static const double peak[] = {0.01, 0.03, 0.1, 0.3, 0.5};
    double complex sum = 0.0;
    for (int i = 0; i < 5; i++) {
        const double complex x = omega / (2.0 * M_PI * frequency[i]);
        sum += peak[i] / (1.0 + I * M_SQRT2 * (x - 1.0 / x));
    }
    return sum;
}

void wall_set_at(double complex *admittance, enum wall_set set, double complex omega)
{
    for (int wall = 0; wall < FACES; wall++)
        admittance[wall] = set == WALLS_DAMPED || (set == WALLS_MIXED && wall % 3 == 2) ? 0.2 : 0.05;
    if (set == WALLS_PANEL)
        admittance[FACE_Z_MAX] = panel(omega);
}
