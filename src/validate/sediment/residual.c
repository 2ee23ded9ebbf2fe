/* SPDX-License-Identifier: MIT */
/* Residuals by manufactured solutions: one step is taken from a smooth solution, and the left
 * side of the equation computed from it is compared with the right side, differentiated
 * analytically. */
#include <math.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "validate/sediment/checks.h"
#include "validate/sediment/test_basin.h"

/* A function value with its derivatives. */
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

/* The manufactured solution at a point, and the right sides of (1), (2) and of the equation that (4) solves. */
struct manufactured {
    double values[ARRAYS];
    double rise, sand, published;
    double upwind; /* diffusion added to `published` by upwind differences, to first order in the spacing */
};

static struct manufactured manufactured_at(const struct sediment_problem *p, const double phase[8], double x, double y)
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
    return (struct manufactured){.values = {h.value, s.value, alpha.value, beta.value},
                                 .rise = sand_supply + (down_mud + mud.value * (h.xx + h.yy)) / p->compaction[1],
                                 .sand = sand_supply,
                                 .published = down_sand / p->compaction[0],
                                 .upwind = 0.5 * diffusion / p->compaction[0]};
}

static int make_manufactured(struct test_basin *b, size_t n, bool conservative, const double phase[8], double share,
                             struct error *e)
{
    if (test_basin_make(b, n, n, 1.0, e))
        return -1;
    struct sediment_problem *s = &b->sediment;
    s->conservative = conservative;
    s->compaction[0] = 0.7;
    s->compaction[1] = 1.2;
    s->layer = 0.8;
    for (size_t i = 0; i < b->points; i++) {
        const struct manufactured at =
            manufactured_at(s, phase, (double)(i % n) * s->spacing[0], (double)(i / n) * s->spacing[1]);
        for (int array = 0; array < ARRAYS; array++)
            b->values[array][i] = at.values[array];
    }
    test_basin_set_step(b, share);
    return 0;
}

/* Largest residual away from the boundary: of h, of s, and of s without the error of upwind
 * differences. */
static int residual(double worst[3], size_t n, bool conservative, const double phase[8], const struct solver_options *c,
                    struct error *e)
{
    struct test_basin b;
    if (make_manufactured(&b, n, conservative, phase, 0.5, e))
        return -1;
    const struct sediment_problem *s = &b.sediment;
    double *after = malloc(2 * b.points * sizeof *after);
    const int status = after ? test_basin_run(after, &b, c, 1, e) : fail(e, ERROR_MEMORY, "out of memory");
    worst[0] = worst[1] = worst[2] = 0.0;
    for (size_t i = 0; i < b.points && !status; i++) {
        const size_t x = i % n, y = i / n, rim = n / 8;
        if (x < rim || y < rim || x + rim >= n || y + rim >= n)
            continue;
        const struct manufactured at = manufactured_at(s, phase, (double)x * s->spacing[0], (double)y * s->spacing[1]);
        const double rise = (after[i] - at.values[H]) / s->time_step, sand = after[b.points + i];
        const double left = s->layer * (sand - at.values[S]) / s->time_step + sand * rise;
        worst[0] = nan_max(worst[0], fabs(rise - at.rise));
        worst[1] = nan_max(worst[1], fabs(left - (conservative ? at.sand : at.published)));
        worst[2] = nan_max(worst[2], fabs(left - at.published - at.upwind));
    }
    free(after);
    test_basin_free(&b);
    return status;
}

/* Bounds |order - expected| by 0.2; the text states the order itself. */
static void report_order(struct report *r, const double residuals[3], double expected, const char *what)
{
    const double first = log2(residuals[0] / residuals[1]), second = log2(residuals[1] / residuals[2]);
    report_bound(r, "residual", nan_max(fabs(first - expected), fabs(second - expected)), 0.2,
                 "%s: orders %.3f and %.3f: difference from %g", what, first, second, expected);
}

/* Upwind differences on the wrong side would be of first order as well, with the opposite sign
 * of error. So their diffusion is computed and subtracted; the remainder must be of second
 * order. */
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
                 conservative ? "conservative, s in space" : "published, s in space, for the equation that (4) solves");
    if (!conservative)
        report_order(r, residuals[2], 2.0,
                     "published, s in space, without the numerical diffusion of upwind differences");
    return 0;
}

/* One grid stepped to the same time by 16, 32, 64 and 128 steps: successive differences contain
 * no spatial error and must halve. */
static int check_time(struct validation *v, struct report *r, bool conservative, const double phase[8], struct error *e)
{
    enum { RUNS = 4, STEPS_MIN = 16 };
    struct test_basin b;
    double moved[2][RUNS - 1] = {{0}};
    if (make_manufactured(&b, 48, conservative, phase, 0.9, e))
        return -1;
    const double coarsest = b.sediment.time_step;
    double *after = malloc(4 * b.points * sizeof *after), *now = after, *before = after ? after + 2 * b.points : NULL;
    int status = after ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (int i = 0; i < RUNS && !status; i++) {
        b.sediment.time_step = coarsest / (double)(1 << i);
        status = test_basin_run(now, &b, &v->choice, (size_t)STEPS_MIN << i, e);
        for (size_t k = 0; k < 2 * b.points && i > 0 && !status; k++) {
            double *worst = &moved[k / b.points][i - 1];
            *worst = nan_max(*worst, fabs(now[k] - before[k]));
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
    test_basin_free(&b);
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

const struct check check_sediment_residual = {"residual", check_residual};
