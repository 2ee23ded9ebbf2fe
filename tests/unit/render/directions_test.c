/* SPDX-License-Identifier: MIT */
/* Sets of directions: the nearest of many, their areas on the sphere, what they cover of it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "dsp/space/coverage.h"
#include "dsp/space/direction_tree.h"
#include "dsp/space/harmonics.h"
#include "support/random_cases.h"
#include "support/scratch.h"

#include <cmocka.h>

#include "support/within.h"

enum { MOST = 3000 };

static void draw(double direction[3], struct random *r)
{
    double length = 0.0;
    for (int k = 0; k < 3; k++) {
        direction[k] = random_normal(r);
        length += direction[k] * direction[k];
    }
    for (int k = 0; k < 3; k++)
        direction[k] /= sqrt(length);
}

static void towards(double direction[3], double azimuth, double elevation)
{
    const double degree = M_PI / 180.0;
    direction[0] = cos(elevation * degree) * cos(azimuth * degree);
    direction[1] = cos(elevation * degree) * sin(azimuth * degree);
    direction[2] = sin(elevation * degree);
}

/* All of the sphere, a cap, a plane or a grid, some of the directions twice. */
static size_t draw_set(double (*set)[3], struct random *r, int kind)
{
    const size_t count = random_between(r, 1, MOST);
    for (size_t i = 0; i < count; i++) {
        draw(set[i], r);
        if (kind == 1)
            towards(set[i], random_uniform(r, 0.0, 360.0), random_uniform(r, 60.0, 90.0));
        if (kind == 2)
            towards(set[i], random_uniform(r, 0.0, 360.0), 0.0);
        if (kind == 3)
            towards(set[i], 10.0 * (double)random_between(r, 0, 35), 10.0 * (double)random_between(r, 0, 18) - 90.0);
        if (i && random_uniform(r, 0.0, 1.0) < 0.1)
            memcpy(set[i], set[random_between(r, 0, i - 1)], sizeof set[i]);
    }
    return count;
}

static size_t nearest_of_all(const double point[3], double (*set)[3], size_t count)
{
    size_t best = 0;
    double most = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        const double cosine = point[0] * set[i][0] + point[1] * set[i][1] + point[2] * set[i][2];
        if (cosine > most) {
            most = cosine;
            best = i;
        }
    }
    return best;
}

static void the_nearest_is_that_of_a_search_through_all(void **state)
{
    (void)state;
    static double set[MOST][3];
    struct random r = random_cases("sets of directions");
    for (int i = 0; i < case_count(40); i++) {
        struct direction_tree tree;
        struct error e;
        const size_t count = draw_set(set, &r, i % 4);
        must(direction_tree_make(&tree, (const double(*)[3])set, count, &e), &e);
        for (int k = 0; k < 300; k++) {
            double point[3];
            draw(point, &r);
            if (k % 3 == 0) /* of the set itself, and of the corners of its grid */
                towards(point, 5.0 * (double)random_between(&r, 0, 71), 5.0 * (double)random_between(&r, 0, 36) - 90.0);
            assert_int_equal(direction_tree_nearest(&tree, point, NULL, NULL), nearest_of_all(point, set, count));
        }
        direction_tree_free(&tree);
    }
}

/* The areas as they are defined, point by point. */
static void areas_are_the_counts_of_a_search_through_all_to_the_bit(void **state)
{
    (void)state;
    static double set[MOST][3], areas[MOST], counted[MOST];
    struct random r = random_cases("areas");
    for (int kind = 0; kind < 4; kind++) {
        struct error e;
        size_t count = draw_set(set, &r, kind);
        count = count > 600 ? 600 : count;
        must(sphere_areas(areas, (const double(*)[3])set, count, &e), &e);
        memset(counted, 0, sizeof counted);
        for (int p = 0; p < 20000; p++) {
            const double z = 1.0 - (2.0 * p + 1.0) / 20000.0, across = sqrt(1.0 - z * z);
            const double angle = M_PI * (3.0 - sqrt(5.0)) * p;
            const double point[3] = {across * cos(angle), across * sin(angle), z};
            counted[nearest_of_all(point, set, count)] += 1.0 / 20000.0;
        }
        assert_memory_equal(areas, counted, count * sizeof *areas);
    }
}

/* Comparisons for each point of the lattice: from 1,000 to 64,000 directions they grow as a logarithm. */
static void a_search_looks_at_few_of_many_directions(void **state)
{
    (void)state;
    enum { LARGE = 64000, POINTS = 2000 };
    struct random r = random_cases("many directions");
    double(*set)[3] = malloc(LARGE * sizeof *set);
    assert_non_null(set);
    for (size_t i = 0; i < LARGE; i++)
        draw(set[i], &r);
    for (size_t count = 1000; count <= LARGE; count *= 4) {
        struct direction_tree tree;
        struct error e;
        size_t compared = 0;
        must(direction_tree_make(&tree, (const double(*)[3])set, count, &e), &e);
        for (int k = 0; k < POINTS; k++) {
            double point[3];
            draw(point, &r);
            direction_tree_nearest(&tree, point, NULL, &compared);
        }
        print_message("%zu directions: %.1f looked at\n", count, (double)compared / POINTS);
        assert_true((double)compared / POINTS < 10.0 * log2((double)count));
        direction_tree_free(&tree);
    }
    free(set);
}

/* Rings of `columns` directions each `step` degrees from `low` to `high`. */
static size_t make_rings(double (*set)[3], double low, double high, double step, int columns)
{
    size_t count = 0;
    for (double elevation = low; elevation <= high; elevation += step)
        for (int i = 0; i < columns; i++)
            towards(set[count++], 360.0 * i / columns, elevation);
    return count;
}

static void coverage_says_which_elevations_and_what_is_outside(void **state)
{
    (void)state;
    static double set[MOST][3];
    static const struct {
        double low, high, step;
        int columns;
        double share; /* of the sphere that is more than 20 degrees, or 1.25 spacings, outside */
        const char *text;
    } cases[] = {{-90, 90, 5, 72, 0.0, "elevations from -90 to 90 degrees"},
                 {-90, 90, 30, 12, 0.0, "elevations from -90 to 90 degrees"},
                 {-90, 90, 45, 8, 0.0, "elevations from -90 to 90 degrees"},
                 {-40, 90, 10, 72, 0.067, "elevations from -40 to 90 degrees"},
                 {-30, 90, 30, 12, 0.057, "elevations from -30 to 90 degrees"},
                 {0, 90, 10, 36, 0.329, "elevations from 0 to 90 degrees"},
                 {0, 0, 1, 72, 0.658, "only the horizontal plane"},
                 {30, 30, 1, 72, 0.704, "only an elevation of 30 degrees"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct coverage c;
        struct error e;
        char text[COVERAGE_TEXT];
        const size_t count = make_rings(set, cases[i].low, cases[i].high, cases[i].step, cases[i].columns);
        must(coverage_make(&c, (const double(*)[3])set, count, &e), &e);
        assert_string_equal(coverage_text(text, &c), cases[i].text);
        print_message("%s, step %g: limit %.1f, %.3f outside\n", text, cases[i].step, c.limit, c.share);
        assert_within(c.share, cases[i].share, 0.025);
        char **lines = NULL;
        size_t line_count = 0;
        must(coverage_warn(&lines, &line_count, &c, "receiver", "head", "x.sofa", &e), &e);
        assert_int_equal(line_count, cases[i].share > 0.1);
        assert_true(!line_count || strstr(lines[0], "receiver head: x.sofa covers "));
        lines_free(lines, line_count);
        coverage_free(&c);
    }
}

static void a_direction_is_as_far_outside_as_it_is_from_the_nearest(void **state)
{
    (void)state;
    static double set[MOST][3];
    struct coverage c;
    struct error e;
    double direction[3];
    const size_t count = make_rings(set, 0.0, 0.0, 1.0, 72);
    must(coverage_make(&c, (const double(*)[3])set, count, &e), &e);
    towards(direction, 60.0, -45.0);
    assert_within(coverage_away(&c, direction), 45.0, 1e-9);
    assert_within(c.farthest, 90.0, 1e-9);
    assert_within(fabs(c.at[1]), 90.0, 0.0);
    coverage_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_is_that_of_a_search_through_all),
        cmocka_unit_test(areas_are_the_counts_of_a_search_through_all_to_the_bit),
        cmocka_unit_test(a_search_looks_at_few_of_many_directions),
        cmocka_unit_test(coverage_says_which_elevations_and_what_is_outside),
        cmocka_unit_test(a_direction_is_as_far_outside_as_it_is_from_the_nearest),
    };
    return cmocka_run_group_tests_name("directions", tests, NULL, NULL);
}
