/* SPDX-License-Identifier: MIT */
/* Faces that rays meet, and the tree over them. */
#include "geometry/rays/intersect.h"
#include "geometry/rays/scene.h"
#include "geometry/rays/tree.h"
#include "support/random_cases.h"
#include "validate/scene/meshes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/floor_plan.h"
#include "geometry/solid.h"

static const double pi = 3.14159265358979323846;

struct world {
    struct ray_scene scene;
    struct ray_tree tree;
};

static struct world world_of(const struct surface *surface)
{
    struct world w = {.scene = {.faces = NULL}, .tree = {.nodes = NULL}};
    struct error e;
    assert_int_equal(ray_scene_make(&w.scene, surface, RAY_SCENE_DEVIATION, &e), 0);
    assert_int_equal(ray_tree_make(&w.tree, &w.scene, &e), 0);
    return w;
}

static void world_free(struct world *w)
{
    ray_tree_free(&w->tree);
    ray_scene_free(&w->scene);
}

static void random_direction(double d[3], struct random *r)
{
    const double z = random_uniform(r, -1.0, 1.0), angle = random_uniform(r, 0.0, 2.0 * pi), out = sqrt(1.0 - z * z);
    d[0] = out * cos(angle);
    d[1] = out * sin(angle);
    d[2] = z;
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Triangles of all sizes, some of them twice, some on planes of constant x, y or z, some slivers, and a box around
 * them. */
static void add_soup(struct scene_mesh *m, struct random *r, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double c[3][3];
        const double size = pow(10.0, random_uniform(r, -2.0, 1.0));
        const size_t flat = random_between(r, 0, 6);
        for (int k = 0; k < 3; k++) {
            c[0][k] = random_uniform(r, -5.0, 5.0);
            for (int corner = 1; corner < 3; corner++)
                c[corner][k] = flat == (size_t)k ? c[0][k] : c[0][k] + random_uniform(r, -size, size);
        }
        if (random_between(r, 0, 9) == 0)
            for (int k = 0; k < 3; k++)
                c[2][k] = 0.5 * (c[0][k] + c[1][k]);
        for (size_t twice = random_between(r, 0, 4) == 0 ? 2 : 1; twice-- > 0;)
            mesh_add(m, c[0], c[1], c[2], (uint32_t)random_between(r, 0, 5));
    }
    mesh_add_box(m, (const double[]){-6.0, -6.0, -6.0}, (const double[]){6.0, 6.0, 6.0}, 0);
}

/* Any ray, one along an axis, or one to the corner or the edge of a face. */
static struct ray random_ray(const struct ray_scene *s, struct random *r)
{
    struct ray ray = {.reach = INFINITY, .left = RAY_NO_FACE};
    const struct ray_face *f = &s->faces[random_between(r, 0, s->count - 1)];
    const size_t kind = random_between(r, 0, 3);
    double length = 0.0;
    random_direction(ray.direction, r);
    for (int k = 0; k < 3; k++)
        ray.origin[k] = random_between(r, 0, 9) == 0 ? f->corner[0][k] : random_uniform(r, -6.0, 6.0);
    if (kind == 1) {
        const size_t axis = random_between(r, 0, 2);
        for (size_t k = 0; k < 3; k++)
            ray.direction[k] = k == axis ? 1.0 : 0.0;
    } else if (kind == 2) {
        const double share = random_between(r, 0, 1) ? 0.0 : random_uniform(r, 0.0, 1.0);
        for (int k = 0; k < 3; k++) {
            ray.direction[k] = f->corner[0][k] + share * (f->corner[1][k] - f->corner[0][k]) - ray.origin[k];
            length += ray.direction[k] * ray.direction[k];
        }
        for (int k = 0; k < 3 && length > 0.0; k++)
            ray.direction[k] /= sqrt(length);
        if (!(length > 0.0))
            random_direction(ray.direction, r);
    }
    if (random_between(r, 0, 3) == 0)
        ray.reach = random_uniform(r, 0.0, 12.0);
    if (random_between(r, 0, 3) == 0)
        ray.left = (uint32_t)random_between(r, 0, s->count - 1);
    return ray;
}

static void find_what_a_test_of_every_face_finds(struct random r)
{
    size_t hits = 0;
    for (int i = 0; i < 40; i++) {
        struct scene_mesh m = {.triangles = NULL};
        if (i % 8 == 0) /* a single face, or few */
            for (size_t k = random_between(&r, 1, 3); k > 0; k--)
                mesh_add(&m, (const double[]){0.0, 0.0, (double)k}, (const double[]){3.0, 0.0, (double)k},
                         (const double[]){0.0, 4.0, (double)k}, 0);
        else
            add_soup(&m, &r, random_between(&r, 1, 400));
        const struct surface surface = surface_of(&m);
        struct world w = world_of(&surface);
        for (int k = 0; k < 1000; k++) {
            const struct ray ray = random_ray(&w.scene, &r);
            struct ray_hit found, expected;
            const bool any = ray_tree_closest_of_all(&w.tree, &ray, &expected);
            assert_int_equal(ray_tree_closest(&w.tree, &ray, &found), any);
            assert_int_equal(found.face, expected.face);
            assert_memory_equal(&found.distance, &expected.distance, sizeof found.distance);
            assert_int_equal(ray_tree_blocked(&w.tree, &ray), any);
            hits += any;
        }
        world_free(&w);
        mesh_clear(&m);
    }
    assert_true(hits > 10000);
}

static void the_tree_finds_what_a_test_of_every_face_finds_bit_for_bit(void **state)
{
    (void)state;
    find_what_a_test_of_every_face_finds(random_cases(__func__));
}

/* Triangles whose third corner lies between the others, rounded: what keeps neighbours with such a corner from leaving
 * a crack. */
static void a_face_without_width_is_met_where_it_lies(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    size_t hits = 0;
    for (int i = 0; i < 20000; i++) {
        struct ray_face f = {.area = 0.0};
        double origin[3], direction[3], length = 0.0;
        const double share = random_uniform(&r, 0.0, 1.0), at = random_uniform(&r, 0.0, 1.0);
        for (int k = 0; k < 3; k++) {
            f.corner[0][k] = random_uniform(&r, -5.0, 5.0);
            f.corner[1][k] = random_between(&r, 0, 3) ? random_uniform(&r, -5.0, 5.0) : f.corner[0][k];
            f.corner[2][k] = f.corner[0][k] + share * (f.corner[1][k] - f.corner[0][k]);
            origin[k] = random_uniform(&r, -6.0, 6.0);
            direction[k] = f.corner[0][k] + at * (f.corner[1][k] - f.corner[0][k]) - origin[k];
            length += direction[k] * direction[k];
        }
        for (int k = 0; k < 3; k++)
            direction[k] /= sqrt(length);
        const struct sheared_ray ray = sheared_ray_of(origin, direction);
        const double found = sheared_ray_meets(&ray, (const double(*)[3])f.corner);
        if (isnan(found))
            continue;
        hits++;
        assert_true(fabs(found - sqrt(length)) < 1e-9);
    }
    assert_true(hits > 1000);
}

/* Corners that are the same but for rounding are made the same, so that the surface is closed. */
static void join_corners(struct scene_mesh *m)
{
    for (size_t i = 0; i < m->count; i++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++) {
                double *x = &m->triangles[i].corner[c][k];
                *x = (double)(float)(round(*x * 0x1p20) * 0x1p-20);
            }
}

static void stay_within_closed_surfaces(struct random r)
{
    for (int i = 0; i < 20; i++) {
        struct scene_mesh m = {.triangles = NULL};
        mesh_add_sphere(&m, (const double[]){0.0, 0.0, 0.0}, 1.0, 3, 0);
        join_corners(&m);
        const uint64_t salt = random_bits(&r);
        for (size_t k = 0; k < m.count; k++)
            for (int c = 0; c < 3; c++) {
                double *p = m.triangles[k].corner[c];
                struct random own = {salt};
                for (int axis = 0; axis < 3; axis++)
                    own.state = random_bits(&own) ^ (uint64_t)(int64_t)(p[axis] * 0x1p20);
                const double radius = i % 2 ? 7.0 : 4.0 + 5.0 * random_unit(&own);
                for (int axis = 0; axis < 3; axis++)
                    p[axis] = radius * p[axis] + 20.0 * (double)axis;
            }
        const struct surface surface = surface_of(&m);
        struct world w = world_of(&surface);
        for (int n = 0; n < 200; n++) {
            struct ray ray = {.origin = {0.0, 20.0, 40.0}, .reach = INFINITY, .left = RAY_NO_FACE};
            random_direction(ray.direction, &r);
            for (int bounce = 0; bounce < 50; bounce++) {
                struct ray_hit hit;
                double normal[3], origin[3];
                assert_true(ray_tree_closest(&w.tree, &ray, &hit));
                assert_true(dot(w.scene.faces[hit.face].normal, ray.direction) > 0.0); /* seen from within */
                ray_leave(origin, normal, &w.scene, &ray, &hit);
                memcpy(ray.origin, origin, sizeof origin);
                do
                    random_direction(ray.direction, &r);
                while (!(dot(ray.direction, normal) > 1e-3));
                ray.left = hit.face;
            }
        }
        world_free(&w);
        mesh_clear(&m);
    }
}

static void no_ray_leaves_a_closed_surface(void **state)
{
    (void)state;
    stay_within_closed_surfaces(random_cases(__func__));
}

static const double star[5][2] = {{0.0, 0.0}, {2.0, 0.0}, {2.0, 1.0}, {1.0, 0.5}, {0.0, 1.5}};

/* A solid of each shape, turned where it can be. */
static size_t add_solids(struct surface_solid *solids, struct random *r)
{
    const struct surface_solid box = {.shape = SOLID_BOX, .from = {1.0, 2.0, 3.0}, .to = {2.0, 2.5, 5.0}};
    struct surface_solid turned = {.shape = SOLID_TURNED_BOX, .centre = {1.0, -2.0, 0.5}, .half = {0.3, 0.7, 0.2}};
    const double yaw = random_uniform(r, 0.0, 6.0), pitch = random_uniform(r, -1.0, 1.0);
    const double axes[3][3] = {{cos(yaw) * cos(pitch), sin(yaw) * cos(pitch), -sin(pitch)},
                               {-sin(yaw), cos(yaw), 0.0},
                               {cos(yaw) * sin(pitch), sin(yaw) * sin(pitch), cos(pitch)}};
    memcpy(turned.axes, axes, sizeof axes);
    struct surface_solid wedge = turned;
    wedge.shape = SOLID_TURNED_WEDGE;
    for (int i = 0; i < 3; i++) /* it rises along its first axis */
        wedge.slope[i] =
            (wedge.half[0] * axes[2][i] - wedge.half[2] * axes[0][i]) / hypot(wedge.half[0], wedge.half[2]);
    const struct surface_solid prism = {
        .shape = SOLID_PRISM, .from = {0.0, 0.0, 0.4}, .to = {2.0, 1.5, 1.6}, .corners = star, .corner_count = 5};
    const struct surface_solid cylinder = {.shape = SOLID_CYLINDER,
                                           .from = {0.0, 1.0, 0.0},
                                           .to = {0.5, 0.5, 2.0},
                                           .radius = random_uniform(r, 0.05, 0.5)};
    const struct surface_solid sphere = {
        .shape = SOLID_SPHERE, .centre = {3.0, 3.0, 3.0}, .radius = random_uniform(r, 0.05, 1.0)};
    const struct surface_solid all[] = {box, turned, wedge, prism, cylinder, sphere};
    memcpy(solids, all, sizeof all);
    return sizeof all / sizeof *all;
}

static double solid_volume(const struct surface_solid *s)
{
    const double length =
        sqrt(pow(s->to[0] - s->from[0], 2.0) + pow(s->to[1] - s->from[1], 2.0) + pow(s->to[2] - s->from[2], 2.0));
    const double block = 8.0 * s->half[0] * s->half[1] * s->half[2];
    switch (s->shape) {
    case SOLID_BOX:
        return (s->to[0] - s->from[0]) * (s->to[1] - s->from[1]) * (s->to[2] - s->from[2]);
    case SOLID_PRISM:
        return fabs(floor_plan_area(s->corners, s->corner_count)) * (s->to[2] - s->from[2]);
    case SOLID_CYLINDER:
        return pi * s->radius * s->radius * length;
    case SOLID_SPHERE:
        return 4.0 / 3.0 * pi * pow(s->radius, 3.0);
    default:
        return s->shape == SOLID_TURNED_BOX ? block : 0.5 * block;
    }
}

static void facets_enclose_their_solid_with_normals_that_point_out_of_it(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < 10; i++) {
        struct surface_solid solids[8];
        const size_t count = add_solids(solids, &r);
        for (size_t k = 0; k < count; k++) {
            const struct surface_material material = {.name = "m"};
            const struct surface surface = {
                .materials = &material, .material_count = 1, .solids = &solids[k], .solid_count = 1};
            struct world w = world_of(&surface);
            const bool round = solids[k].shape == SOLID_SPHERE || solids[k].shape == SOLID_CYLINDER;
            double area = 0.0;
            for (size_t f = 0; f < w.scene.count; f++)
                area += w.scene.faces[f].area;
            const double tolerance = round ? 0.02 : 1e-12;
            assert_true(fabs(ray_scene_enclosed(&w.scene) / solid_volume(&solids[k]) - 1.0) <= tolerance);
            assert_true(fabs(area / solid_area(&solids[k]) - 1.0) <= tolerance);
            assert_true(w.scene.deviation <= RAY_SCENE_DEVIATION * (1.0 + 1e-9));
            assert_true((w.scene.deviation > 0.0) == round);
            for (int n = 0; n < 100; n++) { /* from outside a ray meets the front of the first face */
                struct ray ray = {.reach = INFINITY, .left = RAY_NO_FACE};
                struct ray_hit hit;
                random_direction(ray.direction, &r);
                for (int axis = 0; axis < 3; axis++)
                    ray.origin[axis] =
                        random_uniform(&r, w.scene.lower[axis], w.scene.upper[axis]) - 20.0 * ray.direction[axis];
                if (ray_tree_closest(&w.tree, &ray, &hit))
                    assert_true(dot(ray.direction, w.scene.faces[hit.face].normal) <= 1e-12);
            }
            world_free(&w);
        }
    }
}

/* The corners and the middles of a sphere's facets are as far from it as the scene says. */
static void the_deviation_of_facets_is_the_one_that_is_told(void **state)
{
    (void)state;
    const struct surface_material material = {.name = "m"};
    static const double radii[] = {0.01, 0.02, 0.1, 0.4, 1.5}; /* each takes a subdivision more */
    size_t faces = 0;
    for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
        const struct surface_solid sphere = {.shape = SOLID_SPHERE, .radius = radii[i]};
        const struct surface surface = {
            .materials = &material, .material_count = 1, .solids = &sphere, .solid_count = 1};
        struct world w = world_of(&surface);
        double inside = 0.0, outside = 0.0;
        for (size_t f = 0; f < w.scene.count; f++) {
            const struct ray_face *face = &w.scene.faces[f];
            inside = fmax(inside, sphere.radius - dot(face->corner[0], face->normal));
            outside = fmax(outside, sqrt(dot(face->corner[0], face->corner[0])) - sphere.radius);
            assert_true(face->curved);
        }
        assert_true(w.scene.count > faces);
        faces = w.scene.count;
        assert_true(fabs(inside - w.scene.deviation) <= 1e-6 * sphere.radius);
        assert_true(fabs(outside - w.scene.deviation) <= 1e-12);
        world_free(&w);
    }
}

static void of_faces_at_one_place_rays_see_the_one_that_voxels_see(void **state)
{
    (void)state;
    const double a[3] = {0.0, 0.0, 1.0}, b[3] = {3.0, 0.0, 1.0}, c[3] = {0.0, 3.0, 1.0};
    const double up[3] = {0.5, 0.25, 0.0};
    for (int order = 0; order < 2; order++) {
        struct scene_mesh m = {.triangles = NULL};
        mesh_add(&m, a, b, c, order ? 4 : 2);
        mesh_add(&m, c, a, b, order ? 2 : 4);
        struct surface surface = surface_of(&m);
        const struct surface_solid solids[2] = {
            {.shape = SOLID_BOX, .from = {0.0, 0.0, 1.0}, .to = {1.0, 1.0, 2.0}, .material = 7},
            {.shape = SOLID_BOX, .from = {0.0, 0.0, 1.0}, .to = {2.0, 0.5, 3.0}, .material = 5}};
        for (size_t count = 0; count < 3; count++) {
            surface.solids = solids;
            surface.solid_count = count;
            struct world w = world_of(&surface);
            const struct ray ray = {{up[0], up[1], up[2]}, {0.0, 0.0, 1.0}, INFINITY, RAY_NO_FACE};
            struct ray_hit hit;
            assert_true(ray_tree_closest(&w.tree, &ray, &hit));
            assert_int_equal(w.scene.faces[hit.face].material, count == 0 ? 2 : count == 1 ? 7 : 5);
            assert_true(hit.distance == 1.0);
            world_free(&w);
        }
        mesh_clear(&m);
    }
}

static void the_closest_face_is_as_far_as_a_box_says(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    struct scene_mesh m = {.triangles = NULL};
    const double size[3] = {3.0, 4.0, 2.5};
    mesh_add_box(&m, (const double[]){0.0, 0.0, 0.0}, size, 0);
    const struct surface surface = surface_of(&m);
    struct world w = world_of(&surface);
    for (int i = 0; i < 300; i++) {
        double at[3], inside = INFINITY, outside = 0.0;
        for (int k = 0; k < 3; k++) {
            at[k] = random_uniform(&r, -1.0, size[k] + 1.0);
            const double beyond = fmax(-at[k], at[k] - size[k]);
            inside = fmin(inside, -beyond);
            outside += pow(fmax(beyond, 0.0), 2.0);
        }
        const double expected = outside > 0.0 ? sqrt(outside) : inside;
        assert_true(fabs(ray_scene_distance(&w.scene, at) - expected) <= 1e-12);
    }
    world_free(&w);
    mesh_clear(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tree_finds_what_a_test_of_every_face_finds_bit_for_bit),
        cmocka_unit_test(a_face_without_width_is_met_where_it_lies),
        cmocka_unit_test(no_ray_leaves_a_closed_surface),
        cmocka_unit_test(facets_enclose_their_solid_with_normals_that_point_out_of_it),
        cmocka_unit_test(the_deviation_of_facets_is_the_one_that_is_told),
        cmocka_unit_test(of_faces_at_one_place_rays_see_the_one_that_voxels_see),
        cmocka_unit_test(the_closest_face_is_as_far_as_a_box_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
