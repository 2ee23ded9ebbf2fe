/* SPDX-License-Identifier: MIT */
/* Statistics over the rooms of a data set, against numbers of SciPy and against dependences that
 * are known.
 *
 * The constants of the first tests come from SciPy 1.17.1 and NumPy 2.4.6 (x, y, group and side as
 * below):
 *   stats.rankdata(y)
 *   r = stats.spearmanr(x, y)                         r.statistic, r.pvalue
 *   f = stats.f_oneway(*[y[group == i] for i in range(3)])
 *   eta squared = 2 F/(2 F + 13), its chance f.pvalue  (3 groups, 16 values)
 *   stats.contingency.association(table of group and side, method="cramer")**2
 *   z = [((37 i) % 41)**1.5/10 for i in range(41)]
 *   np.percentile(z, [2.5, 97.5]), np.std(z, ddof=1), np.mean(z)
 *   stats.f.sf(share/(k - 1)/((1 - share)/(n - k)), k - 1, n - k)     of n rooms and k groups */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "render/batch/spread.h"
#include "support/random_cases.h"

/* clang-format off */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
/* clang-format on */
#include "support/within.h"

enum { COUNT = 16 };
static const double x[COUNT] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
static const double y[COUNT] = {2.7, 1.8, 2.8, 1.8, 2.8, 4.5, 9.0, 4.5, 2.3, 5.3, 6.0, 2.8, 7.4, 7.1, 3.5, 2.6};
static const size_t group[COUNT] = {0, 1, 0, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 1, 2, 0};
static const size_t side[COUNT] = {1, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 1};

static void ranks_of_ties_are_their_mean(void **state)
{
    (void)state;
    static const double expected[COUNT] = {5.0, 1.5,  7.0,  1.5, 7.0,  10.5, 16.0, 10.5,
                                           3.0, 12.0, 13.0, 7.0, 15.0, 14.0, 9.0,  4.0};
    double ranks[COUNT];
    assert_int_equal(spread_ranks(ranks, y, COUNT), 0);
    for (size_t i = 0; i < COUNT; i++)
        assert_within(ranks[i], expected[i], 0.0);
}

static void a_rank_correlation_with_ties_is_that_of_scipy(void **state)
{
    (void)state;
    double one[COUNT], other[COUNT];
    assert_int_equal(spread_ranks(one, x, COUNT) || spread_ranks(other, y, COUNT), 0);
    const double r = spread_correlation(one, other, COUNT);
    assert_within(r, 0.445941944363569, 1e-14);
    assert_within(spread_chance(r * r, COUNT, 2), 0.0833996582276359, 1e-13);
}

static void eta_squared_and_its_chance_are_those_of_scipy(void **state)
{
    (void)state;
    double sums[3];
    size_t sizes[3], present;
    const double share = spread_eta_squared(y, group, COUNT, 3, sums, sizes, &present);
    assert_int_equal(present, 3);
    assert_within(share, 0.0573229259001082, 1e-14);
    assert_within(spread_chance(share, COUNT, 3), 0.681332559694991, 1e-13);
}

static void an_association_of_choices_is_that_of_scipy(void **state)
{
    (void)state;
    double squared;
    assert_int_equal(spread_cramer_squared(&squared, group, 3, side, 2, COUNT), 0);
    assert_within(squared, 0.0518518518518519, 1e-14);
    assert_int_equal(spread_cramer_squared(&squared, group, 3, group, 3, COUNT), 0);
    assert_within(squared, 1.0, 1e-14);
}

static void percentiles_are_those_of_numpy_and_need_forty_rooms(void **state)
{
    (void)state;
    double z[41];
    for (size_t i = 0; i < 41; i++)
        z[i] = 0.1 * pow((double)((37 * i) % 41), 1.5);
    struct spread s = spread_of(z, 41);
    assert_within(s.low, 0.1, 1e-14);
    assert_within(s.high, 24.3554921937538, 1e-12);
    assert_within(s.deviation, 7.86238814277243, 1e-12);
    assert_within(s.mean, 10.1828575553514, 1e-12);
    assert_within(s.minimum, 0.0, 0.0);
    s = spread_of(z, 39);
    assert_true(isnan(s.low) && isnan(s.high) && isfinite(s.deviation));
    s = spread_of(z, 1);
    assert_true(isnan(s.deviation) && isfinite(s.mean));
    s = spread_of(z, 0);
    assert_true(isnan(s.mean) && isnan(s.minimum));
}

static void chances_are_those_of_scipy(void **state)
{
    (void)state;
    static const struct {
        double share;
        size_t count, groups;
        double chance;
    } cases[] = {{0.05, 12, 2, 0.484791213098397},
                 {0.6, 30, 4, 2.22589801480309e-05},
                 {0.9, 200, 2, 5.96618777494519e-101},
                 {0.001, 100000, 3, 1.88392264650464e-22},
                 {0.3, 11, 9, 0.9919}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double chance = spread_chance(cases[i].share, cases[i].count, cases[i].groups);
        assert_within(chance / cases[i].chance, 1.0, 1e-9);
    }
    assert_within(spread_chance(0.0, 20, 2), 1.0, 0.0);
    assert_within(spread_chance(1.0, 20, 2), 0.0, 0.0);
    assert_true(isnan(spread_chance(NAN, 20, 2)) && isnan(spread_chance(0.5, 3, 3)));
}

static void constant_values_have_no_share(void **state)
{
    (void)state;
    double same[COUNT], sums[3];
    size_t sizes[3], present;
    for (size_t i = 0; i < COUNT; i++)
        same[i] = 0.1;
    assert_true(isnan(spread_correlation(same, y, COUNT)) && isnan(spread_correlation(y, same, COUNT)));
    assert_true(isnan(spread_eta_squared(same, group, COUNT, 3, sums, sizes, &present)));
}

/* y = a u + b v of independent normal u and v: the squared correlation with u is R = a^2/(a^2 +
 * b^2), and that of the ranks ((6/pi) asin(sqrt(R)/2))^2 (Kruskal, J. Am. Stat. Assoc. 53 (1958)
 * 814). For a choice of two equally likely values +1 and -1 in place of u, eta squared is R. */
static void a_known_dependence_gives_its_share(void **state)
{
    (void)state;
    enum { ROOMS = 20000, CASES = 6 };
    struct random r = random_cases("known shares");
    double *u = calloc(ROOMS, sizeof *u), *sum = calloc(ROOMS, sizeof *sum), *one = calloc(ROOMS, sizeof *one),
           *other = calloc(ROOMS, sizeof *other), sums[2];
    size_t *choice = calloc(ROOMS, sizeof *choice), sizes[2], present;
    assert_true(u && sum && one && other && choice);
    for (size_t k = 0; k < CASES; k++) {
        const double share = random_uniform(&r, 0.1, 0.95), a = sqrt(share), b = sqrt(1.0 - share);
        for (size_t i = 0; i < ROOMS; i++) {
            u[i] = random_normal(&r);
            sum[i] = 0.6 + a * u[i] + b * random_normal(&r);
        }
        assert_int_equal(spread_ranks(one, u, ROOMS) || spread_ranks(other, sum, ROOMS), 0);
        const double found = spread_correlation(one, other, ROOMS), expected = 6.0 / M_PI * asin(0.5 * a);
        assert_within(found, expected, 0.025); /* five standard errors at most */
        assert_true(spread_chance(found * found, ROOMS, 2) < 1e-9);
        for (size_t i = 0; i < ROOMS; i++) {
            choice[i] = random_between(&r, 0, 1);
            sum[i] = (choice[i] ? a : -a) + b * random_normal(&r);
        }
        assert_within(spread_eta_squared(sum, choice, ROOMS, 2, sums, sizes, &present), share, 0.025);
        for (size_t i = 0; i < ROOMS; i++)
            sum[i] = 3.0 - 0.5 * u[i];
        assert_int_equal(spread_ranks(other, sum, ROOMS), 0);
        assert_within(spread_correlation(one, other, ROOMS), -1.0, 1e-12); /* y depends on u alone */
    }
    free(u);
    free(sum);
    free(one);
    free(other);
    free(choice);
}

/* Independent values reach a chance below p with probability p. */
static void a_chance_is_what_it_says(void **state)
{
    (void)state;
    enum { TRIALS = 4000, ROOMS = 24 };
    struct random r = random_cases("chances");
    size_t ranks_below = 0, choices_below = 0;
    for (size_t k = 0; k < TRIALS; k++) {
        double u[ROOMS], v[ROOMS], one[ROOMS], other[ROOMS], sums[4];
        size_t choice[ROOMS], sizes[4], present;
        for (size_t i = 0; i < ROOMS; i++) {
            u[i] = random_unit(&r);
            v[i] = random_normal(&r);
            choice[i] = random_between(&r, 0, 3);
        }
        assert_int_equal(spread_ranks(one, u, ROOMS) || spread_ranks(other, v, ROOMS), 0);
        const double correlation = spread_correlation(one, other, ROOMS);
        const double share = spread_eta_squared(v, choice, ROOMS, 4, sums, sizes, &present);
        ranks_below += spread_chance(correlation * correlation, ROOMS, 2) < 0.05;
        choices_below += spread_chance(share, ROOMS, present) < 0.05;
    }
    printf("chance below 0.05: %zu and %zu of %d\n", ranks_below, choices_below, TRIALS);
    assert_within((double)ranks_below / TRIALS, 0.05, 0.02);
    assert_within((double)choices_below / TRIALS, 0.05, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_of_ties_are_their_mean),
        cmocka_unit_test(a_rank_correlation_with_ties_is_that_of_scipy),
        cmocka_unit_test(eta_squared_and_its_chance_are_those_of_scipy),
        cmocka_unit_test(an_association_of_choices_is_that_of_scipy),
        cmocka_unit_test(percentiles_are_those_of_numpy_and_need_forty_rooms),
        cmocka_unit_test(chances_are_those_of_scipy),
        cmocka_unit_test(constant_values_have_no_share),
        cmocka_unit_test(a_known_dependence_gives_its_share),
        cmocka_unit_test(a_chance_is_what_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
