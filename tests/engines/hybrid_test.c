/* SPDX-License-Identifier: MIT */
/* Responses over the whole band: waves below, image sources and rays above. */
#include <complex.h>
#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "render/geometric.h"
#include "render/hybrid/crossover.h"
#include "render/render.h"
#include "support/scratch.h"

#include <cmocka.h>

#include "support/within.h"

static struct model *open_room(struct room **room, const char *text, const char *const *settings, size_t count)
{
    char *path = temporary_file(text);
    struct model *m = NULL;
    struct error e = {0};
    if (room_read(room, path, settings, count, &e) || model_make(&m, *room, &e))
        print_error("%s\n", e.message);
    remove(path);
    free(path);
    return m;
}

static struct rendering render(const char *text, const char *const *settings, size_t count, size_t first,
                               size_t sources)
{
    struct rendering r;
    struct error e = {0};
    struct room *room;
    struct model *m = open_room(&room, text, settings, count);
    const struct solver_options choice = {.engine = "cpu"};
    assert_non_null(m);
    if (render_sources(&r, m, first, sources, &choice, NULL, &e))
        fail_msg("%s", e.message);
    model_free(m);
    room_free(room);
    return r;
}

static const char box[] = "room: { size = [2.4, 2.1, 1.8]; walls: { default = \"m\"; }; };\n"
                          "grid: { max_frequency = 1000.0; };\n"
                          "air: { losses = false; };\n"
                          "time: { duration = 0.1; };\n"
                          "sources: ( { name = \"A\"; position = [0.5, 0.6, 0.7]; }, { name = \"B\"; position = [1.4, "
                          "1.1, 0.9]; gain = 2.0; } );\n"
                          "receivers: ( { position = [1.0, 0.4, 1.1]; }, { position = [1.7, 1.5, 0.3]; } );\n"
                          "hybrid: { rays = 2000; order = 4; };\n"
                          "materials: { m = { impedance = 12.0; }; };\n";

static double complex spectrum_at(const struct response *r, size_t channel, double frequency)
{
    double complex sum = 0.0;
    for (size_t n = 0; n < r->frames; n++)
        sum += r->samples[channel * r->frames + n] * cexp(-2.0 * I * M_PI * frequency / r->rate * (double)n);
    return sum;
}

static void the_whole_band_is_the_default(void **state)
{
    (void)state;
    static const char *const on[] = {"hybrid.full=true"}, *const off[] = {"hybrid.full=false"};
    struct rendering by_default = render(box, NULL, 0, 0, 1), full = render(box, on, 1, 0, 1),
                     waves = render(box, off, 1, 0, 1);
    assert_true(by_default.halves.full && full.halves.full);
    assert_false(waves.halves.full);
    assert_int_equal(by_default.response.frames, full.response.frames);
    assert_memory_equal(by_default.response.samples, full.response.samples,
                        full.response.channels * full.response.frames * sizeof(double));
    rendering_free(&by_default);
    rendering_free(&full);
    rendering_free(&waves);
}

static void below_the_crossover_waves_are_heard_alone(void **state)
{
    (void)state;
    static const char *const off[] = {"hybrid.full=false", "output.filter=linear-phase"}, *const on[] = {
                                                                                              "hybrid.full=true"};
    struct rendering waves = render(box, off, 2, 0, 1), full = render(box, on, 1, 0, 1);
    assert_true(full.halves.full);
    assert_within(full.halves.top, 20000.0, 0.0);
    for (double f = 100.0; f < 0.9 * CROSSOVER_LOW * full.halves.edge; f += 31.0)
        for (size_t c = 0; c < 2; c++) {
            const double complex expected = spectrum_at(&waves.response, c, f);
            assert_within(cabs(spectrum_at(&full.response, c, f) - expected), 0.0, 0.01);
        }
    assert_true(cabs(spectrum_at(&full.response, 0, 9000.0)) > 1e-3);
    rendering_free(&waves);
    rendering_free(&full);
}

static void nothing_is_left_above_the_band(void **state)
{
    (void)state;
    static const char *const settings[] = {"hybrid.full=true", "output.rate=44100"};
    struct rendering full = render(box, settings, 2, 0, 1);
    assert_within(full.halves.top, 20000.0, 1e-9);
    assert_true(cabs(spectrum_at(&full.response, 0, 22040.0)) < 0.01 * cabs(spectrum_at(&full.response, 0, 9000.0)));
    rendering_free(&full);
}

static void responses_have_the_same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    static const char *const on[] = {"hybrid.full=true"};
    const int threads = omp_get_max_threads();
    omp_set_num_threads(1);
    struct rendering one = render(box, on, 1, 0, 1);
    omp_set_num_threads(3);
    struct rendering three = render(box, on, 1, 0, 1);
    omp_set_num_threads(threads);
    assert_memory_equal(one.response.samples, three.response.samples,
                        one.response.channels * one.response.frames * sizeof(double));
    rendering_free(&one);
    rendering_free(&three);
}

static void another_seed_gives_another_late_sound(void **state)
{
    (void)state;
    static const char *const one[] = {"hybrid.full=true"}, *const other[] = {"hybrid.full=true", "hybrid.seed=2"};
    struct rendering a = render(box, one, 1, 0, 1), b = render(box, other, 2, 0, 1);
    const size_t late = a.response.frames / 2;
    size_t direct = 0;
    for (size_t n = 0; n < a.response.frames; n++)
        direct = fabs(a.response.samples[n]) > fabs(a.response.samples[direct]) ? n : direct;
    const double peak = fabs(a.response.samples[direct]);
    assert_within(a.response.samples[direct], b.response.samples[direct], 0.01 * peak);
    assert_true(a.response.samples[late] != b.response.samples[late]);
    rendering_free(&a);
    rendering_free(&b);
}

/* Seed and source are mixed: the second source of one seed is not the first of the next. */
static void sources_and_seeds_have_noise_of_their_own(void **state)
{
    (void)state;
    static const char *const one[] = {"hybrid.full=true", "hybrid.order=1"}, *const next[] = {"hybrid.full=true",
                                                                                              "hybrid.order=1",
                                                                                              "hybrid.seed=2"};
    struct rendering second = render(box, one, 2, 1, 1), first = render(box, next, 3, 0, 1);
    double both = 0.0, energy[2] = {0.0, 0.0};
    const double *a = second.response.samples, *b = first.response.samples;
    for (size_t n = 1; n < second.response.frames; n++) { /* differences: what is above the crossover */
        const double da = a[n] - a[n - 1], db = b[n] - b[n - 1];
        if (n > second.response.frames / 3) {
            both += da * db;
            energy[0] += da * da;
            energy[1] += db * db;
        }
    }
    assert_true(energy[0] > 0.0 && energy[1] > 0.0);
    assert_true(fabs(both) < 0.3 * sqrt(energy[0] * energy[1]));
    rendering_free(&second);
    rendering_free(&first);
}

static void sources_together_are_the_sum_of_each_alone(void **state)
{
    (void)state;
    static const char *const settings[] = {"hybrid.full=true", "grid.scheme=7-point"};
    struct rendering both = render(box, settings, 2, 0, 2), a = render(box, settings, 2, 0, 1),
                     b = render(box, settings, 2, 1, 1);
    const double peak = response_peak(&both.response);
    assert_true(both.halves.full);
    for (size_t i = 0; i < both.response.channels * both.response.frames; i++)
        assert_within(both.response.samples[i], a.response.samples[i] + b.response.samples[i], 1e-5 * peak);
    rendering_free(&both);
    rendering_free(&a);
    rendering_free(&b);
}

/* In front of what absorbs nearly all: the direct sound, above the crossover. */
static const char directed[] =
    "room: { size = [3.4, 3.4, 3.2]; walls: { default = \"m\"; }; };\n"
    "grid: { max_frequency = 1000.0; };\n"
    "air: { losses = false; };\n"
    "time: { duration = 0.0065; };\n" /* less than to a wall and back */
    "sources: ( { position = [1.1, 1.7, 1.6]; } );\n"
    "receivers: ( { position = [2.3, 1.7, 1.6]; }, { position = [2.3, 1.7, 1.6]; type = \"cardioid\"; },\n"
    "  { position = [2.3, 1.7, 1.6]; type = \"cardioid\"; orientation = [180.0, 0.0, 0.0]; },\n"
    "  { position = [2.3, 1.7, 1.6]; type = \"ambisonic\"; order = 2; orientation = [90.0, 0.0, 0.0]; },\n"
    "  { position = [2.3, 1.7, 1.6]; type = \"velocity\"; } );\n"
    "hybrid: { full = true; rays = 0; };\n"
    "materials: { m = { impedance = 1.0; }; };\n";

static void channels_have_their_patterns_above_the_crossover(void **state)
{
    (void)state;
    struct rendering r = render(directed, NULL, 0, 0, 1);
    const double c = 343.2, density = 1.204;
    for (double f = 5000.0; f < 18000.0; f *= 1.3) {
        const double complex pressure = spectrum_at(&r.response, 0, f);
        assert_within(cabs(pressure), 1.0 / (4.0 * M_PI * 1.2), 1e-3);
        assert_within(cabs(spectrum_at(&r.response, 1, f) / pressure), 0.0, 0.02);       /* turned away */
        assert_within(cabs(spectrum_at(&r.response, 2, f) / pressure - 1.0), 0.0, 0.02); /* turned to it */
        /* it comes from -x, which a head turned to +y has to its left */
        assert_within(cabs(spectrum_at(&r.response, 3, f) / pressure - 1.0), 0.0, 0.02);
        assert_within(cabs(spectrum_at(&r.response, 4, f) / pressure - 1.0), 0.0, 0.02);
        assert_within(cabs(spectrum_at(&r.response, 6, f) / pressure), 0.0, 0.02);
        assert_within(cabs(spectrum_at(&r.response, 12, f) / pressure * density * c - 1.0), 0.0, 0.03);
    }
    rendering_free(&r);
}

/* A block beside the way, whose edges would turn part of the sound off it. */
static void without_rays_image_sources_keep_what_edges_would_turn(void **state)
{
    (void)state;
    static const char *const turned[] = {"room.objects=({shape=\"box\"; from=[1.5, 1.4, 0.0]; to=[1.9, 2.0, 1.5]; "
                                         "material=\"m\";})",
                                         "materials.m.scattering=0.1"};
    const char *const plain[] = {turned[0], turned[1], "hybrid.edges=false"};
    const char *const traced[] = {turned[0], turned[1], "hybrid.rays=4096"};
    struct rendering a = render(directed, turned, 2, 0, 1), b = render(directed, plain, 3, 0, 1),
                     c = render(directed, traced, 3, 0, 1);
    double apart = 0.0;
    for (size_t n = 0; n < a.response.frames; n++) {
        assert_true(a.response.samples[n] == b.response.samples[n]);
        apart = fmax(apart, fabs(a.response.samples[n] - c.response.samples[n]));
    }
    assert_true(apart > 0.0); /* edges there are */
    rendering_free(&a);
    rendering_free(&b);
    rendering_free(&c);
}

static void sources_have_their_patterns_above_the_crossover(void **state)
{
    (void)state;
    static const char *const towards[] = {"sources.[0].directivity=cardioid"};
    static const char *const away[] = {"sources.[0].directivity=cardioid", "sources.[0].orientation=[180.0, 0.0, 0.0]"};
    struct rendering omni = render(directed, NULL, 0, 0, 1), front = render(directed, towards, 1, 0, 1),
                     back = render(directed, away, 2, 0, 1);
    for (double f = 5000.0; f < 18000.0; f *= 1.3) {
        const double complex pressure = spectrum_at(&omni.response, 0, f);
        assert_within(cabs(spectrum_at(&front.response, 0, f) / pressure - 1.0), 0.0, 0.02);
        assert_within(cabs(spectrum_at(&back.response, 0, f) / pressure), 0.0, 0.02);
    }
    rendering_free(&omni);
    rendering_free(&front);
    rendering_free(&back);
}

static void it_is_said_why_nothing_is_added(void **state)
{
    (void)state;
    static const char *const signal[] = {"hybrid.full=true", "sources.[0].signal=gaussian", "sources.[0].width=0.001"};
    static const char *const narrow[] = {"hybrid.full=true", "output.rate=2000"};
    struct rendering a = render(box, signal, 3, 0, 1), b = render(box, narrow, 2, 0, 1);
    assert_false(a.halves.full);
    assert_false(b.halves.full);
    bool told[2] = {false, false};
    for (size_t i = 0; i < a.warning_count; i++)
        told[0] = told[0] || strstr(a.warnings[i], "only impulse responses are extended");
    for (size_t i = 0; i < b.warning_count; i++)
        told[1] = told[1] || strstr(b.warnings[i], "the wave solver covers the whole band of the file");
    assert_true(told[0] && told[1]);
    rendering_free(&a);
    rendering_free(&b);
}

/* Walls that absorb what waves hold, and little above: their decay is over long before that of the rays. */
static void the_geometric_half_aside_has_the_same_bits_and_can_be_dropped(void **state)
{
    static const double gains[1] = {0.7};
    const struct geometric_band band = {200.0, 250.0, 20000.0, 400.0};
    const size_t frames = 9001;
    struct room *room = NULL;
    struct model *m = open_room(&room, box, NULL, 0);
    struct geometric here = {.images = NULL}, aside = {.images = NULL};
    struct geometric_async *running = NULL;
    struct error e = {0};
    (void)state;
    assert_non_null(m);
    assert_int_equal(geometric_async_begin(&running, frames, 48000.0, &band, &geometric_whole, m, 0, 1, gains, 1, &e),
                     0);
    assert_int_equal(geometric_make(&here, frames, 48000.0, &band, &geometric_whole, m, 0, 1, gains, &e), 0);
    assert_int_equal(geometric_async_end(running, &aside, &e), 0);
    assert_int_equal(aside.frames, frames);
    const size_t bytes = here.channels * frames * sizeof *here.late;
    assert_memory_equal(here.images, aside.images, bytes);
    assert_memory_equal(here.late, aside.late, bytes);
    double energy = 0.0;
    for (size_t n = 0; n < frames; n++)
        energy += here.late[n] * here.late[n];
    assert_true(energy > 0.0);
    geometric_free(&here);
    geometric_free(&aside);
    /* a hundred seconds, which would take minutes: ended at once */
    assert_int_equal(geometric_async_begin(&running, 4800000, 48000.0, &band, &geometric_whole, m, 0, 1, gains, 1, &e),
                     0);
    geometric_async_drop(running);
    geometric_async_drop(NULL);
    assert_false(stop_requested());
    model_free(m);
    room_free(room);
}

static void auto_lasts_as_long_as_the_rays_do(void **state)
{
    (void)state;
    static const char text[] = "room: { size = [2.4, 2.1, 1.8]; walls: { default = \"m\"; }; };\n"
                               "grid: { max_frequency = 500.0; };\n"
                               "sources: ( { position = [0.5, 0.6, 0.7]; } );\n"
                               "receivers: ( { position = [1.7, 1.5, 0.3]; } );\n"
                               "hybrid: { rays = 4000; order = 2; };\n"
                               "materials: { m = { absorption = [0.7, 0.7, 0.7, 0.7, 0.6, 0.1, 0.1, 0.1]; "
                               "scattering = 0.3; }; };\n";
    static const char *const off[] = {"hybrid.full=false"};
    struct rendering full, waves = render(text, off, 1, 0, 1);
    /* Eyring: 55.3 V/(-c S ln(1 - α)), V 9.07 m³, S 26.3 m² */
    const double sixty = 55.3 * 9.07 / (343.2 * 26.3 * -log(1.0 - 0.1));
    const int before = omp_get_max_threads();
    size_t frames[2];
    for (int i = 0; i < 2; i++) {
        omp_set_num_threads(i ? 3 : 1);
        full = render(text, NULL, 0, 0, 1);
        frames[i] = full.response.frames;
        print_message("waves alone %.1f s, T60 above %.2f s, both %.1f s\n", waves.length.seconds, sixty,
                      full.length.seconds);
        assert_true(full.length.chosen && full.decay <= -60.0);
        assert_true(full.length.seconds >= 0.8 * sixty && full.length.seconds <= 2.0 * sixty);
        rendering_free(&full);
    }
    omp_set_num_threads(before);
    assert_int_equal(frames[0], frames[1]);
    assert_true(waves.length.seconds < 0.8 * sixty);
    rendering_free(&waves);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_band_is_the_default),
        cmocka_unit_test(below_the_crossover_waves_are_heard_alone),
        cmocka_unit_test(nothing_is_left_above_the_band),
        cmocka_unit_test(auto_lasts_as_long_as_the_rays_do),
        cmocka_unit_test(responses_have_the_same_bits_for_any_number_of_threads),
        cmocka_unit_test(another_seed_gives_another_late_sound),
        cmocka_unit_test(sources_and_seeds_have_noise_of_their_own),
        cmocka_unit_test(sources_together_are_the_sum_of_each_alone),
        cmocka_unit_test(channels_have_their_patterns_above_the_crossover),
        cmocka_unit_test(without_rays_image_sources_keep_what_edges_would_turn),
        cmocka_unit_test(sources_have_their_patterns_above_the_crossover),
        cmocka_unit_test(the_geometric_half_aside_has_the_same_bits_and_can_be_dropped),
        cmocka_unit_test(it_is_said_why_nothing_is_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
