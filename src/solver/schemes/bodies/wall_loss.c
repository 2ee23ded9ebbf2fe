/* SPDX-License-Identifier: MIT */
/* The network of resistances and inertances for the losses at the walls of a bore. */
#include <float.h>
#include <math.h>

#include "solver/schemes/bodies/bore.h"

static const double LOWEST = 30.0, HIGHEST = 12000.0, RATE_SHARE = 0.25; /* Hz; of the rate */
static const double FIRST_BRANCH = 50.0;                                 /* Hz */

enum { UNKNOWNS = WALL_BRANCHES + 2, FREQUENCIES = 60 };

/* Least squares of A x = 1, relative to √f: A [row][UNKNOWNS]. */
struct fit {
    double matrix[UNKNOWNS][UNKNOWNS], right[UNKNOWNS]; /* AᵀA, Aᵀ1 */
};

static double spaced(double low, double high, int i, int count)
{
    return low * pow(high / low, (double)i / (count - 1));
}

static void add_row(struct fit *fit, const double row[UNKNOWNS])
{
    for (int i = 0; i < UNKNOWNS; i++) {
        fit->right[i] += row[i];
        for (int k = 0; k < UNKNOWNS; k++)
            fit->matrix[i][k] += row[i] * row[k];
    }
}

/* Solves the normal equations of the unknowns in the set `used` by Cholesky's method; x of the others is 0. Returns
 * the decrease of the sum of squares, or -1 if an unknown is negative or the set is singular. */
static double solve_subset(const struct fit *fit, unsigned used, double x[UNKNOWNS])
{
    double l[UNKNOWNS][UNKNOWNS], gain = 0.0;
    int index[UNKNOWNS], n = 0;
    for (int i = 0; i < UNKNOWNS; i++) {
        x[i] = 0.0;
        if (used >> i & 1)
            index[n++] = i;
    }
    for (int i = 0; i < n; i++) {
        double value = fit->right[index[i]];
        for (int k = 0; k <= i; k++) {
            double sum = fit->matrix[index[i]][index[k]];
            for (int m = 0; m < k; m++)
                sum -= l[i][m] * l[k][m];
            if (k == i && !(sum > 0.0))
                return -1.0;
            l[i][k] = k < i ? sum / l[k][k] : sqrt(sum);
        }
        for (int m = 0; m < i; m++)
            value -= l[i][m] * x[index[m]];
        x[index[i]] = value / l[i][i];
    }
    for (int i = n; i-- > 0;) {
        for (int m = i + 1; m < n; m++)
            x[index[i]] -= l[m][i] * x[index[m]];
        x[index[i]] /= l[i][i];
        if (!(x[index[i]] >= 0.0))
            return -1.0;
    }
    for (int i = 0; i < n; i++)
        gain += x[index[i]] * fit->right[index[i]];
    return gain;
}

/* Of all sets of unknowns that are not negative, the one with the smallest error. */
struct wall_loss wall_loss_fit(double time_step)
{
    const double highest = fmin(HIGHEST, RATE_SHARE / time_step), scale = 2.0 * M_PI * highest;
    struct wall_loss loss = {.resistance = 0.0};
    struct fit fit = {.right = {0.0}};
    double best = -1.0;
    for (int i = 0; i < WALL_BRANCHES; i++)
        loss.rate[i] = 2.0 * M_PI * spaced(FIRST_BRANCH, highest, i, WALL_BRANCHES);
    for (int i = 0; i < FREQUENCIES; i++) {
        const double f = spaced(LOWEST, highest, i, FREQUENCIES), root = 1.0 / sqrt(f);
        const double warped = 2.0 / time_step * tan(M_PI * f * time_step);
        double real[UNKNOWNS] = {root, 0.0}, imaginary[UNKNOWNS] = {0.0, root * warped / scale};
        for (int b = 0; b < WALL_BRANCHES; b++) {
            const double ratio = warped / loss.rate[b], denominator = 1.0 + ratio * ratio;
            real[2 + b] = root * ratio * ratio / denominator;
            imaginary[2 + b] = root * ratio / denominator;
        }
        add_row(&fit, real);
        add_row(&fit, imaginary);
    }
    for (unsigned used = 1; used < 1u << UNKNOWNS; used++) {
        double x[UNKNOWNS];
        const double gain = solve_subset(&fit, used, x);
        if (!(gain > best))
            continue;
        best = gain;
        loss.resistance = x[0];
        loss.inertance = x[1] / scale;
        for (int b = 0; b < WALL_BRANCHES; b++)
            loss.branch[b] = x[2 + b];
    }
    return loss;
}
