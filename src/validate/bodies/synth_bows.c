/* SPDX-License-Identifier: MIT */
/* A bowed violin string from rest: Helmholtz motion, its closed forms, Schelleng's largest force, and the flattening
 * with and without torsion. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "validate/bodies/checks.h"
#include "validate/bodies/synth_rig.h"

enum { RATE = 48000, STEPS = RATE / 2, TAIL = 9600, HARMONICS = 6 };

static const double pitch = 293.66, length = 0.328, density = 0.95e-3;

/* The motion in the last TAIL steps. */
struct motion {
    double slips, share;      /* number a period; of the time in which the string slips */
    double speed;             /* m/s: of the string while it slips, relative to the bow */
    double cents;             /* relative to the string's pitch */
    double bridge[HARMONICS]; /* force on the end at place 1 over T v/(n π f₀ β L) */
};

enum { HEARD_BOW, HEARD_MODES, CHANNELS = HEARD_MODES + HARMONICS };

/* A stroke that begins at rest and ends with steady motion. */
struct stroke {
    double beta;            /* distance from the end at place 1 over the length */
    double force, velocity; /* N, m/s */
    double first_force;     /* N: until 0.15 s, from where it changes to `force` within 0.1 s; 0: as force */
    double fall;            /* m/s: at which the coefficient of friction has fallen half-way */
    double high_loss;       /* 1/s: at 5 kHz */
    bool torsion;           /* with the default values of its keys */
};

static double force_at(const struct stroke *s, double seconds)
{
    const double share = fmin(fmax((seconds - 0.15) / 0.1, 0.0), 1.0);
    return s->first_force > 0.0 ? s->first_force + (s->force - s->first_force) * share : s->force;
}

static int bow(double *taps, struct validation *v, const struct stroke *stroke, struct error *e)
{
    const double place = 1.0 - stroke->beta;
    struct rig rig;
    double *drive = calloc(PORT_INPUTS * STEPS, sizeof *drive);
    if (!drive)
        return fail(e, ERROR_MEMORY, "out of memory");
    rig_begin(&rig, RATE);
    struct instrument *i = rig_instrument(&rig, INSTRUMENT_STRING);
    i->length = length;
    i->diameter = 1e-3;
    i->linear_density = density;
    i->pitch = pitch;
    i->played = EXCITATION_BOW;
    i->bow_friction[0] = 0.8;
    i->bow_friction[1] = 0.3;
    i->bow_friction_speed = stroke->fall;
    i->torsion = stroke->torsion;
    i->torsion_impedance_ratio = 2.0;
    i->torsion_speed_ratio = 5.2;
    i->torsion_quality = 30.0;
    /* losses grow with the square of frequency, from 3 1/s */
    i->decay_at[0] = 100.0;
    i->decay_at[1] = 5000.0;
    for (int k = 0; k < 2; k++)
        i->decay[k] = 3.0 * M_LN10 / (3.0 + (stroke->high_loss - 3.0) * pow(i->decay_at[k] / 5000.0, 2.0));
    rig_play(&rig, i, place, 0.0);
    rig.events[0].velocity = stroke->velocity;
    for (int k = 0; k < CHANNELS; k++)
        rig_hear(&rig, i, place, 0.0);
    int status = rig_build(&rig, false, e);
    if (!status) {
        const struct touch *touch = &rig.ensemble->touches[0];
        status = rig_tap(&rig, HEARD_BOW, touch->array, PORT_INPUTS * touch->port + 1, e);
    }
    for (size_t k = 0; k < HARMONICS && !status; k++)
        status = rig_tap(&rig, HEARD_MODES + k, rig.ensemble->voices[0].array, k, e);
    for (size_t n = 0; n < STEPS; n++) {
        drive[BOW_FORCE * STEPS + n] = force_at(stroke, (double)n / RATE);
        drive[BOW_SPEED * STEPS + n] = stroke->velocity;
        drive[BOW_POSITION * STEPS + n] = place;
    }
    status = status || rig_run(&rig, &v->choice, STEPS, drive, taps, e);
    rig_end(&rig);
    free(drive);
    return status;
}

/* Amplitude of samples [TAIL] at a frequency, by a Hann window. */
static double amplitude(const double *samples, double frequency)
{
    double real = 0.0, imaginary = 0.0, sum = 0.0;
    for (int n = 0; n < TAIL; n++) {
        const double window = 0.5 - 0.5 * cos(2.0 * M_PI * (n + 0.5) / TAIL), angle = 2.0 * M_PI * frequency * n / RATE;
        real += window * samples[n] * cos(angle);
        imaginary += window * samples[n] * sin(angle);
        sum += window;
    }
    return 2.0 * hypot(real, imaginary) / sum;
}

/* The frequency near `from` with the largest amplitude. */
static double find_pitch(const double *samples, double from)
{
    double low = 0.97 * from, high = 1.03 * from;
    for (int i = 0; i < 60; i++) { /* golden section */
        const double a = high - 0.618034 * (high - low), b = low + 0.618034 * (high - low);
        if (amplitude(samples, a) > amplitude(samples, b))
            high = b;
        else
            low = a;
    }
    return 0.5 * (low + high);
}

static void measure(struct motion *m, const double *taps, const struct stroke *stroke)
{
    const double tension = density * pow(2.0 * length * pitch, 2.0);
    const double *at_bow = taps + HEARD_BOW * STEPS + STEPS - TAIL;
    size_t slips = 0, slipping = 0;
    double sum = 0.0;
    bool was = false;
    for (int n = 0; n < TAIL; n++) {
        const bool is = at_bow[n] != 0.0;
        slips += is && !was;
        slipping += is;
        sum += at_bow[n];
        was = is;
    }
    const double *mode = taps + HEARD_MODES * STEPS + STEPS - TAIL, found = find_pitch(mode, pitch);
    *m = (struct motion){.slips = (double)slips / (found * TAIL / RATE),
                         .share = (double)slipping / TAIL,
                         .speed = sum / (double)slipping,
                         .cents = 1200.0 * log2(found / pitch)};
    for (int k = 0; k < HARMONICS; k++) {
        const double force = tension * (k + 1) * M_PI / length * amplitude(mode + (size_t)k * STEPS, (k + 1) * found);
        m->bridge[k] = force / (tension * stroke->velocity / ((k + 1) * M_PI * pitch * stroke->beta * length));
    }
}

static int play(struct motion *m, struct validation *v, const struct stroke *stroke, struct error *e)
{
    double *taps = calloc((size_t)CHANNELS * STEPS, sizeof *taps);
    if (!taps)
        return fail(e, ERROR_MEMORY, "out of memory");
    const int status = bow(taps, v, stroke, e);
    if (!status)
        measure(m, taps, stroke);
    free(taps);
    return status;
}

static int check_helmholtz(struct validation *v, struct report *r, struct error *e)
{
    const double beta = 0.1013, velocity = 0.2;
    const struct stroke stroke = {.beta = beta, .force = 0.6, .velocity = velocity, .fall = 0.1, .high_loss = 60.0};
    struct motion m;
    double worst = 0.0;
    if (play(&m, v, &stroke, e))
        return -1;
    report_bound(r, "bows", fabs(m.slips - 1.0), 0.03,
                 "violin D from rest, 0.6 N, 0.2 m/s, a tenth from the end: slips a period, less 1");
    report_bound(r, "bows", fabs(m.share - beta), 0.02, "    share of the time in which it slips, less the distance");
    report_bound(r, "bows", fabs(m.speed / (-velocity / beta) - 1.0), 0.1,
                 "    speed of slipping relative to the bow over v/beta, less 1");
    for (int k = 0; k < HARMONICS; k++)
        worst = nan_max(worst, fabs(m.bridge[k] - 1.0));
    report_bound(r, "bows", worst, 0.1,
                 "    six harmonics of the force on the bridge over T v/(n pi f beta L): largest error");
    report_bound(r, "bows", fabs(m.cents), 5.0, "    pitch relative to the string's, cents");
    return 0;
}

/* Raucous motion has another number of slips a period, or another pitch. */
static bool is_helmholtz(const struct motion *m)
{
    return fabs(m->slips - 1.0) < 0.05 && fabs(m->cents) < 60.0;
}

/* The largest force with Helmholtz motion, by steps of a tenth, over 2Zv/(β (μ_s - μ_d)). */
static int largest_force(double *ratio, struct validation *v, double beta, double velocity, struct error *e)
{
    const double impedance = density * 2.0 * length * pitch;
    const double limit = 2.0 * impedance * velocity / (beta * 0.5);
    *ratio = 0.0;
    for (double force = 0.4; force < 2.0; force *= 1.1) {
        const struct stroke stroke = {
            .beta = beta, .force = force * limit, .velocity = velocity, .fall = 0.02, .high_loss = 60.0};
        struct motion m;
        if (play(&m, v, &stroke, e))
            return -1;
        if (is_helmholtz(&m))
            *ratio = force;
    }
    return 0;
}

/* The pitch falls as the force grows, and torsion makes it fall more: against another program, which steps the same
 * modes exactly and solves for the friction itself. */
static int check_flattening(struct validation *v, struct report *r, struct error *e)
{
    static const struct {
        double force, cents[2]; /* without and with torsion */
    } cases[] = {{0.15, {-0.62, -0.59}}, {0.4, {-1.65, -2.81}}, {1.0, {-5.77, -12.24}}};
    for (int torsion = 0; torsion < 2; torsion++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const double expected = cases[i].cents[torsion];
            const struct stroke stroke = {.beta = 0.1013,
                                          .force = cases[i].force,
                                          .velocity = 0.2,
                                          .first_force = 1.0,
                                          .fall = 0.1,
                                          .high_loss = 300.0,
                                          .torsion = torsion};
            struct motion m;
            if (play(&m, v, &stroke, e))
                return -1;
            report_bound(r, "bows", fabs(m.slips - 1.0), 0.03,
                         "with strong losses%s, 1 N and then %g N: slips a period, less 1",
                         torsion ? " and torsion" : "", cases[i].force);
            report_bound(r, "bows", fabs(m.cents - expected), 0.4,
                         "    pitch %.2f cents, other program %.2f: difference, cents", m.cents, expected);
        }
    return 0;
}

int check_synth_bows(struct validation *v, struct report *r, struct error *e)
{
    static const double betas[] = {0.0621, 0.0913, 0.1313};
    if (check_helmholtz(v, r, e) || check_flattening(v, r, e))
        return -1;
    for (size_t i = 0; i < sizeof betas / sizeof *betas; i++) {
        double ratio;
        if (largest_force(&ratio, v, betas[i], 0.2, e))
            return -1;
        report_bound(r, "bows", fabs(log2(ratio)), 1.0,
                     "largest force of Helmholtz motion, %.3g from the end: %.2f of Schelleng's; octaves from it",
                     betas[i], ratio);
    }
    return 0;
}
