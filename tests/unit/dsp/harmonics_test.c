/* SPDX-License-Identifier: MIT */
/* Spherical harmonics and turns of a field against closed forms and identities. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "dsp/space/harmonics.h"
#include "support/random_cases.h"

#include <cmocka.h>

#include "support/within.h"

static void random_direction(struct random *r, double d[3])
{
    const double z = random_uniform(r, -1.0, 1.0), angle = random_uniform(r, 0.0, 2.0 * M_PI), across = sqrt(1 - z * z);
    d[0] = across * cos(angle);
    d[1] = across * sin(angle);
    d[2] = z;
}

static void orders_to_two_are_those_of_ambix(void **state)
{
    (void)state;
    struct random r = random_cases("harmonics/closed");
    for (int i = 0; i < 20; i++) {
        double d[3], y[HARMONICS_MAX];
        random_direction(&r, d);
        harmonics_at(y, 2, d);
        const double half = sqrt(3.0) / 2.0;
        const double expected[9] = {1.0,
                                    d[1],
                                    d[2],
                                    d[0],
                                    2.0 * half * d[0] * d[1],
                                    2.0 * half * d[1] * d[2],
                                    0.5 * (3.0 * d[2] * d[2] - 1.0),
                                    2.0 * half * d[0] * d[2],
                                    half * (d[0] * d[0] - d[1] * d[1])};
        for (int k = 0; k < 9; k++)
            assert_within(y[k], expected[k], 1e-15);
    }
}

static void squares_of_an_order_add_to_one_in_every_direction(void **state)
{
    (void)state;
    struct random r = random_cases("harmonics/squares");
    for (int i = 0; i < 50; i++) {
        double d[3], y[HARMONICS_MAX];
        random_direction(&r, d);
        if (i < 2)
            memcpy(d, (double[]){0.0, 0.0, i ? 1.0 : -1.0}, sizeof d);
        harmonics_at(y, HARMONICS_ORDER_MAX, d);
        for (int n = 0; n <= HARMONICS_ORDER_MAX; n++) {
            double sum = 0.0;
            for (int k = n * n; k < (n + 1) * (n + 1); k++)
                sum += y[k] * y[k];
            assert_within(sum, 1.0, 1e-13);
        }
    }
}

static void harmonics_are_orthogonal(void **state)
{
    (void)state;
    struct sphere_rule rule;
    static double gram[HARMONICS_MAX][HARMONICS_MAX];
    memset(gram, 0, sizeof gram);
    sphere_rule_make(&rule);
    for (int i = 0; i < SPHERE_DIRECTIONS; i++) {
        double y[HARMONICS_MAX];
        harmonics_at(y, HARMONICS_ORDER_MAX, rule.direction[i]);
        for (int a = 0; a < HARMONICS_MAX; a++)
            for (int b = 0; b < HARMONICS_MAX; b++)
                gram[a][b] += rule.weight[i] * y[a] * y[b];
    }
    for (int a = 0; a < HARMONICS_MAX; a++)
        for (int b = 0; b < HARMONICS_MAX; b++)
            assert_within(gram[a][b], a == b ? 1.0 / (2 * harmonics_order_of((size_t)a) + 1) : 0.0, 1e-14);
}

static void a_turned_field_is_that_of_the_turned_direction(void **state)
{
    (void)state;
    struct random r = random_cases("harmonics/turn");
    for (int i = 0; i < 10; i++) {
        double d[3], turned[3], y[HARMONICS_MAX], after[HARMONICS_MAX], expected[HARMONICS_MAX];
        struct turn turn;
        struct field_turn field_turn;
        random_direction(&r, d);
        turn = turn_of(random_uniform(&r, -180, 180), random_uniform(&r, -90, 90), random_uniform(&r, -180, 180));
        turn_apply(turned, &turn, d);
        const struct turn back = turn_back(&turn);
        double returned[3];
        turn_apply(returned, &back, turned);
        for (int a = 0; a < 3; a++)
            assert_within(returned[a], d[a], 1e-15);
        field_turn_make(&field_turn, HARMONICS_ORDER_MAX, &turn);
        harmonics_at(y, HARMONICS_ORDER_MAX, d);
        harmonics_at(expected, HARMONICS_ORDER_MAX, turned);
        field_turn_apply(after, &field_turn, y);
        for (int k = 0; k < HARMONICS_MAX; k++)
            assert_within(after[k], expected[k], 1e-13);
    }
}

/* a'_m = a_m cos mψ - a_-m sin mψ, a'_-m = a_m sin mψ + a_-m cos mψ; a source in front comes to the left. */
static void yaw_mixes_the_pairs_of_a_degree(void **state)
{
    (void)state;
    struct random r = random_cases("harmonics/yaw");
    const double yaw = random_uniform(&r, -180, 180), angle = yaw * M_PI / 180.0;
    double in[HARMONICS_MAX], out[HARMONICS_MAX];
    struct turn turn;
    struct field_turn field_turn;
    turn = turn_of(yaw, 0.0, 0.0);
    field_turn_make(&field_turn, HARMONICS_ORDER_MAX, &turn);
    for (int k = 0; k < HARMONICS_MAX; k++)
        in[k] = random_normal(&r);
    field_turn_apply(out, &field_turn, in);
    for (int n = 0; n <= HARMONICS_ORDER_MAX; n++)
        for (int m = 1; m <= n; m++) {
            const int plus = n * n + n + m, minus = n * n + n - m;
            assert_within(out[plus], in[plus] * cos(m * angle) - in[minus] * sin(m * angle), 1e-13);
            assert_within(out[minus], in[plus] * sin(m * angle) + in[minus] * cos(m * angle), 1e-13);
        }
    turn = turn_of(90.0, 0.0, 0.0);
    assert_true(turn.row[1][0] == 1.0 && turn.row[0][0] == 0.0); /* front to left */
    turn = turn_of(0.0, 90.0, 0.0);
    assert_true(turn.row[2][0] == -1.0); /* front to below */
    turn = turn_of(0.0, 0.0, 90.0);
    assert_true(turn.row[2][1] == 1.0); /* left to above */
}

static void four_turns_of_ninety_degrees_are_none(void **state)
{
    (void)state;
    struct random r = random_cases("harmonics/four");
    double field[2][HARMONICS_MAX], first[HARMONICS_MAX];
    struct turn turn;
    struct field_turn field_turn;
    turn = turn_of(90.0, 0.0, 0.0);
    field_turn_make(&field_turn, HARMONICS_ORDER_MAX, &turn);
    for (int k = 0; k < HARMONICS_MAX; k++)
        first[k] = field[0][k] = random_normal(&r);
    for (int i = 0; i < 4; i++)
        field_turn_apply(field[(i + 1) % 2], &field_turn, field[i % 2]);
    for (int k = 0; k < HARMONICS_MAX; k++)
        assert_within(field[0][k], first[k], 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_to_two_are_those_of_ambix),
        cmocka_unit_test(squares_of_an_order_add_to_one_in_every_direction),
        cmocka_unit_test(harmonics_are_orthogonal),
        cmocka_unit_test(a_turned_field_is_that_of_the_turned_direction),
        cmocka_unit_test(yaw_mixes_the_pairs_of_a_degree),
        cmocka_unit_test(four_turns_of_ninety_degrees_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
