/* SPDX-License-Identifier: MIT */
/* The eighth-order derivative: every kernel compared with the reference, the published run, and
 * the order of convergence. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "solver/schemes/derivative/derivative.h"
#include "validate/arrays.h"
#include "validate/derivative/commands.h"

static const char *const axis_names[] = {"x", "y", "z"};

static void draw(struct problem *p, void *parameters, struct random *random)
{
    struct derivative_problem *d = parameters;
    for (int axis = 0; axis < 3; axis++)
        p->points[axis] = random_between(random, 9, 80);
    d->axis = (int)random_between(random, 0, 2);
    d->spacing = 0.1 + random_unit(random);
}

static int check_every_kernel(struct validation *v, struct report *r, struct error *e)
{
    static const struct array_family family = {
        &derivative_scheme, sizeof(struct derivative_problem), "f", "df", 2, draw};
    return arrays_check_kernels(&family, v, r, e);
}

struct errors {
    double rms, largest;
};

/* The argument 2 pi waves i / n. In single precision it is rounded as in the published program, whose error comes from
 * this rounding near 2 pi, amplified by 1/spacing. */
static double phase(size_t i, size_t n, int waves, enum precision precision)
{
    if (precision == PRECISION_DOUBLE)
        return 2.0 * M_PI * waves * (double)i / (double)n;
    return (double)((float)(2.0 * M_PI * waves) * (float)i / (float)n);
}

/* Errors for cos(2 pi waves x) over one period of n points along an axis, m points along the others, against -2 pi
 * waves sin(2 pi waves x). */
static int cosine_errors(struct errors *errors, size_t n, size_t m, int axis, int waves, enum precision precision,
                         const struct solver_options *c, struct error *e)
{
    const struct derivative_problem d = {axis, 1.0 / (double)n};
    struct problem p = {.scheme = &derivative_scheme, .parameters = &d, .points = {m, m, m}, .precision = precision};
    p.points[axis] = n;
    const size_t count = arrays_points(&p), stride = axis == 0   ? 1
                                                     : axis == 1 ? p.points[0]
                                                                 : p.points[0] * p.points[1];
    const double wavenumber = 2.0 * M_PI * waves;
    void *f = malloc(count * sizeof(double)), *df = malloc(count * sizeof(double));
    int status = f && df ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count && !status; i++)
        arrays_set(f, i, precision, cos(phase(i / stride % n, n, waves, precision)));
    status = status || arrays_compute(df, "df", "f", f, 1, &p, c, e);
    *errors = (struct errors){0};
    for (size_t i = 0; i < count && !status; i++) {
        const double exact = -wavenumber * sin(phase(i / stride % n, n, waves, precision));
        const double error = fabs(arrays_value(df, i, precision) - exact);
        errors->rms += error * error;
        errors->largest = nan_max(errors->largest, error);
    }
    errors->rms = sqrt(errors->rms / (double)count);
    free(f);
    free(df);
    return status;
}

/* The published run has 64 points, the last a repetition of the first: 63 distinct ones. */
static int check_published(struct validation *v, struct report *r, struct error *e)
{
    for (int axis = 0; axis < 3; axis++) {
        struct errors errors;
        if (cosine_errors(&errors, 63, 64, axis, 1, PRECISION_SINGLE, &v->choice, e))
            return -1;
        report_bound(r, "published", errors.rms, 8e-6,
                     "cosine of 63 points, spacing 1/63, single, along %s: RMS error; published 5.77e-6 (x)",
                     axis_names[axis]);
        report_bound(r, "published", errors.largest, 4e-5, "    largest error; published 2.34e-5 (x)");
        if (cosine_errors(&errors, 63, 64, axis, 1, PRECISION_DOUBLE, &v->choice, e))
            return -1;
        report_bound(r, "published", errors.rms, 1e-10, "    in double: RMS error");
    }
    return 0;
}

static int check_order(struct validation *v, struct report *r, struct error *e)
{
    static const size_t sizes[] = {32, 48, 64, 96, 128};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    for (int axis = 0; axis < 3; axis++) {
        double mean[2] = {0, 0}, product = 0.0, square = 0.0, x[SIZES], y[SIZES];
        for (int i = 0; i < SIZES; i++) {
            struct errors errors;
            if (cosine_errors(&errors, sizes[i], sizes[i], axis, 2, PRECISION_DOUBLE, &v->choice, e))
                return -1;
            x[i] = log((double)sizes[i]);
            y[i] = log(errors.rms);
            mean[0] += x[i] / SIZES;
            mean[1] += y[i] / SIZES;
        }
        for (int i = 0; i < SIZES; i++) {
            product += (x[i] - mean[0]) * (y[i] - mean[1]);
            square += (x[i] - mean[0]) * (x[i] - mean[0]);
        }
        report_bound(r, "order", fabs(-product / square - 8.0), 0.2,
                     "order of convergence along %s from 32^3 to 128^3 is %.3f: difference from 8", axis_names[axis],
                     -product / square);
    }
    return 0;
}

static const struct check kernels = {"kernels", check_every_kernel};
static const struct check published = {"published", check_published};
static const struct check order = {"order", check_order};

const struct check *const derivative_checks[] = {&kernels, &published, &order, NULL};
