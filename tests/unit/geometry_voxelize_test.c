/* Rooms of triangles and solids become the voxels that exact geometry says, with true areas. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "acoustics/cell.h"
#include "scene/meshes.h"
#include "support/random_cases.h"

#include <cmocka.h>

#include "support/within.h"

static const struct voxelize_options plain = {.seal = VOXELIZE_SEAL, .crop = true};

struct made {
    struct voxel_set *set;
    struct voxel_report report;
    struct error error;
    int status;
};

static struct made try_room(const struct surface *s, const struct lattice *l, const double source[3],
                            const struct voxelize_options *o)
{
    struct made m = {.set = NULL};
    const struct voxel_seed seed = {{source[0], source[1], source[2]}, "source \"S\"", false};
    m.status = voxelize(&m.set, &m.report, s, l, &seed, 1, o, &m.error);
    return m;
}

static struct made make_room(const struct surface *s, const struct lattice *l, const double source[3],
                             const struct voxelize_options *o)
{
    struct made m = try_room(s, l, source, o);
    if (m.status)
        fail_msg("%s", m.error.message);
    return m;
}

static struct made make_mesh(const struct scene_mesh *mesh, double spacing, const double source[3])
{
    const struct surface s = surface_of(mesh);
    const struct lattice l = lattice_around(mesh, spacing);
    return make_room(&s, &l, source, &plain);
}

static void drop(struct made *m)
{
    voxel_set_free(m->set);
    voxel_report_free(&m->report);
}

static const double origin[3] = {0.0, 0.0, 0.0};

static void areas_of_a_box(const struct voxel_report *r, double tolerance)
{
    static const double exact[FACES] = {12.0, 12.0, 15.0, 15.0, 20.0, 20.0};
    for (int side = 0; side < FACES; side++)
        assert_within(r->materials[side].corrected, exact[side], tolerance * exact[side]);
}

static void an_aligned_box_is_exact(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    mesh_add_box(&mesh, origin, (const double[]){5, 4, 3}, 0);
    struct made m = make_mesh(&mesh, 0.05, (const double[]){1, 1, 1});
    assert_within(m.report.volume, 60.0, 1e-9);
    areas_of_a_box(&m.report, 1e-12);
    assert_int_equal(voxel_set_count(m.set, 0), 100);
    assert_int_equal(voxel_set_count(m.set, 1), 80);
    assert_int_equal(voxel_set_count(m.set, 2), 60);
    assert_int_equal(voxel_set_face(m.set, 99, 7, 9, FACE_X_MAX)->code, CELL_SOLID + FACE_X_MAX);
    assert_int_equal(voxel_set_face(m.set, 99, 7, 9, FACE_X_MAX)->area, FACE_AREA_UNITS);
    assert_int_equal(m.report.sheet_voxels, 0);
    drop(&m);
    mesh_clear(&mesh);
}

/* Centres (i + ½) X in [from, to) are inside, whatever the size. */
static void a_box_off_the_lattice_has_the_voxels_whose_centres_are_in_it(void **state)
{
    (void)state;
    struct random random = random_cases("boxes off the lattice");
    for (int i = 0; i < case_count(60); i++) {
        struct scene_mesh mesh = {.count = 0};
        double from[3], to[3], middle[3], expected = 1.0;
        const double spacing = 0.0625; /* whose multiples are exact */
        for (int k = 0; k < 3; k++) {
            const bool tie = random_between(&random, 0, 1);
            from[k] = spacing * (tie ? (double)random_between(&random, 0, 5) + 0.5 : random_uniform(&random, 0.0, 6.0));
            to[k] =
                from[k] + spacing * (tie ? (double)random_between(&random, 4, 20) : random_uniform(&random, 4.0, 20.0));
            middle[k] = 0.5 * (from[k] + to[k]);
            expected *= ceil(to[k] / spacing - 0.5) - ceil(from[k] / spacing - 0.5);
        }
        mesh_add_box(&mesh, from, to, 0);
        const struct surface s = surface_of(&mesh);
        const struct lattice l = {.spacing = spacing, .count = {32, 32, 32}};
        struct made m = make_room(&s, &l, middle, &plain);
        assert_int_equal(voxel_set_air(m.set), (uint64_t)expected);
        for (int k = 0; k < 3; k++)
            assert_int_equal(m.report.offset[k], (size_t)ceil(from[k] / spacing - 0.5));
        drop(&m);
        mesh_clear(&mesh);
    }
}

/* The least and the greatest area of a face at a side, in units. */
static void range_of_areas(const struct voxel_set *v, int side, unsigned range[2])
{
    range[0] = FACE_AREA_MAX;
    range[1] = 0;
    for (size_t z = 0; z < voxel_set_count(v, 2); z++)
        for (size_t y = 0; y < voxel_set_count(v, 1); y++) {
            const struct voxel_row row = voxel_set_row(v, y, z);
            for (size_t i = 0; i < row.face_count[side]; i++) {
                const unsigned area = row.faces[side][i].area & FACE_AREA_MAX;
                range[0] = area < range[0] ? area : range[0];
                range[1] = area > range[1] ? area : range[1];
            }
        }
}

/* Walls between centres of voxels have fewer or more faces than area: shares below and above whole faces make it up. */
static void walls_off_the_lattice_keep_their_area(void **state)
{
    (void)state;
    struct random random = random_cases("walls off the lattice");
    bool above = false;
    for (int i = 0; i < case_count(30); i++) {
        struct scene_mesh mesh = {.count = 0};
        double from[3], to[3], middle[3];
        for (int k = 0; k < 3; k++) {
            from[k] = random_uniform(&random, 0.0, 0.3);
            to[k] = from[k] + random_uniform(&random, 0.9, 3.0);
            middle[k] = 0.5 * (from[k] + to[k]);
        }
        mesh_add_box(&mesh, from, to, 0);
        for (size_t k = 0; k < mesh.count && i % 2; k++)
            mesh.triangles[k].material = 0; /* one for all walls */
        struct made m = make_mesh(&mesh, 0.05, middle);
        for (int side = 0; side < (i % 2 ? 1 : FACES); side++) {
            const struct material_areas *a = &m.report.materials[side];
            unsigned range[2];
            assert_true(a->rescaled && a->true_area);
            assert_within(a->corrected, a->mesh, 0.9e-3 * a->mesh);
            range_of_areas(m.set, side, range);
            assert_true(range[1] <= range[0] + 1); /* even */
            above = above || range[1] > FACE_AREA_UNITS;
        }
        drop(&m);
        mesh_clear(&mesh);
    }
    assert_true(above);
}

/* A patch of few faces cannot have every area in units: the report says so. */
static void an_area_that_is_not_reached_is_said(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    mesh_add_box(&mesh, origin, (const double[]){5, 4, 3}, 0);
    mesh_add_box(&mesh, (const double[]){2.01, 1.01, 1.01}, (const double[]){2.09, 1.095, 1.085}, 6);
    struct made m = make_mesh(&mesh, 0.05, (const double[]){0.5, 0.5, 0.5});
    for (int side = 0; side < FACES; side++) {
        const struct material_areas *a = &m.report.materials[6 + side];
        assert_int_equal(a->true_area, fabs(a->corrected / a->wet - 1.0) <= 1e-3);
        assert_within(a->corrected, a->wet, 0.5 / 32 * 0.0025 + 1e-9);
        assert_true(m.report.materials[side].true_area);
    }
    assert_false(m.report.materials[6].true_area);
    drop(&m);
    mesh_clear(&mesh);
}

static void a_turned_box_keeps_its_volume_and_area(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    mesh_add_box(&mesh, (const double[]){-2.5, -2, -1.5}, (const double[]){2.5, 2, 1.5}, 0);
    mesh_turn(&mesh, 30, 20, 10);
    struct made m = make_mesh(&mesh, 0.05, (const double[]){0.1, 0.2, 0.3});
    double corrected = 0.0, faces = 0.0;
    for (int i = 0; i < FACES; i++) {
        corrected += m.report.materials[i].corrected;
        faces += m.report.materials[i].faces;
    }
    assert_within(m.report.volume, 60.0, 0.06);
    assert_within(corrected, 94.0, 0.94);
    assert_true(faces > 1.3 * 94.0);
    areas_of_a_box(&m.report, 0.01);
    drop(&m);
    mesh_clear(&mesh);
}

static void a_sphere_of_triangles_keeps_its_volume_and_area(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    const double pi = 3.14159265358979323846;
    mesh_add_sphere(&mesh, origin, 1.5, 5, 3);
    struct made m = make_mesh(&mesh, 0.05, (const double[]){0.1, 0.2, 0.3});
    assert_within(m.report.volume, 4.0 / 3.0 * pi * 3.375, 0.01 * 4.0 / 3.0 * pi * 3.375);
    assert_within(m.report.materials[3].corrected, 4.0 * pi * 2.25, 0.01 * 4.0 * pi * 2.25);
    drop(&m);
    mesh_clear(&mesh);
}

/* Solids of all shapes in a box: the air that they leave, and what they show of their area. */
static void solids_take_their_volume_and_show_their_area(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    const struct scene_mesh none = {.count = 0};
    struct surface s = surface_of(&none);
    struct surface_solid solid[3] = {
        {.shape = SOLID_SPHERE, .centre = {2.0, 2.1, 1.97}, .radius = 1.5, .material = 7},
        {.shape = SOLID_CYLINDER, .from = {1.0, 1.2, 0.9}, .to = {3.0, 2.9, 3.1}, .radius = 0.6, .material = 7},
        {.shape = SOLID_TURNED_BOX, .centre = {2.0, 2.05, 1.9}, .half = {1.0, 0.7, 0.5}, .material = 7}};
    const double volume[3] = {4.0 / 3.0 * pi * 3.375, pi * 0.36 * sqrt(4.0 + 1.7 * 1.7 + 2.2 * 2.2), 8.0 * 0.35};
    for (int i = 0; i < 3; i++)
        mesh_turn_point(solid[2].axes[i], (const double[3]){i == 0, i == 1, i == 2}, 30, 20, 10);
    const struct lattice l = {.spacing = 0.05, .count = {80, 80, 80}, .walled = true, .walls = {0, 1, 2, 3, 4, 5}};
    for (int i = 0; i < 3; i++) {
        s.solids = &solid[i];
        s.solid_count = 1;
        struct made m = make_room(&s, &l, (const double[]){0.1, 0.1, 0.1}, &plain);
        const struct material_areas *a = &m.report.materials[7];
        assert_within(64.0 - m.report.volume, volume[i], 0.01 * volume[i]);
        assert_within(a->corrected, a->mesh, 0.015 * a->mesh);
        assert_within(m.report.materials[4].corrected, 16.0, 1e-9);
        drop(&m);
    }
}

/* Triangles and a solid of one material: each counts by itself. */
static void a_material_of_walls_and_a_solid_has_both_areas(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    mesh_add_box(&mesh, origin, (const double[]){4, 4, 4}, 0);
    for (size_t i = 0; i < mesh.count; i++)
        mesh.triangles[i].material = 7;
    const struct surface_solid ball = {.shape = SOLID_SPHERE, .centre = {2, 2.1, 1.97}, .radius = 1.5, .material = 7};
    struct surface s = surface_of(&mesh);
    s.solids = &ball;
    s.solid_count = 1;
    const struct lattice l = lattice_around(&mesh, 0.05);
    struct made m = make_room(&s, &l, (const double[]){0.1, 0.1, 0.1}, &plain);
    const struct material_areas *a = &m.report.materials[7];
    const double round = 4.0 * 3.14159265358979323846 * 2.25;
    assert_within(a->mesh, 96.0 + round, 1e-6);
    assert_within(a->wet, 96.0 + round, 0.01 * round);
    assert_within(a->corrected, 96.0 + round, 0.02 * round);
    assert_true(a->rescaled);
    drop(&m);
    mesh_clear(&mesh);
}

static void a_slanted_sheet_makes_two_rooms(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    const double sheet[4][3] = {{1.7, 0, 0}, {3.1, 4, 0}, {3.1, 4, 3}, {1.7, 0, 3}};
    mesh_add_box(&mesh, origin, (const double[]){5, 4, 3}, 0);
    mesh_add_quad(&mesh, sheet[0], sheet[1], sheet[2], sheet[3], 6);
    mesh_turn(&mesh, 17, 9, 4);
    double source[3];
    mesh_turn_point(source, (const double[]){0.6, 0.7, 0.8}, 17, 9, 4);
    struct made m = make_mesh(&mesh, 0.05, source);
    assert_within(m.report.volume, 28.8, 0.0288);
    assert_within(m.report.materials[6].corrected, 3.0 * sqrt(16.0 + 1.96), 0.02 * 12.7);
    assert_int_equal(m.report.sheet_voxels, 0);
    /* a receiver in the other one is refused, with where it is */
    const struct surface s = surface_of(&mesh);
    const struct lattice l = lattice_around(&mesh, 0.05);
    struct voxel_seed seeds[2] = {{{source[0], source[1], source[2]}, "source \"S\"", false},
                                  {{0}, "receiver \"R\"", true}};
    mesh_turn_point(seeds[1].position, (const double[]){4.0, 3.0, 1.0}, 17, 9, 4);
    struct made refused = {.set = NULL};
    assert_int_equal(voxelize(&refused.set, &refused.report, &s, &l, seeds, 2, &plain, &refused.error), -1);
    assert_int_equal(refused.error.code, ERROR_INPUT);
    assert_non_null(strstr(refused.error.message, "receiver \"R\" at"));
    assert_non_null(strstr(refused.error.message, "31."));
    drop(&refused);
    drop(&m);
    mesh_clear(&mesh);
}

/* A panel in the middle of a room is one voxel thick, has both sides, and parts nothing. */
static void a_thin_panel_becomes_one_voxel_thick(void **state)
{
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        struct scene_mesh mesh = {.count = 0};
        const double yaw = turned ? 30 : 0, pitch = turned ? 20 : 0;
        const double panel[4][3] = {{2.01, 1, 1}, {2.01, 3, 1}, {2.01, 3, 2}, {2.01, 1, 2}};
        double source[3];
        mesh_add_box(&mesh, origin, (const double[]){5, 4, 3}, 0);
        mesh_add_quad(&mesh, panel[0], panel[1], panel[2], panel[3], 6);
        mesh_turn(&mesh, yaw, pitch, 0);
        mesh_turn_point(source, (const double[]){0.6, 0.7, 0.8}, yaw, pitch, 0);
        struct made m = make_mesh(&mesh, 0.05, source);
        if (!turned) {
            assert_int_equal(m.report.sheet_voxels, 40 * 20);
            assert_within(m.report.materials[6].corrected, 4.0, 1e-9);
            assert_within(m.report.volume, 60.0 - 2.0 * 0.05, 1e-9);
        }
        assert_within(m.report.volume, 60.0 - 2.0 * 0.05, 0.1);
        assert_within(m.report.materials[6].wet, 4.0, 0.1);
        assert_within(m.report.materials[6].corrected, 4.0, turned ? 0.4 : 0.01);
        drop(&m);
        mesh_clear(&mesh);
    }
}

/* What the seal adds beyond the edges of a box does not become part of the room. */
static void edges_of_an_object_beside_a_row_of_centres_add_nothing(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    mesh_add_box(&mesh, origin, (const double[]){5, 4, 3}, 0);
    /* its upper sides are 0.005 X below centres of voxels */
    const double edge = 0.025 - 0.005 * 0.05;
    mesh_add_box(&mesh, (const double[]){2, 1, 1}, (const double[]){3 + edge, 2 + edge, 2 + edge}, 6);
    struct made m = make_mesh(&mesh, 0.05, (const double[]){1, 1, 1});
    assert_int_equal(m.report.sheet_voxels, 0);
    assert_within(m.report.volume, 60.0 - 1.0, 1e-9);
    drop(&m);
    mesh_clear(&mesh);
}

static void a_seam_of_10_micrometres_is_sealed(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) {
        struct scene_mesh mesh = {.count = 0};
        const double at = 1.0 + 0.0137 * i;
        mesh_add_box(&mesh, origin, (const double[]){5, 4, 3}, 0);
        mesh.count -= 2; /* the ceiling, which is laid anew in two parts */
        const double low[4][3] = {{0, 0, 3}, {at, 0, 3}, {at, 4, 3}, {0, 4, 3}};
        const double high[4][3] = {{at + 1e-5, 0, 3}, {5, 0, 3}, {5, 4, 3}, {at + 1e-5, 4, 3}};
        mesh_add_quad(&mesh, low[0], low[1], low[2], low[3], 5);
        mesh_add_quad(&mesh, high[0], high[1], high[2], high[3], 5);
        mesh_turn(&mesh, i, 2 * i, 3);
        double source[3];
        mesh_turn_point(source, (const double[]){1, 1, 1}, i, 2 * i, 3);
        struct made m = make_mesh(&mesh, 0.05, source);
        assert_within(m.report.volume, 60.0, 0.06);
        drop(&m);
        mesh_clear(&mesh);
    }
}

/* Bars of five voxels; a room in the form of an L. */
static void an_l_has_its_volume(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    static const double outline[6][2] = {{0, 0}, {4, 0}, {4, 1.5}, {1.5, 1.5}, {1.5, 3}, {0, 3}};
    for (int i = 0; i < 6; i++) {
        const double *p = outline[i], *q = outline[(i + 1) % 6];
        mesh_add_quad(&mesh, (const double[]){p[0], p[1], 0}, (const double[]){q[0], q[1], 0},
                      (const double[]){q[0], q[1], 2.5}, (const double[]){p[0], p[1], 2.5}, (uint32_t)i);
    }
    for (int top = 0; top < 2; top++)
        for (int i = 1; i < 5; i++) { /* a fan from (1.5, 1.5) */
            const int from = (3 + i) % 6, to = (4 + i) % 6;
            const double z = 2.5 * top;
            mesh_add(&mesh, (const double[]){1.5, 1.5, z}, (const double[]){outline[from][0], outline[from][1], z},
                     (const double[]){outline[to][0], outline[to][1], z}, 6 + (uint32_t)top);
        }
    struct made m = make_mesh(&mesh, 0.05, (const double[]){0.3, 0.3, 0.3});
    assert_within(m.report.volume, 8.25 * 2.5, 1e-9);
    assert_within(m.report.materials[6].corrected, 8.25, 1e-9);
    drop(&m);
    mesh_clear(&mesh);
}

/* Two parallel walls a voxel apart count as a gap of both their materials; the corners of the room do not. */
static void a_gap_of_one_voxel_is_counted(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    mesh_add_box(&mesh, origin, (const double[]){5, 4, 3}, 0);
    mesh_add_box(&mesh, (const double[]){2, 1, 0.05}, (const double[]){3, 2, 1}, 6);
    struct made m = make_mesh(&mesh, 0.05, (const double[]){1, 1, 1});
    assert_int_equal(m.report.materials[FACE_Z_MIN].gaps, 400);
    assert_int_equal(m.report.materials[6 + FACE_Z_MIN].gaps, 400);
    assert_within(m.report.materials[FACE_Z_MIN].gap_place[2], 0.025, 1e-9);
    assert_int_equal(m.report.materials[6 + FACE_Z_MAX].gaps, 0);
    assert_int_equal(m.report.materials[FACE_X_MIN].gaps, 0);
    drop(&m);
    mesh_clear(&mesh);
}

/* What lies behind another surface is buried, and its material is not scaled to an area that is not there. */
static void surfaces_behind_others_are_buried(void **state)
{
    (void)state;
    struct scene_mesh mesh = {.count = 0};
    mesh_add_box(&mesh, origin, (const double[]){5, 4, 3}, 0);
    mesh_add_box(&mesh, (const double[]){2, 1, 0}, (const double[]){3, 2, 1}, 6); /* stands on the floor */
    struct made m = make_mesh(&mesh, 0.05, (const double[]){1, 1, 1});
    assert_within(m.report.materials[FACE_Z_MIN].wet, 19.0, 1e-9);
    assert_within(m.report.materials[FACE_Z_MIN].buried, 1.0, 1e-9);
    assert_within(m.report.materials[FACE_Z_MIN].corrected, 19.0, 1e-9);
    assert_false(m.report.materials[FACE_Z_MIN].rescaled);
    assert_true(m.report.materials[FACE_Z_MAX].rescaled);
    assert_within(m.report.volume, 59.0, 1e-9);
    drop(&m);
    mesh_clear(&mesh);
}

/* A panel of triangles of two materials in one place, cut along different diagonals: the lower one is seen. */
static void of_coincident_surfaces_the_lower_material_is_seen(void **state)
{
    (void)state;
    for (int order = 0; order < 2; order++) {
        struct scene_mesh mesh = {.count = 0};
        const double panel[4][3] = {{2.01, 1, 1}, {2.01, 3, 1}, {2.01, 3, 2}, {2.01, 1, 2}};
        mesh_add_box(&mesh, origin, (const double[]){5, 4, 3}, 0);
        mesh_add_quad(&mesh, panel[0], panel[1], panel[2], panel[3], order ? 7 : 9);
        mesh_add_quad(&mesh, panel[1], panel[2], panel[3], panel[0], order ? 9 : 7);
        struct made m = make_mesh(&mesh, 0.05, (const double[]){1, 1, 1});
        assert_within(m.report.materials[7].corrected, 4.0, 1e-9);
        assert_within(m.report.materials[9].corrected, 0.0, 1e-9);
        drop(&m);
        mesh_clear(&mesh);
    }
}

static void random_boxes(struct scene_mesh *mesh, struct random *r)
{
    mesh_add_box(mesh, origin, (const double[]){5, 4, 3}, 0);
    for (int i = 0; i < 6; i++) {
        double from[3], to[3];
        for (int k = 0; k < 3; k++) {
            from[k] = random_uniform(r, 0.7, 2.0);
            to[k] = from[k] + random_uniform(r, 0.02, 1.0);
        }
        mesh_add_box(mesh, from, to, 6 + (uint32_t)(i % 3));
    }
}

static void order_orientation_duplicates_and_threads_change_no_bit(void **state)
{
    (void)state;
    struct random random = random_cases("orders of triangles");
    for (int i = 0; i < case_count(10); i++) {
        struct scene_mesh mesh = {.count = 0};
        const double yaw = i % 2 ? random_uniform(&random, 0.0, 90.0) : 0.0;
        double source[3];
        random_boxes(&mesh, &random);
        mesh_turn(&mesh, yaw, yaw / 2, yaw / 3);
        mesh_turn_point(source, (const double[]){0.3, 0.3, 0.3}, yaw, yaw / 2, yaw / 3);
        const struct lattice l = lattice_around(&mesh, 0.1);
        struct voxelize_options o = {.seal = VOXELIZE_SEAL, .close_corners = i % 3 == 0, .threads = 1};
        struct surface s = surface_of(&mesh);
        struct made first = make_room(&s, &l, source, &o);
        mesh_shuffle(&mesh, &random);
        s = surface_of(&mesh);
        o.threads = 3;
        struct made second = make_room(&s, &l, source, &o);
        assert_true(same_sets(first.set, second.set));
        for (int k = 0; k < SCENE_MESH_MATERIALS; k++)
            assert_memory_equal(&first.report.materials[k].corrected, &second.report.materials[k].corrected,
                                sizeof(double));
        drop(&first);
        drop(&second);
        mesh_clear(&mesh);
    }
}

/* Centres of voxels in a turned box about the origin that is larger by `margin` on all sides. */
static uint64_t centres_in_box(const struct lattice *l, const double half[3], double axes[3][3], double margin)
{
    uint64_t centres = 0;
    for (size_t i = 0; i < l->count[0] * l->count[1] * l->count[2]; i++) {
        const size_t at[3] = {i % l->count[0], i / l->count[0] % l->count[1], i / l->count[0] / l->count[1]};
        bool inside = true;
        for (int axis = 0; axis < 3; axis++) {
            double along = 0.0;
            for (int k = 0; k < 3; k++)
                along += axes[axis][k] * (l->origin[k] + ((double)at[k] + 0.5) * l->spacing);
            inside = inside && fabs(along) <= half[axis] + margin;
        }
        centres += inside;
    }
    return centres;
}

static void boxes_in_any_position_have_the_voxels_whose_centres_are_in_them(void **state)
{
    (void)state;
    struct random random = random_cases("positions of boxes");
    for (int i = 0; i < case_count(60); i++) {
        struct scene_mesh mesh = {.count = 0};
        const double yaw = random_uniform(&random, 0, 360), pitch = random_uniform(&random, 0, 360);
        const double spacing = random_uniform(&random, 0.06, 0.2), half[3] = {2.5, 2, 1.5};
        double axes[3][3];
        mesh_add_box(&mesh, (const double[]){-2.5, -2, -1.5}, half, 0);
        mesh_turn(&mesh, yaw, pitch, 10);
        for (int axis = 0; axis < 3; axis++)
            mesh_turn_point(axes[axis], (const double[3]){axis == 0, axis == 1, axis == 2}, yaw, pitch, 10);
        const struct surface s = surface_of(&mesh);
        const struct lattice l = lattice_around(&mesh, spacing);
        struct voxelize_options o = plain;
        o.seal = i % 2 ? VOXELIZE_SEAL : 0.0; /* exact without it, too */
        struct made m = make_room(&s, &l, origin, &o);
        double volume = 0.0; /* with the tips of corners, which nothing may join */
        for (size_t c = 0; c < m.report.component_count && c < VOXEL_COMPONENTS; c++)
            volume += m.report.components[c].is_outside ? 0.0 : m.report.components[c].volume;
        const uint64_t air = (uint64_t)llround(volume / (spacing * spacing * spacing));
        assert_true(air - voxel_set_air(m.set) <= 8);
        /* corners are moved by half a unit of X/65536 along each axis */
        assert_true(air >= centres_in_box(&l, half, axes, -spacing / 32768));
        assert_true(air <= centres_in_box(&l, half, axes, spacing / 32768));
        drop(&m);
        mesh_clear(&mesh);
    }
}

/* [z][y][x] of boxes: later ones cover earlier ones, centres in [from, to). */
static void fill_cells(uint8_t *cells, const size_t n[3], const struct surface_solid *boxes, size_t count,
                       double spacing)
{
    for (size_t b = 0; b < count; b++)
        for (size_t z = 0; z < n[2]; z++)
            for (size_t y = 0; y < n[1]; y++)
                for (size_t x = 0; x < n[0]; x++) {
                    const size_t at[3] = {x, y, z};
                    bool inside = true;
                    for (int k = 0; k < 3; k++)
                        inside = inside && (double)at[k] >= ceil(boxes[b].from[k] / spacing - 0.5) &&
                                 (double)at[k] < ceil(boxes[b].to[k] / spacing - 0.5);
                    if (inside)
                        cells[(z * n[1] + y) * n[0] + x] = (uint8_t)(CELL_SOLID + boxes[b].material);
                }
}

static void boxes_in_a_walled_lattice_are_the_byte_map_of_later_over_earlier(void **state)
{
    (void)state;
    enum { BOXES = 12, NX = 23, NY = 17, NZ = 19 };
    struct random random = random_cases("boxes over boxes");
    const double spacing = 0.1;
    for (int i = 0; i < case_count(60); i++) {
        const size_t n[3] = {NX, NY, NZ};
        uint8_t cells[NX * NY * NZ] = {CELL_AIR}, outside[FACES];
        struct surface_solid boxes[BOXES];
        const struct scene_mesh none = {.count = 0};
        struct surface s = surface_of(&none);
        struct lattice l = {.spacing = spacing, .count = {NX, NY, NZ}, .walled = true};
        struct made m = {.set = NULL};
        struct voxel_set *expected;
        memset(boxes, 0, sizeof boxes);
        for (int b = 0; b < BOXES; b++) {
            boxes[b].material = (uint32_t)random_between(&random, 6, 9);
            for (int k = 0; k < 3; k++) {
                boxes[b].from[k] = spacing * 0.5 * (double)random_between(&random, 0, 30);
                boxes[b].to[k] = boxes[b].from[k] + spacing * 0.5 * (double)random_between(&random, 3, 16);
            }
        }
        for (int k = 0; k < FACES; k++) {
            l.walls[k] = (uint32_t)k;
            outside[k] = (uint8_t)(CELL_SOLID + k);
        }
        s.solids = boxes;
        s.solid_count = BOXES;
        fill_cells(cells, n, boxes, BOXES, spacing);
        assert_int_equal(voxel_set_of_cells(&expected, n, cells, outside, &m.error), 0);
        /* without sources all air stays, also what is enclosed */
        if (voxelize(&m.set, &m.report, &s, &l, NULL, 0, &(struct voxelize_options){.crop = false}, &m.error))
            fail_msg("%s", m.error.message);
        assert_true(same_sets(expected, m.set));
        voxel_set_free(expected);
        drop(&m);
    }
}

/* Whether the air around a point is joined through faces of its eight voxels. */
static bool is_one_group(const struct voxel_set *set, size_t x, size_t y, size_t z)
{
    unsigned air = 0, group, before = 0;
    for (unsigned i = 0; i < 8; i++) /* below 0 the indices wrap, where there is no air */
        air |= (unsigned)voxel_set_is_air(set, x - 1 + (i & 1), y - 1 + (i >> 1 & 1), z - 1 + (i >> 2)) << i;
    for (group = air & -air; group != before;) {
        before = group;
        for (unsigned i = 0; i < 8; i++)
            for (unsigned axis = 0; axis < 3; axis++)
                if (before >> i & 1)
                    group |= air & 1u << (i ^ 1u << axis);
    }
    return group == air;
}

static void closed_corners_leave_no_air_that_only_a_point_joins(void **state)
{
    (void)state;
    enum { N = 9, BOXES = 250 };
    struct random random = random_cases("corners");
    for (int i = 0; i < case_count(20); i++) {
        struct surface_solid boxes[BOXES];
        const struct scene_mesh none = {.count = 0};
        struct surface s = surface_of(&none);
        struct lattice l = {.spacing = 1.0, .count = {N, N, N}, .walled = true};
        struct made m = {.set = NULL};
        memset(boxes, 0, sizeof boxes);
        for (int b = 0; b < BOXES; b++) {
            boxes[b].material = 6;
            for (int k = 0; k < 3; k++) {
                boxes[b].from[k] = (double)random_between(&random, 0, N - 1);
                boxes[b].to[k] = boxes[b].from[k] + 1.0;
            }
        }
        s.solids = boxes;
        s.solid_count = BOXES;
        if (voxelize(&m.set, &m.report, &s, &l, NULL, 0, &(struct voxelize_options){.close_corners = true}, &m.error))
            fail_msg("%s", m.error.message);
        assert_true(m.report.closed_voxels > 0);
        for (size_t point = 0; point < (N + 1) * (N + 1) * (N + 1); point++)
            assert_true(is_one_group(m.set, point % (N + 1), point / (N + 1) % (N + 1), point / (N + 1) / (N + 1)));
        drop(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_aligned_box_is_exact),
        cmocka_unit_test(a_box_off_the_lattice_has_the_voxels_whose_centres_are_in_it),
        cmocka_unit_test(walls_off_the_lattice_keep_their_area),
        cmocka_unit_test(an_area_that_is_not_reached_is_said),
        cmocka_unit_test(a_turned_box_keeps_its_volume_and_area),
        cmocka_unit_test(a_sphere_of_triangles_keeps_its_volume_and_area),
        cmocka_unit_test(solids_take_their_volume_and_show_their_area),
        cmocka_unit_test(a_material_of_walls_and_a_solid_has_both_areas),
        cmocka_unit_test(a_slanted_sheet_makes_two_rooms),
        cmocka_unit_test(a_thin_panel_becomes_one_voxel_thick),
        cmocka_unit_test(edges_of_an_object_beside_a_row_of_centres_add_nothing),
        cmocka_unit_test(a_seam_of_10_micrometres_is_sealed),
        cmocka_unit_test(an_l_has_its_volume),
        cmocka_unit_test(a_gap_of_one_voxel_is_counted),
        cmocka_unit_test(surfaces_behind_others_are_buried),
        cmocka_unit_test(of_coincident_surfaces_the_lower_material_is_seen),
        cmocka_unit_test(order_orientation_duplicates_and_threads_change_no_bit),
        cmocka_unit_test(boxes_in_any_position_have_the_voxels_whose_centres_are_in_them),
        cmocka_unit_test(closed_corners_leave_no_air_that_only_a_point_joins),
        cmocka_unit_test(boxes_in_a_walled_lattice_are_the_byte_map_of_later_over_earlier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
