/* Membranes and plates in vacuo by their sound, against Bessel's zeros and closed forms. Every mode is read by its own
 * exact shape, summed over the nodes, so that it stands out of what a blow at one node leaves. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/worst.h"
#include "validate/partial.h"
#include "validate/synth_rig.h"
#include "validate/validate.h"

enum { RATE = 48000, STEPS = 1 << 14, DRUM_MODES = 12, PLATE_MODES = 10, PATTERNS_MOST = 24 };

struct trial {
    struct validation *v;
    struct rig rig;
    struct channel taps[PATTERNS_MOST];
    size_t count, steps;
    double frequency[PATTERNS_MOST]; /* Hz, measured */
};

static double polar(const struct pattern *p, double x, double y)
{
    const double angle = p->order * atan2(y, x) - (p->turned ? 0.5 * M_PI : 0.0);
    return jn((int)p->order, p->zero * hypot(x, y) / p->radius) * (p->order > 0.0 ? cos(angle) : 1.0);
}

static double waves(const struct pattern *p, double x, double y)
{
    return sin(p->order * M_PI * (x / p->sides[0] + 0.5)) * sin(p->number * M_PI * (y / p->sides[1] + 0.5));
}

/* The blow is at a node where none of the modes rests. */
static int listen(struct trial *t, const double *expected, double spread, struct error *e)
{
    struct rig *r = &t->rig;
    double *drive = calloc((t->count + 1) * t->steps, sizeof *drive), *heard = drive + t->steps;
    struct problem *p = &r->problem.problem;
    const struct channel *own = p->taps;
    const size_t own_count = p->tap_count;
    if (!drive)
        return fail(e, ERROR_MEMORY, "out of memory");
    drive[0] = 1.0;
    p->taps = t->taps;
    p->tap_count = t->count;
    const int status = rig_run(r, &t->v->choice, t->steps, drive, heard, e);
    p->taps = own;
    p->tap_count = own_count;
    for (size_t i = 0; i < t->count && !status; i++) {
        double *tap = heard + i * t->steps;
        partial_brighten(tap, t->steps);
        t->frequency[i] =
            partial_find(tap, t->steps, RATE, (1.0 - spread) * expected[i], (1.0 + spread) * expected[i]).frequency;
    }
    free(drive);
    return status;
}

static void trial_end(struct trial *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->taps[i].entries);
    rig_end(&t->rig);
}

static int add_pattern(struct trial *t, const struct pattern *p, struct error *e)
{
    if (rig_pattern(&t->taps[t->count], &t->rig.ensemble->voices[0], p, e))
        return -1;
    t->count++;
    return 0;
}

/* ---- membranes */

/* Zero number n (from 1) of J_m, by halving: they are more than 3 apart but for the first, which is above m. */
static double bessel_zero(int m, int n)
{
    double low = m + 0.5, high = low;
    for (int found = 0; found < n; found++) {
        low = high;
        while (jn(m, low) * jn(m, low + 0.1) > 0.0)
            low += 0.1;
        high = low + 0.1;
    }
    const double sign = jn(m, low);
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (jn(m, middle) * sign > 0.0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct drum_mode {
    int order;
    double zero;
};

static int by_zero(const void *a, const void *b)
{
    const struct drum_mode *p = a, *q = b;
    return (p->zero > q->zero) - (p->zero < q->zero);
}

static void list_drum_modes(struct drum_mode modes[DRUM_MODES])
{
    enum { ORDERS = 8, EACH = 4 };
    struct drum_mode all[ORDERS * EACH];
    for (int m = 0; m < ORDERS; m++)
        for (int n = 0; n < EACH; n++)
            all[m * EACH + n] = (struct drum_mode){m, bessel_zero(m, n + 1)};
    qsort(all, ORDERS * EACH, sizeof *all, by_zero);
    memcpy(modes, all, DRUM_MODES * sizeof *modes);
}

/* Of odd order the grid has two that are alike as the circle has, a quarter turn apart; of even order they differ. */
static int has_two(int order)
{
    return order > 0 && order % 2 == 0;
}

struct drum {
    double pitch, ratios[DRUM_MODES]; /* relative errors, of ratios the worse one of two that are alike */
    size_t warnings;
};

static int measure_drum(struct drum *d, struct validation *v, size_t cells, double tension, struct error *e)
{
    struct trial t = {.v = v, .steps = tension > 2000.0 ? STEPS / 2 : STEPS};
    struct drum_mode modes[DRUM_MODES];
    double expected[PATTERNS_MOST];
    list_drum_modes(modes);
    rig_begin(&t.rig, RATE);
    struct instrument *i = rig_instrument(&t.rig, INSTRUMENT_MEMBRANE);
    i->outline = OUTLINE_CIRCLE;
    i->radius = 0.1524;
    i->surface_density = 0.35;
    i->tension = tension;
    i->cells = cells;
    rig_play(&t.rig, i, 0.43, 0.18);
    int status = rig_build(&t.rig, false, e);
    const double speed = sqrt(tension / i->surface_density), first = speed / (2.0 * M_PI * i->radius);
    for (int k = 0; k < DRUM_MODES && !status; k++)
        for (int turned = 0; turned <= has_two(modes[k].order) && !status; turned++) {
            const struct pattern p = {
                .at = polar, .radius = i->radius, .order = modes[k].order, .zero = modes[k].zero, .turned = turned};
            expected[t.count] = first * modes[k].zero;
            status = add_pattern(&t, &p, e);
        }
    status = status || listen(&t, expected, 0.03, e);
    for (int k = 0, at = 0; k < DRUM_MODES && !status; k++) {
        d->ratios[k] = 0.0;
        for (int turned = 0; turned <= has_two(modes[k].order); turned++, at++)
            d->ratios[k] =
                worst_of(d->ratios[k], fabs(t.frequency[at] / t.frequency[0] / (modes[k].zero / modes[0].zero) - 1.0));
    }
    if (!status) {
        d->pitch = fabs(t.frequency[0] / expected[0] - 1.0);
        d->warnings = t.rig.ensemble->warning_count;
    }
    trial_end(&t);
    return status ? -1 : 0;
}

static double worst_ratio(const struct drum *d, int modes)
{
    double worst = 0.0;
    for (int k = 1; k < modes; k++)
        worst = worst_of(worst, d->ratios[k]);
    return worst;
}

static int check_drums(struct validation *v, struct report *r, struct error *e)
{
    static const double tensions[] = {1500.0, 8000.0}; /* far from the time step's limit, and near to it at 32 cells */
    struct drum d;
    for (int i = 0; i < 2; i++) {
        if (measure_drum(&d, v, 32, tensions[i], e))
            return -1;
        report_bound(r, "surfaces", 100.0 * d.pitch, 0.3, "round membrane, 32 cells a radius, %g N/m: pitch off by, %%",
                     tensions[i]);
        report_bound(r, "surfaces", 100.0 * worst_ratio(&d, DRUM_MODES), 0.5,
                     "    the first twelve ratios against Bessel's zeros, the worse of pairs, off by, %%");
        report_bound(r, "surfaces", (double)d.warnings, 0.0, "    warnings of a coarse grid");
        if (measure_drum(&d, v, 16, tensions[i], e))
            return -1;
        report_bound(r, "surfaces", 100.0 * d.pitch, 0.3, "    16 cells a radius: pitch off by, %%");
        report_bound(r, "surfaces", 100.0 * worst_ratio(&d, 6), 1.0, "    the first six ratios off by, %%");
        report_figure(r, "surfaces", 100.0 * worst_ratio(&d, DRUM_MODES), "    the first twelve");
    }
    if (measure_drum(&d, v, 8, tensions[0], e))
        return -1;
    report_bound(r, "surfaces", 100.0 * d.pitch, 0.3, "    8 cells a radius: pitch off by, %%");
    report_bound(r, "surfaces", d.warnings ? 0.0 : 1.0, 0.0,
                 "    the output says that 8 cells are coarse: 0 when it does");
    report_figure(r, "surfaces", 100.0 * worst_ratio(&d, 6), "    the first six ratios");
    return 0;
}

/* ---- plates */

struct plate_mode {
    int m, n;
    double frequency;
};

static int by_frequency(const void *a, const void *b)
{
    const struct plate_mode *p = a, *q = b;
    return (p->frequency > q->frequency) - (p->frequency < q->frequency);
}

static struct instrument *make_plate(struct rig *r, enum ends ends)
{
    struct instrument *i = rig_instrument(r, INSTRUMENT_PLATE);
    i->density = 7850.0;
    i->young = 2.1e11;
    i->poisson = 0.3;
    i->thickness = 1e-3;
    i->ends = ends;
    return i;
}

static double plate_kappa(const struct instrument *i)
{
    return i->thickness * sqrt(i->young / (12.0 * (1.0 - i->poisson * i->poisson) * i->density));
}

/* π/2 κ (m²/a² + n²/b²), lowest first */
static void list_plate_modes(struct plate_mode modes[PLATE_MODES], const struct instrument *i)
{
    enum { EACH = 8 };
    struct plate_mode all[EACH * EACH];
    for (int k = 0; k < EACH * EACH; k++) {
        const double along = (k % EACH + 1) / i->sides[0], across = (k / EACH + 1) / i->sides[1];
        all[k] = (struct plate_mode){k % EACH + 1, k / EACH + 1,
                                     0.5 * M_PI * plate_kappa(i) * (along * along + across * across)};
    }
    qsort(all, EACH * EACH, sizeof *all, by_frequency);
    memcpy(modes, all, PLATE_MODES * sizeof *modes);
}

static int check_plate(struct validation *v, struct report *r, double across, size_t cells, struct error *e)
{
    struct trial t = {.v = v, .steps = STEPS};
    struct plate_mode modes[PLATE_MODES];
    double expected[PLATE_MODES], worst = 0.0;
    rig_begin(&t.rig, RATE);
    struct instrument *i = make_plate(&t.rig, ENDS_SUPPORTED);
    i->outline = OUTLINE_RECTANGLE;
    i->sides[0] = 0.5;
    i->sides[1] = across;
    i->cells = cells;
    rig_play(&t.rig, i, 0.43, 0.18);
    list_plate_modes(modes, i);
    int status = rig_build(&t.rig, false, e);
    for (int k = 0; k < PLATE_MODES && !status; k++) {
        const struct pattern p = {
            .at = waves, .sides = {i->sides[0], i->sides[1]}, .order = modes[k].m, .number = modes[k].n};
        expected[k] = modes[k].frequency;
        status = add_pattern(&t, &p, e);
    }
    status = status || listen(&t, expected, 0.05, e);
    for (int k = 0; k < PLATE_MODES && !status; k++)
        worst = worst_of(worst, fabs(t.frequency[k] / expected[k] - 1.0));
    if (!status && cells >= 40)
        report_bound(r, "surfaces", 100.0 * worst, 1.0,
                     "supported plate %g x %g m, %zu cells along its longer side: the first ten modes off by, %%",
                     i->sides[0], i->sides[1], cells);
    else if (!status)
        report_figure(r, "surfaces", 100.0 * worst, "    %zu cells", cells);
    const double warned = t.rig.ensemble && t.rig.ensemble->warning_count ? 1.0 : 0.0;
    if (!status)
        report_bound(r, "surfaces", cells >= 40 ? warned : 1.0 - warned, 0.0,
                     "    the output says that %zu cells are coarse: 0 when it %s", cells,
                     cells >= 40 ? "does not" : "does");
    trial_end(&t);
    return status ? -1 : 0;
}

/* Modes of discs whose shape is near enough to r^m cos mθ times what the edge asks for. λ² = ωR²/κ: A. W. Leissa,
 * Vibration of Plates, NASA SP-160, 1969, tables 2.1 and 2.6 (ν = 0.33). */
static const struct disc {
    enum ends ends;
    double poisson;
    double order[3], lambda_squared[3];
} discs[] = {{ENDS_CLAMPED, 0.33, {0, 1, 2}, {10.2158, 21.26, 34.88}},
             {ENDS_FREE, 0.33, {2, 0, 3}, {5.253, 9.084, 12.23}}};

static double bulge(const struct pattern *p, double x, double y)
{
    const double r2 = (x * x + y * y) / (p->radius * p->radius), edge = p->number > 0.0 ? (1.0 - r2) * (1.0 - r2) : 1.0;
    const double along = pow(r2, 0.5 * p->order) * (p->order > 0.0 ? cos(p->order * atan2(y, x)) : 1.0);
    return edge * along - (p->number > 0.0 || p->order > 0.0 ? 0.0 : 2.0 * r2);
}

static int measure_disc(struct validation *v, struct report *r, const struct disc *disc, struct error *e)
{
    struct trial t = {.v = v, .steps = STEPS};
    double expected[3];
    rig_begin(&t.rig, RATE);
    struct instrument *i = make_plate(&t.rig, disc->ends);
    i->outline = OUTLINE_CIRCLE;
    i->radius = 0.25;
    i->poisson = disc->poisson;
    rig_play(&t.rig, i, 0.43, 0.18);
    int status = rig_build(&t.rig, false, e);
    for (int k = 0; k < 3 && !status; k++) {
        const struct pattern p = {
            .at = bulge, .radius = i->radius, .order = disc->order[k], .number = disc->ends == ENDS_CLAMPED};
        expected[k] = disc->lambda_squared[k] * plate_kappa(i) / (2.0 * M_PI * i->radius * i->radius);
        status = add_pattern(&t, &p, e);
    }
    status = status || listen(&t, expected, 0.1, e);
    for (int k = 0; k < 3 && !status; k++)
        report_figure(r, "surfaces", 100.0 * (t.frequency[k] / expected[k] - 1.0),
                      "%s disc, %zu cells a radius, mode %d (%g diameters) against Leissa's %.4g: %%",
                      k ? "   " : ends_names[disc->ends], t.rig.ensemble->voices[0].grid.cells, k + 1, disc->order[k],
                      disc->lambda_squared[k]);
    trial_end(&t);
    return status ? -1 : 0;
}

int check_synth_surfaces(struct validation *v, struct report *r, struct error *e)
{
    return check_drums(v, r, e) || check_plate(v, r, 0.5, 40, e) || check_plate(v, r, 0.4, 40, e) ||
                   check_plate(v, r, 0.5, 20, e) || measure_disc(v, r, &discs[0], e) || measure_disc(v, r, &discs[1], e)
               ? -1
               : 0;
}
