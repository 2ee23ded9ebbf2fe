/* SPDX-License-Identifier: MIT */
/* Records that are no clean response: silence and fade-outs behind the noise, clipping, a sweep, few arrivals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/decays.h"
#include "support/random_cases.h"
#include "support/signals.h"

#include <cmocka.h>

enum { FRAMES = 96000, START = 480, CASES = 20 };
static const double rate = 24000.0;
static const struct metrics_settings plain = {0}, simulated = {.noiseless = true};

static double random_decay(double *samples, size_t frames, struct random *r)
{
    const double time = random_uniform(r, 0.5, 1.5);
    add_noise_decay(samples, frames, rate, START, &(struct slopes){1.0, time, 1.0}, r);
    return time;
}

/* ---- silence and fade-outs */

enum ending { SILENCE, DITHER, LINEAR, COSINE, EXPONENTIAL, ENDINGS };

static double faded(enum ending ending, double share)
{
    return ending == LINEAR ? 1.0 - share : ending == COSINE ? 0.5 + 0.5 * cos(M_PI * share) : pow(10.0, -3.0 * share);
}

/* Ends samples[frames] from `end` on. */
static void end_record(double *samples, size_t frames, size_t end, enum ending ending, struct random *r)
{
    for (size_t n = end; n < frames; n++)
        if (ending == SILENCE || ending == DITHER)
            samples[n] = ending == DITHER ? 1e-5 * random_normal(r) : 0.0;
        else
            samples[n] *= faded(ending, (double)(n - end) / (double)(frames - end));
}

static bool is_near(double one, double other, double part)
{
    return isnan(one) || isnan(other) ? isnan(one) && isnan(other) : fabs(one / other - 1.0) <= part;
}

static void silence_and_fades_behind_a_noise_floor_are_left_out(void **state)
{
    (void)state;
    struct random r = random_cases("endings");
    for (int c = 0; c < case_count(CASES); c++) {
        const enum ending ending = (enum ending)(c % ENDINGS);
        const size_t end = (size_t)(rate * random_uniform(&r, 2.2, 2.8));
        double *samples = zeros(FRAMES);
        const double time = random_decay(samples, FRAMES, &r);
        add_noise_floor(samples, FRAMES, random_uniform(&r, -55.0, -49.0), &r);
        const struct metrics whole = metrics_of(samples, end, rate, &plain);
        end_record(samples, FRAMES, end, ending, &r);
        const struct metrics m = metrics_of(samples, FRAMES, rate, &plain);
        const double late = m.end - (double)end / rate; /* a fade is heard once it has begun */
        if (!(late >= -0.04 && late <= (ending < LINEAR ? 0.04 : 0.8)))
            fail_msg("ending %d: %g s behind its start", ending, late);
        for (int i = 2; i < METRICS_BANDS; i++) {
            const struct metrics_band *b = &m.band[i], *w = &whole.band[i];
            if (!is_near(b->t20.time, w->t20.time, 0.02) || !is_near(b->t30.time, w->t30.time, 0.05) ||
                !(fabs(b->c80 - w->c80) <= 0.02))
                fail_msg("ending %d, T %g s, band %d: T20 %g for %g, T30 %g for %g s, C80 %g for %g dB", ending, time,
                         i, b->t20.time, w->t20.time, b->t30.time, w->t30.time, b->c80, w->c80);
        }
        free(samples);
    }
}

/* Silence behind a decay that an editor cut off is no floor either. */
static void silence_behind_a_decay_that_was_cut_off_is_left_out(void **state)
{
    (void)state;
    struct random r = random_cases("cut off");
    for (int c = 0; c < case_count(CASES); c++) {
        double *samples = zeros(FRAMES);
        const double time = random_decay(samples, FRAMES, &r);
        const size_t end = START + (size_t)(rate * time * random_uniform(&r, 0.6, 0.9));
        const struct metrics whole = metrics_of(samples, end, rate, &plain);
        end_record(samples, FRAMES, end, SILENCE, &r);
        const struct metrics m = metrics_of(samples, FRAMES, rate, &plain);
        assert_true(m.end == (double)end / rate);
        assert_memory_equal(m.band, whole.band, sizeof m.band);
        free(samples);
    }
}

/* Responses whose level falls faster than before, or breaks off, without a fault of the record. */
static void add_sound_without_fault(double *samples, int kind, struct random *r)
{
    const double time = random_uniform(r, 0.5, 2.0);
    switch (kind) {
    case 0: /* a pulse, and silence */
        samples[START] = 1.0;
        break;
    case 1: /* arrivals, and silence */
        for (int i = 0; i < 8; i++)
            samples[START + (size_t)(rate * random_uniform(r, 0.0, 0.3))] += random_uniform(r, -1.0, 1.0);
        samples[START] = 2.0;
        break;
    case 2: /* energy that comes through a door */
        for (size_t n = START; n < FRAMES; n++)
            samples[n] = random_normal(r) * (pow(10.0, -3.0 * (double)(n - START) / rate / time) -
                                             pow(10.0, -15.0 * (double)(n - START) / rate / time));
        samples[START] = 4.0;
        break;
    case 3: /* two modes that beat */
        for (int i = 0; i < 2; i++)
            add_tone(samples, FRAMES, rate, START, 100.0 + 0.7 * i, 0.0, 0.02, &(struct slopes){1.0, time, 1.0});
        break;
    case 4: /* two slopes and noise */
        add_noise_decay(samples, FRAMES, rate, START, &(struct slopes){0.99, 0.3 * time, 2.0 * time}, r);
        add_noise_floor(samples, FRAMES, random_uniform(r, -70.0, -30.0), r);
        break;
    default: /* a decay, with and without noise */
        random_decay(samples, FRAMES, r);
        if (kind == 5)
            add_noise_floor(samples, FRAMES, random_uniform(r, -90.0, -10.0), r);
    }
}

static void sound_that_ends_by_itself_is_measured_whole(void **state)
{
    (void)state;
    struct random r = random_cases("no fault");
    for (int c = 0; c < case_count(3 * CASES); c++) {
        double *samples = zeros(FRAMES);
        const size_t frames = (size_t)(rate * random_uniform(&r, 1.0, 4.0));
        add_sound_without_fault(samples, c % 7, &r);
        for (size_t n = 0; n < FRAMES; n++)
            samples[n] *= 0.1;
        const struct metrics m = metrics_of(samples, frames, rate, &plain);
        if (m.end != (double)frames / rate || m.clipped.samples || m.swept)
            fail_msg("kind %d: %g of %g s, %zu samples clipped, swept %d", c % 7, m.end, (double)frames / rate,
                     m.clipped.samples, m.swept);
        free(samples);
    }
}

/* ---- clipping */

static void clipping_is_found_by_runs_at_full_scale(void **state)
{
    (void)state;
    struct random r = random_cases("clipped");
    for (int c = 0; c < case_count(CASES); c++) {
        const double gain = c % 2 ? random_uniform(&r, 1.0, 10.0) : random_uniform(&r, 0.01, 0.3);
        double *samples = zeros(FRAMES), peak = 0.0;
        /* low sound, so that its peaks last */
        add_noise_decay(samples, FRAMES, rate, START, &(struct slopes){1.0, 1.0, 1.0}, &r);
        for (size_t n = FRAMES; n-- > 8;)
            for (size_t k = 1; k < 8; k++)
                samples[n] += samples[n - k];
        for (size_t n = 0; n < FRAMES; n++)
            peak = fmax(peak, fabs(samples[n]));
        for (size_t n = 0; n < FRAMES; n++) {
            samples[n] = fmin(fmax(samples[n] / peak * gain, -1.0), c % 4 < 2 ? 1.0 : 32767.0 / 32768.0);
            samples[n] = round(32768.0 * samples[n]) / 32768.0;
        }
        const struct metrics m = metrics_of(samples, FRAMES, rate, &plain);
        if (gain < 1.0 ? m.clipped.samples != 0 : gain > 2.0 && !(m.clipped.samples >= 3 && m.clipped.longest >= 3))
            fail_msg("gain %g: %zu samples, %zu in a row", gain, m.clipped.samples, m.clipped.longest);
        free(samples);
    }
}

static void one_sample_at_full_scale_is_not_clipped(void **state)
{
    (void)state;
    static const double ends[] = {0.0, 1.0, 1.0, 0.5, -1.0, -1.0, 1.0, -1.0, 0.0, 0.2, 0.2, 0.2, 0.2};
    static const double run[] = {0.0, -1.0, -1.0, -1.0, -1.0, 0.5, 32767.0 / 32768.0, 0.0};
    assert_int_equal(clipping_of(ends, sizeof ends / sizeof *ends).samples, 0);
    assert_int_equal(clipping_of(run, sizeof run / sizeof *run).samples, 4);
    assert_int_equal(clipping_of(run, sizeof run / sizeof *run).longest, 4);
}

/* ---- sweeps */

/* From `low` to `high` Hz within `seconds`, or down. */
static double sweep_at(double time, double seconds, double low, double high, bool linear)
{
    const double k = log(high / low), phase = linear ? low * time + 0.5 * (high - low) / seconds * time * time
                                                     : low * seconds / k * (exp(time / seconds * k) - 1.0);
    return sin(2.0 * M_PI * phase);
}

static void a_sweep_that_was_not_deconvolved_is_told(void **state)
{
    (void)state;
    enum { TAPS = 200 };
    struct random r = random_cases("sweeps");
    for (int c = 0; c < case_count(CASES); c++) {
        const bool linear = c & 1, down = c & 2, echoes = c & 4;
        const double seconds = random_uniform(&r, 1.5, 3.0), decay = random_uniform(&r, 0.3, fmin(0.6 * seconds, 1.5));
        const double low = random_uniform(&r, 20.0, 100.0), high = random_uniform(&r, 7000.0, 11000.0);
        double *samples = zeros(FRAMES);
        for (int i = 0; i < (echoes ? TAPS : 1); i++) {
            const double delay = i ? random_uniform(&r, 0.0, decay) : 0.0;
            const double gain = i ? random_normal(&r) * pow(10.0, -3.0 * delay / decay) / 8.0 : 1.0;
            const size_t first = START + (size_t)(delay * rate), count = (size_t)(seconds * rate);
            for (size_t n = 0; n < count && first + n < FRAMES; n++)
                samples[first + n] +=
                    0.1 * gain * sweep_at((double)(down ? count - n : n) / rate, seconds, low, high, linear);
        }
        const struct metrics m = metrics_of(samples, FRAMES, rate, &plain);
        if (!m.swept)
            fail_msg("%s %g to %g Hz in %g s, T %g s", linear ? "linear" : "exponential", low, high, seconds,
                     echoes ? decay : 0.0);
        free(samples);
    }
}

/* Low octaves decay longer, and come later from a loudspeaker. */
static void octaves_of_a_response_are_no_sweep(void **state)
{
    (void)state;
    struct random r = random_cases("octaves");
    for (int c = 0; c < case_count(CASES); c++) {
        double *samples = zeros(FRAMES);
        const double longest = random_uniform(&r, 1.0, 4.0), fall = random_uniform(&r, 1.0, 2.0);
        for (int i = 0; i < METRICS_OCTAVES; i++) {
            const double centre = 63.0 * exp2(i), lag = random_uniform(&r, 0.0, 2.0) / centre;
            for (int k = 0; k < 8; k++)
                add_tone(samples, FRAMES, rate, START + (size_t)(lag * rate), centre * random_uniform(&r, 0.75, 1.3),
                         random_uniform(&r, 0.0, 6.0), 0.5 / centre,
                         &(struct slopes){1.0, longest / pow(fall, i), 1.0});
        }
        assert_false(metrics_of(samples, FRAMES, rate, &plain).swept);
        free(samples);
    }
}

/* ---- few arrivals */

/* Arrivals that lie apart by more than any octave from 250 Hz on rings: all figures are sums over them. Between them
 * there is rounding at `quiet`, in which a floor might be found. */
static void a_response_of_few_arrivals_keeps_its_energy(void **state)
{
    (void)state;
    enum { ARRIVALS = 7 };
    static const struct metrics_settings calibrated[2] = {{.calibrated = true},
                                                          {.calibrated = true, .noiseless = true}};
    struct random r = random_cases("arrivals");
    for (int c = 0; c < case_count(2 * CASES); c++) {
        double *samples = zeros(FRAMES), late = 0.0, all = 1.0, time = 0.0;
        const size_t frames = (size_t)(rate * random_uniform(&r, 0.6, 4.0));
        samples[START] = 1.0;
        for (int i = 0; i < ARRIVALS; i++) {
            time += random_uniform(&r, 0.02, 0.06);
            time += fabs(time - 0.08) < 0.01 ? 0.02 : 0.0;
            const double sound = random_uniform(&r, 0.3, 0.9);
            samples[START + (size_t)(time * rate)] = sound;
            all += sound * sound;
            late += time > 0.08 ? sound * sound : 0.0;
        }
        const double quiet = random_log_uniform(&r, 1e-9, 1e-7);
        for (size_t n = 0; n < frames; n++)
            samples[n] += quiet * random_normal(&r);
        const struct metrics m = metrics_of(samples, frames, rate, &calibrated[c % 2]);
        const double g = 10.0 * log10(all) + 20.0 * log10(40.0 * M_PI);
        for (int i = 2; i < METRICS_OCTAVES; i++) {
            const struct metrics_band *b = &m.band[i];
            if (b->validity != METRICS_VALID)
                continue;
            if (!(fabs(b->g - g) <= 0.05) || !(fabs(b->c80 - 10.0 * log10(all / late - 1.0)) <= 0.1))
                fail_msg("case %d, band %d: G %g for %g dB, C80 %g for %g dB", c, i, b->g, g, b->c80,
                         10.0 * log10(all / late - 1.0));
            assert_true(c % 2 == 0 || isnan(b->noise));
        }
        free(samples);
    }
}

/* A line through the steps of few arrivals is no decay. */
static void steps_have_no_reverberation_time(void **state)
{
    (void)state;
    double *samples = zeros(FRAMES);
    samples[START] = 1.0;
    samples[START + 2400] = samples[START + 4800] = 0.9;
    const struct metrics m = metrics_of(samples, FRAMES / 2, rate, &simulated);
    for (int i = 4; i < METRICS_OCTAVES; i++)
        if (m.band[i].validity == METRICS_VALID)
            assert_int_equal(m.band[i].t30.reason, METRICS_STEPS);
    free(samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(silence_and_fades_behind_a_noise_floor_are_left_out),
        cmocka_unit_test(silence_behind_a_decay_that_was_cut_off_is_left_out),
        cmocka_unit_test(sound_that_ends_by_itself_is_measured_whole),
        cmocka_unit_test(clipping_is_found_by_runs_at_full_scale),
        cmocka_unit_test(one_sample_at_full_scale_is_not_clipped),
        cmocka_unit_test(a_sweep_that_was_not_deconvolved_is_told),
        cmocka_unit_test(octaves_of_a_response_are_no_sweep),
        cmocka_unit_test(a_response_of_few_arrivals_keeps_its_energy),
        cmocka_unit_test(steps_have_no_reverberation_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
