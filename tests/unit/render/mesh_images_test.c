/* SPDX-License-Identifier: MIT */
/* Image sources among any faces: against those of a box, and against every sequence of faces tried one by one. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "render/hybrid/mesh_images.h"
#include "support/random_cases.h"
#include "validate/scene/meshes.h"

#include <cmocka.h>

#include "support/within.h"

struct world {
    struct ray_scene scene;
    struct ray_tree tree;
    struct mirrors mirrors;
    struct mesh_room room;
};

static void world_make(struct world *w, const struct surface *surface)
{
    struct error e;
    memset(w, 0, sizeof *w);
    assert_int_equal(ray_scene_make(&w->scene, surface, RAY_SCENE_DEVIATION, &e), 0);
    assert_int_equal(ray_tree_make(&w->tree, &w->scene, &e), 0);
    assert_int_equal(mirrors_make(&w->mirrors, &w->scene, &e), 0);
    w->room = (struct mesh_room){.scene = &w->scene, .tree = &w->tree, .mirrors = &w->mirrors};
}

static void world_free(struct world *w)
{
    mirrors_free(&w->mirrors);
    ray_tree_free(&w->tree);
    ray_scene_free(&w->scene);
}

static void random_place(double place[3], const double size[3], struct random *r)
{
    for (int axis = 0; axis < 3; axis++)
        place[axis] = size[axis] * random_uniform(r, 0.05, 0.95);
}

static void compare(const struct image_paths *found, const struct image_paths *expected)
{
    assert_int_equal(found->count, expected->count);
    for (size_t i = 0; i < found->count; i++) {
        const struct image_path *a = &found->list[i], *b = &expected->list[i];
        assert_within(a->distance, b->distance, 1e-6);
        assert_int_equal(a->order, b->order);
        for (int k = 0; k < 3; k++) {
            assert_within(a->departure[k], b->departure[k], 1e-6);
            assert_within(a->arrival[k], b->arrival[k], 1e-6);
        }
    }
}

static void a_box_of_triangles_has_the_images_of_a_box(void **state)
{
    (void)state;
    struct random random = random_cases("box of triangles");
    for (int i = 0; i < case_count(10); i++) {
        struct image_box box = {.materials = {0, 1, 2, 3, 4, 5}};
        struct scene_mesh m = {.triangles = NULL};
        struct image_paths found = {0}, expected = {0};
        struct world w;
        double source[3], receiver[3];
        for (int axis = 0; axis < 3; axis++)
            box.size[axis] = random_uniform(&random, 2.0, 6.0);
        random_place(source, box.size, &random);
        random_place(receiver, box.size, &random);
        mesh_add_box(&m, (const double[]){0.0, 0.0, 0.0}, box.size, 0);
        const struct surface surface = surface_of(&m);
        world_make(&w, &surface);
        assert_int_equal(w.mirrors.count, 6);
        assert_int_equal(box_images_find(&expected, &box, source, receiver, 4, INFINITY, NULL), 0);
        assert_int_equal(mesh_images_find(&found, &w.room, source, receiver, 4, NULL, INFINITY, NULL), 0);
        compare(&found, &expected);
        for (size_t p = 0; p < found.count; p++)
            for (uint32_t wall = 0; wall < found.list[p].wall_count; wall++) {
                double along = 0.0;
                for (int k = 0; k < 3; k++)
                    along += found.list[p].walls[wall].normal[k] * found.list[p].arrival[k];
                assert_within(along, found.list[p].walls[wall].cosine, 1e-9);
                assert_within(found.list[p].walls[wall].cosine,
                              fabs(found.list[p].arrival[found.list[p].walls[wall].material / 2]), 1e-6);
            }
        image_paths_free(&found);
        image_paths_free(&expected);
        world_free(&w);
        mesh_clear(&m);
    }
}

static void a_source_at_the_receiver_has_a_direction(void **state)
{
    (void)state;
    const double place[3] = {1.0, 1.0, 1.0}, size[3] = {4.0, 3.0, 2.5};
    struct scene_mesh m = {.triangles = NULL};
    struct image_paths found = {0};
    struct world w;
    mesh_add_box(&m, (const double[]){0.0, 0.0, 0.0}, size, 0);
    const struct surface surface = surface_of(&m);
    world_make(&w, &surface);
    assert_int_equal(mesh_images_find(&found, &w.room, place, place, 1, NULL, INFINITY, NULL), 0);
    assert_int_equal(found.count, 7);
    assert_within(found.list[0].distance, 0.0, 0.0);
    for (size_t p = 0; p < found.count; p++)
        assert_within(hypot(hypot(found.list[p].arrival[0], found.list[p].arrival[1]), found.list[p].arrival[2]), 1.0,
                      1e-12);
    image_paths_free(&found);
    world_free(&w);
    mesh_clear(&m);
}

/* ---- every sequence of faces, by planes and barycentric coordinates alone */

struct brute {
    const struct ray_scene *scene;
    struct image_paths *paths;
    double source[3], receiver[3];
    size_t faces[4];
    size_t order;
};

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void minus(double out[3], const double a[3], const double b[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

/* Where, of 0 .. 1, the line from a to b passes a face; NaN: not. */
static double passes(const struct ray_face *f, const double a[3], const double b[3])
{
    double along[3], edge[2][3], from[3], n[3];
    minus(along, b, a);
    minus(edge[0], f->corner[1], f->corner[0]);
    minus(edge[1], f->corner[2], f->corner[0]);
    minus(from, f->corner[0], a);
    for (int k = 0; k < 3; k++)
        n[k] = edge[0][(k + 1) % 3] * edge[1][(k + 2) % 3] - edge[0][(k + 2) % 3] * edge[1][(k + 1) % 3];
    const double at = dot(from, n) / dot(along, n);
    double p[3], g00 = dot(edge[0], edge[0]), g01 = dot(edge[0], edge[1]), g11 = dot(edge[1], edge[1]);
    for (int k = 0; k < 3; k++)
        p[k] = a[k] + at * along[k] - f->corner[0][k];
    const double r0 = dot(p, edge[0]), r1 = dot(p, edge[1]), all = g00 * g11 - g01 * g01;
    const double u = (r0 * g11 - r1 * g01) / all, v = (r1 * g00 - r0 * g01) / all;
    return at >= 0.0 && at <= 1.0 && u >= 0.0 && v >= 0.0 && u + v <= 1.0 ? at : NAN;
}

static bool is_free(const struct brute *b, const double from[3], const double to[3])
{
    for (size_t i = 0; i < b->scene->count; i++) {
        const double at = passes(&b->scene->faces[i], from, to);
        if (at > 1e-7 && at < 1.0 - 1e-7)
            return false;
    }
    return true;
}

static void brute_try(struct brute *b, size_t order)
{
    double image[5][3], place[6][3];
    memcpy(image[0], b->source, sizeof image[0]);
    for (size_t n = 0; n < order; n++) {
        const struct ray_face *f = &b->scene->faces[b->faces[n]];
        double from[3];
        minus(from, image[n], f->corner[0]);
        const double above = dot(from, f->normal);
        if (fabs(above) < 1e-6)
            return;
        for (int k = 0; k < 3; k++)
            image[n + 1][k] = image[n][k] - 2.0 * above * f->normal[k];
    }
    memcpy(place[0], b->receiver, sizeof place[0]);
    for (size_t n = 0; n < order; n++) {
        const double at = passes(&b->scene->faces[b->faces[order - 1 - n]], place[n], image[order - n]);
        if (!(at > 1e-7))
            return;
        for (int k = 0; k < 3; k++)
            place[n + 1][k] = place[n][k] + at * (image[order - n][k] - place[n][k]);
    }
    memcpy(place[order + 1], b->source, sizeof place[0]);
    for (size_t n = 0; n <= order; n++)
        if (!is_free(b, place[n], place[n + 1]))
            return;
    struct image_path path = {.order = (uint32_t)order};
    double way[3];
    minus(way, image[order], b->receiver);
    path.distance = sqrt(dot(way, way));
    for (int k = 0; k < 3; k++) {
        path.arrival[k] = way[k] / path.distance;
        path.departure[k] = place[order][k] - b->source[k];
    }
    const double length = sqrt(dot(path.departure, path.departure));
    for (int k = 0; k < 3; k++)
        path.departure[k] /= length;
    assert_int_equal(image_paths_add(b->paths, &path, NULL), 0);
}

static void brute_search(struct brute *b, size_t depth)
{
    brute_try(b, depth);
    if (depth >= sizeof b->faces / sizeof *b->faces)
        return;
    for (size_t i = 0; i < b->scene->count && depth < b->order; i++) {
        if (depth && fabs(dot(b->scene->faces[i].normal, b->scene->faces[b->faces[depth - 1]].normal)) > 1.0 - 1e-9 &&
            i == b->faces[depth - 1])
            continue;
        b->faces[depth] = i;
        brute_search(b, depth + 1);
    }
}

/* A box with tetrahedra and sheets of any place in it. */
static void add_random_room(struct scene_mesh *m, const double size[3], struct random *r)
{
    mesh_add_box(m, (const double[]){0.0, 0.0, 0.0}, size, 0);
    for (size_t i = random_between(r, 0, 2); i > 0; i--) {
        double c[4][3];
        for (int k = 0; k < 4; k++)
            random_place(c[k], size, r);
        for (int k = 0; k < 4; k++)
            mesh_add(m, c[k], c[(k + 1) % 4], c[(k + 2) % 4], (uint32_t)(5 + i));
    }
    double c[3][3];
    for (int k = 0; k < 3; k++)
        random_place(c[k], size, r);
    mesh_add(m, c[0], c[1], c[2], 8);
}

static void random_meshes_have_the_images_of_every_sequence_of_faces(void **state)
{
    (void)state;
    struct random random = random_cases("images in random meshes");
    size_t reflected = 0;
    for (int i = 0; i < case_count(30); i++) {
        static const double size[3] = {3.1, 2.7, 2.3};
        struct scene_mesh m = {.triangles = NULL};
        struct image_paths found = {0}, expected = {0};
        struct world w;
        add_random_room(&m, size, &random);
        const struct surface surface = surface_of(&m);
        world_make(&w, &surface);
        struct brute b = {.scene = &w.scene, .paths = &expected, .order = 2};
        random_place(b.source, size, &random);
        random_place(b.receiver, size, &random);
        brute_search(&b, 0);
        assert_int_equal(image_paths_sort(&expected, NULL), 0);
        assert_int_equal(mesh_images_find(&found, &w.room, b.source, b.receiver, 2, NULL, INFINITY, NULL), 0);
        compare(&found, &expected);
        reflected += found.count;
        image_paths_free(&found);
        image_paths_free(&expected);
        world_free(&w);
        mesh_clear(&m);
    }
    assert_true(reflected > 5 * (size_t)case_count(30));
}

/* What rays find is part of what all sequences give, and nearly all of it. */
static void rays_find_the_sequences_that_are_heard(void **state)
{
    (void)state;
    struct random random = random_cases("sequences by rays");
    size_t all = 0, by_rays = 0;
    for (int i = 0; i < case_count(10); i++) {
        static const double size[3] = {3.1, 2.7, 2.3};
        struct scene_mesh m = {.triangles = NULL};
        struct image_paths found = {0}, expected = {0};
        struct mirror_sequences sequences;
        struct world w;
        double source[3], receiver[3];
        add_random_room(&m, size, &random);
        const struct surface surface = surface_of(&m);
        world_make(&w, &surface);
        random_place(source, size, &random);
        random_place(receiver, size, &random);
        assert_int_equal(mirror_sequences_find(&sequences, &w.room, source, 2, 3, 30000, NULL), 0);
        assert_int_equal(mesh_images_find(&found, &w.room, source, receiver, 1, &sequences, INFINITY, NULL), 0);
        assert_int_equal(mesh_images_find(&expected, &w.room, source, receiver, 3, NULL, INFINITY, NULL), 0);
        for (size_t a = 0, b = 0; a < found.count; a++, b++) {
            while (b < expected.count && expected.list[b].distance < found.list[a].distance - 1e-9)
                b++;
            assert_true(b < expected.count);
            assert_within(expected.list[b].distance, found.list[a].distance, 1e-9);
        }
        all += expected.count;
        by_rays += found.count;
        mirror_sequences_free(&sequences);
        image_paths_free(&found);
        image_paths_free(&expected);
        world_free(&w);
        mesh_clear(&m);
    }
    assert_true(by_rays <= all);
    assert_true((double)by_rays >= 0.98 * (double)all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_of_triangles_has_the_images_of_a_box),
        cmocka_unit_test(a_source_at_the_receiver_has_a_direction),
        cmocka_unit_test(random_meshes_have_the_images_of_every_sequence_of_faces),
        cmocka_unit_test(rays_find_the_sequences_that_are_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
