/* SPDX-License-Identifier: MIT */
/* Solids thinner than a voxel part the air as sheets do; of solids that meet the last one is seen. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/acoustics/conventions.h"
#include "geometry/solid.h"
#include "support/random_cases.h"
#include "validate/scene/meshes.h"

#include <cmocka.h>

#include "support/within.h"

enum { THIN = 7, OTHER = 8 }; /* materials; the walls have 0 to 5 */
static const double spacing = 0.05, size[3] = {5.0, 4.0, 3.0};
static const struct lattice box = {
    .spacing = 0.05, .count = {100, 80, 60}, .walled = true, .walls = {0, 1, 2, 3, 4, 5}};

struct made {
    struct voxel_set *set;
    struct voxel_report report;
    struct error error;
    int status;
};

/* `source`: NULL: all air is the room. */
static struct made make(const struct surface_solid *solids, size_t count, const double *source)
{
    const struct scene_mesh none = {.count = 0};
    struct surface s = surface_of(&none);
    struct made m = {.set = NULL};
    struct source_voxel seed = {.name = "source \"S\""};
    s.solids = solids;
    s.solid_count = count;
    if (source)
        memcpy(seed.position, source, sizeof seed.position);
    m.status =
        voxelize(&m.set, &m.report, &s, &box, &seed, source ? 1 : 0, &(struct voxelize_options){.seal = 0.0}, &m.error);
    if (m.status)
        fail_msg("%s", m.error.message);
    return m;
}

static void drop(struct made *m)
{
    voxel_set_free(m->set);
    voxel_report_free(&m->report);
}

/* From a thousandth of a voxel to a whole one, all orders alike. */
static double random_thickness(struct random *r)
{
    return spacing * pow(10.0, random_uniform(r, -3.0, 0.0));
}

/* A wall across the room is one layer thick, wherever it stands, and has its whole area on both sides. */
static void a_thin_wall_at_any_position_parts_the_room(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < case_count(40); i++) {
        const int axis = (int)random_between(&r, 0, 2);
        const double across = size[(axis + 1) % 3] * size[(axis + 2) % 3], thickness = random_thickness(&r);
        const bool tie = random_between(&r, 0, 3) == 0; /* it begins or ends at centres */
        struct surface_solid wall = {.shape = SOLID_BOX, .to = {5, 4, 3}, .material = THIN};
        wall.from[axis] = random_uniform(&r, 0.4, 0.6) * size[axis];
        if (tie)
            wall.from[axis] =
                spacing * (floor(wall.from[axis] / spacing) + 0.5) - (random_between(&r, 0, 1) ? thickness : 0.0);
        wall.to[axis] = wall.from[axis] + thickness;
        struct made m = make(&wall, 1, NULL);
        assert_int_equal(voxel_set_air(m.set), 100 * 80 * 60 - llround(across / spacing / spacing));
        assert_within(m.report.materials[THIN].corrected, 2.0 * across, 1e-9);
        assert_within(m.report.materials[THIN].wet, 2.0 * across, 1e-9);
        drop(&m);
        for (int side = 0; side < 2; side++) {
            double source[3] = {1.01, 1.02, 1.03};
            source[axis] = side ? wall.to[axis] + 0.3 * spacing : wall.from[axis] - 0.3 * spacing;
            const double exact = across * (side ? size[axis] - wall.to[axis] : wall.from[axis]);
            m = make(&wall, 1, source);
            assert_within(m.report.volume, exact, 1.0001 * spacing * across);
            assert_within(m.report.materials[THIN].corrected, across, 1e-9);
            assert_int_equal(m.report.component_count, 2);
            drop(&m);
        }
    }
}

/* Voxels on one side of a slanted plane: their volume is off by part of a layer where slopes are ratios of small
 * numbers, and by next to nothing elsewhere. A wall that stands a voxel further is a whole layer off. */
#define PART_OF_LAYER 0.2

/* Of the volumes of several rooms: the sum of how far each is off, over what it is. */
struct volumes {
    double off;
    size_t count;
};

static void add_volume(struct volumes *v, double volume, double exact)
{
    assert_within(volume, exact, PART_OF_LAYER * spacing * 12.0);
    v->off += fabs(volume / exact - 1.0);
    v->count++;
}

static void assert_mean_within(const struct volumes *v, double share)
{
    assert_within(v->off / (double)v->count, 0.0, share);
}

/* The plane x = middle + a (y - 2) + b (z - 1.5) parts the room at `middle` of its length, whatever a and b. */
static void parts_the_room_at(struct volumes *v, const struct surface_solid *wall, double middle, double thickness,
                              double area)
{
    for (int side = 0; side < 2; side++) {
        const double source[3] = {side ? 4.7 : 0.3, 2.0, 1.5};
        const double exact = 12.0 * (side ? 5.0 - middle : middle) - 0.5 * thickness * area;
        struct made m = make(wall, 1, source);
        add_volume(v, m.report.volume, exact);
        assert_within(m.report.materials[THIN].corrected, area, 0.03 * area); /* shares are rounded */
        drop(&m);
    }
}

static void a_thin_turned_wall_parts_the_room(void **state)
{
    (void)state;
    struct volumes v = {.count = 0};
    struct random r = random_cases(__func__);
    for (int i = 0; i < case_count(12); i++) {
        const double yaw = random_uniform(&r, 6, 30), pitch = random_uniform(&r, 6, 20), t = random_thickness(&r);
        struct surface_solid wall = {.shape = SOLID_TURNED_BOX,
                                     .centre = {random_uniform(&r, 2.3, 2.7), 2.0, 1.5},
                                     .half = {0.5 * t, 4.0, 4.0},
                                     .material = THIN};
        for (int k = 0; k < 3; k++)
            mesh_turn_point(wall.axes[k], (const double[3]){k == 0, k == 1, k == 2}, yaw, pitch, 0);
        parts_the_room_at(&v, &wall, wall.centre[0], t, 12.0 / fabs(wall.axes[0][0]));
        /* the same as a disc */
        struct surface_solid disc = {.shape = SOLID_CYLINDER, .radius = 4.0, .material = THIN};
        for (int k = 0; k < 3; k++) {
            disc.from[k] = wall.centre[k] - 0.5 * t * wall.axes[0][k];
            disc.to[k] = wall.centre[k] + 0.5 * t * wall.axes[0][k];
        }
        parts_the_room_at(&v, &disc, wall.centre[0], t, 12.0 / fabs(wall.axes[0][0]));
    }
    assert_mean_within(&v, 1e-3);
}

/* A folded screen from floor to ceiling, whose plan is no convex one. */
static void a_thin_screen_of_a_floor_plan_parts_the_room(void **state)
{
    (void)state;
    struct volumes v = {.count = 0};
    struct random r = random_cases(__func__);
    for (int i = 0; i < case_count(12); i++) {
        const double t = random_thickness(&r), at = random_uniform(&r, 2.0, 2.5), fold = random_uniform(&r, 0.2, 0.8);
        const double along[6][2] = {{at, -1},       {at + fold, 1},  {at, 2},
                                    {at + fold, 3}, {at - 0.3, 5.0}, {at - 0.3, 5.0}};
        double corners[10][2];
        for (int k = 0; k < 5; k++) {
            corners[k][0] = along[k][0];
            corners[9 - k][0] = along[k][0] + t;
            corners[k][1] = corners[9 - k][1] = along[k][1];
        }
        const struct surface_solid screen = {.shape = SOLID_PRISM,
                                             .from = {at - 0.3, -1, 0},
                                             .to = {at + fold + t, 5, 3},
                                             .corners = (const double(*)[2])corners,
                                             .corner_count = 10,
                                             .material = THIN};
        double exact = 0.0; /* m² of the plan on the lower side, by strips */
        for (int n = 0; n < 40000; n++) {
            const double y = (n + 0.5) * 1e-4;
            const int k = y < 1 ? 0 : y < 2 ? 1 : y < 3 ? 2 : 3;
            const double share = (y - along[k][1]) / (along[k + 1][1] - along[k][1]);
            exact += 1e-4 * (along[k][0] + share * (along[k + 1][0] - along[k][0]));
        }
        struct made m = make(&screen, 1, (const double[]){0.3, 2.0, 1.5});
        add_volume(&v, m.report.volume, 3.0 * exact);
        assert_int_equal(m.report.solids[0], true);
        drop(&m);
    }
    assert_mean_within(&v, 2e-3);
}

/* A post is there in all layers as soon as a line of the grid meets it, and no wider than three voxels; else it is not
 * there, and the report says so. */
static void a_post_is_there_where_lines_of_the_grid_meet_it(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    size_t seen = 0;
    for (int i = 0; i < case_count(40); i++) {
        const double at[2] = {random_uniform(&r, 2.0, 3.0), random_uniform(&r, 1.0, 2.0)};
        const double width = spacing * (i ? random_uniform(&r, 0.05, 0.95) : 0.999); /* the first is met */
        const bool is_round = random_between(&r, 0, 1);
        struct surface_solid post = {.shape = SOLID_BOX,
                                     .from = {at[0], at[1], 0.0},
                                     .to = {at[0] + width, at[1] + width, 3.0},
                                     .material = THIN};
        if (is_round)
            post = (struct surface_solid){.shape = SOLID_CYLINDER,
                                          .from = {at[0] + 0.5 * width, at[1] + 0.5 * width, 0.0},
                                          .to = {at[0] + 0.5 * width, at[1] + 0.5 * width, 3.0},
                                          .radius = 0.5 * width,
                                          .material = THIN};
        bool expected = false;
        for (int k = 0; k < 2; k++)
            expected = expected || ceil(at[k] / spacing - 0.5) < ceil((at[k] + width) / spacing - 0.5);
        struct made m = make(&post, 1, (const double[]){0.3, 0.3, 0.3});
        const uint64_t solid = 100 * 80 * 60 - voxel_set_air(m.set);
        assert_int_equal(m.report.solids[0], expected);
        assert_true(expected ? solid >= 60 && solid <= 180 && solid % 60 == 0 : solid == 0);
        seen += expected;
        drop(&m);
    }
    assert_true(seen > 0);
}

/* What lines graze at the border of voxels that a solid covers adds nothing to it, but for a tip of a sharp edge. */
static void thick_solids_are_the_voxels_whose_centres_they_hold(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < case_count(30); i++) {
        struct surface_solid s = {.shape = SOLID_SPHERE, .radius = random_uniform(&r, 0.15, 0.8), .material = THIN};
        if (i % 3 == 1)
            s.shape = SOLID_CYLINDER;
        if (i % 3 == 2)
            s.shape = SOLID_TURNED_BOX;
        for (int k = 0; k < 3; k++) {
            s.centre[k] = 0.5 * size[k] + random_uniform(&r, 0.0, 0.1);
            s.from[k] = s.centre[k] - random_uniform(&r, 0.1, 0.4);
            s.to[k] = s.centre[k] + random_uniform(&r, 0.1, 0.4);
            s.half[k] = random_uniform(&r, 0.1, 0.7);
            mesh_turn_point(s.axes[k], (const double[3]){k == 0, k == 1, k == 2}, 13 * i, 7 * i, 29 * i);
        }
        struct made m = make(&s, 1, NULL);
        size_t added = 0;
        for (size_t n = 0; n < 100 * 80 * 60; n++) {
            const size_t v[3] = {n % 100, n / 100 % 80, n / 8000};
            double at[3];
            for (int k = 0; k < 3; k++)
                at[k] = ((double)v[k] + 0.5) * spacing;
            const bool held = solid_holds(&s, at), air = voxel_set_is_air(m.set, v[0], v[1], v[2]);
            assert_false(held && air);
            added += !held && !air;
        }
        assert_int_equal(added, m.report.sheet_voxels);
        assert_true(added <= 3);
        drop(&m);
    }
}

/* ---- which of several is seen */

/* A carpet thinner than half a voxel is what the room sees of the floor below it. */
static void a_thin_cover_of_a_wall_is_seen_instead_of_it(void **state)
{
    (void)state;
    const struct surface_solid carpet = {.shape = SOLID_BOX, .from = {1, 1, 0}, .to = {3, 2, 0.01}, .material = THIN};
    const struct surface_solid panel = {.shape = SOLID_BOX, .from = {4.98, 1, 1}, .to = {5, 2, 2}, .material = OTHER};
    const struct surface_solid both[2] = {carpet, panel};
    struct made m = make(both, 2, (const double[]){2, 1.5, 1});
    assert_int_equal(voxel_set_air(m.set), 100 * 80 * 60);
    assert_within(m.report.materials[THIN].corrected, 2.0, 1e-9);
    assert_within(m.report.materials[OTHER].corrected, 1.0, 1e-9);
    assert_within(m.report.materials[4].corrected, 18.0, 1e-9);
    assert_within(m.report.materials[1].corrected, 11.0, 1e-9);
    assert_true(m.report.solids[0] && m.report.solids[1]);
    drop(&m);
}

/* A panel set into the face of a block: the later of the two is seen. */
static void of_solids_with_a_face_in_common_the_later_is_seen(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < case_count(20); i++) {
        const double face = random_uniform(&r, 1.0, 2.0), t = random_thickness(&r);
        const struct surface_solid block = {
            .shape = SOLID_BOX, .from = {face, 1, 1}, .to = {face + 1.0, 2, 2}, .material = OTHER};
        const struct surface_solid panel = {
            .shape = SOLID_BOX, .from = {face, 1, 1}, .to = {face + t, 2, 2}, .material = THIN};
        for (int last = 0; last < 2; last++) {
            const struct surface_solid solids[2] = {last ? block : panel, last ? panel : block};
            struct made m = make(solids, 2, (const double[]){0.3, 0.3, 0.3});
            const size_t x = (size_t)ceil(face / spacing - 0.5) - 1; /* the last voxel before the face */
            const struct voxel_row row = voxel_set_row(m.set, 30, 30);
            const struct face_run *f = voxel_set_face(m.set, x, 30, 30, FACE_X_MAX);
            assert_true(row.air_count == 2 && f != NULL);
            assert_int_equal(f->code, CELL_SOLID + (last ? THIN : OTHER));
            assert_int_equal(m.report.sheet_voxels, 0);
            drop(&m);
        }
    }
}

/* Every shape covers what came before it, and is covered by what comes after. */
static void every_shape_covers_earlier_ones_and_no_later_ones(void **state)
{
    (void)state;
    static const double plan[5][2] = {{1, 1}, {3, 1}, {3, 3}, {2, 1.8}, {1, 3}};
    struct surface_solid shapes[5] = {
        {.shape = SOLID_WEDGE, .from = {1, 1, 0.5}, .to = {3, 3, 2.5}, .centre = {2, 2, 1.5}, .half = {1, 1, 1}},
        {.shape = SOLID_PRISM, .from = {1, 1, 0.5}, .to = {3, 3, 2.5}, .corners = plan, .corner_count = 5},
        {.shape = SOLID_SPHERE, .centre = {2, 2, 1.5}, .radius = 1.0},
        {.shape = SOLID_CYLINDER, .from = {1.2, 2, 1.5}, .to = {2.8, 2.1, 1.7}, .radius = 0.6},
        {.shape = SOLID_TURNED_BOX, .centre = {2, 2, 1.5}, .half = {0.7, 0.6, 0.5}}};
    mesh_turn_point(shapes[4].axes[0], (const double[3]){1, 0, 0}, 30, 20, 10);
    mesh_turn_point(shapes[4].axes[1], (const double[3]){0, 1, 0}, 30, 20, 10);
    mesh_turn_point(shapes[4].axes[2], (const double[3]){0, 0, 1}, 30, 20, 10);
    for (int k = 0; k < 3; k++)
        shapes[0].axes[k][k] = 1.0;
    shapes[0].slope[0] = -sqrt(0.5); /* rises towards larger x */
    shapes[0].slope[2] = sqrt(0.5);
    for (int i = 0; i < 5; i++) {
        shapes[i].material = THIN;
        /* a small block within the shape, and a larger one around it */
        const struct surface_solid small = {
            .shape = SOLID_BOX, .from = {2.0, 1.6, 1.3}, .to = {2.2, 1.7, 1.4}, .material = OTHER};
        const struct surface_solid large = {
            .shape = SOLID_BOX, .from = {0.9, 0.9, 0.4}, .to = {3.1, 3.1, 2.6}, .material = OTHER};
        struct made alone = make(&shapes[i], 1, (const double[]){0.3, 0.3, 0.3});
        struct made over = make((const struct surface_solid[]){small, shapes[i]}, 2, NULL);
        struct made under = make((const struct surface_solid[]){shapes[i], large}, 2, NULL);
        struct made later = make((const struct surface_solid[]){large, shapes[i]}, 2, NULL);
        assert_true(same_sets(alone.set, over.set));
        assert_within(over.report.materials[OTHER].corrected, 0.0, 1e-12);
        assert_within(under.report.materials[THIN].corrected, 0.0, 1e-12);
        assert_within(later.report.materials[THIN].corrected, 0.0, 1e-12);
        assert_true(alone.report.materials[THIN].corrected > 1.0);
        assert_int_equal(alone.report.component_count, 1);
        assert_int_equal(voxel_set_air(later.set), voxel_set_air(under.set));
        drop(&alone);
        drop(&over);
        drop(&under);
        drop(&later);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thin_wall_at_any_position_parts_the_room),
        cmocka_unit_test(a_thin_turned_wall_parts_the_room),
        cmocka_unit_test(a_thin_screen_of_a_floor_plan_parts_the_room),
        cmocka_unit_test(a_post_is_there_where_lines_of_the_grid_meet_it),
        cmocka_unit_test(thick_solids_are_the_voxels_whose_centres_they_hold),
        cmocka_unit_test(a_thin_cover_of_a_wall_is_seen_instead_of_it),
        cmocka_unit_test(of_solids_with_a_face_in_common_the_later_is_seen),
        cmocka_unit_test(every_shape_covers_earlier_ones_and_no_later_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
