/* SPDX-License-Identifier: MIT */
#include "render/synth/airy_functions.h"

#include <math.h>

#include "render/synth/ritz_functions.h"

enum { RADIAL_MIN = 4, ALONG_MIN = 4 };
/* Degrees stay below twice the points of the Gauss rule. */
enum { POINTS = 48 };

void airy_functions_free(struct airy_functions *a)
{
    for (int i = 0; i <= AIRY_ANGULAR_MAX; i++)
        banded_free(&a->factor[i]);
}

/* ---- discs */

/* (1 - u)² P_j(2u - 1) and its derivatives by u = r². */
static void list_radial(struct jet f[AIRY_RADIAL_MAX], double u)
{
    const struct jet edge = {(1.0 - u) * (1.0 - u), -2.0 * (1.0 - u), 2.0};
    ritz_functions(f, AIRY_RADIAL_MAX, 2.0 * u - 1.0, 0);
    for (int j = 0; j < AIRY_RADIAL_MAX; j++)
        f[j] = jet_times(edge, (struct jet){f[j].value, 2.0 * f[j].slope, 4.0 * f[j].curvature});
}

/* ∬ ∇²∇² over the unit disc: ∇² r^m g(u) cos mθ = 4 r^m (u g'' + (m + 1) g') cos mθ, and dx dy = ½ du dθ. */
static int make_order(struct banded *k, size_t radial, int m)
{
    const double turn = m ? M_PI : 2.0 * M_PI;
    if (banded_make(k, radial, radial - 1))
        return -1;
    for (int q = 0; q < POINTS; q++) {
        struct jet f[AIRY_RADIAL_MAX];
        double x, weight, laplacian[AIRY_RADIAL_MAX];
        gauss_point(&x, &weight, POINTS, q);
        const double u = 0.5 * (x + 1.0), scale = 4.0 * turn * weight * pow(u, m);
        list_radial(f, u);
        for (size_t j = 0; j < radial; j++)
            laplacian[j] = u * f[j].curvature + (m + 1) * f[j].slope;
        for (size_t i = 0; i < radial; i++)
            for (size_t j = 0; j <= i; j++)
                *banded_at(k, i, j) += scale * laplacian[i] * laplacian[j];
    }
    banded_factor(k);
    return 0;
}

/* x := L⁻¹ x: from the forms to orthonormal functions. */
static void orthonormalize(double *x, const struct banded *factor)
{
    for (size_t i = 0; i < factor->count; i++) {
        for (size_t j = 0; j < i; j++)
            x[i] -= *banded_at(factor, i, j) * x[j];
        x[i] /= *banded_at(factor, i, i);
    }
}

/* cos mθ of an even m is even along both axes, of an odd m odd along the first; sin mθ of an odd m is odd along the
 * second, of an even m along both. */
static int disc_parity(int m, int sine)
{
    return sine ? (m % 2 ? ODD_ACROSS : ODD_ALONG | ODD_ACROSS) : m % 2 ? ODD_ALONG : 0;
}

static void disc_at(double *value, const struct airy_functions *a, int parity, double x, double y)
{
    const double radius = a->half[0], u = (x * x + y * y) / (radius * radius);
    struct jet f[AIRY_RADIAL_MAX];
    double power[2] = {1.0, 0.0}; /* r^m cos mθ, r^m sin mθ */
    list_radial(f, fmin(u, 1.0));
    for (int m = 0; m <= (int)a->angular; m++) {
        for (int sine = 0; sine < 2; sine++) {
            if (disc_parity(m, sine) != parity || (!m && sine))
                continue;
            for (size_t j = 0; j < a->radial; j++)
                value[j] = radius * power[sine] * f[j].value;
            orthonormalize(value, &a->factor[m]);
            value += a->radial;
        }
        const double cosine = (power[0] * x - power[1] * y) / radius;
        power[1] = (power[1] * x + power[0] * y) / radius;
        power[0] = cosine;
    }
}

/* ---- rectangles */

static size_t count_along(const struct airy_functions *a, int parity, int axis)
{
    const size_t odd = parity >> axis & 1;
    return (a->along[axis] + 1 - odd) / 2;
}

/* Integrals over -1..1 of the functions of one parity along an axis: f_i f_j, f_i'' f_j'' and f_i'' f_j, which is
 * symmetric as f and f' are 0 at the ends. */
struct products {
    double plain[AIRY_ALONG_MAX][AIRY_ALONG_MAX], bend[AIRY_ALONG_MAX][AIRY_ALONG_MAX],
        mixed[AIRY_ALONG_MAX][AIRY_ALONG_MAX];
};

static void integrate(struct products *p, size_t count, size_t odd)
{
    *p = (struct products){.plain = {{0.0}}};
    for (int q = 0; q < POINTS; q++) {
        struct jet all[AIRY_ALONG_MAX + 2];
        double x, weight;
        gauss_point(&x, &weight, POINTS, q);
        ritz_functions(all, AIRY_ALONG_MAX + 2, x, 2);
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < count; j++) {
                const struct jet f = all[2 * i + odd], g = all[2 * j + odd];
                p->plain[i][j] += weight * f.value * g.value;
                p->bend[i][j] += weight * f.curvature * g.curvature;
                p->mixed[i][j] += weight * f.curvature * g.value;
            }
    }
}

/* ∬ ∇²∇² of f_i(x/a) f_j(y/b), with half sides a, b. */
static int make_parity(struct airy_functions *r, int parity)
{
    const size_t n[2] = {count_along(r, parity, 0), count_along(r, parity, 1)}, count = n[0] * n[1];
    const double a = r->half[0], b = r->half[1];
    struct products x, y;
    integrate(&x, n[0], parity & ODD_ALONG ? 1 : 0);
    integrate(&y, n[1], parity & ODD_ACROSS ? 1 : 0);
    if (banded_make(&r->factor[parity], count, count - 1))
        return -1;
    for (size_t row = 0; row < count; row++)
        for (size_t column = 0; column <= row; column++) {
            const size_t i = row / n[1], j = row % n[1], k = column / n[1], l = column % n[1];
            *banded_at(&r->factor[parity], row, column) = b / (a * a * a) * x.bend[i][k] * y.plain[j][l] +
                                                          a / (b * b * b) * x.plain[i][k] * y.bend[j][l] +
                                                          2.0 * x.mixed[i][k] * y.mixed[j][l] / (a * b);
        }
    banded_factor(&r->factor[parity]);
    return 0;
}

static void rectangle_at(double *value, const struct airy_functions *a, int parity, double x, double y)
{
    const size_t n[2] = {count_along(a, parity, 0), count_along(a, parity, 1)};
    const size_t odd[2] = {parity & ODD_ALONG ? 1 : 0, parity & ODD_ACROSS ? 1 : 0};
    struct jet f[AIRY_ALONG_MAX + 2], g[AIRY_ALONG_MAX + 2];
    ritz_functions(f, AIRY_ALONG_MAX + 2, x / a->half[0], 2);
    ritz_functions(g, AIRY_ALONG_MAX + 2, y / a->half[1], 2);
    for (size_t i = 0; i < n[0]; i++)
        for (size_t j = 0; j < n[1]; j++)
            value[i * n[1] + j] = f[2 * i + odd[0]].value * g[2 * j + odd[1]].value;
    orthonormalize(value, &a->factor[parity]);
}

/* ---- both */

static size_t within(double wanted, int low, int high)
{
    return (size_t)fmin(fmax(round(wanted), low), high);
}

int airy_functions_make(struct airy_functions *a, const struct surface_plan *plan, const double spacing[2],
                        struct error *e)
{
    const bool disc = plan->outline == SURFACE_CIRCLE;
    const double cells[2] = {plan->half[0] / spacing[0], plan->half[1] / spacing[1]};
    int status = 0;
    *a = (struct airy_functions){.outline = plan->outline, .half = {plan->half[0], plan->half[1]}};
    a->radial = within(cells[0] / 2.75, RADIAL_MIN, AIRY_RADIAL_MAX);
    a->angular = a->radial * 7 / 4;
    for (int axis = 0; axis < 2 && !disc; axis++)
        a->along[axis] = within(cells[axis] / 1.4, ALONG_MIN, AIRY_ALONG_MAX);
    for (int m = 0; m <= (int)a->angular && disc && !status; m++) {
        status = make_order(&a->factor[m], a->radial, m);
        for (int sine = 0; sine < (m ? 2 : 1); sine++)
            a->count[disc_parity(m, sine)] += a->radial;
    }
    for (int parity = 0; parity < PARITIES && !disc && !status; parity++) {
        status = make_parity(a, parity);
        a->count[parity] = count_along(a, parity, 0) * count_along(a, parity, 1);
    }
    return status ? fail(e, ERROR_MEMORY, "out of memory") : 0;
}

void airy_functions_at(double *value, const struct airy_functions *a, int parity, double x, double y)
{
    const bool disc = a->outline == SURFACE_CIRCLE;
    const bool inside = disc ? hypot(x, y) < a->half[0] : fabs(x) < a->half[0] && fabs(y) < a->half[1];
    for (size_t i = 0; i < a->count[parity] && !inside; i++)
        value[i] = 0.0;
    if (inside)
        (disc ? disc_at : rectangle_at)(value, a, parity, x, y);
}
