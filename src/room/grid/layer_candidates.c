/* SPDX-License-Identifier: MIT */
#include "room/grid/layer_candidates.h"

#include <math.h>
#include <string.h>

#include "base/complex_numbers.h"

enum { RESONANCES = 40, QUALITIES = 4, CASES = RESONANCES * QUALITIES };
static const double qualities[QUALITIES] = {0.4, 1.5, 5.0, 20.0};
#define LOWEST 0.8  /* resonance, of the lowest x */
#define HIGHEST 2.5 /* of the edge */
#define APART 0.25  /* smallest distance of two of a place, in ln x0 */
#define AMPLITUDE_MIN 0.01
#define AMPLITUDE_MAX 3.0
#define DEPENDENT 1e-3  /* of a column: what is left if it depends on the others */
#define NEGLIGIBLE 1e-6 /* of the largest column */

/* Vectors have the real parts of R at the points first, then the imaginary parts, then the scaled real parts of Y. */
struct pursuit {
    const struct layer_points *points;
    double absorption;   /* its weight */
    size_t length, rank; /* 3 × points; orthonormal vectors */
    double *basis;       /* [rank][length] */
    double *residual, *vector;
    double complex slope[FITTED_POINTS_MAX];             /* dR/dY */
    double complex own[FITTED_POINTS_MAX][BRANCHES_MAX]; /* admittances of the branches */
};

static double dot(const double *a, const double *b, size_t length)
{
    double sum = 0.0;
    for (size_t i = 0; i < length; i++)
        sum += a[i] * b[i];
    return sum;
}

static void subtract(double *v, const double *direction, double amount, size_t length)
{
    for (size_t i = 0; i < length; i++)
        v[i] -= amount * direction[i];
}

/* Gram-Schmidt, twice, of the columns that the effects of the elements are. */
static void orthonormalise(struct pursuit *p, size_t columns)
{
    const size_t n = p->length;
    double largest = 0.0;
    for (size_t k = 0; k < columns; k++)
        largest = fmax(largest, sqrt(dot(p->basis + k * n, p->basis + k * n, n)));
    p->rank = 0;
    for (size_t k = 0; k < columns; k++) {
        double *to = p->basis + p->rank * n;
        memmove(to, p->basis + k * n, n * sizeof *to);
        const double before = sqrt(dot(to, to, n));
        for (int twice = 0; twice < 2; twice++)
            for (size_t q = 0; q < p->rank; q++)
                subtract(to, p->basis + q * n, dot(p->basis + q * n, to, n), n);
        const double after = sqrt(dot(to, to, n));
        if (!(before > NEGLIGIBLE * largest) || !(after > DEPENDENT * before))
            continue;
        for (size_t i = 0; i < n; i++)
            to[i] /= after;
        p->rank++;
    }
}

static double scale_of(const struct pursuit *p, size_t point)
{
    return p->absorption * p->points->fitted[point].scale;
}

static void prepare(struct pursuit *p, const struct circuit *c)
{
    const size_t points = p->length / 3, columns = PER_ENTRY * c->count;
    struct branch entries[BRANCHES_MAX];
    circuit_elements(c, &p->points->limits, entries);
    for (size_t i = 0; i < points; i++) {
        const struct layer_point *at = &p->points->fitted[i];
        double complex by[PER_ENTRY * BRANCHES_MAX];
        const double complex y = circuit_derivatives(c, &p->points->limits, entries, at->x, by);
        const double complex off = layer_reflection(y, at->factor, &p->slope[i]) - at->reflection;
        circuit_admittance(entries, c->count, at->x, p->own[i]);
        for (size_t k = 0; k < columns; k++) {
            const double complex effect = by[k] * p->slope[i];
            p->basis[k * p->length + i] = creal(effect);
            p->basis[k * p->length + points + i] = cimag(effect);
            p->basis[k * p->length + 2 * points + i] = scale_of(p, i) * creal(by[k]);
        }
        p->residual[i] = creal(off);
        p->residual[points + i] = cimag(off);
        p->residual[2 * points + i] = scale_of(p, i) * creal(y - at->stepped);
    }
    orthonormalise(p, columns);
    for (size_t q = 0; q < p->rank; q++) {
        const double *direction = p->basis + q * p->length;
        subtract(p->residual, direction, dot(direction, p->residual, p->length), p->length);
    }
}

/* Resonance and quality of case `i`. */
static double resonance_of(const struct pursuit *p, size_t i)
{
    const double low = LOWEST * p->points->low_x, high = HIGHEST * p->points->edge_x;
    return low * pow(high / low, (double)(i % RESONANCES) / (RESONANCES - 1));
}

static double quality_of(size_t i)
{
    return qualities[i / RESONANCES];
}

/* Gain of the element of unit amplitude at a place, of `effect` on Y; its best amplitude. */
static double gain_of(struct pursuit *p, const double complex *effect, double resonance, double quality,
                      double *amplitude)
{
    const size_t points = p->length / 3;
    for (size_t i = 0; i < points; i++) {
        const double ratio = p->points->fitted[i].x / resonance, reactance = quality * (ratio - 1.0 / ratio);
        const double square = 1.0 / (1.0 + reactance * reactance);
        const double complex b = complex_product(complex_of(square, -reactance * square), effect[i]);
        const double complex on_reflection = complex_product(b, p->slope[i]);
        p->vector[i] = creal(on_reflection);
        p->vector[points + i] = cimag(on_reflection);
        p->vector[2 * points + i] = scale_of(p, i) * creal(b);
    }
    const double along = -dot(p->vector, p->residual, p->length);
    if (!(along > 0.0))
        return 0.0;
    const double whole = dot(p->vector, p->vector, p->length);
    double left = whole;
    for (size_t q = 0; q < p->rank; q++) {
        const double part = dot(p->basis + q * p->length, p->vector, p->length);
        left -= part * part;
    }
    left = fmax(left, 0.0) + 1e-6 * whole + 1e-12;
    *amplitude = along / left;
    return along * along / left;
}

/* Keeps the `most` best in order; of equals the first. */
static size_t keep(struct layer_candidate *best, size_t count, size_t most, const struct layer_candidate *one)
{
    size_t at = count;
    while (at > 0 && best[at - 1].gain < one->gain)
        at--;
    if (at == most)
        return count;
    count = count < most ? count + 1 : most;
    memmove(best + at + 1, best + at, (count - 1 - at) * sizeof *best);
    best[at] = *one;
    return count;
}

static struct layer_candidate candidate(size_t branch, double gain, double resonance, double quality, double amplitude)
{
    const double a = fmin(fmax(amplitude, AMPLITUDE_MIN), AMPLITUDE_MAX);
    return (struct layer_candidate){gain, branch, {quality / (a * resonance), 1.0 / a, quality * resonance / a}};
}

static size_t add_place(struct pursuit *p, size_t branch, bool is_branch, size_t per_place, size_t most,
                        struct layer_candidate *best, size_t count)
{
    double complex effect[FITTED_POINTS_MAX];
    double gain[CASES], amplitude[CASES] = {0};
    for (size_t i = 0; i < p->length / 3; i++)
        effect[i] = is_branch ? 1.0 : -p->own[i][branch] * p->own[i][branch];
    for (size_t i = 0; i < CASES; i++)
        gain[i] = gain_of(p, effect, resonance_of(p, i), quality_of(i), &amplitude[i]);
    for (size_t k = 0; k < per_place; k++) {
        size_t first = 0;
        for (size_t i = 1; i < CASES; i++)
            first = gain[i] > gain[first] ? i : first;
        if (!(gain[first] > 0.0))
            break;
        const double resonance = resonance_of(p, first);
        const struct layer_candidate one =
            candidate(branch, gain[first], resonance, quality_of(first), amplitude[first]);
        count = keep(best, count, most, &one);
        for (size_t i = 0; i < CASES; i++)
            if (fabs(log(resonance_of(p, i) / resonance)) < APART)
                gain[i] = 0.0;
    }
    return count;
}

size_t layer_candidates(const struct layer_points *points, const struct circuit *c, double absorption, bool branches,
                        size_t per_place, size_t most, double *workspace, struct layer_candidate *best)
{
    const size_t length = 3 * points->fitted_count;
    struct pursuit p = {.points = points,
                        .absorption = absorption,
                        .length = length,
                        .residual = workspace,
                        .vector = workspace + length,
                        .basis = workspace + 2 * length};
    size_t count = 0;
    prepare(&p, c);
    if (branches)
        count = add_place(&p, c->count, true, per_place, most, best, count);
    for (size_t m = 0; m < c->count; m += 1 + c->tanks[m])
        count = add_place(&p, m, false, per_place, most, best, count);
    return count;
}
