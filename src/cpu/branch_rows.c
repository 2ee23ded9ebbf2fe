/* Walls with branches, PHYSICS (4), segment by segment; equations and order in schemes/leapfrog/branches.h.
 *
 * One source text for both precisions and every instruction set, as leapfrog_rows.c. */
#include <stdint.h>
#include <string.h>

#include "cpu/kernel.h"
#include "cpu/variant.h"
#include "cpu/vectors.h"

void NAME(branch_keep)(const struct field *f, size_t row0, size_t row1, void *kept);
void NAME(branch_step)(const struct field *f, size_t row0, size_t row1, const void *kept, double *absorbed);
double NAME(leapfrog_branch_energy)(const struct field *f);

/* Multipliers of a branch, in the precision of the field. */
struct factors {
    REAL b, four_bd, twice_bf, push_v, push_g, lost;
};

/* State of one step of a span. */
struct span_step {
    REAL weight, half_a;
    bool heavy;
    uint32_t count; /* branches */
    struct factors factors[WALL_PARTS_MAX * BRANCHES_MAX];
    size_t length;                  /* of the segment: distance from v to g, and from g to the next branch's v */
    const struct branch_kind *kind; /* that the multipliers are of; NULL: none yet */
};

struct walk {
    const struct field *f;
    REAL *kept; /* p⁻ of all spans before this one */
    double *absorbed;
    struct span_step step;
};

/* The first point of a span, and the stride from point to point in values. */
static inline REAL *find_points(const struct field *f, const void *grid, const struct branch_span *span,
                                size_t *spacing)
{
    const struct branch_segment *s = span->segment;
    *spacing = s->along_y ? f->rows.stride : 1;
    return (REAL *)grid + span->row * f->rows.stride + s->x;
}

static void keep_span(void *context, const struct branch_span *span)
{
    struct walk *walk = context;
    size_t spacing;
    const REAL *before = find_points(walk->f, walk->f->before, span, &spacing);
    if (spacing == 1)
        memcpy(walk->kept, before, span->count * sizeof *before);
    else
        for (size_t i = 0; i < span->count; i++)
            walk->kept[i] = before[i * spacing];
    walk->kept += span->count;
}

void NAME(branch_keep)(const struct field *f, size_t row0, size_t row1, void *kept)
{
    struct walk walk = {.f = f, .kept = kept};
    branches_visit(&f->rows.branches, f->rows.ny, row0, row1, keep_span, &walk);
}

static inline void prepare(struct span_step *s, const struct branches *b, const struct branch_segment *segment)
{
    const struct branch_kind *kind = &b->kinds[segment->kind];
    s->length = segment->length;
    if (s->kind == kind) /* as for most of a wall */
        return;
    s->kind = kind;
    s->weight = (REAL)kind->weight;
    s->half_a = (REAL)kind->half_a;
    s->heavy = kind->heavy;
    s->count = kind->count;
    for (uint32_t m = 0; m < kind->count; m++) {
        const struct branch_factors *f = &b->factors[kind->first + m];
        s->factors[m] = (struct factors){(REAL)f->b,      (REAL)f->four_bd, (REAL)f->twice_bf,
                                         (REAL)f->push_v, (REAL)f->push_g,  (REAL)(0.25 * f->lost)};
    }
}

/* Steps as many consecutive points as TYPE has lanes, or n of them: u = q becomes p⁺, v and g advance; lost gets the
 * energy absorbed by the wall. */
#define STEP_POINTS(name, TYPE, LOAD, STORE)                                                                           \
    static inline void name(const struct span_step *s, REAL *u, const REAL *kept, REAL *states, REAL *lost, size_t n)  \
    {                                                                                                                  \
        const TYPE before = LOAD(TYPE, kept);                                                                          \
        TYPE push = {0}, taken;                                                                                        \
        const REAL *from = states;                                                                                     \
        (void)n;                                                                                                       \
        for (uint32_t m = 0; m < s->count; m++, from += 2 * s->length)                                                 \
            push += s->factors[m].push_v * LOAD(TYPE, from) - s->factors[m].push_g * LOAD(TYPE, from + s->length);     \
        const TYPE rigid = LOAD(TYPE, u) - push;                                                                       \
        TYPE after, change;                                                                                            \
        if (s->heavy) {                                                                                                \
            change = s->weight * (rigid - before);                                                                     \
            after = before + change;                                                                                   \
        } else {                                                                                                       \
            after = rigid + s->weight * (before - rigid);                                                              \
            change = after - before;                                                                                   \
        }                                                                                                              \
        STORE(TYPE, u, after);                                                                                         \
        taken = s->half_a * (change * change);                                                                         \
        for (uint32_t m = 0; m < s->count; m++, states += 2 * s->length) {                                             \
            const struct factors *f = &s->factors[m];                                                                  \
            const TYPE v = LOAD(TYPE, states), g = LOAD(TYPE, states + s->length);                                     \
            const TYPE sum = (f->b * change + f->four_bd * v) - f->twice_bf * g;                                       \
            STORE(TYPE, states, sum - v);                                                                              \
            STORE(TYPE, states + s->length, g + (REAL)0.5 * sum);                                                      \
            taken += f->lost * (sum * sum);                                                                            \
        }                                                                                                              \
        STORE(TYPE, lost, taken);                                                                                      \
    }
#define WHOLE_LOAD(TYPE, from) (*(const TYPE *)(from))
#define WHOLE_STORE(TYPE, to, value) (*(TYPE *)(to) = (value))
#define FIRST_LOAD(TYPE, from) load_first(from, n)
#define FIRST_STORE(TYPE, to, value) store_first(to, value, n)

#define LANES_OF(n) __attribute__((vector_size(n * sizeof(REAL)), aligned(sizeof(REAL)), may_alias))
typedef REAL vector_2 LANES_OF(2);
STEP_POINTS(step_1, REAL, WHOLE_LOAD, WHOLE_STORE)
STEP_POINTS(step_2, vector_2, WHOLE_LOAD, WHOLE_STORE)
#if LANES >= 4
typedef REAL vector_4 LANES_OF(4);
STEP_POINTS(step_4, vector_4, WHOLE_LOAD, WHOLE_STORE)
#endif
#if LANES >= 8
typedef REAL vector_8 LANES_OF(8);
STEP_POINTS(step_8, vector_8, WHOLE_LOAD, WHOLE_STORE)
#endif
#if LANES >= 16
typedef REAL vector_16 LANES_OF(16);
STEP_POINTS(step_16, vector_16, WHOLE_LOAD, WHOLE_STORE)
#endif

#if AULA_PARTIAL_VECTORS
STEP_POINTS(step_some, vector, FIRST_LOAD, FIRST_STORE)
#endif

#define STEP_WHILE(name, width)                                                                                        \
    for (; i + width <= count; i += width)                                                                             \
    name(s, u + i, kept + i, states + i, lost + i, width)

static inline void step_points(const struct span_step *s, REAL *u, const REAL *kept, REAL *states, REAL *lost,
                               size_t count)
{
    size_t i = 0;
#if LANES >= 16
    STEP_WHILE(step_16, 16);
#elif LANES >= 8
    STEP_WHILE(step_8, 8);
#elif LANES >= 4
    STEP_WHILE(step_4, 4);
#endif
#if AULA_PARTIAL_VECTORS
    if (i < count)
        step_some(s, u + i, kept + i, states + i, lost + i, count - i);
#else
    STEP_WHILE(step_2, 2);
    STEP_WHILE(step_1, 1);
#endif
}

/* Sum of `lost` in eight partial sums, so that the order does not depend on the instruction set. */
static inline double add_up(const REAL *lost, size_t count)
{
    double sums[8] = {0.0};
    size_t i = 0;
    for (; i + 8 <= count; i += 8)
#pragma omp simd
        for (size_t k = 0; k < 8; k++)
            sums[k] += (double)lost[i + k];
    for (; i < count; i++)
        sums[i % 8] += (double)lost[i];
    return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

static void step_span(void *context, const struct branch_span *span)
{
    struct walk *walk = context;
    const struct field *f = walk->f;
    const struct branch_segment *segment = span->segment;
    struct span_step *s = &walk->step;
    REAL gathered[SEGMENT_MAX], lost[SEGMENT_MAX];
    REAL *states = (REAL *)f->states + segment->states + span->first;
    size_t spacing;
    REAL *u = find_points(f, f->next, span, &spacing);
    prepare(s, &f->rows.branches, segment);
    if (spacing == 1) {
        step_points(s, u, walk->kept, states, lost, span->count);
        walk->absorbed[span->row] += add_up(lost, span->count);
    } else {
        for (size_t i = 0; i < span->count; i++)
            gathered[i] = u[i * spacing];
        step_points(s, gathered, walk->kept, states, lost, span->count);
        for (size_t i = 0; i < span->count; i++)
            u[i * spacing] = gathered[i];
        for (size_t i = 0; i < span->count; i++)
            walk->absorbed[span->row + i] += (double)lost[i];
    }
    walk->kept += span->count;
}

void NAME(branch_step)(const struct field *f, size_t row0, size_t row1, const void *kept, double *absorbed)
{
    struct walk walk; /* not cleared as a whole: it has room for the multipliers of any kind */
    walk.f = f;
    walk.kept = (REAL *)kept;
    walk.absorbed = absorbed;
    walk.step.kind = NULL;
    walk.step.count = 0;
    walk.step.weight = walk.step.half_a = 0;
    walk.step.heavy = false;
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
