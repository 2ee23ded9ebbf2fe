/* SPDX-License-Identifier: MIT */
/* Polygons to triangles: the area is covered once, whatever the shape. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "geometry/polygon.h"
#include "support/random_cases.h"
#include "support/scratch.h"

#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

/* Corners in the plane, put anywhere into space. */
struct shape {
    size_t count;
    double flat[POLYGON_CORNERS_MAX][2];
    double space[POLYGON_CORNERS_MAX][3];
    uint32_t corners[POLYGON_CORNERS_MAX];
};

static double turn(const double p[2], const double q[2], const double r[2])
{
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
}

static double flat_area(const struct shape *s)
{
    double twice = 0.0;
    for (size_t i = 0; i < s->count; i++) {
        const double *p = s->flat[i], *q = s->flat[(i + 1) % s->count];
        twice += p[0] * q[1] - p[1] * q[0];
    }
    return twice / 2.0;
}

/* Onto a random plane. */
static void tilt(struct random *r, struct shape *s)
{
    double u[3], v[3], w[3] = {random_normal(r), random_normal(r), random_normal(r)}, lengths[2] = {0};
    const double other[3] = {random_normal(r), random_normal(r), random_normal(r)};
    for (int k = 0; k < 3; k++)
        u[k] = w[(k + 1) % 3] * other[(k + 2) % 3] - w[(k + 2) % 3] * other[(k + 1) % 3];
    for (int k = 0; k < 3; k++)
        v[k] = w[(k + 1) % 3] * u[(k + 2) % 3] - w[(k + 2) % 3] * u[(k + 1) % 3];
    for (int k = 0; k < 3; k++) {
        lengths[0] += u[k] * u[k];
        lengths[1] += v[k] * v[k];
    }
    for (size_t i = 0; i < s->count; i++) {
        s->corners[i] = (uint32_t)i;
        for (int k = 0; k < 3; k++)
            s->space[i][k] = 10.0 + s->flat[i][0] * u[k] / sqrt(lengths[0]) + s->flat[i][1] * v[k] / sqrt(lengths[1]);
    }
}

/* Every triangle has the polygon's orientation, and together they have its area: no part is covered twice. */
static void assert_covered(const struct shape *s, size_t least)
{
    static struct ear_clipper clipper;
    struct error e;
    size_t count;
    double sum = 0.0;
    must(polygon_triangles(&clipper, (const double(*)[3])s->space, s->corners, s->count, &count, &e), &e);
    assert_in_range(count, least, s->count - 2);
    for (size_t t = 0; t < count; t++) {
        const uint32_t *c = clipper.triangles[t];
        const double twice = turn(s->flat[c[0]], s->flat[c[1]], s->flat[c[2]]);
        assert_true(twice * (flat_area(s) > 0.0 ? 1.0 : -1.0) > -1e-9);
        sum += twice / 2.0;
    }
    assert_within(sum, flat_area(s), 1e-9 * fabs(flat_area(s)) + 1e-12);
    ear_clipper_free(&clipper);
}

static void stars_are_covered_once(void **state)
{
    (void)state;
    static struct shape s;
    struct random r = random_cases("stars");
    for (int n = 0; n < 500; n++) {
        s.count = random_between(&r, 4, 60);
        for (size_t i = 0; i < s.count; i++) {
            const double angle = 2.0 * M_PI * (double)i / (double)s.count, radius = random_uniform(&r, 0.3, 5.0);
            s.flat[i][0] = radius * cos(angle);
            s.flat[i][1] = radius * sin(angle);
        }
        tilt(&r, &s);
        assert_covered(&s, s.count - 2);
    }
}

static void combs_and_spirals_are_covered_once(void **state)
{
    (void)state;
    static struct shape s;
    struct random r = random_cases("combs");
    for (size_t teeth = 2; teeth < 40; teeth++) {
        s.count = 0;
        for (size_t i = 0; i < teeth; i++) { /* clockwise, above a bar of 0.1 */
            const double x = (double)i, up = random_uniform(&r, 0.5, 4.0);
            const double points[4][2] = {{x, 0.1}, {x + 0.2, up}, {x + 0.4, up}, {x + 0.6, 0.1}};
            memcpy(s.flat[s.count], points, sizeof points);
            s.count += 4;
        }
        const double back[2][2] = {{(double)teeth, 0.0}, {0.0, 0.0}};
        memcpy(s.flat[s.count], back, sizeof back);
        s.count += 2;
        tilt(&r, &s);
        assert_covered(&s, s.count - 3);
        s.count = 8 * teeth; /* a spiral strip: outwards, then inwards */
        for (size_t i = 0; i < 4 * teeth; i++) {
            const double angle = 0.3 * (double)i, radius = 1.0 + 0.2 * angle;
            s.flat[i][0] = radius * cos(angle), s.flat[i][1] = radius * sin(angle);
            s.flat[s.count - 1 - i][0] = (1.0 - 0.5 / radius) * s.flat[i][0],
                                 s.flat[s.count - 1 - i][1] = (1.0 - 0.5 / radius) * s.flat[i][1];
        }
        tilt(&r, &s);
        assert_covered(&s, s.count - 2);
    }
}

static void holes_may_be_joined_by_double_edges(void **state)
{
    (void)state;
    static const double frame[10][2] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}};
    static struct shape s;
    struct random r = random_cases("holes");
    for (int n = 0; n < 50; n++) {
        s.count = 10;
        memcpy(s.flat, frame, sizeof frame);
        tilt(&r, &s);
        if (n == 0)
            for (int i = 0; i < 10; i++) /* and exactly, in the plane z = 0 */
                s.space[i][0] = frame[i][0], s.space[i][1] = frame[i][1], s.space[i][2] = 0.0;
        assert_within(flat_area(&s), 12.0, 1e-12);
        assert_covered(&s, 8);
    }
}

static void corners_on_edges_are_kept(void **state)
{
    (void)state;
    static const double square[8][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
    static struct shape s;
    struct random r = random_cases("edges");
    s.count = 8;
    memcpy(s.flat, square, sizeof square);
    tilt(&r, &s);
    for (int i = 0; i < 8; i++)
        s.space[i][0] = square[i][0], s.space[i][1] = 7.0, s.space[i][2] = -square[i][1];
    assert_covered(&s, 6);
}

static void polygons_without_area_give_no_triangles(void **state)
{
    (void)state;
    struct ear_clipper c = {0};
    struct error e;
    size_t count;
    const double line[5][3] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {1.5, 1.5, 1.5}},
                 point[4][3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    const uint32_t corners[5] = {0, 1, 2, 3, 4};
    must(polygon_triangles(&c, line, corners, 5, &count, &e), &e);
    assert_int_equal(count, 0);
    must(polygon_triangles(&c, point, corners, 4, &count, &e), &e);
    assert_int_equal(count, 0);
    ear_clipper_free(&c);
}

/* Crossing edges everywhere: no promise but that it ends soon, and names only corners of the polygon. */
static void polygons_that_cross_themselves_end(void **state)
{
    (void)state;
    static struct shape s;
    struct ear_clipper c = {0};
    struct error e;
    size_t count;
    struct random r = random_cases("crossing");
    for (int n = 0; n < 20; n++) {
        s.count = n < 2 ? POLYGON_CORNERS_MAX : random_between(&r, 4, 300);
        for (size_t i = 0; i < s.count; i++)
            s.flat[i][0] = random_normal(&r), s.flat[i][1] = random_normal(&r);
        tilt(&r, &s);
        const double start = processor_seconds();
        must(polygon_triangles(&c, (const double(*)[3])s.space, s.corners, s.count, &count, &e), &e);
        assert_true(processor_seconds() - start < (under_sanitizers() ? 10.0 : 2.0));
        assert_in_range(count, 1, s.count - 2);
        for (size_t t = 0; t < count; t++)
            for (int k = 0; k < 3; k++)
                assert_true(c.triangles[t][k] < s.count);
    }
    ear_clipper_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stars_are_covered_once),
        cmocka_unit_test(combs_and_spirals_are_covered_once),
        cmocka_unit_test(holes_may_be_joined_by_double_edges),
        cmocka_unit_test(corners_on_edges_are_kept),
        cmocka_unit_test(polygons_without_area_give_no_triangles),
        cmocka_unit_test(polygons_that_cross_themselves_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
