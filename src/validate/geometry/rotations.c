/* SPDX-License-Identifier: MIT */
/* Models turned at random on lattices of random spacing must not leak or lose a part. */
#include <math.h>
#include <string.h>

#include "validate/geometry/checks.h"
#include "validate/geometry/model_room.h"

enum { ROTATIONS = 100 };

static const double voxels_least = 3e4, voxels_most = 6e5; /* size of the lattice */
/* Bound of the relative standard deviation of the volumes: 0.8e-3 to 2.7e-3 is typical for such
 * coarse lattices. A room that loses a part in one of ten positions exceeds the bound if the
 * part has at least 1.3 % of its volume. */
static const double spread = 4e-3;

struct turns {
    size_t leaks;
    double least, most;  /* m³ */
    double sum, squares; /* of the volumes relative to the first one, minus 1 */
    double first_volume; /* m³ */
    size_t made;
    struct error first; /* refusal */
};

static struct scene_mesh copy_of(const struct scene_mesh *mesh)
{
    struct scene_mesh copy = {.count = 0};
    for (size_t i = 0; i < mesh->count; i++) {
        const struct surface_triangle *t = &mesh->triangles[i];
        mesh_add(&copy, t->corner[0], t->corner[1], t->corner[2], t->material);
    }
    return copy;
}

/* Volume of its air before sheets become one voxel thick, which takes more of a coarser lattice. */
static double volume_of_room(const struct voxel_report *r)
{
    for (size_t i = 0; i < r->component_count && i < VOXEL_COMPONENTS; i++)
        if (r->components[i].is_room)
            return r->components[i].volume;
    return NAN;
}

static int turn_once(struct turns *turns, const struct scene_mesh *mesh, const double source[3], struct random *r,
                     struct error *e)
{
    struct scene_mesh turned = copy_of(mesh);
    struct voxel_room room;
    double angles[3], at[3];
    for (int k = 0; k < 3; k++)
        angles[k] = 360.0 * random_unit(r);
    mesh_turn(&turned, angles[0], angles[1], angles[2]);
    mesh_turn_point(at, source, angles[0], angles[1], angles[2]);
    const double voxels = voxels_least * pow(voxels_most / voxels_least, random_unit(r));
    int status = voxel_room_make(&room, &turned, spacing_for(&turned, voxels), at, random_between(r, 0, 1), e);
    if (!status) {
        const double volume = volume_of_room(&room.report);
        turns->least = fmin(turns->least, volume);
        turns->most = fmax(turns->most, volume);
        turns->first_volume = turns->made++ ? turns->first_volume : volume;
        const double off = volume / turns->first_volume - 1.0;
        turns->sum += off;
        turns->squares += off * off;
    } else if (e->code == ERROR_INPUT) {
        if (!turns->leaks++)
            turns->first = *e;
        status = 0;
    }
    voxel_room_free(&room);
    mesh_clear(&turned);
    return status;
}

static int check_model(struct validation *v, struct report *r, size_t index, struct error *e)
{
    const int count = v->cases ? v->cases : ROTATIONS;
    struct scene_mesh mesh = {.count = 0};
    struct turns turns = {.least = INFINITY, .most = -INFINITY};
    if (!model_is_there(index, v, r, "rotations"))
        return 0;
    int status = model_read(&mesh, index, v, e);
    for (int i = 0; i < count && !status; i++)
        status = turn_once(&turns, &mesh, models[index].source, &v->random, e);
    mesh_clear(&mesh);
    if (status)
        return -1;
    report_bound(r, "rotations", (double)turns.leaks, 0.0,
                 "%s, %d random rotations and spacings: rooms refused; volumes %.5g to %.5g m3", models[index].name,
                 count, turns.least, turns.most);
    const double mean = turns.sum / (double)turns.made, square = turns.squares / (double)turns.made - mean * mean;
    report_bound(r, "rotations", sqrt(fmax(square, 0.0)), spread,
                 "    standard deviation of these volumes relative to their mean");
    if (turns.leaks)
        report_note(r, "    %.200s", turns.first.message);
    return 0;
}

int check_geometry_rotations(struct validation *v, struct report *r, struct error *e)
{
    for (size_t i = 0; i < MODELS; i++)
        if (check_model(v, r, i, e))
            return -1;
    return 0;
}
