/* SPDX-License-Identifier: MIT */
/* Strings and drumheads that stretch: the glide of a plucked string against the mean tension, and the
 * pitch of a head against the elliptic period. */
#include <math.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "validate/bodies/checks.h"
#include "validate/bodies/partial.h"
#include "validate/bodies/synth_rig.h"

enum { RATE = 48000, STEPS = RATE / 2, MODES = 60 };

/* ---- a plucked string */

static double frequency_in(const double *samples, size_t first, size_t count, double near)
{
    return partial_find(samples + first, count, RATE, 0.93 * near, 1.07 * near).frequency;
}

/* f = f₀ √(1 + EA (<S> + ½ <S₁>)/(2LT)), S = ∫u_x², S₁ that of the lowest mode: first order of averaging. */
static int check_string(struct validation *v, struct report *r, struct error *e)
{
    static const double times[] = {0.02, 0.1, 0.3};
    struct rig rig;
    const double tension = 70.0, length = 0.65, density = 0.38e-3, young = 5e9, diameter = 0.71e-3;
    const double stretch = young * 0.25 * M_PI * diameter * diameter, pitch = 0.5 / length * sqrt(tension / density);
    double *drive = calloc(STEPS, sizeof *drive), *taps = calloc((size_t)MODES * STEPS, sizeof *taps);
    int status = drive && taps ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    rig_begin(&rig, RATE);
    struct instrument *i = rig_instrument(&rig, INSTRUMENT_STRING);
    i->length = length;
    i->diameter = diameter;
    i->linear_density = density;
    i->young = young * 1e-9; /* EI is left out: its effect on pitch is not that of stretching */
    i->tension = tension;
    i->decay[0] = i->decay[1] = 3.0 * M_LN10 / 6.0;
    i->large_amplitude = true;
    rig_play(&rig, i, 0.2, 0.0);
    rig_hear(&rig, i, 0.5, 0.0);
    status = status || rig_build(&rig, false, e);
    if (!status && rig.ensemble->bodies.body[0].stretching_count == 1)
        ((struct stretching *)rig.ensemble->bodies.body[0].stretching)->factor = sqrt(0.25 * stretch / length);
    /* a tap for each mode in place of the pickup */
    struct channel *channels = calloc(MODES, sizeof *channels);
    struct channel_entry *entries = calloc(MODES, sizeof *entries);
    if (!channels || !entries)
        status = fail(e, ERROR_MEMORY, "out of memory");
    for (size_t m = 0; m < MODES && !status; m++) {
        entries[m] = (struct channel_entry){m, 1.0, rig.ensemble->voices[0].array, 1};
        channels[m] = (struct channel){&entries[m], 1};
    }
    struct problem listened = rig.problem.problem;
    listened.taps = channels;
    listened.tap_count = MODES;
    const double aside = 10e-3, force = aside * tension / (0.2 * 0.8 * length);
    for (size_t n = 0; n < RATE / 200 && !status; n++)
        drive[n] = 0.5 * force * (1.0 - cos(M_PI * (double)n / (RATE / 200)));
    status = status || rig_run_problem(&rig, &listened, &v->choice, STEPS, drive, taps, e);
    double worst = 0.0;
    for (size_t t = 0; t < sizeof times / sizeof *times && !status; t++) {
        const size_t first = (size_t)((0.005 + times[t]) * RATE), count = RATE / 20;
        double all = 0.0, lowest = 0.0;
        for (size_t m = 0; m < MODES; m++)
            for (size_t n = first; n < first + count; n++) {
                const double q = taps[m * STEPS + n], share = 0.5 * pow((double)(m + 1) * M_PI, 2.0) / length * q * q;
                all += share / (double)count;
                lowest += m ? 0.0 : share / (double)count;
            }
        const double expected = pitch * sqrt(1.0 + stretch * (all + 0.5 * lowest) / (2.0 * length * tension));
        const double found = frequency_in(taps, first, count, pitch);
        worst = nan_max(worst, fabs(1200.0 * log2(found / expected)));
        report_figure(r, "stretching", 1200.0 * log2(found / pitch),
                      "nylon string, pluck of 10 mm, after %g s: rise of the pitch, cents; %.2f expected", times[t],
                      1200.0 * log2(expected / pitch));
    }
    if (!status)
        report_bound(r, "stretching", worst, 0.8, "    largest difference from the mean tension, cents");
    free(channels);
    free(entries);
    free(drive);
    free(taps);
    rig_end(&rig);
    return status;
}

/* ---- a square head in its lowest mode */

static double lowest_shape(const struct pattern *p, double x, double y)
{
    return cos(M_PI * x / p->sides[0]) * cos(M_PI * y / p->sides[1]);
}

/* The complete elliptic integral of the first kind of parameter m. */
static double elliptic(double m)
{
    double a = 1.0, b = sqrt(1.0 - m);
    for (int i = 0; i < 40; i++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 0.5 * M_PI / a;
}

/* Frequency from the zero crossings of samples. */
static double crossing_frequency(const double *samples, size_t count)
{
    double first = 0.0, last = 0.0;
    size_t found = 0;
    for (size_t n = 1; n < count; n++)
        if (samples[n - 1] > 0.0 && samples[n] <= 0.0) {
            last = (double)n + samples[n - 1] / (samples[n - 1] - samples[n]);
            first = found++ ? first : last;
        }
    return (double)(found - 1) * RATE / (last - first);
}

static int check_head(struct validation *v, struct report *r, double amplitude, struct error *e)
{
    struct rig rig;
    const double side = 0.3, density = 0.262, tension = 2000.0, young = 3.5e9, thickness = 0.19e-3, poisson = 0.3;
    double *drive = calloc(2 * STEPS, sizeof *drive), *heard = drive + STEPS;
    if (!drive)
        return fail(e, ERROR_MEMORY, "out of memory");
    rig_begin(&rig, RATE);
    struct instrument *i = rig_instrument(&rig, INSTRUMENT_MEMBRANE);
    i->outline = OUTLINE_RECTANGLE;
    i->sides[0] = i->sides[1] = side;
    i->surface_density = density;
    i->tension = tension;
    i->young = young;
    i->thickness = thickness;
    i->poisson = poisson;
    i->large_amplitude = true;
    i->cells = 24;
    rig_play(&rig, i, 0.0, 0.0);
    rig_hear(&rig, i, 0.0, 0.0);
    int status = rig_build(&rig, false, e);
    const struct pattern p = {.at = lowest_shape, .sides = {side, side}};
    if (!status) {
        free(rig.problem.drives[0].entries);
        status = rig_pattern(&rig.problem.drives[0], &rig.ensemble->voices[0], &p, e);
    }
    /* one step with the shape of the mode; a mode of amplitude a has ½ m_a ω² a², so that a = impulse/(m ω) */
    const double omega = M_PI * sqrt(2.0 * tension / density) / side, h = side / 24.0;
    const double stretch = young * thickness / (1.0 - poisson * poisson), area = side * side;
    const double q = 0.5 * M_PI * M_PI, mass = 0.25 * density * area; /* ∫|∇φ|² and ∫ρφ² of the shape */
    const double cubic = 0.5 * stretch / area * q * q / mass;
    /* energy: ½ v² = ½ ω² a² + ¼ cubic a⁴ */
    const double speed = sqrt(omega * omega * amplitude * amplitude + 0.5 * cubic * pow(amplitude, 4.0));
    if (!status) {
        drive[0] = speed * density * h * h * RATE;
        status = rig_run(&rig, &v->choice, STEPS, drive, heard, e);
    }
    if (!status) {
        const double total = omega * omega + cubic * amplitude * amplitude;
        const double expected = sqrt(total) / (4.0 * elliptic(0.5 * cubic * amplitude * amplitude / total));
        const double found = crossing_frequency(heard, STEPS), linear = 0.5 * omega / M_PI;
        report_bound(r, "stretching", 100.0 * fabs(found / expected - 1.0), 0.05,
                     "square head at %g mm: %.5f of its pitch; error relative to the elliptic period, %%",
                     1e3 * amplitude, found / linear);
    }
    free(drive);
    rig_end(&rig);
    return status;
}

int check_synth_stretching(struct validation *v, struct report *r, struct error *e)
{
    return check_string(v, r, e) || check_head(v, r, 1e-3, e) || check_head(v, r, 4e-3, e) || check_head(v, r, 10e-3, e)
               ? -1
               : 0;
}
