#include "synth/stiffness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

static size_t slot(const struct stiffness *s, size_t from, size_t to)
{
    const ptrdiff_t dy = (ptrdiff_t)(to / s->nx) - (ptrdiff_t)(from / s->nx);
    const ptrdiff_t dx = (ptrdiff_t)(to % s->nx) - (ptrdiff_t)(from % s->nx);
    return (size_t)((dy + REACH) * REACH_WIDTH + dx + REACH);
}

void stiffness_add(double (*matrix)[REACH_COUNT], const struct stiffness *s, const struct difference *d,
                   double coefficient)
{
    for (size_t i = 0; i < d->count; i++)
        for (size_t j = 0; j < d->count; j++)
            if (s->active[d->at[i]] && s->active[d->at[j]])
                matrix[d->at[i]][slot(s, d->at[i], d->at[j])] += coefficient * d->term[i] * d->term[j];
}

double stiffness_bound(const struct stiffness *s, double time_step, double sigma1)
{
    double most = 0.0;
    for (size_t i = 0; i < s->nx * s->ny; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < REACH_COUNT && s->active[i]; j++)
            sum += fabs(time_step * time_step * s->k[i][j] + 4.0 * sigma1 * time_step * s->l[i][j]);
        most = fmax(most, sum);
    }
    return most;
}

/* The active nodes in their order, and the matrix K + shift as a lower band: band[i][width - (i - j)] for j <= i. */
struct band {
    size_t count, width;
    uint32_t *node; /* [count] */
    double *factor; /* [count][width + 1] */
};

static int band_make(struct band *b, const struct stiffness *s, double shift)
{
    const size_t nodes = s->nx * s->ny;
    uint32_t *number = calloc(nodes, sizeof *number);
    b->node = calloc(nodes, sizeof *b->node);
    if (!number || !b->node) {
        free(number);
        return -1;
    }
    for (size_t i = 0; i < nodes; i++)
        if (s->active[i]) {
            number[i] = (uint32_t)b->count;
            b->node[b->count++] = (uint32_t)i;
        }
    for (int fill = 0; fill < 2; fill++) {
        for (size_t i = 0; i < b->count; i++)
            for (size_t j = 0; j < REACH_COUNT; j++) {
                const double value = s->k[b->node[i]][j];
                if (value == 0.0)
                    continue;
                const ptrdiff_t away =
                    ((ptrdiff_t)(j / REACH_WIDTH) - REACH) * (ptrdiff_t)s->nx + (ptrdiff_t)(j % REACH_WIDTH) - REACH;
                const size_t other = number[(ptrdiff_t)b->node[i] + away];
                if (other > i)
                    continue;
                if (fill)
                    b->factor[i * (b->width + 1) + b->width - (i - other)] = value + (other == i ? shift : 0.0);
                else
                    b->width = i - other > b->width ? i - other : b->width;
            }
        if (!fill && !(b->factor = calloc(b->count * (b->width + 1), sizeof *b->factor)))
            break;
    }
    free(number);
    return b->factor ? 0 : -1;
}

/* In place: L of L Lᵀ, rows over the band. */
static void cholesky(struct band *b)
{
    const size_t w = b->width;
    for (size_t i = 0; i < b->count && !stop_requested(); i++) {
        double *row = b->factor + i * (w + 1);
        const size_t first = i > w ? i - w : 0;
        for (size_t j = first; j <= i; j++) {
            const double *other = b->factor + j * (w + 1);
            const size_t from = j > w && j - w > first ? j - w : first;
            double sum = row[w - (i - j)];
            for (size_t k = from; k < j; k++)
                sum -= row[w - (i - k)] * other[w - (j - k)];
            row[w - (i - j)] = j < i ? sum / other[w] : sqrt(sum);
        }
    }
}

static void solve(const struct band *b, double *x)
{
    const size_t w = b->width;
    for (size_t i = 0; i < b->count; i++) {
        const double *row = b->factor + i * (w + 1);
        for (size_t k = i > w ? i - w : 0; k < i; k++)
            x[i] -= row[w - (i - k)] * x[k];
        x[i] /= row[w];
    }
    for (size_t i = b->count; i-- > 0;) {
        const double *row = b->factor + i * (w + 1);
        x[i] /= row[w];
        for (size_t k = i > w ? i - w : 0; k < i; k++)
            x[k] -= row[w - (i - k)] * x[i];
    }
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Takes moves and turns of the whole surface out of x: 1, then x and y about the middle, orthogonalised. */
static void without_rigid(const struct band *b, double *x, double (*rigid)[3])
{
    for (int mode = 0; mode < 3; mode++) {
        double sum = 0.0;
        for (size_t i = 0; i < b->count; i++)
            sum += rigid[i][mode] * x[i];
        for (size_t i = 0; i < b->count; i++)
            x[i] -= sum * rigid[i][mode];
    }
}

static void make_rigid(const struct band *b, const struct stiffness *s, double (*rigid)[3])
{
    for (size_t i = 0; i < b->count; i++) {
        rigid[i][0] = 1.0;
        rigid[i][1] = (double)(b->node[i] % s->nx);
        rigid[i][2] = (double)(b->node[i] / s->nx);
    }
    for (int mode = 0; mode < 3; mode++) {
        for (int other = 0; other <= mode; other++) {
            double sum = 0.0;
            for (size_t i = 0; i < b->count; i++)
                sum += rigid[i][mode] * rigid[i][other];
            for (size_t i = 0; i < b->count; i++)
                rigid[i][mode] = other < mode ? rigid[i][mode] - sum * rigid[i][other] : rigid[i][mode] / sqrt(sum);
        }
    }
}

static double iterate(const struct band *b, const struct stiffness *s, double shift, double *x, double (*rigid)[3])
{
    double eigenvalue = 0.0, last = -1.0;
    for (size_t i = 0; i < b->count; i++) /* no symmetry that would hide the lowest mode */
        x[i] = 1.0 + 0.3 * sin(0.7 * (double)(b->node[i] % s->nx)) + 0.2 * cos(1.3 * (double)(b->node[i] / s->nx));
    for (int n = 0; n < 200 && fabs(eigenvalue - last) > 1e-13 * fabs(eigenvalue); n++) {
        if (rigid)
            without_rigid(b, x, rigid);
        const double length = sqrt(dot(x, x, b->count));
        for (size_t i = 0; i < b->count; i++)
            x[i] /= length;
        memcpy(x + b->count, x, b->count * sizeof *x);
        solve(b, x);
        last = eigenvalue;
        eigenvalue = 1.0 / dot(x, x + b->count, b->count) - shift;
    }
    return eigenvalue;
}

double stiffness_lowest(const struct stiffness *s, int has_free_edge, struct error *e)
{
    struct band b = {0};
    double most = 0.0, result = NAN;
    for (size_t i = 0; i < s->nx * s->ny; i++)
        most = fmax(most, s->active[i] ? s->k[i][REACH_COUNT / 2] : 0.0);
    /* a free plate's K is singular: shifted by far less than its first elastic eigenvalue, about 1e-6 of the largest */
    const double shift = has_free_edge ? 1e-9 * most : 0.0;
    double *x = NULL, (*rigid)[3] = NULL;
    if (!band_make(&b, s, shift)) {
        x = calloc(2 * b.count + 1, sizeof *x);
        rigid = has_free_edge ? calloc(b.count, sizeof *rigid) : NULL;
    }
    if (!x || (has_free_edge && !rigid)) {
        fail(e, ERROR_MEMORY, "out of memory for a surface of %zu x %zu nodes", s->nx, s->ny);
    } else {
        cholesky(&b);
        if (rigid)
            make_rigid(&b, s, rigid);
        result = stop_requested() ? NAN : iterate(&b, s, shift, x, rigid);
        if (stop_requested())
            fail(e, ERROR_STOPPED, "stopped while preparing a surface of %zu nodes", b.count);
    }
    free(x);
    free(rigid);
    free(b.node);
    free(b.factor);
    return result;
}
