/* SPDX-License-Identifier: MIT */
/* A wall at the end of a tube at normal incidence: the measured reflection compared with the closed
 * form on the grid.
 *
 * A long tube without the wall gives the incident wave at the receiver. The difference from the
 * tube with the wall is the reflected wave, until a reflection returns from the other end. */
#include <stdlib.h>

#include "base/nan_max.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "validate/cartesian7/checks.h"
#include "validate/cartesian7/spectrum.h"
#include "validate/scene/scene.h"

enum { CELLS = 2000, RECEIVER = CELLS - 40, STEPS = 8000, FREQUENCIES = 40 };

/* Pressure at the receiver of a tube of `cells` points with admittance Y at its far end. */
static int record(struct validation *v, size_t cells, double admittance, const double *drive, double *taps,
                  struct error *e)
{
    struct scene s;
    if (scene_box(&s, cells, 1, 1, PRECISION_DOUBLE, e))
        return -1;
    s.outside[FACE_X_MAX] = CELL_SOLID + 1;
    s.leapfrog.admittance[CELL_SOLID + 1] = admittance;
    scene_drive(&s, scene_point(&s, 0, 0, 0), 1.0);
    scene_tap(&s, scene_point(&s, RECEIVER, 0, 0), 1.0);
    int status = scene_run(&s, &v->choice, STEPS, drive, taps, e);
    scene_free(&s);
    return status;
}

int check_reflection(struct validation *v, struct report *r, struct error *e)
{
    static const double admittances[] = {0.02, 0.1, 0.5, 1.0};
    double courant_squared;
    double *buffer = calloc(3 * STEPS, sizeof *buffer), *drive = buffer, *incident = buffer + STEPS,
           *total = incident + STEPS;
    if (!buffer)
        return fail(e, ERROR_MEMORY, "out of memory");
    spectrum_pulse(drive, STEPS, 6.0, 1);
    int status = cartesian7_courant_squared(0.0, &courant_squared, e) || record(v, 4 * CELLS, 0.0, drive, incident, e);
    for (size_t i = 0; i < sizeof admittances / sizeof *admittances && !status; i++) {
        const double y = admittances[i];
        double worst = 0.0, continuum = 0.0;
        if ((status = record(v, CELLS, y, drive, total, e)) != 0)
            break;
        for (size_t n = 0; n < STEPS; n++)
            total[n] -= incident[n];
        for (int k = 0; k < FREQUENCIES; k++) { /* 0.0013 (63 Hz at 48 kHz) to 0.083 (4 kHz) */
            double f = 0.0013 * pow(0.0833 / 0.0013, (double)k / (FREQUENCIES - 1)), closed[2];
            double kappa = cartesian7_wavenumber(courant_squared, f);
            double distance = (double)(CELLS - RECEIVER) - 0.5; /* cells, to the face of the wall */
            double complex measured =
                spectrum_at(total, STEPS, f) / spectrum_at(incident, STEPS, f) * cexp(I * (2.0 * kappa * distance));
            cartesian7_reflection(courant_squared, (const double[2]){y, 0.0}, f, kappa, closed);
            double difference = cabs(measured - (closed[0] + I * closed[1]));
            worst = nan_max(worst, difference);
            continuum = fmax(continuum, cabs(measured - (1.0 - y) / (1.0 + y)));
        }
        report_bound(r, "reflection", worst, 1e-4,
                     "tube, Y = %g, 63 Hz to 4 kHz at 48 kHz: |R - closed form on the grid|", y);
        report_figure(r, "reflection", continuum,
                      "    |R - continuum|: first-order error of the wall, largest at 4 kHz");
    }
    free(buffer);
    return status;
}
