/* SPDX-License-Identifier: MIT */
/* Order, orientation and repetition of triangles must not change a bit of the voxels. */
#include <string.h>

#include "validate/geometry/checks.h"
#include "validate/geometry/model_room.h"

enum { ORDERS = 3 };

/* Whether voxels, faces or areas of the two rooms differ: adds 0 or 1. */
static int compare(size_t *different, const struct scene_mesh *mesh, const struct voxel_room *expected,
                   const double source[3], double spacing, bool close_corners, struct error *e)
{
    struct voxel_room room;
    if (voxel_room_make(&room, mesh, spacing, source, close_corners, e)) {
        voxel_room_free(&room);
        return -1;
    }
    bool same = same_sets(expected->set, room.set);
    for (size_t i = 0; i < room.report.material_count; i++)
        same = same &&
               !memcmp(&expected->report.materials[i].corrected, &room.report.materials[i].corrected, sizeof(double));
    *different += !same;
    voxel_room_free(&room);
    return 0;
}

static int check_model(struct validation *v, struct report *r, size_t index, struct error *e)
{
    const int count = v->cases ? v->cases : ORDERS;
    size_t different = 0;
    int status = 0;
    if (!model_is_there(index, v, r, "orders"))
        return 0;
    for (int i = 0; i < count && !status; i++) {
        struct scene_mesh mesh = {.count = 0};
        struct voxel_room expected = {.set = NULL};
        const bool close_corners = i % 2;
        status = model_read(&mesh, index, v, e);
        const double spacing = status ? 0.0 : spacing_for(&mesh, 3e5 + 1e5 * random_unit(&v->random));
        status = status || voxel_room_make(&expected, &mesh, spacing, models[index].source, close_corners, e);
        if (!status) {
            mesh_shuffle(&mesh, &v->random);
            status = compare(&different, &mesh, &expected, models[index].source, spacing, close_corners, e);
        }
        voxel_room_free(&expected);
        mesh_clear(&mesh);
    }
    if (!status)
        report_bound(r, "orders", (double)different, 0.0,
                     "%s, %d variants in random order, orientation and repetition: rooms that differ",
                     models[index].name, count);
    return status ? -1 : 0;
}

/* Sheets that a model contains twice, once for each side, a tiny distance apart or coincident. */
static int check_double_sheets(struct report *r, struct error *e)
{
    static const double corner[4][3] = {{2.01, 1, 1}, {2.01, 3, 1}, {2.01, 3, 2}, {2.01, 1, 2}};
    const double spacing = 0.05, source[3] = {0.6, 0.7, 0.8};
    size_t different = 0;
    int status = 0;
    for (int turned = 0; turned < 2 && !status; turned++) {
        struct scene_mesh mesh = {.count = 0};
        struct voxel_room expected;
        double at[3];
        mesh_add_box(&mesh, (const double[]){0, 0, 0}, (const double[]){5, 4, 3}, 0);
        mesh_add_quad(&mesh, corner[0], corner[1], corner[2], corner[3], 6);
        mesh_turn(&mesh, 30.0 * turned, 20.0 * turned, 0.0);
        mesh_turn_point(at, source, 30.0 * turned, 20.0 * turned, 0.0);
        status = voxel_room_make(&expected, &mesh, spacing, at, false, e);
        for (size_t i = 0; i < 2 && !status; i++) { /* its back */
            const struct surface_triangle t = mesh.triangles[12 + i];
            mesh_add(&mesh, t.corner[2], t.corner[1], t.corner[0], 6);
        }
        status = status || compare(&different, &mesh, &expected, at, spacing, false, e);
        voxel_room_free(&expected);
        mesh_clear(&mesh);
    }
    if (!status)
        report_bound(r, "orders", (double)different, 0.0,
                     "panel with separate triangles for its two sides: rooms that differ");
    return status ? -1 : 0;
}

int check_geometry_orders(struct validation *v, struct report *r, struct error *e)
{
    for (size_t i = 0; i < MODELS; i++)
        if (check_model(v, r, i, e))
            return -1;
    return check_double_sheets(r, e);
}
