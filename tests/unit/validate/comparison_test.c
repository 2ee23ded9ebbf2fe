/* SPDX-License-Identifier: MIT */
/* Comparisons over places: places without a value, standard errors, and the rooms in which they are made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>

#include "room/grid/model.h"
#include "support/random_cases.h"
#include "validate/hybrid/compared_rooms.h"
#include "validate/hybrid/comparison.h"

#include <cmocka.h>

#include "support/within.h"

enum { PLACES = 8 };

static void places_without_a_value_in_either_are_left_out_of_both(void **state)
{
    (void)state;
    const double truth[] = {1.0, NAN, 2.0, 50.0, 3.0}, other[] = {1.1, 70.0, 2.6, NAN, 2.9};
    const struct comparison means = comparison_of_means(truth, other, 5),
                            levels = comparison_of_levels(truth, other, 5);
    assert_int_equal(means.places, 3);
    assert_int_equal(levels.places, 3);
    assert_within(means.truth, 2.0, 1e-12);
    assert_within(levels.truth, 2.0, 1e-12);
    assert_within(means.value, 10.0, 1e-9);
    assert_within(levels.value, 0.2, 1e-9);
}

static void fewer_than_two_places_give_a_value_that_fails_every_bound(void **state)
{
    (void)state;
    const double truth[] = {1.0, NAN, 2.0}, other[] = {NAN, 1.0, 2.0};
    const struct comparison means = comparison_of_means(truth, other, 3),
                            levels = comparison_of_levels(truth, other, 3);
    assert_int_equal(means.places, 1);
    assert_false(fabs(means.value) <= 1e9);
    assert_false(fabs(levels.value) <= 1e9);
    assert_false(1.0 <= 1e9 + means.error);
    assert_false(1.0 <= 1e9 + levels.error);
}

static void a_factor_common_to_all_places_has_no_error(void **state)
{
    (void)state;
    const double truth[] = {1.0, 2.0, 3.5}, longer[] = {1.5, 3.0, 5.25}, louder[] = {2.5, 3.5, 5.0};
    const struct comparison means = comparison_of_means(truth, longer, 3),
                            levels = comparison_of_levels(truth, louder, 3);
    assert_within(means.value, 50.0, 1e-9);
    assert_within(means.error, 0.0, 1e-9);
    assert_within(levels.value, 1.5, 1e-9);
    assert_within(levels.error, 0.0, 1e-9);
}

/* Draws of eight places: how far the value strays, and how far it says that it does. */
static void the_standard_error_is_the_spread_of_many_draws(void **state)
{
    (void)state;
    struct random random = random_cases("comparisons of random places");
    const int draws = case_count(10000);
    double sum[2] = {0.0, 0.0}, squares[2] = {0.0, 0.0}, variance[2] = {0.0, 0.0};
    for (int i = 0; i < draws; i++) {
        double truth[PLACES], other[PLACES];
        for (int place = 0; place < PLACES; place++) {
            truth[place] = 1.0 + 0.1 * random_normal(&random);
            other[place] = 1.2 * truth[place] + 0.1 * random_normal(&random);
        }
        const struct comparison c[] = {comparison_of_means(truth, other, PLACES),
                                       comparison_of_levels(truth, other, PLACES)};
        for (int k = 0; k < 2; k++) {
            sum[k] += c[k].value / draws;
            squares[k] += c[k].value * c[k].value / draws;
            variance[k] += c[k].error * c[k].error / draws;
        }
    }
    assert_within(sum[0], 20.0, 1.0);
    assert_within(sum[1], 0.2, 0.01);
    for (int k = 0; k < 2 && !under_sanitizers(); k++)
        assert_within(variance[k] / (squares[k] - sum[k] * sum[k]), 1.0, 0.08);
}

static void assert_room_is_made(const struct compared_room *from)
{
    const struct compared_run run = {125.0, true};
    struct error e;
    struct room *room = NULL;
    struct model *model = NULL;
    if (compared_room_read(&room, from, &run, NULL, &e) || model_make(&model, room, &e))
        fail_msg("%s: %s", from->name, e.message);
    assert_int_equal(room->receiver_count, COMPARED_PLACES);
    assert_int_equal(room->source_count, 1);
    for (int axis = 0; axis < 3; axis++)
        assert_within(room->receivers[COMPARED_PLACES - 1].position[axis], from->receivers[COMPARED_PLACES - 1][axis],
                      1e-8);
    assert_within(room->duration, from->seconds, 1e-9);
    assert_true(room->hybrid.full);
    model_free(model);
    room_free(room);
}

static void every_listed_room_has_its_source_and_receivers_in_its_air(void **state)
{
    (void)state;
    for (int i = 0; i < COMPARED_ROOMS; i++)
        assert_room_is_made(&compared_rooms[i]);
    for (int i = 0; i < COMPARED_HALLS; i++)
        if (!compared_halls[i].model) /* which does not ship */
            assert_room_is_made(&compared_halls[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_without_a_value_in_either_are_left_out_of_both),
        cmocka_unit_test(fewer_than_two_places_give_a_value_that_fails_every_bound),
        cmocka_unit_test(a_factor_common_to_all_places_has_no_error),
        cmocka_unit_test(the_standard_error_is_the_spread_of_many_draws),
        cmocka_unit_test(every_listed_room_has_its_source_and_receivers_in_its_air),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
