/* SPDX-License-Identifier: MIT */
/* Stencils of the spherical harmonics of a field, against exact plane waves of the grids. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "room/grid/field_waves.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "support/random_cases.h"

#include <cmocka.h>

static const double courant_squared_7 = 1.0 / 3.0 * (1.0 - 1e-6);

/* Largest error of each order at a frequency, rms over directions and harmonics, dB. */
static void errors_at(double errors[FIELD_ORDER_MAX + 1], const struct field_stencil *s, const struct grid_waves *w,
                      double frequency)
{
    struct sphere_rule rule;
    double squares[FIELD_ORDER_MAX + 1] = {0.0};
    sphere_rule_make(&rule);
    for (int i = 0; i < SPHERE_DIRECTIONS; i++) {
        double values[FIELD_CHANNELS_MAX][2], y[HARMONICS_MAX];
        harmonics_at(y, s->order, rule.direction[i]);
        field_stencil_response(values, s, w, frequency, rule.direction[i]);
        for (size_t c = 0; c < harmonics_count(s->order); c++)
            squares[harmonics_order_of(c)] += rule.weight[i] * (pow(values[c][0] - y[c], 2.0) + pow(values[c][1], 2.0));
    }
    for (int n = 0; n <= s->order; n++)
        errors[n] = 10.0 * log10(squares[n]);
}

static void check(const char *name, const struct grid_waves *w, int order, double radius, size_t count,
                  const double *frequency, const double bound[][FIELD_ORDER_MAX + 1])
{
    struct random r = random_cases(name);
    const int first = order > 3, places = order > 3 ? 2 : case_count(3); /* order 4 takes seconds */
    for (int place = first; place < places; place++) {
        static struct field_stencil s;
        struct error e;
        double fraction[3];
        for (int axis = 0; axis < 3; axis++)
            fraction[axis] = place ? random_unit(&r) : 0.0;
        s.order = order;
        field_stencil_ball(&s, fraction, radius);
        assert_int_equal(field_stencil_fit(&s, w, &e), 0);
        for (size_t f = 0; f < count; f++) {
            double errors[FIELD_ORDER_MAX + 1];
            errors_at(errors, &s, w, frequency[f]);
            for (int n = 0; n <= order; n++) {
                if (errors[n] <= bound[f][n])
                    continue;
                print_error("place %d, frequency %g, order %d: %.1f dB, expected %.1f at most\n", place, frequency[f],
                            n, errors[n], bound[f][n]);
                fail();
            }
        }
    }
}

static void plane_waves_of_the_7_point_scheme_come_out_as_their_harmonics(void **state)
{
    (void)state;
    const struct grid_waves w = field_waves_of(STENCIL_7_POINT, courant_squared_7, false, false);
    static const double frequency[] = {0.002, 0.01, 0.03, 0.054, 0.076};
    static const double bound[][FIELD_ORDER_MAX + 1] = {
        {-97, -76, -69, -50}, {-98, -77, -70, -51}, {-83, -63, -58, -45}, {-83, -60, -53, -40}, {-82, -64, -60, -37}};
    check("7-point", &w, 3, field_radius(STENCIL_7_POINT, 3), 5, frequency, bound);
}

static void plane_waves_of_the_19_point_scheme_come_out_as_their_harmonics(void **state)
{
    (void)state;
    const struct grid_waves w = field_waves_of(STENCIL_19_POINT, ISOTROPIC19_COURANT_SQUARED, true, false);
    static const double frequency[] = {0.002, 0.01, 0.054, 0.1321, 0.173, 0.2096};
    static const double bound[][FIELD_ORDER_MAX + 1] = {{-97, -84, -63, -53}, {-93, -80, -63, -53},
                                                        {-73, -70, -54, -48}, {-68, -66, -53, -45},
                                                        {-70, -66, -47, -41}, {-68, -64, -47, -40}};
    check("19-point", &w, 3, field_radius(STENCIL_19_POINT, 3), 6, frequency, bound);
}

static void order_4_holds_at_wavelengths_of_five_points(void **state)
{
    (void)state;
    const struct grid_waves mapped = field_waves_of(STENCIL_19_POINT, ISOTROPIC19_COURANT_SQUARED, true, false);
    const struct grid_waves w = field_waves_of(STENCIL_7_POINT, courant_squared_7, false, false);
    static const double frequency[] = {0.002, 0.054};
    static const double bound[][FIELD_ORDER_MAX + 1] = {{-80, -80, -63, -53, -32}, {-73, -68, -54, -45, -33}};
    check("order 4, 19-point", &mapped, 4, field_radius(STENCIL_19_POINT, 4), 2, frequency, bound);
    check("order 4, 7-point", &w, 4, field_radius(STENCIL_7_POINT, 4), 2, frequency, bound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plane_waves_of_the_7_point_scheme_come_out_as_their_harmonics),
        cmocka_unit_test(plane_waves_of_the_19_point_scheme_come_out_as_their_harmonics),
        cmocka_unit_test(order_4_holds_at_wavelengths_of_five_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
