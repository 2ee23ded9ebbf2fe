/* SPDX-License-Identifier: MIT */
/* Boxes with absorbing walls after the frequency map, compared with the exact continuum:
 * transfer functions in bands down to four points per wavelength. */
#include <stdlib.h>

#include "base/nan_max.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "validate/cartesian7/spectrum.h"
#include "validate/isotropic19/checks.h"
#include "validate/isotropic19/lossy_box.h"

enum { STEPS = 6000, FADE = STEPS / 20, RECEIVERS = 4, FREQUENCIES = 24 };

struct box_case {
    const char *name;
    size_t voxels[3], source[3], receivers[RECEIVERS][3];
};

/* Points per wavelength at both ends; bounds of |ΔH|/|H| and of the rms level error in dB; 0:
 * only reported. */
static const struct band {
    double from, to, difference, level;
} bands[] = {
    {9.0, 7.57, 0.0, 0.0}, {6.0, 5.0, 0.0, 0.0}, {5.0, 4.25, 0.06, 0.4}, {4.25, 4.0, 0.0, 0.0}, {5.0, 4.0, 0.0, 0.7}};

struct errors {
    double difference, reference, levels; /* sums of squares */
};

static void add_errors(struct errors *sum, const struct lossy_box *b, const struct box_case *c, const double *taps,
                       double kappa)
{
    const double f = sqrt(ISOTROPIC19_COURANT_SQUARED) * kappa / (2.0 * M_PI), on_grid = isotropic19_grid_frequency(f);
    for (int i = 0; i < RECEIVERS; i++) {
        const double complex exact = robin_field(&b->continuum, kappa, c->source, c->receivers[i]);
        const double complex mapped = isotropic19_gain(on_grid) * spectrum_at(taps + i * STEPS, STEPS, on_grid);
        const double level = 20.0 * log10(cabs(mapped) / cabs(exact));
        sum->difference += creal((mapped - exact) * conj(mapped - exact));
        sum->reference += creal(exact * conj(exact));
        sum->levels += level * level;
    }
}

static void judge(struct report *r, const struct lossy_box *b, const struct box_case *c, const double *taps)
{
    for (size_t k = 0; k < sizeof bands / sizeof *bands; k++) {
        const struct band *band = &bands[k];
        struct errors sum = {0};
        for (int i = 0; i < FREQUENCIES; i++) {
            const double low = 2.0 * M_PI / band->from, high = 2.0 * M_PI / band->to;
            add_errors(&sum, b, c, taps, low + (high - low) * i / (FREQUENCIES - 1));
        }
        const double difference = sqrt(sum.difference / sum.reference);
        const double level = sqrt(sum.levels / (RECEIVERS * FREQUENCIES));
        if (band->difference > 0.0)
            report_bound(r, "walls", difference, band->difference, "%s, %g to %g points per wavelength: |ΔH|/|H|",
                         c->name, band->from, band->to);
        else
            report_figure(r, "walls", difference, "%s, %g to %g points per wavelength: |ΔH|/|H|", c->name, band->from,
                          band->to);
        if (band->level > 0.0)
            report_bound(r, "walls", level, band->level, "    rms error of the level, dB");
        else
            report_figure(r, "walls", level, "    rms error of the level, dB");
    }
}

static int check_box(struct validation *v, struct report *r, const struct box_case *c,
                     const struct material materials[3], struct error *e)
{
    struct lossy_box b;
    double *drive = calloc((size_t)(1 + RECEIVERS) * STEPS, sizeof *drive), *taps = drive + STEPS;
    if (!drive)
        return fail(e, ERROR_MEMORY, "out of memory");
    int status = lossy_box_make(&b, c->voxels, materials, e);
    if (!status) {
        const uint64_t source = scene_point(&b.scene, c->source[0], c->source[1], c->source[2]);
        scene_drive(&b.scene, source, scene_source_weight(&b.scene, source));
        for (int i = 0; i < RECEIVERS; i++)
            scene_tap(&b.scene, scene_point(&b.scene, c->receivers[i][0], c->receivers[i][1], c->receivers[i][2]), 1.0);
        drive[0] = 1.0;
        status = scene_run(&b.scene, &v->choice, STEPS, drive, taps, e);
        for (size_t i = 0; i < (size_t)RECEIVERS * STEPS; i++) {
            const size_t left = STEPS - i % STEPS;
            taps[i] *= left < FADE ? 0.5 - 0.5 * cos(M_PI * (double)left / FADE) : 1.0;
        }
        if (!status)
            judge(r, &b, c, taps);
        scene_free(&b.scene);
    }
    free(drive);
    return status;
}

int check_isotropic19_walls(struct validation *v, struct report *r, struct error *e)
{
    static const struct box_case cases[] = {
        {"box of Y = 0.3", {24, 20, 16}, {6, 4, 4}, {{18, 12, 10}, {10, 16, 6}, {22, 6, 12}, {4, 14, 14}}},
        {"box of resonators, a porous wall and plaster",
         {20, 16, 12},
         {5, 3, 4},
         {{15, 10, 8}, {9, 13, 5}, {18, 5, 9}, {12, 12, 3}}}};
    const struct material absorbing = {.name = "Y = 0.3", .kind = MATERIAL_IMPEDANCE, .impedance = 1.0 / 0.3};
    const struct material plaster = {.name = "plaster", .kind = MATERIAL_IMPEDANCE, .impedance = 1.0 / 0.03};
    const struct material panel = {.name = "panel and slot",
                                   .kind = MATERIAL_BRANCHES,
                                   .branches = {lossy_resonator(300.0, 4.0, 0.4), lossy_resonator(1600.0, 6.0, 0.5)},
                                   .branch_count = 2};
    /* 50 mm of 12 kPa s/m² in front of a rigid wall, by Miki, J. Acoust. Soc. Jpn. (E) 11(1),
     * 19-24, 1990: four branches, within 0.001 of its Y from 60 to 2300 Hz */
    const struct material porous = {.name = "porous",
                                    .kind = MATERIAL_BRANCHES,
                                    .branches = {{0.00112266, 79.4954, 73344.3, 0},
                                                 {0.000141356, 1.33883, 9544.88, 0},
                                                 {0.000465672, 3.13726, 24188.2, 0},
                                                 {1.36413e-05, 0.591627, 26836.0, 0}},
                                    .branch_count = 4};
    const struct material first[3] = {absorbing, absorbing, absorbing}, second[3] = {panel, porous, plaster};
    return check_box(v, r, &cases[0], first, e) || check_box(v, r, &cases[1], second, e);
}
