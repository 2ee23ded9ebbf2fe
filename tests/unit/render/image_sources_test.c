/* SPDX-License-Identifier: MIT */
/* Ways of image sources in a box, against sound traced through it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "render/hybrid/image_paths.h"
#include "support/random_cases.h"

#include <cmocka.h>

#include "support/within.h"

static void random_place(double place[3], const double size[3], struct random *r)
{
    for (int axis = 0; axis < 3; axis++)
        place[axis] = size[axis] * random_uniform(r, 0.05, 0.95);
}

static void a_box_has_all_images_of_an_order_once(void **state)
{
    (void)state;
    struct random random = random_cases("images of a box");
    const struct image_box box = {{4.0, 3.0, 2.5}, {0, 1, 2, 3, 4, 5}};
    for (size_t order = 0; order <= 9; order++) {
        struct image_paths paths = {0};
        double source[3], receiver[3];
        random_place(source, box.size, &random);
        random_place(receiver, box.size, &random);
        assert_int_equal(box_images_find(&paths, &box, source, receiver, order, INFINITY, NULL), 0);
        assert_int_equal(paths.count, (2 * order + 1) * (2 * order * order + 2 * order + 3) / 3);
        for (size_t i = 1; i < paths.count; i++)
            assert_true(paths.list[i - 1].distance < paths.list[i].distance);
        image_paths_free(&paths);
    }
}

/* Follows a way from the source; hits [6]: reflections at each wall. */
static void follow(double place[3], double direction[3], unsigned hits[6], const double size[3], double distance)
{
    while (distance > 0.0) {
        double nearest = distance;
        int at = -1;
        for (int axis = 0; axis < 3; axis++) {
            const double wall = direction[axis] > 0.0 ? size[axis] : 0.0;
            const double way = direction[axis] != 0.0 ? (wall - place[axis]) / direction[axis] : INFINITY;
            if (way < nearest) {
                nearest = way;
                at = axis;
            }
        }
        for (int axis = 0; axis < 3; axis++)
            place[axis] += nearest * direction[axis];
        distance -= nearest;
        if (at < 0)
            return;
        hits[2 * at + (direction[at] > 0.0)]++;
        direction[at] = -direction[at];
    }
}

static void each_way_leads_from_the_source_to_the_receiver(void **state)
{
    (void)state;
    struct random random = random_cases("ways in a box");
    for (int i = 0; i < case_count(20); i++) {
        struct image_box box = {.materials = {0, 1, 2, 3, 4, 5}};
        struct image_paths paths = {0};
        double source[3], receiver[3];
        for (int axis = 0; axis < 3; axis++)
            box.size[axis] = random_uniform(&random, 1.0, 9.0);
        random_place(source, box.size, &random);
        random_place(receiver, box.size, &random);
        assert_int_equal(box_images_find(&paths, &box, source, receiver, 7, INFINITY, NULL), 0);
        for (size_t p = 0; p < paths.count; p++) {
            const struct image_path *path = &paths.list[p];
            double place[3], direction[3];
            unsigned hits[6] = {0}, told[6] = {0}, order = 0;
            memcpy(place, source, sizeof place);
            memcpy(direction, path->departure, sizeof direction);
            follow(place, direction, hits, box.size, path->distance);
            for (uint32_t w = 0; w < path->wall_count; w++) {
                told[path->walls[w].material] += path->walls[w].count;
                order += path->walls[w].count;
                double along = 0.0;
                for (int axis = 0; axis < 3; axis++)
                    along += path->walls[w].normal[axis] * path->arrival[axis];
                assert_within(along, path->walls[w].cosine, 1e-14);
                assert_within(path->walls[w].cosine, fabs(path->departure[path->walls[w].material / 2]), 1e-14);
            }
            assert_int_equal(order, path->order);
            for (int axis = 0; axis < 3; axis++) {
                assert_within(place[axis], receiver[axis], 1e-9);
                assert_within(direction[axis], -path->arrival[axis], 1e-12);
                assert_int_equal(hits[2 * axis], told[2 * axis]);
                assert_int_equal(hits[2 * axis + 1], told[2 * axis + 1]);
            }
        }
        image_paths_free(&paths);
    }
}

static void longer_ways_are_left_out(void **state)
{
    (void)state;
    const struct image_box box = {{4.0, 3.0, 2.5}, {0}};
    const double source[3] = {1.0, 1.0, 1.0}, receiver[3] = {3.0, 2.0, 1.5};
    struct image_paths all = {0}, near = {0};
    size_t within = 0;
    assert_int_equal(box_images_find(&all, &box, source, receiver, 6, INFINITY, NULL), 0);
    assert_int_equal(box_images_find(&near, &box, source, receiver, 6, 9.0, NULL), 0);
    while (within < all.count && all.list[within].distance <= 9.0)
        within++;
    assert_true(within > 10 && within < all.count);
    assert_int_equal(near.count, within);
    image_paths_free(&all);
    image_paths_free(&near);
}

static void a_source_at_the_receiver_has_directions(void **state)
{
    (void)state;
    const struct image_box box = {{4.0, 3.0, 2.5}, {0}};
    const double place[3] = {1.0, 1.0, 1.0};
    struct image_paths paths = {0};
    assert_int_equal(box_images_find(&paths, &box, place, place, 1, INFINITY, NULL), 0);
    assert_int_equal(paths.count, 7);
    assert_within(paths.list[0].distance, 0.0, 0.0);
    for (size_t i = 0; i < paths.count; i++) {
        double square = 0.0;
        for (int axis = 0; axis < 3; axis++)
            square += paths.list[i].arrival[axis] * paths.list[i].departure[axis];
        assert_within(fabs(square), 1.0, 1e-12);
    }
    image_paths_free(&paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_has_all_images_of_an_order_once),
        cmocka_unit_test(each_way_leads_from_the_source_to_the_receiver),
        cmocka_unit_test(longer_ways_are_left_out),
        cmocka_unit_test(a_source_at_the_receiver_has_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
