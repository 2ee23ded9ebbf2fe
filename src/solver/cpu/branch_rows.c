/* SPDX-License-Identifier: MIT */
/* Walls with branches, theory (33) and (34), by cache lines of rows and strips of points
 * (branch_layout.h). Equations and order of operations are those of
 * solver/schemes/leapfrog/branches.h.
 *
 * Compiled for both precisions and every instruction set, as leapfrog_rows.c. */
#include <stdint.h>
#include <string.h>

#include "solver/cpu/branch_layout.h"
#include "solver/cpu/kernels.h"
#include "solver/cpu/variant.h"
#include "solver/cpu/vectors.h"

void NAME(branch_keep)(const struct field *f, size_t row0, size_t row1, void *kept);
void NAME(branch_step)(const struct field *f, size_t row0, size_t row1, const void *kept, double *absorbed);
double NAME(leapfrog_branch_energy)(const struct field *f);

enum { LINE = ROW_ALIGNMENT / sizeof(REAL), STRIP = LINE / 2, SUMS = 8, STRIPS_AHEAD = 3 };

/* Parts of a strip, of the width of a vector, at most the whole strip. */
enum { PART = LANES < STRIP ? LANES : STRIP };
typedef REAL part __attribute__((vector_size(PART * sizeof(REAL)), may_alias));
typedef MASK_INTEGER part_mask __attribute__((vector_size(PART * sizeof(REAL)), may_alias));

struct multipliers BRANCH_MULTIPLIERS(REAL);

/* A kind of wall in the precision of the field. */
struct wall {
    REAL weight, half_a;
    bool heavy;
    size_t count; /* number of branches */
    const struct multipliers *branches;
};

static inline struct wall find_wall(const struct field *f, size_t number)
{
    const struct branch_kind *kind = &f->rows.branches.kinds[number];
    return (struct wall){.weight = (REAL)kind->weight,
                         .half_a = (REAL)kind->half_a,
                         .heavy = kind->heavy,
                         .count = kind->count,
                         .branches = (const struct multipliers *)f->walls.multipliers + kind->first};
}

/* Load and store the lanes in `where`. Only this thread touches the other lanes of a line, so
 * they may be read and written. Other lanes of a strip may be stepped by another thread
 * meanwhile: they are neither read nor written. */
static inline vector get_of_line(const REAL *from, mask where)
{
    (void)where;
    return load(from);
}

static inline void put_in_line(REAL *to, vector value, vector given, mask where)
{
    *(vector *)to = (vector)((where & (mask)value) | (~where & (mask)given));
}

#if defined(__AVX512VL__) && LANES == 16
#define LANE_BITS _mm256_cmplt_epi32_mask((__m256i)where, _mm256_setzero_si256())
#define GET_LANES (part) _mm256_maskz_load_ps(LANE_BITS, from)
#define PUT_LANES _mm256_mask_store_ps(to, LANE_BITS, (__m256)value)
#elif defined(__AVX512VL__) && LANES == 8
#define LANE_BITS _mm256_cmplt_epi64_mask((__m256i)where, _mm256_setzero_si256())
#define GET_LANES (part) _mm256_maskz_load_pd(LANE_BITS, from)
#define PUT_LANES _mm256_mask_store_pd(to, LANE_BITS, (__m256d)value)
#elif defined(__AVX2__) && LANES == 8
#define GET_LANES (part) _mm256_maskload_ps(from, (__m256i)where)
#define PUT_LANES _mm256_maskstore_ps(to, (__m256i)where, (__m256)value)
#elif defined(__AVX2__) && LANES == 4
#define GET_LANES (part) _mm256_maskload_pd(from, (__m256i)where)
#define PUT_LANES _mm256_maskstore_pd(to, (__m256i)where, (__m256d)value)
#endif

static inline part get_of_strip(const REAL *from, part_mask where)
{
#ifdef GET_LANES
    return GET_LANES;
#else
    part value = {0};
    for (int i = 0; i < PART; i++)
        if (where[i])
            value[i] = from[i];
    return value;
#endif
}

static inline void put_in_strip(REAL *to, part value, part given, part_mask where)
{
    (void)given;
#ifdef PUT_LANES
    PUT_LANES;
#else
    for (int i = 0; i < PART; i++)
        if (where[i])
            to[i] = value[i];
#endif
}

/* Steps the points of a vector whose lanes in `where` are set, or all of them. Returns p⁺ for
 * `given` = q, and advances v and g, which are `apart` values from each other. *lost is the
 * absorbed energy. */
#define GET_ALL(TYPE, GET, from) (all ? *(const TYPE *)(from) : GET(from, where))
#define STEP_POINTS(name, TYPE, MASK, GET, PUT)                                                                        \
    static inline __attribute__((always_inline)) TYPE name(const struct wall *wall, TYPE given, const REAL *kept,      \
                                                           REAL *states, size_t apart, MASK where, bool all,           \
                                                           REAL *lost)                                                 \
    {                                                                                                                  \
        const TYPE before = *(const TYPE *)kept;                                                                       \
        TYPE push = {0}, after, change;                                                                                \
        REAL *at = states;                                                                                             \
        for (size_t m = 0; m < wall->count; m++, at += 2 * apart)                                                      \
            push += wall->branches[m].push_v * GET_ALL(TYPE, GET, at) -                                                \
                    wall->branches[m].push_g * GET_ALL(TYPE, GET, at + apart);                                         \
        const TYPE rigid = given - push;                                                                               \
        if (wall->heavy) {                                                                                             \
            change = wall->weight * (rigid - before);                                                                  \
            after = before + change;                                                                                   \
        } else {                                                                                                       \
            after = rigid + wall->weight * (before - rigid);                                                           \
            change = after - before;                                                                                   \
        }                                                                                                              \
        TYPE taken = wall->half_a * (change * change), drive = change;                                                 \
        uint32_t tanks = 0; /* that are left of a branch */                                                            \
        at = states;                                                                                                   \
        for (size_t m = 0; m < wall->count; m++, at += 2 * apart) {                                                    \
            const struct multipliers *f = &wall->branches[m];                                                          \
            const TYPE v = GET_ALL(TYPE, GET, at), g = GET_ALL(TYPE, GET, at + apart);                                 \
            TYPE sum = (f->b * drive + f->four_bd * v) - f->twice_bf * g;                                              \
            if (f->tanks) {                                                                                            \
                TYPE held = {0};                                                                                       \
                for (size_t t = 1; t <= f->tanks; t++)                                                                 \
                    held += f[t].four_bd * GET_ALL(TYPE, GET, at + 2 * t * apart) -                                    \
                            f[t].twice_bf * GET_ALL(TYPE, GET, at + (2 * t + 1) * apart);                              \
                sum -= f->b * held;                                                                                    \
                drive = sum;                                                                                           \
                tanks = f->tanks;                                                                                      \
            } else if (tanks && !--tanks) {                                                                            \
                drive = change;                                                                                        \
            }                                                                                                          \
            const TYPE new_v = sum - v, new_g = g + (REAL)0.5 * sum;                                                   \
            if (all) {                                                                                                 \
                *(TYPE *)at = new_v;                                                                                   \
                *(TYPE *)(at + apart) = new_g;                                                                         \
            } else {                                                                                                   \
                PUT(at, new_v, v, where);                                                                              \
                PUT(at + apart, new_g, g, where);                                                                      \
            }                                                                                                          \
            taken += f->lost * (sum * sum);                                                                            \
        }                                                                                                              \
        *(TYPE *)lost = all ? taken : (TYPE)(where & (MASK)taken);                                                     \
        return after;                                                                                                  \
    }
STEP_POINTS(step_vector, vector, mask, get_of_line, put_in_line)
STEP_POINTS(step_part, part, part_mask, get_of_strip, put_in_strip)

/* Adds the energy of a cache line, in SUMS partial sums whose order does not depend on the
 * instruction set. */
static inline void add_lost(double *restrict sums, const REAL *restrict lost)
{
    for (size_t i = 0; i < LINE; i += SUMS)
#pragma omp simd
        for (size_t k = 0; k < SUMS; k++)
            sums[k] += (double)lost[i + k];
}

static inline void step_line(const struct wall *wall, REAL *u, const REAL *kept, REAL *states, size_t from, size_t end,
                             double *sums)
{
    _Alignas(ROW_ALIGNMENT) REAL lost[LINE];
    const mask none = {0};
    for (size_t i = 0; i < LINE; i += LANES) {
        const vector given = load(u + i);
        const size_t first = from > i ? from - i : 0, last = end > i ? end - i : 0;
        if (first == 0 && last >= LANES) {
            *(vector *)(u + i) = step_vector(wall, given, kept + i, states + i, LINE, none, true, lost + i);
            continue;
        }
        const mask where = lanes_from(first < LANES ? first : LANES) & ~lanes_from(last < LANES ? last : LANES);
        const vector after = step_vector(wall, given, kept + i, states + i, LINE, where, false, lost + i);
        put_in_line(u + i, after, given, where);
    }
    add_lost(sums, lost);
}

/* Prefetches up to `values` states. */
static inline void prefetch_states(const struct field *f, uint64_t from, size_t values)
{
    const uint64_t end = from + values < f->walls.state_count ? from + values : f->walls.state_count;
    for (uint64_t at = from; at < end; at += LINE)
        __builtin_prefetch((const REAL *)f->states + at, 1);
}

static double step_run(const struct field *f, const struct branch_run *run, REAL *row, const REAL *kept)
{
    const struct wall wall = find_wall(f, run->kind);
    const size_t first = run->from / LINE * LINE;
    const size_t values = 2 * LINE * wall.count; /* of a line */
    uint64_t states = run->states;
    double sums[SUMS] = {0.0};
    for (size_t x = first; x < run->end; x += LINE, kept += LINE, states += values) {
        prefetch_states(f, states + values, values);
        step_line(&wall, row + x, kept, (REAL *)f->states + states, run->from > x ? run->from - x : 0,
                  run->end - x < LINE ? run->end - x : LINE, sums);
    }
    return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

/* The points of a strip that are stepped, from .. end - 1. When all are stepped, no other thread
 * uses the lanes beyond. */
struct strip_part {
    const struct branch_strip *strip;
    size_t row; /* row that lists the strip */
    size_t from, end;
    bool all;
};

/* Lanes below n; all lanes for n >= PART. */
static inline part_mask lanes_below(size_t n)
{
    typedef part_mask unaligned __attribute__((aligned(sizeof(REAL))));
    static const MASK_INTEGER edge[16] = {-1, -1, -1, -1, -1, -1, -1, -1}; /* followed by zeros */
    return *(const unaligned *)(edge + 8 - (n < PART ? n : PART));
}

/* Of lanes i .. i + PART - 1 of a strip, those within from .. end - 1. */
static inline part_mask lanes_between(size_t i, size_t from, size_t end)
{
    return lanes_below(end > i ? end - i : 0) & ~lanes_below(from > i ? from - i : 0);
}

/* Values of PART lanes from i; lanes outside from .. end - 1 repeat the nearest value within. */
static inline part gather(const REAL *u, const struct branch_strip *strip, size_t i, size_t from, size_t end)
{
    part values;
#pragma GCC unroll 8
    for (size_t k = 0; k < PART; k++) {
        const size_t above = i + k > from ? i + k : from, lane = above < end ? above : end - 1;
        values[k] = u[strip->at[lane]];
    }
    return values;
}

/* Steps all points of a strip, or some. Lanes beyond its points receive 0 and stay 0. */
static inline __attribute__((always_inline)) void step_strip(const struct field *f, const struct strip_part *stepped,
                                                             const REAL *kept, bool all, double *absorbed)
{
    const struct branch_strip *strip = stepped->strip;
    const struct wall wall = find_wall(f, strip->kind);
    const size_t from = all ? 0 : stepped->from, end = all ? strip->count : stepped->end;
    REAL *u = (REAL *)f->next + stepped->row * f->rows.stride, *states = (REAL *)f->states + strip->states;
    _Alignas(ROW_ALIGNMENT) REAL made[STRIP], lost[STRIP];
    for (size_t i = 0; i < STRIP; i += PART) {
        const part_mask where = lanes_between(i, from, end);
        part given = gather(u, strip, i, from, all ? STRIP : end);
        given = (part)((part_mask)given & where);
        *(part *)(made + i) = step_part(&wall, given, kept + i, states + i, STRIP, where, all, lost + i);
    }
    for (size_t k = from; k < end; k++) {
        u[strip->at[k]] = made[k];
        absorbed[stepped->row + strip->rows[k]] += (double)lost[k];
    }
}

/* Saves p⁻ of a strip; 0 in lanes that are not stepped. */
static void keep_strip(const struct field *f, const struct strip_part *stepped, REAL *kept)
{
    const REAL *before = (const REAL *)f->before + stepped->row * f->rows.stride;
    for (size_t i = 0; i < STRIP; i += PART) {
        const part_mask where = lanes_between(i, stepped->from, stepped->end);
        const part values = stepped->all ? gather(before, stepped->strip, i, 0, STRIP)
                                         : gather(before, stepped->strip, i, stepped->from, stepped->end);
        *(part *)(kept + i) = (part)((part_mask)values & where);
    }
}

/* Iterates over the strips with points in rows row0 .. row1 - 1, from *next in row *row. False
 * at the end. */
static inline bool next_strip(const struct field *f, size_t row0, size_t row1, size_t *row, uint64_t *next,
                              struct strip_part *stepped)
{
    const struct branch_layout *l = &f->walls;
    for (const uint64_t last = l->strip_start[row1]; *next < last;) {
        const struct branch_strip *s = &l->strips[*next];
        while (*next >= l->strip_start[*row + 1])
            ++*row;
        ++*next;
        size_t from = 0, end = s->count;
        while (from < end && *row + s->rows[from] < row0)
            from++;
        while (from < end && *row + s->rows[end - 1] >= row1)
            end--;
        if (from < end) {
            *stepped = (struct strip_part){s, *row, from, end, from == 0 && end == s->count};
            return true;
        }
    }
    return false;
}

/* First row whose strips may reach row0, in the same plane. */
static inline size_t first_row(const struct field *f, size_t row0)
{
    const size_t plane = row0 / f->rows.ny * f->rows.ny, reach = STRIP_ROWS - 1;
    return row0 - plane > reach ? row0 - reach : plane;
}

void NAME(branch_keep)(const struct field *f, size_t row0, size_t row1, void *kept)
{
    const struct branch_layout *l = &f->walls;
    REAL *to = kept;
    for (size_t row = row0; row < row1; row++)
        for (uint64_t i = l->run_start[row]; i < l->run_start[row + 1]; i++) {
            const struct branch_run *run = &l->runs[i];
            const size_t values = branch_run_lines(run, LINE) * LINE;
            memcpy(to, (const REAL *)f->before + row * f->rows.stride + run->from / LINE * LINE, values * sizeof *to);
            to += values;
        }
    size_t row = first_row(f, row0);
    uint64_t next = l->strip_start[row];
    struct strip_part stepped;
    for (; next_strip(f, row0, row1, &row, &next, &stepped); to += STRIP)
        keep_strip(f, &stepped, to);
}

void NAME(branch_step)(const struct field *f, size_t row0, size_t row1, const void *kept, double *absorbed)
{
    const struct branch_layout *l = &f->walls;
    const REAL *from = kept;
    for (size_t row = row0; row < row1; row++)
        for (uint64_t i = l->run_start[row]; i < l->run_start[row + 1]; i++) {
            absorbed[row] += step_run(f, &l->runs[i], (REAL *)f->next + row * f->rows.stride, from);
            from += branch_run_lines(&l->runs[i], LINE) * LINE;
        }
    size_t row = first_row(f, row0);
    uint64_t next = l->strip_start[row];
    struct strip_part stepped;
    for (; next_strip(f, row0, row1, &row, &next, &stepped); from += STRIP) {
        if (next + STRIPS_AHEAD <= l->strip_start[row1]) {
            const struct branch_strip *ahead = &l->strips[next + STRIPS_AHEAD - 1];
            prefetch_states(f, ahead->states, 2 * STRIP * f->rows.branches.kinds[ahead->kind].count);
        }
        if (stepped.all)
            step_strip(f, &stepped, from, true, absorbed);
        else
            step_strip(f, &stepped, from, false, absorbed);
    }
}

/* Energy in `count` lines or strips of `points` each; lanes without a point contribute 0. */
static double stored_in(const struct field *f, const struct branch_kind *kind, const REAL *states, size_t count,
                        size_t points)
{
    double energy = 0.0;
    for (size_t n = 0; n < count; n++)
        for (uint32_t m = 0; m < kind->count; m++, states += 2 * points) {
            const struct branch_factors *factors = &f->rows.branches.factors[kind->first + m];
            for (size_t i = 0; i < points; i++)
                energy += factors->stored_v * (double)states[i] * (double)states[i] +
                          factors->stored_g * (double)states[points + i] * (double)states[points + i];
        }
    return energy;
}

double NAME(leapfrog_branch_energy)(const struct field *f)
{
    const struct branch_layout *l = &f->walls;
    const REAL *states = f->states;
    double energy = 0.0;
    for (uint64_t i = l->run_start[f->counted[0]]; i < l->run_start[f->counted[1]]; i++) {
        const struct branch_run *run = &l->runs[i];
        energy +=
            stored_in(f, &f->rows.branches.kinds[run->kind], states + run->states, branch_run_lines(run, LINE), LINE);
    }
    for (uint64_t i = l->strip_start[f->counted[0]]; i < l->strip_start[f->counted[1]]; i++) {
        const struct branch_strip *strip = &l->strips[i];
        energy += stored_in(f, &f->rows.branches.kinds[strip->kind], states + strip->states, 1, STRIP);
    }
    return energy;
}
