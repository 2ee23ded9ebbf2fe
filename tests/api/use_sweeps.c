/* SPDX-License-Identifier: MIT */
/* A sweep through a known system, and its response. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "use_aula.h"

enum { RATE = 16000, SILENCE = RATE / 2, LATE = 160, ECHO = 800 };

static struct aula_sweep sweep_of(double level)
{
    struct aula_sweep sweep;
    memset(&sweep, 0, sizeof sweep);
    sweep.low = 50.0;
    sweep.high = 7000.0;
    sweep.seconds = 1.0;
    sweep.rate = RATE;
    sweep.level = level;
    return sweep;
}

/* [2][frames]: the sweep behind silence as it is played, and that after `LATE` frames with an echo of -0.5 after `ECHO`
 * more and a square of 0.02. To be freed. */
static double *record(size_t *frames, const struct aula_sound *sweep)
{
    const size_t length = aula_sound_frames(sweep);
    const double *x = aula_sound_samples(sweep, 0);
    *frames = SILENCE + length + RATE;
    double *both = (double *)calloc(2 * *frames, sizeof *both), *heard = both + *frames;
    if (!both)
        exit(1);
    for (size_t n = 0; n < length; n++) {
        const double bent = x[n] + 0.02 * x[n] * x[n];
        both[SILENCE + n] = x[n];
        heard[SILENCE + n + LATE] += bent;
        heard[SILENCE + n + LATE + ECHO] -= 0.5 * bent;
    }
    return both;
}

static size_t strongest(const double *samples, size_t frames)
{
    size_t best = 0;
    for (size_t n = 0; n < frames; n++)
        if (fabs(samples[n]) > fabs(samples[best]))
            best = n;
    return best;
}

static void look_at(const struct aula_deconvolution *d)
{
    const size_t frames = aula_deconvolution_frames(d), zero = RATE / 20;
    const double *h = aula_deconvolution_samples(d, 0);
    double band[2], level, noise;
    check(aula_deconvolution_channels(d) == 1 && !aula_deconvolution_samples(d, 1), "without the loopback");
    check(aula_deconvolution_rate(d) == RATE && aula_deconvolution_start(d) == -0.05, "50 ms before t = 0");
    check(!aula_deconvolution_band(d, band) && band[0] == 50.0 && band[1] == 7000.0, "valid in the sweep");
    check(strongest(h, frames) == zero + LATE, "the sound arrives when it does");
    check(fabs(h[zero + LATE + ECHO] + 0.5 * h[zero + LATE]) < 0.02, "and so does the echo");
    check(!aula_deconvolution_distortion(d, 0, 2, &level, &noise) && fabs(level - 20.0 * log10(0.005)) < 0.5,
          "a square of 0.02 at -6 dB is a second harmonic of 0.005");
    check(!aula_deconvolution_distortion(d, 0, 3, &level, NULL) && level < -60.0, "and none of the third");
    check(aula_deconvolution_distortion(d, 0, 1, &level, &noise) && isnan(level) && isnan(noise),
          "the first is linear");
    check(aula_deconvolution_distortion(d, 0, AULA_DISTORTION_ORDERS + 1, NULL, NULL), "nothing beyond the last order");
    check(aula_deconvolution_distortion(d, 1, 2, &level, NULL) && isnan(level), "nor beyond the last channel");
    check(isnan(aula_deconvolution_difference(d)) && aula_deconvolution_drift(d) == 0.0, "one sweep does not differ");
    struct aula_metrics *metrics = NULL;
    check(!aula_metrics_of_deconvolution(&metrics, d, &error), "parameters");
    check(fabs(aula_metrics_arrival(metrics, 0) - (double)LATE / RATE) < 1e-4, "arrivals count from t = 0");
    check(aula_metrics_validity(metrics, 0, 7) == AULA_OUTSIDE, "8 kHz is not in the sweep");
    aula_metrics_close(metrics);
}

static void refuse_recordings(const struct aula_recording *good)
{
    struct aula_deconvolution *d = NULL;
    struct aula_recording r = *good;
    check_refused(aula_deconvolve(NULL, &r, &error), "deconvolution is NULL", "no place for a response");
    check_refused(aula_deconvolve(&d, NULL, &error) && !d, "recording is NULL", "no recording");
    r.samples = NULL;
    check_refused(aula_deconvolve(&d, &r, &error) && !d, "samples is NULL", "nor one without samples");
    r = *good;
    r.loopback = 2;
    check_refused(aula_deconvolve(&d, &r, &error) && !d, "loopback is 2", "no such channel");
    r.loopback = (size_t)-1;
    check_refused(aula_deconvolve(&d, &r, &error) && !d, "loopback is", "nor that before the first");
    r = *good;
    r.zero = (enum aula_time_zero)7;
    check_refused(aula_deconvolve(&d, &r, &error) && !d, "zero is 7", "no such instant");
    r.zero = AULA_ZERO_DELAY;
    r.delay = NAN;
    check_refused(aula_deconvolve(&d, &r, &error) && !d, "delay", "nor such a delay");
    r = *good;
    r.sweep = NULL;
    check_refused(aula_deconvolve(&d, &r, &error) && !d, "as sweep or as played", "no sweep");
    r = *good;
    r.rate = 44100.0;
    check_refused(aula_deconvolve(&d, &r, &error) && !d, "resample one of them", "another rate");
    r = *good;
    r.repeats = 2;
    check_refused(aula_deconvolve(&d, &r, &error) && !d, "pause is 0", "no pause between two");
    r.pause = 1.0;
    check_refused(aula_deconvolve(&d, &r, &error) && !d, "too short for 2 sweeps", "nor are there two");
    r = *good;
    r.reserved[7] = &r;
    check_refused(aula_deconvolve(&d, &r, &error) && !d, "recording.reserved", "an unzeroed struct");
}

static void ask_nothing(void)
{
    struct aula_metrics *metrics = NULL;
    double band[2] = {0.0, 0.0}, level = 0.0;
    check(!aula_deconvolution_channels(NULL) && !aula_deconvolution_frames(NULL), "no response");
    check(!aula_deconvolution_samples(NULL, 0) && !aula_deconvolution_warning(NULL, 0), "has nothing");
    check(isnan(aula_deconvolution_rate(NULL)) && isnan(aula_deconvolution_start(NULL)), "at no time");
    check(isnan(aula_deconvolution_difference(NULL)) && isnan(aula_deconvolution_drift(NULL)), "does not differ");
    check(aula_deconvolution_band(NULL, band) && isnan(band[0]) && isnan(band[1]), "is nowhere valid");
    check(aula_deconvolution_distortion(NULL, 0, 2, &level, NULL) && isnan(level), "is not distorted");
    check_refused(aula_metrics_of_deconvolution(&metrics, NULL, &error) && !metrics, "deconvolution is NULL",
                  "and has no parameters");
    check_refused(aula_metrics_of_deconvolution(NULL, NULL, &error), "metrics is NULL", "nor a place for them");
    aula_deconvolution_close(NULL);
}

void use_sweeps(void)
{
    const struct aula_sweep given = sweep_of(-6.0);
    struct aula_sweep wrong = given;
    struct aula_sound *sweep = NULL, *none = NULL;
    struct aula_recording r;
    struct aula_deconvolution *d = NULL, *again = NULL;
    size_t frames;
    ask_nothing();
    check_refused(aula_sweep_make(NULL, &given, &error), "samples is NULL", "no place for a sweep");
    check_refused(aula_sweep_make(&none, NULL, &error) && !none, "sweep is NULL", "no sweep");
    wrong.high = 60.0;
    check_refused(aula_sweep_make(&none, &wrong, &error) && !none, "60", "less than an octave");
    wrong = sweep_of(1.0);
    check_refused(aula_sweep_make(&none, &wrong, &error) && !none, "level is 1", "louder than full scale");
    wrong = given;
    wrong.reserved[1] = 1.0;
    check_refused(aula_sweep_make(&none, &wrong, &error) && !none, "sweep.reserved", "an unzeroed sweep");
    if (aula_sweep_make(&sweep, &given, &error))
        give_up(&error);
    check(aula_sound_channels(sweep) == 1 && aula_sound_rate(sweep) == RATE, "a sweep has one channel");
    double *both = record(&frames, sweep);
    memset(&r, 0, sizeof r);
    r.samples = both;
    r.channels = 2;
    r.frames = frames;
    r.rate = RATE;
    r.sweep = &given;
    r.zero = AULA_ZERO_LOOPBACK;
    refuse_recordings(&r);
    if (aula_deconvolve(&d, &r, &error))
        give_up(&error);
    look_at(d);
    r.sweep = NULL;
    r.played = both;
    r.played_frames = frames;
    check(!aula_deconvolve(&again, &r, &error) &&
              strongest(aula_deconvolution_samples(again, 0), aula_deconvolution_frames(again)) == RATE / 20 + LATE,
          "by the samples of the sweep");
    aula_deconvolution_close(again);
    aula_deconvolution_close(d);
    aula_sound_close(sweep);
    free(both);
}
