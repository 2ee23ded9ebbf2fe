/* SPDX-License-Identifier: MIT */
#include "support/decays.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "support/random_cases.h"

#include <cmocka.h>

static double rate_of(double time)
{
    return 6.0 * M_LN10 / time;
}

/* Energy from t on; 1 in total. */
static double energy_after(const struct slopes *s, double t)
{
    const double k1 = rate_of(s->first), k2 = rate_of(s->second);
    const double e1 = s->share / k1, e2 = (1.0 - s->share) / k2;
    return (e1 * exp(-k1 * t) + e2 * exp(-k2 * t)) / (e1 + e2);
}

static double line_time(const struct slopes *s, double from, double to)
{
    double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (double t = 0.0;; t += 1e-4) {
        const double level = 10.0 * log10(energy_after(s, t));
        if (level < to)
            break;
        if (level > from)
            continue;
        n += 1.0;
        x += t;
        y += level;
        xx += t * t;
        xy += t * level;
    }
    return -60.0 * (xx - x * x / n) / (xy - x * y / n);
}

struct known slopes_known(const struct slopes *s)
{
    const double after50 = energy_after(s, 0.05), after80 = energy_after(s, 0.08);
    const double k1 = rate_of(s->first), k2 = rate_of(s->second), a = s->share, b = 1.0 - a;
    return (struct known){
        .edt = line_time(s, 0.0, -10.0),
        .t20 = line_time(s, -5.0, -25.0),
        .t30 = line_time(s, -5.0, -35.0),
        .c50 = 10.0 * log10((1.0 - after50) / after50),
        .c80 = 10.0 * log10((1.0 - after80) / after80),
        .d50 = 1.0 - after50,
        .ts = (a / (k1 * k1) + b / (k2 * k2)) / (a / k1 + b / k2),
    };
}

static double sampled_time(const double *samples, size_t frames, double rate, double arrival, double whole, double from,
                           double to)
{
    double count = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, past = 0.0;
    for (size_t n = 0; n < frames; n++) {
        const double t = (double)n / rate - arrival, level = 10.0 * log10(1.0 - past / whole);
        if (level < to)
            break;
        past += samples[n] * samples[n];
        if (t < 0.0 || level > from)
            continue;
        count += 1.0;
        x += t;
        y += level;
        xx += t * t;
        xy += t * level;
    }
    return -60.0 * (xx - x * x / count) / (xy - x * y / count);
}

struct known samples_known(const double *samples, size_t frames, double rate, double arrival)
{
    double whole = 0.0, early50 = 0.0, early80 = 0.0, moment = 0.0;
    for (size_t n = 0; n < frames; n++) {
        const double t = (double)n / rate - arrival, energy = samples[n] * samples[n];
        whole += energy;
        moment += t * energy;
        early50 += t < 0.05 ? energy : 0.0;
        early80 += t < 0.08 ? energy : 0.0;
    }
    return (struct known){
        .edt = sampled_time(samples, frames, rate, arrival, whole, 0.0, -10.0),
        .t20 = sampled_time(samples, frames, rate, arrival, whole, -5.0, -25.0),
        .t30 = sampled_time(samples, frames, rate, arrival, whole, -5.0, -35.0),
        .c50 = 10.0 * log10(early50 / (whole - early50)),
        .c80 = 10.0 * log10(early80 / (whole - early80)),
        .d50 = early50 / whole,
        .ts = moment / whole,
    };
}

static double amplitude(const struct slopes *s, double t)
{
    return sqrt(s->share * exp(-rate_of(s->first) * t) + (1.0 - s->share) * exp(-rate_of(s->second) * t));
}

void add_tone(double *samples, size_t frames, double rate, size_t start, double frequency, double phase, double rise,
              const struct slopes *s)
{
    for (size_t n = start; n < frames; n++) {
        const double t = (double)(n - start) / rate;
        const double fade = t < rise ? 0.5 - 0.5 * cos(M_PI * t / rise) : 1.0;
        samples[n] += fade * amplitude(s, t) * cos(2.0 * M_PI * frequency * t + phase);
    }
}

void add_noise_decay(double *samples, size_t frames, double rate, size_t start, const struct slopes *s,
                     struct random *r)
{
    for (size_t n = start; n < frames; n++)
        samples[n] += amplitude(s, (double)(n - start) / rate) * random_normal(r);
}

void add_noise_floor(double *samples, size_t frames, double level, struct random *r)
{
    const double gain = pow(10.0, level / 20.0);
    for (size_t n = 0; n < frames; n++)
        samples[n] += gain * random_normal(r);
}

struct metrics metrics_of(const double *samples, size_t frames, double rate, const struct metrics_settings *settings)
{
    struct metrics m;
    struct error e = {ERROR_NONE, ""};
    memset(&m, 0xa5, sizeof m); /* no figure keeps its initial value */
    if (metrics_measure(&m, samples, frames, rate, settings, &e))
        fail_msg("%s", e.message);
    return m;
}
