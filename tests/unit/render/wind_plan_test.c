/* SPDX-License-Identifier: MIT */
/* Wind instruments from their dimensions: a clarinet's scale at several rates, lips for given notes, and openings in a
 * grid. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "render/synth/wind_plan.h"
#include "support/winds.h"

#include <cmocka.h>

#include "support/within.h"

enum { HOLES = 12, STEPS_MAX = 80000 };
static double record[STEPS_MAX]; /* Pa */

/* D3 to D4 in semitones, at 0.6 of the pressure that closes the reed. */
static const struct wind_hole holes[HOLES] = {
    {0.2491, 0.0055, 0.008, 293.66}, {0.2634, 0.0057, 0.008, 277.18}, {0.2831, 0.0060, 0.008, 261.63},
    {0.3041, 0.0062, 0.008, 246.94}, {0.3221, 0.0064, 0.008, 233.08}, {0.3474, 0.0066, 0.008, 220.00},
    {0.3695, 0.0069, 0.008, 207.65}, {0.3932, 0.0071, 0.008, 196.00}, {0.4204, 0.0073, 0.008, 185.00},
    {0.4472, 0.0075, 0.008, 174.61}, {0.4770, 0.0078, 0.008, 164.81}, {0.5073, 0.0080, 0.008, 155.56}};
static const double cylinder[2][2] = {{0.0, 0.015}, {0.5635, 0.015}};

static struct wind_plan clarinet(void)
{
    return (struct wind_plan){.bore = cylinder,
                              .bore_count = 2,
                              .holes = holes,
                              .hole_count = HOLES,
                              .reed = reed_clarinet(),
                              .mouth = {0.5, 0.6, 1.1},
                              .end = {0.5, 0.7, 0.55}};
}

static double semitone(int n)
{
    return 440.0 * exp2((n - 69) / 12.0);
}

/* The pitch of a note of `seconds`, Hz, and its deviation, Pa. */
static double played(const struct wind *w, const double *conductance, double pressure, double lips, double pitch,
                     double seconds, double *loudness)
{
    const double rate = 1.0 / w->bore.grid.time_step;
    const size_t steps = (size_t)(seconds * rate), half = steps / 2;
    double *state = calloc(1, wind_state_bytes(w)), flow[OPENINGS_MAX], periodic = 0.0;
    assert_non_null(state);
    assert_true(steps <= STEPS_MAX);
    for (size_t n = 0; n < steps; n++) {
        const struct wind_input input = {
            .blowing = pressure * fmin(1.0, (double)n / (0.02 * rate)), .frequency = lips, .conductance = conductance};
        wind_step(w, state, &input, flow);
        record[n] = wind_pressure(w, state)[0];
    }
    free(state);
    *loudness = winds_deviation(record + half, steps - half);
    const double scale = WINDS_RATE / rate; /* winds_pitch counts at WINDS_RATE */
    return winds_pitch(record + half, steps - half, 0.8 * scale * pitch, 1.25 * scale * pitch, &periodic) / scale;
}

static void a_clarinet_plays_its_scale_in_tune_at_any_rate(void **state)
{
    (void)state;
    const double rates[] = {48000.0, 32000.0, 24000.0, 16000.0}, tolerance[] = {1.0, 4.0, 6.0, 6.0};
    const struct wind_plan plan = clarinet();
    for (int r = 0; r < 4; r++) {
        struct wind w;
        struct error e;
        const struct wind_air air = {WINDS_DENSITY, WINDS_SPEED, rates[r]};
        if (wind_begin(&w, &plan, NULL, &air, &e))
            fail_msg("%s", e.message);
        for (int n = 0; n <= HOLES; n++) {
            const double pitch = semitone(50 + n);
            double conductance[HOLES], loudness = 0.0;
            const double sounds = wind_fingering(&plan, pitch, conductance);
            assert_within(sounds, n ? pitch : 0.0, 0.01);
            const double f = played(&w, conductance, 0.6 * reed_closing_pressure(&w.reed), 0.0, pitch, 0.7, &loudness);
            assert_within(1200.0 * log2(f / pitch), 0.0, tolerance[r]);
            assert_true(loudness > 2000.0);
        }
        wind_end(&w);
    }
}

static void a_fingering_opens_the_holes_up_to_its_note(void **state)
{
    (void)state;
    const struct wind_plan plan = clarinet();
    double conductance[HOLES];
    assert_within(wind_fingering(&plan, 196.0 * exp2(0.4 / 12.0), conductance), 196.0, 0.0);
    for (int i = 0; i < HOLES; i++)
        assert_true((conductance[i] > 0.0) == (i >= 7));
    assert_within(wind_hole_conductance(0.0), 0.0, 0.0);
    assert_true(wind_hole_conductance(0.3) < wind_hole_conductance(0.6));
    assert_within(wind_hole_conductance(1.0), 1e-4, 1e-12);
}

/* Tube and bell of a trombone, which sounds above the resonances of its bore. */
static void make_trombone(struct wind *w, double profile[25][2], struct wind_plan *plan)
{
    const double mouthpiece[4][2] = {{0.0, 0.024}, {0.012, 0.022}, {0.024, 0.007}, {0.08, 0.0139}};
    const struct wind_air air = {WINDS_DENSITY, WINDS_SPEED, WINDS_RATE};
    struct error e;
    memcpy(profile, mouthpiece, sizeof mouthpiece);
    for (int i = 0; i <= 20; i++) {
        const double along = 0.6 * i / 20.0;
        profile[4 + i][0] = 2.30 + along;
        profile[4 + i][1] = 0.0139 * pow(1.0 - along / 0.6117, -0.7);
    }
    *plan = (struct wind_plan){.bore = (const double(*)[2])profile, .bore_count = 25, .reed = reed_lips(150.0)};
    if (wind_begin(w, plan, NULL, &air, &e))
        fail_msg("%s", e.message);
}

static void lips_that_are_found_for_a_note_play_it(void **state)
{
    (void)state;
    double profile[25][2];
    struct wind_plan plan;
    struct wind w;
    make_trombone(&w, profile, &plan);
    const int notes[] = {53, 58};
    for (int i = 0; i < 2; i++) {
        const double pitch = semitone(notes[i]);
        double pressure = 0.0, loudness = 0.0;
        const double lips = wind_lips(&w, pitch, &pressure);
        assert_true(lips > 0.8 * pitch && lips < pitch);
        assert_true(pressure > 500.0 && pressure < 8000.0);
        const double f = played(&w, NULL, 1.3 * pressure, lips, pitch, 1.6, &loudness);
        assert_within(1200.0 * log2(f / pitch), 5.0, 6.0);
        assert_true(loudness > 20.0);
    }
    double pressure = 0.0;
    assert_true(isnan(wind_lips(&w, 135.0, &pressure))); /* between two registers */
    wind_end(&w);
}

static void openings_lie_on_the_way_from_mouth_to_end(void **state)
{
    (void)state;
    const struct wind_air air = {WINDS_DENSITY, WINDS_SPEED, 24000.0};
    const double x = WINDS_SPEED / 24000.0 * sqrt(3.0);
    const struct grid grid = {.points = {60, 50, 70}, .spacing = x, .rate = 24000.0, .origin = {-0.1, 0.0, 0.05}};
    struct wind_plan plan = clarinet();
    struct wind w;
    struct error e;
    if (wind_begin(&w, &plan, &grid, &air, &e))
        fail_msg("%s", e.message);
    size_t at = 0;
    for (size_t i = 0; i <= HOLES; i++) {
        const double share = i < HOLES ? holes[i].position / 0.5635 : 1.0;
        assert_int_equal(w.openings[i].points, 1);
        uint64_t point = w.points[at++];
        for (int axis = 0; axis < 3; axis++) {
            const double place = plan.mouth[axis] + share * (plan.end[axis] - plan.mouth[axis]);
            const double centre = grid.origin[axis] + ((double)(point % grid.points[axis]) + 0.5) * x;
            assert_within(centre, place, 0.5001 * x);
            point /= grid.points[axis];
        }
    }
    wind_end(&w);
    plan.end[2] = 0.05 + 1.9 * x;
    assert_int_not_equal(wind_begin(&w, &plan, &grid, &air, &e), 0);
    assert_non_null(strstr(e.message, "of a wall"));
    wind_end(&w);
    plan.hole_count = OPENINGS_MAX;
    assert_int_not_equal(wind_begin(&w, &plan, NULL, &air, &e), 0);
    wind_end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clarinet_plays_its_scale_in_tune_at_any_rate),
        cmocka_unit_test(a_fingering_opens_the_holes_up_to_its_note),
        cmocka_unit_test(lips_that_are_found_for_a_note_play_it),
        cmocka_unit_test(openings_lie_on_the_way_from_mouth_to_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
