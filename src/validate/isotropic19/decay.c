/* SPDX-License-Identifier: MIT */
/* Decay times of single modes of a box with absorbing walls after the frequency map, compared with
 * the exact continuum.
 *
 * A mode is driven and picked up with its shape in the continuum, so that other modes are hardly
 * excited. Near its resonance the spectrum of the response is a pole plus a straight line; the
 * pole, a complex frequency of the grid, is mapped. */
#include <stdlib.h>

#include "base/nan_max.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "validate/cartesian7/spectrum.h"
#include "validate/isotropic19/checks.h"
#include "validate/isotropic19/lossy_box.h"

enum { STEPS = 6000, POINTS = 41, UNKNOWNS = 3 };
static const double farthest = 6.0, reach = 1.5; /* points per wavelength of the lowest mode; half-widths of the fit */
static const size_t voxels[3] = {21, 16, 13};

/* κ at a complex angular frequency of the grid times the time step. */
static double complex mapped_wavenumber(double complex omega)
{
    const double complex sine = csin(0.5 * omega), phi = sine * sine / ISOTROPIC19_COURANT_SQUARED;
    const double complex axis = 2.0 * casin(csqrt(phi));
    const double complex diagonal = 2.0 * sqrt(3.0) * casin(csqrt(0.25 * (3.0 - csqrt(9.0 - 8.0 * phi))));
    return 2.0 * axis * diagonal / (axis + diagonal);
}

/* Angular frequency of the grid times the time step, of a real κ. */
static double grid_omega(double kappa)
{
    return 2.0 * M_PI * isotropic19_grid_frequency(sqrt(ISOTROPIC19_COURANT_SQUARED) * kappa / (2.0 * M_PI));
}

/* Least squares of H x = x0 H + a + b x: x0, the pole. */
static double complex find_pole(const double complex *h, const double *x, size_t count)
{
    double complex a[UNKNOWNS][UNKNOWNS + 1] = {{0}};
    for (size_t i = 0; i < count; i++) {
        const double complex row[UNKNOWNS + 1] = {h[i], 1.0, x[i], h[i] * x[i]};
        for (int k = 0; k < UNKNOWNS; k++)
            for (int m = 0; m <= UNKNOWNS; m++)
                a[k][m] += conj(row[k]) * row[m];
    }
    for (int k = UNKNOWNS - 1; k >= 0; k--) /* the last unknown first; the remainder of row 0 is x0 */
        for (int i = 0; i < k; i++) {
            const double complex factor = a[i][k] / a[k][k];
            for (int m = 0; m <= UNKNOWNS; m++)
                a[i][m] -= factor * a[k][m];
        }
    return a[0][UNKNOWNS] / a[0][0];
}

/* The response of the mode's shape to excitation by its shape. */
static int respond(double *taps, struct validation *v, const struct material materials[3], const size_t m[3],
                   double complex *exact, struct error *e)
{
    struct lossy_box b;
    double complex q[3];
    double *drive = calloc(STEPS, sizeof *drive);
    if (!drive)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (lossy_box_make(&b, voxels, materials, e)) {
        free(drive);
        return -1;
    }
    *exact = robin_mode(&b.continuum, m, q);
    const size_t *n = b.scene.problem.points;
    for (size_t i = 0; i < n[0] * n[1] * n[2]; i++) {
        const size_t at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
        double shape = 1.0, mass = 1.0;
        for (int axis = 0; axis < 3; axis++) {
            shape *= creal(robin_shape(b.continuum.length[axis], m[axis], q[axis], (double)at[axis]));
            mass *= at[axis] == 0 || at[axis] + 1 == n[axis] ? 0.5 : 1.0;
        }
        if (i == 0) {
            scene_drive(&b.scene, i, shape);
            scene_tap(&b.scene, i, mass * shape);
            continue;
        }
        scene_extend(&b.scene.drives[0], i, shape, 1);
        scene_extend(&b.scene.taps[0], i, mass * shape, 0);
    }
    drive[0] = 1.0;
    const int status = scene_run(&b.scene, &v->choice, STEPS, drive, taps, e);
    scene_free(&b.scene);
    free(drive);
    return status;
}

struct errors {
    double decay, mean, frequency; /* mean: the sum, until it is reported */
};

static int check_mode(struct errors *errors, struct validation *v, const struct material materials[3],
                      const size_t m[3], struct error *e)
{
    double *taps = malloc(STEPS * sizeof *taps), x[POINTS];
    double complex spectrum[POINTS], exact = 0.0;
    if (!taps)
        return fail(e, ERROR_MEMORY, "out of memory");
    const int status = respond(taps, v, materials, m, &exact, e);
    if (!status) {
        const double centre = grid_omega(creal(exact)), width = grid_omega(creal(exact) + cimag(exact)) - centre;
        for (int i = 0; i < POINTS; i++) {
            x[i] = reach * (2.0 * i / (POINTS - 1) - 1.0);
            spectrum[i] = spectrum_at(taps, STEPS, (centre + width * x[i]) / (2.0 * M_PI));
        }
        const double complex found = mapped_wavenumber(centre + width * find_pole(spectrum, x, POINTS));
        const double decay = cimag(exact) / cimag(found) - 1.0; /* relative error of the decay time */
        errors->decay = nan_max(errors->decay, fabs(decay));
        errors->frequency = nan_max(errors->frequency, fabs(creal(found) / creal(exact) - 1.0));
        errors->mean += decay;
    }
    free(taps);
    return status;
}

/* Mode `index` among those between the lowest and the upper end of the band; false beyond the
 * last. */
static bool mode_at(size_t index, size_t m[3], size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < (voxels[0] + 1) * (voxels[1] + 1) * (voxels[2] + 1); i++) {
        const size_t at[3] = {i % (voxels[0] + 1), i / (voxels[0] + 1) % (voxels[1] + 1),
                              i / (voxels[0] + 1) / (voxels[1] + 1)};
        double square = 0.0;
        for (int axis = 0; axis < 3; axis++)
            square += pow(M_PI * (double)at[axis] / (double)voxels[axis], 2.0);
        const double points = 2.0 * M_PI / sqrt(square);
        if (!(points <= farthest && points >= ISOTROPIC19_POINTS_PER_WAVELENGTH))
            continue;
        if ((*count)++ == index) {
            for (int axis = 0; axis < 3; axis++)
                m[axis] = at[axis];
            return true;
        }
    }
    return false;
}

/* A number of modes, spread over the band. */
static int check_modes(struct errors *errors, struct validation *v, struct report *r,
                       const struct material materials[3], size_t checked, const char *what, double bound,
                       struct error *e)
{
    size_t m[3] = {0}, modes, count;
    *errors = (struct errors){0};
    mode_at(SIZE_MAX, m, &modes);
    for (size_t i = 0; i < checked; i++)
        if (!mode_at((2 * i + 1) * modes / (2 * checked), m, &count) || check_mode(errors, v, materials, m, e))
            return -1;
    report_bound(r, "decay", 100.0 * errors->decay, bound,
                 "%zu of %zu modes from %g to %g points per wavelength, %s: largest error of the decay time, %%",
                 checked, modes, farthest, ISOTROPIC19_POINTS_PER_WAVELENGTH, what);
    report_figure(r, "decay", 100.0 * errors->mean / (double)checked, "    mean");
    return 0;
}

int check_isotropic19_decay(struct validation *v, struct report *r, struct error *e)
{
    const struct material resonant = {.name = "resonator",
                                      .kind = MATERIAL_BRANCHES,
                                      .branches = {lossy_resonator(1500.0, 5.0, 0.10)},
                                      .branch_count = 1};
    const struct material hard = {.name = "hard", .kind = MATERIAL_IMPEDANCE, .impedance = 1.0 / 0.02};
    const struct material carpet = {
        .name = "carpet",
        .kind = MATERIAL_LAYERS,
        .layered = {.layers = {{.kind = LAYER_POROUS, .thickness = 0.006, .flow_resistivity = 2e4}},
                    .count = 1,
                    .sound_speed = 343.2,
                    .density = 1.2041}};
    const struct material panel = {
        .name = "panel",
        .kind = MATERIAL_LAYERS,
        .layered = {.layers = {{.kind = LAYER_PERFORATED, .thickness = 0.012, .hole = 0.005, .spacing = 0.04},
                               {.kind = LAYER_POROUS, .thickness = 0.03, .flow_resistivity = 1e4},
                               {.kind = LAYER_AIR, .thickness = 0.05}},
                    .count = 3,
                    .sound_speed = 343.2,
                    .density = 1.2041}};
    const struct material branches[3] = {resonant, hard, hard}, layers[3] = {carpet, panel, hard};
    struct errors errors;
    if (check_modes(&errors, v, r, branches, 20, "a resonator and Y = 0.02", 2.5, e))
        return -1;
    report_figure(r, "decay", 100.0 * errors.frequency, "    largest error of the frequency, %%");
    /* The largest error is that of a mode which the springy carpets bind to their surface. */
    if (check_modes(&errors, v, r, layers, 8, "a thin carpet, a perforated panel and Y = 0.02", 4.5, e))
        return -1;
    report_bound(r, "decay", 100.0 * errors.frequency, 0.2, "    largest error of the frequency, %%");
    return 0;
}
