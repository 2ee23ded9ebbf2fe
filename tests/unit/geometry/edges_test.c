/* SPDX-License-Identifier: MIT */
/* Free edges of scenes: which there are, and which of them a flight passes first. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/stop.h"
#include "geometry/rays/edge_pass.h"
#include "geometry/rays/edges.h"
#include "support/random_cases.h"
#include "validate/scene/meshes.h"

#include <cmocka.h>

#include "support/within.h"

struct found {
    struct ray_scene scene;
    struct ray_tree tree;
    struct ray_edges edges;
};

static void find(struct found *f, const struct surface *surface)
{
    struct error e;
    memset(f, 0, sizeof *f);
    assert_int_equal(ray_scene_make(&f->scene, surface, RAY_SCENE_DEVIATION, &e), 0);
    assert_int_equal(ray_tree_make(&f->tree, &f->scene, &e), 0);
    assert_int_equal(ray_edges_make(&f->edges, &f->scene, &f->tree, &e), 0);
}

static void found_free(struct found *f)
{
    ray_edges_free(&f->edges);
    ray_tree_free(&f->tree);
    ray_scene_free(&f->scene);
}

/* Of a surface of triangles, which is cleared, and solids. */
static void assert_edges_with(struct scene_mesh *m, const struct surface_solid *solids, size_t solid_count,
                              size_t count, double length)
{
    struct found f;
    struct surface surface = surface_of(m);
    surface.solids = solids;
    surface.solid_count = solid_count;
    find(&f, &surface);
    assert_int_equal(f.edges.count, count);
    assert_within(f.edges.length, length, 1e-6);
    found_free(&f);
    mesh_clear(m);
}

static void assert_edges(struct scene_mesh *m, size_t count, double length)
{
    assert_edges_with(m, NULL, 0, count, length);
}

static struct scene_mesh room(void)
{
    struct scene_mesh m = {.triangles = NULL};
    mesh_add_box(&m, (const double[]){0.0, 0.0, 0.0}, (const double[]){5.0, 4.0, 3.0}, 0);
    return m;
}

static void an_empty_box_has_none(void **state)
{
    (void)state;
    struct scene_mesh m = room();
    assert_edges(&m, 0, 0.0);
}

static void a_box_on_the_floor_has_all_but_its_foot(void **state)
{
    (void)state;
    struct random random = random_cases("box on the floor");
    for (int i = 0; i < case_count(20); i++) { /* also shuffled and turned: faces have no orientation */
        struct scene_mesh m = room();
        const double from[3] = {1.0, 1.5, 0.0},
                     to[3] = {random_uniform(&random, 1.3, 4.0), random_uniform(&random, 1.8, 3.5),
                              random_uniform(&random, 0.3, 2.0)};
        mesh_add_box(&m, from, to, 6);
        mesh_shuffle(&m, &random);
        mesh_turn(&m, random_uniform(&random, 0.0, 360.0), random_uniform(&random, 0.0, 90.0), 20.0);
        assert_edges(&m, 8, 2.0 * (to[0] - 1.0) + 2.0 * (to[1] - 1.5) + 4.0 * to[2]);
    }
}

static void a_solid_has_the_edges_of_its_triangles(void **state)
{
    (void)state;
    struct scene_mesh m = room();
    const struct surface_solid box = {.shape = SOLID_BOX, .from = {1.0, 1.0, 0.0}, .to = {2.0, 1.5, 0.7}};
    assert_edges_with(&m, &box, 1, 8, 3.0 + 2.8);
}

/* A millimetre from the wall and from the floor, as models have it. */
static void a_cupboard_against_the_wall_has_none_there(void **state)
{
    (void)state;
    for (int gap = 0; gap < 2; gap++) {
        struct scene_mesh m = room();
        mesh_add_box(&m, (const double[]){1e-3 * gap, 1.0, 1e-3 * gap}, (const double[]){0.6, 2.2, 2.0}, 6);
        assert_edges(&m, 5, 2.0 * (2.0 - 1e-3 * gap) + 2.0 * (0.6 - 1e-3 * gap) + 1.2);
    }
}

/* A box on another one: the edge between their sides is flat, that of a smaller one is none. */
static void boxes_on_each_other_share_none(void **state)
{
    (void)state;
    struct scene_mesh m = room();
    mesh_add_box(&m, (const double[]){1.0, 1.0, 0.0}, (const double[]){2.0, 2.0, 0.5}, 6);
    mesh_add_box(&m, (const double[]){1.0, 1.0, 0.5}, (const double[]){2.0, 2.0, 0.9}, 6);
    assert_edges(&m, 8, 4.0 + 4.0 * 0.9);
    m = room();
    mesh_add_box(&m, (const double[]){1.0, 1.0, 0.0}, (const double[]){2.0, 2.0, 0.5}, 6);
    mesh_add_box(&m, (const double[]){1.2, 1.2, 0.5}, (const double[]){1.8, 1.8, 0.9}, 6);
    assert_edges(&m, 16, 4.0 + 4.0 * 0.5 + 4.0 * 0.6 + 4.0 * 0.4);
}

static void the_corner_of_an_l_stands_out(void **state)
{
    (void)state;
    struct scene_mesh m = {.triangles = NULL};
    static const double plan[6][2] = {{0, 0}, {5.6, 0}, {5.6, 2.6}, {2.4, 2.6}, {2.4, 4.9}, {0, 4.9}};
    for (int i = 0; i < 6; i++) {
        const double *p = plan[i], *q = plan[(i + 1) % 6];
        mesh_add_quad(&m, (const double[]){p[0], p[1], 0}, (const double[]){q[0], q[1], 0},
                      (const double[]){q[0], q[1], 2.5}, (const double[]){p[0], p[1], 2.5}, 0);
    }
    for (int z = 0; z < 2; z++) { /* two rectangles, of which one ends within a side of the other */
        const double h = 2.5 * z;
        mesh_add_quad(&m, (const double[]){0, 0, h}, (const double[]){5.6, 0, h}, (const double[]){5.6, 2.6, h},
                      (const double[]){0, 2.6, h}, 1);
        mesh_add_quad(&m, (const double[]){0, 2.6, h}, (const double[]){2.4, 2.6, h}, (const double[]){2.4, 4.9, h},
                      (const double[]){0, 4.9, h}, 1);
    }
    assert_edges(&m, 1, 2.5);
}

static void a_sheet_has_its_border(void **state)
{
    (void)state;
    struct scene_mesh m = room();
    mesh_add_quad(&m, (const double[]){1, 1, 2}, (const double[]){3, 1, 2}, (const double[]){3, 2, 2},
                  (const double[]){1, 2, 2}, 6);
    assert_edges(&m, 4, 6.0);
    m = room(); /* a screen that stands on the floor and against a wall */
    mesh_add_quad(&m, (const double[]){0, 2, 0}, (const double[]){2, 2, 0}, (const double[]){2, 2, 1.5},
                  (const double[]){0, 2, 1.5}, 6);
    assert_edges(&m, 2, 3.5);
}

/* A sheet of one face on the left and three on the right has no border between them, but where the right ones reach
 * further. */
static void faces_that_end_within_a_side_of_another_leave_no_border(void **state)
{
    (void)state;
    struct scene_mesh m = room();
    mesh_add_quad(&m, (const double[]){1, 1, 2}, (const double[]){2, 1, 2}, (const double[]){2, 2, 2},
                  (const double[]){1, 2, 2}, 6);
    for (int i = 0; i < 3; i++) {
        const double y = 1.0 + 0.5 * i;
        mesh_add_quad(&m, (const double[]){2, y, 2}, (const double[]){3, y, 2}, (const double[]){3, y + 0.5, 2},
                      (const double[]){2, y + 0.5, 2}, 6);
    }
    assert_edges(&m, 6, 4.0 + 1.0 + 0.5 + 1.5 + 0.0);
}

/* A horizontal sheet whose outer border is a polygon on a circle: an edge may leave the circle by what a side does, and
 * not become a tangent. */
static void a_border_that_bends_slowly_is_no_straight_edge(void **state)
{
    (void)state;
    enum { SIDES = 40 };
    const double radius = 12.0, turn = 0.75 * M_PI / 180.0;
    struct scene_mesh m = {.triangles = NULL};
    struct found f;
    mesh_add_box(&m, (const double[]){0.0, 0.0, 0.0}, (const double[]){14.0, 14.0, 3.0}, 0);
    for (int i = 0; i < SIDES; i++) {
        double at[2][2][3]; /* inner and outer, beginning and end */
        for (int outer = 0; outer < 2; outer++)
            for (int end = 0; end < 2; end++) {
                const double angle = 0.4 + (i + end) * turn, r = outer ? radius : radius - 1.0;
                memcpy(at[outer][end], (const double[]){1.0 + r * cos(angle), 1.0 + r * sin(angle), 1.5},
                       sizeof at[outer][end]);
            }
        mesh_add_quad(&m, at[0][0], at[1][0], at[1][1], at[0][1], 6);
    }
    const struct surface surface = surface_of(&m);
    find(&f, &surface);
    for (size_t i = 0; i < f.edges.count; i++)
        for (int end = 0; end < 2; end++) {
            const struct ray_edge *edge = &f.edges.list[i];
            const double x = edge->from[0] + end * edge->length * edge->along[0] - 1.0,
                         y = edge->from[1] + end * edge->length * edge->along[1] - 1.0, r = hypot(x, y);
            assert_true(fabs(r - radius) < 0.01 || fabs(r - radius + 1.0) < 0.01);
        }
    assert_within(f.edges.length, SIDES * 2.0 * (2.0 * radius - 1.0) * sin(0.5 * turn) + 2.0, 0.01);
    found_free(&f);
    mesh_clear(&m);
}

/* A beam with a cupboard of its depth above its far end, beside which 300 cubes hang. */
static void a_side_with_hundreds_of_things_beside_it_is_free_where_nothing_covers_it(void **state)
{
    (void)state;
    struct scene_mesh m = {.triangles = NULL};
    struct found f;
    double free_length = 0.0;
    mesh_add_box(&m, (const double[]){0.0, 0.0, 0.0}, (const double[]){14.0, 6.0, 3.0}, 0);
    mesh_add_box(&m, (const double[]){1.0, 2.0, 1.0}, (const double[]){13.0, 3.0, 1.5}, 6);
    for (int i = 0; i < 300; i++) /* within touch of the side's box */
        mesh_add_box(&m, (const double[]){1.2 + 0.03 * i, 1.87, 1.4}, (const double[]){1.215 + 0.03 * i, 1.985, 1.6},
                     6);
    mesh_add_box(&m, (const double[]){11.0, 2.0, 1.5}, (const double[]){13.0, 3.0, 2.5}, 6);
    const struct surface surface = surface_of(&m);
    find(&f, &surface);
    for (size_t i = 0; i < f.edges.count; i++) {
        const struct ray_edge *edge = &f.edges.list[i];
        const bool on_side = fabs(edge->from[1] - 2.0) < 1e-6 && fabs(edge->from[2] - 1.5) < 1e-6;
        if (on_side && fabs(edge->along[0]) > 0.999) {
            const double to = edge->from[0] + edge->length * edge->along[0];
            free_length += edge->length;
            assert_true(fmax(edge->from[0], to) < 11.0 + 1e-6);
        }
    }
    assert_true(free_length > 0.5);
    found_free(&f);
    mesh_clear(&m);
}

static void round_solids_have_none(void **state)
{
    (void)state;
    struct scene_mesh m = room();
    const struct surface_solid column = {
        .shape = SOLID_CYLINDER, .from = {2.0, 2.0, 0.0}, .to = {2.0, 2.0, 3.0}, .radius = 0.3};
    assert_edges_with(&m, &column, 1, 0, 0.0);
    m = room();
    const struct surface_solid ball = {.shape = SOLID_SPHERE, .centre = {2.0, 2.0, 1.0}, .radius = 0.5};
    assert_edges_with(&m, &ball, 1, 0, 0.0);
}

/* A scene of boxes, and flights of any length and reach in it. */
static void the_tree_finds_the_edge_that_a_test_of_all_finds(void **state)
{
    (void)state;
    struct random random = random_cases("edges on a flight");
    size_t passed = 0, all = 0;
    for (int i = 0; i < case_count(20); i++) {
        struct scene_mesh m = room();
        struct found f;
        for (int k = 0; k < 1 + 3 * i; k++) {
            double from[3], to[3];
            for (int axis = 0; axis < 3; axis++) {
                from[axis] = random_uniform(&random, 0.1, 2.5);
                to[axis] = from[axis] + random_uniform(&random, 0.05, 0.4);
            }
            mesh_add_box(&m, from, to, 6);
        }
        if (i % 2)
            mesh_turn(&m, 30.0, 20.0, 10.0);
        const struct surface surface = surface_of(&m);
        find(&f, &surface);
        for (int k = 0; k < case_count(5000); k++) {
            double origin[3], direction[3], square = 0.0;
            uint32_t skipped[2] = {0, 1};
            struct ray_passage found, expected;
            for (int axis = 0; axis < 3; axis++) {
                origin[axis] = random_uniform(&random, f.scene.lower[axis], f.scene.upper[axis]);
                direction[axis] = k % 5 || axis ? random_normal(&random) : 0.0;
                square += direction[axis] * direction[axis];
            }
            for (int axis = 0; axis < 3; axis++)
                direction[axis] /= sqrt(square);
            const struct ray_flight flight = {.origin = origin,
                                              .direction = direction,
                                              .length = k % 3 ? random_log_uniform(&random, 0.05, 20.0) : INFINITY,
                                              .reach = random_log_uniform(&random, 0.01, 3.0),
                                              .passed = skipped,
                                              .passed_count = (size_t)(k % 3)};
            const bool is = ray_edges_first(&f.edges, &flight, &found);
            assert_int_equal(is, ray_edges_first_of_all(&f.edges, &flight, &expected));
            assert_int_equal(found.edge, expected.edge);
            assert_true(!is || (found.at == expected.at && found.distance == expected.distance));
            passed += is;
            all++;
        }
        found_free(&f);
        mesh_clear(&m);
    }
    assert_true(passed > 0 && passed < all); /* both are there */
}

/* One edge along z at (1, 1) of a block whose faces go on towards -x and -y. */
static void an_edge_is_passed_on_the_side_of_the_air_alone(void **state)
{
    (void)state;
    struct scene_mesh m = room();
    struct found f;
    struct ray_passage p;
    mesh_add_box(&m, (const double[]){0.0, 0.0, 0.0}, (const double[]){1.0, 1.0, 3.0}, 6);
    const struct surface surface = surface_of(&m);
    find(&f, &surface);
    assert_int_equal(f.edges.count, 1);
    struct ray_flight flight = {.origin = (const double[]){0.5, 1.3, 1.0},
                                .direction = (const double[]){1.0, 0.0, 0.0},
                                .length = 2.0,
                                .reach = 0.4};
    assert_true(ray_edges_first(&f.edges, &flight, &p));
    assert_within(p.at, 0.5, 1e-9);
    assert_within(p.distance, 0.3, 1e-9);
    flight.reach = 0.29;
    assert_false(ray_edges_first(&f.edges, &flight, &p));
    flight.reach = 0.4;
    flight.length = 0.51; /* it ends within 2 cm */
    assert_false(ray_edges_first(&f.edges, &flight, &p));
    flight.length = 2.0;
    flight.origin = (const double[]){0.5, 0.8, 1.0}; /* in the block */
    assert_false(ray_edges_first(&f.edges, &flight, &p));
    flight.origin = (const double[]){1.1, 1.2, 0.5};
    flight.direction = (const double[]){0.0, 0.0, 1.0}; /* along the edge */
    assert_false(ray_edges_first(&f.edges, &flight, &p));
    found_free(&f);
    mesh_clear(&m);
}

/* Both take a second for half a million faces. */
static void a_stop_is_heard_by_the_tree_and_by_the_edges(void **state)
{
    struct scene_mesh m = room();
    const struct surface surface = surface_of(&m);
    struct found f;
    struct ray_tree tree = {.nodes = NULL};
    struct ray_edges edges = {.list = NULL};
    struct error e;
    (void)state;
    find(&f, &surface);
    stop_work(true);
    assert_int_equal(ray_tree_make(&tree, &f.scene, &e), -1);
    assert_int_equal(e.code, ERROR_STOPPED);
    e.code = ERROR_NONE;
    assert_int_equal(ray_edges_make(&edges, &f.scene, &f.tree, &e), -1);
    stop_work(false);
    assert_int_equal(e.code, ERROR_STOPPED);
    ray_tree_free(&tree);
    ray_edges_free(&edges);
    found_free(&f);
    mesh_clear(&m);
}

/* The tests of single lanes, which GPUs use, leave out no edge that is passed. */
static void lanes_find_the_edge_that_a_test_of_all_finds(void **state)
{
    (void)state;
    struct random r = random_cases("lanes of edges");
    struct scene_mesh m = {.triangles = NULL};
    struct found f;
    mesh_add_box(&m, (const double[]){0.0, 0.0, 0.0}, (const double[]){10.0, 10.0, 10.0}, 0);
    for (int i = 0; i < 20; i++) {
        double from[3], to[3];
        for (int k = 0; k < 3; k++) {
            from[k] = random_uniform(&r, 0.5, 9.0);
            to[k] = from[k] + random_uniform(&r, 0.1, 0.9);
        }
        mesh_add_box(&m, from, to, 0);
    }
    const struct surface surface = surface_of(&m);
    find(&f, &surface);
    const size_t leaves = (f.edges.count + RAY_EDGE_LANES - 1) / RAY_EDGE_LANES;
    size_t found = 0;
    assert_true(leaves > 8);
    const int cases = case_count(5000);
    for (int i = 0; i < cases; i++) {
        double origin[3], direction[3], square = 0.0;
        for (int k = 0; k < 3; k++) {
            origin[k] = random_uniform(&r, 0.0, 10.0);
            direction[k] = random_uniform(&r, -1.0, 1.0);
            square += direction[k] * direction[k];
        }
        for (int k = 0; k < 3; k++)
            direction[k] /= sqrt(square);
        const struct ray_flight flight = {.origin = origin,
                                          .direction = direction,
                                          .length = random_uniform(&r, 0.0, 12.0),
                                          .reach = exp(random_uniform(&r, -4.0, 2.0))};
        const struct ray_lane_flight lanes = ray_lane_flight_of(&f.edges, &flight);
        struct ray_passage all, passed = {.edge = RAY_NO_EDGE, .at = INFINITY};
        float entry;
        ray_edges_first_of_all(&f.edges, &flight, &all);
        for (size_t leaf = 0; leaf < leaves; leaf++)
            for (int k = 0; k < RAY_EDGE_LANES; k++) {
                const uint32_t edge = (uint32_t)(RAY_EDGE_LANES * leaf) + (uint32_t)k;
                if (ray_edge_may_enter(&entry, &f.edges.boxes[leaf / RAY_EDGE_LANES], (int)(leaf % RAY_EDGE_LANES),
                                       &lanes, lanes.end) &&
                    ray_edge_may_pass(&f.edges.lanes[leaf], k, &lanes, lanes.end) && edge < f.edges.count)
                    ray_edge_pass(&passed, &f.edges.list[edge], edge, &flight);
            }
        assert_int_equal(passed.edge, all.edge);
        found += all.edge != RAY_NO_EDGE;
    }
    print_message("%zu of %d flights pass an edge\n", found, cases);
    assert_true(10 * found > (size_t)cases);
    found_free(&f);
    mesh_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stop_is_heard_by_the_tree_and_by_the_edges),
        cmocka_unit_test(an_empty_box_has_none),
        cmocka_unit_test(a_box_on_the_floor_has_all_but_its_foot),
        cmocka_unit_test(a_solid_has_the_edges_of_its_triangles),
        cmocka_unit_test(a_cupboard_against_the_wall_has_none_there),
        cmocka_unit_test(boxes_on_each_other_share_none),
        cmocka_unit_test(the_corner_of_an_l_stands_out),
        cmocka_unit_test(a_sheet_has_its_border),
        cmocka_unit_test(faces_that_end_within_a_side_of_another_leave_no_border),
        cmocka_unit_test(a_border_that_bends_slowly_is_no_straight_edge),
        cmocka_unit_test(a_side_with_hundreds_of_things_beside_it_is_free_where_nothing_covers_it),
        cmocka_unit_test(round_solids_have_none),
        cmocka_unit_test(the_tree_finds_the_edge_that_a_test_of_all_finds),
        cmocka_unit_test(lanes_find_the_edge_that_a_test_of_all_finds),
        cmocka_unit_test(an_edge_is_passed_on_the_side_of_the_air_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
