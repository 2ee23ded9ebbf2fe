/* SPDX-License-Identifier: MIT */
/* Sound along a path: in a free field against the field of a moving point source, at rest against the convolution. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/convolve.h"
#include "dsp/fractional_read.h"
#include "render/moving/moving_sound.h"
#include "render/moving/split.h"
#include "support/random_cases.h"

#include <cmocka.h>

#include "support/within.h"

#define RATE 48000.0
#define SPEED 343.0

/* Places along x at y = `aside` from the fixed end, which is the origin; responses of a free field, 1/(4πr). */
static struct moving_places free_field(size_t count, double step, double aside, size_t frames)
{
    struct moving_places p = {
        .count = count, .channels = 1, .frames = frames, .rate = RATE, .sound_speed = SPEED, .valid_to = 20000.0};
    struct fractional_reader reader;
    const double one = 1.0;
    assert_int_equal(fractional_reader_make(&reader, NULL), 0);
    p.list = calloc(count, sizeof *p.list);
    for (size_t i = 0; i < count; i++) {
        struct moving_place *place = &p.list[i];
        place->position[0] = step * ((double)i - 0.5 * (double)(count - 1));
        place->position[1] = aside;
        const double r = hypot(place->position[0], aside);
        double *response = calloc(frames, sizeof *response);
        for (size_t n = 0; n < frames; n++)
            response[n] = fractional_read(&reader, &one, 1, (double)n - r / SPEED * RATE) / (4.0 * M_PI * r);
        place->responses = response;
        place->arrivals = calloc(1, sizeof *place->arrivals);
        place->arrivals[place->arrival_count++].strength = 1.0 / r;
    }
    fractional_reader_free(&reader);
    moving_places_measure(&p);
    return p;
}

static void free_places(struct moving_places *p)
{
    for (size_t i = 0; i < p->count; i++) {
        free((double *)p->list[i].responses);
        free(p->list[i].arrivals);
    }
    free(p->list);
}

static double *tone(double frequency, size_t frames)
{
    double *samples = malloc(frames * sizeof *samples);
    for (size_t n = 0; n < frames; n++)
        samples[n] = sin(2.0 * M_PI * frequency * (double)n / RATE);
    return samples;
}

static double distance_of(const struct walk *w, double time)
{
    double position[3];
    walk_at(w, time, position, NULL);
    return sqrt(position[0] * position[0] + position[1] * position[1] + position[2] * position[2]);
}

/* When the sound that is heard at a time left the source. */
static double emission(const struct walk *w, double time, bool source_moves)
{
    double at = time;
    for (int turn = 0; turn < 30; turn++)
        at = time - distance_of(w, source_moves ? at : time) / SPEED;
    return at;
}

/* Pressure of s = 1 that is heard at a time: 1/(4πr) and, of a moving source, over 1 + r'/c at its emission. */
static double level(const struct walk *w, double time, bool source_moves)
{
    const double at = source_moves ? emission(w, time, true) : time, h = 1e-5;
    const double speed = (distance_of(w, at + h) - distance_of(w, at - h)) / (2.0 * h);
    return 1.0 / (4.0 * M_PI * distance_of(w, at)) / (source_moves ? 1.0 + speed / SPEED : 1.0);
}

/* Index of the next crossing of 0 upwards from sample n on, with its part. */
static double crossing(const double *y, size_t *n)
{
    while (!(y[*n] < 0.0 && y[*n + 1] >= 0.0))
        ++*n;
    const size_t at = (*n)++;
    return (double)at + y[at] / (y[at] - y[at + 1]);
}

static void check_pass(bool source_moves)
{
    enum { FRAMES = 48000, FIELD = 2400, CYCLES = 5 };
    const double frequency = 1000.0;
    struct walk_row rows[2] = {{.time = 0.1, .position = {-4.0, 2.0, 0.0}}, {.time = 0.9, .position = {4.0, 2.0, 0.0}}};
    const struct walk walk = {.rows = rows, .count = 2};
    struct moving_places p = free_field(17, 0.5, 2.0, FIELD);
    double *dry = tone(frequency, FRAMES), worst_pitch = 0.0, worst_level = 0.0;
    const struct moving_task task = {&p, &walk, dry, FRAMES, source_moves, 0};
    struct audio wet;
    assert_int_equal(moving_sound_make(&wet, &task, NULL), 0);
    size_t n = (size_t)(0.13 * RATE);
    double before = crossing(wet.samples, &n);
    while ((double)n < 0.87 * RATE) {
        double after = 0.0, peak = 0.0;
        const size_t from = n;
        for (int k = 0; k < CYCLES; k++)
            after = crossing(wet.samples, &n);
        for (size_t i = from; i < n; i++)
            peak = fmax(peak, fabs(wet.samples[i]));
        const double a = before / RATE, b = after / RATE, middle = 0.5 * (a + b);
        const double wanted =
            frequency * (emission(&walk, b, source_moves) - emission(&walk, a, source_moves)) / (b - a);
        worst_pitch = fmax(worst_pitch, fabs(CYCLES / (b - a) / wanted - 1.0));
        worst_level = fmax(worst_level, fabs(20.0 * log10(peak / level(&walk, middle, source_moves))));
        before = after;
    }
    print_message("%s: pitch within %.4f %%, level within %.3f dB\n", source_moves ? "source" : "listener",
                  100.0 * worst_pitch, worst_level);
    assert_within(worst_pitch, 0.0, 2e-4); /* a tenth of the promise */
    assert_within(worst_level, 0.0, 0.1);
    free(dry);
    free(wet.samples);
    free_places(&p);
}

static void a_source_that_passes_at_10_m_s_has_the_pitch_and_level_of_theory(void **state)
{
    (void)state;
    check_pass(true);
    check_pass(false);
}

/* A wall at y = -1.5 that returns 0.8 of the pressure: each path has its own delay and level. */
static void a_reflection_moves_apart_from_the_direct_sound(void **state)
{
    (void)state;
    enum { FRAMES = 48000, FIELD = 2400 };
    const double frequency = 1000.0, factor = 0.8, one = 1.0, images[2][3] = {{0.0}, {0.0, -3.0, 0.0}};
    struct walk_row rows[2] = {{.time = 0.1, .position = {-4.0, 2.0, 0.0}}, {.time = 0.9, .position = {4.0, 2.0, 0.0}}};
    const struct walk walk = {.rows = rows, .count = 2};
    struct moving_places p = free_field(17, 0.5, 2.0, FIELD);
    struct fractional_reader reader;
    assert_int_equal(fractional_reader_make(&reader, NULL), 0);
    for (size_t i = 0; i < p.count; i++) {
        struct moving_place *place = &p.list[i];
        const double r = moving_distance(place->position, images[1]);
        for (size_t n = 0; n < FIELD; n++)
            ((double *)place->responses)[n] +=
                factor * fractional_read(&reader, &one, 1, (double)n - r / SPEED * RATE) / (4.0 * M_PI * r);
        place->arrivals = realloc(place->arrivals, 2 * sizeof *place->arrivals);
        place->arrivals[place->arrival_count++] = (struct moving_arrival){{0.0, -3.0, 0.0}, factor / r};
    }
    double *dry = tone(frequency, FRAMES), worst = 0.0, peak = 0.0;
    const struct moving_task task = {&p, &walk, dry, FRAMES, false, 0};
    struct audio wet;
    assert_int_equal(moving_sound_make(&wet, &task, NULL), 0);
    for (size_t n = (size_t)(0.13 * RATE); n < (size_t)(0.87 * RATE); n++) {
        const double time = (double)n / RATE;
        double position[3], sum = 0.0;
        walk_at(&walk, time, position, NULL);
        for (int k = 0; k < 2; k++) {
            const double r = moving_distance(position, images[k]);
            sum += (k ? factor : 1.0) * sin(2.0 * M_PI * frequency * (time - r / SPEED)) / (4.0 * M_PI * r);
        }
        peak = fmax(peak, fabs(sum));
        worst = fmax(worst, fabs(wet.samples[n] - sum));
    }
    print_message("direct sound and reflection: within %.2g of the peak\n", worst / peak);
    assert_within(worst / peak, 0.0, 1e-3);
    fractional_reader_free(&reader);
    free(dry);
    free(wet.samples);
    free_places(&p);
}

/* Places in the plane z = 1 with responses of decaying noise and arrivals from anywhere. */
static struct moving_places random_places(struct random *r, size_t count, size_t channels, size_t frames)
{
    struct moving_places p = {.count = count,
                              .channels = channels,
                              .frames = frames,
                              .rate = RATE,
                              .sound_speed = SPEED,
                              .delay = random_uniform(r, 0.0, 1e-3),
                              .valid_to = random_uniform(r, 500.0, 20000.0)};
    p.list = calloc(count, sizeof *p.list);
    for (size_t i = 0; i < count; i++) {
        struct moving_place *place = &p.list[i];
        double *response = malloc(channels * frames * sizeof *response);
        place->position[0] = random_uniform(r, 0.0, 4.0);
        place->position[1] = random_uniform(r, 0.0, 4.0);
        place->position[2] = 1.0;
        for (size_t n = 0; n < channels * frames; n++)
            response[n] = random_uniform(r, -1.0, 1.0) * exp(-7.0 * (double)(n % frames) / (double)frames);
        place->responses = response;
        place->arrival_count = (size_t)random_uniform(r, 0.0, 7.999);
        place->arrivals = calloc(8, sizeof *place->arrivals);
        for (size_t k = 0; k < place->arrival_count; k++) {
            for (int axis = 0; axis < 3; axis++)
                place->arrivals[k].image[axis] = axis < 2 ? random_uniform(r, -4.0, 8.0) : random_uniform(r, 3.0, 8.0);
            place->arrivals[k].strength = random_uniform(r, 0.01, 1.0);
        }
        if (place->arrival_count > 1) /* two that coincide */
            place->arrivals[1] = place->arrivals[0];
    }
    moving_places_measure(&p);
    return p;
}

static void parts_of_a_response_add_up_to_it(void **state)
{
    (void)state;
    struct random r = random_cases("splits of responses");
    for (int i = 0; i < 20; i++) {
        enum { FRAMES = 3000, CHANNELS = 2 };
        struct moving_places p = random_places(&r, 3, CHANNELS, FRAMES);
        struct moving_split s;
        assert_int_equal(moving_split_make(&s, &p, &p.list[0], NULL), 0);
        for (size_t c = 0; c < CHANNELS; c++)
            for (size_t n = 0; n < FRAMES; n++) {
                double sum = s.late[c * FRAMES + n];
                for (size_t k = 0; k < s.arrivals && n < s.early; k++)
                    sum += s.parts[(k * CHANNELS + c) * s.early + n];
                assert_within(sum - p.list[0].responses[c * FRAMES + n], 0.0, 1e-14);
            }
        moving_split_free(&s);
        free_places(&p);
    }
}

static void at_rest_on_a_place_the_sound_is_the_convolution(void **state)
{
    (void)state;
    enum { DRY = 20000, FRAMES = 12000, CHANNELS = 2, PLACES = 6 };
    struct random r = random_cases("rest on places");
    struct moving_places p = random_places(&r, PLACES, CHANNELS, FRAMES);
    double *dry = malloc(DRY * sizeof *dry);
    for (size_t n = 0; n < DRY; n++)
        dry[n] = random_uniform(&r, -1.0, 1.0);
    for (size_t i = 0; i < PLACES; i++) {
        struct walk_row row = {.time = 0.0};
        memcpy(row.position, p.list[i].position, sizeof row.position);
        const struct walk walk = {.rows = &row, .count = 1};
        const struct moving_task task = {&p, &walk, dry, DRY, i % 2, 0};
        struct convolver_filter filters[CHANNELS];
        double *plain, peak = 0.0, worst = 0.0;
        size_t frames;
        struct audio wet;
        for (size_t c = 0; c < CHANNELS; c++)
            filters[c] = (struct convolver_filter){p.list[i].responses + c * FRAMES, FRAMES};
        assert_int_equal(convolve(&plain, &frames, dry, 1, DRY, filters, CHANNELS, NULL), 0);
        assert_int_equal(moving_sound_make(&wet, &task, NULL), 0);
        assert_int_equal(wet.frames, frames);
        for (size_t n = 0; n < CHANNELS * frames; n++) {
            peak = fmax(peak, fabs(plain[n]));
            worst = fmax(worst, fabs(wet.samples[n] - plain[n]));
        }
        assert_within(worst / peak, 0.0, 2e-6);
        free(plain);
        free(wet.samples);
    }
    free(dry);
    free_places(&p);
}

/* Convolution of all that the dry sound has been, also before the listener came near the place. */
static void after_a_walk_the_sound_is_the_convolution(void **state)
{
    (void)state;
    enum { DRY = 80000, FRAMES = 64000, PLACES = 12, REST = 66000 }; /* the early parts of the walk have ended */
    struct random r = random_cases("rest after a walk");
    struct moving_places p = random_places(&r, PLACES, 1, FRAMES);
    struct walk_row rows[2] = {{.time = 1.0}, {.time = 1.2}};
    const struct walk walk = {.rows = rows, .count = 2};
    memcpy(rows[0].position, p.list[0].position, sizeof rows[0].position);
    memcpy(rows[1].position, p.list[1].position, sizeof rows[1].position);
    double *dry = malloc(DRY * sizeof *dry), *plain, peak = 0.0, worst = 0.0;
    for (size_t n = 0; n < DRY; n++)
        dry[n] = random_uniform(&r, -1.0, 1.0);
    const struct moving_task task = {&p, &walk, dry, DRY, false, 0};
    const struct convolver_filter filter = {p.list[1].responses, FRAMES};
    size_t frames;
    struct audio wet;
    assert_int_equal(convolve(&plain, &frames, dry, 1, DRY, &filter, 1, NULL), 0);
    assert_int_equal(moving_sound_make(&wet, &task, NULL), 0);
    for (size_t n = REST; n < frames; n++) {
        peak = fmax(peak, fabs(plain[n]));
        worst = fmax(worst, fabs(wet.samples[n] - plain[n]));
    }
    print_message("difference after the walk: %.2g of the peak\n", worst / peak);
    free(plain);
    free(wet.samples);
    free(dry);
    free_places(&p);
    assert_within(worst / peak, 0.0, 2e-6);
}

static void weights_are_continuous_and_one_at_a_place(void **state)
{
    (void)state;
    struct random r = random_cases("weights of places");
    for (int kind = 0; kind < 20; kind++) {
        struct moving_places p = random_places(&r, 2 + (size_t)random_uniform(&r, 0.0, 20.0), 1, 1);
        for (size_t i = 0; i < p.count && kind % 3 == 1; i++) /* on a line */
            p.list[i].position[1] = 0.5 * p.list[i].position[0];
        for (size_t i = 0; i < p.count && kind % 3 == 2; i++) /* in a cloud */
            p.list[i].position[2] = random_uniform(&r, 0.0, 2.0);
        moving_places_measure(&p);
        if (p.count > 8) /* few may be almost on a line */
            assert_int_equal(p.dimensions, kind % 3 == 1 ? 1 : kind % 3 == 2 ? 3 : 2);
        double *a = malloc(p.count * sizeof *a), *b = malloc(p.count * sizeof *b);
        for (size_t i = 0; i < p.count; i++) {
            moving_weights(a, &p, p.list[i].position);
            for (size_t k = 0; k < p.count; k++)
                assert_true(a[k] == (double)(k == i));
        }
        const double step = 1e-4; /* m, along lines */
        for (int line = 0; line < 20; line++) {
            double at[3], way = 0.0, direction[3];
            for (int axis = 0; axis < 3; axis++) {
                at[axis] = random_uniform(&r, 0.0, 4.0);
                direction[axis] = random_normal(&r);
                way += direction[axis] * direction[axis];
            }
            moving_weights(a, &p, at);
            for (int n = 0; n < 1000; n++) {
                double sum = 0.0;
                for (int axis = 0; axis < 3; axis++)
                    at[axis] += step * direction[axis] / sqrt(way);
                moving_weights(b, &p, at);
                for (size_t k = 0; k < p.count; k++) {
                    sum += b[k];
                    assert_within(b[k] - a[k], 0.0, 0.01);
                }
                assert_within(sum, 1.0, 1e-12);
                memcpy(a, b, p.count * sizeof *a);
            }
        }
        free(a);
        free(b);
        free_places(&p);
    }
}

/* Largest fourth difference from sample `from` on: of a tone f it is (2πf/rate)⁴ of its level; a click is far above. */
static double roughness(const double *y, size_t from, size_t frames)
{
    double most = 0.0;
    for (size_t n = from; n + 4 < frames; n++)
        most = fmax(most, fabs(y[n] - 4.0 * y[n + 1] + 6.0 * y[n + 2] - 4.0 * y[n + 3] + y[n + 4]));
    return most;
}

static void a_walk_makes_no_click(void **state)
{
    (void)state;
    enum { FRAMES = 60000, REST = 10000, FIELD = 4000 };
    struct random r = random_cases("clicks of walks");
    struct moving_places p = random_places(&r, 12, 1, FIELD);
    double *dry = tone(2000.0, FRAMES), still = 0.0;
    for (size_t i = 0; i <= p.count; i++) {
        struct walk_row rows[12];
        for (size_t k = 0; k < 12; k++) {
            rows[k] = (struct walk_row){.time = 0.25 * (double)k};
            memcpy(rows[k].position, p.list[i < p.count ? i : k].position, sizeof rows[k].position);
        }
        const struct walk walk = {.rows = rows, .count = i < p.count ? 1 : 12};
        for (int moves = i < p.count; moves < 2; moves++) {
            const size_t frames = i < p.count ? REST : FRAMES;
            const struct moving_task task = {&p, &walk, dry, frames, moves, 0};
            struct audio wet;
            assert_int_equal(moving_sound_make(&wet, &task, NULL), 0);
            const double rough = roughness(wet.samples, FIELD, frames - 3000); /* the tone ends in full */
            free(wet.samples);
            still = i < p.count ? fmax(still, rough) : still;
            if (i == p.count)
                print_message("roughness of the walk over that of the roughest place: %.3f\n", rough / still);
            assert_true(i < p.count ||
                        rough < 2.0 * still); /* 16 m/s and closer walls; a jump of 1 % of the level: 12 */
        }
    }
    free(dry);
    free_places(&p);
}

static double power_of(const struct moving_places *p, const double *dry, size_t frames, const double at[3], bool source)
{
    struct walk_row row = {.time = 0.0};
    memcpy(row.position, at, sizeof row.position);
    const struct walk walk = {.rows = &row, .count = 1};
    const struct moving_task task = {p, &walk, dry, frames, source, 0};
    struct audio wet;
    double sum = 0.0;
    assert_int_equal(moving_sound_make(&wet, &task, NULL), 0);
    for (size_t n = 0; n < wet.frames; n++)
        sum += wet.samples[n] * wet.samples[n];
    free(wet.samples);
    return sum;
}

static void late_sound_keeps_its_power_between_places(void **state)
{
    (void)state;
    enum { FRAMES = 48000, FIELD = 8000 };
    struct random r = random_cases("power of late sound");
    double *dry = malloc(FRAMES * sizeof *dry);
    for (size_t n = 0; n < FRAMES; n++)
        dry[n] = random_uniform(&r, -1.0, 1.0);
    for (int alike = 0; alike < 2; alike++) {
        struct moving_places p = random_places(&r, 2, 1, FIELD);
        for (size_t i = 0; i < p.count; i++)
            p.list[i].arrival_count = 0;
        if (alike)
            memcpy((double *)p.list[1].responses, p.list[0].responses, FIELD * sizeof(double));
        double middle[3];
        for (int axis = 0; axis < 3; axis++)
            middle[axis] = 0.5 * (p.list[0].position[axis] + p.list[1].position[axis]);
        const double mean = 0.5 * (power_of(&p, dry, FRAMES, p.list[0].position, false) +
                                   power_of(&p, dry, FRAMES, p.list[1].position, false));
        for (int source = 0; source < 2; source++)
            assert_within(10.0 * log10(power_of(&p, dry, FRAMES, middle, source) / mean), 0.0, 0.2);
        free_places(&p);
    }
    free(dry);
}

static void values_between_samples_are_those_of_the_signal(void **state)
{
    (void)state;
    enum { FRAMES = 400 };
    struct random r = random_cases("values between samples");
    struct fractional_reader reader;
    assert_int_equal(fractional_reader_make(&reader, NULL), 0);
    for (int i = 0; i < 200; i++) {
        const double turn = random_uniform(&r, 0.0, 0.85 * M_PI), phase = random_uniform(&r, 0.0, 6.3);
        const double at = random_uniform(&r, 50.0, FRAMES - 50.0);
        double samples[FRAMES];
        for (int n = 0; n < FRAMES; n++)
            samples[n] = sin(turn * n + phase);
        assert_within(fractional_read(&reader, samples, FRAMES, at) - sin(turn * at + phase), 0.0, 1e-3);
        assert_true(fractional_read(&reader, samples, FRAMES, floor(at)) == samples[(int)at]);
        assert_true(fractional_read(&reader, samples, FRAMES, -30.0) == 0.0);
        assert_true(fractional_read(&reader, samples, FRAMES, FRAMES + 30.0) == 0.0);
    }
    fractional_reader_free(&reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_between_samples_are_those_of_the_signal),
        cmocka_unit_test(parts_of_a_response_add_up_to_it),
        cmocka_unit_test(weights_are_continuous_and_one_at_a_place),
        cmocka_unit_test(at_rest_on_a_place_the_sound_is_the_convolution),
        cmocka_unit_test(after_a_walk_the_sound_is_the_convolution),
        cmocka_unit_test(a_source_that_passes_at_10_m_s_has_the_pitch_and_level_of_theory),
        cmocka_unit_test(a_reflection_moves_apart_from_the_direct_sound),
        cmocka_unit_test(a_walk_makes_no_click),
        cmocka_unit_test(late_sound_keeps_its_power_between_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
