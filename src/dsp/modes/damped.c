/* SPDX-License-Identifier: MIT */
#include "dsp/modes/damped.h"

#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const char *damped_unavailable(void)
{
    return NULL;
}

static int failed(lapack_int info, const char *what, struct error *e)
{
    if (!info)
        return 0;
    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
        return fail(e, ERROR_MEMORY, "out of memory");
    return fail(e, ERROR_FAILED, "LAPACK: %s failed with code %d", what, (int)info);
}

/* The signal space of the records. All matrices are stored by columns. */
struct subspace {
    size_t rows;             /* L */
    double complex *vectors; /* [L][L]: left singular vectors, by falling singular value */
    double *values;          /* [L] */
    size_t order;            /* values above the floor */
};

static void subspace_free(struct subspace *s)
{
    free(s->vectors);
    free(s->values);
}

/* Hankel matrices of all places side by side: column k of place p is y_p[k .. k + L - 1]. */
static double complex *hankel(const struct damped_records *r, size_t rows)
{
    const size_t columns = r->frames - rows + 1;
    double complex *data = malloc(rows * columns * r->places * sizeof *data);
    for (size_t p = 0; p < r->places && data; p++)
        for (size_t k = 0; k < columns; k++)
            memcpy(data + (p * columns + k) * rows, r->samples + p * r->frames + k, rows * sizeof *data);
    return data;
}

/* Rows: half of the frames of a single place; with more of them, whose columns stand side by side, up to 4/5. */
static size_t damped_pencil(const struct damped_records *r)
{
    const size_t share = r->places < 4 ? r->frames / 2 : r->frames * 4 / 5;
    return share < DAMPED_PENCIL_MAX ? share : DAMPED_PENCIL_MAX;
}

/* data = L Q; the left singular vectors of L are those of data. */
static int find_subspace(struct subspace *s, const struct damped_records *r, double floor, struct error *e)
{
    s->rows = damped_pencil(r);
    const size_t columns = (r->frames - s->rows + 1) * r->places;
    double complex *data = hankel(r, s->rows), *scales = malloc(s->rows * sizeof *scales);
    s->vectors = calloc(s->rows * s->rows, sizeof *s->vectors);
    s->values = calloc(s->rows, sizeof *s->values);
    const lapack_int n = (lapack_int)s->rows;
    int status = data && scales && s->vectors && s->values ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        status = failed(LAPACKE_zgelqf(LAPACK_COL_MAJOR, n, (lapack_int)columns, data, n, scales), "zgelqf", e);
    for (size_t c = 0; c < s->rows && !status; c++)
        for (size_t i = 0; i < c; i++)
            data[c * s->rows + i] = 0.0;
    if (!status) /* 'O' overwrites the square by the left vectors */
        status = failed(LAPACKE_zgesdd(LAPACK_COL_MAJOR, 'O', n, n, data, n, s->values, NULL, 1, s->vectors, n),
                        "zgesdd", e);
    if (!status)
        memcpy(s->vectors, data, s->rows * s->rows * sizeof *data);
    while (!status && s->order < s->rows && s->values[s->order] > floor * s->values[0])
        s->order++;
    free(data);
    free(scales);
    return status;
}

/* Eigenvalues z[order] of Ψ for the first `order` vectors. */
static int rotate(double complex *z, const struct subspace *s, size_t order, struct error *e)
{
    const size_t rows = s->rows - 1;
    double complex *low = malloc(rows * order * sizeof *low), *high = malloc(rows * order * sizeof *high);
    double complex *turn = malloc(order * order * sizeof *turn);
    const lapack_int m = (lapack_int)rows, n = (lapack_int)order;
    int status = low && high && turn ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t c = 0; c < order && !status; c++) {
        memcpy(low + c * rows, s->vectors + c * s->rows, rows * sizeof *low);
        memcpy(high + c * rows, s->vectors + c * s->rows + 1, rows * sizeof *high);
    }
    if (!status)
        status = failed(LAPACKE_zgels(LAPACK_COL_MAJOR, 'N', m, n, n, low, m, high, m), "zgels", e);
    for (size_t c = 0; c < order && !status; c++)
        memcpy(turn + c * order, high + c * rows, order * sizeof *turn);
    if (!status)
        status = failed(LAPACKE_zgeev(LAPACK_COL_MAJOR, 'N', 'N', n, turn, n, z, NULL, 1, NULL, 1), "zgeev", e);
    free(low);
    free(high);
    free(turn);
    return status;
}

/* Whether a pole is among others, within a share of its decay. */
static bool is_confirmed(double complex z, const double complex *others, size_t count, double tolerance)
{
    for (size_t i = 0; i < count; i++)
        if (cabs(clog(others[i] / z)) <= tolerance * fabs(log(cabs(z))) + 1e-9)
            return true;
    return false;
}

int damped_poles(double complex *z, size_t *count, const struct damped_records *r, size_t most, double floor,
                 double tolerance, struct error *e)
{
    struct subspace s = {0};
    *count = 0;
    if (r->frames < 8 || !r->places || !most)
        return fail(e, ERROR_INPUT, "modes: the records have %zu samples; at least 8 are needed", r->frames);
    double complex *found = malloc(2 * DAMPED_PENCIL_MAX * sizeof *found);
    int status = found ? find_subspace(&s, r, floor, e) : fail(e, ERROR_MEMORY, "out of memory");
    const size_t limit = s.rows > 1 ? s.rows - 1 : 0;
    size_t order = s.order < most ? s.order : most;
    order = order < limit ? order : limit;
    const size_t more = order + order / 6 + 2 < limit ? order + order / 6 + 2 : limit;
    if (!status && order && s.values[0] > 0.0) {
        double complex *second = found + DAMPED_PENCIL_MAX;
        status = rotate(found, &s, order, e) || rotate(second, &s, more, e) ? -1 : 0;
        for (size_t i = 0; i < order && !status; i++)
            if (is_confirmed(found[i], second, more, tolerance))
                z[(*count)++] = found[i];
    }
    subspace_free(&s);
    free(found);
    return status;
}

static double norm(const double complex *v, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += creal(v[i] * conj(v[i]));
    return sum;
}

int damped_amplitudes(double complex *amplitudes, double *residual, const struct damped_records *r,
                      const double complex *z, size_t count, struct error *e)
{
    *residual = 1.0;
    if (!count || count > r->frames)
        return count ? fail(e, ERROR_FAILED, "modes: %zu poles exceed %zu samples", count, r->frames) : 0;
    double complex *matrix = malloc(r->frames * count * sizeof *matrix);
    double complex *right = malloc(r->frames * r->places * sizeof *right);
    int status = matrix && right ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t m = 0; m < count && !status; m++)
        for (size_t n = 0; n < r->frames; n++)
            matrix[m * r->frames + n] = n ? matrix[m * r->frames + n - 1] * z[m] : 1.0;
    if (!status) {
        memcpy(right, r->samples, r->frames * r->places * sizeof *right);
        const lapack_int rows = (lapack_int)r->frames;
        status = failed(LAPACKE_zgels(LAPACK_COL_MAJOR, 'N', rows, (lapack_int)count, (lapack_int)r->places, matrix,
                                      rows, right, rows),
                        "zgels", e);
    }
    double left = 0.0;
    for (size_t p = 0; p < r->places && !status; p++) {
        memcpy(amplitudes + p * count, right + p * r->frames, count * sizeof *amplitudes);
        left += norm(right + p * r->frames + count, r->frames - count);
    }
    if (!status)
        *residual = sqrt(left / norm(r->samples, r->frames * r->places));
    free(matrix);
    free(right);
    return status;
}

int damped_solve(double complex *a, size_t order, double complex *b, size_t right, struct error *e)
{
    lapack_int *pivots = malloc((order + 1) * sizeof *pivots);
    const lapack_int n = (lapack_int)order;
    const int status =
        pivots ? failed(LAPACKE_zgesv(LAPACK_COL_MAJOR, n, (lapack_int)right, a, n, pivots, b, n), "zgesv", e)
               : fail(e, ERROR_MEMORY, "out of memory");
    free(pivots);
    return status;
}
