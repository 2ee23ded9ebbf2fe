/* The checks of the sediment scheme: `extern const struct check *const sediment_checks[]`. Basins are small and random;
 * everything goes through the solver contract. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/worst.h"
#include "schemes/sediment/sediment.h"
#include "validate/arrays.h"
#include "validate/validate.h"

enum { H, S, ALPHA, BETA, ARRAYS };
static const char *const array_names[ARRAYS] = {"h", "s", "alpha", "beta"};

struct basin {
    struct sediment_problem sediment;
    struct problem problem; /* its parameters are `sediment`: a basin is not to be moved */
    size_t points;
    double *values[ARRAYS];
    double *inflow[2][4]; /* NULL: none */
};

static void basin_free(struct basin *b)
{
    for (int i = 0; i < ARRAYS; i++)
        free(b->values[i]);
    for (int i = 0; i < 8; i++)
        free(b->inflow[i / 4][i % 4]);
}

/* Everything 0 but spacings of 1/nx and 1/ny (times `size`), a layer of 1 and no compaction. */
static int basin_make(struct basin *b, size_t nx, size_t ny, double size, struct error *e)
{
    *b = (struct basin){.points = nx * ny};
    b->problem = (struct problem){
        .scheme = &sediment_scheme, .parameters = &b->sediment, .points = {nx, ny, 1}, .precision = PRECISION_DOUBLE};
    b->sediment = (struct sediment_problem){.part = SEDIMENT_BOTH,
                                            .spacing = {size / (double)nx, size / (double)ny},
                                            .layer = 1.0,
                                            .compaction = {1.0, 1.0}};
    for (int i = 0; i < ARRAYS; i++) {
        b->values[i] = calloc(b->points, sizeof(double));
        if (!b->values[i]) {
            basin_free(b);
            *b = (struct basin){.points = 0};
            return fail(e, ERROR_MEMORY, "out of memory");
        }
    }
    return 0;
}

/* A side's flux of sand (0) or mud (1); values are to be filled in. */
static double *add_inflow(struct basin *b, int sediment, int side)
{
    double *values = calloc(b->problem.points[side < 2 ? 1 : 0], sizeof(double));
    b->inflow[sediment][side] = values;
    b->sediment.inflow[sediment][side] = values;
    return values;
}

/* The step becomes `share` of the stable limit. */
static void set_step(struct basin *b, double share)
{
    struct sediment_problem *s = &b->sediment;
    s->mobility_max = 0.0;
    for (size_t i = 0; i < b->points; i++)
        s->mobility_max =
            fmax(s->mobility_max, fmax(b->values[ALPHA][i] / s->compaction[0], b->values[BETA][i] / s->compaction[1]));
    s->time_step = share * sediment_step_limit(s);
}

/* Uniform noise, or waves of random phase and of one to three periods over the basin; within low .. high. */
static void fill_random(struct basin *b, int array, bool smooth, double low, double high, struct random *r)
{
    const size_t nx = b->problem.points[0];
    double period[2], phase[2];
    for (int axis = 0; axis < 2; axis++) {
        period[axis] = 2.0 * M_PI * (double)random_between(r, 1, 3) / (double)b->problem.points[axis];
        phase[axis] = 2.0 * M_PI * random_unit(r);
    }
    for (size_t i = 0; i < b->points; i++) {
        const double x = sin(period[0] * (double)(i % nx) + phase[0]), y = sin(period[1] * (double)(i / nx) + phase[1]);
        b->values[array][i] = low + (high - low) * (smooth ? 0.5 + 0.25 * (x + y) : random_unit(r));
    }
}

/* Fluxes through a side that raise its ghosts by about `rise`; `what` has bit 0 for sand and bit 1 for mud. */
static int fill_inflow(struct basin *b, int side, int what, double rise, struct random *r, struct error *e)
{
    const double spacing = b->sediment.spacing[side / 2];
    for (int sediment = 0; sediment < 2; sediment++) {
        if (!(what >> sediment & 1))
            continue;
        double *values = add_inflow(b, sediment, side);
        if (!values)
            return fail(e, ERROR_MEMORY, "out of memory");
        for (size_t i = 0; i < b->problem.points[side < 2 ? 1 : 0]; i++)
            values[i] = random_unit(r) * rise / spacing;
    }
    return 0;
}

static int open_basin(struct solver **s, const struct basin *b, const struct choice *c, struct error *e)
{
    int status = solver_open(s, &b->problem, c, e);
    for (int i = 0; i < ARRAYS && !status; i++)
        status = solver_put(*s, array_names[i], 0, 1, b->values[i], e);
    return status;
}

/* What is not written shows as NaN. */
static int get_poisoned(struct solver *s, const char *array, double *values, size_t points, struct error *e)
{
    memset(values, 0xff, points * sizeof *values);
    return solver_get(s, array, 0, 1, values, e);
}

/* Steps the basin and gets h and s after it into out[2 points]. */
static int compute(double *out, const struct basin *b, const struct choice *c, size_t steps, struct error *e)
{
    struct solver *s = NULL;
    const struct block silence = {.drive = NULL};
    const int status = open_basin(&s, b, c, e) || solver_run(s, steps / 3, &silence, e) ||
                       solver_run(s, steps - steps / 3, &silence, e) || get_poisoned(s, "h", out, b->points, e) ||
                       get_poisoned(s, "s", out + b->points, b->points, e);
    solver_close(s);
    return status ? -1 : 0;
}

/* Kernels */

enum { CASES = 30, MOST = 90, LONGEST = 1200, SHORT = 12, STEPS_MAX = 80, KERNELS_MAX = 16 };

/* Heights within the layer's thickness, so that rough sand does not run away. */
static int make_random_basin(struct basin *b, struct random *r, struct error *e)
{
    static const enum sediment_part parts[] = {SEDIMENT_BOTH, SEDIMENT_BOTH, SEDIMENT_H, SEDIMENT_S};
    const bool smooth = random_between(r, 0, 1) != 0;
    const int shape = (int)random_between(r, 0, 5); /* some wide or high, beyond the tiles of any kernel */
    const size_t nx = random_between(r, 2, shape == 0 ? LONGEST : shape == 1 ? SHORT : MOST);
    const size_t ny = random_between(r, 2, shape == 0 ? SHORT : shape == 1 ? LONGEST : MOST);
    if (basin_make(b, nx, ny, 1.0 + random_unit(r), e))
        return -1;
    struct sediment_problem *s = &b->sediment;
    s->conservative = random_between(r, 0, 1) != 0;
    s->part = parts[random_between(r, 0, 3)];
    s->layer = 4.0 + random_unit(r);
    s->compaction[0] = 0.5 + random_unit(r);
    s->compaction[1] = 0.5 + random_unit(r);
    fill_random(b, H, smooth, -0.5, 0.5, r);
    fill_random(b, S, smooth, 0.1, 0.9, r);
    fill_random(b, ALPHA, smooth, 0.5, 1.5, r);
    fill_random(b, BETA, smooth, 0.2, 1.0, r);
    set_step(b, 0.2 + 0.7 * random_unit(r));
    for (int side = 0; side < 4; side++)
        if (fill_inflow(b, side, (int)random_between(r, 0, 3), 0.02 * (random_unit(r) - 0.3), r, e))
            return -1;
    return 0;
}

/* Largest difference of each array over its largest expected value; NaN when anything is. */
static double difference(const double *got, const double *expected, size_t points)
{
    double worst = 0.0;
    for (size_t array = 0; array < 2; array++) {
        double peak = 0.0, largest = 0.0;
        for (size_t i = array * points; i < (array + 1) * points; i++) {
            peak = worst_of(peak, fabs(expected[i]));
            largest = worst_of(largest, fabs(got[i] - expected[i]));
        }
        worst = worst_of(worst, largest > 0.0 || isnan(largest) ? largest / peak : 0.0);
    }
    return worst;
}

struct tally {
    double worst[KERNELS_MAX]; /* by kernel */
    size_t cases[KERNELS_MAX]; /* that it could run */
    char reason[KERNELS_MAX][256];
};

static bool is_wanted(const struct validation *v, const char *kernel)
{
    return !v->choice.kernel || !strcmp(v->choice.kernel, kernel);
}

static int compare_kernels(struct validation *v, const struct engine *engine, const struct basin *b, double *buffer,
                           struct tally *tally, struct error *e)
{
    const struct choice reference = {.engine = "cpu", .kernel = "reference", .threads = 1};
    const size_t steps = random_between(&v->random, 1, STEPS_MAX);
    double *expected = buffer, *got = buffer + 2 * b->points;
    if (compute(expected, b, &reference, steps, e))
        return -1;
    for (size_t k = 0; k < KERNELS_MAX && engine->kernel_name(&sediment_scheme, k); k++) {
        struct choice c = v->choice;
        struct error reason = {ERROR_NONE, ""};
        c.engine = engine->name;
        c.kernel = engine->kernel_name(&sediment_scheme, k);
        c.threads = (int)random_between(&v->random, 1, 4);
        if (!is_wanted(v, c.kernel))
            continue;
        if (compute(got, b, &c, steps, &reason)) {
            if (reason.code != ERROR_ENGINE) /* a kernel that does not apply to this basin is no failure */
                return fail(e, reason.code, "%s: %.900s", c.kernel, reason.message);
            snprintf(tally->reason[k], sizeof tally->reason[k], "%s: %.200s", c.kernel, reason.message);
            continue;
        }
        tally->worst[k] = worst_of(tally->worst[k], difference(got, expected, b->points));
        tally->cases[k]++;
    }
    return 0;
}

static void report_kernels(struct report *r, const struct validation *v, const struct engine *engine,
                           const struct tally *tally)
{
    const double bound = strcmp(engine->name, "cpu") ? 1e-12 : 0.0;
    for (size_t k = 0; k < KERNELS_MAX && engine->kernel_name(&sediment_scheme, k); k++) {
        const char *name = engine->kernel_name(&sediment_scheme, k);
        if (!is_wanted(v, name))
            continue;
        if (!tally->cases[k])
            report_skip(r, "kernels", tally->reason[k]);
        else if (strcmp(name, "reference") != 0)
            report_bound(r, "kernels", tally->worst[k], bound,
                         "%s/%s: %zu random basins against the reference, over peak", engine->name, name,
                         tally->cases[k]);
    }
}

static int check_kernels_of_basins(struct validation *v, struct report *r, struct error *e)
{
    const struct engine *engine = solver_engine(&v->choice, e);
    struct tally tally = {{0}, {0}, {{0}}};
    const int cases = v->cases ? v->cases : CASES;
    if (!engine || arrays_check_name(engine, &sediment_scheme, v->choice.kernel, e))
        return -1;
    for (int i = 0; i < cases; i++) {
        struct basin b = {.points = 0};
        int status = make_random_basin(&b, &v->random, e);
        double *buffer = status ? NULL : malloc(4 * b.points * sizeof *buffer);
        if (!status)
            status =
                buffer ? compare_kernels(v, engine, &b, buffer, &tally, e) : fail(e, ERROR_MEMORY, "out of memory");
        free(buffer);
        basin_free(&b);
        if (status)
            return -1;
    }
    report_kernels(r, v, engine, &tally);
    return 0;
}

/* Residuals: a solution is made up, one step is taken from it, and what the step says of the equation's left side is
 * compared with the equation's right side, differentiated by hand. */

/* A function with its derivatives. */
struct jet {
    double value, x, y, xx, yy;
};

static struct jet product(struct jet a, struct jet b)
{
    return (struct jet){a.value * b.value, a.x * b.value + a.value * b.x, a.y * b.value + a.value * b.y,
                        a.xx * b.value + 2.0 * a.x * b.x + a.value * b.xx,
                        a.yy * b.value + 2.0 * a.y * b.y + a.value * b.yy};
}

/* level + height sin(kx x + px) sin(ky y + py) */
static struct jet wave(double level, double height, double kx, double px, double ky, double py, double x, double y)
{
    const double u = sin(kx * x + px), v = sin(ky * y + py);
    return (struct jet){level + height * u * v, height * kx * cos(kx * x + px) * v, height * ky * u * cos(ky * y + py),
                        -kx * kx * height * u * v, -ky * ky * height * u * v};
}

/* The solution at a point, and the right sides of (1), (2) and of what (4) solves. */
struct made_up {
    double values[ARRAYS];
    double rise, sand, published;
    double upwind; /* what upwind differences add to the last, to first order in the spacing: diffusion */
};

static struct made_up made_up_at(const struct sediment_problem *p, const double phase[8], double x, double y)
{
    const struct jet h = wave(0.0, 0.3, 5.0, phase[0], 4.0, phase[1], x, y);
    const struct jet s = wave(0.5, 0.3, 4.0, phase[2], 3.0, phase[3], x, y);
    const struct jet alpha = wave(1.0, 0.4, 3.0, phase[4], 5.0, phase[5], x, y);
    const struct jet beta = wave(0.8, 0.3, 4.0, phase[6], 2.0, phase[7], x, y);
    const struct jet sand = product(alpha, s);
    const struct jet mud = product(beta, (struct jet){1.0 - s.value, -s.x, -s.y, -s.xx, -s.yy});
    const double down_sand = sand.x * h.x + sand.y * h.y, down_mud = mud.x * h.x + mud.y * h.y;
    const double sand_supply = (down_sand + sand.value * (h.xx + h.yy)) / p->compaction[0];
    const double diffusion = p->spacing[0] * fabs(h.x) * sand.xx + p->spacing[1] * fabs(h.y) * sand.yy;
    return (struct made_up){.values = {h.value, s.value, alpha.value, beta.value},
                            .rise = sand_supply + (down_mud + mud.value * (h.xx + h.yy)) / p->compaction[1],
                            .sand = sand_supply,
                            .published = down_sand / p->compaction[0],
                            .upwind = 0.5 * diffusion / p->compaction[0]};
}

static int make_made_up(struct basin *b, size_t n, bool conservative, const double phase[8], double share,
                        struct error *e)
{
    if (basin_make(b, n, n, 1.0, e))
        return -1;
    struct sediment_problem *s = &b->sediment;
    s->conservative = conservative;
    s->compaction[0] = 0.7;
    s->compaction[1] = 1.2;
    s->layer = 0.8;
    for (size_t i = 0; i < b->points; i++) {
        const struct made_up at =
            made_up_at(s, phase, (double)(i % n) * s->spacing[0], (double)(i / n) * s->spacing[1]);
        for (int array = 0; array < ARRAYS; array++)
            b->values[array][i] = at.values[array];
    }
    set_step(b, share);
    return 0;
}

/* Largest residual of h, of s, and of s with the error of upwind differences taken off, away from the boundary. */
static int residual(double worst[3], size_t n, bool conservative, const double phase[8], const struct choice *c,
                    struct error *e)
{
    struct basin b;
    if (make_made_up(&b, n, conservative, phase, 0.5, e))
        return -1;
    const struct sediment_problem *s = &b.sediment;
    double *after = malloc(2 * b.points * sizeof *after);
    const int status = after ? compute(after, &b, c, 1, e) : fail(e, ERROR_MEMORY, "out of memory");
    worst[0] = worst[1] = worst[2] = 0.0;
    for (size_t i = 0; i < b.points && !status; i++) {
        const size_t x = i % n, y = i / n, margin = n / 8;
        if (x < margin || y < margin || x + margin >= n || y + margin >= n)
            continue;
        const struct made_up at = made_up_at(s, phase, (double)x * s->spacing[0], (double)y * s->spacing[1]);
        const double rise = (after[i] - at.values[H]) / s->time_step, sand = after[b.points + i];
        const double left = s->layer * (sand - at.values[S]) / s->time_step + sand * rise;
        worst[0] = worst_of(worst[0], fabs(rise - at.rise));
        worst[1] = worst_of(worst[1], fabs(left - (conservative ? at.sand : at.published)));
        worst[2] = worst_of(worst[2], fabs(left - at.published - at.upwind));
    }
    free(after);
    basin_free(&b);
    return status;
}

/* |order - expected| has to be within 0.2; the order itself is in the words beside it. */
static void report_order(struct report *r, const double residuals[3], double expected, const char *what)
{
    const double first = log2(residuals[0] / residuals[1]), second = log2(residuals[1] / residuals[2]);
    report_bound(r, "residual", worst_of(fabs(first - expected), fabs(second - expected)), 0.2,
                 "%s: orders %.3f and %.3f, away from %g by", what, first, second, expected);
}

/* A scheme that differenced on the wrong side would be of first order too, but its error would be of the other sign:
 * the diffusion that upwind differences bring is computed, and without it the second order shows. */
static int check_space(struct validation *v, struct report *r, bool conservative, const double phase[8],
                       struct error *e)
{
    double worst[3][3], residuals[3][3]; /* by grid and kind, by kind and grid */
    for (int i = 0; i < 3; i++) {
        if (residual(worst[i], (size_t)96 << i, conservative, phase, &v->choice, e))
            return -1;
        for (int kind = 0; kind < 3; kind++)
            residuals[kind][i] = worst[i][kind];
    }
    report_order(r, residuals[0], 2.0, conservative ? "conservative, h in space" : "published, h in space");
    report_order(r, residuals[1], conservative ? 2.0 : 1.0,
                 conservative ? "conservative, s in space" : "published, s in space, on the equation that (4) solves");
    if (!conservative)
        report_order(r, residuals[2], 2.0, "published, s in space, less the diffusion of upwind differences");
    return 0;
}

/* To one time on one grid by 16, 32, 64 and 128 steps: the differences from one to the next have no part of space, and
 * halve. */
static int check_time(struct validation *v, struct report *r, bool conservative, const double phase[8], struct error *e)
{
    enum { RUNS = 4, LEAST = 16 };
    struct basin b;
    double moved[2][RUNS - 1] = {{0}};
    if (make_made_up(&b, 48, conservative, phase, 0.9, e))
        return -1;
    const double coarsest = b.sediment.time_step;
    double *after = malloc(4 * b.points * sizeof *after), *now = after, *before = after ? after + 2 * b.points : NULL;
    int status = after ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (int i = 0; i < RUNS && !status; i++) {
        b.sediment.time_step = coarsest / (double)(1 << i);
        status = compute(now, &b, &v->choice, (size_t)LEAST << i, e);
        for (size_t k = 0; k < 2 * b.points && i > 0 && !status; k++) {
            double *worst = &moved[k / b.points][i - 1];
            *worst = worst_of(*worst, fabs(now[k] - before[k]));
        }
        double *swap = now;
        now = before;
        before = swap;
    }
    if (!status) {
        report_order(r, moved[0], 1.0, conservative ? "conservative, h in time" : "published, h in time");
        report_order(r, moved[1], 1.0, conservative ? "conservative, s in time" : "published, s in time");
    }
    free(after);
    basin_free(&b);
    return status;
}

static int check_residual(struct validation *v, struct report *r, struct error *e)
{
    double phase[8];
    for (int i = 0; i < 8; i++)
        phase[i] = 2.0 * M_PI * random_unit(&v->random);
    for (int conservative = 0; conservative < 2; conservative++)
        if (check_space(v, r, conservative, phase, e) || check_time(v, r, conservative, phase, e))
            return -1;
    return 0;
}

/* Balances */

enum { BALANCE_STEPS = 100, PURE_STEPS = 200, BOUNDS_STEPS = 400, LIMIT_STEPS = 2000 };

/* Smooth, with sand and mud (`what`) coming in from three sides and going out through the fourth. */
static int make_fed(struct basin *b, size_t nx, size_t ny, bool conservative, int what, struct random *r,
                    struct error *e)
{
    if (basin_make(b, nx, ny, 1.0, e))
        return -1;
    b->sediment.conservative = conservative;
    b->sediment.compaction[0] = 0.8;
    b->sediment.compaction[1] = 1.1;
    fill_random(b, H, true, -0.3, 0.3, r);
    fill_random(b, S, true, 0.1, 0.9, r);
    fill_random(b, ALPHA, true, 0.5, 1.5, r);
    fill_random(b, BETA, true, 0.2, 1.0, r);
    set_step(b, 0.8);
    for (int side = 0; side < 4; side++)
        if (fill_inflow(b, side, what, side == 3 ? -1e-3 : 2e-3, r, e))
            return -1;
    return 0;
}

/* Flux of one sediment into the basin, and the sum of its sizes. */
static void inflow_of(const struct basin *b, int sediment, long double *net, long double *sizes)
{
    for (int side = 0; side < 4; side++)
        for (size_t i = 0; b->inflow[sediment][side] && i < b->problem.points[side < 2 ? 1 : 0]; i++) {
            const double q = b->inflow[sediment][side][i] * b->sediment.spacing[side < 2 ? 1 : 0];
            *net += q;
            *sizes += fabs(q);
        }
}

/* One step at a time: the height's volume gained, and the sand that stayed in the layer or was buried. */
static int gains(long double gained[2], const struct basin *b, const struct choice *c, struct error *e)
{
    const struct sediment_problem *p = &b->sediment;
    const struct block silence = {.drive = NULL};
    struct solver *solver = NULL;
    double *now = malloc(3 * b->points * sizeof *now), *s = now ? now + b->points : NULL,
           *old = s ? s + b->points : NULL;
    int status = now ? open_basin(&solver, b, c, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (now)
        memcpy(old, b->values[H], b->points * sizeof *old);
    gained[0] = gained[1] = 0.0L;
    for (int step = 0; step < BALANCE_STEPS && !status; step++) {
        status = solver_run(solver, 1, &silence, e) || get_poisoned(solver, "h", now, b->points, e) ||
                 get_poisoned(solver, "s", s, b->points, e);
        for (size_t i = 0; i < b->points && !status; i++) {
            gained[0] += (long double)now[i] - old[i];
            gained[1] += (long double)s[i] * ((long double)now[i] - old[i]);
            old[i] = now[i];
        }
    }
    for (size_t i = 0; i < b->points && !status; i++)
        gained[1] += p->layer * ((long double)s[i] - b->values[S][i]);
    for (int i = 0; i < 2; i++)
        gained[i] *= (long double)p->spacing[0] * p->spacing[1];
    solver_close(solver);
    free(now);
    return status ? -1 : 0;
}

static int check_balance(struct validation *v, struct report *r, bool conservative, struct error *e)
{
    struct basin b = {.points = 0};
    long double gained[2], net[2] = {0}, sizes[2] = {0};
    const int status = make_fed(&b, 40, 30, conservative, 3, &v->random, e) || gains(gained, &b, &v->choice, e);
    if (!status) {
        const long double time = BALANCE_STEPS * (long double)b.sediment.time_step;
        inflow_of(&b, 0, &net[0], &sizes[0]);
        inflow_of(&b, 1, &net[1], &sizes[1]);
        const double h = (double)(fabsl(gained[0] - time * (net[0] + net[1])) / (time * (sizes[0] + sizes[1])));
        const double sand = (double)(fabsl(gained[1] - time * net[0]) / (time * sizes[0]));
        const char *name = conservative ? "conservative" : "published";
        report_bound(r, "conservation", h, 1e-12, "%s: volume gained against inflow, %d steps, relative", name,
                     BALANCE_STEPS);
        if (conservative)
            report_bound(r, "conservation", sand, 1e-12, "%s: sand gained against its inflow, relative", name);
        else
            report_figure(r, "conservation", sand, "%s: sand gained against its inflow, relative: (4) loses it", name);
    }
    basin_free(&b);
    return status ? -1 : 0;
}

static int check_conservation(struct validation *v, struct report *r, struct error *e)
{
    return check_balance(v, r, true, e) || check_balance(v, r, false, e);
}

/* Least and largest s after the steps. */
static int range_of_sand(double range[2], const struct basin *b, size_t steps, const struct choice *c, struct error *e)
{
    double *after = malloc(2 * b->points * sizeof *after);
    const int status = after ? compute(after, b, c, steps, e) : fail(e, ERROR_MEMORY, "out of memory");
    range[0] = INFINITY;
    range[1] = -INFINITY;
    for (size_t i = b->points; i < 2 * b->points && !status; i++) {
        range[0] = -worst_of(-range[0], -after[i]);
        range[1] = worst_of(range[1], after[i]);
    }
    free(after);
    return status;
}

static int check_pure_sand(struct validation *v, struct report *r, struct error *e)
{
    for (int conservative = 1; conservative >= 0; conservative--) {
        struct basin b = {.points = 0};
        double range[2] = {0};
        int status = make_fed(&b, 50, 40, conservative, 1, &v->random, e);
        for (size_t i = 0; i < b.points && !status; i++)
            b.values[S][i] = 1.0;
        status = status || range_of_sand(range, &b, PURE_STEPS, &v->choice, e);
        basin_free(&b);
        if (status)
            return -1;
        if (conservative)
            report_bound(r, "pure-sand", worst_of(fabs(range[0] - 1.0), fabs(range[1] - 1.0)), 1e-12,
                         "conservative: s = 1 stays 1, %d steps", PURE_STEPS);
        else
            report_figure(r, "pure-sand", worst_of(fabs(range[0] - 1.0), fabs(range[1] - 1.0)),
                          "published: s = 1 goes to %.3f .. %.3f: (4) leaves out alpha s times the laplacian of h",
                          range[0], range[1]);
    }
    return 0;
}

static int check_bounds(struct validation *v, struct report *r, struct error *e)
{
    struct basin b = {.points = 0};
    double range[2];
    const int status =
        make_fed(&b, 70, 60, true, 3, &v->random, e) || range_of_sand(range, &b, BOUNDS_STEPS, &v->choice, e);
    if (!status)
        report_bound(r, "bounds", worst_of(worst_of(0.0, -range[0]), range[1] - 1.0), 0.0,
                     "conservative, smooth: s within %.3f .. %.3f after %d steps; beyond 0 .. 1 by", range[0], range[1],
                     BOUNDS_STEPS);
    basin_free(&b);
    return status ? -1 : 0;
}

/* Refused with ERROR_ENGINE and the limit in its message. */
static bool is_refused(const struct basin *b, const struct choice *c)
{
    struct solver *s = NULL;
    struct error reason = {ERROR_NONE, ""};
    char limit[64];
    snprintf(limit, sizeof limit, "%.9g", sediment_step_limit(&b->sediment));
    const int status = solver_open(&s, &b->problem, c, &reason);
    solver_close(s);
    return status && reason.code == ERROR_ENGINE && strstr(reason.message, limit);
}

/* The roughest heights, for which the limit is sharpest, over sand that does not change: s = 1. The sizes make a limit
 * of many digits. */
static int check_step_limit(struct validation *v, struct report *r, struct error *e)
{
    struct basin b;
    double largest = 0.0;
    if (basin_make(&b, 31, 41, 1.0, e))
        return -1;
    b.sediment.conservative = true;
    b.sediment.layer = 10.0;
    for (size_t i = 0; i < b.points; i++) {
        b.values[H][i] = (i % 31 + i / 31) % 2 ? 1.0 : -1.0;
        b.values[S][i] = b.values[ALPHA][i] = 1.0;
        b.values[BETA][i] = 0.5;
    }
    set_step(&b, 1.01);
    report_bound(r, "step-limit", is_refused(&b, &v->choice) ? 0.0 : 1.0, 0.0,
                 "a step 1 %% above the limit is refused and the limit named: 0, else 1");
    set_step(&b, 0.99);
    double *after = malloc(2 * b.points * sizeof *after);
    const int status = after ? compute(after, &b, &v->choice, LIMIT_STEPS, e) : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < b.points && !status; i++)
        largest = worst_of(worst_of(largest, fabs(after[i])), 0.0 * after[b.points + i]);
    if (!status)
        report_bound(r, "step-limit", largest, 1.0,
                     "1 %% below it: largest height of a rough start of 1 after %d steps", LIMIT_STEPS);
    free(after);
    basin_free(&b);
    return status;
}

static const struct check kernel_check = {"kernels", check_kernels_of_basins};
static const struct check residual_check = {"residual", check_residual};
static const struct check conservation_check = {"conservation", check_conservation};
static const struct check pure_sand_check = {"pure-sand", check_pure_sand};
static const struct check bounds_check = {"bounds", check_bounds};
static const struct check step_limit_check = {"step-limit", check_step_limit};

const struct check *const sediment_checks[] = {
    &kernel_check, &residual_check, &conservation_check, &pure_sand_check, &bounds_check, &step_limit_check, NULL,
};
