/* SPDX-License-Identifier: MIT */
#include "room/grid/least_squares.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

void normal_equations_add(struct normal_equations *restrict equations, size_t count, double residual,
                          const double *restrict row)
{
    equations->cost += 0.5 * residual * residual;
    for (size_t i = 0; i < count; i++) {
        double *restrict line = equations->matrix[i], factor = row[i];
        equations->gradient[i] += factor * residual;
        for (size_t j = 0; j <= i; j++)
            line[j] += factor * row[j];
    }
}

/* Cholesky solution for the free parameters, with a damped diagonal. */
static bool damped_step(const struct normal_equations *equations, size_t count, const bool *fixed, double damping,
                        double *step)
{
    double factor[PARAMETERS_MAX][PARAMETERS_MAX];
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = fixed[i] || fixed[j] ? 0.0 : equations->matrix[i][j];
            if (i == j)
                sum = fixed[i] ? 1.0 : sum * (1.0 + damping) + 1e-12;
            for (size_t k = 0; k < j; k++)
                sum -= factor[i][k] * factor[j][k];
            if (i == j && !(sum > 0.0))
                return false;
            factor[i][j] = i == j ? sqrt(sum) : sum / factor[j][j];
        }
        step[i] = fixed[i] ? 0.0 : -equations->gradient[i];
        for (size_t k = 0; k < i; k++)
            step[i] -= factor[i][k] * step[k];
        step[i] /= factor[i][i];
    }
    for (size_t i = count; i-- > 0;) {
        for (size_t k = i + 1; k < count; k++)
            step[i] -= factor[k][i] * step[k];
        step[i] /= factor[i][i];
    }
    return true;
}

static void find_fixed(const struct normal_equations *equations, size_t count, const double *x, const double *low,
                       const double *high, bool *fixed)
{
    for (size_t i = 0; i < count; i++)
        fixed[i] =
            (x[i] <= low[i] && equations->gradient[i] > 0.0) || (x[i] >= high[i] && equations->gradient[i] < 0.0);
}

double least_squares_minimise(normal_equations_at *at, const void *context, size_t count, double *x, const double *low,
                              const double *high, int steps, double gain)
{
    struct normal_equations both[2] = {0}, *now = &both[0], *then = &both[1];
    double step[PARAMETERS_MAX], next[PARAMETERS_MAX], damping = 1e-2;
    bool fixed[PARAMETERS_MAX];
    at(context, x, now);
    for (int i = 0; i < steps && damping < 1e8; i++) {
        find_fixed(now, count, x, low, high, fixed);
        if (!damped_step(now, count, fixed, damping, step)) {
            damping *= 10.0;
            continue;
        }
        for (size_t k = 0; k < count; k++)
            next[k] = fmin(fmax(x[k] + step[k], low[k]), high[k]);
        memset(then, 0, sizeof *then);
        at(context, next, then);
        if (!(then->cost < now->cost)) {
            damping *= 6.0;
            continue;
        }
        bool done = now->cost - then->cost < gain * now->cost;
        struct normal_equations *swap = now;
        now = then;
        then = swap;
        memcpy(x, next, count * sizeof *x);
        damping = fmax(damping * 0.25, 1e-9);
        if (done)
            break;
    }
    return now->cost;
}
