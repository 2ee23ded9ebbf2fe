/* SPDX-License-Identifier: MIT */
/* Level and delay of the direct sound in free field: |H| 4πr compared with 1, phase delay with
 * r/c. */
#include <stdlib.h>

#include "base/nan_max.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "validate/cartesian7/checks.h"
#include "validate/cartesian7/spectrum.h"
#include "validate/scene/scene.h"

/* The box is so large that each record ends before a reflection arrives: the record at distance
 * r is r/λ + TAIL steps long, and the shortest path by a wall is at least sqrt(r² + (2 SOURCE)²)
 * cells. */
enum { SIDE = 200, SOURCE = 66, TAIL = 88, STEPS = 262, DISTANCES = 7 };

struct direction {
    const char *name;
    int step[3];
    double length; /* cells per step */
};

static const struct direction directions[] = {
    {"axis", {1, 0, 0}, 1.0},
    {"face diagonal", {1, 1, 0}, M_SQRT2},
    {"body diagonal", {1, 1, 1}, 1.7320508075688772},
};
static const double distances[DISTANCES] = {5, 10, 20, 40, 60, 80, 100};

struct worst {
    double level_low, level_high, delay; /* dB to 0.03 fs, dB to 0.076 fs, samples to 0.01 fs */
};

static void keep_worst(double *worst, double value)
{
    *worst = nan_max(*worst, fabs(value));
}

static void judge(struct worst *worst, const double *drive, const double *tap, double cells, double courant)
{
    const size_t steps = (size_t)(cells / courant) + TAIL;
    for (int k = 1; k <= 38; k++) {
        double f = 0.002 * k;
        /* spacing 1: with the drive weight λ², x arrives as x(t - r/c)/(4πr) */
        double complex h = spectrum_at(tap, steps < STEPS ? steps : STEPS, f) / spectrum_at(drive, STEPS, f);
        double level = 20.0 * log10(cabs(h) * 4.0 * M_PI * cells);
        double late = -carg(h * cexp(I * (2.0 * M_PI * f * cells / courant))) / (2.0 * M_PI * f);
        if (k <= 15)
            keep_worst(&worst->level_low, level);
        keep_worst(&worst->level_high, level);
        if (k <= 5)
            keep_worst(&worst->delay, late);
    }
}

int check_free_field(struct validation *v, struct report *r, struct error *e)
{
    struct scene s;
    enum { TAPS = 3 * DISTANCES };
    double steps_out[TAPS];
    double *drive = calloc(STEPS, sizeof *drive), *taps = calloc((size_t)TAPS * STEPS, sizeof *taps);
    int status = drive && taps ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (scene_box(&s, SIDE, SIDE, SIDE, PRECISION_DOUBLE, e))
        status = -1;
    if (status)
        goto done;
    const double courant_squared = s.leapfrog.courant_squared;
    scene_drive(&s, scene_point(&s, SOURCE, SOURCE, SOURCE), courant_squared);
    for (int d = 0; d < 3; d++)
        for (int i = 0; i < DISTANCES; i++) {
            size_t out = (size_t)round(distances[i] / directions[d].length);
            const int *step = directions[d].step;
            steps_out[d * DISTANCES + i] = (double)out;
            scene_tap(&s,
                      scene_point(&s, SOURCE + out * (size_t)step[0], SOURCE + out * (size_t)step[1],
                                  SOURCE + out * (size_t)step[2]),
                      1.0);
        }
    spectrum_pulse(drive, STEPS, 4.0, 0);
    status = scene_run(&s, &v->choice, STEPS, drive, taps, e);
    for (int d = 0; d < 3 && !status; d++) {
        struct worst worst = {0.0, 0.0, 0.0};
        for (int i = 0; i < DISTANCES; i++)
            judge(&worst, drive, taps + (d * DISTANCES + i) * STEPS,
                  steps_out[d * DISTANCES + i] * directions[d].length, sqrt(courant_squared));
        report_bound(r, "free-field", worst.level_low, 0.2, "%s, 5 to 100 cells: error of the level up to 0.03 fs, dB",
                     directions[d].name);
        report_bound(r, "free-field", worst.level_high, 1.1, "%s: error of the level up to 0.076 fs, dB",
                     directions[d].name);
        report_bound(r, "free-field", worst.delay, 0.5, "%s: error of the phase delay up to 0.01 fs, samples",
                     directions[d].name);
    }
done:
    scene_free(&s);
    free(drive);
    free(taps);
    return status;
}
