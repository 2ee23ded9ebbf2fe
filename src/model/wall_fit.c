#include "model/wall_fit.h"

#include <math.h>

#include "base/worst.h"
#include "model/absorption.h"
#include "model/least_squares.h"

/* A branch's parameters, the logarithms of: */
enum { ADMITTANCE, QUALITY, RESONANCE, PER_BRANCH };

enum { FITTED_MOST = OCTAVE_BANDS + 1, POINTS = 12 }; /* points an octave of the fit */
_Static_assert(PER_BRANCH *(OCTAVE_BANDS + 1) <= (int)PARAMETERS_MOST, "a branch a band and one more fit in");

#define QUALITY_USUAL M_SQRT2 /* one branch an octave */
#define QUALITY_LEAST 0.02
#define QUALITY_MOST 10.0
#define ADMITTANCE_MOST 4.0
#define DETUNING_MOST 1.0 /* octaves off the band's centre */

#define GOOD_ENOUGH 0.01 /* of the scale of a band's absorption: a fit that is this close is taken */
#define HOPELESS 0.12    /* absorption off after a quarter of the stages: the others do not mend it */
#define GAIN 1e-3        /* of the cost, in the last step of a stage */
enum { STAGES = 16, STEPS = 20 };

/* The usual branches, smooth; then, for what falls steeply, sharper ones that lean towards the louder neighbour. */
static const struct start {
    double quality, lean, smoothness, habit; /* lean: octaves */
} starts[] = {{QUALITY_USUAL, 0.0, 1.0, 0.01}, {5.0, 0.5, 0.1, 0.003}};

/* What the normal equations need: the targets and how much each thing weighs. */
struct task {
    size_t bands;   /* that count */
    size_t octaves; /* bands, and the one above when its target is known and the grid carries it */
    size_t branches;
    double rate; /* Hz; 0: the continuum */
    double target[FITTED_MOST];
    double scale[FITTED_MOST];             /* an error of the absorption that weighs 1 */
    double least;                          /* admittance that does not matter any more */
    double weight[FITTED_MOST];            /* of the means */
    double smoothness;                     /* weight of the way between the centres */
    double habit;                          /* weight of the usual Q and resonance */
    double usual[FITTED_MOST];             /* ln ω0 of each branch's band */
    double frequency[FITTED_MOST][POINTS]; /* ω, as the grid sees it */
};

/* Straight between the centres of the octaves, level beyond the last ones. */
static double between_centres(const struct task *task, size_t octave, double offset)
{
    size_t below = octave > 0 ? octave - 1 : octave, above = octave + 1 < task->octaves ? octave + 1 : octave;
    size_t other = offset < 0.0 ? below : above;
    return task->target[octave] + fabs(offset) * (task->target[other] - task->target[octave]);
}

struct resonator {
    double peak, quality, resonance;
};

static struct resonator resonator_of(const double *p)
{
    return (struct resonator){exp(p[ADMITTANCE]), exp(p[QUALITY]), exp(p[RESONANCE])};
}

/* Absorption at ω, and its derivatives by all parameters. */
static double absorption_at(const struct resonator *resonators, size_t count, double frequency, double *row)
{
    double by[PARAMETERS_MOST][2], g = 0.0, b = 0.0, slope[2];
    for (size_t m = 0; m < count; m++) {
        const struct resonator *r = &resonators[m];
        double ratio = frequency / r->resonance, inverse = 1.0 / ratio;
        double reactance = r->quality * (ratio - inverse), square = 1.0 / (1.0 + reactance * reactance);
        double y[2] = {r->peak * square, -r->peak * square * reactance};
        double turned[2] = {square * (y[1] - reactance * y[0]), -square * (y[0] + reactance * y[1])}; /* -jy/(1+jr) */
        g += y[0];
        b += y[1];
        for (int part = 0; part < 2; part++) {
            by[PER_BRANCH * m + ADMITTANCE][part] = y[part];
            by[PER_BRANCH * m + QUALITY][part] = turned[part] * reactance;
            by[PER_BRANCH * m + RESONANCE][part] = -turned[part] * r->quality * (ratio + inverse);
        }
    }
    double absorption = complex_incidence_absorption(g + I * b, slope);
    for (size_t i = 0; i < PER_BRANCH * count; i++)
        row[i] = slope[0] * by[i][0] + slope[1] * by[i][1];
    return absorption;
}

static void add_habits(const struct task *task, const double *x, struct normal_equations *equations)
{
    for (size_t m = 0; m < task->branches; m++) {
        size_t q = PER_BRANCH * m + QUALITY, r = PER_BRANCH * m + RESONANCE;
        double away[2] = {x[q] - log(QUALITY_USUAL), x[r] - task->usual[m]};
        equations->cost += 0.5 * task->habit * task->habit * (away[0] * away[0] + away[1] * away[1]);
        equations->gradient[q] += task->habit * task->habit * away[0];
        equations->gradient[r] += task->habit * task->habit * away[1];
        equations->matrix[q][q] += task->habit * task->habit;
        equations->matrix[r][r] += task->habit * task->habit;
    }
}

static void equations_at(const void *context, const double *x, struct normal_equations *equations)
{
    const struct task *task = context;
    size_t count = PER_BRANCH * task->branches;
    struct resonator resonators[FITTED_MOST];
    for (size_t m = 0; m < task->branches; m++)
        resonators[m] = resonator_of(x + PER_BRANCH * m);
    for (size_t o = 0; o < task->octaves; o++) {
        double mean = 0.0, mean_row[PARAMETERS_MOST] = {0}, row[PARAMETERS_MOST];
        double weight = task->smoothness / (task->scale[o] * sqrt(POINTS)), share = task->weight[o] / task->scale[o];
        for (size_t i = 0; i < POINTS; i++) {
            double absorption = absorption_at(resonators, task->branches, task->frequency[o][i], row);
            double off = absorption - between_centres(task, o, ((double)i + 0.5) / POINTS - 0.5);
            mean += absorption / POINTS;
            for (size_t k = 0; k < count; k++) {
                mean_row[k] += row[k] * (share / POINTS);
                row[k] *= weight;
            }
            if (weight > 0.0)
                normal_equations_add(equations, count, off * weight, row);
        }
        normal_equations_add(equations, count, (mean - task->target[o]) * share, mean_row);
    }
    add_habits(task, x, equations);
}

static struct branch branch_of(const double *p)
{
    struct resonator r = resonator_of(p);
    return (struct branch){r.quality / (r.peak * r.resonance), 1.0 / r.peak, r.quality * r.resonance / r.peak};
}

static void set_worst(struct wall_fit *f, size_t bands)
{
    f->worst = 0.0;
    f->worst_band = 0;
    for (size_t b = 0; b < bands; b++) {
        double off = fabs(f->fitted[b] - f->target[b]);
        if (!(off <= f->worst) && !isnan(f->worst)) {
            f->worst = off;
            f->worst_band = b;
        }
    }
}

/* The branches that matter, and what they absorb in the bands that count. */
static void take(struct wall_fit *f, const struct task *task, const double *x)
{
    f->branch_count = 0;
    for (size_t m = 0; m < task->branches; m++)
        if (exp(x[PER_BRANCH * m + ADMITTANCE]) > 10.0 * task->least)
            f->branches[f->branch_count++] = branch_of(x + PER_BRANCH * m);
    for (size_t b = 0; b < task->bands; b++)
        f->fitted[b] = octave_mean_absorption(f->branches, f->branch_count, octave_band_centre[b], task->rate);
    set_worst(f, task->bands);
}

static double centre_of(size_t octave)
{
    return octave < OCTAVE_BANDS ? octave_band_centre[octave] : 2.0 * octave_band_centre[OCTAVE_BANDS - 1];
}

static bool carried(size_t octave, double rate)
{
    return !(rate > 0.0) || centre_of(octave) * M_SQRT2 < 0.5 * rate;
}

static void set_task(struct task *task, const double *target, size_t bands, double rate)
{
    double most = 1e-9;
    *task = (struct task){.bands = bands, .rate = rate};
    task->branches = bands + (carried(bands, rate) ? 1 : 0);
    task->octaves = bands < OCTAVE_BANDS ? task->branches : bands;
    for (size_t b = 0; b < bands; b++)
        most = fmax(most, target[b]);
    task->least = 1e-6 * most;
    for (size_t o = 0; o < task->branches; o++) {
        task->usual[o] = log(seen_angular_frequency(centre_of(o), rate));
        task->target[o] = target[o < task->octaves ? o : bands - 1];
        task->scale[o] = task->target[o] + 0.1 * most; /* errors count relative, but not those of next to nothing */
        for (int i = 0; i < POINTS; i++)
            task->frequency[o][i] = seen_angular_frequency(centre_of(o) * exp2((i + 0.5) / POINTS - 0.5), rate);
    }
}

/* -1 or 1 when the octave below or above absorbs much more than its own. */
static double louder_side(const struct task *task, size_t m)
{
    double below = m > 0 ? task->target[m - 1] : 0.0, above = m + 1 < task->branches ? task->target[m + 1] : 0.0;
    if (!(fmax(below, above) > 1.5 * task->target[m]))
        return 0.0;
    return below > above ? -1.0 : 1.0;
}

static void begin(struct task *task, const struct start *start, double *x, double *low, double *high)
{
    task->smoothness = start->smoothness;
    task->habit = start->habit;
    for (size_t o = 0; o < task->octaves; o++)
        task->weight[o] = o < task->bands ? 1.0 : 0.1;
    for (size_t m = 0; m < task->branches; m++, x += PER_BRANCH, low += PER_BRANCH, high += PER_BRANCH) {
        double admittance = fmax(0.8 * admittance_of_absorption(task->target[m]), 1e-3 * task->scale[m]);
        low[ADMITTANCE] = log(task->least);
        high[ADMITTANCE] = log(ADMITTANCE_MOST);
        x[ADMITTANCE] = log(admittance);
        low[QUALITY] = log(QUALITY_LEAST);
        high[QUALITY] = log(QUALITY_MOST);
        x[QUALITY] = log(start->quality);
        low[RESONANCE] = task->usual[m] - DETUNING_MOST * M_LN2;
        high[RESONANCE] = task->usual[m] + DETUNING_MOST * M_LN2;
        x[RESONANCE] = task->usual[m] + start->lean * louder_side(task, m) * M_LN2;
    }
}

/* How far a band is off, in units of what is good enough. */
static double misfit(const struct wall_fit *f, const struct task *task, size_t band)
{
    return fabs(f->fitted[band] - f->target[band]) / (GOOD_ENOUGH * task->scale[band]);
}

/* Bands that are off weigh more in the next stage (as in Lawson's way to the least greatest error), and the way between
 * the centres and the usual branches less. */
static void press(struct task *task, const struct wall_fit *tried)
{
    for (size_t b = 0; b < task->bands; b++)
        task->weight[b] *= fmin(fmax(sqrt(misfit(tried, task, b)), 0.7), 2.0);
    task->smoothness *= task->smoothness > 0.02 ? 0.5 : 0.0;
    task->habit *= 0.5;
}

/* Keeps in *f what is better than *best, and that in *best. */
static void fit_from(struct wall_fit *f, double *best, struct task *task, const struct start *start)
{
    double x[PARAMETERS_MOST], low[PARAMETERS_MOST], high[PARAMETERS_MOST];
    begin(task, start, x, low, high);
    for (int stage = 0; stage < STAGES && !(*best <= 1.0); stage++) {
        struct wall_fit tried = *f;
        double most = 0.0;
        if (stage >= STAGES / 4 && f->worst > HOPELESS)
            return;
        least_squares_minimise(equations_at, task, PER_BRANCH * task->branches, x, low, high, STEPS, GAIN);
        take(&tried, task, x);
        for (size_t b = 0; b < task->bands; b++)
            most = worst_of(most, misfit(&tried, task, b));
        if (most < *best) {
            *f = tried;
            *best = most;
        }
        press(task, &tried);
    }
}

static void fit_branches(struct wall_fit *f, struct task *task)
{
    double best = INFINITY;
    for (size_t i = 0; i < sizeof starts / sizeof *starts && best > 1.0; i++)
        fit_from(f, &best, task, &starts[i]);
}

static int check(const double absorption[OCTAVE_BANDS], size_t bands, double rate, struct error *e)
{
    if (bands < 1 || bands > OCTAVE_BANDS)
        return fail(e, ERROR_INPUT, "absorption in %zu octave bands: 1 to %d", bands, OCTAVE_BANDS);
    for (size_t b = 0; b < OCTAVE_BANDS; b++)
        if (!(absorption[b] >= 0.0 && absorption[b] < INFINITY))
            return fail(e, ERROR_INPUT, "the absorption in the octave of %g Hz is %g: 0 or more", octave_band_centre[b],
                        absorption[b]);
    if (!(rate >= 0.0 && rate < INFINITY) || !carried(bands - 1, rate))
        return fail(e, ERROR_INPUT, "a sample rate of %g Hz does not carry the octave of %g Hz", rate,
                    octave_band_centre[bands - 1]);
    return 0;
}

int wall_fit_make(struct wall_fit *f, const double absorption[OCTAVE_BANDS], size_t bands, double rate,
                  bool always_branches, struct error *e)
{
    double target[OCTAVE_BANDS];
    bool flat = true;
    *f = (struct wall_fit){0};
    if (check(absorption, bands, rate, e))
        return -1;
    for (size_t b = 0; b < OCTAVE_BANDS; b++) {
        target[b] = fmin(absorption[b], ABSORPTION_MOST);
        f->target[b] = b < bands ? target[b] : NAN;
        f->fitted[b] = f->target[b];
        flat = flat && (b >= bands || fabs(target[b] - target[0]) <= 1e-9);
    }
    if (flat && (!always_branches || !(target[0] > 0.0))) {
        f->admittance = admittance_of_absorption(target[0]);
        for (size_t b = 0; b < bands; b++)
            f->fitted[b] = random_incidence_absorption(f->admittance);
        set_worst(f, bands);
        return 0;
    }
    struct task task;
    set_task(&task, target, bands, rate);
    fit_branches(f, &task);
    return 0;
}
