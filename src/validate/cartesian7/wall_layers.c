/* SPDX-License-Identifier: MIT */
/* An impedance tube: shipped constructions of layers at the end of a duct, both schemes, normal incidence. |R| is compared
 * with that of the exact layers.
 *
 * Between the source and the wall, the field on the grid is exactly P = A e^{iκd} + B e^{-iκd} at the distance d from the
 * wall; two of its values give R = B/A, as two microphones do in ISO 10534-2. The duct is so short, and its other end
 * absorbs so much, that a pulse decays within the record.
 *
 * The pressure of the 7-point scheme is half a cell before the wall, an error of first order that spoils small |R|. There,
 * R is also compared with the closed form on the grid. */
#include <stdlib.h>

#include "base/nan_max.h"
#include "room/layers/layers.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "validate/cartesian7/checks.h"
#include "validate/cartesian7/spectrum.h"
#include "validate/cartesian7/wall_probe.h"

enum { LENGTH = 6, SOURCE = 1, STEPS = 12000, LAST = 300, FREQUENCIES = 60 };
static const double source_end = 0.5; /* specific admittance */
static const double lowest = 63.0;    /* Hz */
static const double least = 0.1;      /* |R|: -20 dB */

/* A grid for an edge of 2 kHz. */
struct tube {
    const char *scheme;
    struct wall_discretization clock;
    double courant_squared; /* of the 7-point scheme */
    double offset;          /* of the wall from the last point, in cells */
};

static int record(struct validation *v, const struct tube *tube, const struct wall_model *wall, double *taps,
                  struct error *e)
{
    struct scene s;
    const bool corners = tube->clock.mapped;
    if (scene_box(&s, LENGTH, 1, 1, PRECISION_DOUBLE, e))
        return -1;
    if (corners)
        scene_use_corners(&s);
    s.outside[FACE_X_MIN] = CELL_SOLID + 2;
    s.leapfrog.admittance[CELL_SOLID + 2] = source_end;
    wall_probe_end(&s, wall);
    scene_drive(&s, scene_point(&s, SOURCE, 0, 0), 1.0);
    for (size_t corner = 1; corner < 4 && corners; corner++)
        scene_extend(&s.drives[0], scene_point(&s, SOURCE, corner / 2, corner % 2), 1.0, 1);
    const size_t last = corners ? LENGTH : LENGTH - 1; /* point */
    scene_tap(&s, scene_point(&s, last - 2, 0, 0), 1.0);
    scene_tap(&s, scene_point(&s, last - 1, 0, 0), 1.0);
    double *pulse = calloc(STEPS, sizeof *pulse);
    int status = pulse ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        spectrum_pulse(pulse, STEPS, 1.0, 1);
        status = scene_run(&s, &v->choice, STEPS, pulse, taps, e);
    }
    free(pulse);
    scene_free(&s);
    return status;
}

/* R at a true frequency, Hz. */
static double complex measured(const struct tube *tube, const double *taps, double frequency)
{
    static const double along_x[3] = {1.0, 0.0, 0.0};
    const double on_grid = wall_discretization_grid_frequency(&tube->clock, frequency) / tube->clock.rate;
    const double kappa = tube->clock.mapped ? isotropic19_wavenumber_along(on_grid, along_x)
                                            : cartesian7_wavenumber(tube->courant_squared, on_grid);
    const double complex far = spectrum_at(taps, STEPS, on_grid), near = spectrum_at(taps + STEPS, STEPS, on_grid);
    const double d = 1.0 + tube->offset;
    return (far * cexp(I * (kappa * d)) - near * cexp(I * (kappa * (d + 1.0)))) /
           (near * cexp(-I * (kappa * (d + 1.0))) - far * cexp(-I * (kappa * d)));
}

static double complex closed_form(const struct tube *tube, const struct wall_model *wall, double frequency)
{
    const double f = frequency / tube->clock.rate;
    return wall_probe_reflection(tube->courant_squared, wall, f, cartesian7_wavenumber(tube->courant_squared, f));
}

static void report_wall(struct report *r, const struct tube *tube, const char *name, const struct wall_model *wall,
                        const double *taps)
{
    double worst = 0.0, at = 0.0, deepest = 1.0, closed = 0.0, peak = 0.0, last = 0.0;
    for (int k = 0; k < FREQUENCIES; k++) {
        const double f = lowest * pow(tube->clock.edge / lowest, (double)k / (FREQUENCIES - 1));
        const double complex y = layers_admittance(&wall->material.layers, f, 0.0);
        const double exact = cabs((1.0 - y) / (1.0 + y));
        deepest = fmin(deepest, exact);
        if (exact < least)
            continue;
        const double complex found = measured(tube, taps, f);
        const double off = fabs(20.0 * log10(cabs(found) / exact));
        if (!tube->clock.mapped)
            closed = nan_max(closed, cabs(found - closed_form(tube, wall, f)));
        at = off <= worst ? at : f;
        worst = nan_max(worst, off);
    }
    for (size_t n = 0; n < STEPS; n++) {
        peak = nan_max(peak, fabs(taps[n]));
        last = n < STEPS - LAST ? last : nan_max(last, fabs(taps[n]));
    }
    const char *what = "%s, %s, 63 Hz to %g Hz: |R| against the layers, dB, down to -20 dB";
    if (tube->clock.mapped)
        report_bound(r, "layers", worst, 0.6, what, name, tube->scheme, tube->clock.edge);
    else
        report_figure(r, "layers", worst, what, name, tube->scheme, tube->clock.edge);
    if (!tube->clock.mapped)
        report_bound(r, "layers", closed, 1e-4, "    |R - closed form on the grid|");
    report_figure(r, "layers", at, "    at, Hz");
    report_figure(r, "layers", 20.0 * log10(deepest), "    least |R|, dB");
    report_figure(r, "layers", last / peak, "    ringing at the end of the record relative to peak");
}

int check_wall_layers(struct validation *v, struct report *r, struct error *e)
{
    static const char *const names[] = {"mineral_wool_50mm",     "membrane_absorber",   "perforated_gypsum_absorber",
                                        "microperforated_glass", "carpet_on_hair_felt", "suspended_tile"};
    double courant_squared;
    if (cartesian7_courant_squared(0.0, &courant_squared, e))
        return -1;
    const double edge = 2000.0;
    const double rate = edge * ISOTROPIC19_POINTS_PER_WAVELENGTH / sqrt(ISOTROPIC19_COURANT_SQUARED);
    const struct tube tubes[] = {
        {"19-point", {rate, true, edge}, 0.0, 0.0},
        {"7-point, 48 kHz", {WALL_PROBE_RATE, false, edge}, courant_squared, 0.5},
    };
    double *taps = calloc((size_t)2 * STEPS, sizeof *taps);
    int status = taps ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < sizeof names / sizeof *names && !status; i++)
        for (size_t k = 0; k < sizeof tubes / sizeof *tubes && !status; k++) {
            struct wall_model wall;
            status =
                wall_probe_material_on(&wall, names[i], &tubes[k].clock, e) || record(v, &tubes[k], &wall, taps, e);
            if (!status)
                report_wall(r, &tubes[k], names[i], &wall, taps);
        }
    free(taps);
    return status ? -1 : 0;
}
