/* SPDX-License-Identifier: MIT */
/* Plates in vacuo on their default grid: the first ten modes of supported, clamped and free
 * plates, both modes of a degenerate pair, each recorded through a shape of its symmetry. Discs
 * and squares are compared with roots of their characteristic equations and with converged Ritz
 * sums, computed independently of this program. The tables of A. W. Leissa (Vibration of Plates,
 * NASA SP-160, 1969, tables 2.1 and 2.6; The free vibration of rectangular plates, Journal of
 * Sound and Vibration 31, 1973, 257-293) round these values, and exceed those of a free square
 * by up to 1 %. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "validate/bodies/checks.h"
#include "validate/bodies/synth_modes.h"

enum { PLATE_MODES = 10 };

static struct instrument *make_plate(struct rig *r, enum ends ends)
{
    struct instrument *i = rig_instrument(r, INSTRUMENT_PLATE);
    i->density = 7850.0;
    i->young = 2.1e11;
    i->poisson = 0.3;
    i->thickness = 1e-3;
    i->ends = ends;
    i->sides[0] = i->sides[1] = 0.5;
    i->outline = OUTLINE_RECTANGLE;
    return i;
}

static double plate_kappa(const struct instrument *i)
{
    return i->thickness * sqrt(i->young / (12.0 * (1.0 - i->poisson * i->poisson) * i->density));
}

/* ---- supported */

struct plate_mode {
    int m, n;
    double frequency;
};

static int by_frequency(const void *a, const void *b)
{
    const struct plate_mode *p = a, *q = b;
    return (p->frequency > q->frequency) - (p->frequency < q->frequency);
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

static double waves(const struct pattern *p, double x, double y)
{
    return sin(p->order * M_PI * (x / p->sides[0] + 0.5)) * sin(p->number * M_PI * (y / p->sides[1] + 0.5));
}

/* Largest error of the modes, and whether the grid was reported as coarse. */
static int measure_supported(double *worst, bool *warned, struct trial *t, double across, size_t cells, struct error *e)
{
    struct plate_mode modes[PLATE_MODES];
    double expected[PLATE_MODES];
    rig_begin(&t->rig, MODES_RATE);
    struct instrument *i = make_plate(&t->rig, ENDS_SUPPORTED);
    i->sides[1] = across;
    i->cells = cells;
    rig_play(&t->rig, i, 0.43, 0.18);
    list_plate_modes(modes, i);
    int status = rig_build(&t->rig, false, e);
    for (int k = 0; k < PLATE_MODES && !status; k++) {
        const struct pattern p = {
            .at = waves, .sides = {i->sides[0], i->sides[1]}, .order = modes[k].m, .number = modes[k].n};
        expected[k] = modes[k].frequency;
        status = trial_pattern(t, &p, e);
    }
    status = status || trial_listen(t, expected, 0.05, e);
    *worst = 0.0;
    for (int k = 0; k < PLATE_MODES && !status; k++)
        *worst = nan_max(*worst, fabs(t->frequency[k] / expected[k] - 1.0));
    *warned = !status && t->rig.ensemble->warning_count;
    return status;
}

static int check_supported(struct validation *v, struct report *r, double across, size_t cells, struct error *e)
{
    struct trial t = {.v = v, .steps = MODES_STEPS};
    double worst;
    bool warned;
    const int status = measure_supported(&worst, &warned, &t, across, cells, e);
    if (!status && !cells)
        report_bound(r, "plates", 100.0 * worst, 0.1,
                     "supported plate 0.5 x %g m, %zu cells along its longer side: error of the first ten modes, %%",
                     across, t.rig.ensemble->voices[0].grid.cells);
    else if (!status)
        report_figure(r, "plates", 100.0 * worst, "    %zu cells", cells);
    if (!status)
        report_bound(r, "plates", warned == (cells > 0) ? 0.0 : 1.0, 0.0,
                     "    warning of a coarse grid: 0 if the output %s", cells ? "has one" : "has none");
    trial_end(&t);
    return status ? -1 : 0;
}

/* ---- discs */

/* λ² = ωR²/κ of modes with `order` nodal diameters, lowest first; ν = 0.33. */
struct disc_mode {
    int order;
    double lambda_squared;
};
static const struct disc_mode clamped_disc[PLATE_MODES] = {{0, 10.2158}, {1, 21.2604}, {2, 34.8770}, {0, 39.7711},
                                                           {3, 51.0300}, {1, 60.8287}, {4, 69.6658}, {2, 84.5826},
                                                           {0, 89.1041}, {5, 90.7390}};
static const struct disc_mode free_disc[PLATE_MODES] = {{2, 5.2620},  {0, 9.0689},  {3, 12.2439}, {1, 20.5131},
                                                        {4, 21.5272}, {5, 33.0618}, {2, 35.2425}, {0, 38.5070},
                                                        {6, 46.8087}, {3, 52.9210}};

/* J_n(λ r/R) cos nθ, or rotated, minus its rigid-body part. */
static double ripple(const struct pattern *p, double x, double y)
{
    const int n = (int)p->order;
    const double r = hypot(x, y) / p->radius, angle = atan2(y, x), lambda = p->zero;
    const double rigid = n == 0 ? 2.0 * j1(lambda) / lambda : n == 1 ? 4.0 * jn(2, lambda) / lambda * r : 0.0;
    return (jn(n, lambda * r) - rigid) * (p->turned ? sin(n * angle) : cos(n * angle));
}

/* The first ten modes as counted in published tables, which list a pair once; both modes of a
 * pair are recorded. */
static int check_disc(struct validation *v, struct report *r, enum ends ends, const struct disc_mode *modes,
                      struct error *e)
{
    struct trial t = {.v = v, .steps = MODES_STEPS};
    double expected[PATTERNS_MAX], worst = 0.0, split = 0.0;
    rig_begin(&t.rig, MODES_RATE);
    struct instrument *i = make_plate(&t.rig, ends);
    i->outline = OUTLINE_CIRCLE;
    i->radius = 0.25;
    i->poisson = 0.33;
    rig_play(&t.rig, i, 0.43, 0.18);
    int status = rig_build(&t.rig, false, e);
    for (int k = 0; k < PLATE_MODES && !status; k++)
        for (int turned = 0; turned <= (modes[k].order > 0) && !status; turned++) {
            const struct pattern p = {.at = ripple,
                                      .radius = i->radius,
                                      .order = modes[k].order,
                                      .zero = sqrt(modes[k].lambda_squared),
                                      .turned = turned};
            expected[t.count] = modes[k].lambda_squared * plate_kappa(i) / (2.0 * M_PI * i->radius * i->radius);
            status = trial_pattern(&t, &p, e);
        }
    status = status || trial_listen(&t, expected, 0.03, e);
    for (size_t k = 0; k < t.count && !status; k++) {
        worst = nan_max(worst, fabs(t.frequency[k] / expected[k] - 1.0));
        if (k > 0 && expected[k] == expected[k - 1])
            split = nan_max(split, fabs(t.frequency[k] / t.frequency[k - 1] - 1.0));
    }
    if (!status) {
        report_bound(r, "plates", 100.0 * worst, 0.5,
                     "%s disc, %zu cells per radius: error of the first ten modes, single and degenerate, %%",
                     ends_names[ends], t.rig.ensemble->voices[0].grid.cells);
        report_bound(r, "plates", 100.0 * split, 0.5, "    splitting of degenerate pairs, %%");
    }
    trial_end(&t);
    return status ? -1 : 0;
}

/* ---- squares */

enum symmetry { EVEN, ODD_X, ODD_Y, ODD };

/* λ² = ωa²/κ of a mode; `turned`: it changes sign when x and y are exchanged. */
struct square_mode {
    double lambda_squared;
    enum symmetry symmetry;
    bool turned;
};
static const struct square_mode clamped_square[PLATE_MODES] = {
    {35.9852, EVEN, false},   {73.3938, ODD_X, false}, {73.3938, ODD_Y, false},  {108.2165, ODD, false},
    {131.5808, EVEN, true},   {132.2048, EVEN, false}, {165.0004, ODD_X, false}, {165.0004, ODD_Y, false},
    {210.5218, ODD_X, false}, {210.5218, ODD_Y, false}};
static const struct square_mode free_square[PLATE_MODES] = {
    {13.4682, ODD, false},   {19.5961, EVEN, true},   {24.2702, EVEN, false},  {34.8009, ODD_X, false},
    {34.8009, ODD_Y, false}, {61.0932, ODD_X, false}, {61.0932, ODD_Y, false}, {63.6861, EVEN, false},
    {69.2654, ODD, true},    {77.1717, ODD, false}};

/* Sums of Legendre polynomials of one symmetry, without rigid-body motion of the plate. */
static double bumps(const struct pattern *p, double x, double y)
{
    const double u = 2.0 * x / p->sides[0], v = 2.0 * y / p->sides[1];
    const double u2 = 1.5 * u * u - 0.5, v2 = 1.5 * v * v - 0.5;
    const double u3 = u * (2.5 * u * u - 1.5), v3 = v * (2.5 * v * v - 1.5), sign = p->turned ? -1.0 : 1.0;
    switch ((enum symmetry)p->order) {
    case EVEN:
        return u2 + sign * v2;
    case ODD_X:
        return u3 + 2.0 * u * v2;
    case ODD_Y:
        return v3 + 2.0 * v * u2;
    default:
        return u3 * v + sign * u * v3 + (p->turned ? 0.0 : u * v);
    }
}

static int check_square(struct validation *v, struct report *r, enum ends ends, const struct square_mode *modes,
                        struct error *e)
{
    struct trial t = {.v = v, .steps = MODES_STEPS};
    double expected[PLATE_MODES], worst = 0.0;
    rig_begin(&t.rig, MODES_RATE);
    struct instrument *i = make_plate(&t.rig, ends);
    rig_play(&t.rig, i, 0.43, 0.18);
    int status = rig_build(&t.rig, false, e);
    for (int k = 0; k < PLATE_MODES && !status; k++) {
        const struct pattern p = {
            .at = bumps, .sides = {i->sides[0], i->sides[1]}, .order = modes[k].symmetry, .turned = modes[k].turned};
        expected[k] = modes[k].lambda_squared * plate_kappa(i) / (2.0 * M_PI * i->sides[0] * i->sides[1]);
        status = trial_pattern(&t, &p, e);
    }
    status = status || trial_listen(&t, expected, 0.03, e);
    for (int k = 0; k < PLATE_MODES && !status; k++)
        worst = nan_max(worst, fabs(t.frequency[k] / expected[k] - 1.0));
    if (!status)
        report_bound(r, "plates", 100.0 * worst, 0.5,
                     "%s square, %zu cells along a side: error of the first ten modes, %%", ends_names[ends],
                     t.rig.ensemble->voices[0].grid.cells);
    trial_end(&t);
    return status ? -1 : 0;
}

int check_synth_plates(struct validation *v, struct report *r, struct error *e)
{
    return check_supported(v, r, 0.5, 0, e) || check_supported(v, r, 0.4, 0, e) || check_supported(v, r, 0.5, 8, e) ||
                   check_disc(v, r, ENDS_CLAMPED, clamped_disc, e) || check_disc(v, r, ENDS_FREE, free_disc, e) ||
                   check_square(v, r, ENDS_CLAMPED, clamped_square, e) || check_square(v, r, ENDS_FREE, free_square, e)
               ? -1
               : 0;
}
