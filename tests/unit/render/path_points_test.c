/* SPDX-License-Identifier: MIT */
/* Points of reflection on image paths: against closed forms in a box, and against the law of reflection. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "render/hybrid/mesh_images.h"
#include "render/hybrid/path_points.h"
#include "support/random_cases.h"
#include "validate/scene/meshes.h"

#include <cmocka.h>

#include "support/within.h"

enum { ORDER = 4, MOST = 16 };

/* A box with a source and a receiver, closed by its planes or by triangles. */
struct world {
    struct image_box box; /* materials by enum face */
    double source[3], receiver[3];
    struct scene_mesh mesh;
    struct ray_scene scene;
    struct ray_tree tree;
    struct mirrors mirrors;
    struct mesh_room room;
};

static void random_place(double place[3], const double size[3], struct random *r)
{
    for (int axis = 0; axis < 3; axis++)
        place[axis] = size[axis] * random_uniform(r, 0.05, 0.95);
}

static void world_draw(struct world *w, struct random *r)
{
    *w = (struct world){.box = {.materials = {0, 1, 2, 3, 4, 5}}};
    for (int axis = 0; axis < 3; axis++)
        w->box.size[axis] = random_uniform(r, 2.0, 9.0);
    random_place(w->source, w->box.size, r);
    random_place(w->receiver, w->box.size, r);
    mesh_add_box(&w->mesh, (const double[]){0.0, 0.0, 0.0}, w->box.size, 0);
}

static void world_close(struct world *w)
{
    struct error e;
    const struct surface surface = surface_of(&w->mesh);
    assert_int_equal(ray_scene_make(&w->scene, &surface, RAY_SCENE_DEVIATION, &e), 0);
    assert_int_equal(ray_tree_make(&w->tree, &w->scene, &e), 0);
    assert_int_equal(mirrors_make(&w->mirrors, &w->scene, &e), 0);
    w->room = (struct mesh_room){.scene = &w->scene, .tree = &w->tree, .mirrors = &w->mirrors};
}

static void world_free(struct world *w)
{
    mirrors_free(&w->mirrors);
    ray_tree_free(&w->tree);
    ray_scene_free(&w->scene);
    mesh_clear(&w->mesh);
}

static struct image_paths paths_of(const struct world *w, bool in_box, size_t order)
{
    struct image_paths paths = {0};
    if (in_box)
        assert_int_equal(box_images_find(&paths, &w->box, w->source, w->receiver, order, INFINITY, NULL), 0);
    else
        assert_int_equal(mesh_images_find(&paths, &w->room, w->source, w->receiver, order, NULL, INFINITY, NULL), 0);
    return paths;
}

static void points_of(double points[MOST][3], uint32_t materials[MOST], const struct world *w, bool in_box,
                      const struct image_path *path)
{
    if (in_box)
        box_path_points(points, materials, path, &w->box, w->source, w->receiver);
    else
        mesh_path_points(points, materials, path, &w->mirrors, w->source, w->receiver);
}

/* m: from a wall of the box. */
static double from_wall(const struct world *w, const double place[3], uint32_t wall)
{
    return wall % 2 ? w->box.size[wall / 2] - place[wall / 2] : place[wall / 2];
}

static double on_wall(const struct world *w, uint32_t wall, double distance)
{
    return wall % 2 ? w->box.size[wall / 2] - distance : distance;
}

/* The point of the only reflection: the distances from the wall divide the path. */
static void first_order(double point[3], const struct world *w, uint32_t wall)
{
    const double a = from_wall(w, w->source, wall), b = from_wall(w, w->receiver, wall), share = a / (a + b);
    for (int axis = 0; axis < 3; axis++)
        point[axis] = w->source[axis] + share * (w->receiver[axis] - w->source[axis]);
    point[wall / 2] = on_wall(w, wall, 0.0);
}

/* The points of reflections at two walls in turn. */
static void second_order(double points[2][3], const struct world *w, const uint32_t walls[2])
{
    const uint32_t axes[2] = {walls[0] / 2, walls[1] / 2};
    double share[2];
    for (int i = 0; i < 2; i++) {
        const double a = from_wall(w, w->source, walls[i]), b = from_wall(w, w->receiver, walls[i]);
        share[i] = a / (a + b);
    }
    if (axes[0] == axes[1]) { /* across the box between them */
        const double size = w->box.size[axes[0]], a = from_wall(w, w->source, walls[0]);
        const double whole = a + size + from_wall(w, w->receiver, walls[1]);
        share[0] = a / whole;
        share[1] = (a + size) / whole;
    }
    for (int i = 0; i < 2; i++) {
        for (int axis = 0; axis < 3; axis++)
            points[i][axis] = w->source[axis] + share[i] * (w->receiver[axis] - w->source[axis]);
        if (axes[0] != axes[1]) { /* along the other wall's axis, mirrored in that wall */
            const double a = from_wall(w, w->source, walls[!i]), b = from_wall(w, w->receiver, walls[!i]);
            points[i][axes[!i]] = on_wall(w, walls[!i], fabs(a - share[i] * (a + b)));
        }
        points[i][axes[i]] = on_wall(w, walls[i], 0.0);
    }
}

static void the_first_two_orders_in_a_box_have_closed_forms(void **state)
{
    (void)state;
    struct random random = random_cases("closed forms of points");
    for (int i = 0; i < case_count(100); i++) {
        struct world w;
        world_draw(&w, &random);
        world_close(&w);
        for (int in_box = 0; in_box < 2; in_box++) {
            struct image_paths paths = paths_of(&w, in_box, 2);
            assert_int_equal(paths.count, 25);
            for (size_t p = 0; p < paths.count; p++) {
                double points[MOST][3], expected[2][3];
                uint32_t materials[MOST];
                points_of(points, materials, &w, in_box, &paths.list[p]);
                if (paths.list[p].order == 1)
                    first_order(expected[0], &w, materials[0]);
                else if (paths.list[p].order == 2)
                    second_order(expected, &w, materials);
                for (uint32_t n = 0; n < paths.list[p].order; n++)
                    for (int axis = 0; axis < 3; axis++)
                        assert_within(points[n + 1][axis], expected[n][axis], 1e-7);
            }
            image_paths_free(&paths);
        }
        world_free(&w);
    }
}

static void unit(double direction[3], const double from[3], const double to[3])
{
    double length = 0.0;
    for (int k = 0; k < 3; k++)
        length += (to[k] - from[k]) * (to[k] - from[k]);
    for (int k = 0; k < 3; k++)
        direction[k] = (to[k] - from[k]) / sqrt(length);
}

static double length_of(double (*points)[3], size_t count)
{
    double length = 0.0;
    for (size_t n = 1; n < count; n++) {
        double square = 0.0;
        for (int k = 0; k < 3; k++)
            square += (points[n][k] - points[n - 1][k]) * (points[n][k] - points[n - 1][k]);
        length += sqrt(square);
    }
    return length;
}

/* Each wall turns the component along its axis; the whole has the length of the path. */
static void obeys_the_law_of_reflection(const struct world *w, bool in_box, const struct image_path *path)
{
    double points[MOST][3];
    uint32_t materials[MOST];
    points_of(points, materials, w, in_box, path);
    assert_memory_equal(points[0], w->source, sizeof points[0]);
    assert_memory_equal(points[path->order + 1], w->receiver, sizeof points[0]);
    assert_within(length_of(points, path->order + 2), path->distance, 1e-6);
    for (uint32_t n = 1; n <= path->order; n++) {
        double in[3], out[3];
        const uint32_t wall = materials[n - 1];
        assert_true(wall < FACES);
        assert_within(from_wall(w, points[n], wall), 0.0, 1e-9);
        unit(in, points[n - 1], points[n]);
        unit(out, points[n], points[n + 1]);
        for (uint32_t axis = 0; axis < 3; axis++)
            assert_within(out[axis], axis == wall / 2 ? -in[axis] : in[axis], 1e-6);
    }
}

static void paths_reflect_as_they_meet_the_walls(void **state)
{
    (void)state;
    struct random random = random_cases("law of reflection");
    for (int i = 0; i < case_count(20); i++) {
        struct world w;
        world_draw(&w, &random);
        world_close(&w);
        for (int in_box = 0; in_box < 2; in_box++) {
            struct image_paths paths = paths_of(&w, in_box, in_box ? 9 : ORDER);
            for (size_t p = 0; p < paths.count; p++)
                obeys_the_law_of_reflection(&w, in_box, &paths.list[p]);
            image_paths_free(&paths);
        }
        world_free(&w);
    }
}

/* ---- An object between */

/* Whether a segment passes through a box, made larger by `margin` on all sides. */
static bool passes(const double from[3], const double to[3], double (*box)[3], double margin)
{
    double enter = 0.0, leave = 1.0;
    for (int k = 0; k < 3; k++) {
        const double a = (box[0][k] - margin - from[k]) / (to[k] - from[k]);
        const double b = (box[1][k] + margin - from[k]) / (to[k] - from[k]);
        enter = fmax(enter, fmin(a, b));
        leave = fmin(leave, fmax(a, b));
    }
    return enter < leave;
}

static bool path_passes(double (*points)[3], uint32_t order, double (*box)[3], double margin)
{
    bool through = false;
    for (uint32_t n = 0; n <= order; n++)
        through = through || passes(points[n], points[n + 1], box, margin);
    return through;
}

static bool is_listed(const struct world *w, const struct image_paths *paths, double (*points)[3], uint32_t order)
{
    for (size_t p = 0; p < paths->count; p++) {
        double own[MOST][3], apart = 0.0;
        uint32_t materials[MOST];
        if (paths->list[p].order != order)
            continue;
        points_of(own, materials, w, false, &paths->list[p]);
        for (uint32_t n = 0; n < order + 2; n++)
            for (int k = 0; k < 3; k++)
                apart = fmax(apart, fabs(own[n][k] - points[n][k]));
        if (apart < 1e-6)
            return true;
    }
    return false;
}

static void paths_through_an_object_are_not_listed(void **state)
{
    (void)state;
    struct random random = random_cases("object between");
    size_t blocked = 0, open = 0;
    for (int i = 0; i < case_count(30); i++) {
        struct world w;
        double object[2][3];
        world_draw(&w, &random);
        for (int k = 0; k < 3; k++) { /* around the middle between source and receiver */
            const double middle = 0.5 * (w.source[k] + w.receiver[k]);
            object[0][k] = middle - random_uniform(&random, 0.05, 0.09) * w.box.size[k] / 3.0;
            object[1][k] = middle + random_uniform(&random, 0.05, 0.09) * w.box.size[k] / 3.0;
        }
        bool inside = false;
        for (int end = 0; end < 2; end++) {
            const double *at = end ? w.receiver : w.source;
            inside = inside || passes(at, (const double[]){at[0] + 1e-4, at[1] + 1e-4, at[2] + 1e-4}, object, 1e-3);
        }
        if (!inside) {
            mesh_add_box(&w.mesh, object[0], object[1], 6);
            world_close(&w);
            struct image_paths empty = paths_of(&w, true, 2), found = paths_of(&w, false, 2);
            for (size_t p = 0; p < empty.count; p++) {
                double points[MOST][3];
                uint32_t materials[MOST], order = empty.list[p].order;
                points_of(points, materials, &w, true, &empty.list[p]);
                const bool clear = !path_passes(points, order, object, 1e-6);
                if (!clear && !path_passes(points, order, object, -1e-6))
                    continue; /* touches */
                assert_int_equal(is_listed(&w, &found, points, order), clear);
                *(clear ? &open : &blocked) += 1;
            }
            image_paths_free(&empty);
            image_paths_free(&found);
        }
        world_free(&w);
    }
    assert_true(blocked >= 2 && open >= 10);
}

static void a_corner_and_a_wall_give_points_in_the_box(void **state)
{
    (void)state;
    const struct world w = {.box = {{4.0, 3.0, 2.5}, {0, 1, 2, 3, 4, 5}}, /* both on a wall, opposite an edge */
                            .source = {0.0, 1.5, 1.0},
                            .receiver = {0.0, 1.5, 1.0}};
    struct image_paths paths = paths_of(&w, true, 5);
    for (size_t p = 0; p < paths.count; p++) {
        double points[MOST][3];
        uint32_t materials[MOST];
        points_of(points, materials, &w, true, &paths.list[p]);
        assert_within(length_of(points, paths.list[p].order + 2), paths.list[p].distance, 1e-9);
        for (uint32_t n = 0; n < paths.list[p].order + 2; n++)
            for (int k = 0; k < 3; k++)
                assert_true(points[n][k] >= 0.0 && points[n][k] <= w.box.size[k]);
    }
    image_paths_free(&paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_two_orders_in_a_box_have_closed_forms),
        cmocka_unit_test(paths_reflect_as_they_meet_the_walls),
        cmocka_unit_test(paths_through_an_object_are_not_listed),
        cmocka_unit_test(a_corner_and_a_wall_give_points_in_the_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
