/* SPDX-License-Identifier: MIT */
/* Faces of several materials on one plane: each place of a wall has one material on each side, alike for voxels and for
 * rays, and no wall is heard twice. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "geometry/overlaps.h"
#include "geometry/rays/tree.h"
#include "support/random_cases.h"
#include "support/scratch.h"
#include "support/voxelized.h"
#include "validate/scene/meshes.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

enum { MATERIALS = 5 };

static const double size[3] = {5.0, 4.0, 3.0}, none[3] = {0.0, 0.0, 0.0};
static const double spacing = 0.1;
static struct random chance;

static void part(struct scene_mesh *m)
{
    struct error e;
    must(overlaps_part(&m->triangles, &m->count, &e), &e);
    m->capacity = m->count;
}

static double area_of(const struct surface_triangle *t)
{
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        const double n = (t->corner[1][u] - t->corner[0][u]) * (t->corner[2][v] - t->corner[0][v]) -
                         (t->corner[1][v] - t->corner[0][v]) * (t->corner[2][u] - t->corner[0][u]);
        square += n * n;
    }
    return 0.5 * sqrt(square);
}

/* A rectangle on a side of the box; its front looks outwards, or into the room. */
struct drawn {
    int axis;
    double at, from[2], to[2];
    bool inwards;
    uint32_t material;
};

static void add_drawn(struct scene_mesh *m, const struct drawn *d, bool other_diagonal)
{
    const int b = (d->axis + 1) % 3, c = (d->axis + 2) % 3;
    double corner[4][3];
    for (int i = 0; i < 4; i++) {
        corner[i][d->axis] = d->at;
        corner[i][b] = i == 1 || i == 2 ? d->to[0] : d->from[0];
        corner[i][c] = i > 1 ? d->to[1] : d->from[1];
    }
    const bool upwards = (d->at > 0.0) != d->inwards;
    const int first = other_diagonal ? 1 : 0, step = upwards ? 1 : 3;
    mesh_add_quad(m, corner[first], corner[(first + step) % 4], corner[(first + 2 * step) % 4],
                  corner[(first + 3 * step) % 4], d->material);
}

static struct drawn whole_side(int side, bool inwards, uint32_t material)
{
    struct drawn d = {
        .axis = side / 2, .at = side % 2 ? size[side / 2] : 0.0, .inwards = inwards, .material = material};
    for (int k = 0; k < 2; k++)
        d.to[k] = size[(d.axis + 1 + k) % 3];
    return d;
}

/* Random rectangles on all sides, of which the first cover each of them. */
static size_t draw(struct drawn *list, size_t more)
{
    size_t count = 0;
    for (int side = 0; side < 6; side++)
        list[count++] = whole_side(side, random_bits(&chance) & 1, (uint32_t)random_between(&chance, 0, MATERIALS - 1));
    for (; more > 0; more--) {
        struct drawn d = whole_side((int)random_between(&chance, 0, 5), random_bits(&chance) & 1,
                                    (uint32_t)random_between(&chance, 0, MATERIALS - 1));
        for (int k = 0; k < 2; k++) {
            const double length = d.to[k], a = random_uniform(&chance, 0.0, length),
                         b = random_uniform(&chance, 0.0, length);
            d.from[k] = fmin(a, b);
            d.to[k] = fmin(length, fmax(a, b) + 0.3);
        }
        list[count++] = d;
    }
    return count;
}

/* What the room hears at a place of a side: the last of those whose front looks into it, else the last of all. */
static uint32_t heard(const struct drawn *list, size_t count, int axis, double at, const double place[3])
{
    const struct drawn *found = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct drawn *d = &list[i];
        bool on = d->axis == axis && d->at == at;
        for (int k = 0; k < 2; k++) {
            const double x = place[(axis + 1 + k) % 3];
            on = on && x > d->from[k] && x < d->to[k];
        }
        if (on && (!found || d->inwards >= found->inwards))
            found = d;
    }
    assert_non_null(found);
    return found->material;
}

/* Where a ray from the middle leaves the box. */
static void leave(double place[3], int *axis, double *at, const double direction[3])
{
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        const double distance = 0.5 * size[k] / fabs(direction[k]);
        *axis = distance < least ? k : *axis;
        least = fmin(least, distance);
    }
    for (int k = 0; k < 3; k++)
        place[k] = 0.5 * size[k] + least * direction[k];
    *at = direction[*axis] > 0.0 ? size[*axis] : 0.0;
}

/* m² of each material that look into the room. */
static void sum_heard(double areas[MATERIALS], const struct ray_scene *s)
{
    for (int i = 0; i < MATERIALS; i++)
        areas[i] = 0.0;
    for (size_t i = 0; i < s->count; i++) {
        double outwards[3];
        for (int k = 0; k < 3; k++)
            outwards[k] = s->faces[i].corner[0][k] - 0.5 * size[k];
        areas[ray_face_material(&s->faces[i], outwards)] += s->faces[i].area;
    }
}

static void compare_rays(const struct ray_scene *s, const struct drawn *list, size_t count)
{
    struct ray_tree tree = {.nodes = NULL};
    struct error e;
    int wrong = 0;
    must(ray_tree_make(&tree, s, &e), &e);
    for (int i = 0; i < 2000; i++) {
        struct ray ray = {.origin = {2.5, 2.0, 1.5}, .reach = INFINITY, .left = RAY_NO_FACE};
        struct ray_hit hit;
        double place[3], at, square = 0.0;
        int axis = 0;
        for (int k = 0; k < 3; k++) {
            ray.direction[k] = random_normal(&chance);
            square += ray.direction[k] * ray.direction[k];
        }
        for (int k = 0; k < 3; k++)
            ray.direction[k] /= sqrt(square);
        assert_true(ray_tree_closest(&tree, &ray, &hit));
        leave(place, &axis, &at, ray.direction);
        wrong += ray_face_material(&s->faces[hit.face], ray.direction) != heard(list, count, axis, at, place);
    }
    assert_int_equal(wrong, 0);
    ray_tree_free(&tree);
}

static void random_faces_on_one_another_are_heard_once_by_voxels_and_rays(void **state)
{
    enum { MORE = 24, DRAWN = 6 + MORE };
    (void)state;
    for (int round = 0; round < case_count(20); round++) {
        struct scene_mesh m = {.count = 0};
        struct drawn list[DRAWN];
        struct ray_scene scene = {.faces = NULL};
        struct error e;
        double areas[MATERIALS], all = 0.0, absorbing = 0.0;
        const size_t count = draw(list, random_between(&chance, 1, MORE));
        for (size_t i = 0; i < count; i++)
            add_drawn(&m, &list[i], random_bits(&chance) & 1);
        part(&m);
        const struct surface surface = surface_of(&m);
        must(ray_scene_make(&scene, &surface, RAY_SCENE_DEVIATION, &e), &e);
        sum_heard(areas, &scene);
        compare_rays(&scene, list, count);
        struct voxelized v = voxelized_mesh(&m, spacing, (const double[]){2.53, 2.03, 1.53});
        for (int i = 0; i < MATERIALS; i++) {
            all += areas[i];
            absorbing += v.report.materials[i].corrected;
            assert_within(v.report.materials[i].corrected, areas[i], 0.05 * areas[i] + 0.5);
            assert_within(v.report.materials[i].wet, areas[i], 0.05 * areas[i] + 0.5);
        }
        assert_within(all, 94.0, 1e-3); /* slits narrower than OVERLAP_FLAT count twice */
        assert_within(absorbing, 94.0, 1.0);
        assert_within(v.report.volume, 60.0, 1e-9);
        voxelized_drop(&v);
        ray_scene_free(&scene);
        mesh_clear(&m);
    }
}

/* SketchUp's "two-sided faces": each wall stands twice, with a material for each side, cut along any diagonals. */
static void of_two_sided_faces_the_side_that_looks_into_the_air_is_heard(void **state)
{
    (void)state;
    for (int order = 0; order < 16; order++) {
        struct scene_mesh m = {.count = 0};
        const uint32_t inside = order & 1 ? 3 : 1, outside = order & 1 ? 1 : 3;
        for (int pass = 0; pass < 2; pass++)
            for (int side = 0; side < 6; side++) {
                const bool inwards = pass != (order >> 1 & 1);
                const struct drawn d = whole_side(side, inwards, inwards ? inside : outside);
                add_drawn(&m, &d, (order >> (2 + pass) & 1) != 0);
            }
        part(&m);
        struct voxelized v = voxelized_mesh(&m, spacing, (const double[]){2.53, 2.03, 1.53});
        assert_within(v.report.materials[inside].corrected, 94.0, 1e-9);
        assert_within(v.report.materials[inside].wet, 94.0, 1e-9);
        assert_within(v.report.materials[outside].corrected, 0.0, 1e-9);
        assert_true(v.report.materials[inside].rescaled);
        assert_int_equal(v.report.covered_count, 1);
        assert_int_equal(v.report.covered[0].top, inside);
        assert_int_equal(v.report.covered[0].below, outside);
        assert_true(v.report.covered[0].by_front);
        assert_within(v.report.covered[0].area, 94.0, 1e-6);
        voxelized_drop(&v);
        mesh_clear(&m);
    }
}

/* Off the axes as well: on a turned wall. */
static void a_face_drawn_on_a_wall_takes_its_area_from_it(void **state)
{
    (void)state;
    for (int round = 0; round < case_count(10); round++) {
        struct scene_mesh m = {.count = 0};
        const double low = random_uniform(&chance, 0.3, 1.0), high = random_uniform(&chance, 2.0, 3.5);
        const double yaw = random_uniform(&chance, 0.0, 90.0), pitch = random_uniform(&chance, 0.0, 40.0);
        const double drawn[4][3] = {{5.0, low, 0.5}, {5.0, high, 0.5}, {5.0, high, 2.5}, {5.0, low, 2.5}};
        double source[3];
        mesh_add_box(&m, none, size, 6);
        mesh_add_quad(&m, drawn[0], drawn[1], drawn[2], drawn[3], 2);
        mesh_turn(&m, yaw, pitch, 7.0);
        mesh_turn_point(source, (const double[]){2.5, 2.0, 1.5}, yaw, pitch, 7.0);
        const double exact = 2.0 * (high - low);
        part(&m);
        double own = 0.0, wall = 0.0;
        for (size_t i = 0; i < m.count; i++) {
            own += m.triangles[i].material == 2 ? area_of(&m.triangles[i]) : 0.0;
            wall += m.triangles[i].material == 7 ? area_of(&m.triangles[i]) : 0.0;
        }
        assert_within(own, exact, 1e-6);
        assert_within(wall, 12.0 - exact, 1e-6);
        struct voxelized v = voxelized_mesh(&m, 0.05, source);
        assert_within(v.report.materials[2].corrected, exact, 0.02 * 12.0);
        assert_within(v.report.materials[7].corrected, 12.0 - exact, 0.02 * 12.0);
        assert_int_equal(v.report.covered_count, 1);
        assert_int_equal(v.report.covered[0].top, 2);
        assert_int_equal(v.report.covered[0].below, 7);
        assert_false(v.report.covered[0].by_front);
        assert_within(v.report.covered[0].area, exact, 0.05 * exact);
        voxelized_drop(&v);
        mesh_clear(&m);
    }
}

/* As of a perforated panel that is drawn hole by hole: work and pieces stay in proportion to the faces. */
static void many_small_faces_cut_a_wall_into_few_pieces(void **state)
{
    enum { ALONG = 60 };
    (void)state;
    struct scene_mesh m = {.count = 0};
    const struct drawn wall = whole_side(5, false, 0);
    double area[2] = {0.0, 0.0};
    add_drawn(&m, &wall, false);
    for (int i = 0; i < ALONG; i++)
        for (int k = 0; k < ALONG; k++) {
            struct drawn hole = {.axis = 2, .at = 3.0, .material = 1, .inwards = random_bits(&chance) & 1};
            hole.from[0] = 5.0 * i / ALONG;
            hole.to[0] = hole.from[0] + 2.5 / ALONG;
            hole.from[1] = 4.0 * k / ALONG;
            hole.to[1] = hole.from[1] + 2.0 / ALONG;
            add_drawn(&m, &hole, random_bits(&chance) & 1);
        }
    part(&m);
    for (size_t i = 0; i < m.count; i++)
        area[m.triangles[i].material] += area_of(&m.triangles[i]);
    assert_within(area[1], 5.0, 1e-6);
    assert_within(area[0], 15.0, 1e-6);
    assert_true(m.count < 12 * 2 * ALONG * ALONG);
    mesh_clear(&m);
}

/* A screen in the room with a material for each side has both. */
static void a_sheet_has_the_material_of_each_side(void **state)
{
    (void)state;
    for (int order = 0; order < 2; order++) {
        struct scene_mesh m = {.count = 0};
        const double at = 2.52, sheet[4][3] = {{at, 1, 1}, {at, 3, 1}, {at, 3, 2}, {at, 1, 2}};
        mesh_add_box(&m, none, size, 10);
        for (int pass = 0; pass < 2; pass++)
            if (pass == order)
                mesh_add_quad(&m, sheet[0], sheet[1], sheet[2], sheet[3], 3); /* front to larger x */
            else
                mesh_add_quad(&m, sheet[3], sheet[2], sheet[1], sheet[0], 4);
        part(&m);
        struct voxelized v = voxelized_mesh(&m, spacing, (const double[]){1, 1, 1});
        assert_within(v.report.materials[3].wet, 2.0, 1e-9);
        assert_within(v.report.materials[4].wet, 2.0, 1e-9);
        assert_true(v.report.sheet_voxels > 0);
        for (size_t z = 12; z < 18; z++) /* beyond the sheet: the material on its front */
            for (size_t y = 12; y < 28; y++) {
                const struct face_run *above = NULL, *below = NULL;
                for (size_t x = 20; x < 30; x++) {
                    above = above ? above : voxel_set_face(v.set, x, y, z, FACE_X_MIN);
                    below = below ? below : voxel_set_face(v.set, x, y, z, FACE_X_MAX);
                }
                assert_non_null(above);
                assert_non_null(below);
                assert_int_equal(above->code, CELL_SOLID + 3);
                assert_int_equal(below->code, CELL_SOLID + 4);
            }
        voxelized_drop(&v);
        mesh_clear(&m);
    }
}

static void faces_that_lie_on_no_other_stay_bit_for_bit(void **state)
{
    (void)state;
    for (int round = 0; round < case_count(10); round++) {
        struct scene_mesh m = {.count = 0};
        mesh_add_box(&m, none, size, 0);
        mesh_add_sphere(&m, (const double[]){2, 2, 1.5}, 1.0, 3, 6);
        mesh_add_box(&m, (const double[]){1.0, 1.0, 0.5}, (const double[]){2.0, 1.5, 0.9}, 7);
        mesh_turn(&m, random_uniform(&chance, 0.0, 90.0), random_uniform(&chance, 0.0, 90.0), 3.0);
        mesh_shuffle(&m, &chance); /* some stand twice */
        struct surface_triangle *before = malloc(m.count * sizeof *before);
        const size_t count = m.count;
        assert_non_null(before);
        memcpy(before, m.triangles, count * sizeof *before);
        part(&m);
        assert_int_equal(m.count, count);
        assert_memory_equal(m.triangles, before, count * sizeof *before);
        free(before);
        mesh_clear(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_faces_on_one_another_are_heard_once_by_voxels_and_rays),
        cmocka_unit_test(of_two_sided_faces_the_side_that_looks_into_the_air_is_heard),
        cmocka_unit_test(a_face_drawn_on_a_wall_takes_its_area_from_it),
        cmocka_unit_test(many_small_faces_cut_a_wall_into_few_pieces),
        cmocka_unit_test(a_sheet_has_the_material_of_each_side),
        cmocka_unit_test(faces_that_lie_on_no_other_stay_bit_for_bit),
    };
    chance = random_cases("overlaps");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
