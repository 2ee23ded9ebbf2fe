/* SPDX-License-Identifier: MIT */
#include "render/synth/plate_tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "render/synth/banded.h"

/* Bounds of the weights, which keep all terms of the energy positive. PART_DISPERSION limits the time step. */
static const double weight_min[PLATE_PARTS] = {1.0, 0.5, -0.2}, weight_max[PLATE_PARTS] = {1.0, 1.5, 1.0};

/* The nodes of one quarter of the plate, for modes of one parity; the others are mirror images. */
struct quarter {
    int parity;
    size_t wanted, rigid;            /* modes to tune; rigid-body modes below them */
    struct banded part[PLATE_PARTS]; /* restricted to the quarter */
    uint32_t *node, *number;         /* [count] of the quarter; [nodes] its inverse, UINT32_MAX outside */
    size_t count;
    double *value, *vector; /* [rigid + wanted], [rigid + wanted][count] */
};

static void quarter_free(struct quarter *q)
{
    for (int part = 0; part < PLATE_PARTS; part++)
        banded_free(&q->part[part]);
    free(q->node);
    free(q->number);
    free(q->value);
    free(q->vector);
}

/* Number of mirror images of a node, itself included. */
static double image_count(const struct stiffness *s, size_t at)
{
    const size_t x = at % s->nx, y = at / s->nx;
    return (2 * x + 1 == s->nx ? 1.0 : 2.0) * (2 * y + 1 == s->ny ? 1.0 : 2.0);
}

/* The mirror image in the quarter, and the sign of the displacement there. */
static size_t into_quarter(const struct stiffness *s, int parity, size_t at, double *sign)
{
    size_t x = at % s->nx, y = at / s->nx;
    *sign = 1.0;
    if (2 * x + 1 > s->nx) {
        x = s->nx - 1 - x;
        *sign *= parity & ODD_ALONG ? -1.0 : 1.0;
    }
    if (2 * y + 1 > s->ny) {
        y = s->ny - 1 - y;
        *sign *= parity & ODD_ACROSS ? -1.0 : 1.0;
    }
    return y * s->nx + x;
}

static int list_nodes(struct quarter *q, const struct stiffness *s)
{
    const size_t nodes = s->nx * s->ny;
    q->number = malloc(nodes * sizeof *q->number);
    q->node = calloc(nodes, sizeof *q->node);
    if (!q->number || !q->node)
        return -1;
    memset(q->number, 0xff, nodes * sizeof *q->number);
    const size_t nx = (s->nx + 1) / 2, ny = (s->ny + 1) / 2;
    for (size_t i = 0; i < nx * ny; i++) { /* along the shorter side first, for a narrow band */
        const size_t x = nx < ny ? i % nx : i / ny, y = nx < ny ? i / nx : i % ny, at = y * s->nx + x;
        const bool rests =
            (2 * x + 1 == s->nx && q->parity & ODD_ALONG) || (2 * y + 1 == s->ny && q->parity & ODD_ACROSS);
        if (!s->active[at] || rests)
            continue;
        q->number[at] = (uint32_t)q->count;
        q->node[q->count++] = (uint32_t)at;
    }
    return 0;
}

/* The parts restricted to the quarter, scaled by the numbers of mirror images so that the matrix stays symmetric. */
static int fill_parts(struct quarter *q, const struct plate_nodes *p)
{
    const struct stiffness *s = p->matrix;
    size_t width = 0;
    for (int fill = 0; fill < 2; fill++) {
        for (size_t i = 0; i < q->count; i++)
            for (size_t slot = 0; slot < REACH_COUNT; slot++) {
                const size_t at = q->node[i];
                double sign, any = 0.0;
                for (int part = 0; part < PLATE_PARTS; part++)
                    any += fabs(p->part[part][at][slot]);
                if (any == 0.0)
                    continue;
                const size_t other = into_quarter(s, q->parity, stiffness_other(s, at, slot), &sign);
                const size_t j = q->number[other];
                if (j > i) /* upper triangle, or UINT32_MAX: at rest */
                    continue;
                width = i - j > width ? i - j : width;
                const double share = sign * sqrt(image_count(s, at) / image_count(s, other));
                for (int part = 0; part < PLATE_PARTS && fill; part++)
                    *banded_at(&q->part[part], i, j) += share * p->part[part][at][slot];
            }
        for (int part = 0; part < PLATE_PARTS && !fill; part++)
            if (banded_make(&q->part[part], q->count, width))
                return -1;
    }
    return 0;
}

static int quarter_make(struct quarter *q, const struct plate_nodes *p, struct error *e)
{
    const size_t max = q->wanted + q->rigid;
    int status = list_nodes(q, p->matrix) || fill_parts(q, p);
    if (!status && q->count < max)
        q->wanted = q->count > q->rigid ? q->count - q->rigid : 0;
    q->value = calloc(max + 1, sizeof *q->value);
    q->vector = calloc(max * q->count + 1, sizeof *q->vector);
    status = status || !q->value || !q->vector;
    return status ? fail(e, ERROR_MEMORY, "out of memory") : 0;
}

/* The modes of a quarter for these weights. */
static int solve(struct quarter *q, const double weight[PLATE_PARTS], double shift, bool guessed, struct error *e)
{
    struct banded sum;
    if (banded_make(&sum, q->count, q->part[0].width))
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < q->count * (sum.width + 1); i++)
        for (int part = 0; part < PLATE_PARTS; part++)
            sum.entry[i] += weight[part] * q->part[part].entry[i];
    for (size_t i = 0; i < q->count; i++)
        *banded_at(&sum, i, i) += shift;
    banded_factor(&sum);
    const int status = banded_lowest(q->value, q->vector, q->wanted + q->rigid, guessed, &sum, e);
    for (size_t i = 0; i < q->wanted + q->rigid; i++)
        q->value[i] -= shift;
    banded_free(&sum);
    return status;
}

/* A tuned mode. */
struct mode {
    double target;             /* 1/s²: the squared frequency that the time step maps to the exact one */
    double error;              /* log of the frequency over the exact one */
    double slope[PLATE_PARTS]; /* derivative of the error by each weight */
};

/* 4/k² sin²(ωk/2) */
static double target_at(double frequency, double k)
{
    const double s = 2.0 / k * sin(fmin(0.5 * frequency * k, 0.5 * M_PI));
    return s * s;
}

/* Errors and slopes of the modes of all quarters, relative to the lowest, which is first; returns its correction. */
static double compare_modes(struct mode *mode, size_t *count, const struct quarter *quarter,
                            const struct plate_modes *exact, double k)
{
    size_t lowest = 0;
    *count = 0;
    for (int i = 0; i < PARITIES; i++)
        for (size_t j = 0; j < quarter[i].wanted; j++) {
            const struct quarter *q = &quarter[i];
            const double value = q->value[q->rigid + j];
            struct mode *m = &mode[*count];
            *m = (struct mode){.target = target_at(exact->frequency[q->parity][j], k)};
            m->error = 0.5 * log(value / m->target);
            for (int part = 1; part < PLATE_PARTS; part++)
                m->slope[part] = 0.5 * banded_energy(&q->part[part], q->vector + (q->rigid + j) * q->count) / value;
            lowest = m->target < mode[lowest].target ? *count : lowest;
            ++*count;
        }
    const struct mode first = mode[lowest];
    mode[lowest] = mode[0];
    mode[0] = first;
    for (size_t i = 0; i < *count; i++) {
        mode[i].error -= first.error;
        for (int part = 1; part < PLATE_PARTS; part++)
            mode[i].slope[part] -= first.slope[part];
    }
    return exp(-2.0 * first.error);
}

/* Bounded linear least squares of the errors, by coordinate descent. */
static void improve_weights(double weight[PLATE_PARTS], const struct mode *mode, size_t count)
{
    double step[PLATE_PARTS] = {0};
    for (int turn = 0; turn < 200; turn++)
        for (int part = 1; part < PLATE_PARTS; part++) {
            double down = 0.0, square = 0.0;
            for (size_t i = 0; i < count; i++) {
                double left = mode[i].error;
                for (int other = 1; other < PLATE_PARTS; other++)
                    left += step[other] * mode[i].slope[other];
                down += left * mode[i].slope[part];
                square += mode[i].slope[part] * mode[i].slope[part];
            }
            if (square > 0.0)
                step[part] -= down / square;
            step[part] = fmin(fmax(step[part], weight_min[part] - weight[part]), weight_max[part] - weight[part]);
        }
    for (int part = 1; part < PLATE_PARTS; part++)
        weight[part] += step[part];
}

/* Number of each parity's modes among the lowest MODES_TUNED. */
static void count_modes(struct quarter quarter[PARITIES], const struct plate_modes *exact, bool is_free)
{
    for (int i = 0; i < PARITIES; i++)
        quarter[i] = (struct quarter){.parity = i, .rigid = is_free && i != (ODD_ALONG | ODD_ACROSS) ? 1 : 0};
    for (int n = 0; n < MODES_TUNED; n++) {
        int lowest = -1;
        for (int i = 0; i < PARITIES; i++)
            if (quarter[i].wanted < PARITY_MODES &&
                (lowest < 0 ||
                 exact->frequency[i][quarter[i].wanted] < exact->frequency[lowest][quarter[lowest].wanted]))
                lowest = i;
        quarter[lowest].wanted++;
    }
}

static int fit(struct plate_tuning *t, struct quarter quarter[PARITIES], const struct plate_nodes *p,
               const struct plate_modes *exact, struct error *e)
{
    enum { STEPS = 3 };
    struct mode mode[MODES_TUNED];
    const double k = p->plan->time_step;
    double weight[PLATE_PARTS] = {1.0, 1.0, 0.0}, lowest = INFINITY;
    for (int i = 0; i < PARITIES; i++)
        lowest = fmin(lowest, exact->frequency[i][0]);
    const double shift = p->plan->edge == SURFACE_FREE ? target_at(lowest, k) : 0.0;
    for (int step = 0;; step++) {
        size_t count;
        for (int i = 0; i < PARITIES; i++)
            if (quarter[i].wanted && solve(&quarter[i], weight, shift, step > 0, e))
                return -1;
        const double scale = compare_modes(mode, &count, quarter, exact, k);
        t->worst = 0.0;
        for (size_t i = 0; i < count; i++)
            t->worst = nan_max(t->worst, fabs(expm1(mode[i].error)));
        for (int part = 0; part < PLATE_PARTS; part++)
            t->weight[part] = scale * weight[part];
        t->pitch = lowest / (2.0 * M_PI);
        if (step == STEPS)
            return 0;
        improve_weights(weight, mode, count);
    }
}

int plate_tune(struct plate_tuning *t, const struct plate_nodes *p, const struct plate_modes *exact, struct error *e)
{
    struct quarter quarter[PARITIES];
    int status = 0;
    count_modes(quarter, exact, p->plan->edge == SURFACE_FREE);
    for (int i = 0; i < PARITIES && !status; i++)
        status = quarter[i].wanted && quarter_make(&quarter[i], p, e);
    status = status || fit(t, quarter, p, exact, e);
    for (int i = 0; i < PARITIES; i++)
        quarter_free(&quarter[i]);
    return status ? -1 : 0;
}
