/* SPDX-License-Identifier: MIT */
/* Loops over nodes (loops.h). Compiled for every instruction set; the build sets VARIANT. */
#include <string.h>

#include "solver/schemes/bodies/loops_variant.h"

double NAME(loop_dot)(const double *a, const double *b, size_t count);
void NAME(loop_add)(double *out, double factor, const double *in, size_t count);
void NAME(loop_add_change)(double *out, double factor, const double *now, const double *before, size_t count);
void NAME(loop_scale)(double sums[2], double *g, double factor, const double *now, const double *before, size_t count);
void NAME(loop_step)(double *next, const struct surface *s, const struct node_runs *runs, const double *now,
                     const double *before, const double *force, double divisor);
void NAME(loop_respond)(double *out, const struct surface *s, const double *force);

/* LOOP_LANES partial sums. */
enum { PARTS = LOOP_LANES / PART };
struct sums {
    part p[PARTS];
};

/* With the terms of the `rest` that fill no vector. */
static double total_of(const struct sums *sums, const double *rest, size_t count)
{
    double p[LOOP_LANES];
    memcpy(p, sums->p, sizeof p);
    for (size_t i = 0; i < count; i++)
        p[i] += rest[i];
    return ((p[0] + p[1]) + (p[2] + p[3])) + ((p[4] + p[5]) + (p[6] + p[7]));
}

double NAME(loop_dot)(const double *a, const double *b, size_t count)
{
    const size_t whole = count - count % LOOP_LANES;
    double rest[LOOP_LANES];
    struct sums sum = {{{0.0}}};
    for (size_t i = 0; i < whole; i += LOOP_LANES)
        for (size_t k = 0; k < PARTS; k++)
            sum.p[k] += load(a + i + k * PART) * load(b + i + k * PART);
    for (size_t i = whole; i < count; i++)
        rest[i - whole] = a[i] * b[i];
    return total_of(&sum, rest, count - whole);
}

void NAME(loop_add)(double *restrict out, double factor, const double *restrict in, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] += factor * in[i];
}

void NAME(loop_add_change)(double *restrict out, double factor, const double *restrict now,
                           const double *restrict before, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] += factor * (now[i] - before[i]);
}

void NAME(loop_scale)(double sums[2], double *g, double factor, const double *now, const double *before, size_t count)
{
    const size_t whole = count - count % LOOP_LANES;
    double rest[2][LOOP_LANES];
    struct sums square = {{{0.0}}}, slope = {{{0.0}}};
    for (size_t i = 0; i < whole; i += LOOP_LANES)
        for (size_t k = 0; k < PARTS; k++) {
            const size_t at = i + k * PART;
            const part moved = load(now + at) - load(before + at), scaled = factor * load(g + at);
            *(part *)(g + at) = scaled;
            square.p[k] += moved * moved;
            slope.p[k] += scaled * moved;
        }
    for (size_t i = whole; i < count; i++) {
        const double moved = now[i] - before[i];
        g[i] *= factor;
        rest[0][i - whole] = moved * moved;
        rest[1][i - whole] = g[i] * moved;
    }
    sums[0] = total_of(&square, rest[0], count - whole);
    sums[1] = total_of(&slope, rest[1], count - whole);
}

/* out += Σ c_k in_k over a run of nodes, where in_k is `from` shifted to neighbour k. Five
 * neighbours at a time keep the sum in registers; the order of additions, hence the bits, are
 * the same as for one at a time. */
static void add_neighbours(double *restrict out, const double *restrict from, size_t length, const double *c,
                           const int32_t *offset, uint32_t count)
{
    uint32_t k = 0;
    for (; k + 5 <= count; k += 5) {
        const double *a = from + offset[k], *b = from + offset[k + 1], *d = from + offset[k + 2];
        const double *f = from + offset[k + 3], *g = from + offset[k + 4];
        const double ca = c[k], cb = c[k + 1], cd = c[k + 2], cf = c[k + 3], cg = c[k + 4];
        for (size_t i = 0; i < length; i++)
            out[i] = ((((out[i] + ca * a[i]) + cb * b[i]) + cd * d[i]) + cf * f[i]) + cg * g[i];
    }
    for (; k < count; k++) {
        const double *a = from + offset[k];
        for (size_t i = 0; i < length; i++)
            out[i] += c[k] * a[i];
    }
}

static inline part gather(const double *from, const uint32_t *at)
{
    part p;
    for (int k = 0; k < PART; k++)
        p[k] = from[at[k]];
    return p;
}

/* Σ factor in over one term's lanes. */
static inline void add_term(struct sums *sum, const double *factor, const double *in, const uint32_t *from)
{
    for (size_t k = 0; k < PARTS; k++)
        sum->p[k] += load(factor + k * PART) * gather(in, from + k * PART);
}

/* A group of nodes with different stencils: each in a lane of its own. All lanes advance together, so that one addition
 * does not wait for the one before. */
static void step_group(double *restrict next, const struct surface *s, const struct node_runs *runs,
                       const struct node_group *group, const double *restrict now, const double *restrict before,
                       const double *restrict force, double divisor)
{
    const double *factor = runs->factor + group->first * LOOP_LANES;
    const uint32_t *from = runs->from + group->first * LOOP_LANES;
    struct sums sum;
    for (size_t k = 0; k < PARTS; k++)
        sum.p[k] = s->force_gain * gather(force, group->node + k * PART);
    uint32_t i = 0;
    for (; i < group->lossy; i++, factor += LOOP_LANES, from += LOOP_LANES)
        add_term(&sum, factor, before, from);
    for (; i < group->count; i++, factor += LOOP_LANES, from += LOOP_LANES)
        add_term(&sum, factor, now, from);
    for (size_t k = 0; k < PARTS; k++) {
        const part moved = sum.p[k] / divisor;
        for (size_t lane = 0; lane < PART; lane++)
            next[group->node[k * PART + lane]] = moved[lane];
    }
}

/* By runs of nodes with the same stencil, so that the loops vectorize. */
void NAME(loop_step)(double *restrict next, const struct surface *s, const struct node_runs *runs,
                     const double *restrict now, const double *restrict before, const double *restrict force,
                     double divisor)
{
    for (size_t i = 0; i < runs->group_count; i++)
        step_group(next, s, runs, &runs->group[i], now, before, force, divisor);
    for (size_t r = 0; r < runs->count; r++) {
        const struct node_run run = runs->run[r];
        if (run.length < SHORT_RUN)
            continue;
        const struct stencil *stencil = &s->stencils[run.kind];
        double *restrict out = next + run.start;
        for (size_t i = 0; i < run.length; i++)
            out[i] = s->force_gain * force[run.start + i];
        add_neighbours(out, before + run.start, run.length, stencil->before, stencil->offset, stencil->lossy);
        add_neighbours(out, now + run.start, run.length, stencil->now, stencil->offset, stencil->count);
        for (size_t i = 0; i < run.length && divisor != 1.0; i++)
            out[i] /= divisor;
    }
}

void NAME(loop_respond)(double *restrict out, const struct surface *s, const double *restrict force)
{
    const uint16_t *kind = s->kind;
    const double gain = s->force_gain / s->denominator;
    for (size_t i = 0; i < s->nx * s->ny; i++) {
        const double moved = gain * force[i];
        out[i] = kind[i] ? moved : 0.0;
    }
}
