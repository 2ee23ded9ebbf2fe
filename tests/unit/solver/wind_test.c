/* SPDX-License-Identifier: MIT */
/* Reed, lips, bore and tone holes together: energy, thresholds of blowing against theory, and pitches. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/complex_numbers.h"
#include "solver/schemes/bodies/wind_impedance.h"
#include "support/random_cases.h"
#include "support/winds.h"

#include <cmocka.h>

#include "support/within.h"

enum { STEPS_MAX = 72000 };
static double record[STEPS_MAX]; /* Pa */

static size_t steps_of(double seconds)
{
    return (size_t)lround(seconds * WINDS_RATE);
}

/* Random cones with losses, a reed or lips, and holes that fingers open and close at random, in a mouth of random
 * pressure. */
static void random_instrument(struct wind_rig *rig, struct random *random)
{
    const struct wall_loss loss = wall_loss_fit(1.0 / WINDS_RATE);
    const struct reed reed =
        random_unit(random) < 0.5 ? reed_clarinet() : reed_lips(random_log_uniform(random, 80.0, 600.0));
    const size_t cells = random_between(random, 20, 90);
    double radius[90], here = random_log_uniform(random, 0.004, 0.01);
    for (size_t i = 0; i < cells; i++)
        radius[i] = here *= exp(0.05 * random_normal(random));
    winds_make(rig, radius, cells, random_unit(random) < 0.7 ? &loss : NULL, &reed);
    for (size_t i = 1; i < WINDS_OPENINGS; i++) {
        const struct bore_grid grid = winds_grid();
        const size_t cell = i < 3 ? random_between(random, 4, 6) : random_between(random, 4, cells - 3);
        struct opening hole = opening_make(cell, random_log_uniform(random, 0.002, 0.006),
                                           random_log_uniform(random, 0.002, 0.02), 0, 0.0, 0.0, &grid);
        hole.share = random_unit(random) < 0.3 ? 0.0 : random_unit(random);
        winds_hole(rig, hole);
    }
}

static void energy_is_what_the_player_gave_less_what_was_lost(void **state)
{
    (void)state;
    struct random random = random_cases("wind instruments");
    for (int n = case_count(40); n > 0; n--) {
        struct wind_rig rig;
        random_instrument(&rig, &random);
        const double pressure = random_uniform(&random, -8000.0, 20000.0), noise = random_uniform(&random, 0.0, 500.0);
        double frequency = 0.0, turned = 0.0, worst = 0.0, lost = 0.0;
        for (size_t step = 0; step < 6000; step++) {
            if (rig.wind.reed.sign < 0.0 && random_unit(&random) < 0.1)
                frequency = rig.wind.reed.frequency * random_uniform(&random, 0.7, 1.4);
            for (size_t i = 0; i + 1 < WINDS_OPENINGS; i++)
                if (random_unit(&random) < 0.01)
                    rig.conductance[i] = random_unit(&random) < 0.3 ? 0.0 : random_log_uniform(&random, 1e-11, 1e-2);
            const struct wind_input input = {.blowing = pressure + noise * random_normal(&random),
                                             .frequency = frequency,
                                             .conductance = rig.conductance};
            const double given = wind_given(rig.state);
            wind_step(&rig.wind, rig.state, &input, rig.flow);
            turned += fabs(wind_given(rig.state) - given);
            worst = fmax(worst, fabs(wind_given(rig.state) - wind_lost(rig.state) - wind_energy(&rig.wind, rig.state)));
            assert_true(wind_lost(rig.state) >= lost);
            lost = wind_lost(rig.state);
        }
        assert_within(worst / turned, 0.0, 1e-12);
        winds_free(&rig);
    }
}

/* Whether the oscillation grows, or has become a tone, at the end of the record. */
static bool grows(const double *x, double early, double late, double span, double factor)
{
    const double before = winds_deviation(x + steps_of(early), steps_of(span));
    const double after = winds_deviation(x + steps_of(late), steps_of(span));
    return after > factor * before || after > 50.0;
}

static bool clarinet_speaks(const struct wall_loss *loss, double pressure)
{
    struct wind_rig rig;
    winds_clarinet(&rig, loss);
    winds_play(&rig, pressure * reed_closing_pressure(&rig.wind.reed), 0.3, record, steps_of(1.2));
    winds_free(&rig);
    return grows(record, 0.6, 1.0, 0.2, 1.05);
}

/* The largest |Z| near a resonance, Pa s/m³, and its frequency, Hz. */
static double complex peak_near(const struct wind *w, double low, double high, double *f)
{
    double complex best = 0.0;
    for (double at = low; at < high; at += 0.02) {
        double complex z = 0.0;
        assert_int_equal(wind_impedance(w, at, NULL, &z), 0);
        if (cabs(z) > cabs(best)) {
            best = z;
            *f = at;
        }
    }
    return best;
}

/* The root γ = p_m/p_M of ζ (3γ - 1)/(2 √γ) = Re(Y Z_c), a reed without inertia: Kergomard, "Elementary considerations on
 * reed-instrument oscillations", in "Mechanics of Musical Instruments", 1995. */
static double threshold(double strength, double admittance)
{
    double low = 1.0 / 3.0, high = 1.0;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        *(strength * (3.0 * middle - 1.0) / (2.0 * sqrt(middle)) < admittance ? &low : &high) = middle;
    }
    return low;
}

static void a_clarinet_speaks_from_the_pressure_that_theory_predicts(void **state)
{
    (void)state;
    const double attenuation[] = {0.02, 0.06, 0.12}, simulated[] = {0.3532, 0.3947, 0.4638};
    for (int i = 0; i < 3; i++) {
        const struct wall_loss loss = {.resistance = attenuation[i] * 0.0075 / 3.0e-5, .rate = {1.0, 1.0, 1.0, 1.0}};
        struct wind_rig rig;
        winds_clarinet(&rig, &loss);
        const struct reed *reed = &rig.wind.reed;
        const double impedance = WINDS_DENSITY * WINDS_SPEED / rig.wind.bore.area[0];
        const double strength =
            reed->width * reed->opening * sqrt(2.0 / (WINDS_DENSITY * reed_closing_pressure(reed))) * impedance;
        double f = 0.0;
        const double exact = threshold(strength, creal(impedance / peak_near(&rig.wind, 120.0, 220.0, &f)));
        const double of_reed = wind_threshold(&rig.wind, 0.0, NULL, 120.0, 220.0, &f) / reed_closing_pressure(reed);
        winds_free(&rig);
        double low = 0.3, high = 0.8;
        while (high - low > 2e-4) {
            const double middle = 0.5 * (low + high);
            *(clarinet_speaks(&loss, middle) ? &high : &low) = middle;
        }
        assert_within(high, simulated[i], 5e-4);
        assert_within(high / exact, 1.0, 0.035);
        print_message("attenuation %g 1/m: %.4f p_M, reed without inertia %.4f, with %.4f\n", attenuation[i], high,
                      exact, of_reed);
        assert_within(high / of_reed, 1.0, 0.025);
    }
}

static void a_clarinet_plays_the_resonance_of_its_bore_and_beats_when_blown_hard(void **state)
{
    (void)state;
    const struct wall_loss loss = wall_loss_fit(1.0 / WINDS_RATE);
    const size_t steps = steps_of(0.6), half = steps / 2;
    for (int i = 0; i < 6; i++) {
        const double share[] = {0.36, 0.4, 0.5, 0.6, 0.7, 0.9};
        struct wind_rig rig;
        double periodic = 0.0;
        winds_clarinet(&rig, &loss);
        winds_play(&rig, share[i] * reed_closing_pressure(&rig.wind.reed), 0.01, record, steps);
        assert_within(winds_pitch(record + half, steps - half, 140.0, 200.0, &periodic), 168.1, 1.0);
        assert_within(winds_balance(&rig), 0.0, 1e-12);
        if (i > 0)
            assert_true(winds_deviation(record + half, steps - half) > 500.0);
        if (i > 1)
            assert_true(periodic > 0.998);
        winds_free(&rig);
    }
}

/* Loud tones close the reed in each period; each time it has to open again. */
static void a_beating_reed_opens_again(void **state)
{
    (void)state;
    const struct wall_loss loss = wall_loss_fit(1.0 / WINDS_RATE);
    for (int i = 0; i < 3; i++) {
        const double share[] = {0.5, 0.6, 0.9}, most[] = {0.2, 0.45, 0.46}, least[] = {0.0, 0.35, 0.42};
        struct wind_rig rig;
        winds_clarinet(&rig, &loss);
        const double pressure = share[i] * reed_closing_pressure(&rig.wind.reed);
        size_t closed = 0;
        for (size_t n = 0; n < steps_of(2.0); n++) {
            const struct wind_input input = {.blowing = pressure * fmin(1.0, (double)n / (0.01 * WINDS_RATE))};
            wind_step(&rig.wind, rig.state, &input, rig.flow);
            if (n >= steps_of(1.5)) {
                closed += wind_opening(&rig.wind, rig.state) <= 0.0;
                record[n - steps_of(1.5)] = wind_pressure(&rig.wind, rig.state)[0];
            }
        }
        assert_true(winds_deviation(record, steps_of(0.5)) > 2000.0);
        assert_within((double)closed / (double)steps_of(0.5), 0.5 * (most[i] + least[i]), 0.5 * (most[i] - least[i]));
        assert_within(winds_balance(&rig), 0.0, 1e-12);
        winds_free(&rig);
    }
}

static void a_reed_that_is_blown_too_hard_stays_closed(void **state)
{
    (void)state;
    const struct wall_loss loss = wall_loss_fit(1.0 / WINDS_RATE);
    struct wind_rig rig;
    winds_clarinet(&rig, &loss);
    winds_play(&rig, 1.2 * reed_closing_pressure(&rig.wind.reed), 0.01, record, steps_of(1.0));
    assert_true(winds_deviation(record + steps_of(0.8), steps_of(0.2)) < 2.0);
    assert_true(wind_opening(&rig.wind, rig.state) <= 1e-9);
    winds_free(&rig);
}

/* A hole of the radius 4 mm at 0.347 of 0.494 m, opened within 10 ms at 0.5 s. */
static void a_tone_hole_raises_the_pitch(void **state)
{
    (void)state;
    const struct wall_loss loss = wall_loss_fit(1.0 / WINDS_RATE);
    const double length = 0.008 + 0.61 * 0.004 + 0.75 * 0.004, area = M_PI * 0.004 * 0.004;
    struct wind_rig rig;
    winds_clarinet(&rig, &loss);
    winds_hole(&rig, (struct opening){.cell = 48, .inertance = WINDS_DENSITY * length / area, .load_share = 1.0});
    const double pressure = 0.6 * reed_closing_pressure(&rig.wind.reed);
    for (size_t n = 0; n < steps_of(1.2); n++) {
        const double time = (double)n / WINDS_RATE, open = fmin(1.0, fmax(0.0, (time - 0.5) / 0.01));
        rig.conductance[0] = open > 0.0 ? pow(10.0, -11.0 + 7.0 * open) : 0.0;
        const struct wind_input input = {.blowing = pressure * fmin(1.0, time / 0.02), .conductance = rig.conductance};
        wind_step(&rig.wind, rig.state, &input, rig.flow);
        record[n] = wind_pressure(&rig.wind, rig.state)[0];
    }
    double periodic = 0.0;
    assert_within(winds_pitch(record + steps_of(0.3), steps_of(0.2), 140.0, 200.0, &periodic), 168.15, 0.2);
    assert_true(periodic > 0.99);
    assert_within(winds_pitch(record + steps_of(0.8), steps_of(0.4), 180.0, 250.0, &periodic), 214.41, 0.3);
    assert_true(periodic > 0.99);
    assert_within(winds_balance(&rig), 0.0, 1e-12);
    winds_free(&rig);
}

static bool lips_speak(const struct wall_loss *loss, double lips, double pressure)
{
    struct wind_rig rig;
    winds_trombone(&rig, loss, lips);
    winds_play(&rig, pressure, 0.2, record, steps_of(1.5));
    winds_free(&rig);
    return grows(record, 0.7, 1.3, 0.2, 1.02);
}

static void lips_speak_from_the_pressure_that_linear_stability_predicts(void **state)
{
    (void)state;
    const struct wall_loss loss = wall_loss_fit(1.0 / WINDS_RATE);
    for (int i = 0; i < 2; i++) {
        const double lips = i ? 250.0 : 170.0;
        struct wind_rig rig;
        double frequency = 0.0, periodic = 0.0;
        winds_trombone(&rig, &loss, lips);
        const double exact = wind_threshold(&rig.wind, 0.0, NULL, 60.0, 500.0, &frequency);
        winds_free(&rig);
        double low = 0.9 * exact, high = 1.15 * exact;
        assert_false(lips_speak(&loss, lips, low));
        while (high / low > 1.004) {
            const double middle = sqrt(low * high);
            *(lips_speak(&loss, lips, middle) ? &high : &low) = middle;
        }
        print_message("lips of %g Hz: %.0f Pa for %.0f by theory at %.1f Hz\n", lips, high, exact, frequency);
        assert_within(high / exact, 1.02, 0.02);
        assert_true(lips_speak(&loss, lips, 1.02 * high));
        const double pitch =
            winds_pitch(record + steps_of(1.1), steps_of(0.4), frequency / 1.2, frequency * 1.2, &periodic);
        assert_within(1200.0 * log2(pitch / frequency), 2.0, 3.0);
        assert_true(frequency > lips);
    }
}

static void a_glide_of_the_lips_closes_the_balance(void **state)
{
    (void)state;
    const struct wall_loss loss = wall_loss_fit(1.0 / WINDS_RATE);
    struct wind_rig rig;
    winds_trombone(&rig, &loss, 180.0);
    for (size_t n = 0; n < steps_of(0.8); n++) {
        const struct wind_input input = {.blowing = 6000.0 * fmin(1.0, (double)n / (0.03 * WINDS_RATE)),
                                         .frequency = 150.0 + 110.0 * (double)n / (0.8 * WINDS_RATE)};
        wind_step(&rig.wind, rig.state, &input, rig.flow);
        record[n] = wind_pressure(&rig.wind, rig.state)[0];
    }
    assert_within(winds_balance(&rig), 0.0, 1e-10);
    assert_true(winds_deviation(record + steps_of(0.2), steps_of(0.1)) > 100.0);
    winds_free(&rig);
}

static void nothing_moves_without_breath(void **state)
{
    (void)state;
    const struct wall_loss loss = wall_loss_fit(1.0 / WINDS_RATE);
    struct wind_rig rig;
    winds_clarinet(&rig, &loss);
    winds_play(&rig, 0.0, 0.1, record, 100);
    for (size_t i = 0; i < wind_state_bytes(&rig.wind) / sizeof(double); i++)
        assert_true(rig.state[i] == 0.0);
    winds_free(&rig);
}

/* A run that stops and goes on from its block of state gives the same bits. */
static void the_state_is_all_that_a_step_needs(void **state)
{
    (void)state;
    const struct wall_loss loss = wall_loss_fit(1.0 / WINDS_RATE);
    struct wind_rig rig, other;
    double first[200], second[200];
    winds_clarinet(&rig, &loss);
    winds_clarinet(&other, &loss);
    winds_play(&rig, 3000.0, 0.0, record, 2000);
    memcpy(other.state, rig.state, wind_state_bytes(&rig.wind));
    winds_play(&rig, 3000.0, 0.0, first, 200);
    winds_play(&other, 3000.0, 0.0, second, 200);
    assert_memory_equal(first, second, sizeof first);
    assert_memory_equal(rig.state, other.state, wind_state_bytes(&rig.wind));
    winds_free(&rig);
    winds_free(&other);
}

/* Where Im Y of a smooth pipe changes its sign between low and high: by the line's closed form with an inertance across
 * it at x, open at p = 0 at the length; or by the cells of `w`. */
static double lowest_resonance(const struct wind *w, const double *conductance, double x, double inertance,
                               double length)
{
    const double impedance = WINDS_DENSITY * WINDS_SPEED / w->bore.area[0];
    double low = 150.0, high = 300.0;
    for (int i = 0; i < 50; i++) {
        const double f = 0.5 * (low + high), omega = 2.0 * M_PI * f, q = omega / WINDS_SPEED;
        double complex z = 0.0;
        double b = -1.0 / (impedance * tan(q * (length - x))) - 1.0 / (omega * inertance); /* susceptance at x */
        b = (b * impedance + tan(q * x)) / (1.0 - b * impedance * tan(q * x));
        if (conductance) {
            assert_int_equal(wind_impedance(w, f, conductance, &z), 0);
            b = cimag(1.0 / z);
        }
        *(b < 0.0 ? &low : &high) = f;
    }
    return low;
}

static void a_hole_between_two_cells_acts_where_it_lies(void **state)
{
    (void)state;
    const double h = winds_grid().spacing, area = M_PI * 0.0075 * 0.0075;
    for (int i = 0; i < 5; i++) {
        struct wind_rig rig;
        winds_clarinet(&rig, NULL);
        const double inertance = WINDS_DENSITY * 0.0135 / (M_PI * 0.004 * 0.004);
        rig.openings[0] = (struct opening){.cell = 68, .inertance = WINDS_DENSITY * 0.5 * h / area, .load_share = 1.0};
        struct opening hole = {.inertance = inertance, .load_share = 1.0};
        opening_place(&hole, &rig.wind.bore, (45.5 + 0.25 * i) * h);
        assert_within((double)hole.cell + hole.share, 45.0 + 0.25 * i, 1e-9);
        winds_hole(&rig, hole);
        rig.conductance[0] = 1e-2;
        const double x = (45.5 + 0.25 * i) * h;
        const double exact = lowest_resonance(&rig.wind, NULL, x, inertance, 69.0 * h);
        const double f = lowest_resonance(&rig.wind, rig.conductance, x, inertance, 69.0 * h);
        assert_within(1200.0 * log2(f / exact), 0.0, 0.1);
        winds_free(&rig);
    }
}

/* Steps a pulse of flow into cell 0, and compares the transform of the pressure there with the impedance. */
static void the_impedance_is_that_of_the_steps(void **state)
{
    (void)state;
    const struct wall_loss loss = wall_loss_fit(1.0 / WINDS_RATE);
    const struct bore_grid grid = winds_grid();
    const double f[] = {57.0, 170.0, 333.0, 1200.0, 5000.0};
    double complex sum[5] = {0};
    struct wind_rig rig;
    winds_trombone(&rig, &loss, 150.0);
    rig.wind.reed.mass = 1e9; /* a wall */
    rig.wind.reed.width = 0.0;
    for (size_t i = 0; i < 3; i++) {
        struct opening hole = opening_make(200 + i, 0.004, 0.01, 0, 0.0, 0.0, &grid);
        hole.share = 0.35 * (double)i;
        winds_hole(&rig, hole);
        rig.conductance[i] = i == 1 ? 3e-7 : 1e-4;
    }
    ((double *)wind_pressure(&rig.wind, rig.state))[0] = 2.0 * rig.wind.bore.impedance[0];
    for (size_t n = 0; n < 200000; n++) {
        for (int i = 0; i < 5; i++)
            sum[i] += wind_pressure(&rig.wind, rig.state)[0] *
                      complex_turn(-2.0 * M_PI * f[i] * ((double)n + 0.5) / WINDS_RATE);
        const struct wind_input input = {.conductance = rig.conductance};
        wind_step(&rig.wind, rig.state, &input, rig.flow);
    }
    for (int i = 0; i < 5; i++) {
        double complex z = 0.0;
        assert_int_equal(wind_impedance(&rig.wind, f[i], rig.conductance, &z), 0);
        assert_within(cabs(sum[i] - z) / cabs(z), 0.0, 1e-8);
    }
    winds_free(&rig);
}

static bool is_refused(struct wind_rig *rig)
{
    struct error e;
    free(rig->wind.mutual);
    return wind_couple_openings(&rig->wind, &e) != 0;
}

static void openings_in_the_wrong_place_are_refused(void **state)
{
    (void)state;
    struct wind_rig rig;
    winds_clarinet(&rig, NULL);
    winds_hole(&rig, (struct opening){.cell = 30, .share = 0.5, .inertance = 100.0, .load_share = 1.0});
    const size_t wrong[] = {0, 67, 68, 69}, right[] = {1, 66};
    for (int i = 0; i < 4; i++) {
        rig.openings[0].cell = wrong[i];
        assert_true(is_refused(&rig));
    }
    for (int i = 0; i < 2; i++) {
        rig.openings[0].cell = right[i];
        assert_false(is_refused(&rig));
    }
    rig.openings[0].inertance = -1.0;
    assert_true(is_refused(&rig));
    rig.openings[0].inertance = 100.0;
    rig.openings[1].cell = 20;
    assert_true(is_refused(&rig));
    winds_free(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_what_the_player_gave_less_what_was_lost),
        cmocka_unit_test(a_clarinet_speaks_from_the_pressure_that_theory_predicts),
        cmocka_unit_test(a_clarinet_plays_the_resonance_of_its_bore_and_beats_when_blown_hard),
        cmocka_unit_test(a_beating_reed_opens_again),
        cmocka_unit_test(a_reed_that_is_blown_too_hard_stays_closed),
        cmocka_unit_test(a_tone_hole_raises_the_pitch),
        cmocka_unit_test(lips_speak_from_the_pressure_that_linear_stability_predicts),
        cmocka_unit_test(a_glide_of_the_lips_closes_the_balance),
        cmocka_unit_test(nothing_moves_without_breath),
        cmocka_unit_test(the_state_is_all_that_a_step_needs),
        cmocka_unit_test(a_hole_between_two_cells_acts_where_it_lies),
        cmocka_unit_test(the_impedance_is_that_of_the_steps),
        cmocka_unit_test(openings_in_the_wrong_place_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
