/* SPDX-License-Identifier: MIT */
/* Holes must be located within a cell; seams of 10 µm must be sealed. */
#include <math.h>
#include <string.h>

#include "base/nan_max.h"
#include "validate/geometry/checks.h"
#include "validate/geometry/model_room.h"

enum { HOLES = 8, SEAMS = 40 };

static const double spacing = 0.05, origin[3] = {0.0, 0.0, 0.0}, size[3] = {5.0, 4.0, 3.0};

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* A box whose wall at x = 0 has a square hole around `hole` (y, z). */
static struct scene_mesh holed_box(const double hole[2], double width)
{
    struct scene_mesh mesh = {.count = 0};
    mesh_add_box(&mesh, origin, size, 0);
    memmove(mesh.triangles, mesh.triangles + 2, (mesh.count - 2) * sizeof *mesh.triangles);
    mesh.count -= 2;
    mesh_add_holed(&mesh, 0, 0.0, (const double[]){0, 0}, (const double[]){size[1], size[2]},
                   (const double[]){hole[0] - width / 2, hole[1] - width / 2},
                   (const double[]){hole[0] + width / 2, hole[1] + width / 2}, 6);
    return mesh;
}

/* Distance in cells between the hole and its reported position; NaN: not found. */
static int look_for_hole(double *cells, double width, struct random *r, struct error *e)
{
    /* a hole smaller than a cell leaks only if a line of the grid passes through it */
    const double hole[2] = {spacing * ((double)random_between(r, 8, 70) + 0.5),
                            spacing * ((double)random_between(r, 8, 50) + 0.5)};
    struct scene_mesh mesh = holed_box(hole, width);
    struct voxel_room room;
    int status = voxel_room_make(&room, &mesh, spacing, (const double[]){2.6, 2.1, 1.4}, false, e);
    *cells = NAN;
    if (status && e->code == ERROR_INPUT) {
        if (room.report.leak_count > 0)
            *cells = distance(room.report.leaks[0].place, (const double[]){0.0, hole[0], hole[1]}) / spacing;
        status = 0;
    }
    voxel_room_free(&room);
    mesh_clear(&mesh);
    return status;
}

static int check_holes(struct validation *v, struct report *r, struct error *e)
{
    static const double widths[] = {0.3, 0.2, 0.1, 0.05, 0.03};
    const int count = v->cases ? v->cases : HOLES;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        double worst = 0.0;
        for (int k = 0; k < count; k++) {
            double cells;
            if (look_for_hole(&cells, widths[i], &v->random, e))
                return -1;
            worst = nan_max(worst, cells);
        }
        report_bound(r, "holes", worst, 1.01,
                     "%d holes %g m wide, %g mm: largest distance between the hole and its reported position, cells",
                     count, widths[i], 1e3 * spacing);
    }
    return 0;
}

/* The box whose ceiling consists of two parts, `apart` metres apart at x = `at`, turned. */
static void add_seamed_box(struct scene_mesh *mesh, double at, double apart, const double angles[3])
{
    const double low[4][3] = {{0, 0, 3}, {at, 0, 3}, {at, 4, 3}, {0, 4, 3}};
    const double high[4][3] = {{at + apart, 0, 3}, {5, 0, 3}, {5, 4, 3}, {at + apart, 4, 3}};
    mesh_add_box(mesh, origin, size, 0);
    mesh->count -= 2;
    mesh_add_quad(mesh, low[0], low[1], low[2], low[3], 5);
    mesh_add_quad(mesh, high[0], high[1], high[2], high[3], 5);
    mesh_turn(mesh, angles[0], angles[1], angles[2]);
}

/* Volume in m³; NaN: the room is refused. */
static int volume_with_seam(double *volume, double at, double apart, const double angles[3], struct error *e)
{
    struct scene_mesh mesh = {.count = 0};
    struct voxel_room room;
    double source[3];
    add_seamed_box(&mesh, at, apart, angles);
    mesh_turn_point(source, (const double[]){0.7, 1, 1}, angles[0], angles[1], angles[2]);
    int status = voxel_room_make(&room, &mesh, spacing, source, false, e);
    *volume = status ? (double)NAN : room.report.volume;
    if (status && e->code == ERROR_INPUT)
        status = 0;
    voxel_room_free(&room);
    mesh_clear(&mesh);
    return status;
}

/* A box with a seam has the same voxels as without, except for a few whose centres lie within
 * the seam of a face. (Its volume is not compared with the continuum: if a face lies along one
 * of the grid's own planes, at 45 degrees for instance, voxels are off by half a layer.) */
static int try_seam(size_t *refused, double *difference, struct random *r, struct error *e)
{
    const double at = 1.0 + 2.0 * random_unit(r);
    const double angles[3] = {90.0 * random_unit(r), 90.0 * random_unit(r), 90.0 * random_unit(r)};
    double whole, seamed;
    if (volume_with_seam(&whole, at, 0.0, angles, e) || volume_with_seam(&seamed, at, 1e-5, angles, e))
        return -1;
    if (isnan(seamed))
        ++*refused;
    else
        *difference = nan_max(*difference, fabs(seamed / whole - 1.0));
    return 0;
}

int check_geometry_holes(struct validation *v, struct report *r, struct error *e)
{
    const int count = v->cases ? v->cases : SEAMS;
    size_t refused = 0;
    double difference = 0.0;
    if (check_holes(v, r, e))
        return -1;
    for (int i = 0; i < count; i++)
        if (try_seam(&refused, &difference, &v->random, e))
            return -1;
    report_bound(r, "holes", (double)refused, 0.0, "%d turned boxes with a seam of 10 um: rooms refused", count);
    report_bound(r, "holes", difference, 1e-5, "    largest relative change of the volume due to the seam");
    return 0;
}
