/* SPDX-License-Identifier: MIT */
/* A room heard while it is stepped, against the convolution with its response. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "dsp/band_filter.h"
#include "render/preview/level.h"
#include "render/preview/live.h"
#include "render/preview/live_gain.h"
#include "render/render.h"
#include "support/random_cases.h"
#include "support/scratch.h"

#include <cmocka.h>

static const double CARD_RATE = 48000.0;
static const double GRID_RATE = 8000.0;
enum { EVERY = 6, FRAMES = 24000, STEPS = FRAMES / EVERY };

/* The grid has the room's sample rate over six: 48000/6. */
static const char small_room[] =
    "room: { size = [2.1, 1.8, 1.6]; walls: { default = \"m\"; z_min = \"soft\"; }; };\n"
    "grid: { rate = 8000.0; precision = \"double\"; };\n"
    "time: { duration = 0.5; };\n"
    "sources: ( { name = \"A\"; position = [0.5, 0.6, 0.7]; },\n"
    "           { name = \"B\"; position = [1.4, 1.1, 0.9]; gain = 0.7; } );\n"
    "receivers: ( { position = [1.0, 0.4, 1.1]; }, { position = [1.7, 1.5, 0.3]; } );\n"
    "output: { rate = \"grid\"; filter = \"none\"; };\n"
    "materials: { m = { impedance = 12.0; }; soft = { absorption = [0.1, 0.2, 0.3, 0.4, 0.4, 0.4, 0.4, 0.4]; }; };\n";

static const char *const lossless[] = {"air.losses=false"};

static const struct solver_options cpu = {.engine = "cpu", .threads = 1};

static int try_live(struct live **l, const char *text, const struct live_settings *settings, struct error *e)
{
    char *path = temporary_file(text);
    struct live_settings s = *settings;
    s.path = path;
    s.choice = &cpu;
    const int status = live_open(l, &s, e);
    remove(path);
    free(path);
    return status;
}

/* On the finest grid, for any speed of this machine. */
static struct live *open_live(const char *text, size_t source, size_t block, const char *const *settings, size_t count)
{
    const struct live_settings s = {.settings = settings,
                                    .setting_count = count,
                                    .source = source,
                                    .rate = CARD_RATE,
                                    .block = block,
                                    .factor_min = 1e-6};
    struct live *l = NULL;
    struct error e = {0};
    if (try_live(&l, text, &s, &e))
        fail_msg("%s", e.message);
    return l;
}

static size_t signals_of(const struct live *l)
{
    return live_monitor(l)->receivers + live_monitor(l)->field;
}

/* Newly allocated [receivers][frames]: the response to in[frames], frames a multiple of the block. */
static float *hear(struct live *l, const float *in, size_t frames)
{
    const size_t block = live_block(l), receivers = signals_of(l);
    float *heard = calloc(receivers * frames, sizeof *heard);
    float *out[8];
    struct error e = {0};
    assert_int_equal(frames % block, 0);
    for (size_t n = 0; n < frames; n += block) {
        for (size_t r = 0; r < receivers; r++)
            out[r] = heard + r * frames + n;
        if (live_run(l, in + n, out, &e))
            fail_msg("%s", e.message);
    }
    return heard;
}

/* A sum of tones of the valid band that fades in and out: known at any time, so that nothing needs resampling. */
enum { TONES = 40 };
struct tones {
    double frequency[TONES], phase[TONES], amplitude[TONES];
};

static struct tones random_tones(struct random *random, double low, double high)
{
    struct tones t;
    for (int i = 0; i < TONES; i++) {
        t.frequency[i] = low + (high - low) * random_unit(random);
        t.phase[i] = 2.0 * M_PI * random_unit(random);
        t.amplitude[i] = random_unit(random) / TONES;
    }
    return t;
}

static double tones_at(const struct tones *t, double time)
{
    const double length = 0.75 * FRAMES / CARD_RATE;
    double sum = 0.0;
    if (!(time > 0.0 && time < length))
        return 0.0;
    for (int i = 0; i < TONES; i++)
        sum += t->amplitude[i] * sin(2.0 * M_PI * t->frequency[i] * time + t->phase[i]);
    return sum * pow(sin(M_PI * time / length), 4.0);
}

/* Newly allocated [receivers][STEPS]: the raw response at the grid rate, with the offset removed as at the input. */
static double *render_response(const char *text, size_t source)
{
    struct room *room;
    struct model *m;
    struct rendering r;
    struct error e = {0};
    char *path = temporary_file(text);
    if (room_read(&room, path, lossless, 1, &e) || model_make(&m, room, &e) ||
        render_sources(&r, m, source, 1, &cpu, NULL, &e))
        fail_msg("%s", e.message);
    assert_int_equal(r.response.frames, STEPS);
    const size_t receivers = r.response.channels;
    double *response = malloc(receivers * STEPS * sizeof *response);
    memcpy(response, r.response.samples, receivers * STEPS * sizeof *response);
    for (size_t i = 0; i < receivers; i++)
        high_pass(response + i * STEPS, STEPS, RESPONSE_HIGH_PASS, m->grid.rate);
    rendering_free(&r);
    model_free(m);
    room_free(room);
    remove(path);
    free(path);
    return response;
}

/* channel: of the rendered room, for each signal of the live one. */
static void compare_with_convolution(const char *text, const char *rendered, const size_t *channel, size_t source,
                                     struct random random)
{
    struct live *l = open_live(text, source, random_between(&random, 1, 500), lossless, 1);
    assert_true(fabs(live_grid_rate(l) - GRID_RATE) < 1e-6);
    const size_t block = live_block(l), frames = (FRAMES + block - 1) / block * block;
    const struct tones tones = random_tones(&random, 40.0, 0.98 * live_valid_frequency(l));
    float *in = calloc(frames, sizeof *in);
    double dry[STEPS];
    for (size_t n = 0; n < frames; n++)
        in[n] = (float)tones_at(&tones, (double)n / CARD_RATE);
    for (size_t n = 0; n < STEPS; n++)
        dry[n] = tones_at(&tones, (double)n / GRID_RATE);
    float *heard = hear(l, in, frames);
    double *response = render_response(rendered, source);
    double peak = 0.0, worst = 0.0;
    for (size_t r = 0; r < signals_of(l); r++)
        for (size_t n = 0; n * EVERY + live_latency(l) < FRAMES; n++) {
            double wet = 0.0;
            for (size_t k = 0; k <= n; k++)
                wet += response[channel[r] * STEPS + k] * dry[n - k];
            peak = fmax(peak, fabs(wet));
            worst = fmax(worst, fabs(wet - (double)heard[r * frames + n * EVERY + live_latency(l)]));
        }
    print_message("block %zu, latency %zu, worst %.2g of the peak of %.3g\n", block, live_latency(l), worst / peak,
                  peak);
    assert_true(peak > 1e-3);
    assert_true(worst <= 1e-3 * peak);
    free(response);
    free(heard);
    free(in);
    live_close(l);
}

static void what_is_heard_is_the_convolution_with_the_response(void **state)
{
    (void)state;
    for (size_t source = 0; source < 2; source++) /* their gains differ */
        compare_with_convolution(small_room, small_room, (const size_t[]){0, 1}, source, random_cases(__func__));
}

/* A room with a field, and one with its pressure and figures of eight along y, z and x: what is recorded is integrated
 * in the same form, here as it sounds, there at once. */
static void a_field_is_heard_live_as_figures_of_eight_record_it(void **state)
{
    static const char place[] = "position = [1.1, 0.93, 0.82];";
    static const size_t channel[] = {0, 1, 5, 6, 7};
    char field[2048], eights[2048];
    const char *from = strstr(small_room, "receivers"), *rest = strstr(small_room, "output");
    (void)state;
    snprintf(field, sizeof field,
             "%.*sreceivers: ( { %s type = \"ambisonic\"; order = 1; }, { position = [1.7, 1.5, 0.3]; } );\n%s",
             (int)(from - small_room), small_room, place, rest);
    snprintf(eights, sizeof eights,
             "%.*sreceivers: ( { position = [1.7, 1.5, 0.3]; }, { %s type = \"ambisonic\"; order = 1; },"
             " { %s type = \"figure_of_eight\"; orientation = [90.0, 0.0, 0.0]; },"
             " { %s type = \"figure_of_eight\"; orientation = [0.0, -90.0, 0.0]; },"
             " { %s type = \"figure_of_eight\"; } );\n%s",
             (int)(from - small_room), small_room, place, place, place, place, rest);
    compare_with_convolution(field, eights, channel, 0, random_cases(__func__));
}

/* Noise of the whole band: no aliases or images an octave above the valid band. */
static void nothing_is_heard_beyond_an_octave_above_the_valid_band(void **state)
{
    (void)state;
    struct random random = random_cases(__func__);
    struct live *l = open_live(small_room, 0, 480, NULL, 0);
    float *in = calloc(FRAMES, sizeof *in);
    for (size_t n = 0; n < FRAMES; n++)
        in[n] = (float)(2.0 * random_unit(&random) - 1.0);
    float *heard = hear(l, in, FRAMES);
    double inside = 0.0, beyond = 0.0;
    for (double f = 100.0; f < 0.5 * CARD_RATE; f += 97.0) {
        double re = 0.0, im = 0.0;
        for (size_t n = 0; n < FRAMES; n++) { /* Hann's window: its sides do not reach from band to band */
            const double w = (double)heard[n] * (1.0 - cos(2.0 * M_PI * ((double)n + 0.5) / FRAMES));
            re += w * cos(2.0 * M_PI * f / CARD_RATE * (double)n);
            im += w * sin(2.0 * M_PI * f / CARD_RATE * (double)n);
        }
        if (f < live_valid_frequency(l))
            inside = fmax(inside, hypot(re, im));
        else if (f > 2.0 * live_valid_frequency(l) + 20.0)
            beyond = fmax(beyond, hypot(re, im));
    }
    print_message("beyond: %.1f dB\n", 20.0 * log10(beyond / inside));
    assert_true(inside > 0.0);
    assert_true(beyond <= 1e-3 * inside);
    free(heard);
    free(in);
    live_close(l);
}

static void block_boundaries_do_not_matter(void **state)
{
    (void)state;
    struct random random = random_cases(__func__);
    struct live *one = open_live(small_room, 0, 90, NULL, 0), *other = open_live(small_room, 0, 597, NULL, 0);
    assert_int_equal(live_block(one), 90);
    assert_int_equal(live_block(other), 600);
    enum { COUNT = 3600 };
    float in[COUNT];
    for (size_t n = 0; n < COUNT; n++)
        in[n] = (float)(2.0 * random_unit(&random) - 1.0);
    float *a = hear(one, in, COUNT), *b = hear(other, in, COUNT);
    assert_memory_equal(a, b, 2 * COUNT * sizeof *a);
    assert_true(a[COUNT - 1] != 0.0f);
    free(a);
    free(b);
    live_close(one);
    live_close(other);
}

static void silence_in_is_silence_out_and_broken_samples_are_silence(void **state)
{
    (void)state;
    struct live *l = open_live(small_room, 1, 600, NULL, 0);
    float in[1200] = {0};
    in[3] = NAN;
    in[600] = -INFINITY;
    in[700] = 1e30f;
    float *heard = hear(l, in, 1200);
    for (size_t n = 0; n < 2 * 1200; n++)
        assert_true(heard[n] == 0.0f);
    free(heard);
    live_close(l);
}

/* A constant source strength raises the mean pressure of a closed room as c²/V t²/2; with the double high-pass it
 * converges to c²/(V ω²). */
static void an_offset_does_not_build_up(void **state)
{
    (void)state;
    static const char *const rigid[] = {"materials.m.impedance=1e9", "room.walls.z_min=m"};
    struct live *l = open_live(small_room, 0, 600, rigid, 2);
    float *in = calloc(FRAMES, sizeof *in);
    for (size_t n = 0; n < FRAMES; n++)
        in[n] = 1.0f;
    float *heard = hear(l, in, FRAMES);
    double mean[2] = {0.0, 0.0};
    for (size_t n = FRAMES / 2; n < FRAMES; n++)
        mean[n / (3 * FRAMES / 4)] += 4.0 * (double)heard[n] / FRAMES;
    const double corner = 2.0 * M_PI * RESPONSE_HIGH_PASS;
    const double expected = 343.2 * 343.2 / (2.1 * 1.8 * 1.6) / (corner * corner);
    print_message("mean %.3f, %.3f, expected %.3f\n", mean[0], mean[1], expected);
    assert_true(fabs(mean[0] - expected) < 0.05 * expected); /* the size is rounded to cells */
    assert_true(fabs(mean[1] - mean[0]) < 0.02 * expected);
    free(heard);
    free(in);
    live_close(l);
}

/* Energy of an impulse after 0.4 s between hard walls, with and without losses of the air. */
static void air_that_absorbs_absorbs_in_the_grid(void **state)
{
    (void)state;
    static const char *const hard[] = {"materials.m.impedance=1e9", "room.walls.z_min=m", "air.losses=false"};
    float *in = calloc(FRAMES, sizeof *in);
    in[0] = 1.0f;
    double energy[2] = {0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        struct live *l = open_live(small_room, 0, 600, hard, i ? 2 : 3);
        float *heard = hear(l, in, FRAMES);
        for (size_t n = 3 * FRAMES / 4; n < FRAMES; n++)
            energy[i] += (double)heard[n] * (double)heard[n];
        free(heard);
        live_close(l);
    }
    print_message("air leaves %.4f of the energy\n", energy[1] / energy[0]);
    assert_true(energy[1] < 0.995 * energy[0]);
    assert_true(energy[1] > 0.5 * energy[0]);
    free(in);
}

static void a_room_sized_by_points_keeps_its_size(void **state)
{
    (void)state;
    static const char by_points[] = "room: { points = [90, 70, 60]; walls: { default = \"m\"; }; };\n"
                                    "grid: { rate = 44100.0; };\n"
                                    "sources: ( { position = [0.5, 0.4, 0.3]; } );\n"
                                    "receivers: ( { position = [1.0, 0.8, 0.6]; } );\n"
                                    "materials: { m = { impedance = 1.0; }; };\n";
    const struct live_settings s = {.rate = CARD_RATE, .block = 96, .factor_min = 1e-6};
    struct live *l;
    struct error e = {0};
    if (try_live(&l, by_points, &s, &e)) /* on a grid of so many points at 24 kHz its receiver would be elsewhere */
        fail_msg("%s", e.message);
    assert_true(fabs(live_grid_rate(l) - 24000.0) < 1e-6); /* 48 kHz is above its own */
    float in[960] = {0};
    in[0] = 1.0f;
    float *heard = hear(l, in, 960);
    size_t peak = 0;
    for (size_t n = 0; n < 960; n++)
        peak = fabsf(heard[n]) > fabsf(heard[peak]) ? n : peak;
    const double distance = sqrt(0.5 * 0.5 + 0.4 * 0.4 + 0.3 * 0.3);
    const double arrives = distance / 343.2 * CARD_RATE + (double)live_latency(l);
    print_message("direct sound at %zu, expected at %.1f\n", peak, arrives);
    assert_true(fabs((double)peak - arrives) < 4.0);
    free(heard);
    live_close(l);
}

static void the_factor_is_what_was_asked_for_at_least(void **state)
{
    (void)state;
    struct live *l;
    struct error e = {0};
    const struct live_settings s = {.rate = 44100.0, .block = 512, .factor_min = 1.5};
    static const char *const large[] = {"room.size=[9.0,7.0,3.0]", "grid.rate=32000", "grid.precision=single"};
    struct live_settings larger = s;
    larger.settings = large;
    larger.setting_count = 3;
    const double start = clock_seconds();
    if (try_live(&l, small_room, &larger, &e)) {
        assert_int_equal(e.code, ERROR_FAILED); /* a machine that is very busy or watched over */
        print_message("%s\n", e.message);
        return;
    }
    const double every = 44100.0 / live_grid_rate(l);
    print_message("%.0f Hz, valid to %.0f Hz, factor %.2f, latency %zu, found in %.2f s\n", live_grid_rate(l),
                  live_valid_frequency(l), live_factor(l), live_latency(l), clock_seconds() - start);
    assert_true(live_factor(l) >= 1.5);
    assert_true(fabs(every - round(every)) < 1e-9);
    assert_true(live_grid_rate(l) <= 32000.0);
    assert_true(live_block(l) >= 512 && live_block(l) % (size_t)round(every) == 0);
    live_close(l);
}

static void a_room_too_large_is_refused_with_the_factor_it_reached(void **state)
{
    (void)state;
    static const char *const huge[] = {"room.size=[300.0,300.0,300.0]"};
    const struct live_settings s = {
        .settings = huge, .setting_count = 1, .rate = CARD_RATE, .block = 256, .factor_min = 1.3};
    struct live *l;
    struct error e = {0};
    const double start = clock_seconds();
    assert_int_equal(try_live(&l, small_room, &s, &e), -1);
    print_message("%.2f s: %s\n", clock_seconds() - start, e.message);
    assert_null(l);
    assert_int_equal(e.code, ERROR_FAILED);
    assert_non_null(strstr(e.message, "a grid of 2000 Hz runs at "));
    assert_non_null(strstr(e.message, "1.3 times"));
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    struct live_settings s = {.source = 2, .rate = CARD_RATE, .block = 256, .factor_min = 1.3};
    struct live *l;
    struct error e = {0};
    assert_int_equal(try_live(&l, small_room, &s, &e), -1);
    assert_int_equal(e.code, ERROR_USAGE);
    assert_non_null(strstr(e.message, "source 3 does not exist"));
    s.source = 0;
    s.rate = NAN;
    assert_int_equal(try_live(&l, small_room, &s, &e), -1);
    assert_int_equal(e.code, ERROR_FAILED);
    static const char *const misspelt[] = {"grid.rat=1"}, *const outside[] = {"receivers[0].position=[5.0,1.0,1.0]"};
    s.rate = CARD_RATE;
    s.settings = misspelt;
    s.setting_count = 1;
    assert_int_equal(try_live(&l, small_room, &s, &e), -1);
    assert_int_equal(e.code, ERROR_INPUT);
    s.settings = outside;
    assert_int_equal(try_live(&l, small_room, &s, &e), -1);
    assert_int_equal(e.code, ERROR_INPUT);
    assert_non_null(strstr(e.message, "receiver"));
    assert_null(l);
    live_close(NULL);
}

static double peak_of(const float *samples, size_t count)
{
    double peak = 0.0;
    for (size_t i = 0; i < count; i++)
        peak = !(fabs((double)samples[i]) <= peak) ? fabs((double)samples[i]) : peak;
    return peak;
}

/* Noise, soft and at full scale, at the level that its gain gives it; probing the gain leaves nothing in the room. */
static void the_gain_found_keeps_a_dry_sound_within_bounds_and_as_loud_as_it_is(void **state)
{
    (void)state;
    enum { BLOCK = 480, LOOPS = 3 };
    struct random random = random_cases(__func__);
    float *dry = calloc(LOOPS * FRAMES, sizeof *dry), silence[8 * BLOCK] = {0};
    for (size_t n = 0; n < FRAMES; n++)
        dry[n] = (float)(2.0 * random_unit(&random) - 1.0);
    for (int loud = 0; loud < 2; loud++) {
        struct live *l = open_live(small_room, 0, BLOCK, NULL, 0);
        double gain = NAN, dry_power = 0.0, power = 0.0;
        struct error e = {0};
        for (size_t n = 0; n < LOOPS * FRAMES; n++)
            dry[n] = n < FRAMES ? dry[n] * (loud ? 10.0f : 0.1f) : dry[n - FRAMES];
        if (live_gain(&gain, l, NULL, dry, FRAMES, CARD_RATE, &e))
            fail_msg("%s", e.message);
        float *left = hear(l, silence, sizeof silence / sizeof *silence);
        const double left_peak = peak_of(left, 2 * sizeof silence / sizeof *silence) * gain;
        float *heard = hear(l, dry, LOOPS * FRAMES);
        const double peak = peak_of(heard, 2 * LOOPS * FRAMES) * gain;
        const double bound = LIMITER_CEILING * pow(10.0, -0.05 * LEVEL_HEADROOM);
        for (size_t i = 0; i < FRAMES; i++) {
            const double a = (double)heard[(LOOPS - 1) * FRAMES + i], b = (double)heard[(2 * LOOPS - 1) * FRAMES + i];
            power += 0.5 * (a * a + b * b) * gain * gain;
            dry_power += (double)dry[i] * (double)dry[i];
        }
        print_message("gain %.3g: wet over dry %+.2f dB, peak %.3f, left behind %.1e\n", gain,
                      10.0 * log10(power / dry_power), peak, left_peak);
        assert_true(peak <= 1.05 * bound && left_peak <= 1e-4);
        assert_true(fabs(10.0 * log10(power / dry_power)) <= 0.3 || (peak >= 0.9 * bound && power < dry_power));
        free(left);
        free(heard);
        live_close(l);
    }
    free(dry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_heard_is_the_convolution_with_the_response),
        cmocka_unit_test(a_field_is_heard_live_as_figures_of_eight_record_it),
        cmocka_unit_test(nothing_is_heard_beyond_an_octave_above_the_valid_band),
        cmocka_unit_test(block_boundaries_do_not_matter),
        cmocka_unit_test(silence_in_is_silence_out_and_broken_samples_are_silence),
        cmocka_unit_test(an_offset_does_not_build_up),
        cmocka_unit_test(air_that_absorbs_absorbs_in_the_grid),
        cmocka_unit_test(a_room_sized_by_points_keeps_its_size),
        cmocka_unit_test(the_factor_is_what_was_asked_for_at_least),
        cmocka_unit_test(a_room_too_large_is_refused_with_the_factor_it_reached),
        cmocka_unit_test(the_gain_found_keeps_a_dry_sound_within_bounds_and_as_loud_as_it_is),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
