/* SPDX-License-Identifier: MIT */
/* Level and delay of the direct sound in free field after the frequency map: |H| 4πr compared with
 * 1, phase delay with r/c, in five directions at about 40 cells, down to four points per
 * wavelength.
 *
 * The source is in the corner of a rigid box, which is an octant of free space; its mass of 1/8
 * there is equivalent to the whole. Reflections from the far walls arrive after the record, whose
 * end (slow waves above the band) is faded out. */
#include <stdlib.h>

#include "base/nan_max.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "validate/cartesian7/spectrum.h"
#include "validate/isotropic19/checks.h"
#include "validate/scene/scene.h"

enum { SIDE = 120, STEPS = 230, FADE = 100, FREQUENCIES = 60, DIRECTIONS = 5 };

static const size_t places[DIRECTIONS][3] = {{40, 0, 0}, {28, 28, 0}, {23, 23, 23}, {36, 18, 0}, {33, 16, 16}};

struct errors {
    double level, late, raw_level, raw_late; /* dB, samples: largest in the band; raw: without the map */
};

/* Largest errors of level and phase delay of h relative to e^{-jωr/c}/(4πr), f up to the end of
 * the band; mapped or not. */
static void judge(const double *h, double cells, bool mapped, double *level, double *late)
{
    const double courant = sqrt(ISOTROPIC19_COURANT_SQUARED), edge = courant / ISOTROPIC19_POINTS_PER_WAVELENGTH;
    double phase = 0.0;
    for (int k = 1; k <= FREQUENCIES; k++) {
        const double f = edge * k / FREQUENCIES, on_grid = mapped ? isotropic19_grid_frequency(f) : f;
        const double complex spectrum = spectrum_at(h, STEPS, on_grid) * (mapped ? isotropic19_gain(on_grid) : 1.0);
        const double complex ratio = spectrum * cexp(I * (2.0 * M_PI * f * cells / courant)) * (4.0 * M_PI * cells);
        phase += remainder(carg(ratio) - phase, 2.0 * M_PI); /* unwrapped */
        *level = nan_max(*level, fabs(20.0 * log10(cabs(ratio))));
        *late = nan_max(*late, fabs(phase / (2.0 * M_PI * f)));
    }
}

int check_isotropic19_free_field(struct validation *v, struct report *r, struct error *e)
{
    struct scene s;
    double *drive = calloc(STEPS, sizeof *drive), *taps = calloc((size_t)DIRECTIONS * STEPS, sizeof *taps);
    int status = drive && taps ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (scene_box(&s, SIDE, SIDE, SIDE, PRECISION_DOUBLE, e))
        status = -1;
    if (!status) {
        scene_use_corners(&s);
        scene_drive(&s, scene_point(&s, 0, 0, 0), ISOTROPIC19_COURANT_SQUARED);
        for (int d = 0; d < DIRECTIONS; d++)
            scene_tap(&s, scene_point(&s, places[d][0], places[d][1], places[d][2]), 1.0);
        drive[0] = 1.0;
        status = scene_run(&s, &v->choice, STEPS, drive, taps, e);
    }
    for (int d = 0; d < DIRECTIONS && !status; d++) {
        struct errors worst = {0};
        double *h = taps + d * STEPS;
        const double cells = hypot(hypot((double)places[d][0], (double)places[d][1]), (double)places[d][2]);
        for (size_t n = FADE; n < STEPS; n++)
            h[n] *= 0.5 + 0.5 * cos(M_PI * ((double)(n - FADE) + 0.5) / (STEPS - FADE));
        judge(h, cells, true, &worst.level, &worst.late);
        judge(h, cells, false, &worst.raw_level, &worst.raw_late);
        report_bound(
            r, "free-field", worst.level, 0.35,
            "(%zu %zu %zu), mapped, down to %g points per wavelength: error of the level, dB; without the map %.2f",
            places[d][0], places[d][1], places[d][2], ISOTROPIC19_POINTS_PER_WAVELENGTH, worst.raw_level);
        report_bound(r, "free-field", worst.late, 0.2, "    error of the phase delay, samples; without the map %.2f",
                     worst.raw_late);
    }
    scene_free(&s);
    free(drive);
    free(taps);
    return status;
}
