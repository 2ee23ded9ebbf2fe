/* SPDX-License-Identifier: MIT */
/* Walls with branches at the end of a tube, normal incidence: the measured reflection compared with
 * the closed form on the grid.
 *
 * As in reflection.c, a longer tube gives the incident wave, and the difference from the tube with
 * the wall is the reflected wave. Within the record nothing returns from the source's end or from
 * the far end of the longer tube. The record lasts for a quarter of a second at 48 kHz after the
 * pulse has reached the wall; the level at its end, which is printed, bounds the missing part. */
#include <stdlib.h>

#include "base/nan_max.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "validate/cartesian7/checks.h"
#include "validate/cartesian7/spectrum.h"
#include "validate/cartesian7/wall_probe.h"

enum { CELLS = 4000, RECEIVER = CELLS - 40, STEPS = 20000, LAST = 800, FREQUENCIES = 60 };

static int record(struct validation *v, size_t cells, const struct wall_model *wall, const double *drive, double *taps,
                  struct error *e)
{
    struct scene s;
    if (scene_box(&s, cells, 1, 1, PRECISION_DOUBLE, e))
        return -1;
    wall_probe_end(&s, wall);
    scene_drive(&s, scene_point(&s, 0, 0, 0), 1.0);
    scene_tap(&s, scene_point(&s, RECEIVER, 0, 0), 1.0);
    const int status = scene_run(&s, &v->choice, STEPS, drive, taps, e);
    scene_free(&s);
    return status;
}

struct errors {
    double grid, phase;       /* differences from the closed form; degrees */
    double continuum, warped; /* closed form minus continuum; the part due to the bilinear map */
    double ringing;           /* at the end of the record relative to peak */
};

static struct errors compare(const struct wall_model *wall, double courant_squared, const double *incident,
                             const double *reflected)
{
    const double lowest = 63.0 / WALL_PROBE_RATE, highest = cartesian7_valid_frequency(courant_squared, 0.02);
    const double distance = (double)(CELLS - RECEIVER) - 0.5; /* cells, to the face of the wall */
    struct errors worst = {0};
    for (int k = 0; k < FREQUENCIES; k++) {
        const double f = lowest * pow(highest / lowest, (double)k / (FREQUENCIES - 1));
        const double kappa = cartesian7_wavenumber(courant_squared, f);
        const double complex measured =
            spectrum_at(reflected, STEPS, f) / spectrum_at(incident, STEPS, f) * cexp(I * (2.0 * kappa * distance));
        const double complex closed = wall_probe_reflection(courant_squared, wall, f, kappa);
        const double complex y = wall_probe_continuum(wall, f), seen = wall_probe_discrete(wall, f);
        const double complex continuum = (1.0 - y) / (1.0 + y);
        worst.grid = nan_max(worst.grid, cabs(measured - closed));
        worst.phase = nan_max(worst.phase, fabs(carg(measured / closed)) * (180.0 / M_PI));
        worst.continuum = nan_max(worst.continuum, cabs(measured - continuum));
        worst.warped = nan_max(worst.warped, cabs((1.0 - seen) / (1.0 + seen) - continuum));
    }
    double peak = 0.0;
    for (size_t n = 0; n < STEPS; n++) {
        peak = nan_max(peak, fabs(reflected[n]));
        if (n >= STEPS - LAST)
            worst.ringing = nan_max(worst.ringing, fabs(reflected[n]));
    }
    worst.ringing /= peak;
    return worst;
}

static int check_wall(struct validation *v, struct report *r, const char *name, const struct wall_model *wall,
                      double courant_squared, const double *drive, const double *incident, double *total,
                      struct error *e)
{
    if (record(v, CELLS, wall, drive, total, e))
        return -1;
    for (size_t n = 0; n < STEPS; n++)
        total[n] -= incident[n];
    const struct errors worst = compare(wall, courant_squared, incident, total);
    report_bound(r, "tube", worst.grid, 1e-4,
                 "%s (%zu branches), 63 Hz to the upper end of the valid band at 48 kHz: |R - closed form on the grid|",
                 name, wall->branch_count);
    report_figure(r, "tube", worst.phase, "    error of the phase, degrees");
    report_figure(r, "tube", worst.ringing, "    ringing at the end of the record relative to peak");
    report_figure(r, "tube", worst.continuum,
                  "    |R - continuum|: first-order error, as the pressure is sampled half a cell before the face");
    report_figure(r, "tube", worst.warped, "    second-order share of the bilinear map of the branches");
    return 0;
}

int check_wall_tube(struct validation *v, struct report *r, struct error *e)
{
    static const char *const materials[] = {"helmholtz_panel", "mineral_wool", "heavy_curtain"};
    /* in units of the time step */
    static const struct wall_model elements = {
        .branches = {{60.0, 0.0, 0.0, 0}, {0.0, 0.0, 0.02, 0}, {0.0, 8.0, 0.0, 0}, {20.0, 1.5, 0.3, 0}},
        .branch_count = 4};
    /* A sheet before a gap, which resonates twice in the band, beside a spring. */
    static const struct wall_model gap = {
        .branches = {{2.0, 1.2, 0.01, 2}, {0.8, 0.02, 0.03, 0}, {0.5, 0.01, 0.2, 0}, {0.0, 0.5, 0.05, 0}},
        .branch_count = 4};
    const struct wall_model rigid = wall_probe_real(0.0);
    struct wall_model wall;
    double courant_squared;
    double *buffer = calloc((size_t)3 * STEPS, sizeof *buffer), *drive = buffer, *incident = buffer + STEPS,
           *total = buffer + (size_t)2 * STEPS;
    if (!buffer)
        return fail(e, ERROR_MEMORY, "out of memory");
    /* A zero-mean force makes a single wave of pressure with energy at every frequency of the
     * valid band. */
    spectrum_pulse(drive, STEPS, 4.0, 1);
    int status = cartesian7_courant_squared(0.0, &courant_squared, e) ||
                 record(v, (size_t)2 * CELLS, &rigid, drive, incident, e);
    for (size_t i = 0; i < sizeof materials / sizeof *materials && !status; i++)
        status = wall_probe_material(&wall, materials[i], e) ||
                 check_wall(v, r, materials[i], &wall, courant_squared, drive, incident, total, e);
    status = status || check_wall(v, r, "a mass, a spring, a resistance and a resonance", &elements, courant_squared,
                                  drive, incident, total, e);
    status = status || check_wall(v, r, "a branch with two tanks, and a spring", &gap, courant_squared, drive, incident,
                                  total, e);
    free(buffer);
    return status;
}
