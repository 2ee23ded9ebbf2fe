/* SPDX-License-Identifier: MIT */
/* The largest eigenvalue of the operator that the solver steps, relative to the bound of the
 * lattice: by the proof of stability, no set of voxels exceeds it.
 *
 * One step from a unit vector, with p⁻ = 0, gives a column of 2 - L with L = λ² M⁻¹ K. M^½ L M^-½
 * is symmetric, and its eigenvalues are at most 4 λ²/(3/4) on the lattice. They are found by
 * Householder's tridiagonal form and bisection with Sturm sequences. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "base/stop.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "solver/schemes/leapfrog/rows.h"
#include "validate/isotropic19/checks.h"
#include "validate/scene/scene.h"

enum { SETS = 40, VOXELS_MIN = 2, VOXELS_MAX = 5 };
static const double limit = 0.75; /* of λ² */

struct matrix {
    size_t order;
    double *values; /* [order][order] */
};

/* Two thirds of the voxels are air; in every third set some of the others are fixed; in every
 * second set faces have any area, as rigid ones may. */
static int make_set(struct scene *s, int index, struct random *r, struct error *e)
{
    size_t n[3];
    for (int axis = 0; axis < 3; axis++)
        n[axis] = random_between(r, VOXELS_MIN, VOXELS_MAX);
    if (scene_box(s, n[0], n[1], n[2], PRECISION_DOUBLE, e))
        return -1;
    for (size_t i = 0; i < n[0] * n[1] * n[2]; i++)
        if (random_unit(r) < 0.35)
            s->cells[i] = index % 3 == 2 && random_unit(r) < 0.2 ? CELL_FIXED : CELL_SOLID;
    if (index % 2)
        scene_random_areas(s, r);
    scene_use_corners(s);
    return 0;
}

/* The points of the set, their masses, and the operator between them. */
static int assemble(struct matrix *a, struct scene *s, const struct solver_options *c, struct error *e)
{
    const size_t *n = s->problem.points, points = n[0] * n[1] * n[2];
    const struct block silence = {0};
    struct solver *solver = NULL;
    double *field = calloc(3 * points, sizeof *field), *zero = field + points, *root = zero + points;
    size_t *index = calloc(points, sizeof *index);
    *a = (struct matrix){0};
    for (size_t i = 0; index && i < points; i++)
        if (scene_is_air(s, i))
            index[a->order++] = i;
    a->values = malloc((a->order * a->order + 1) * sizeof *a->values);
    int status = field && index && a->values ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    status = status || scene_open(&solver, s, c, e);
    for (size_t i = 0; i < a->order && !status; i++) /* a source's weight is λ²/m */
        root[i] = sqrt(s->leapfrog.courant_squared / scene_source_weight(s, index[i]));
    for (size_t k = 0; k < a->order && !status; k++) {
        memset(field, 0, points * sizeof *field);
        field[index[k]] = 1.0;
        status = stop_check(e) || solver_put(solver, "p", 0, n[2], field, e) ||
                 solver_put(solver, "p_previous", 0, n[2], zero, e) || solver_run(solver, 1, &silence, e) ||
                 solver_get(solver, "p", 0, n[2], field, e);
        for (size_t i = 0; i < a->order; i++)
            a->values[i * a->order + k] = ((i == k ? 2.0 : 0.0) - field[index[i]]) * root[i] / root[k];
    }
    solver_close(solver);
    free(field);
    free(index);
    return status;
}

static double asymmetry(const struct matrix *a)
{
    double worst = 0.0;
    for (size_t i = 0; i < a->order; i++)
        for (size_t k = 0; k < i; k++)
            worst = nan_max(worst, fabs(a->values[i * a->order + k] - a->values[k * a->order + i]));
    return worst;
}

/* Householder's reflections from the last row: diagonal and squared off-diagonal of the
 * tridiagonal form. Uses the lower triangle of the matrix, and overwrites it. */
static void tridiagonal(const struct matrix *a, double *diagonal, double *squares, double *w)
{
    const size_t n = a->order;
    double *v = a->values;
    for (size_t last = n; last-- > 0;) {
        double *row = v + last * n, scale = 0.0, dot = 0.0;
        diagonal[last] = row[last];
        squares[last] = 0.0;
        for (size_t k = 0; k < last; k++)
            scale += row[k] * row[k];
        if (last == 0 || scale == 0.0)
            continue;
        squares[last] = scale;
        const double head = row[last - 1], length = copysign(sqrt(scale), head);
        row[last - 1] += length; /* the reflection's vector u, |u|²/2 = scale + |head| length */
        const double half = scale + head * length;
        for (size_t i = 0; i < last; i++) {
            w[i] = 0.0;
            for (size_t k = 0; k < last; k++)
                w[i] += (k <= i ? v[i * n + k] : v[k * n + i]) * row[k];
            w[i] /= half;
            dot += w[i] * row[i];
        }
        for (size_t i = 0; i < last; i++)
            w[i] -= 0.5 * dot / half * row[i];
        for (size_t i = 0; i < last; i++)
            for (size_t k = 0; k <= i; k++)
                v[i * n + k] -= w[i] * row[k] + row[i] * w[k];
    }
}

/* Whether an eigenvalue exceeds x: a negative pivot of x - T. */
static bool any_above(const double *diagonal, const double *squares, size_t n, double x)
{
    double pivot = x - diagonal[0];
    for (size_t i = 1; i < n && pivot > 0.0; i++)
        pivot = x - diagonal[i] - squares[i] / pivot;
    return !(pivot > 0.0);
}

static int greatest(double *value, const struct matrix *a, struct error *e)
{
    double *diagonal = malloc(3 * a->order * sizeof *diagonal), low = 0.0, high = 64.0;
    if (!diagonal)
        return fail(e, ERROR_MEMORY, "out of memory");
    double *squares = diagonal + a->order;
    tridiagonal(a, diagonal, squares, squares + a->order);
    for (int i = 0; i < 200; i++) {
        const double middle = 0.5 * (low + high);
        if (middle == low || middle == high)
            break;
        if (any_above(diagonal, squares, a->order, middle))
            low = middle;
        else
            high = middle;
    }
    free(diagonal);
    *value = high;
    return 0;
}

int check_isotropic19_bound(struct validation *v, struct report *r, struct error *e)
{
    const double bound = 4.0 * ISOTROPIC19_COURANT_SQUARED / limit;
    const int sets = v->cases ? v->cases : SETS;
    double worst = 0.0, least = INFINITY, skew = 0.0;
    size_t points = 0;
    for (int i = 0; i < sets; i++) {
        struct scene s;
        struct matrix a = {0};
        double value = 0.0;
        if (make_set(&s, i, &v->random, e))
            return -1;
        int status = assemble(&a, &s, &v->choice, e);
        if (!status && a.order) {
            skew = nan_max(skew, asymmetry(&a));
            status = greatest(&value, &a, e);
            worst = nan_max(worst, value / bound);
            least = fmin(least, value / bound);
            points += a.order;
        }
        free(a.values);
        scene_free(&s);
        if (status)
            return -1;
    }
    report_bound(
        r, "bound", worst - 1.0, 1e-12,
        "%d random sets of voxels, %zu points: largest eigenvalue relative to the bound of the lattice, minus 1", sets,
        points);
    report_figure(r, "bound", least - 1.0, "    smallest value of a set");
    report_bound(r, "bound", skew, 1e-14, "    asymmetry of the operator weighted by the masses of the points");
    return 0;
}
