/* SPDX-License-Identifier: MIT */
/* The chain of cells of a bore against closed forms of pipes, its bound of stability, and its walls. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/complex_numbers.h"
#include "solver/schemes/bodies/wind_impedance.h"
#include "support/random_cases.h"
#include "support/winds.h"

#include <cmocka.h>

#include "support/within.h"

enum { CELLS_MAX = 100 };

/* A bore whose last cell opens to p = 0 half a cell further. */
struct pipe {
    struct bore bore;
    double volume[CELLS_MAX];
};

static struct bore_grid grid_at(double rate)
{
    struct bore_grid grid = winds_grid();
    grid.time_step = 1.0 / rate;
    grid.spacing = WINDS_SPEED / rate / 0.999;
    return grid;
}

static void make_pipe(struct pipe *p, const double (*profile)[2], size_t points, const struct bore_grid *grid,
                      const struct wall_loss *loss)
{
    const size_t cells = (size_t)lround(profile[points - 1][0] / grid->spacing);
    struct error e;
    bore_volumes(p->volume, cells, grid->spacing, profile, points);
    if (bore_make(&p->bore, p->volume, cells, grid, loss, &e))
        fail_msg("%s", e.message);
}

static double complex impedance(const struct pipe *p, double f)
{
    const struct bore_grid *g = &p->bore.grid;
    const size_t last = p->bore.cells - 1;
    const double omega = 2.0 * M_PI * f, half = 0.5 * omega * g->time_step;
    const double inertance = g->density * 0.5 * g->spacing / p->bore.area[last];
    double complex shunt[CELLS_MAX] = {0}, cross[CELLS_MAX] = {0};
    shunt[last] = complex_of(0.0, -0.5 * g->time_step / (sin(half) * cos(half) * inertance));
    return complex_reciprocal(bore_admittance(&p->bore, omega, shunt, cross));
}

/* The resonance of a smooth pipe near f, where the admittance changes its sign. */
static double resonance(const struct pipe *p, double f)
{
    double low = 0.99 * f, high = 1.01 * f;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        *(cimag(complex_reciprocal(impedance(p, middle))) < 0.0 ? &low : &high) = middle;
    }
    return low;
}

static double cents(double f, double exact)
{
    return 1200.0 * log2(f / exact);
}

static void a_cylinder_closed_at_one_end_resonates_at_odd_multiples(void **state)
{
    (void)state;
    const struct bore_grid grid = grid_at(48000.0);
    const double length = 84.0 * grid.spacing;
    const double profile[2][2] = {{0.0, 0.015}, {length, 0.015}};
    struct pipe p;
    make_pipe(&p, profile, 2, &grid, NULL);
    for (int n = 0; n < 6; n++) {
        const double exact = (2 * n + 1) * WINDS_SPEED / (4.0 * length);
        assert_within(cents(resonance(&p, exact), exact), 0.0, 0.01);
    }
    bore_free(&p.bore);
}

/* A cone closed at the distance x0 from its tip: tan(κL) = -κ x0. */
static double cone_resonance(double x0, double length, int n)
{
    double low = (n + 0.5) * M_PI / length * (1.0 + 1e-12), high = (n + 1) * M_PI / length;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        *(tan(middle * length) + middle * x0 < 0.0 ? &low : &high) = middle;
    }
    return low * WINDS_SPEED / (2.0 * M_PI);
}

static void a_cone_resonates_as_its_closed_form_says(void **state)
{
    (void)state;
    const struct bore_grid grid = grid_at(48000.0);
    const double length = 84.0 * grid.spacing, x0 = 0.05;
    const double profile[2][2] = {{0.0, 0.1 * x0}, {length, 0.1 * (x0 + length)}};
    struct pipe p;
    make_pipe(&p, profile, 2, &grid, NULL);
    for (int n = 0; n < 6; n++) {
        const double exact = cone_resonance(x0, length, n);
        assert_within(cents(resonance(&p, exact), exact), 0.0, 1.0);
    }
    bore_free(&p.bore);
}

static void a_profile_of_cones_and_steps_has_its_volume(void **state)
{
    (void)state;
    const double profile[5][2] = {{0.0, 0.02}, {0.03, 0.01}, {0.03, 0.004}, {0.05, 0.004}, {0.11, 0.03}};
    const double cone = M_PI / 12.0 * (0.03 * (4e-4 + 2e-4 + 1e-4) + 0.06 * (16e-6 + 1.2e-4 + 9e-4));
    const double exact = cone + M_PI / 4.0 * 0.02 * 16e-6;
    double volume[11], sum = 0.0;
    bore_volumes(volume, 11, 0.01, profile, 5);
    for (int i = 0; i < 11; i++)
        sum += volume[i];
    assert_within(sum, exact, 1e-15);
    assert_within(volume[4], M_PI / 4.0 * 0.01 * 16e-6, 1e-18);
}

/* Pivots of 4 - A by elimination, A = (h/c)² times the operator of the pressures √V p: all of them are
 * positive if and only if each eigenvalue of A is below 4. */
static double smallest_pivot(const struct bore *b)
{
    double pivot = INFINITY, last = 1.0, smallest = INFINITY;
    for (size_t i = 0; i < b->cells; i++) {
        const double left = i ? b->area[i] : 0.0, right = i + 1 < b->cells ? b->area[i + 1] : 0.0;
        const double here = b->volume[i] / b->grid.spacing;
        const double link = i ? left * left / (here * b->volume[i - 1] / b->grid.spacing) : 0.0;
        pivot = 4.0 * (1.0 + 1e-12) - (left + right) / here - (i ? link / last : 0.0);
        last = pivot;
        smallest = fmin(smallest, pivot);
    }
    return smallest;
}

static void any_areas_are_stable_up_to_ck_equal_to_h(void **state)
{
    (void)state;
    struct random random = random_cases("areas of a bore");
    struct bore_grid grid = grid_at(48000.0);
    grid.spacing = WINDS_SPEED / 48000.0;
    for (int n = 0; n < 2000; n++) {
        const size_t cells = random_between(&random, BORE_CELLS_MIN, 40);
        const double spread = random_log_uniform(&random, 0.1, 3.0);
        double volume[40];
        struct bore b;
        struct error e;
        for (size_t i = 0; i < cells; i++)
            volume[i] = 1e-6 * exp(spread * random_normal(&random));
        assert_int_equal(bore_make(&b, volume, cells, &grid, NULL, &e), 0);
        const double pivot = smallest_pivot(&b);
        if (!(pivot > 0.0))
            fail_msg("%zu cells: pivot %g", cells, pivot);
        bore_free(&b);
    }
}

static double complex network(const struct wall_loss *l, double warped)
{
    double complex z = l->resistance + complex_of(0.0, warped * l->inertance);
    for (int i = 0; i < WALL_BRANCHES; i++)
        z += l->branch[i] * complex_of(0.0, warped) / complex_of(l->rate[i], warped);
    return z;
}

static void walls_drag_with_the_root_of_frequency_at_any_rate(void **state)
{
    (void)state;
    const double rates[] = {16000.0, 24000.0, 44100.0, 48000.0, 96000.0, 192000.0};
    for (int r = 0; r < 6; r++) {
        const struct wall_loss loss = wall_loss_fit(1.0 / rates[r]);
        double square = 0.0;
        assert_true(loss.resistance >= 0.0 && loss.inertance >= 0.0);
        for (int i = 0; i < WALL_BRANCHES; i++)
            assert_true(loss.branch[i] >= 0.0 && loss.rate[i] > 0.0);
        for (int i = 0; i < 100; i++) {
            const double f = 30.0 * pow(fmin(12000.0, 0.25 * rates[r]) / 30.0, i / 99.0);
            const double warped = 2.0 * rates[r] * tan(M_PI * f / rates[r]);
            const double complex ratio = network(&loss, warped) / sqrt(f);
            assert_within(creal(ratio), 1.0, 0.05);
            assert_within(cimag(ratio), 1.0, 0.08);
            square += pow(creal(ratio) - 1.0, 2) / 100.0;
        }
        assert_within(sqrt(square), 0.0, 0.02);
    }
}

/* With drag in series and compliance in parallel, Z' = (ρc/S) (jω/c + 2 (1 + j) C √f/a) and Y' = (S/ρc) jω/c, a tube
 * that opens at p = 0 has √(Z'/Y') tanh(√(Z'Y') L). In units of ρc/S. */
static double complex tube_impedance(double f, double radius, double length)
{
    const double drag = 2.0 * 3.0e-5 * sqrt(f) / radius, wave = 2.0 * M_PI * f / WINDS_SPEED;
    const double complex series = complex_of(drag, wave + drag), gamma = csqrt(series * complex_of(0.0, wave));
    return series / gamma * ctanh(gamma * length);
}

/* Resonances: elsewhere the pressure in the middle of the first cell differs from that at the end. */
static void a_tube_with_walls_has_the_resonances_of_lossy_plane_waves(void **state)
{
    (void)state;
    const struct bore_grid grid = grid_at(48000.0);
    const struct wall_loss loss = wall_loss_fit(grid.time_step);
    const double length = 70.0 * grid.spacing, radius = 0.0075,
                 unit = WINDS_DENSITY * WINDS_SPEED / (M_PI * 0.0075 * 0.0075);
    const double profile[2][2] = {{0.0, 2.0 * radius}, {length, 2.0 * radius}};
    struct pipe p;
    make_pipe(&p, profile, 2, &grid, &loss);
    for (int n = 0; n < 12; n++) {
        const double odd = (2 * n + 1) * WINDS_SPEED / (4.0 * length);
        double peak[2] = {0.0, 0.0}, f[2] = {0.0, 0.0};
        for (double at = 0.95 * odd; at < odd; at += 2e-5 * odd) {
            const double size[2] = {cabs(impedance(&p, at)) / unit, cabs(tube_impedance(at, radius, length))};
            for (int i = 0; i < 2; i++) {
                f[i] = size[i] > peak[i] ? at : f[i];
                peak[i] = fmax(peak[i], size[i]);
            }
        }
        assert_within(cents(f[0], f[1]), 0.0, 1.5);
        assert_within(peak[0] / peak[1], 1.0, 0.06);
    }
    bore_free(&p.bore);
}

static void what_a_bore_cannot_be_is_refused(void **state)
{
    (void)state;
    struct bore_grid grid = grid_at(48000.0);
    double volume[8] = {1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6};
    struct bore b;
    struct error e;
    assert_int_equal(bore_make(&b, volume, 8, &grid, NULL, &e), 0);
    bore_free(&b);
    assert_int_equal(bore_make(&b, volume, 7, &grid, NULL, &e), -1);
    volume[3] = 0.0;
    assert_int_equal(bore_make(&b, volume, 8, &grid, NULL, &e), -1);
    volume[3] = NAN;
    assert_int_equal(bore_make(&b, volume, 8, &grid, NULL, &e), -1);
    volume[3] = 1e-6;
    grid.spacing *= 0.998;
    assert_int_equal(bore_make(&b, volume, 8, &grid, NULL, &e), -1);
    bore_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cylinder_closed_at_one_end_resonates_at_odd_multiples),
        cmocka_unit_test(a_cone_resonates_as_its_closed_form_says),
        cmocka_unit_test(a_profile_of_cones_and_steps_has_its_volume),
        cmocka_unit_test(any_areas_are_stable_up_to_ck_equal_to_h),
        cmocka_unit_test(walls_drag_with_the_root_of_frequency_at_any_rate),
        cmocka_unit_test(a_tube_with_walls_has_the_resonances_of_lossy_plane_waves),
        cmocka_unit_test(what_a_bore_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
