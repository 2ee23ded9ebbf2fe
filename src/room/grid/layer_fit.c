/* SPDX-License-Identifier: MIT */
#include "room/grid/layer_fit.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "base/stop.h"
#include "room/grid/layer_candidates.h"
#include "room/grid/layer_points.h"
#include "room/grid/least_squares.h"

_Static_assert(PER_ENTRY *BRANCHES_MAX <= PARAMETERS_MAX, "a circuit of all entries");

#define ALLOWED 0.018 /* |ΔR| of a fit that weighs absorption */
#define WEAK 0.3      /* weight of absorption where the full one is out of reach */
#define GAIN 1e-5     /* of the cost: smallest reduction by a step */
#define RIGID 1e-6    /* |Y| that is none */
#define DENSER 1.15   /* error between the frequencies fitted over that at them, from which some are added */
#define WORTH 4.0     /* of the target: an error from which one more entry is worth more than reweighting */
#define MARGIN 0.1    /* of the target, likewise */
#define PEAK 1.1      /* of the error at the frequencies fitted: a peak of the finer ones that is added */
enum { START_STEPS = 60, ENTRY_STEPS = 80, REFINEMENTS = 2, PEAKS = 12 };
enum { BUDGET = 3000, BUDGET_ABSORPTION = 1500, BUDGET_WEAK = 700 }; /* evaluations */

struct pass {
    bool branches; /* or tanks alone */
    size_t most, per_place;
    int rounds, steps; /* of reweighting, and evaluations in each */
};
enum { PASSES_MAX = 4 };
static const struct pass tanks_alone = {false, 3, 1, 6, 16}, usual = {true, 3, 1, 6, 16}, shorter = {true, 3, 1, 4, 11},
                         wider = {true, 6, 2, 6, 16};

struct trial {
    struct circuit circuit;
    double worst;
};

struct task {
    struct layer_points points;
    double weight[FITTED_POINTS_MAX];
    double error[FITTED_POINTS_MAX];
    double workspace[LAYER_CANDIDATES_DOUBLES];
    struct circuit shape; /* whose parameters are varied */
    double absorption;    /* its weight in the error, layer_points.h */
    size_t evaluations, budget;
};

/* ---- Least squares ---- */

struct variation {
    struct task *task;
};

static void equations(const void *context, const double *x, struct normal_equations *equations)
{
    struct task *task = ((const struct variation *)context)->task;
    const size_t columns = PER_ENTRY * task->shape.count;
    const struct circuit_limits *limits = &task->points.limits;
    struct branch entries[BRANCHES_MAX];
    memcpy(task->shape.x, x, columns * sizeof *x);
    circuit_elements(&task->shape, limits, entries);
    task->evaluations++;
    for (size_t i = 0; i < task->points.fitted_count; i++) {
        const struct layer_point *at = &task->points.fitted[i];
        double complex by[PER_ENTRY * BRANCHES_MAX], slope;
        double real[PARAMETERS_MAX], imaginary[PARAMETERS_MAX];
        const double complex y = circuit_derivatives(&task->shape, limits, entries, at->x, by);
        const double complex off = (layer_reflection(y, at->factor, &slope) - at->reflection) * task->weight[i];
        const double re = creal(slope) * task->weight[i], im = cimag(slope) * task->weight[i];
        for (size_t k = 0; k < columns; k++) {
            real[k] = re * creal(by[k]) - im * cimag(by[k]);
            imaginary[k] = re * cimag(by[k]) + im * creal(by[k]);
        }
        normal_equations_add(equations, columns, creal(off), real);
        normal_equations_add(equations, columns, cimag(off), imaginary);
        if (!(task->absorption > 0.0))
            continue;
        const double scale = task->absorption * at->scale * task->weight[i];
        for (size_t k = 0; k < columns; k++)
            real[k] = scale * creal(by[k]);
        normal_equations_add(equations, columns, scale * creal(y - at->stepped), real);
    }
}

/* With the weights of the task; returns the cost. */
static double improve(struct task *task, struct circuit *c, int steps)
{
    const size_t columns = PER_ENTRY * c->count;
    double low[PARAMETERS_MAX], high[PARAMETERS_MAX];
    for (size_t k = 0; k < columns; k++) {
        low[k] = -CIRCUIT_LOG_MAX;
        high[k] = CIRCUIT_LOG_MAX;
    }
    const struct variation variation = {task};
    task->shape = *c;
    return least_squares_minimise(equations, &variation, columns, c->x, low, high, steps, GAIN);
}

static void even_weights(struct task *task)
{
    for (size_t i = 0; i < FITTED_POINTS_MAX; i++)
        task->weight[i] = 1.0;
}

static double errors_of(struct task *task, const struct circuit *c, const struct layer_point *points, size_t count,
                        double *errors)
{
    struct branch entries[BRANCHES_MAX];
    circuit_elements(c, &task->points.limits, entries);
    return layer_errors(entries, c->count, points, count, task->absorption, errors, NULL);
}

/* ---- The least maximum ---- */

static void reweight(struct task *task, double worst)
{
    const size_t count = task->points.fitted_count;
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        task->weight[i] *= pow(0.3 + task->error[i] / worst, 0.7);
        sum += task->weight[i] * task->weight[i];
    }
    const double scale = sqrt((double)count / sum);
    for (size_t i = 0; i < count; i++)
        task->weight[i] *= scale;
}

/* From least squares, by reweighting; the best at the frequencies fitted. Far from the target it saves the rounds. */
static struct trial least_maximum(struct task *task, const struct circuit *from, const struct pass *pass)
{
    struct circuit c = *from;
    struct trial best = {.circuit = c, .worst = INFINITY};
    even_weights(task);
    for (int round = 0;; round++) {
        const double worst = errors_of(task, &c, task->points.fitted, task->points.fitted_count, task->error);
        if (worst < best.worst)
            best = (struct trial){c, worst};
        const bool far = worst > WORTH * LAYER_FIT_TARGET && c.count < BRANCHES_MAX;
        if (round == pass->rounds || (round == 0 && far) || !(worst > 0.0))
            return best;
        reweight(task, worst);
        improve(task, &c, pass->steps);
    }
}

static bool is_fitted(const struct layer_points *p, double frequency)
{
    for (size_t i = 0; i < p->fitted_count; i++)
        if (p->fitted[i].frequency == frequency)
            return true;
    return false;
}

/* Fits the highest peaks of the finer points' errors as well, those above `least`. */
static void add_peaks(struct layer_points *p, const struct layer_point *points, size_t count, double least)
{
    const double *e = p->error;
    double below = INFINITY;
    size_t last = SIZE_MAX;
    for (int k = 0; k < PEAKS && p->fitted_count < FITTED_POINTS_MAX; k++) {
        size_t at = SIZE_MAX;
        for (size_t i = 1; i + 1 < count; i++) {
            const bool peak = e[i] >= e[i - 1] && e[i] >= e[i + 1] && e[i] > least;
            const bool next = e[i] < below || (e[i] == below && i > last);
            if (peak && next && (at == SIZE_MAX || e[i] > e[at]))
                at = i;
        }
        if (at == SIZE_MAX)
            return;
        below = e[at];
        last = at;
        if (!is_fitted(p, points[at].frequency))
            p->fitted[p->fitted_count++] = points[at];
    }
}

/* The least maximum between the frequencies fitted as well. */
static struct trial refined(struct task *task, const struct circuit *from, const struct pass *pass)
{
    struct layer_points *p = &task->points;
    struct circuit c = *from;
    for (int refinement = 0;; refinement++) {
        struct trial t = least_maximum(task, &c, pass);
        const double fitted = t.worst;
        const struct layer_point *points = p->even;
        size_t count = p->even_count;
        double allowed = DENSER * fitted + MARGIN * LAYER_FIT_TARGET;
        t.worst = errors_of(task, &t.circuit, points, count, p->error);
        if (t.worst <= LAYER_FIT_TARGET) {
            points = p->dense;
            count = p->dense_count;
            allowed = DENSER * fitted;
            t.worst = errors_of(task, &t.circuit, points, count, p->error);
        }
        if (refinement == REFINEMENTS || t.worst <= fmax(LAYER_FIT_TARGET, allowed) ||
            p->fitted_count + PEAKS > FITTED_POINTS_MAX)
            return t;
        add_peaks(p, points, count, PEAK * fitted);
        even_weights(task);
        improve(task, &c, pass->steps);
    }
}

/* ---- Entries ---- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One branch; see layer_fit.h. */
static struct circuit start(struct task *task)
{
    const struct layer_points *p = &task->points;
    double resistance[FITTED_SPACED];
    size_t peak = 0;
    for (size_t i = 0; i < p->spaced_count; i++) {
        resistance[i] = fmin(fmax(creal(1.0 / p->fitted[i].stepped), 0.0), 1e6);
        if (creal(p->fitted[i].stepped) > creal(p->fitted[peak].stepped))
            peak = i;
    }
    qsort(resistance, p->spaced_count, sizeof *resistance, compare);
    const double spring = fmin(fmax(-cimag(1.0 / p->fitted[0].stepped) * p->fitted[0].x, 0.01), 1e5);
    const double at = p->fitted[peak].x;
    const double starts[2][PER_ENTRY] = {{spring / (at * at), 1.0 / fmax(creal(p->fitted[peak].stepped), 0.05), spring},
                                         {0.02 / p->edge_x, fmax(resistance[p->spaced_count / 2], 0.02), spring}};
    struct circuit best = {.count = 0};
    double least = INFINITY;
    even_weights(task);
    for (int i = 0; i < 2; i++) {
        struct circuit c = {.count = 0};
        circuit_insert(&c, 0, starts[i]);
        const double cost = improve(task, &c, START_STEPS);
        if (cost < least || i == 0) {
            least = cost;
            best = c;
        }
    }
    return best;
}

/* One entry more. Returns whether there is a candidate. */
static bool extend(struct task *task, struct circuit *c, const struct pass *pass)
{
    struct layer_candidate candidates[LAYER_CANDIDATES_MAX];
    const size_t count = layer_candidates(&task->points, c, task->absorption, pass->branches, pass->per_place,
                                          pass->most, task->workspace, candidates);
    struct circuit best = *c;
    double least = INFINITY;
    even_weights(task);
    for (size_t i = 0; i < count; i++) {
        struct circuit next = *c;
        circuit_insert(&next, candidates[i].branch, candidates[i].elements);
        const double cost = improve(task, &next, ENTRY_STEPS);
        if (cost < least) {
            least = cost;
            best = next;
        }
    }
    *c = best;
    return count > 0;
}

/* Entries are added to the fit by least squares; that of the least maximum is only looked at. */
static void greedy(struct task *task, const struct pass *pass, struct trial *best)
{
    task->points.fitted_count = task->points.spaced_count;
    struct circuit c = start(task);
    for (;;) {
        const struct trial t = refined(task, &c, pass);
        if (t.worst < best->worst)
            *best = t;
        if (best->worst <= LAYER_FIT_TARGET || c.count == BRANCHES_MAX || task->evaluations > task->budget ||
            stop_requested() || !extend(task, &c, pass))
            return;
    }
}

/* Without the entries whose loss leaves the error within the target, or within the present one. */
static void prune(struct task *task, struct trial *t)
{
    const double limit = fmax(LAYER_FIT_TARGET, t->worst);
    while (!stop_requested()) {
        struct trial best = {.worst = INFINITY};
        for (size_t m = 0; m < t->circuit.count; m++) {
            struct trial less = {.circuit = t->circuit};
            struct branch entries[BRANCHES_MAX];
            circuit_remove(&less.circuit, m);
            circuit_elements(&less.circuit, &task->points.limits, entries);
            if (less.circuit.count > 0 &&
                layer_errors_within(&task->points, entries, less.circuit.count, task->absorption,
                                    fmin(limit, best.worst), &less.worst) &&
                less.worst < best.worst)
                best = less;
        }
        if (!(best.worst <= limit))
            return;
        *t = best;
    }
}

/* ---- Passes ---- */

static bool is_sheets_before_a_gap(const struct layered_wall *wall)
{
    for (size_t i = 0; i + 1 < wall->count; i++) {
        const enum layer_kind kind = wall->layers[i].kind;
        if (kind != LAYER_CLOTH && kind != LAYER_PERFORATED && kind != LAYER_SLOTTED)
            return false;
    }
    return wall->count > 0 && wall->layers[wall->count - 1].kind == LAYER_AIR;
}

static double error_at_finest(struct task *task, const struct circuit *c)
{
    return errors_of(task, c, task->points.dense, task->points.dense_count, task->points.error);
}

/* The best of the passes, with this weight of absorption. */
static struct trial search(struct task *task, const struct layered_wall *wall, double absorption, size_t budget)
{
    static const struct pass *const gap[PASSES_MAX] = {&tanks_alone, &usual, &shorter, &wider};
    static const struct pass *const other[PASSES_MAX] = {&usual, &shorter, &wider, &tanks_alone};
    const struct pass *const *passes = is_sheets_before_a_gap(wall) ? gap : other;
    struct trial best = {.worst = INFINITY};
    task->absorption = absorption;
    task->budget = task->evaluations + budget;
    for (int k = 0; k < PASSES_MAX; k++) {
        greedy(task, passes[k], &best);
        if (best.worst <= LAYER_FIT_TARGET || task->evaluations > task->budget || stop_requested())
            break;
    }
    best.worst = error_at_finest(task, &best.circuit);
    prune(task, &best);
    return best;
}

/* Where absorption is out of reach, a search that weighs it can miss the reflection factor, which matters more. */
static struct trial fit(struct task *task, const struct layered_wall *wall)
{
    static const struct {
        double weight;
        size_t budget;
    } searches[] = {{1.0, BUDGET_ABSORPTION}, {WEAK, BUDGET_WEAK}, {0.0, BUDGET}};
    for (size_t i = 0;; i++) {
        const struct trial best = search(task, wall, searches[i].weight, searches[i].budget);
        task->absorption = 0.0;
        if (!(searches[i].weight > 0.0) || error_at_finest(task, &best.circuit) <= ALLOWED || stop_requested())
            return best;
    }
}

/* The final elements, and the errors with them. */
static void report(struct layer_fit *f, struct task *task, const struct circuit *c, const struct layered_wall *wall,
                   const struct wall_discretization *clock)
{
    circuit_final_elements(c, &task->points.limits, f->branches);
    f->branch_count = c->count;
    f->worst = layer_worst_error(&task->points, wall, clock, f->branches, c->count, &f->worst_frequency);
    f->evaluations = task->evaluations;
    for (size_t m = 0; m < c->count; m++) {
        f->branches[m].inertance /= 2.0 * M_PI * CIRCUIT_UNIT;
        f->branches[m].stiffness *= 2.0 * M_PI * CIRCUIT_UNIT;
    }
}

int layer_fit_make(struct layer_fit *f, const struct layered_wall *wall, const struct wall_discretization *clock,
                   struct error *e)
{
    struct task *task = calloc(1, sizeof *task);
    *f = (struct layer_fit){.branch_count = 0};
    if (!task)
        return fail(e, ERROR_MEMORY, "out of memory");
    layer_points_set(&task->points, wall, clock);
    double largest = 0.0;
    for (size_t i = 0; i < task->points.dense_count; i++)
        largest = nan_max(largest, cabs(task->points.dense[i].stepped));
    struct trial best = {.circuit = {.count = 0}};
    if (!(largest <= RIGID))
        best = fit(task, wall);
    report(f, task, &best.circuit, wall, clock);
    free(task);
    return stop_check(e);
}
