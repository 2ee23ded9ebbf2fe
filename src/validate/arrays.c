/* SPDX-License-Identifier: MIT */
#include "validate/arrays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "solver/engine.h"

enum { CASES = 20 };

size_t arrays_points(const struct problem *p)
{
    return p->points[0] * p->points[1] * p->points[2];
}

double arrays_value(const void *values, size_t i, enum precision precision)
{
    return precision == PRECISION_DOUBLE ? ((const double *)values)[i] : (double)((const float *)values)[i];
}

void arrays_set(void *values, size_t i, enum precision precision, double value)
{
    if (precision == PRECISION_DOUBLE)
        ((double *)values)[i] = value;
    else
        ((float *)values)[i] = (float)value;
}

void *arrays_random(const struct problem *p, struct random *random)
{
    const size_t count = arrays_points(p);
    void *values = malloc(count * sizeof(double));
    for (size_t i = 0; values && i < count; i++)
        arrays_set(values, i, p->precision, random_unit(random) - 0.5);
    return values;
}

int arrays_compute(void *output, const char *output_array, const char *input_array, const void *input, size_t steps,
                   const struct problem *p, const struct solver_options *c, struct error *e)
{
    const struct block silence = {0};
    struct solver *solver = NULL;
    memset(output, 0xff, arrays_points(p) * (precision_bytes(p->precision))); /* NaN */
    const int status = solver_open(&solver, p, c, e) || solver_put(solver, input_array, 0, p->points[2], input, e) ||
                       solver_run(solver, steps, &silence, e) ||
                       solver_get(solver, output_array, 0, p->points[2], output, e);
    solver_close(solver);
    return status ? -1 : 0;
}

/* Largest difference relative to the largest expected value; NaN when any value is. */
static double arrays_difference(const void *got, const void *expected, size_t count, enum precision precision)
{
    double worst = 0.0, peak = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double b = arrays_value(expected, i, precision);
        peak = fmax(peak, fabs(b));
        worst = nan_max(worst, fabs(arrays_value(got, i, precision) - b));
    }
    return worst > 0.0 || isnan(worst) ? worst / peak : 0.0;
}

struct tally {
    double worst;
    size_t cases;
    char reason[200]; /* reason of the last kernel that did not apply */
};

/* Runs one problem with one kernel. If the kernel does not apply, the reason is recorded. */
static int try_kernel(struct tally *tally, const struct array_family *family, const struct problem *p,
                      const struct solver_options *c, const void *input, const void *expected, void *got,
                      struct error *e)
{
    struct error reason;
    if (arrays_compute(got, family->output, family->input, input, family->steps, p, c, &reason)) {
        if (reason.code != ERROR_ENGINE)
            return fail(e, reason.code, "%s: %.900s", c->kernel, reason.message);
        snprintf(tally->reason, sizeof tally->reason, "%.199s", reason.message);
        return 0;
    }
    tally->worst = nan_max(tally->worst, arrays_difference(got, expected, arrays_points(p), p->precision));
    tally->cases++;
    return 0;
}

static int try_case(struct tally *tally, const struct array_family *family, const struct engine *engine,
                    struct validation *v, enum precision precision, struct error *e)
{
    const struct solver_options reference = {.engine = "cpu", .kernel = "reference"};
    void *parameters = calloc(1, family->parameters_bytes);
    if (!parameters)
        return fail(e, ERROR_MEMORY, "out of memory");
    struct problem p = {.scheme = family->scheme, .parameters = parameters, .precision = precision};
    family->draw(&p, parameters, &v->random);
    void *input = arrays_random(&p, &v->random);
    void *expected = malloc(arrays_points(&p) * sizeof(double)), *got = malloc(arrays_points(&p) * sizeof(double));
    int status = input && expected && got ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    status = status || arrays_compute(expected, family->output, family->input, input, family->steps, &p, &reference, e);
    for (size_t k = 0; engine->kernel_name(family->scheme, k) && !status; k++) {
        struct solver_options c = v->choice;
        c.engine = engine->name;
        c.kernel = engine->kernel_name(family->scheme, k);
        if (v->choice.kernel && strcmp(v->choice.kernel, c.kernel) != 0)
            continue;
        status = try_kernel(&tally[k], family, &p, &c, input, expected, got, e);
    }
    free(parameters);
    free(input);
    free(expected);
    free(got);
    return status;
}

int arrays_check_name(const struct engine *engine, const struct scheme *scheme, const char *kernel, struct error *e)
{
    if (!kernel)
        return 0;
    if (!strcmp(kernel, "reference"))
        return fail(e, ERROR_USAGE, "--kernel reference: the other kernels are compared with this one; choose another");
    for (size_t k = 0; engine->kernel_name(scheme, k); k++)
        if (!strcmp(kernel, engine->kernel_name(scheme, k)))
            return 0;
    return fail(e, ERROR_USAGE, "--kernel %s: unknown kernel of the %s engine for this scheme", kernel, engine->name);
}

static void report_kernels(struct report *r, const struct tally *tally, const struct array_family *family,
                           const struct engine *engine, const struct validation *v, enum precision precision)
{
    const bool same_bits = !strcmp(engine->name, "cpu");
    const double bound = same_bits ? 0.0 : precision == PRECISION_DOUBLE ? 1e-12 : 1e-5;
    const char *name;
    for (size_t k = 0; (name = engine->kernel_name(family->scheme, k)); k++) {
        if (!strcmp(name, "reference") || (v->choice.kernel && strcmp(v->choice.kernel, name) != 0))
            continue;
        if (!tally[k].cases)
            report_skip(r, name, tally[k].reason);
        else
            report_bound(r, "kernels", tally[k].worst, bound,
                         "%s/%s, %s: %zu random grids, largest error relative to peak", engine->name, name,
                         precision_names[precision], tally[k].cases);
    }
}

static int check_precision_of(const struct array_family *family, const struct engine *engine, struct validation *v,
                              enum precision precision, struct report *r, struct error *e)
{
    struct tally *tally = calloc(validation_kernels(engine, family->scheme), sizeof *tally);
    int status = tally ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (int i = 0; i < (v->cases ? v->cases : CASES) && !status; i++)
        status = try_case(tally, family, engine, v, precision, e);
    if (!status)
        report_kernels(r, tally, family, engine, v, precision);
    free(tally);
    return status;
}

int arrays_check_kernels(const struct array_family *family, struct validation *v, struct report *r, struct error *e)
{
    const struct engine *engine = solver_engine(&v->choice, e);
    return !engine || arrays_check_name(engine, family->scheme, v->choice.kernel, e) ||
                   check_precision_of(family, engine, v, PRECISION_SINGLE, r, e) ||
                   check_precision_of(family, engine, v, PRECISION_DOUBLE, r, e)
               ? -1
               : 0;
}
