/* SPDX-License-Identifier: MIT */
/* Membranes in vacuo compared with zeros of Bessel functions. Every mode is recorded through its
 * exact shape, summed over the nodes, so that it stands out from the other modes that a stroke
 * excites. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "validate/bodies/checks.h"
#include "validate/bodies/synth_modes.h"

enum { DRUM_MODES = 12 };

static double polar(const struct pattern *p, double x, double y)
{
    const double angle = p->order * atan2(y, x) - (p->turned ? 0.5 * M_PI : 0.0);
    return jn((int)p->order, p->zero * hypot(x, y) / p->radius) * (p->order > 0.0 ? cos(angle) : 1.0);
}

/* Zero number n (from 1) of J_m, by bisection: zeros are more than 3 apart except for the first, which is above m. */
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

/* For odd orders the grid keeps the circle's degenerate pair, a quarter turn apart; for even
 * orders the two differ. */
static int has_two(int order)
{
    return order > 0 && order % 2 == 0;
}

struct drum {
    double pitch, ratios[DRUM_MODES]; /* relative errors; for pairs, the larger error of the ratios */
    size_t warnings;
};

static int measure_drum(struct drum *d, struct validation *v, size_t cells, double tension, struct error *e)
{
    struct trial t = {.v = v, .steps = tension > 2000.0 ? MODES_STEPS / 2 : MODES_STEPS};
    struct drum_mode modes[DRUM_MODES];
    double expected[PATTERNS_MAX];
    list_drum_modes(modes);
    rig_begin(&t.rig, MODES_RATE);
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
            status = trial_pattern(&t, &p, e);
        }
    status = status || trial_listen(&t, expected, 0.03, e);
    for (int k = 0, at = 0; k < DRUM_MODES && !status; k++) {
        d->ratios[k] = 0.0;
        for (int turned = 0; turned <= has_two(modes[k].order); turned++, at++)
            d->ratios[k] =
                nan_max(d->ratios[k], fabs(t.frequency[at] / t.frequency[0] / (modes[k].zero / modes[0].zero) - 1.0));
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
        worst = nan_max(worst, d->ratios[k]);
    return worst;
}

int check_synth_surfaces(struct validation *v, struct report *r, struct error *e)
{
    static const double tensions[] = {1500.0,
                                      8000.0}; /* far below the limit of the time step, and close to it at 32 cells */
    struct drum d;
    for (int i = 0; i < 2; i++) {
        if (measure_drum(&d, v, 32, tensions[i], e))
            return -1;
        report_bound(r, "surfaces", 100.0 * d.pitch, 0.3,
                     "round membrane, 32 cells per radius, %g N/m: error of the pitch, %%", tensions[i]);
        report_bound(r, "surfaces", 100.0 * worst_ratio(&d, DRUM_MODES), 0.5,
                     "    error of the first twelve frequency ratios relative to the zeros of Bessel functions, %%");
        report_bound(r, "surfaces", (double)d.warnings, 0.0, "    number of warnings of a coarse grid");
        if (measure_drum(&d, v, 16, tensions[i], e))
            return -1;
        report_bound(r, "surfaces", 100.0 * d.pitch, 0.3, "    16 cells per radius: error of the pitch, %%");
        report_bound(r, "surfaces", 100.0 * worst_ratio(&d, 6), 1.0, "    error of the first six ratios, %%");
        report_figure(r, "surfaces", 100.0 * worst_ratio(&d, DRUM_MODES), "    error of the first twelve ratios, %%");
    }
    if (measure_drum(&d, v, 8, tensions[0], e))
        return -1;
    report_bound(r, "surfaces", 100.0 * d.pitch, 0.3, "    8 cells per radius: error of the pitch, %%");
    report_bound(r, "surfaces", d.warnings ? 0.0 : 1.0, 0.0, "    warning of a coarse grid: 0 if the output has one");
    report_figure(r, "surfaces", 100.0 * worst_ratio(&d, 6), "    error of the first six ratios, %%");
    return 0;
}
