/* SPDX-License-Identifier: MIT */
/* The frequency map on rigid boxes: their modes on the grid, mapped, compared with c |k|; and
 * modes of one box as the solver steps them. */
#include <math.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "validate/isotropic19/checks.h"
#include "validate/scene/scene.h"

enum { BOXES = 3, STEPS = 200, STEPPED = 20 };
static const size_t boxes[BOXES][3] = {{31, 23, 17}, {40, 12, 9}, {24, 24, 24}}; /* voxels */
static const struct {
    double points, bound; /* per wavelength; bound of the error */
} edges[] = {{4.0, 0.0045}, {5.0, 0.0017}};

/* A mode of a box: κ in the continuum, and its frequency on the grid. */
struct mode {
    double kappa, frequency;
};

static struct mode mode_of(const size_t box[3], const size_t m[3])
{
    struct mode mode = {0};
    double k[3];
    for (int axis = 0; axis < 3; axis++)
        k[axis] = M_PI * (double)m[axis] / (double)box[axis];
    mode.kappa = hypot(hypot(k[0], k[1]), k[2]);
    const double direction[3] = {k[0] / mode.kappa, k[1] / mode.kappa, k[2] / mode.kappa};
    mode.frequency = asin(sqrt(isotropic19_sine_squared(mode.kappa, direction))) / M_PI;
    return mode;
}

/* Relative error of a mapped frequency of the grid. */
static double mapped_error(double frequency, double kappa)
{
    return isotropic19_true_frequency(frequency) / (sqrt(ISOTROPIC19_COURANT_SQUARED) * kappa / (2.0 * M_PI)) - 1.0;
}

static void judge_box(struct report *r, const size_t box[3], double points, double bound)
{
    double worst = 0.0, squares = 0.0, unmapped = 0.0;
    size_t count = 0;
    for (size_t x = 0; x <= box[0]; x++)
        for (size_t y = 0; y <= box[1]; y++)
            for (size_t z = 0; z <= box[2]; z++) {
                const struct mode mode = mode_of(box, (size_t[3]){x, y, z});
                if (!(mode.kappa > 0.0 && mode.kappa <= 2.0 * M_PI / points))
                    continue;
                const double error = mapped_error(mode.frequency, mode.kappa);
                worst = nan_max(worst, fabs(error));
                unmapped = fmax(unmapped,
                                1.0 - 2.0 * M_PI * mode.frequency / (sqrt(ISOTROPIC19_COURANT_SQUARED) * mode.kappa));
                squares += error * error;
                count++;
            }
    report_bound(
        r, "map", 100.0 * worst, 100.0 * bound,
        "box of %zu x %zu x %zu voxels, %zu modes down to %g points per wavelength: largest error of the frequency, %%",
        box[0], box[1], box[2], count, points);
    report_figure(r, "map", 100.0 * sqrt(squares / (double)count), "    rms error; without the map at most %.2f %%",
                  100.0 * unmapped);
}

/* The frequency at which the solver steps a mode: from its shape in both levels, by p[n+1] +
 * p[n-1] = 2 cos ω p[n]. */
static int step_mode(double *frequency, struct validation *v, const size_t box[3], const size_t m[3], struct error *e)
{
    struct scene s;
    double taps[STEPS], products = 0.0, squares = 0.0;
    const struct block b = {NULL, 0, taps, STEPS};
    struct solver *solver = NULL;
    if (scene_box(&s, box[0], box[1], box[2], PRECISION_DOUBLE, e))
        return -1;
    scene_use_corners(&s);
    scene_tap(&s, scene_point(&s, 0, 0, 0), 1.0);
    const size_t *n = s.problem.points, points = n[0] * n[1] * n[2];
    double *shape = malloc(points * sizeof *shape);
    for (size_t i = 0; shape && i < points; i++)
        shape[i] = cos(M_PI * (double)(m[0] * (i % n[0])) / (double)box[0]) *
                   cos(M_PI * (double)(m[1] * (i / n[0] % n[1])) / (double)box[1]) *
                   cos(M_PI * (double)(m[2] * (i / n[0] / n[1])) / (double)box[2]);
    int status = shape ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    status = status || scene_open(&solver, &s, &v->choice, e) || solver_put(solver, "p", 0, n[2], shape, e) ||
             solver_put(solver, "p_previous", 0, n[2], shape, e) || solver_run(solver, STEPS, &b, e);
    for (size_t i = 1; i + 1 < STEPS && !status; i++) {
        products += taps[i] * (taps[i + 1] + taps[i - 1]);
        squares += taps[i] * taps[i];
    }
    *frequency = acos(0.5 * products / squares) / (2.0 * M_PI);
    solver_close(solver);
    free(shape);
    scene_free(&s);
    return status;
}

/* Modes from five to four points per wavelength. */
static int check_stepped(struct validation *v, struct report *r, struct error *e)
{
    const size_t *box = boxes[0];
    double grid = 0.0, mapped = 0.0;
    for (int i = 0; i < STEPPED;) {
        size_t m[3];
        double frequency;
        for (int axis = 0; axis < 3; axis++)
            m[axis] = random_between(&v->random, 0, box[axis]);
        const struct mode mode = mode_of(box, m);
        if (!(mode.kappa >= 2.0 * M_PI / 5.0 && mode.kappa <= 2.0 * M_PI / 4.0))
            continue;
        if (step_mode(&frequency, v, box, m, e))
            return -1;
        grid = nan_max(grid, fabs(frequency / mode.frequency - 1.0));
        mapped = nan_max(mapped, fabs(mapped_error(frequency, mode.kappa)));
        i++;
    }
    report_bound(r, "map", grid, 1e-11, "%d modes of the first box, stepped: |f/closed form - 1|", STEPPED);
    report_bound(r, "map", 100.0 * mapped, 100.0 * edges[0].bound, "    mapped: largest error of the frequency, %%");
    return 0;
}

int check_isotropic19_map(struct validation *v, struct report *r, struct error *e)
{
    for (size_t edge = 0; edge < sizeof edges / sizeof *edges; edge++)
        for (int i = 0; i < BOXES; i++)
            judge_box(r, boxes[i], edges[edge].points, edges[edge].bound);
    return check_stepped(v, r, e);
}
