/* SPDX-License-Identifier: MIT */
/* The stencil between the points of the 19-point grid, against exact plane waves of the grid. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/space/harmonics.h"
#include "dsp/space/penalised_squares.h"
#include "room/grid/point_stencil.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "support/random_cases.h"

#include <cmocka.h>

/* Normalised frequencies of the grid at 16, 7.57, 5 and 4 points a wavelength. */
enum { F_16, F_7, F_5, F_4, FREQUENCIES };
static const double frequencies[FREQUENCIES] = {0.054, 0.1133, 0.1697, 0.2096};

/* Extremes over directions of what a stencil makes of a plane wave. */
struct wave_errors {
    double low, high; /* level, dB */
    double phase;     /* degrees */
};

static void random_direction(struct random *r, double d[3])
{
    const double z = random_uniform(r, -1.0, 1.0), angle = random_uniform(r, 0.0, 2.0 * M_PI), across = sqrt(1 - z * z);
    d[0] = across * cos(angle);
    d[1] = across * sin(angle);
    d[2] = z;
}

static void random_fraction(struct random *r, double fraction[3])
{
    for (int axis = 0; axis < 3; axis++)
        fraction[axis] = random_unit(r);
}

static void make(struct point_stencil *s, const double fraction[3], double radius)
{
    struct error e;
    point_stencil_points(s, fraction, radius);
    assert_int_equal(point_stencil_fit(s, fraction, &e), 0);
}

static void add_waves(struct wave_errors *errors, const struct point_stencil *s, const double fraction[3],
                      double frequency, struct random *r)
{
    for (int i = 0; i < 60; i++) {
        double d[3], real = 0.0, imaginary = 0.0;
        random_direction(r, d);
        if (i < 3) /* along the axes, where errors are greatest */
            memcpy(d, (double[]){i == 0, i == 1, i == 2}, sizeof d);
        const double kappa = isotropic19_wavenumber_along(frequency, d);
        for (size_t q = 0; q < s->count; q++) {
            double phase = 0.0;
            for (int axis = 0; axis < 3; axis++)
                phase += kappa * d[axis] * (s->point[q][axis] - fraction[axis]);
            real += s->weight[q] * cos(phase);
            imaginary += s->weight[q] * sin(phase);
        }
        const double level = 10.0 * log10(real * real + imaginary * imaginary);
        const double phase = fabs(atan2(imaginary, real)) * 180.0 / M_PI;
        errors->low = level >= errors->low ? errors->low : level; /* NaN passes through */
        errors->high = level <= errors->high ? errors->high : level;
        errors->phase = phase <= errors->phase ? errors->phase : phase;
    }
}

static void level_and_phase_of_plane_waves_are_met_anywhere_in_a_cell(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    struct wave_errors errors[FREQUENCIES] = {0};
    for (int i = 0; i < case_count(40); i++) {
        struct point_stencil s;
        double fraction[3];
        random_fraction(&r, fraction);
        make(&s, fraction, point_stencil_radii[0].cells);
        for (int f = 0; f < FREQUENCIES; f++)
            add_waves(&errors[f], &s, fraction, frequencies[f], &r);
    }
    assert_true(errors[F_16].low >= -0.015 && errors[F_16].high <= 0.01 && errors[F_16].phase <= 0.02);
    assert_true(errors[F_7].low >= -0.025 && errors[F_7].high <= 0.02 && errors[F_7].phase <= 0.05);
    assert_true(errors[F_5].low >= -0.015 && errors[F_5].high <= 0.085 && errors[F_5].phase <= 0.15);
    assert_true(errors[F_4].low >= -0.02 && errors[F_4].high <= 0.02 && errors[F_4].phase <= 0.15);
}

static void each_radius_keeps_the_level_that_it_states(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (const struct point_stencil_radius *radius = point_stencil_radii; !radius->partial; radius++) {
        struct wave_errors errors = {0};
        for (int i = 0; i < case_count(30); i++) {
            struct point_stencil s;
            double fraction[3];
            random_fraction(&r, fraction);
            make(&s, fraction, radius->cells);
            add_waves(&errors, &s, fraction, random_uniform(&r, 0.002, 0.2096), &r);
        }
        assert_true(errors.low >= radius->low - 0.01 && errors.high <= radius->high + 0.01);
    }
}

/* Flat surfaces across one, two or three axes, less than the radius away. */
static void a_stencil_beside_surfaces_keeps_the_level_that_it_states(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    const struct point_stencil_radius *radius = &point_stencil_radii[POINT_STENCIL_RADII - 1];
    struct wave_errors errors = {0};
    assert_true(radius->partial);
    for (int i = 0; i < case_count(60); i++) {
        struct point_stencil s;
        double fraction[3];
        int first[3] = {-4, -4, -4};
        size_t kept = 0;
        random_fraction(&r, fraction);
        for (int axis = 0; axis <= i % 3; axis++)
            first[axis] = -(int)random_between(&r, 0, 1);
        point_stencil_points(&s, fraction, radius->cells);
        for (size_t q = 0; q < s.count; q++)
            if (s.point[q][0] >= first[0] && s.point[q][1] >= first[1] && s.point[q][2] >= first[2])
                memmove(s.point[kept++], s.point[q], sizeof s.point[q]);
        s.count = kept;
        assert_int_equal(point_stencil_fit(&s, fraction, NULL), 0);
        add_waves(&errors, &s, fraction, i % 2 ? 0.2096 : random_uniform(&r, 0.002, 0.2096), &r);
    }
    assert_true(errors.low >= radius->low - 0.03 && errors.high <= radius->high + 0.03);
}

static void weights_sum_to_one(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < case_count(20); i++) {
        struct point_stencil s;
        double fraction[3], sum = 0.0;
        random_fraction(&r, fraction);
        make(&s, fraction, point_stencil_radii[i % POINT_STENCIL_RADII].cells);
        for (size_t q = 0; q < s.count; q++)
            sum += s.weight[q];
        assert_true(fabs(sum - 1.0) <= 1e-13);
    }
}

static void a_stencil_takes_all_points_within_its_radius(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < case_count(10); i++) {
        struct point_stencil s;
        double fraction[3];
        random_fraction(&r, fraction);
        const double radius = point_stencil_radii[i % POINT_STENCIL_RADII].cells;
        make(&s, fraction, radius);
        size_t within = 0;
        for (int point = 0; point < 1000; point++) {
            const int at[3] = {point % 10 - 4, point / 10 % 10 - 4, point / 100 - 4};
            double square = 0.0;
            for (int axis = 0; axis < 3; axis++)
                square += (at[axis] - fraction[axis]) * (at[axis] - fraction[axis]);
            within += square <= radius * radius;
        }
        assert_int_equal(s.count, within);
    }
}

/* The waves of point_stencil.h at a place `apart` from the position, in cells. */
enum { WAVES = 560, ROWS = 2 * WAVES };
static void fill(double column[ROWS], const double apart[3])
{
    static const int directions[12] = {24, 24, 24, 24, 24, 24, 48, 48, 48, 72, 100, 100};
    for (int f = 0; f < 12; f++)
        for (int i = 0; i < directions[f]; i++, column += 2) {
            const double frequency = 0.002 * pow(0.212 / 0.002, f / 11.0), weight = 1.0 / sqrt(12.0 * directions[f]);
            double d[3];
            half_sphere(d, i, directions[f]);
            const double kappa = isotropic19_wavenumber_along(frequency, d);
            const double phase = kappa * (d[0] * apart[0] + d[1] * apart[1] + d[2] * apart[2]);
            column[0] = weight * cos(phase);
            column[1] = weight * sin(phase);
        }
}

/* The weights of s by a problem of its own. */
static void fit_alone(double weight[POINT_STENCIL_MAX], const struct point_stencil *s, const double fraction[3])
{
    double *columns = calloc((s->count + 1) * ROWS, sizeof *columns), sum = 0.0;
    struct error e;
    assert_non_null(columns);
    for (size_t q = 0; q < s->count; q++) {
        const int *p = s->point[q];
        fill(columns + q * ROWS, (const double[3]){p[0] - fraction[0], p[1] - fraction[1], p[2] - fraction[2]});
    }
    fill(columns + s->count * ROWS, (const double[3]){0.0, 0.0, 0.0});
    assert_int_equal(penalised_squares(weight, s->count, 1, columns, ROWS, 1e-5, &e), 0);
    free(columns);
    for (size_t q = 0; q < s->count; q++)
        sum += weight[q];
    for (size_t q = 0; q < s->count; q++)
        weight[q] /= sum;
}

/* Points of any subset: what a stencil takes, less what objects hide. */
static void weights_are_those_of_a_fit_of_the_position_alone(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    double worst = 0.0;
    for (int i = 0; i < case_count(20); i++) {
        struct point_stencil s;
        double fraction[3], weight[POINT_STENCIL_MAX];
        size_t kept = 0;
        random_fraction(&r, fraction);
        if (i % 5 == 4)
            fraction[i % 3] = 0.0;
        point_stencil_points(&s, fraction, point_stencil_radii[i % POINT_STENCIL_RADII].cells);
        for (size_t q = 0; q < s.count; q++)
            if (i % 2 == 0 || random_unit(&r) < 0.8)
                memmove(s.point[kept++], s.point[q], sizeof s.point[q]);
        s.count = kept;
        assert_int_equal(point_stencil_fit(&s, fraction, NULL), 0);
        fit_alone(weight, &s, fraction);
        for (size_t q = 0; q < s.count; q++) {
            const double apart = fabs(s.weight[q] - weight[q]);
            worst = apart <= worst ? worst : apart;
        }
    }
    assert_true(worst <= 1e-10); /* both are rounded, to some 1e-11 */
}

static size_t factored; /* matrices */

int __real_penalised_factors_make(struct penalised_factors *f, size_t count, double *columns, size_t rows,
                                  double penalty, struct error *e);
int __wrap_penalised_factors_make(struct penalised_factors *f, size_t count, double *columns, size_t rows,
                                  double penalty, struct error *e)
{
    factored++;
    return __real_penalised_factors_make(f, count, columns, rows, penalty, e);
}

static void stencils_of_all_positions_share_one_factored_matrix(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    factored = 0;
    for (int i = 0; i < case_count(1000); i++) {
        struct point_stencil s;
        double fraction[3];
        random_fraction(&r, fraction);
        make(&s, fraction, point_stencil_radii[i % POINT_STENCIL_RADII].cells);
    }
    assert_true(factored <= 1); /* none where an earlier test made it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_and_phase_of_plane_waves_are_met_anywhere_in_a_cell),
        cmocka_unit_test(each_radius_keeps_the_level_that_it_states),
        cmocka_unit_test(a_stencil_beside_surfaces_keeps_the_level_that_it_states),
        cmocka_unit_test(weights_sum_to_one),
        cmocka_unit_test(a_stencil_takes_all_points_within_its_radius),
        cmocka_unit_test(weights_are_those_of_a_fit_of_the_position_alone),
        cmocka_unit_test(stencils_of_all_positions_share_one_factored_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
