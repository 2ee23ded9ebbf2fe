/* SPDX-License-Identifier: MIT */
/* The loops of bodies: the same bits by every instruction set, and the sums that they stand for. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "solver/schemes/bodies/loops.h"
#include "support/random_cases.h"

#include <cmocka.h>

#include "support/within.h"
#include "unit/render/stretched_plate.h"

enum { LONGEST = 100 };

static double *drawn(size_t count, struct random *r)
{
    double *values = calloc(count + 1, sizeof *values);
    assert_non_null(values);
    for (size_t i = 0; i < count; i++)
        values[i] = random_normal(r);
    return values;
}

/* Results of all loops on vectors of any length. */
struct results {
    double dot, sums[2], added[LONGEST], changed[LONGEST], scaled[LONGEST];
};

static void run_loops(struct results *out, const struct body_loops *l, const double *a, const double *b,
                      const double *c, size_t count)
{
    memset(out, 0, sizeof *out);
    memcpy(out->added, a, count * sizeof *a);
    memcpy(out->changed, a, count * sizeof *a);
    memcpy(out->scaled, a, count * sizeof *a);
    out->dot = l->dot(a, b, count);
    l->add(out->added, 0.3, b, count);
    l->add_change(out->changed, 0.3, b, c, count);
    l->scale(out->sums, out->scaled, 0.7, b, c, count);
}

static void test_sums_have_the_same_bits_by_every_instruction_set(void **state)
{
    (void)state;
    struct random r = random_cases("sums of bodies");
    for (size_t count = 0; count < LONGEST; count++) {
        double *a = drawn(count, &r), *b = drawn(count, &r), *c = drawn(count, &r), dot = 0.0, square = 0.0,
               slope = 0.0;
        struct results first, other;
        run_loops(&first, body_loops(), a, b, c, count);
        for (size_t i = 1; body_loops_of(i); i++) {
            run_loops(&other, body_loops_of(i), a, b, c, count);
            if (memcmp(&first, &other, sizeof first))
                fail_msg("%s and %s differ for %zu values", body_loops()->name, body_loops_of(i)->name, count);
        }
        for (size_t i = 0; i < count; i++) {
            const double moved = b[i] - c[i];
            dot += a[i] * b[i];
            square += moved * moved;
            slope += 0.7 * a[i] * moved;
            assert_true(first.added[i] == a[i] + 0.3 * b[i]);
            assert_true(first.changed[i] == a[i] + 0.3 * moved);
            assert_true(first.scaled[i] == 0.7 * a[i]);
        }
        assert_within(first.dot, dot, 1e-13 * (double)(count + 1));
        assert_within(first.sums[0], square, 1e-13 * (double)(count + 1));
        assert_within(first.sums[1], slope, 1e-13 * (double)(count + 1));
        free(a);
        free(b);
        free(c);
    }
}

static const struct {
    enum surface_outline outline;
    enum surface_edge edge;
    double across;
    size_t cells;
} kinds[] = {
    {SURFACE_CIRCLE, SURFACE_FREE, 1.0, 9},     {SURFACE_CIRCLE, SURFACE_FREE, 1.0, 20},
    {SURFACE_CIRCLE, SURFACE_CLAMPED, 1.0, 11}, {SURFACE_RECTANGLE, SURFACE_SUPPORTED, 0.7, 18},
    {SURFACE_RECTANGLE, SURFACE_FREE, 0.5, 24},
};

static void test_plates_stretch_with_the_same_bits_by_every_instruction_set(void **state)
{
    (void)state;
    struct random r = random_cases("stretching of plates");
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        struct plate p;
        plate_make(&p, bronze(kinds[kind].outline, kinds[kind].edge, kinds[kind].across, 0.34, kinds[kind].cells));
        for (size_t i = 0; i < p.nodes; i++)
            p.w[i] = p.surface->kind[i] ? thickness * random_normal(&r) : 0.0;
        double *gradient = calloc(p.nodes, sizeof *gradient);
        assert_non_null(gradient);
        const double energy = plate_stretching(p.stretching, p.w, p.gradient, p.scratch);
        for (size_t i = 0; body_loops_of(i); i++) {
            assert_true(body_loops_of(i)->plate_stretching(p.stretching, p.w, gradient, p.scratch) == energy);
            assert_memory_equal(gradient, p.gradient, p.nodes * sizeof *gradient);
        }
        free(gradient);
        plate_free(&p);
    }
}

/* (N w + B w⁻ + force_gain f)/D of a node, in the order of its stencil. */
static double stepped(const struct surface *s, size_t node, const double *now, const double *before, double force)
{
    const struct stencil *stencil = &s->stencils[s->kind[node]];
    double sum = s->force_gain * force;
    for (uint32_t k = 0; k < stencil->lossy; k++)
        sum += stencil->before[k] * before[(ptrdiff_t)node + stencil->offset[k]];
    for (uint32_t k = 0; k < stencil->count; k++)
        sum += stencil->now[k] * now[(ptrdiff_t)node + stencil->offset[k]];
    return sum / s->denominator;
}

/* The bits are those of the stencils, term by term, also where rims are stepped in groups. */
static void test_every_node_is_stepped_as_by_its_stencil(void **state)
{
    (void)state;
    struct random r = random_cases("steps of plates");
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        struct plate p;
        struct node_runs runs = {.count = 0};
        struct surface_plan plan =
            bronze(kinds[kind].outline, kinds[kind].edge, kinds[kind].across, 0.34, kinds[kind].cells);
        plan.sigma0 = 1.5;
        plan.sigma1 = 2e-4;
        plate_make(&p, plan);
        assert_int_equal(node_runs_make(&runs, p.surface), 0);
        double *now = drawn(p.nodes, &r), *before = drawn(p.nodes, &r), *force = drawn(p.nodes, &r);
        double *next = calloc(p.nodes, sizeof *next);
        assert_non_null(next);
        for (size_t i = 0; body_loops_of(i); i++) {
            memset(next, 0, p.nodes * sizeof *next);
            body_loops_of(i)->step(next, p.surface, &runs, now, before, force, p.surface->denominator);
            for (size_t node = 0; node < p.nodes; node++)
                assert_true(next[node] ==
                            (p.surface->kind[node] ? stepped(p.surface, node, now, before, force[node]) : 0.0));
            body_loops_of(i)->respond(next, p.surface, force);
            for (size_t node = 0; node < p.nodes; node++) {
                const double expected =
                    p.surface->kind[node] ? p.surface->force_gain * force[node] / p.surface->denominator : 0.0;
                assert_within(next[node], expected, 1e-15 * fabs(expected));
            }
        }
        free(now);
        free(before);
        free(force);
        free(next);
        node_runs_free(&runs);
        plate_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_have_the_same_bits_by_every_instruction_set),
        cmocka_unit_test(test_plates_stretch_with_the_same_bits_by_every_instruction_set),
        cmocka_unit_test(test_every_node_is_stepped_as_by_its_stencil),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
