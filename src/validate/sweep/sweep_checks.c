/* SPDX-License-Identifier: MIT */
/* The general sweep: every kernel compared with the reference, the reference with an independent
 * direct evaluation, and stencils applied to polynomials that they differentiate exactly. */
#include <math.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "solver/schemes/sweep/sweep.h"
#include "validate/arrays.h"
#include "validate/sweep/commands.h"

struct stencil {
    int dimensions, radius;
};
static const struct stencil shapes[] = {{1, 1}, {1, 2}, {1, 3}, {2, 1}, {2, 2}, {3, 1}, {3, 2}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static int size_of(struct stencil s)
{
    return 1 + 2 * s.dimensions * s.radius;
}

static void set_shape(struct problem *p, struct sweep_problem *sweep, struct stencil s, struct random *random)
{
    for (int axis = 0; axis < 3; axis++)
        p->points[axis] = axis < s.dimensions ? random_between(random, 1, s.dimensions == 1 ? 3000 : 70) : 1;
    sweep->dimensions = s.dimensions;
    sweep->radius = s.radius;
    for (int i = 0; i < size_of(s); i++)
        sweep->coefficients[i] = (random_unit(random) - 0.5) / size_of(s);
}

/* Draws a problem; half of them have seven points in three dimensions, the case that most
 * kernels support. */
static void draw(struct problem *p, void *parameters, struct random *random)
{
    const size_t i = random_between(random, 0, 2 * SHAPES - 1);
    set_shape(p, parameters, i < SHAPES ? shapes[i] : (struct stencil){3, 1}, random);
}

static int check_every_kernel(struct validation *v, struct report *r, struct error *e)
{
    static const struct array_family family = {&sweep_scheme, sizeof(struct sweep_problem), "u", "u", 5, draw};
    return arrays_check_kernels(&family, v, r, e);
}

/* One point of a sweep in double precision, directly from the definition, without code of the
 * kernels: neighbours are found by their coordinates and summed in long double. */
static double expected_at(const struct problem *p, const double *u, size_t i)
{
    const struct sweep_problem *s = sweep_of(p);
    const size_t nx = p->points[0], ny = p->points[1], at[3] = {i % nx, i / nx % ny, i / nx / ny};
    const size_t stride[3] = {1, nx, nx * ny};
    long double sum = (long double)s->coefficients[0] * u[i];
    for (int axis = 0; axis < s->dimensions; axis++)
        if (at[axis] < (size_t)s->radius || at[axis] + (size_t)s->radius >= p->points[axis])
            return u[i];
    for (int axis = 0; axis < s->dimensions; axis++)
        for (int distance = 1; distance <= s->radius; distance++) {
            const double *pair = &s->coefficients[1 + 2 * ((distance - 1) * s->dimensions + axis)];
            sum += (long double)pair[0] * u[i - (size_t)distance * stride[axis]];
            sum += (long double)pair[1] * u[i + (size_t)distance * stride[axis]];
        }
    return (double)sum;
}

static int compare_direct(double *worst, struct stencil shape, struct validation *v, struct error *e)
{
    struct sweep_problem sweep;
    struct problem p = {.scheme = &sweep_scheme, .parameters = &sweep, .precision = PRECISION_DOUBLE};
    set_shape(&p, &sweep, shape, &v->random);
    const size_t count = arrays_points(&p);
    double *input = arrays_random(&p, &v->random), *output = malloc(count * sizeof *output);
    int status = input && output ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    status = status || arrays_compute(output, "u", "u", input, 1, &p, &v->choice, e);
    for (size_t i = 0; i < count && !status; i++)
        *worst = nan_max(*worst, fabs(output[i] - expected_at(&p, input, i)));
    free(input);
    free(output);
    return status;
}

static int check_direct(struct validation *v, struct report *r, struct error *e)
{
    for (int i = 0; i < SHAPES; i++) {
        double worst = 0.0;
        for (int n = 0; n < 8; n++)
            if (compare_direct(&worst, shapes[i], v, e))
                return -1;
        report_bound(r, "direct", worst, 1e-15, "%dD, %d points, random data: error relative to the sum in long double",
                     shapes[i].dimensions, size_of(shapes[i]));
    }
    return 0;
}

/* Weights of the second derivative at distances 0 .. radius, of order 2 radius; exact for polynomials up to the degree
 * 2 radius + 1 (Fornberg 1988, table 1). */
static const double second_derivative[3][4] = {
    {-2.0, 1.0},
    {-5.0 / 2.0, 4.0 / 3.0, -1.0 / 12.0},
    {-49.0 / 18.0, 3.0 / 2.0, -3.0 / 20.0, 1.0 / 90.0},
};

/* x^degree + y^degree + z^degree over the axes of the problem, with spacing 1 around the middle, or its Laplacian. */
static double polynomial(const struct problem *p, size_t i, int degree, bool laplacian)
{
    const size_t nx = p->points[0], ny = p->points[1], at[3] = {i % nx, i / nx % ny, i / nx / ny};
    double sum = 0.0;
    for (int axis = 0; axis < sweep_of(p)->dimensions; axis++) {
        const double x = (double)at[axis] - (double)(p->points[axis] / 2);
        sum += laplacian ? (degree < 2 ? 0.0 : degree * (degree - 1) * pow(x, degree - 2)) : pow(x, degree);
    }
    return sum;
}

static int compare_polynomial(double *worst, struct stencil shape, int degree, struct validation *v, struct error *e)
{
    struct sweep_problem sweep = {.dimensions = shape.dimensions, .radius = shape.radius};
    struct problem p = {
        .scheme = &sweep_scheme, .parameters = &sweep, .points = {1, 1, 1}, .precision = PRECISION_DOUBLE};
    const double *weights = second_derivative[shape.radius - 1];
    for (int axis = 0; axis < shape.dimensions; axis++)
        p.points[axis] = 17;
    sweep.coefficients[0] = shape.dimensions * weights[0];
    for (int k = 1; k < size_of(shape); k++)
        sweep.coefficients[k] = weights[1 + (k - 1) / (2 * shape.dimensions)];
    const size_t count = arrays_points(&p);
    double *input = malloc(count * sizeof *input), *output = malloc(count * sizeof *output), peak = 1.0;
    int status = input && output ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count && !status; i++) {
        input[i] = polynomial(&p, i, degree, false);
        peak = fmax(peak, fabs(input[i]));
    }
    status = status || arrays_compute(output, "u", "u", input, 1, &p, &v->choice, e);
    for (size_t i = 0; i < count && !status; i++) {
        const size_t nx = p.points[0], ny = p.points[1], at[3] = {i % nx, i / nx % ny, i / nx / ny};
        bool inside = true;
        for (int axis = 0; axis < shape.dimensions; axis++)
            inside = inside && at[axis] >= (size_t)shape.radius && at[axis] + (size_t)shape.radius < p.points[axis];
        const double expected = inside ? polynomial(&p, i, degree, true) : input[i];
        *worst = nan_max(*worst, fabs(output[i] - expected) / peak);
    }
    free(input);
    free(output);
    return status;
}

static int check_polynomials(struct validation *v, struct report *r, struct error *e)
{
    for (int i = 0; i < SHAPES; i++) {
        const int exact = 2 * shapes[i].radius + 1;
        double worst = 0.0, beyond = 0.0;
        for (int degree = 0; degree <= exact; degree++)
            if (compare_polynomial(&worst, shapes[i], degree, v, e))
                return -1;
        if (compare_polynomial(&beyond, shapes[i], exact + 1, v, e))
            return -1;
        report_bound(r, "polynomials", worst, 1e-13,
                     "%dD, %d points: error of the Laplacian of polynomials up to degree %d", shapes[i].dimensions,
                     size_of(shapes[i]), exact);
        report_figure(r, "polynomials", beyond, "    error at degree %d, which exceeds the order of the stencil",
                      exact + 1);
    }
    return 0;
}

static const struct check kernels = {"kernels", check_every_kernel};
static const struct check direct = {"direct", check_direct};
static const struct check polynomials = {"polynomials", check_polynomials};

const struct check *const sweep_checks[] = {&kernels, &direct, &polynomials, NULL};
