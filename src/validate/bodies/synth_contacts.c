/* SPDX-License-Identifier: MIT */
/* Mallets and hammers: a ball on a bar so heavy that it is a wall, against the closed forms of Hertz and
 * of Hunt and Crossley, and a piano hammer against an independent program and a finer time step. */
#include <math.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "validate/bodies/checks.h"
#include "validate/bodies/synth_rig.h"

/* A thrown mass and its force over time. */
struct throw
{
    double rate, speed;
    size_t steps;
    double *force; /* [steps] N */
};

static void throw_free(struct throw *t)
{
    free(t->force);
}

/* The instrument is the rig's first, and has all but the excitation. */
static int run(struct throw *t, struct rig *rig, struct validation *v, struct error *e)
{
    struct instrument *i = &rig->instruments[0];
    i->played = EXCITATION_MALLET;
    rig_play(rig, i, i->place[0], 0.0);
    rig->events[0].velocity = t->speed;
    rig_hear(rig, i, 0.5, 0.0);
    double *drive = calloc(t->steps + 1, sizeof *drive);
    t->force = calloc(t->steps + 1, sizeof *t->force);
    int status = drive && t->force ? rig_build(rig, false, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        const struct touch *touch = &rig->ensemble->touches[0];
        drive[0] = t->speed;
        status = rig_tap(rig, 0, touch->array, PORT_INPUTS * touch->port, e) ||
                 rig_run(rig, &v->choice, t->steps, drive, t->force, e);
    }
    free(drive);
    return status;
}

/* ---- a ball on a wall */

/* Samples in contact, and the momentum that the ball gains over the one it had. */
struct bounce {
    double samples, momentum;
};

static int bounce(struct bounce *b, struct validation *v, const struct contact *c, double mass, double speed,
                  double steps, struct error *e)
{
    struct rig rig;
    struct throw t = {.rate = steps / contact_duration(c, mass, speed), .speed = speed, .steps = (size_t)(4.0 * steps)};
    rig_begin(&rig, t.rate);
    struct instrument *i = rig_instrument(&rig, INSTRUMENT_BAR);
    i->length = 20.0;
    i->width = 2.0;
    i->thickness = 0.2;
    i->density = 1e12; /* 8e12 kg */
    i->young = 1e20;
    i->place[0] = 0.41;
    i->mallet_mass = mass;
    i->mallet_stiffness = c->stiffness;
    i->mallet_exponent = c->exponent;
    i->mallet_loss = c->loss;
    const int status = run(&t, &rig, v, e);
    *b = (struct bounce){0.0, 0.0};
    for (size_t n = 0; n < t.steps && !status; n++) {
        b->samples += t.force[n] > 0.0;
        b->momentum += t.force[n] / t.rate / (mass * speed);
    }
    throw_free(&t);
    rig_end(&rig);
    return status;
}

/* v/λ + ln(1 - λv)/λ² = -v₀/λ + ln(1 + λv₀)/λ², here with λv₀ and the ratio v/v₀. */
static double restitution(double loss)
{
    double low = 0.0, high = fmin(1.0, (1.0 - 1e-12) / loss);
    const double right = -1.0 / loss + log1p(loss) / (loss * loss);
    for (int i = 0; i < 100; i++) {
        const double v = 0.5 * (low + high);
        *(v / loss + log1p(-loss * v) / (loss * loss) > right ? &low : &high) = v;
    }
    return low;
}

static int check_balls(struct validation *v, struct report *r, struct error *e)
{
    static const double losses[] = {0.05, 0.2, 0.5, 1.0};
    struct bounce b;
    for (double steps = 4.0; steps <= 256.0; steps *= 8.0) {
        const struct contact hertz = {1e8, 1.5, 0.0};
        if (bounce(&b, v, &hertz, 0.02, 2.0, steps, e))
            return -1;
        report_bound(r, "contacts", fabs(b.momentum - 2.0), 2e-6,
                     "ball on a wall, Hertz, %g steps: momentum gained over that of the ball, less 2", steps);
        report_bound(r, "contacts", fabs(b.samples - steps), 3.0,
                     "    steps with a force, less 2.943 x_max/v over the step");
    }
    double worst = 0.0;
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        const struct contact felt = {1e8, 2.5, losses[i] / 2.0};
        if (bounce(&b, v, &felt, 0.03, 2.0, 400.0, e))
            return -1;
        worst = nan_max(worst, fabs(b.momentum - 1.0 - restitution(losses[i])));
        report_figure(r, "contacts", b.momentum - 1.0, "felt with loss %g over its speed: restitution; %.5f expected",
                      losses[i], restitution(losses[i]));
    }
    report_bound(r, "contacts", worst, 2e-4, "felt: largest error of the restitution of Hunt and Crossley");
    return 0;
}

/* ---- a hammer on a piano string */

struct blow {
    double peak, width; /* N; s between the first and last half of the peak */
};

static int hammer(struct blow *b, struct validation *v, double rate, double speed, struct error *e)
{
    struct rig rig;
    struct throw t = {.rate = rate, .speed = speed, .steps = (size_t)(rate * 0.01)};
    rig_begin(&rig, t.rate);
    struct instrument *i = rig_instrument(&rig, INSTRUMENT_STRING);
    i->length = 0.62;
    i->diameter = 1e-3;
    i->linear_density = 3.93e-3 / 0.62;
    i->tension = 670.0;
    i->decay[0] = i->decay[1] = 3.0 * M_LN10 / 0.5;
    i->place[0] = 0.12;
    i->mallet_mass = 2.97e-3;
    i->mallet_stiffness = 4.5e9;
    i->mallet_exponent = 2.5;
    const int status = run(&t, &rig, v, e);
    double samples = 0.0;
    *b = (struct blow){0.0, 0.0};
    for (size_t n = 0; n < t.steps && !status; n++)
        b->peak = fmax(b->peak, t.force[n]);
    for (size_t n = 0; n < t.steps && !status; n++)
        samples += t.force[n] > 0.5 * b->peak;
    b->width = samples / t.rate;
    throw_free(&t);
    rig_end(&rig);
    return status;
}

static int check_hammers(struct validation *v, struct report *r, struct error *e)
{
    /* of an independent program: 80 modes, 48 kHz */
    static const double speeds[] = {0.5, 1.5, 4.0}, peaks[] = {1.9, 6.6, 19.6}, widths[] = {1.44e-3, 1.29e-3, 1.21e-3};
    struct blow b, fine;
    for (size_t i = 0; i < 3; i++) {
        if (hammer(&b, v, 48000.0, speeds[i], e) || hammer(&fine, v, 192000.0, speeds[i], e))
            return -1;
        report_bound(r, "contacts", 100.0 * fabs(b.peak / peaks[i] - 1.0), 5.0,
                     "hammer on C4 at %g m/s: %.3g N, error of the peak relative to another program, %%", speeds[i],
                     b.peak);
        report_bound(r, "contacts", 100.0 * fabs(b.width / widths[i] - 1.0), 5.0, "    of its half width, %%");
        report_bound(r, "contacts", 100.0 * fabs(b.peak / fine.peak - 1.0), 4.0,
                     "    error of the peak relative to a time step of a quarter, %%");
    }
    return 0;
}

/* ---- a string over frets */

/* Number of the eight frets that a pluck makes the string hit. */
static int frets_hit(double *count, struct validation *v, double aside, struct error *e)
{
    enum { RATE = 48000, STEPS = RATE / 10, FRETS = 8 };
    struct rig rig;
    double *drive = calloc((FRETS + 1) * STEPS, sizeof *drive), *force = drive + STEPS;
    if (!drive)
        return fail(e, ERROR_MEMORY, "out of memory");
    rig_begin(&rig, RATE);
    struct instrument *i = rig_instrument(&rig, INSTRUMENT_STRING);
    i->length = 0.648;
    i->diameter = 1e-3;
    i->linear_density = 0.3956e-3;
    i->tension = 71.4;
    i->decay[0] = i->decay[1] = 3.0 * M_LN10;
    i->frets = FRETS;
    i->fret_gap = 1e-3;
    i->fret_stiffness = 1e8;
    rig_play(&rig, i, 0.8, 0.0);
    for (int n = 0; n < FRETS; n++)
        rig_hear(&rig, i, 0.5, 0.0);
    int status = rig_build(&rig, false, e);
    for (size_t n = 0; n < FRETS && !status; n++)
        status = rig_tap(&rig, n, rig.ensemble->touches[n].array, PORT_INPUTS * rig.ensemble->touches[n].port, e);
    for (size_t n = 0; n < STEPS / 10; n++)
        drive[n] = 0.5 * aside * 71.4 / (0.16 * 0.648) * (1.0 - cos(M_PI * (double)n / (STEPS / 10)));
    status = status || rig_run(&rig, &v->choice, STEPS, drive, force, e);
    *count = 0.0;
    for (size_t n = 0; n < FRETS && !status; n++) {
        bool hit = false;
        for (size_t k = 0; k < STEPS; k++)
            hit = hit || force[n * STEPS + k] > 0.0;
        *count += hit;
    }
    rig_end(&rig);
    free(drive);
    return status;
}

static int check_frets(struct validation *v, struct report *r, struct error *e)
{
    double none, some;
    if (frets_hit(&none, v, 0.9e-3, e) || frets_hit(&some, v, 5e-3, e))
        return -1;
    report_bound(r, "contacts", none, 0.0, "eight frets 1 mm below a string: number that a pluck of 0.9 mm reaches");
    report_bound(r, "contacts", 7.0 - some, 0.0, "    7 less the number that a pluck of 5 mm reaches");
    return 0;
}

int check_synth_contacts(struct validation *v, struct report *r, struct error *e)
{
    return check_balls(v, r, e) || check_hammers(v, r, e) || check_frets(v, r, e) ? -1 : 0;
}
