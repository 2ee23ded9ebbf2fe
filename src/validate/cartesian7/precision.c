/* SPDX-License-Identifier: MIT */
/* Single precision compared with double precision at the same λ², over one second. */
#include <math.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "validate/cartesian7/checks.h"
#include "validate/cartesian7/spectrum.h"
#include "validate/scene/scene.h"

enum { RATE = 16000 };

static int respond(struct validation *v, enum precision precision, const double *drive, double *taps, struct error *e)
{
    struct scene s;
    if (scene_box(&s, 43, 37, 29, precision, e))
        return -1;
    for (int face = 0; face < 6; face++) {
        s.outside[face] = (uint8_t)(CELL_SOLID + face);
        s.leapfrog.admittance[CELL_SOLID + face] = 0.03 + 0.02 * face;
    }
    scene_drive(&s, scene_point(&s, 9, 11, 7), s.leapfrog.courant_squared);
    scene_tap(&s, scene_point(&s, 31, 22, 19), 1.0);
    int status = scene_run(&s, &v->choice, RATE, drive, taps, e);
    scene_free(&s);
    return status;
}

int check_precision(struct validation *v, struct report *r, struct error *e)
{
    double *buffer = calloc(3 * RATE, sizeof *buffer), *drive = buffer, *wide = buffer + RATE, *narrow = wide + RATE;
    if (!buffer)
        return fail(e, ERROR_MEMORY, "out of memory");
    spectrum_pulse(drive, RATE, 3.0, 1);
    for (size_t n = 0; n < RATE; n++)
        wide[n] = narrow[n] = NAN;
    int status = respond(v, PRECISION_DOUBLE, drive, wide, e) || respond(v, PRECISION_SINGLE, drive, narrow, e);
    double peak = 0.0, worst = 0.0, power = 0.0, error_power = 0.0;
    for (size_t n = 0; n < RATE && !status; n++) {
        double difference = fabs(wide[n] - narrow[n]);
        peak = fmax(peak, fabs(wide[n]));
        worst = nan_max(worst, difference);
        power += wide[n] * wide[n];
        error_power += difference * difference;
    }
    if (!status) {
        report_bound(r, "precision", 20.0 * log10(worst / peak), -90.0,
                     "single compared with double precision, 1 s at 16 kHz: largest difference relative to peak, dB");
        report_bound(r, "precision", 10.0 * log10(error_power / power), -90.0,
                     "    energy of the difference relative to the signal, dB");
    }
    free(buffer);
    return status;
}
