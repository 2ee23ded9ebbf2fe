/* SPDX-License-Identifier: MIT */
#include "room/grid/admittance_fit.h"

#include <math.h>

#include "base/nan_max.h"
#include "room/grid/least_squares.h"
#include "room/grid/resonator.h"
#include "solver/schemes/isotropic19/isotropic19.h"

#define LOWEST 20.0 /* Hz */
#define EDGE_OVER_LOWEST 300.0
#define FLOOR 0.05
#define ACCEPTED 0.0065 /* error up to EVEN of the edge, twice it at the edge */
#define EVEN M_SQRT1_2
#define TOLERANCE_AT_EDGE 2.0
#define REDUCTION_NEEDED 0.8 /* of the error, for which one more branch is taken */
#define WHOLE_NEEDED 0.5     /* likewise, for which all branches of the wall are taken */
#define GAIN 1e-5            /* of the cost: smallest reduction by a step */
#define ABSENT 1e-9          /* of a branch's impedance: an element that is not there, as its logarithm needs one */
#define NEGLIGIBLE 1e-5      /* likewise: an element or a branch of a fit that is left out */
#define ABOVE 1.2            /* of the edge: branches that resonate above it are one at first */
#define FASTEST 30.0         /* of 2 fs: F/E of branches that resonate above the edge; see minimise */
enum { STEPS = 100, EXTRA_MAX = 4 };
enum { SPACED = 40, PER_RESONANCE = 3, FITTED_POINTS = SPACED + PER_RESONANCE * BRANCHES_MAX, CHECKED_POINTS = 120 };

/* A frequency at which an admittance is wanted; all are relative to task.scale. */
struct point {
    double angular_frequency; /* of the branches */
    double wanted[2];         /* γ Y */
    double weight[2];
    double share; /* of an error that counts: ACCEPTED over what is accepted here */
};

struct task {
    const struct admittance *wall;
    const struct wall_discretization *clock;
    double low;                   /* Hz */
    double low_omega, edge_omega; /* of branches, at the lowest frequency and at the edge */
    double scale;                 /* largest |Y| */
    size_t count;
    struct point fitted[FITTED_POINTS], checked[CHECKED_POINTS];
    size_t branches; /* tried now */
};

/* Parameters of a branch, as logarithms: 1/E, relative to the scale; F/E, up to which the spring rules; E/D, from where
 * the mass does. Its resonance is their geometric mean, Q² their ratio. */
enum { CONDUCTANCE, SPRING_CORNER, MASS_CORNER };

struct trial {
    size_t branches;
    double x[PER_BRANCH * BRANCHES_MAX];
    double worst, worst_omega; /* largest error, and where */
};

/* ---- What is wanted ---- */

static double complex wall_at(const struct admittance *wall, double frequency)
{
    return wall->real + branches_admittance(wall->branches, wall->branch_count, 2.0 * M_PI * frequency);
}

static double spaced(const struct task *task, int i, int count)
{
    return task->low * pow(task->clock->edge / task->low, (double)i / (count - 1));
}

/* 1 up to EVEN of the edge, 1/TOLERANCE_AT_EDGE at it. */
static double share_at(const struct task *task, double frequency)
{
    const double place = log(frequency / (EVEN * task->clock->edge)) / log(1.0 / EVEN);
    return pow(TOLERANCE_AT_EDGE, -fmin(fmax(place, 0.0), 1.0));
}

static struct point point_at(const struct task *task, double frequency)
{
    const struct wall_view view = wall_discretization_view(task->clock, frequency);
    const double complex y = wall_at(task->wall, frequency);
    const double size = cabs(y), scale = task->scale;
    const double floor = FLOOR * fmin(1.0, scale) * (1.0 + size * size), gamma = view.factor;
    return (struct point){.angular_frequency = view.angular_frequency,
                          .wanted = {gamma * creal(y) / scale, gamma * cimag(y) / scale},
                          .weight = {scale / (gamma * (creal(y) + floor)), scale / (gamma * (size + floor))},
                          .share = share_at(task, frequency)};
}

/* Where a branch resonates, and its half-power points. */
static void add_resonance(struct task *task, const struct branch *branch)
{
    if (!(branch->inertance > 0.0 && branch->stiffness > 0.0 && branch->resistance > 0.0))
        return; /* without losses it has no half-power points, and no end at its resonance */
    const double half = branch->resistance / (2.0 * branch->inertance);
    const double middle = sqrt(half * half + branch->stiffness / branch->inertance);
    for (int i = 0; i < PER_RESONANCE; i++) {
        const double frequency = (middle + (i - 1) * half) / (2.0 * M_PI);
        if (frequency > task->low && frequency < task->clock->edge)
            task->fitted[task->count++] = point_at(task, frequency);
    }
}

static void set_task(struct task *task, const struct admittance *wall, const struct wall_discretization *clock)
{
    *task = (struct task){.wall = wall, .clock = clock, .low = fmin(LOWEST, clock->edge / EDGE_OVER_LOWEST)};
    task->low_omega = wall_discretization_view(clock, task->low).angular_frequency;
    task->edge_omega = wall_discretization_view(clock, clock->edge).angular_frequency;
    for (int i = 0; i < CHECKED_POINTS; i++)
        task->scale = nan_max(task->scale, cabs(wall_at(wall, spaced(task, i, CHECKED_POINTS))));
    for (int i = 0; i < CHECKED_POINTS; i++)
        task->checked[i] = point_at(task, spaced(task, i, CHECKED_POINTS));
    for (int i = 0; i < SPACED; i++)
        task->fitted[task->count++] = point_at(task, spaced(task, i, SPACED));
    for (size_t m = 0; m < wall->branch_count; m++)
        add_resonance(task, &wall->branches[m]);
}

/* ---- Errors ---- */

static struct resonator resonator_at(const double x[PER_BRANCH])
{
    return (struct resonator){exp(x[CONDUCTANCE]), exp(0.5 * (x[SPRING_CORNER] - x[MASS_CORNER])),
                              exp(0.5 * (x[SPRING_CORNER] + x[MASS_CORNER]))};
}

static void resonators_of(const double *x, size_t branches, struct resonator resonators[BRANCHES_MAX])
{
    for (size_t m = 0; m < branches; m++)
        resonators[m] = resonator_at(x + PER_BRANCH * m);
}

/* Derivatives by a resonator's parameters, in place, to those by a branch's here. */
static void by_corners(double by[PER_BRANCH][2])
{
    for (int part = 0; part < 2; part++) {
        const double quality = by[QUALITY][part], resonance = by[RESONANCE][part];
        by[CONDUCTANCE][part] = by[ADMITTANCE][part];
        by[SPRING_CORNER][part] = 0.5 * (resonance + quality);
        by[MASS_CORNER][part] = 0.5 * (resonance - quality);
    }
}

static void equations(const void *context, const double *x, struct normal_equations *equations)
{
    const struct task *task = context;
    const size_t count = PER_BRANCH * task->branches;
    struct resonator resonators[BRANCHES_MAX];
    resonators_of(x, task->branches, resonators);
    for (size_t i = 0; i < task->count; i++) {
        const struct point *p = &task->fitted[i];
        double value[2], by[PARAMETERS_MAX][2], row[PARAMETERS_MAX];
        resonators_admittance(resonators, task->branches, p->angular_frequency, value, by);
        for (size_t m = 0; m < task->branches; m++)
            by_corners(by + PER_BRANCH * m);
        for (int part = 0; part < 2; part++) {
            for (size_t k = 0; k < count; k++)
                row[k] = by[k][part] * p->weight[part];
            normal_equations_add(equations, count, (value[part] - p->wanted[part]) * p->weight[part], row);
        }
    }
}

static void check_point(struct trial *t, const struct resonator *resonators, const struct point *p)
{
    double value[2], by[PARAMETERS_MAX][2];
    resonators_admittance(resonators, t->branches, p->angular_frequency, value, by);
    for (int part = 0; part < 2; part++) {
        const double error = fabs(value[part] - p->wanted[part]) * p->weight[part] * p->share;
        if (error <= t->worst)
            continue;
        t->worst = nan_max(t->worst, error);
        t->worst_omega = p->angular_frequency;
    }
}

/* At evenly spaced frequencies, at the resonances of the wall and at those of the fit, which may be sharp. */
static void check(const struct task *task, struct trial *t)
{
    const double rate = task->clock->rate;
    struct resonator resonators[BRANCHES_MAX];
    resonators_of(t->x, t->branches, resonators);
    t->worst = t->worst_omega = 0.0;
    for (int i = 0; i < CHECKED_POINTS; i++)
        check_point(t, resonators, &task->checked[i]);
    for (size_t i = SPACED; i < task->count; i++)
        check_point(t, resonators, &task->fitted[i]);
    for (size_t m = 0; m < t->branches; m++) {
        if (!(resonators[m].resonance > task->low_omega && resonators[m].resonance < task->edge_omega))
            continue;
        const double grid_frequency = atan(resonators[m].resonance / (2.0 * rate)) / M_PI;
        const struct point p =
            point_at(task, rate * (task->clock->mapped ? isotropic19_true_frequency(grid_frequency) : grid_frequency));
        check_point(t, resonators, &p);
    }
}

/* ---- Fits ---- */

/* Bounds: of 1/E relative to the scale, corners relative to the edge. Wide, so that elements can vanish. */
static const double bounds[PER_BRANCH][2] = {
    [CONDUCTANCE] = {1e-6, 1e12}, [SPRING_CORNER] = {1e-12, 1e15}, [MASS_CORNER] = {1e-15, 1e15}};

/* The trapezoidal rule takes what is much faster than 2 fs to near z = -1, where it never decays: rounding that such a
 * spring gathers would rise above the end of a response in single precision. A branch that resonates above the edge is a
 * spring up to it, and keeps some resistance. */
static bool is_spring(const struct task *task, const double *x)
{
    return 0.5 * (x[SPRING_CORNER] + x[MASS_CORNER]) > log(task->edge_omega);
}

static double fastest(const struct task *task)
{
    return log(FASTEST * 2.0 * task->clock->rate);
}

/* Gives springs, which others may have become, the resistance that they lack; checks the trial. */
static void finish(const struct task *task, struct trial *t)
{
    for (size_t k = 0; k < PER_BRANCH * t->branches; k += PER_BRANCH) {
        double *x = t->x + k;
        const double lacking = is_spring(task, x) ? fmax(x[SPRING_CORNER] - fastest(task), 0.0) : 0.0;
        x[CONDUCTANCE] -= lacking; /* of the same spring and mass */
        x[SPRING_CORNER] -= lacking;
        x[MASS_CORNER] += lacking;
    }
    check(task, t);
}

static void minimise(struct task *task, struct trial *t)
{
    const size_t count = PER_BRANCH * t->branches;
    double low[PARAMETERS_MAX] = {0}, high[PARAMETERS_MAX] = {0};
    for (size_t k = 0; k < count; k++) {
        const size_t parameter = k % PER_BRANCH;
        const double unit = parameter == CONDUCTANCE ? 1.0 : task->edge_omega;
        low[k] = log(bounds[parameter][0] * unit);
        high[k] = log(bounds[parameter][1] * unit);
    }
    for (size_t k = 0; k < count; k += PER_BRANCH)
        if (is_spring(task, t->x + k))
            high[k + SPRING_CORNER] = fastest(task);
    for (size_t k = 0; k < count; k++)
        t->x[k] = fmin(fmax(t->x[k], low[k]), high[k]);
    task->branches = t->branches;
    least_squares_minimise(equations, task, count, t->x, low, high, STEPS, GAIN);
    finish(task, t);
}

/* Adds one, its impedance relative to the scale, with traces of the elements that it lacks. */
static void add_branch(const struct task *task, struct trial *t, struct branch b)
{
    const double omega = task->edge_omega, trace = ABSENT * (b.inertance * omega + b.resistance + b.stiffness / omega);
    const double d = fmax(b.inertance, trace / omega), e = fmax(b.resistance, trace),
                 f = fmax(b.stiffness, trace * omega);
    double *x = t->x + PER_BRANCH * t->branches++;
    x[CONDUCTANCE] = -log(e);
    x[SPRING_CORNER] = log(f) - log(e);
    x[MASS_CORNER] = log(e) - log(d);
}

/* The branch as the grid has to have it: moved along by the map, as wide in true frequency, lowered by γ. */
static void add_mapped(const struct task *task, struct trial *t, const struct branch *b)
{
    const double scale = task->scale, edge = 2.0 * M_PI * task->clock->edge;
    const double resonance = b->inertance > 0.0 ? sqrt(b->stiffness / b->inertance) : INFINITY;
    double stretch = task->edge_omega / edge, slope = stretch, factor = 1.0;
    if (resonance < edge) {
        const double f = fmax(resonance / (2.0 * M_PI), task->low), step = 1e-3;
        const struct wall_view here = wall_discretization_view(task->clock, f),
                               up = wall_discretization_view(task->clock, f * (1.0 + step));
        stretch = here.angular_frequency / (2.0 * M_PI * f);
        slope = (up.angular_frequency - here.angular_frequency) / (2.0 * M_PI * f * step);
        factor = here.factor;
    }
    /* near its resonance Z = E + 2jD (ω - ω0) */
    const double inertance = b->inertance / slope, stiffness = b->stiffness * stretch * stretch / slope;
    add_branch(
        task, t,
        (struct branch){inertance * scale / factor, b->resistance * scale / factor, stiffness * scale / factor, 0});
}

/* Branches that resonate above the edge, as one that has their admittance at the edge. */
static void add_above(const struct task *task, struct trial *t, double complex at_edge)
{
    const struct wall_view edge = wall_discretization_view(task->clock, task->clock->edge);
    if (!(cabs(at_edge) > ABSENT * task->scale) || !(creal(at_edge) > 0.0))
        return;
    const double complex impedance = task->scale / (edge.factor * at_edge);
    const double omega = edge.angular_frequency, reactance = cimag(impedance);
    add_branch(task, t,
               (struct branch){fmax(reactance, 0.0) / omega, creal(impedance), fmax(-reactance, 0.0) * omega, 0});
}

static bool resonates_above(double limit, const struct branch *b)
{
    return b->stiffness > pow(2.0 * M_PI * limit, 2.0) * b->inertance;
}

/* The wall; its resistances are one with its real admittance, and branches that resonate above the limit, Hz, are one. */
static void start(const struct task *task, struct trial *t, double limit)
{
    const struct admittance *wall = task->wall;
    const double edge = 2.0 * M_PI * task->clock->edge;
    double real = wall->real;
    double complex above = 0.0;
    *t = (struct trial){.branches = 0};
    for (size_t m = 0; m < wall->branch_count; m++) {
        const struct branch *b = &wall->branches[m];
        if (!(b->inertance > 0.0) && !(b->stiffness > 0.0))
            real += 1.0 / b->resistance;
        else if (resonates_above(limit, b))
            above += branches_admittance(b, 1, edge);
        else
            add_mapped(task, t, b);
    }
    add_above(task, t, above);
    if (real > 0.0 && t->branches < BRANCHES_MAX) /* γ falls as with a little inertance */
        add_branch(task, t, (struct branch){0.3 * task->scale / (real * task->edge_omega), task->scale / real, 0.0, 0});
}

/* One more, by the best of several starts. */
static struct trial refined(struct task *task, const struct trial *t)
{
    const double edge = task->edge_omega, at = fmax(t->worst_omega, task->low_omega);
    const struct branch starts[] = {{0.0, 0.0, 3.0 * edge, 0},         /* a spring */
                                    {0.3 / edge, 1.0, 0.0, 0},         /* a resistance with some inertance */
                                    {1.0 / edge, 1.0, edge * 10.0, 0}, /* resonances above the edge */
                                    {1.0 / edge, 1.0, edge * 2.0, 0},
                                    {0.3 / at, 3.0, 0.3 * at, 0}, /* a wide one and a narrower one where the error is */
                                    {6.0 / at, 3.0, 6.0 * at, 0}};
    struct trial best = {.worst = INFINITY};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        struct trial next = *t;
        add_branch(task, &next, starts[i]);
        minimise(task, &next);
        if (next.worst < best.worst)
            best = next;
    }
    return best;
}

/* Without elements that do nothing from the lowest frequency to the edge. */
static struct branch trimmed(const struct task *task, struct branch b)
{
    const double low = task->low_omega, high = task->edge_omega;
    const double d[2] = {b.inertance * low, b.inertance * high}, f[2] = {b.stiffness / low, b.stiffness / high};
    const double e = b.resistance, at_low = hypot(e, d[0] - f[0]), at_high = hypot(e, d[1] - f[1]);
    const bool inert = d[0] > NEGLIGIBLE * at_low || d[1] > NEGLIGIBLE * at_high;
    const bool stiff = f[0] > NEGLIGIBLE * at_low || f[1] > NEGLIGIBLE * at_high;
    const bool crosses = inert && stiff;
    return (struct branch){inert ? b.inertance : 0.0, crosses || e > NEGLIGIBLE * fmin(at_low, at_high) ? e : 0.0,
                           stiff ? b.stiffness : 0.0, 0};
}

/* Whether a branch, relative to the scale, admits next to nothing from the lowest frequency to the edge. */
static bool is_idle(const struct task *task, const struct branch *b, double resonance)
{
    const double most = fmin(fmax(resonance, task->low_omega), task->edge_omega);
    return !(cabs(branches_admittance(b, 1, most)) > NEGLIGIBLE);
}

/* With one branch more each time, until one more helps little. */
static struct trial fitted_from(struct task *task, double limit)
{
    struct trial best, minimised;
    start(task, &best, limit);
    minimised = best;
    finish(task, &best);
    minimise(task, &minimised);
    if (!(best.worst <= minimised.worst)) /* with many sharp branches it may be off between the frequencies fitted */
        best = minimised;
    for (int i = 0; i < EXTRA_MAX && best.worst > ACCEPTED && best.branches < BRANCHES_MAX; i++) {
        const struct trial next = refined(task, &best);
        if (!(next.worst < REDUCTION_NEEDED * best.worst))
            break;
        best = next;
    }
    return best;
}

void admittance_fit_make(struct admittance_fit *f, const struct admittance *wall,
                         const struct wall_discretization *clock)
{
    struct task task;
    *f = (struct admittance_fit){.branch_count = 0};
    set_task(&task, wall, clock);
    if (!(task.scale > 0.0))
        return;
    struct trial best = fitted_from(&task, ABOVE * clock->edge);
    if (best.worst > ACCEPTED) {
        const struct trial whole = fitted_from(&task, INFINITY);
        if (whole.worst < WHOLE_NEEDED * best.worst)
            best = whole;
    }
    f->worst = best.worst;
    for (size_t m = 0; m < best.branches; m++) {
        const struct resonator r = resonator_at(best.x + PER_BRANCH * m);
        const struct branch b = resonator_branch(&r);
        if (!is_idle(&task, &b, r.resonance))
            f->branches[f->branch_count++] =
                trimmed(&task, (struct branch){b.inertance / task.scale, b.resistance / task.scale,
                                               b.stiffness / task.scale, 0});
    }
}
