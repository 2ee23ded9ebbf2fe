/* Walls with branches, PHYSICS (4), segment by segment: scheme/branches.h says what is computed and in which order.
 *
 * One source text for both precisions and every instruction set, as leapfrog_rows.c. */
#include <stdint.h>
#include <string.h>

#include "cpu/kernel.h"

#define JOIN(a, b) a##_##b
#define EXPAND(a, b) JOIN(a, b)
#define NAME(function) EXPAND(function, VARIANT)

void NAME(branch_keep)(const struct field *f, size_t row0, size_t row1, void *kept);
void NAME(branch_step)(const struct field *f, size_t row0, size_t row1, const void *kept, double *absorbed);
double NAME(leapfrog_branch_energy)(const struct field *f);

struct walk {
    const struct field *f;
    REAL *kept; /* p⁻ of the spans so far */
    double *absorbed;
};

/* Where a span begins, and how far its points are apart. */
static inline REAL *find_points(const struct field *f, const void *grid, const struct branch_span *span, size_t *apart)
{
    const struct branch_segment *s = span->segment;
    *apart = s->along_y ? f->rows.stride : 1;
    return (REAL *)grid + span->row * f->rows.stride + s->x;
}

static void keep_span(void *context, const struct branch_span *span)
{
    struct walk *walk = context;
    size_t apart;
    const REAL *before = find_points(walk->f, walk->f->before, span, &apart);
    if (apart == 1)
        memcpy(walk->kept, before, span->count * sizeof *before);
    else
        for (size_t i = 0; i < span->count; i++)
            walk->kept[i] = before[i * apart];
    walk->kept += span->count;
}

void NAME(branch_keep)(const struct field *f, size_t row0, size_t row1, void *kept)
{
    struct walk walk = {.f = f, .kept = kept};
    branches_visit(&f->rows.branches, f->rows.ny, row0, row1, keep_span, &walk);
}

/* The points of a span in order, gathered. */
struct points {
    REAL value[SEGMENT_MOST]; /* q, then p⁺ */
    REAL push[SEGMENT_MOST];
    REAL change[SEGMENT_MOST]; /* p⁺ - p⁻ */
    REAL lost[SEGMENT_MOST];   /* energy taken in this step */
};

static inline void push_points(struct points *p, const struct branch_factors *factors, const REAL *restrict v,
                               const REAL *restrict g, size_t count)
{
    const REAL push_v = (REAL)factors->push_v, push_g = (REAL)factors->push_g;
#pragma omp simd
    for (size_t i = 0; i < count; i++)
        p->push[i] += push_v * v[i] - push_g * g[i];
}

static inline void step_states(struct points *p, const struct branch_factors *factors, REAL *restrict v,
                               REAL *restrict g, size_t count)
{
    const REAL b = (REAL)factors->b, four_bd = (REAL)factors->four_bd, twice_bf = (REAL)factors->twice_bf;
    const REAL lost = (REAL)(0.25 * factors->lost), half = (REAL)0.5;
#pragma omp simd
    for (size_t i = 0; i < count; i++) {
        const REAL sum = (b * p->change[i] + four_bd * v[i]) - twice_bf * g[i];
        g[i] += half * sum;
        v[i] = sum - v[i];
        p->lost[i] += lost * (sum * sum);
    }
}

/* p⁺ at walls of A <= 1. */
static inline void yield_points(struct points *p, const struct branch_kind *kind, const REAL *kept, size_t count)
{
    const REAL weight = (REAL)kind->weight, half_a = (REAL)kind->half_a;
#pragma omp simd
    for (size_t i = 0; i < count; i++) {
        const REAL rigid = p->value[i] - p->push[i], after = rigid + weight * (kept[i] - rigid);
        p->change[i] = after - kept[i];
        p->lost[i] = half_a * (p->change[i] * p->change[i]);
        p->value[i] = after;
    }
}

/* And of A > 1. */
static inline void hold_points(struct points *p, const struct branch_kind *kind, const REAL *kept, size_t count)
{
    const REAL weight = (REAL)kind->weight, half_a = (REAL)kind->half_a;
#pragma omp simd
    for (size_t i = 0; i < count; i++) {
        const REAL rigid = p->value[i] - p->push[i], change = weight * (rigid - kept[i]);
        p->change[i] = change;
        p->lost[i] = half_a * (change * change);
        p->value[i] = kept[i] + change;
    }
}

static inline void step_points(struct points *p, const struct branch_kind *kind, const struct branch_factors *factors,
                               const REAL *kept, REAL *states, size_t length, size_t count)
{
    memset(p->push, 0, count * sizeof *p->push);
    for (uint32_t m = 0; m < kind->count; m++)
        push_points(p, &factors[m], states + 2 * m * length, states + (2 * m + 1) * length, count);
    if (kind->heavy)
        hold_points(p, kind, kept, count);
    else
        yield_points(p, kind, kept, count);
    for (uint32_t m = 0; m < kind->count; m++)
        step_states(p, &factors[m], states + 2 * m * length, states + (2 * m + 1) * length, count);
}

static void step_span(void *context, const struct branch_span *span)
{
    struct walk *walk = context;
    const struct field *f = walk->f;
    const struct branches *b = &f->rows.branches;
    const struct branch_segment *s = span->segment;
    const struct branch_kind *kind = &b->kinds[s->kind];
    struct points p;
    size_t apart;
    REAL *u = find_points(f, f->next, span, &apart);
    for (size_t i = 0; i < span->count; i++)
        p.value[i] = u[i * apart];
    step_points(&p, kind, b->factors + kind->first, walk->kept, (REAL *)f->states + s->states + span->first, s->length,
                span->count);
    for (size_t i = 0; i < span->count; i++)
        u[i * apart] = p.value[i];
    for (size_t i = 0; i < span->count; i++)
        walk->absorbed[s->along_y ? span->row + i : span->row] += (double)p.lost[i];
    walk->kept += span->count;
}

void NAME(branch_step)(const struct field *f, size_t row0, size_t row1, const void *kept, double *absorbed)
{
    struct walk walk = {f, (REAL *)kept, absorbed};
    branches_visit(&f->rows.branches, f->rows.ny, row0, row1, step_span, &walk);
}

double NAME(leapfrog_branch_energy)(const struct field *f)
{
    const struct branches *b = &f->rows.branches;
    double energy = 0.0;
    for (uint64_t k = 0; k < b->segment_count; k++) {
        const struct branch_segment *s = &b->segments[k];
        const struct branch_kind *kind = &b->kinds[s->kind];
        const REAL *v = (const REAL *)f->states + s->states;
        for (uint32_t m = 0; m < kind->count; m++, v += 2 * s->length) {
            const struct branch_factors *factors = &b->factors[kind->first + m];
            for (size_t i = 0; i < s->length; i++)
                energy += factors->stored_v * (double)v[i] * (double)v[i] +
                          factors->stored_g * (double)v[s->length + i] * (double)v[s->length + i];
        }
    }
    return energy;
}
