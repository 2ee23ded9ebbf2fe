/* SPDX-License-Identifier: MIT */
/* Airy functions of plates: orthonormal, and zero with their slopes at the edge. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include "render/synth/airy_functions.h"
#include "render/synth/ritz_functions.h"

#include <cmocka.h>

#include "support/within.h"

static const struct surface_plan outlines[] = {
    {.outline = SURFACE_CIRCLE, .half = {0.2, 0.2}},
    {.outline = SURFACE_RECTANGLE, .half = {0.15, 0.15}},
    {.outline = SURFACE_RECTANGLE, .half = {0.5, 0.1}},
};
enum { OUTLINES = sizeof outlines / sizeof *outlines };

static void make(struct airy_functions *a, const struct surface_plan *p)
{
    struct error e;
    if (airy_functions_make(a, p, (double[2]){0.2 / 24.0, 0.2 / 24.0}, &e))
        fail_msg("%s", e.message);
}

/* ∇²Ψ of a parity by differences. */
static void laplacians(double *out, const struct airy_functions *a, int parity, double x, double y)
{
    const double h = 1e-4 * fmin(a->half[0], a->half[1]);
    static const double dx[] = {0, 1, -1, 0, 0}, dy[] = {0, 0, 0, 1, -1}, term[] = {-4, 1, 1, 1, 1};
    for (size_t q = 0; q < a->count[parity]; q++)
        out[q] = 0.0;
    for (int i = 0; i < 5; i++) {
        double value[AIRY_MAX];
        airy_functions_at(value, a, parity, x + dx[i] * h, y + dy[i] * h);
        for (size_t q = 0; q < a->count[parity]; q++)
            out[q] += term[i] * value[q] / (h * h);
    }
}

/* ∬ ∇²Ψ_p ∇²Ψ_q over a quarter, in polar coordinates for a disc. */
static double worst_product(const struct airy_functions *a, int parity)
{
    enum { POINTS = 50 };
    const bool disc = a->outline == SURFACE_CIRCLE;
    const size_t n = a->count[parity];
    double *sum = calloc(n * n, sizeof *sum), worst = 0.0;
    assert_non_null(sum);
    for (int i = 0; i < POINTS; i++)
        for (int j = 0; j < POINTS; j++) {
            double l[AIRY_MAX], u, v, wu, wv;
            gauss_point(&u, &wu, POINTS, i);
            gauss_point(&v, &wv, POINTS, j);
            u = 0.5 * (u + 1.0);
            v = 0.5 * (v + 1.0);
            const double angle = 0.5 * M_PI * v, scale = wu * wv * (disc ? 0.5 * M_PI * u : 1.0);
            laplacians(l, a, parity, a->half[0] * u * (disc ? cos(angle) : 1.0),
                       disc ? a->half[0] * u * sin(angle) : a->half[1] * v);
            for (size_t p = 0; p < n; p++)
                for (size_t q = 0; q <= p; q++)
                    sum[p * n + q] += scale * a->half[0] * a->half[1] * l[p] * l[q];
        }
    for (size_t p = 0; p < n; p++)
        for (size_t q = 0; q <= p; q++)
            if (!(fabs(sum[p * n + q] - (p == q)) <= worst))
                worst = fabs(sum[p * n + q] - (p == q));
    free(sum);
    return worst;
}

static void test_functions_are_orthonormal(void **state)
{
    (void)state;
    for (int i = 0; i < OUTLINES; i++)
        for (int parity = 0; parity < PARITIES; parity++) {
            struct airy_functions a;
            make(&a, &outlines[i]);
            const double worst = worst_product(&a, parity);
            print_message("outline %d, parity %d: %zu functions, off by %.2g\n", i, parity, a.count[parity], worst);
            assert_true(worst <= 1e-4);
            airy_functions_free(&a);
        }
}

/* At a distance d from the edge Ψ is below a constant times d². */
static void test_functions_vanish_at_the_edge_with_their_slopes(void **state)
{
    (void)state;
    for (int i = 0; i < OUTLINES; i++)
        for (int parity = 0; parity < PARITIES; parity++) {
            struct airy_functions a;
            double near[AIRY_MAX], nearer[AIRY_MAX];
            make(&a, &outlines[i]);
            for (int k = 0; k < 7; k++) {
                const bool disc = outlines[i].outline == SURFACE_CIRCLE;
                const double angle = 0.3 + k, *half = a.half;
                const double x = disc ? half[0] * cos(angle) : half[0] * cos(k),
                             y = disc ? half[1] * sin(angle) : half[1];
                airy_functions_at(near, &a, parity, (disc ? 1.0 - 2e-5 : 1.0) * x, (1.0 - 2e-5) * y);
                airy_functions_at(nearer, &a, parity, (disc ? 1.0 - 1e-5 : 1.0) * x, (1.0 - 1e-5) * y);
                for (size_t q = 0; q < a.count[parity]; q++)
                    assert_within(nearer[q], 0.25 * near[q], 1e-3 * fabs(near[q]) + 1e-15);
            }
            airy_functions_free(&a);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions_are_orthonormal),
        cmocka_unit_test(test_functions_vanish_at_the_edge_with_their_slopes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
