/* SPDX-License-Identifier: MIT */
/* The stretching energy of plates on their grids: its gradient, its sign, and its value for modes of discs and
 * squares. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "render/synth/airy_functions.h"
#include "render/synth/plate_modes.h"
#include "support/random_cases.h"

#include <cmocka.h>

#include "support/within.h"
#include "unit/render/stretched_plate.h"

static double energy_of(struct plate *p, const double *w)
{
    return plate_stretching(p->stretching, w, p->gradient, p->scratch);
}

/* The kinds of plates, with 9 cells each. */
static const struct {
    const char *name;
    enum surface_outline outline;
    enum surface_edge edge;
    double across;
} kinds[] = {
    {"free disc", SURFACE_CIRCLE, SURFACE_FREE, 1.0},
    {"clamped disc", SURFACE_CIRCLE, SURFACE_CLAMPED, 1.0},
    {"supported rectangle", SURFACE_RECTANGLE, SURFACE_SUPPORTED, 0.7},
    {"free rectangle", SURFACE_RECTANGLE, SURFACE_FREE, 0.7},
    {"clamped rectangle", SURFACE_RECTANGLE, SURFACE_CLAMPED, 0.5},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void kind_make(struct plate *p, int kind)
{
    const size_t cells = kinds[kind].outline == SURFACE_CIRCLE ? 9 : 18;
    plate_make(p, bronze(kinds[kind].outline, kinds[kind].edge, kinds[kind].across, 0.34, cells));
}

static void draw(double *w, const struct plate *p, struct random *r)
{
    for (size_t i = 0; i < p->nodes; i++)
        w[i] = p->surface->kind[i] ? thickness * random_normal(r) : 0.0;
}

/* V is a quartic form, whose central difference with steps e and 2 e has no error but rounding. */
static double slope_of(struct plate *p, const double *w, const double *direction)
{
    double *moved = calloc(p->nodes, sizeof *moved), change[2];
    assert_non_null(moved);
    for (int k = 0; k < 2; k++) {
        double end[2];
        for (int side = 0; side < 2; side++) {
            for (size_t i = 0; i < p->nodes; i++)
                moved[i] = w[i] + (side ? -1.0 : 1.0) * (k + 1) * 0.25 * direction[i];
            end[side] = energy_of(p, moved);
        }
        change[k] = (end[0] - end[1]) / (0.5 * (k + 1));
    }
    free(moved);
    return (4.0 * change[0] - change[1]) / 3.0;
}

static void test_the_gradient_is_exact_and_the_energy_positive(void **state)
{
    (void)state;
    struct random r = random_cases("gradient of plates");
    for (int kind = 0; kind < KINDS; kind++) {
        struct plate p;
        kind_make(&p, kind);
        double *direction = calloc(p.nodes, sizeof *direction), expected = 0.0, size = 0.0;
        assert_non_null(direction);
        draw(p.w, &p, &r);
        draw(direction, &p, &r);
        const double slope = slope_of(&p, p.w, direction), energy = energy_of(&p, p.w);
        assert_true(energy > 0.0);
        for (size_t i = 0; i < p.nodes; i++) {
            expected += p.gradient[i] * direction[i];
            size += fabs(p.gradient[i] * direction[i]);
            assert_true(p.surface->kind[i] || p.gradient[i] == 0.0);
        }
        print_message("%s: gradient off by %.1e\n", kinds[kind].name, fabs(slope - expected) / size);
        assert_within(slope, expected, 1e-11 * size);
        free(direction);
        plate_free(&p);
    }
}

/* s at a node from the displacement d there. */
static double curvature_at(const struct plate *p, const double *d, size_t at)
{
    const size_t nx = p->surface->nx;
    const double hx = p->grid.spacing[0], hy = p->grid.spacing[1];
    double squares = 0.0;
    for (size_t corner = 0; corner < 4; corner++) {
        const size_t low = at - (corner & 1) - (corner >> 1) * nx;
        const double twist = (d[low] - d[low + 1] - d[low + nx] + d[low + nx + 1]) / (hx * hy);
        squares += 0.25 * twist * twist;
    }
    return (d[at - 1] - 2.0 * d[at] + d[at + 1]) / (hx * hx) * (d[at - nx] - 2.0 * d[at] + d[at + nx]) / (hy * hy) -
           squares;
}

/* Node by node over the whole plate, every function in double precision. */
static double energy_without_symmetry(const struct plate *p)
{
    const size_t nx = p->surface->nx, ny = p->surface->ny;
    struct airy_functions a;
    struct error e;
    double *d = calloc(p->nodes, sizeof *d), sum[PARITIES][AIRY_MAX] = {{0.0}}, total = 0.0;
    assert_non_null(d);
    assert_int_equal(airy_functions_make(&a, &p->plan, p->grid.spacing, &e), 0);
    for (size_t i = 0; i < p->nodes; i++)
        d[i] = p->surface->lightness[i] * p->w[i];
    for (size_t y = 1; y + 1 < ny; y++)
        for (size_t x = 1; x + 1 < nx; x++) {
            const size_t at = y * nx + x;
            bool known = p->surface->kind[at] != 0;
            for (size_t i = 0; i < 9 && p->plan.edge == SURFACE_FREE; i++)
                known = known && p->surface->kind[at + i % 3 - 1 + (i / 3) * nx - nx];
            for (int parity = 0; parity < PARITIES && known; parity++) {
                double value[AIRY_MAX];
                airy_functions_at(value, &a, parity, p->grid.first[0] + (double)x * p->grid.spacing[0],
                                  p->grid.first[1] + (double)y * p->grid.spacing[1]);
                for (size_t q = 0; q < a.count[parity]; q++)
                    sum[parity][q] += p->grid.spacing[0] * p->grid.spacing[1] * value[q] * curvature_at(p, d, at);
            }
        }
    for (int parity = 0; parity < PARITIES; parity++)
        for (size_t q = 0; q < a.count[parity]; q++)
            total += sum[parity][q] * sum[parity][q];
    airy_functions_free(&a);
    free(d);
    return 0.5 * p->stretching->stiffness * total;
}

static void test_quarters_give_the_energy_of_the_whole_plate(void **state)
{
    (void)state;
    struct random r = random_cases("quarters of plates");
    for (int kind = 0; kind < KINDS; kind++) {
        struct plate p;
        kind_make(&p, kind);
        draw(p.w, &p, &r);
        const double whole = energy_without_symmetry(&p);
        assert_within(energy_of(&p, p.w), whole, 1e-6 * whole);
        plate_free(&p);
    }
}

/* ∬ w² of cos nθ times a mode's radial part over the unit disc. */
static double mode_norm(const struct disc_mode *m)
{
    enum { STEPS = 2000 };
    double sum = 0.0;
    for (int i = 0; i < STEPS; i++) {
        const double r = (i + 0.5) / STEPS, w = disc_mode_at(m, r);
        sum += (m->order ? M_PI : 2.0 * M_PI) * r * w * w / STEPS;
    }
    return sum;
}

/* Γ of q'' + ω² q + 12 (1 - ν²) (H/R)² Γ q³ = 0 for a mode φ of the disc as the grid has it, with ∬ φ² = 1 over the
 * unit disc: Γ = 4 V R²/(E H) for a deflection of φ. */
static double cubic_coefficient(struct plate *p, int order)
{
    struct disc_mode mode;
    disc_mode_find(&mode, &p->plan, order);
    const double norm = mode_norm(&mode), radius = p->plan.half[0];
    for (size_t i = 0; i < p->nodes; i++) {
        const double x = p->grid.first[0] + (double)(i % p->surface->nx) * p->grid.spacing[0];
        const double y = p->grid.first[1] + (double)(i / p->surface->nx) * p->grid.spacing[1];
        const double w = disc_mode_at(&mode, hypot(x, y) / radius) * cos(order * atan2(y, x));
        p->w[i] = p->surface->kind[i] ? w / p->surface->lightness[i] : 0.0;
    }
    return 4.0 * energy_of(p, p->w) * radius * radius / (young * thickness * norm * norm);
}

/* Coefficients by functions of angle and radius over the true disc, converged to their digits and found without any
 * grid. C. Touzé, O. Thomas and A. Chaigne, Journal of Sound and Vibration 258, 2002, print 1.898 for (2,0). The bounds
 * are those of the staircase. */
static void test_modes_of_discs_stiffen_as_the_exact_ones(void **state)
{
    (void)state;
    static const int orders[] = {2, 0, 3};
    static const double exact[] = {1.8966, 8.529, 16.93};
    static const struct {
        size_t cells;
        double plain, bound[3]; /* error of (2,0) without the weight, of all with it */
    } grids[] = {{9, 0.02, {1e-4, 2e-3, 0.026}}, {16, 6e-3, {1e-4, 2e-3, 8e-3}}, {32, 1.2e-3, {1e-4, 1e-3, 1.2e-3}}};
    for (int i = 0; i < 3; i++) {
        struct plate p;
        plate_make(&p, bronze(SURFACE_CIRCLE, SURFACE_FREE, 1.0, 0.33, grids[i].cells));
        for (int k = 0; k < 3; k++) {
            const double value = cubic_coefficient(&p, orders[k]);
            print_message("%zu cells, (%d,%d): %.4f, %+.2f %%, without the weight %+.2f %%\n", grids[i].cells,
                          orders[k], !orders[k], value, 100.0 * (value / exact[k] - 1.0),
                          100.0 * (value / p.fit.weight / exact[k] - 1.0));
            assert_within(value, exact[k], grids[i].bound[k] * exact[k]);
            if (k == 0)
                assert_within(value / p.fit.weight, exact[k], grids[i].plain * exact[k]);
        }
        plate_free(&p);
    }
}

/* V = ½ E H c A⁴/a² for w = A sin(πx/a) sin(πy/a) on a square of side a, c by a converged sum of another basis. */
static void test_a_supported_square_stores_the_exact_energy(void **state)
{
    (void)state;
    static const double c = 0.79049408;
    struct plate p;
    plate_make(&p, bronze(SURFACE_RECTANGLE, SURFACE_SUPPORTED, 1.0, 0.3, 16));
    const double side = 2.0 * p.plan.half[0], exact = 0.5 * young * thickness * c / (side * side);
    for (size_t i = 0; i < p.nodes; i++) {
        const double x = p.grid.first[0] + (double)(i % p.surface->nx) * p.grid.spacing[0];
        const double y = p.grid.first[1] + (double)(i / p.surface->nx) * p.grid.spacing[1];
        p.w[i] = p.surface->kind[i] ? cos(M_PI * x / side) * cos(M_PI * y / side) : 0.0;
    }
    const double energy = energy_of(&p, p.w);
    print_message("supported square: %+.1e, without the weight %+.2f %%\n", energy / exact - 1.0,
                  100.0 * (energy / p.fit.weight / exact - 1.0));
    assert_within(energy, exact, 2e-4 * exact);
    assert_within(energy / p.fit.weight, exact, 0.03 * exact);
    plate_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_gradient_is_exact_and_the_energy_positive),
        cmocka_unit_test(test_quarters_give_the_energy_of_the_whole_plate),
        cmocka_unit_test(test_modes_of_discs_stiffen_as_the_exact_ones),
        cmocka_unit_test(test_a_supported_square_stores_the_exact_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
