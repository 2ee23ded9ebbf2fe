/* SPDX-License-Identifier: MIT */
#include "render/calibrate/posterior.h"

#include <math.h>
#include <stdlib.h>

#include "base/acoustics/conventions.h"

static const double least_deviation = 0.15;

double calibrate_log_exponent(double absorption)
{
    return log(-log1p(-fmin(fmax(absorption, CALIBRATE_LEAST), CALIBRATE_LARGEST)));
}

double calibrate_absorption(double log_exponent)
{
    return fmin(-expm1(-exp(log_exponent)), CALIBRATE_LARGEST);
}

double calibrate_prior_deviation(double absorption, size_t octave)
{
    static const double slope[OCTAVE_BANDS] = {0.45, 0.18, 0.09, 0.05, 0.04, 0.035, 0.03, 0.026};
    static const double offset[OCTAVE_BANDS] = {0.015, 0.015, 0.015, 0.015, 0.015, 0.021, 0.04, 0.06};
    const double alpha = fmin(fmax(absorption, CALIBRATE_LEAST), CALIBRATE_LARGEST);
    const double uncertainty = slope[octave] * alpha + offset[octave];
    return fmax(uncertainty / ((1.0 - alpha) * -log1p(-alpha)), least_deviation);
}

/* The data that count, with S and S⁻¹ of their residuals and Jacobian. */
struct work {
    size_t count, materials;
    size_t datum[CALIBRATE_DATA];
    double *matrix;   /* [count][count]: R, then S, then its lower Cholesky factor */
    double *jacobian; /* [count][materials], becomes L⁻¹ J P */
    double residual[CALIBRATE_DATA];
};

static void choose(struct work *w, const struct calibrate_octave *o, const struct calibrate_prediction *f)
{
    for (size_t i = 0; i < o->data; i++)
        if (o->deviation[i] > 0.0 && isfinite(o->measured[i]) && isfinite(f->value[i]))
            w->datum[w->count++] = i;
}

/* R: diagonal, and the outer product of the common error. */
static void fill_noise(struct work *w, const struct calibrate_octave *o)
{
    for (size_t i = 0; i < w->count; i++)
        for (size_t k = 0; k < w->count; k++) {
            const size_t a = w->datum[i], b = w->datum[k];
            w->matrix[i * w->count + k] =
                o->common[a] * o->common[b] + (i == k ? o->deviation[a] * o->deviation[a] : 0.0);
        }
}

/* Lower Cholesky factor in place; nonzero: not positive definite. */
static int factor(double *matrix, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k <= i; k++) {
            double sum = matrix[i * count + k];
            for (size_t n = 0; n < k; n++)
                sum -= matrix[i * count + n] * matrix[k * count + n];
            if (i == k && !(sum > 0.0))
                return -1;
            matrix[i * count + k] = i == k ? sqrt(sum) : sum / matrix[k * count + k];
        }
    return 0;
}

/* L⁻¹ times the columns of right [count][columns], in place. */
static void solve_lower(double *right, const double *lower, size_t count, size_t columns)
{
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < columns; c++) {
            double sum = right[i * columns + c];
            for (size_t n = 0; n < i; n++)
                sum -= lower[i * count + n] * right[n * columns + c];
            right[i * columns + c] = sum / lower[i * count + i];
        }
}

/* Σ r² of L⁻¹ r. */
static double squares(const struct work *w, const double *residual)
{
    double right[CALIBRATE_DATA], sum = 0.0;
    for (size_t i = 0; i < w->count; i++)
        right[i] = residual[i];
    solve_lower(right, w->matrix, w->count, 1);
    for (size_t i = 0; i < w->count; i++)
        sum += right[i] * right[i];
    return sum;
}

/* S = R + J P Jᵀ and the residual y - f + J (at - x0); the Jacobian becomes J P. */
static void linearize(struct work *w, const struct calibrate_octave *o, const struct calibrate_prediction *f,
                      const double *at)
{
    const size_t count = w->count, materials = w->materials;
    for (size_t i = 0; i < count; i++) {
        const double *slope = f->slope[w->datum[i]];
        w->residual[i] = o->measured[w->datum[i]] - f->value[w->datum[i]];
        for (size_t m = 0; m < materials; m++) {
            w->residual[i] += slope[m] * (at[m] - o->prior[m]);
            w->jacobian[i * materials + m] = slope[m] * o->prior_deviation[m] * o->prior_deviation[m];
        }
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            for (size_t m = 0; m < materials; m++)
                w->matrix[i * count + k] += w->jacobian[i * materials + m] * f->slope[w->datum[k]][m];
}

static void give_prior(struct calibrate_posterior *p, const struct calibrate_octave *o)
{
    *p = (struct calibrate_posterior){.used = 0};
    for (size_t m = 0; m < o->materials; m++) {
        p->value[m] = o->prior[m];
        p->covariance[m][m] = o->prior_deviation[m] * o->prior_deviation[m];
    }
}

static int condition(struct calibrate_posterior *p, struct work *w, const struct calibrate_octave *o,
                     const struct calibrate_prediction *f, const double *at)
{
    double plain[CALIBRATE_DATA];
    for (size_t i = 0; i < w->count; i++)
        plain[i] = o->measured[w->datum[i]] - f->value[w->datum[i]];
    fill_noise(w, o);
    if (factor(w->matrix, w->count))
        return -1;
    p->chi_squared = squares(w, plain);
    fill_noise(w, o);
    linearize(w, o, f, at);
    if (factor(w->matrix, w->count))
        return -1;
    solve_lower(w->residual, w->matrix, w->count, 1);
    solve_lower(w->jacobian, w->matrix, w->count, w->materials);
    for (size_t i = 0; i < w->count; i++)
        for (size_t m = 0; m < w->materials; m++) {
            const double row = w->jacobian[i * w->materials + m];
            p->value[m] += row * w->residual[i];
            for (size_t n = 0; n < w->materials; n++)
                p->covariance[m][n] -= row * w->jacobian[i * w->materials + n];
        }
    return 0;
}

int calibrate_update(struct calibrate_posterior *p, const struct calibrate_octave *o,
                     const struct calibrate_prediction *f, const double *at, struct error *e)
{
    struct work w = {.materials = o->materials};
    give_prior(p, o);
    choose(&w, o, f);
    p->used = w.count;
    w.matrix = calloc(w.count * w.count + 1, sizeof *w.matrix);
    w.jacobian = calloc(w.count * w.materials + 1, sizeof *w.jacobian);
    int status = w.matrix && w.jacobian ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status && condition(p, &w, o, f, at))
        status = fail(e, ERROR_FAILED, "the covariance of the measured parameters is not positive definite");
    free(w.matrix);
    free(w.jacobian);
    return status;
}

double calibrate_remaining(const struct calibrate_posterior *p, const struct calibrate_octave *o, size_t material)
{
    return sqrt(fmax(p->covariance[material][material], 0.0)) / o->prior_deviation[material];
}

/* One rotation of Jacobi's method that clears a[i][k]; columns of v are the eigenvectors. */
static void rotate(double (*a)[CALIBRATE_MATERIALS], double (*v)[CALIBRATE_MATERIALS], size_t count, size_t i, size_t k)
{
    const double angle = 0.5 * atan2(2.0 * a[i][k], a[i][i] - a[k][k]), c = cos(angle), s = sin(angle);
    for (size_t n = 0; n < count; n++) {
        const double one = a[n][i], other = a[n][k], first = v[n][i], second = v[n][k];
        a[n][i] = c * one + s * other;
        a[n][k] = c * other - s * one;
        v[n][i] = c * first + s * second;
        v[n][k] = c * second - s * first;
    }
    for (size_t n = 0; n < count; n++) {
        const double one = a[i][n], other = a[k][n];
        a[i][n] = c * one + s * other;
        a[k][n] = c * other - s * one;
    }
}

static int by_remaining(const void *a, const void *b)
{
    const double one = ((const struct calibrate_combination *)a)->remaining,
                 other = ((const struct calibrate_combination *)b)->remaining;
    return (one > other) - (one < other);
}

void calibrate_combinations(struct calibrate_combination *combinations, const struct calibrate_posterior *p,
                            const struct calibrate_octave *o)
{
    enum { SWEEPS = 30 };
    const size_t count = o->materials;
    double a[CALIBRATE_MATERIALS][CALIBRATE_MATERIALS], v[CALIBRATE_MATERIALS][CALIBRATE_MATERIALS] = {{0.0}};
    for (size_t i = 0; i < count; i++) {
        v[i][i] = 1.0;
        for (size_t k = 0; k < count; k++)
            a[i][k] = p->covariance[i][k] / (o->prior_deviation[i] * o->prior_deviation[k]);
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (size_t i = 0; i < count; i++)
            for (size_t k = i + 1; k < count; k++)
                rotate(a, v, count, i, k);
    for (size_t c = 0; c < count; c++) {
        size_t largest = 0;
        for (size_t m = 1; m < count; m++)
            largest = fabs(v[m][c]) > fabs(v[largest][c]) ? m : largest;
        combinations[c].remaining = sqrt(fmax(a[c][c], 0.0));
        for (size_t m = 0; m < count; m++)
            combinations[c].weight[m] = v[largest][c] < 0.0 ? -v[m][c] : v[m][c];
    }
    qsort(combinations, count, sizeof *combinations, by_remaining);
}
