/* SPDX-License-Identifier: MIT */
/* Fast convolution against the defining sum, in double precision. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "dsp/convolve.h"
#include "support/random_cases.h"

#include <cmocka.h>

static const double TOLERANCE = 1e-6; /* of the peak */

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define COUNTS_ALLOCATIONS 1
/* Counts all allocations of the program and its libraries. */
static size_t allocations;
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
#define EXPORTED __attribute__((visibility("default")))
EXPORTED void *malloc(size_t bytes)
{
    allocations++;
    return __libc_malloc(bytes);
}
EXPORTED void *calloc(size_t count, size_t bytes)
{
    allocations++;
    return __libc_calloc(count, bytes);
}
EXPORTED void *realloc(void *memory, size_t bytes)
{
    allocations++;
    return __libc_realloc(memory, bytes);
}
EXPORTED void *aligned_alloc(size_t alignment, size_t bytes)
{
    allocations++;
    return __libc_memalign(alignment, bytes);
}
#else
#define COUNTS_ALLOCATIONS 0
static size_t allocations;
#endif

/* Uniform in -1..1, decayed by 60 dB at the end when `decay`. */
static double *noise(struct random *r, size_t count, int decay)
{
    double *samples = malloc((count + 1) * sizeof *samples);
    assert_non_null(samples);
    for (size_t n = 0; n < count; n++)
        samples[n] = (2.0 * random_unit(r) - 1.0) * (decay ? pow(10.0, -3.0 * (double)n / (double)count) : 1.0);
    return samples;
}

/* Inputs, filters and outputs. */
struct sound {
    size_t inputs, outputs, frames;
    double *in;                       /* [inputs][frames] */
    struct convolver_filter *filters; /* [inputs][outputs] */
};

static struct sound random_sound(struct random *r, size_t max_inputs, size_t outputs_max, size_t taps_max)
{
    struct sound s = {.inputs = random_between(r, 1, max_inputs), .outputs = random_between(r, 1, outputs_max)};
    s.frames = random_between(r, 2000, 5000);
    s.in = noise(r, s.inputs * s.frames, 0);
    s.filters = calloc(s.inputs * s.outputs, sizeof *s.filters);
    assert_non_null(s.filters);
    for (size_t i = 0; i < s.inputs * s.outputs; i++) {
        s.filters[i].count = i && random_unit(r) < 0.2 ? 0 : random_between(r, 1, taps_max);
        s.filters[i].taps = s.filters[i].count ? noise(r, s.filters[i].count, (int)(random_bits(r) & 1)) : NULL;
    }
    return s;
}

static void free_sound(struct sound *s)
{
    for (size_t i = 0; i < s->inputs * s->outputs; i++)
        free((double *)s->filters[i].taps);
    free(s->filters);
    free(s->in);
}

/* The defining sum of convolution. */
static double direct(const struct sound *s, size_t output, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->inputs; i++) {
        const struct convolver_filter *f = &s->filters[i * s->outputs + output];
        const double *in = s->in + i * s->frames;
        for (size_t k = n >= s->frames ? n - s->frames + 1 : 0; k < f->count && k <= n; k++)
            sum += f->taps[k] * in[n - k];
    }
    return sum;
}

static struct convolver *convolver_of(const struct sound *s, size_t block)
{
    struct convolver *c;
    struct error e;
    if (convolver_make(&c, s->inputs, s->outputs, s->filters, block, &e))
        fail_msg("%s", e.message);
    return c;
}

/* Runs the input (from frame `start` on) through it in blocks: fresh [outputs][frames]. */
static double *run(struct convolver *c, const struct sound *s, size_t start, size_t frames)
{
    const size_t block = convolver_block(c), channels = s->inputs + s->outputs;
    float *samples = calloc(channels * block, sizeof *samples), **at = calloc(channels, sizeof *at);
    double *result = calloc(s->outputs * frames + 1, sizeof *result);
    assert_true(samples && at && result);
    for (size_t i = 0; i < channels; i++)
        at[i] = samples + i * block;
    for (size_t first = 0; first < frames; first += block) {
        for (size_t i = 0; i < s->inputs; i++)
            for (size_t n = 0; n < block; n++)
                at[i][n] = start + first + n < s->frames ? (float)s->in[i * s->frames + start + first + n] : 0.0f;
        convolver_run(c, (const float *const *)at, at + s->inputs);
        for (size_t o = 0; o < s->outputs; o++)
            for (size_t n = 0; n < block && first + n < frames; n++)
                result[o * frames + first + n] = at[s->inputs + o][n];
    }
    free(at);
    free(samples);
    return result;
}

/* Largest difference from the direct sum, relative to the peak of all channels. */
static double deviation(const struct sound *s, const double *result, size_t frames)
{
    double worst = 0.0, peak = 0.0;
    for (size_t o = 0; o < s->outputs; o++)
        for (size_t n = 0; n < frames; n++) {
            const double exact = direct(s, o, n), difference = fabs(result[o * frames + n] - exact);
            peak = fmax(peak, fabs(exact));
            if (!(difference <= worst))
                worst = difference;
        }
    return worst / peak;
}

static void any_block_and_channels_equal_the_direct_sum(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    double worst = 0.0;
    for (int i = 0; i < 60; i++) {
        struct sound s = random_sound(&r, 4, 4, 1500);
        const size_t block = i < 6 ? (size_t)i + 1 : random_between(&r, 1, 700);
        struct convolver *c = convolver_of(&s, block);
        assert_int_equal(convolver_inputs(c), s.inputs);
        assert_int_equal(convolver_outputs(c), s.outputs);
        double *result = run(c, &s, 0, s.frames);
        const double found = deviation(&s, result, s.frames);
        worst = fmax(worst, found);
        if (!(found <= TOLERANCE))
            fail_msg("%zu inputs, %zu outputs, blocks of %zu: %g of the peak", s.inputs, s.outputs, block, found);
        free(result);
        convolver_free(c);
        free_sound(&s);
    }
    print_message("largest difference %.2g of the peak\n", worst);
}

static void all_at_once_equals_the_direct_sum_to_its_end(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int i = 0; i < 20; i++) {
        struct sound s = random_sound(&r, 3, 3, 3000);
        const double level = pow(10.0, 60.0 * random_unit(&r) - 30.0); /* beyond what single precision can square */
        for (size_t n = 0; n < s.inputs * s.frames; n++)
            s.in[n] *= level;
        struct error e;
        double *result;
        size_t frames, taps = 0;
        for (size_t k = 0; k < s.inputs * s.outputs; k++)
            taps = s.filters[k].count > taps ? s.filters[k].count : taps;
        assert_int_equal(convolve(&result, &frames, s.in, s.inputs, s.frames, s.filters, s.outputs, &e), 0);
        assert_int_equal(frames, s.frames + taps - 1);
        const double found = deviation(&s, result, frames);
        if (!(found <= TOLERANCE))
            fail_msg("%zu inputs, %zu outputs: %g of the peak", s.inputs, s.outputs, found);
        free(result);
        free_sound(&s);
    }
}

static struct sound two_seconds(struct random *r, int decay, size_t frames)
{
    struct sound s = {.inputs = 1, .outputs = 1, .frames = frames};
    s.in = noise(r, s.frames, 0);
    s.filters = calloc(1, sizeof *s.filters);
    assert_non_null(s.filters);
    s.filters[0] = (struct convolver_filter){noise(r, 96000, decay), 96000};
    return s;
}

/* At random instants, half of them after the whole response has been fed. */
static void a_response_of_two_seconds_is_exact_to_a_millionth_of_the_peak(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    for (int decay = 0; decay < 2; decay++) {
        struct sound s = two_seconds(&r, decay, 144000);
        const size_t blocks[] = {64, 480, 1024, 8192};
        size_t instants[1000];
        double exact[1000];
        for (size_t i = 0; i < 1000; i++) {
            instants[i] = random_between(&r, i % 2 ? 96000 : 0, s.frames - 1);
            exact[i] = direct(&s, 0, instants[i]);
        }
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
            struct convolver *c = convolver_of(&s, blocks[b]);
            double *result = run(c, &s, 0, s.frames), worst = 0.0, peak = 0.0;
            for (size_t n = 0; n < s.frames; n++)
                peak = fmax(peak, fabs(result[n]));
            for (size_t i = 0; i < 1000; i++)
                worst = fmax(worst, fabs(result[instants[i]] - exact[i]));
            print_message("%s, blocks of %4zu: %.2g of the peak\n", decay ? "decaying" : "steady  ", blocks[b],
                          worst / peak);
            assert_true(worst <= TOLERANCE * peak);
            free(result);
            convolver_free(c);
        }
        free_sound(&s);
    }
}

static void nothing_is_delayed(void **state)
{
    (void)state;
    const double taps[] = {0.5, 0.0, 0.25};
    const struct convolver_filter filter = {taps, 3};
    struct sound s = {.inputs = 1, .outputs = 1, .filters = (struct convolver_filter *)&filter};
    struct convolver *c = convolver_of(&s, 4);
    float block[4] = {0.0f, 0.0f, 1.0f, 0.0f};
    float *at = block;
    convolver_run(c, (const float *const *)&at, &at); /* in place */
    for (int n = 0; n < 4; n++)
        assert_true(fabsf(block[n] - (n == 2 ? 0.5f : 0.0f)) <= 1e-7f);
    memset(block, 0, sizeof block);
    convolver_run(c, (const float *const *)&at, &at);
    for (int n = 0; n < 4; n++)
        assert_true(fabsf(block[n] - (n == 0 ? 0.25f : 0.0f)) <= 1e-7f);
    convolver_free(c);
}

static void after_a_reset_it_is_as_new(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    struct sound s = random_sound(&r, 2, 2, 900);
    struct convolver *c = convolver_of(&s, 128);
    double *first = run(c, &s, 0, s.frames);
    convolver_reset(c);
    double *again = run(c, &s, 0, s.frames);
    assert_memory_equal(first, again, s.outputs * s.frames * sizeof *first);
    free(first);
    free(again);
    convolver_free(c);
    free_sound(&s);
}

/* A response that reaches further back than the previous one lacks the samples that one discarded, for as many blocks
 * as it has more, less one for the new sound. */
static void another_response_takes_over_in_mid_sound(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    enum { BLOCK = 64, HEARD = 12 * BLOCK, REST = 20 * BLOCK };
    const size_t taps[] = {7 * BLOCK, 10 * BLOCK - 5};
    struct convolver_filter filters[2] = {{noise(&r, taps[0], 1), taps[0]}, {noise(&r, taps[1], 1), taps[1]}};
    struct sound s[2] = {{1, 1, 3000, noise(&r, 3000, 0), &filters[0]}};
    s[1] = s[0];
    s[1].filters = &filters[1];
    for (int to = 0; to < 2; to++) {
        struct convolver *old = convolver_of(&s[!to], BLOCK), *new = convolver_of(&s[to], BLOCK);
        free(run(new, &s[to], 700, 3 * BLOCK)); /* has heard something else */
        free(run(old, &s[!to], 0, HEARD));
        assert_int_equal(convolver_take_history(new, old), 0);
        double *result = run(new, &s[to], HEARD, REST), worst = 0.0, peak = 0.0;
        for (size_t n = to ? 2 * BLOCK : 0; n < REST; n++) {
            const double exact = direct(&s[to], 0, HEARD + n);
            peak = fmax(peak, fabs(exact));
            worst = fmax(worst, fabs(result[n] - exact));
        }
        assert_true(worst <= TOLERANCE * peak);
        free(result);
        convolver_free(old);
        convolver_free(new);
    }
    struct convolver *c = convolver_of(&s[0], BLOCK), *other = convolver_of(&s[0], 2 * BLOCK);
    assert_int_equal(convolver_take_history(c, other), -1);
    convolver_free(c);
    convolver_free(other);
    free(s[0].in);
    free((double *)filters[0].taps);
    free((double *)filters[1].taps);
}

static void running_and_resetting_allocate_nothing(void **state)
{
    (void)state;
    if (!COUNTS_ALLOCATIONS)
        skip();
    struct random r = random_cases(__func__);
    struct sound s = random_sound(&r, 2, 2, 1000);
    /* 441 = 9 x 49 and 509, a prime: lengths for which KissFFT itself would allocate */
    const size_t blocks[] = {1, 64, 441, 509, 512};
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
        struct convolver *c = convolver_of(&s, blocks[b]), *next = convolver_of(&s, blocks[b]);
        static float samples[4][512] = {{0.0f}};
        const float *const in[] = {samples[0], samples[1]};
        float *const out[] = {samples[2], samples[3]};
        const size_t before = allocations;
        for (int i = 0; i < 40; i++)
            convolver_run(c, in, out);
        convolver_take_history(next, c);
        convolver_reset(c);
        if (allocations != before)
            fail_msg("blocks of %zu: %zu allocations", blocks[b], allocations - before);
        convolver_free(c);
        convolver_free(next);
    }
    const size_t before = allocations;
    free(noise(&r, 10, 0));
    assert_int_equal(allocations, before + 1); /* they are counted */
    free_sound(&s);
}

static void a_broken_input_is_forgotten(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    struct sound s = random_sound(&r, 1, 1, 300);
    struct convolver *c = convolver_of(&s, 100);
    float block[100];
    float *at = block;
    const float broken[] = {NAN, INFINITY, -INFINITY, 1e30f, 1e-40f};
    for (size_t n = 0; n < 100; n++)
        block[n] = broken[n % 5];
    convolver_run(c, (const float *const *)&at, &at);
    for (size_t n = 0; n < 100; n++)
        assert_true(block[n] == 0.0f);
    convolver_free(c);
    free_sound(&s);
}

static void taps_that_are_not_numbers_are_refused(void **state)
{
    (void)state;
    const double broken[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; i++) {
        const double taps[] = {1.0, broken[i]};
        const struct convolver_filter filter = {taps, 2};
        struct convolver *c;
        struct error e;
        assert_int_equal(convolver_make(&c, 1, 1, &filter, 64, &e), -1);
        assert_null(c);
        assert_non_null(strstr(e.message, "tap 1"));
        double *out;
        size_t frames;
        assert_int_equal(convolve(&out, &frames, &broken[i], 1, 1, &(struct convolver_filter){&taps[0], 1}, 1, &e), -1);
        assert_null(out);
    }
    struct convolver *c;
    struct error e;
    assert_int_equal(convolver_make(&c, 1, 1, &(struct convolver_filter){NULL, 0}, 0, &e), -1);
}

/* The bar is far below what was measured (docs/guide/listening.md), for slow machines and sanitizers; the figures are
 * printed. */
static void two_seconds_of_response_run_faster_than_sound(void **state)
{
    (void)state;
    struct random r = random_cases(__func__);
    struct sound s = two_seconds(&r, 1, COUNTS_ALLOCATIONS ? 960000 : 96000);
    struct error e;
    double *result;
    size_t frames;
    double start = clock_seconds();
    assert_int_equal(convolve(&result, &frames, s.in, 1, s.frames, s.filters, 1, &e), 0);
    const double whole = (double)s.frames / 48000.0 / (clock_seconds() - start);
    free(result);
    print_message("whole file: %.0f times real time\n", whole);
    const size_t blocks[] = {64, 128, 512, 1024, 4096};
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
        struct convolver *c = convolver_of(&s, blocks[b]);
        start = clock_seconds();
        free(run(c, &s, 0, 96000));
        print_message("blocks of %4zu: %.0f times real time\n", blocks[b], 2.0 / (clock_seconds() - start));
        convolver_free(c);
    }
    free_sound(&s);
    assert_true(whole >= (COUNTS_ALLOCATIONS ? 20.0 : 1.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_block_and_channels_equal_the_direct_sum),
        cmocka_unit_test(all_at_once_equals_the_direct_sum_to_its_end),
        cmocka_unit_test(a_response_of_two_seconds_is_exact_to_a_millionth_of_the_peak),
        cmocka_unit_test(nothing_is_delayed),
        cmocka_unit_test(after_a_reset_it_is_as_new),
        cmocka_unit_test(another_response_takes_over_in_mid_sound),
        cmocka_unit_test(running_and_resetting_allocate_nothing),
        cmocka_unit_test(a_broken_input_is_forgotten),
        cmocka_unit_test(taps_that_are_not_numbers_are_refused),
        cmocka_unit_test(two_seconds_of_response_run_faster_than_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
