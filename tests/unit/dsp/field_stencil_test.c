/* SPDX-License-Identifier: MIT */
/* Stencils of the spherical harmonics of a field, against exact plane waves of the grids. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/space/field_stencil.h"
#include "dsp/space/penalised_squares.h"
#include "room/grid/field_placement.h"
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
    struct field_lattice *lattices = NULL;
    const int first = order > 3, places = order > 3 ? 2 : case_count(3); /* order 4 takes seconds */
    for (int place = first; place < places; place++) {
        static struct field_stencil s;
        struct error e;
        double fraction[3];
        for (int axis = 0; axis < 3; axis++)
            fraction[axis] = place ? random_unit(&r) : 0.0;
        s.order = order;
        s.radius = radius;
        memcpy(s.fraction, fraction, sizeof s.fraction);
        field_stencil_ball(&s);
        assert_int_equal(field_stencil_fit(&s, &lattices, w, &e), 0);
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
    field_lattices_free(&lattices);
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

enum { FREQUENCIES = 12 };

static int directions_of(int order, int f)
{
    const int least[FIELD_ORDER_MAX + 1] = {32, 32, 32, 48, 76};
    return f < 6 ? least[order] : f < 9 ? 2 * least[order] : 160;
}

/* The least-squares problem of field_stencil_fit for one position, order n of a stencil; rows: sines and cosines. */
static void fill_alone(double *columns, size_t rows, const struct field_stencil *s, const struct grid_waves *w, int n)
{
    size_t row = 0;
    for (int f = 0; f < FREQUENCIES; f++) {
        const double quarter = 0.25 * w->highest;
        const double frequency =
            f < 6 ? w->lowest * pow(quarter / w->lowest, f / 5.0) : quarter + (w->highest - quarter) * (f - 5) / 6.0;
        const int directions = directions_of(s->order, f);
        const double mean = 1.0 / sqrt(12.0 * directions), factor = mean * pow(grid_waves_operator(w, frequency), -n);
        for (int i = 0; i < directions; i++, row += 2) {
            double d[3], y[HARMONICS_MAX];
            half_sphere(d, i, directions);
            harmonics_at(y, s->order, d);
            const double kappa = w->wavenumber(frequency, d, w->courant_squared);
            for (size_t q = 0; q < s->count; q++) {
                double phase = 0.0;
                for (int axis = 0; axis < 3; axis++)
                    phase += kappa * d[axis] * (s->point[q][axis] - s->fraction[axis]);
                columns[q * rows + row] = factor * cos(phase);
                columns[q * rows + row + 1] = factor * sin(phase);
            }
            for (size_t m = 0; m < 2 * (size_t)n + 1; m++) { /* i^n Y */
                double *b = columns + (s->count + m) * rows + row;
                b[0] = n % 2 ? 0.0 : mean * (n == 2 ? -1.0 : 1.0) * y[(size_t)(n * n) + m];
                b[1] = n % 2 ? mean * (n == 3 ? -1.0 : 1.0) * y[(size_t)(n * n) + m] : 0.0;
            }
        }
    }
}

/* Of the weights of order n the largest difference from those of a problem of its own, over the largest weight. */
static double apart_from_alone(const struct field_stencil *s, const struct grid_waves *w, int n)
{
    const size_t sides = 2 * (size_t)n + 1;
    size_t rows = 0;
    for (int f = 0; f < FREQUENCIES; f++)
        rows += 2 * (size_t)directions_of(s->order, f);
    double *columns = malloc((s->count + sides) * rows * sizeof *columns);
    double *alone = malloc(sides * s->count * sizeof *alone), worst = 0.0, largest = 0.0;
    struct error e;
    assert_true(columns && alone);
    fill_alone(columns, rows, s, w, n);
    assert_int_equal(penalised_squares(alone, s->count, sides, columns, rows,
                                       w->penalty[n] * pow(grid_waves_operator(w, 0.01), -n), &e),
                     0);
    for (size_t m = 0; m < sides; m++) {
        double *x = alone + m * s->count, sum = 0.0;
        for (size_t q = 0; q < s->count; q++)
            sum += x[q];
        for (size_t q = 0; q < s->count; q++) {
            const double weight = x[q] + ((n ? 0.0 : 1.0) - sum) / (double)s->count;
            const double apart = fabs(s->weight[(size_t)(n * n) + m][q] - weight);
            worst = apart <= worst ? worst : apart;
            largest = fmax(largest, fabs(weight));
        }
    }
    free(columns);
    free(alone);
    return worst / largest;
}

static struct grid_waves draw_waves(struct random *r)
{
    const bool mapped = random_unit(r) < 0.5, drives = random_unit(r) < 0.3;
    return mapped ? field_waves_of(STENCIL_19_POINT, ISOTROPIC19_COURANT_SQUARED, true, drives)
                  : field_waves_of(STENCIL_7_POINT, courant_squared_7, false, drives);
}

/* Points of any subset: all around the position, less those beyond a wall, or drawn. */
static void weights_are_those_of_a_fit_of_the_position_alone(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    struct field_lattice *lattices = NULL;
    static struct field_stencil s;
    static const double bound[4] = {1e-10, 1e-8, 1e-7, 1e-6}; /* both are rounded: the condition grows with the order */
    double worst[4] = {0.0};
    for (int i = 0; i < case_count(8); i++) {
        const struct grid_waves w = draw_waves(&r);
        struct error e;
        size_t kept = 0;
        s.order = i % 4;
        s.radius = s.order == 0 ? 2.0 : w.trapezoid ? 3.2 : 4.35;
        for (int axis = 0; axis < 3; axis++)
            s.fraction[axis] = i % 3 == axis ? 0.0 : random_unit(&r);
        const int wall = (int)(3.0 * random_unit(&r));
        field_stencil_ball(&s);
        for (size_t q = 0; q < s.count; q++)
            if (i % 3 == 0 || (i % 3 == 1 && s.point[q][wall] > -2) || (i % 3 == 2 && random_unit(&r) < 0.9))
                memmove(s.point[kept++], s.point[q], sizeof s.point[q]);
        s.count = kept;
        assert_int_equal(field_stencil_fit(&s, &lattices, &w, &e), 0);
        for (int n = 0; n <= s.order; n++) {
            const double apart = apart_from_alone(&s, &w, n);
            worst[n] = apart <= worst[n] ? worst[n] : apart;
        }
    }
    field_lattices_free(&lattices);
    for (int n = 0; n < 4; n++)
        assert_true(worst[n] <= bound[n]);
}

static size_t factored; /* matrices */

int __real_penalised_factors_make(struct penalised_factors *f, size_t count, double *columns, size_t rows,
                                  double penalty, struct error *e);
int __wrap_penalised_factors_make(struct penalised_factors *f, size_t count, double *columns, size_t rows,
                                  double penalty, struct error *e);
int __wrap_penalised_factors_make(struct penalised_factors *f, size_t count, double *columns, size_t rows,
                                  double penalty, struct error *e)
{
    factored++;
    return __real_penalised_factors_make(f, count, columns, rows, penalty, e);
}

static void stencils_of_all_positions_share_one_factored_matrix_an_order(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    struct field_lattice *lattices = NULL;
    const struct grid_waves w = field_waves_of(STENCIL_19_POINT, ISOTROPIC19_COURANT_SQUARED, true, false);
    static struct field_stencil s, first;
    struct error e;
    factored = 0;
    for (int i = 0; i < case_count(100); i++) {
        s.order = i % 2;
        s.radius = 4.35;
        for (int axis = 0; axis < 3; axis++)
            s.fraction[axis] = random_unit(&r);
        field_stencil_ball(&s);
        assert_int_equal(field_stencil_fit(&s, &lattices, &w, &e), 0);
        if (i == 1)
            first = s;
    }
    assert_int_equal(factored, 4); /* an even and an odd half of each order */
    s = first;
    field_lattices_free(&lattices);
    assert_int_equal(field_stencil_fit(&s, &lattices, &w, &e), 0); /* in another order of positions: the same bits */
    for (size_t c = 0; c < harmonics_count(1); c++)
        assert_memory_equal(s.weight[c], first.weight[c], s.count * sizeof **s.weight);
    field_lattices_free(&lattices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plane_waves_of_the_7_point_scheme_come_out_as_their_harmonics),
        cmocka_unit_test(plane_waves_of_the_19_point_scheme_come_out_as_their_harmonics),
        cmocka_unit_test(order_4_holds_at_wavelengths_of_five_points),
        cmocka_unit_test(weights_are_those_of_a_fit_of_the_position_alone),
        cmocka_unit_test(stencils_of_all_positions_share_one_factored_matrix_an_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
