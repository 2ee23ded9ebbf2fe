/* SPDX-License-Identifier: MIT */
/* Partials of strings and bars after an impulse of one sample, recorded at a pickup and compared
 * with closed forms for the supported, clamped and free line. */
#include <math.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "validate/bodies/checks.h"
#include "validate/bodies/partial.h"
#include "validate/bodies/synth_rig.h"

enum {
    RATE = 44100,
    STEPS = RATE * 3 / 4,
    MODES = 10,
    LOW = 1,
    HIGH = 7 /* LOW and HIGH: modes with specified decays */
};

static const double t60[2] = {1.5, 0.5};
static const char *const line_names[] = {"stiff string", "bar"};

/* c² = T/ρA, κ² = EI/ρA. */
struct exact {
    double length, speed_squared, bending;
    enum ends ends;
};

/* α² of the exponentials for the wavenumber β: α² - β² = T/EI. */
static double evanescent(const struct exact *x, double beta)
{
    return sqrt(beta * beta + x->speed_squared / x->bending);
}

/* Zero if both boundary conditions hold: their determinant over cosh αL. */
static double determinant(const struct exact *x, double beta)
{
    const double alpha = evanescent(x, beta), a = alpha * x->length, b = beta * x->length;
    const double still = 1.0 / cosh(a) - cos(b), turning = tanh(a) * sin(b);
    const double ratio = beta / alpha, cube = ratio * ratio * ratio;
    if (x->ends == ENDS_SUPPORTED)
        return sin(b);
    if (x->ends == ENDS_CLAMPED)
        return 2.0 * ratio * still + (1.0 - ratio * ratio) * turning;
    return 2.0 * cube * still - (1.0 - cube * cube) * turning;
}

/* Frequency in Hz of mode `number` >= 1 with bending, by bracketing sign changes and bisection. */
static double exact_frequency(const struct exact *x, int number)
{
    const double step = 0.01 / x->length;
    double low = 0.1 / x->length, high = low;
    for (int found = 0; found < number; found++) {
        low = high;
        while (determinant(x, low) * determinant(x, low + step) > 0.0)
            low += step;
        high = low + step;
    }
    const double sign = determinant(x, low);
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (determinant(x, middle) * sign > 0.0)
            low = middle;
        else
            high = middle;
    }
    const double alpha = evanescent(x, low);
    return low * alpha * sqrt(x->bending) / (2.0 * M_PI); /* ω² = κ² α² β² */
}

/* Decay between the two specified values: σ0 + σ1 β², β the wavenumber at that frequency (theory
 * (60) and (62)). */
static double exact_sigma(const struct exact *x, const double at[2], double frequency)
{
    double beta_squared[3];
    const double f[3] = {at[0], at[1], frequency};
    for (int i = 0; i < 3; i++) {
        const double omega = 2.0 * M_PI * f[i], c2 = x->speed_squared;
        beta_squared[i] = (sqrt(c2 * c2 + 4.0 * x->bending * omega * omega) - c2) / (2.0 * x->bending);
    }
    const double sigma[2] = {3.0 * M_LN10 / t60[0], 3.0 * M_LN10 / t60[1]};
    const double along = (beta_squared[2] - beta_squared[0]) / (beta_squared[1] - beta_squared[0]);
    return sigma[0] + along * (sigma[1] - sigma[0]);
}

static struct exact make_line(struct rig *r, enum instrument_type type, enum ends ends)
{
    struct instrument *i = rig_instrument(r, type);
    struct exact x = {.ends = ends};
    i->ends = ends;
    if (type == INSTRUMENT_STRING) { /* steel: the tenth partial is one per cent sharp */
        i->length = 0.328;
        i->diameter = 0.5e-3;
        i->density = 7850.0;
        i->young = 2.1e11;
        i->tension = 300.0;
        const double area = M_PI * i->diameter * i->diameter / 4.0;
        x.speed_squared = i->tension / (i->density * area);
        x.bending = i->young / i->density * i->diameter * i->diameter / 16.0;
    } else { /* aluminium */
        i->length = 0.59;
        i->width = 0.04;
        i->thickness = 0.01;
        i->density = 2700.0;
        i->young = 7.03e10;
        x.bending = i->young / i->density * i->thickness * i->thickness / 12.0;
    }
    x.length = i->length;
    rig_play(r, i, 0.03, 0.0);
    rig_hear(r, i, 0.97, 0.0);
    return x;
}

struct outcome {
    double pitch, decay, between; /* worst relative errors */
    double highest;               /* Hz */
};

static void measure(struct outcome *o, const struct exact *x, const double *frequency, double *heard)
{
    *o = (struct outcome){.highest = frequency[MODES - 1]};
    const double at[2] = {frequency[LOW], frequency[HIGH]};
    partial_brighten(heard, STEPS);
    for (int n = 0; n < MODES; n++) {
        const double below = n ? frequency[n - 1] : 0.3 * frequency[0], above = frequency[n + 1];
        const struct partial p =
            partial_find(heard, STEPS, RATE, 0.5 * (below + frequency[n]), 0.5 * (frequency[n] + above));
        const double sigma = exact_sigma(x, at, frequency[n]);
        o->pitch = nan_max(o->pitch, fabs(p.frequency / frequency[n] - 1.0));
        o->between = nan_max(o->between, fabs(sigma / p.sigma - 1.0));
        if (n == LOW || n == HIGH)
            o->decay = nan_max(o->decay, fabs(3.0 * M_LN10 / p.sigma / t60[n == HIGH] - 1.0));
    }
}

static int sound(struct outcome *o, struct validation *v, enum instrument_type type, enum ends ends, struct error *e)
{
    struct rig r;
    double frequency[MODES + 1];
    double *buffer = calloc(2 * STEPS, sizeof *buffer), *drive = buffer, *heard = buffer + STEPS;
    if (!buffer)
        return fail(e, ERROR_MEMORY, "out of memory");
    rig_begin(&r, RATE);
    const struct exact x = make_line(&r, type, ends);
    for (int n = 0; n <= MODES; n++)
        frequency[n] = exact_frequency(&x, n + 1);
    for (int i = 0; i < 2; i++) {
        r.instruments[0].decay[i] = t60[i];
        r.instruments[0].decay_at[i] = frequency[i ? HIGH : LOW];
    }
    drive[0] = 1.0;
    const int status = rig_build(&r, false, e) || rig_run(&r, &v->choice, STEPS, drive, heard, e);
    if (!status)
        measure(o, &x, frequency, heard);
    rig_end(&r);
    free(buffer);
    return status;
}

int check_synth_lines(struct validation *v, struct report *r, struct error *e)
{
    for (int type = INSTRUMENT_STRING; type <= INSTRUMENT_BAR; type++)
        for (int ends = ENDS_SUPPORTED; ends <= ENDS_FREE; ends++) {
            struct outcome o;
            if (sound(&o, v, (enum instrument_type)type, (enum ends)ends, e))
                return -1;
            report_bound(r, "lines", 100.0 * o.pitch, 0.2,
                         "%s, %s: ten partials up to %.0f Hz (fs/5 is %d): error of the pitch, %%", line_names[type],
                         ends_names[ends], o.highest, RATE / 5);
            report_bound(r, "lines", 100.0 * o.decay, 1.0, "    error of T60 at the two specified frequencies, %%");
            report_bound(r, "lines", 100.0 * o.between, 1.0,
                         "    error of T60 of all ten partials relative to the interpolated law, %%");
        }
    return 0;
}
