/* SPDX-License-Identifier: MIT */
#include "render/synth/banded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

int banded_make(struct banded *b, size_t count, size_t width)
{
    *b = (struct banded){count, width, calloc(count * (width + 1) + 1, sizeof *b->entry)};
    return b->entry ? 0 : -1;
}

void banded_free(struct banded *b)
{
    free(b->entry);
    b->entry = NULL;
}

void banded_factor(struct banded *b)
{
    const size_t w = b->width;
    for (size_t i = 0; i < b->count && !stop_requested(); i++) {
        double *row = b->entry + i * (w + 1);
        const size_t first = i > w ? i - w : 0;
        for (size_t j = first; j <= i; j++) {
            const double *other = b->entry + j * (w + 1);
            const size_t from = j > w && j - w > first ? j - w : first;
            double sum = row[w - (i - j)];
            for (size_t k = from; k < j; k++)
                sum -= row[w - (i - k)] * other[w - (j - k)];
            row[w - (i - j)] = j < i ? sum / other[w] : sqrt(sum);
        }
    }
}

void banded_solve(const struct banded *b, double *x)
{
    const size_t w = b->width;
    for (size_t i = 0; i < b->count; i++) {
        const double *row = b->entry + i * (w + 1);
        for (size_t k = i > w ? i - w : 0; k < i; k++)
            x[i] -= row[w - (i - k)] * x[k];
        x[i] /= row[w];
    }
    for (size_t i = b->count; i-- > 0;) {
        const double *row = b->entry + i * (w + 1);
        x[i] /= row[w];
        for (size_t k = i > w ? i - w : 0; k < i; k++)
            x[k] -= row[w - (i - k)] * x[i];
    }
}

double banded_energy(const struct banded *b, const double *x)
{
    double sum = 0.0;
    for (size_t i = 0; i < b->count; i++)
        for (size_t j = i > b->width ? i - b->width : 0; j <= i; j++)
            sum += (j < i ? 2.0 : 1.0) * *banded_at(b, i, j) * x[i] * x[j];
    return sum;
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Gram-Schmidt, each row twice, so that rounding leaves no component along the other rows. */
static void make_orthonormal(double *rows, size_t rank, size_t n)
{
    for (size_t i = 0; i < rank; i++) {
        double *row = rows + i * n;
        for (size_t j = 0; j < 2 * i; j++) {
            const double *other = rows + j % i * n, share = dot(row, other, n);
            for (size_t k = 0; k < n; k++)
                row[k] -= share * other[k];
        }
        const double length = sqrt(dot(row, row, n));
        for (size_t k = 0; k < n; k++)
            row[k] /= length;
    }
}

/* Jacobi rotations: diagonalises the symmetric a [n][n]; v [n][n] gets the eigenvectors as columns. */
static void diagonalise(double *a, double *v, size_t n)
{
    for (size_t i = 0; i < n * n; i++)
        v[i] = i % (n + 1) == 0;
    for (int sweep = 0; sweep < 30; sweep++) {
        double off = 0.0, on = 0.0;
        for (size_t i = 0; i < n * n; i++)
            *(i % (n + 1) ? &off : &on) += a[i] * a[i];
        if (!(off > 1e-28 * on))
            return;
        for (size_t p = 0; p < n; p++)
            for (size_t q = p + 1; q < n; q++) {
                if (a[p * n + q] == 0.0)
                    continue;
                const double theta = 0.5 * atan2(2.0 * a[p * n + q], a[q * n + q] - a[p * n + p]);
                const double c = cos(theta), s = sin(theta);
                for (size_t k = 0; k < n; k++) {
                    const double x = a[k * n + p], y = a[k * n + q], vx = v[k * n + p], vy = v[k * n + q];
                    a[k * n + p] = c * x - s * y;
                    a[k * n + q] = s * x + c * y;
                    v[k * n + p] = c * vx - s * vy;
                    v[k * n + q] = s * vx + c * vy;
                }
                for (size_t k = 0; k < n; k++) {
                    const double x = a[p * n + k], y = a[q * n + k];
                    a[p * n + k] = c * x - s * y;
                    a[q * n + k] = s * x + c * y;
                }
            }
    }
}

/* Subspace iteration: q orthonormal, z = A⁻¹ q, h = qᵀ z, v the eigenvectors of h. */
struct subspace {
    size_t rank, n;
    double *q, *z; /* [rank][n] */
    double *h, *v; /* [rank][rank] */
    size_t *order; /* of the eigenvalues of h, descending */
};

static void iterate_once(struct subspace *s, const struct banded *factor)
{
    memcpy(s->z, s->q, s->rank * s->n * sizeof *s->z);
    for (size_t i = 0; i < s->rank; i++)
        banded_solve(factor, s->z + i * s->n);
    for (size_t i = 0; i < s->rank; i++)
        for (size_t j = 0; j <= i; j++)
            s->h[i * s->rank + j] = s->h[j * s->rank + i] = dot(s->q + i * s->n, s->z + j * s->n, s->n);
    diagonalise(s->h, s->v, s->rank);
    for (size_t i = 0; i < s->rank; i++) {
        size_t at = i;
        for (; at > 0 && s->h[s->order[at - 1] * (s->rank + 1)] < s->h[i * (s->rank + 1)]; at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = i;
    }
    memset(s->q, 0, s->rank * s->n * sizeof *s->q);
    for (size_t i = 0; i < s->rank; i++)
        for (size_t j = 0; j < s->rank; j++) {
            const double share = s->v[j * s->rank + s->order[i]];
            for (size_t k = 0; k < s->n; k++)
                s->q[i * s->n + k] += share * s->z[j * s->n + k];
        }
    make_orthonormal(s->q, s->rank, s->n);
}

int banded_lowest(double *value, double *vector, size_t wanted, bool guessed, const struct banded *factor,
                  struct error *e)
{
    enum { GUARDS = 4, STEPS_MAX = 60 };
    const size_t n = factor->count, rank = wanted + GUARDS < n ? wanted + GUARDS : n;
    struct subspace s = {.rank = rank, .n = n};
    double *memory = calloc(2 * rank * n + 2 * rank * rank, sizeof *memory);
    s.order = calloc(rank + 1, sizeof *s.order);
    if (!memory || !s.order) {
        free(memory);
        free(s.order);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    s.q = memory;
    s.z = s.q + rank * n;
    s.h = s.z + rank * n;
    s.v = s.h + rank * rank;
    if (guessed)
        memcpy(s.q, vector, wanted * n * sizeof *s.q);
    for (size_t i = guessed ? wanted : 0; i < rank; i++) /* a start without symmetry, which would hide modes */
        for (size_t k = 0; k < n; k++)
            s.q[i * n + k] = sin(0.37 + (double)(i + 1) * (0.7 + (double)k * (1.0 + 0.31 * (double)i)));
    make_orthonormal(s.q, rank, n);
    double moved = 1.0;
    for (int step = 0; step < STEPS_MAX && moved > 1e-11 && !stop_requested(); step++) {
        iterate_once(&s, factor);
        moved = 0.0;
        for (size_t i = 0; i < wanted; i++) {
            const double now = 1.0 / s.h[s.order[i] * (rank + 1)];
            moved = fmax(moved, step ? fabs(now / value[i] - 1.0) : 1.0);
            value[i] = now;
        }
    }
    memcpy(vector, s.q, wanted * n * sizeof *vector);
    free(memory);
    free(s.order);
    return stop_requested() ? fail(e, ERROR_STOPPED, "stopped while preparing a surface of %zu nodes", n) : 0;
}
