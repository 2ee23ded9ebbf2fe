/* SPDX-License-Identifier: MIT */
/* Volumes and areas of shapes with exact values. */
#include <math.h>
#include <string.h>

#include "base/nan_max.h"
#include "validate/geometry/checks.h"
#include "validate/geometry/model_room.h"

static const double spacing = 0.05, origin[3] = {0.0, 0.0, 0.0}, size[3] = {5.0, 4.0, 3.0};

static double total_corrected(const struct voxel_report *report)
{
    double sum = 0.0;
    for (size_t i = 0; i < report->material_count; i++)
        sum += report->materials[i].corrected;
    return sum;
}

static double total_faces(const struct voxel_report *report)
{
    double sum = 0.0;
    for (size_t i = 0; i < report->material_count; i++)
        sum += report->materials[i].faces;
    return sum;
}

static double off(double value, double exact)
{
    return fabs(value / exact - 1.0);
}

static void report_shape(struct report *r, const char *name, const struct voxel_report *made, double volume,
                         double volume_bound, double area, double area_bound)
{
    report_bound(r, "shapes", off(made->volume, volume), volume_bound, "%s, %g mm: volume %.4f m3: relative error",
                 name, 1e3 * spacing, made->volume);
    report_bound(r, "shapes", off(total_corrected(made), area), area_bound,
                 "    area %.4f m2 (%+.1f %% without correction): relative error", total_corrected(made),
                 100.0 * (total_faces(made) / area - 1.0));
}

/* A box at the lattice's origin, wall by wall. */
static int check_aligned_box(struct report *r, struct error *e)
{
    struct scene_mesh mesh = {.count = 0};
    struct voxel_room room;
    double worst = 0.0;
    mesh_add_box(&mesh, origin, size, 0);
    const int status = voxel_room_make(&room, &mesh, spacing, (const double[]){1.0, 1.0, 1.0}, false, e);
    for (int side = 0; side < FACES && !status; side++) {
        const double exact = size[(side / 2 + 1) % 3] * size[(side / 2 + 2) % 3];
        worst = nan_max(worst, off(room.report.materials[side].corrected, exact));
    }
    if (!status) {
        const uint64_t missing = 100 * 80 * 60 - voxel_set_air(room.set);
        report_bound(r, "shapes", (double)missing, 0.0, "aligned box 5 x 4 x 3 m, %g mm: missing voxels",
                     1e3 * spacing);
        report_bound(r, "shapes", worst, 1e-12, "    largest relative error of the area of a wall");
    }
    voxel_room_free(&room);
    mesh_clear(&mesh);
    return status;
}

static int check_turned_box(struct report *r, struct error *e)
{
    struct scene_mesh mesh = {.count = 0};
    struct voxel_room room;
    mesh_add_box(&mesh, (const double[]){-2.5, -2.0, -1.5}, (const double[]){2.5, 2.0, 1.5}, 0);
    mesh_turn(&mesh, 30.0, 20.0, 10.0);
    const int status = voxel_room_make(&room, &mesh, spacing, origin, false, e);
    if (!status)
        report_shape(r, "the same turned by 30, 20, 10 degrees", &room.report, 60.0, 1e-3, 94.0, 0.01);
    voxel_room_free(&room);
    mesh_clear(&mesh);
    return status;
}

static int check_sphere(struct report *r, struct error *e)
{
    enum { SUBDIVISIONS = 6 };
    const double radius = 1.5, volume = 4.0 / 3.0 * M_PI * radius * radius * radius;
    struct scene_mesh mesh = {.count = 0};
    struct voxel_room room;
    mesh_add_sphere(&mesh, origin, radius, SUBDIVISIONS, 0);
    const int status = voxel_room_make(&room, &mesh, spacing, origin, false, e);
    if (!status)
        report_shape(r, "sphere of radius 1.5 m", &room.report, volume, 1e-3, 4.0 * M_PI * radius * radius, 0.01);
    voxel_room_free(&room);
    mesh_clear(&mesh);
    return status;
}

/* The sheet has the size of the section of the box, which it divides into 28.8 and 31.2 m³. */
static int check_sheet(struct report *r, struct error *e)
{
    static const double sheet[4][3] = {{1.7, 0, 0}, {3.1, 4, 0}, {3.1, 4, 3}, {1.7, 0, 3}};
    static const double places[2][3] = {{0.6, 0.7, 0.8}, {4.0, 3.0, 1.0}}, volumes[2] = {28.8, 31.2};
    struct scene_mesh mesh = {.count = 0};
    int status = 0;
    mesh_add_box(&mesh, origin, size, 0);
    mesh_add_quad(&mesh, sheet[0], sheet[1], sheet[2], sheet[3], 6);
    mesh_turn(&mesh, 17.0, 9.0, 4.0);
    for (int side = 0; side < 2 && !status; side++) {
        struct voxel_room room;
        double source[3];
        mesh_turn_point(source, places[side], 17.0, 9.0, 4.0);
        status = voxel_room_make(&room, &mesh, spacing, source, false, e);
        if (!status)
            report_bound(r, "shapes", off(room.report.volume, volumes[side]), 1e-3,
                         "one side of a slanted sheet across a turned box: volume %.4f m3: relative error",
                         room.report.volume);
        voxel_room_free(&room);
    }
    mesh_clear(&mesh);
    return status;
}

/* Largest relative error of the materials that were scaled to the area of the mesh. */
static double worst_rescaled(const struct voxel_report *made, size_t *count)
{
    double worst = 0.0;
    for (size_t i = 0; i < made->material_count; i++) {
        const struct material_areas *m = &made->materials[i];
        if (!m->rescaled)
            continue;
        worst = nan_max(worst, off(m->corrected, m->wet));
        ++*count;
    }
    return worst;
}

/* Aligned boxes whose walls lie anywhere between centres of voxels, with a material for each
 * wall. */
static int check_boxes_off_the_grid(struct validation *v, struct report *r, struct error *e)
{
    enum { BOXES = 40 };
    const int boxes = v->cases ? v->cases : BOXES;
    size_t count = 0;
    double worst = 0.0;
    for (int i = 0; i < boxes; i++) {
        struct scene_mesh mesh = {.count = 0};
        struct voxel_room room;
        double from[3], to[3], middle[3];
        for (int k = 0; k < 3; k++) {
            from[k] = random_unit(&v->random);
            to[k] = from[k] + 0.9 + 2.0 * random_unit(&v->random);
            middle[k] = 0.5 * (from[k] + to[k]);
        }
        mesh_add_box(&mesh, from, to, 0);
        const int status = voxel_room_make(&room, &mesh, spacing, middle, false, e);
        for (int side = 0; side < FACES && !status; side++)
            worst = nan_max(worst, off(room.report.materials[side].corrected, room.report.materials[side].mesh));
        count += (size_t)(status ? 0 : FACES);
        voxel_room_free(&room);
        mesh_clear(&mesh);
        if (status)
            return -1;
    }
    report_bound(r, "shapes", worst, 1e-3,
                 "aligned boxes between grid points, %g mm: largest relative error of the areas of %zu walls",
                 1e3 * spacing, count);
    return 0;
}

static int check_models(struct validation *v, struct report *r, struct error *e)
{
    static const double voxels = 1e6; /* size of the lattice */
    for (size_t i = 0; i < MODELS; i++) {
        struct scene_mesh mesh = {.count = 0};
        struct voxel_room room = {.set = NULL};
        size_t count = 0;
        if (!model_is_there(i, v, r, "shapes"))
            continue;
        int status = model_read(&mesh, i, v, e);
        const double cell = status ? spacing : spacing_for(&mesh, voxels * (1.0 + random_unit(&v->random)));
        status = status || voxel_room_make(&room, &mesh, cell, models[i].source, false, e);
        if (!status) {
            const double worst = worst_rescaled(&room.report, &count);
            if (count)
                report_bound(r, "shapes", worst, 1e-3,
                             "%s, %.1f mm: largest relative error of the areas of %zu fully exposed materials",
                             models[i].name, 1e3 * cell, count);
            else
                report_skip(r, "shapes", "the model has no fully exposed material");
        }
        voxel_room_free(&room);
        mesh_clear(&mesh);
        if (status)
            return -1;
    }
    return 0;
}

int check_geometry_shapes(struct validation *v, struct report *r, struct error *e)
{
    return check_aligned_box(r, e) || check_turned_box(r, e) || check_sheet(r, e) || check_sphere(r, e) ||
                   check_boxes_off_the_grid(v, r, e) || check_models(v, r, e)
               ? -1
               : 0;
}
