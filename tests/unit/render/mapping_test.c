/* SPDX-License-Identifier: MIT */
/* Rendering where responses are mapped in frequency. The rooms here are stepped by the 7-point scheme, whose responses
 * the map does not make right: what is tested is the way of a record to a response. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "render/mapping.h"
#include "render/sidecar.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "support/room_files.h"
#include "support/signals.h"

#include <cjson/cJSON.h>
#include <cmocka.h> /* last: its macro fail() would break the declaration in base/error.h */

#include "support/within.h"

static const struct solver_options cpu = {.engine = "cpu"};

static void make_mapped(struct grid *g)
{
    g->mapped = true;
    g->valid_frequency = sqrt(ISOTROPIC19_COURANT_SQUARED) / 4.0 * g->rate;
}

/* A room as a file says, its responses mapped. */
struct mapped_room {
    struct room *room;
    struct model *model;
};

static struct mapped_room open_room(const char *signal, const char *time)
{
    char text[1024];
    struct mapped_room r;
    struct error e;
    snprintf(text, sizeof text,
             "room: { size = [1.3, 1.0, 0.9]; walls: { default = \"m\"; }; };\n"
             "grid: { rate = 8000.0; precision = \"double\"; };\nband: { full = false; };\ntime: { %s };\n"
             "sources: ( { name = \"A\"; position = [0.3, 0.4, 0.5]; %s }, { position = [0.4, 0.4, 0.3]; } );\n"
             "receivers: ( { position = [1.0, 0.4, 0.7]; }, { position = [0.7, 0.8, 0.3]; } );\n"
             "output: { rate = \"grid\"; };\nair: { losses = false; };\n"
             "materials: { m = { impedance = 8.0; }; };\n",
             time, signal);
    r.room = good_room(text);
    assert_int_equal(model_make(&r.model, r.room, &e), 0);
    make_mapped(&r.model->grid);
    return r;
}

static void close_room(struct mapped_room *r)
{
    model_free(r->model);
    room_free(r->room);
}

static struct rendering render(const struct mapped_room *r)
{
    struct rendering rendering;
    struct error e;
    if (render_sources(&rendering, r->model, 0, 1, &cpu, NULL, &e))
        fail_msg("%s", e.message);
    return rendering;
}

static void a_record_is_longer_than_the_response_by_the_slowest_sound(void **state)
{
    (void)state;
    struct grid g = {.rate = 20000.0};
    make_mapped(&g);
    const double velocity = isotropic19_group_velocity(isotropic19_grid_frequency(g.valid_frequency / g.rate));
    assert_within((double)mapping_steps(&g, 100000), 100000.0 / (0.95 * velocity), 1.0);
    g.valid_frequency *= 0.5; /* eight points a wavelength: hardly slow */
    assert_int_equal(mapping_steps(&g, 100000), 115000);
}

/* Free field at r metres as the grid records it: e^{-iκr/X}/(4πr) over the gain. */
static void add_direct_sound(double *record, size_t frames, const struct grid *g, double r)
{
    const size_t bins = 2048;
    for (size_t k = 1; k < bins; k++) {
        const double f = 0.33 * (double)k / (double)bins, phase = isotropic19_wavenumber(f) * r / g->spacing;
        const double level = 2.0 * 0.33 / (double)bins / (4.0 * M_PI * r * isotropic19_gain(f));
        const double end = isotropic19_grid_frequency(1.4 * g->valid_frequency / g->rate);
        const double taper = f < end ? 1.0 : 0.5 + 0.5 * cos(M_PI * (f - end) / (0.33 - end));
        for (size_t n = 0; n < frames; n++)
            record[n] += taper * level * cos(2.0 * M_PI * f * (double)n - phase);
    }
    for (size_t n = 0; n < frames; n++)
        record[n] += 0.33 / (double)bins / (4.0 * M_PI * r);
}

static void free_field_arrives_at_its_instant_and_level(void **state)
{
    (void)state;
    enum { WANTED = 600 };
    const double sound_speed = 343.0, distances[2] = {2.0, 3.7}, width = 0.0007;
    struct grid g = {.rate = 10000.0, .spacing = sound_speed / (sqrt(ISOTROPIC19_COURANT_SQUARED) * 10000.0)};
    make_mapped(&g);
    const size_t steps = mapping_steps(&g, WANTED), half = 60;
    struct traces record = {zeros(2 * steps), 2, steps, g.rate}, mapped;
    double *pulse = zeros(2 * half + 1);
    struct excitation x = {.samples = pulse, .length = 2 * half + 1, .onset = half, .gain = 3.0};
    struct error e;
    for (size_t n = 0; n < x.length; n++)
        pulse[n] = 3.0 * exp(-0.5 * pow(((double)n - (double)half) / (width * g.rate), 2.0));
    for (size_t c = 0; c < 2; c++)
        add_direct_sound(record.samples + c * steps, steps, &g, distances[c]);
    assert_int_equal(mapping_apply(&mapped, &record, 0, 0, WANTED, false, &g, &x, &e), 0);
    assert_int_equal(mapped.frames, WANTED);
    for (size_t c = 0; c < 2; c++)
        for (size_t n = 0; n < WANTED - 100; n++) {
            const double r = distances[c], t = ((double)n - (double)half) / g.rate - r / sound_speed;
            const double ideal = 3.0 / (4.0 * M_PI * r) * exp(-0.5 * t * t / (width * width));
            assert_within(mapped.samples[c * WANTED + n], ideal, 2e-4 * 3.0 / (4.0 * M_PI * r));
        }
    traces_free(&mapped);
    record.frames = steps - 1;
    assert_int_equal(mapping_apply(&mapped, &record, 0, 0, WANTED, false, &g, &x, &e), -1); /* too short */
    traces_free(&record);
    free(pulse);
}

static void sweeps_and_impulses_give_the_same_response(void **state)
{
    (void)state;
    struct mapped_room a = open_room("gain = 2.5;", "duration = 0.05;");
    struct mapped_room b = open_room("gain = 2.5; signal = \"sweep\"; length = 0.5;", "duration = 0.05;");
    struct mapped_room u = open_room("", "duration = 0.05;");
    struct rendering impulse = render(&a), sweep = render(&b), unit = render(&u);
    assert_true(impulse.response.is_filter && sweep.response.is_filter);
    assert_int_equal(impulse.simulation.steps, sweep.simulation.steps); /* no sweep was played */
    assert_int_equal(impulse.length.steps, mapping_steps(&a.model->grid, 400));
    assert_int_equal(impulse.response.frames, 400);
    assert_memory_equal(impulse.response.samples, sweep.response.samples, 2 * 400 * sizeof(double));
    assert_true(response_peak(&impulse.response) > 0.05);
    for (size_t n = 0; n < 2 * 400; n++) /* the gain stays in the response */
        assert_within(impulse.response.samples[n], 2.5 * unit.response.samples[n], 1e-12);
    rendering_free(&impulse);
    rendering_free(&sweep);
    rendering_free(&unit);
    close_room(&a);
    close_room(&b);
    close_room(&u);
}

static void other_signals_are_the_response_convolved(void **state)
{
    (void)state;
    struct mapped_room a = open_room("", "duration = 0.05;");
    struct mapped_room b = open_room("gain = 0.6; signal = \"gaussian\"; width = 0.0004;", "duration = 0.05;");
    struct rendering impulse = render(&a), pulse = render(&b);
    assert_false(pulse.response.is_filter);
    assert_int_equal(pulse.response.frames, 400);
    const double peak = response_peak(&pulse.response);
    for (size_t c = 0; c < 2; c++)
        for (size_t n = 0; n < 350; n++) { /* t = 0 is the centre of the pulse, which began before */
            double sum = 0.0;
            for (size_t k = 0; k < 400 && k <= n + 40; k++) {
                const double t = ((double)n - (double)k) / 8000.0 / 0.0004;
                sum += 0.6 * exp(-0.5 * t * t) * impulse.response.samples[c * 400 + k];
            }
            assert_within(pulse.response.samples[c * 400 + n], sum, 1e-3 * peak);
        }
    rendering_free(&impulse);
    rendering_free(&pulse);
    close_room(&a);
    close_room(&b);
}

static void automatic_length_follows_the_mapped_decay(void **state)
{
    (void)state;
    struct mapped_room r = open_room("", "duration = \"auto\";"), fixed;
    struct rendering automatic = render(&r), again;
    assert_true(automatic.length.chosen && automatic.decay <= DECAY_WANTED);
    char time[64];
    snprintf(time, sizeof time, "duration = %.1f;", automatic.length.seconds);
    fixed = open_room("", time);
    again = render(&fixed); /* in one run */
    assert_int_equal(again.response.frames, automatic.response.frames);
    assert_memory_equal(again.response.samples, automatic.response.samples, 2 * again.response.frames * sizeof(double));
    rendering_free(&automatic);
    rendering_free(&again);
    close_room(&r);
    close_room(&fixed);
}

static void sources_at_once_are_refused(void **state)
{
    (void)state;
    struct mapped_room r = open_room("", "duration = 0.05;");
    struct rendering rendering;
    struct error e;
    assert_int_equal(render_check(r.model, 0, 2, &cpu, &e), -1);
    assert_int_equal(e.code, ERROR_INPUT);
    assert_int_equal(render_sources(&rendering, r.model, 0, 2, &cpu, NULL, &e), -1);
    assert_non_null(strstr(e.message, "7-point"));
    close_room(&r);
}

static void the_sidecar_describes_the_map(void **state)
{
    (void)state;
    struct mapped_room r = open_room("", "duration = 0.02;");
    struct rendering rendering = render(&r);
    const struct audio_written written = {.gain = 1.0, .bytes = 1000};
    cJSON *json = sidecar_json(r.model, &rendering, &written, "x.wav", 1.0, 1);
    const cJSON *map = cJSON_GetObjectItem(json, "frequency_map"), *band = cJSON_GetObjectItem(json, "valid_band");
    assert_non_null(map);
    assert_within(cJSON_GetObjectItem(map, "recorded_seconds")->valuedouble,
                  (double)rendering.simulation.steps / 8000.0, 1e-12);
    assert_within(cJSON_GetObjectItem(map, "grid_frequency_of_high")->valuedouble, 0.2096 * 8000.0, 1.0);
    assert_within(cJSON_GetObjectItem(band, "dispersion")->valuedouble, 0.0043, 5e-5);
    cJSON_Delete(json);
    char *text = response_description(r.model, &rendering);
    assert_non_null(strstr(text, "mapped in frequency"));
    free(text);
    rendering_free(&rendering);
    r.model->grid.mapped = false;
    rendering = render(&r);
    json = sidecar_json(r.model, &rendering, &written, "x.wav", 1.0, 1);
    assert_null(cJSON_GetObjectItem(json, "frequency_map"));
    cJSON_Delete(json);
    rendering_free(&rendering);
    close_room(&r);
}

/* The memory that is asked for before a run holds what the map takes. */
static void memory_plan_counts_the_map(void **state)
{
    (void)state;
    struct mapped_room r = open_room("", "duration = 0.05;");
    const struct solver_plan plan = {0};
    const struct length length = {.seconds = 50.0, .steps = 460000};
    const uint64_t mapped = memory_plan(r.model, &plan, 1, &length).signals;
    r.model->grid.mapped = false;
    const uint64_t unmapped = memory_plan(r.model, &plan, 1, &length).signals;
    assert_true(mapped - unmapped > 40 * 460000 && mapped - unmapped < 200 * (uint64_t)460000);
    close_room(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_is_longer_than_the_response_by_the_slowest_sound),
        cmocka_unit_test(free_field_arrives_at_its_instant_and_level),
        cmocka_unit_test(sweeps_and_impulses_give_the_same_response),
        cmocka_unit_test(other_signals_are_the_response_convolved),
        cmocka_unit_test(automatic_length_follows_the_mapped_decay),
        cmocka_unit_test(sources_at_once_are_refused),
        cmocka_unit_test(the_sidecar_describes_the_map),
        cmocka_unit_test(memory_plan_counts_the_map),
    };
    return cmocka_run_group_tests_name("mapping", tests, room_files_set_up, room_files_tear_down);
}
