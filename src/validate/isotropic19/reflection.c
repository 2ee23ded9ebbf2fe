/* SPDX-License-Identifier: MIT */
/* Reflection at a flat wall, at three angles: measured, and compared with the closed form on the
 * grid.
 *
 * A duct along x with rigid sides, N voxels across y, is driven with the weights cos(π m y/N) and
 * carries only this mode: a plane wave and its image, incident on the end of the duct at the angle
 * θ, tan θ = transverse over normal wavenumber on the grid. N, m and θ determine the frequency.
 * Between the source and the wall, the field is exactly P = A e^{iκd} + B e^{-iκd} at the distance
 * d from the wall's points; two of its values give R = B/A. The duct is so short, and its other end
 * absorbs so much, that a pulse decays within the record. */
#include <stdlib.h>

#include "base/nan_max.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "validate/cartesian7/spectrum.h"
#include "validate/cartesian7/wall_probe.h"
#include "validate/isotropic19/checks.h"

enum { LENGTH = 6, SOURCE = 1, STEPS = 10000, LAST = 200, CASES = 6 };
static const double source_end = 0.5; /* specific admittance */

/* One plane wave; wavenumbers times the spacing. */
struct incidence {
    size_t across, mode; /* N, m */
    double angle;        /* θ, radians */
    double transverse, normal, frequency;
};

static struct incidence make_incidence(double degrees, size_t across, size_t mode, double frequency)
{
    static const double along_x[3] = {1.0, 0.0, 0.0};
    struct incidence i = {.across = across, .mode = mode, .angle = degrees * (M_PI / 180.0), .frequency = frequency};
    if (mode == 0) {
        i.normal = isotropic19_wavenumber_along(frequency, along_x);
        return i;
    }
    i.transverse = M_PI * (double)mode / (double)across;
    i.normal = i.transverse / tan(i.angle);
    const double kappa = hypot(i.normal, i.transverse);
    const double direction[3] = {i.normal / kappa, i.transverse / kappa, 0.0};
    i.frequency = asin(sqrt(isotropic19_sine_squared(kappa, direction))) / M_PI;
    return i;
}

/* Normal component of the wave's specific admittance on the grid, theory (37): A = λ (1 - (2/3)(s_y + s_z)) sin
 * κ_x/sin ωk. */
static double wave_admittance(const struct incidence *i)
{
    const double s = sin(0.5 * i->transverse);
    return sqrt(ISOTROPIC19_COURANT_SQUARED) * (1.0 - 2.0 / 3.0 * s * s) * sin(i->normal) /
           sin(2.0 * M_PI * i->frequency);
}

static int record(struct validation *v, const struct incidence *i, const struct wall_model *wall, double *taps,
                  struct error *e)
{
    struct scene s;
    if (scene_box(&s, LENGTH, i->across, 1, PRECISION_DOUBLE, e))
        return -1;
    scene_use_corners(&s);
    s.outside[FACE_X_MIN] = CELL_SOLID + 2;
    s.leapfrog.admittance[CELL_SOLID + 2] = source_end;
    wall_probe_end(&s, wall);
    scene_drive(&s, scene_point(&s, SOURCE, 0, 0), 1.0);
    scene_extend(&s.drives[0], scene_point(&s, SOURCE, 0, 1), 1.0, 1);
    for (size_t y = 1; y <= i->across; y++)
        for (size_t z = 0; z < 2; z++)
            scene_extend(&s.drives[0], scene_point(&s, SOURCE, y, z), cos(i->transverse * (double)y), 1);
    for (size_t k = 0; k < 2; k++)
        scene_tap(&s, scene_point(&s, LENGTH - 2 + k, 0, 0), 1.0);
    double *pulse = calloc(STEPS, sizeof *pulse);
    int status = pulse ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        pulse[0] = 1.0;
        pulse[1] = -1.0; /* zero mean: a real admittance keeps an offset */
        status = scene_run(&s, &v->choice, STEPS, pulse, taps, e);
    }
    free(pulse);
    scene_free(&s);
    return status;
}

/* taps: at the distances 2 and 1 from the wall. */
static double complex separate(const struct incidence *i, const double *taps)
{
    const double complex far = spectrum_at(taps, STEPS, i->frequency);
    const double complex near = spectrum_at(taps + STEPS, STEPS, i->frequency);
    return (far * cexp(I * i->normal) - near * cexp(I * (2.0 * i->normal))) /
           (near * cexp(-I * (2.0 * i->normal)) - far * cexp(-I * i->normal));
}

struct errors {
    double grid, continuum, ringing;
};

static int compare(struct validation *v, const struct incidence *i, const struct wall_model *wall, struct errors *worst,
                   struct error *e)
{
    double *taps = calloc((size_t)2 * STEPS, sizeof *taps), peak = 0.0, last = 0.0;
    if (!taps)
        return fail(e, ERROR_MEMORY, "out of memory");
    const int status = record(v, i, wall, taps, e);
    if (!status) {
        const double a = wave_admittance(i);
        const double complex measured = separate(i, taps), seen = wall_probe_discrete(wall, i->frequency);
        const double complex y = wall_probe_continuum(wall, i->frequency);
        worst->grid = nan_max(worst->grid, cabs(measured - (a - seen) / (a + seen)));
        worst->continuum = nan_max(worst->continuum, cabs(measured - (cos(i->angle) - y) / (cos(i->angle) + y)));
    }
    for (size_t n = 0; n < STEPS; n++) {
        peak = nan_max(peak, fabs(taps[n]));
        if (n >= STEPS - LAST)
            last = nan_max(last, fabs(taps[n]));
    }
    worst->ringing = nan_max(worst->ringing, last / peak);
    free(taps);
    return status;
}

/* Down to four points per wavelength. */
struct angle {
    double degrees;
    size_t across[CASES], mode[CASES];
    double frequency[CASES]; /* if the mode is 0: the plane wave along the duct */
};
static const struct angle angles[] = {
    {0.0, {1, 1, 1, 1, 1, 1}, {0}, {0.005, 0.02, 0.06, 0.11, 0.17, 0.2096}},
    {30.0, {57, 29, 16, 9, 5, 4}, {1, 1, 1, 1, 1, 1}, {0}},
    {60.0, {33, 17, 8, 4, 5, 7}, {1, 1, 1, 1, 2, 3}, {0}},
};

static int check_angle(struct validation *v, struct report *r, const char *name, const struct wall_model *wall,
                       const struct angle *angle, struct error *e)
{
    struct errors worst = {0};
    double lowest = 1.0, highest = 0.0;
    for (int k = 0; k < CASES; k++) {
        const struct incidence i =
            make_incidence(angle->degrees, angle->across[k], angle->mode[k], angle->frequency[k]);
        lowest = fmin(lowest, i.frequency);
        highest = fmax(highest, i.frequency);
        if (compare(v, &i, wall, &worst, e))
            return -1;
    }
    report_bound(r, "reflection", worst.grid, 1e-9,
                 "%s, %g degrees, %d frequencies from %.4f to %.4f fs: |R - closed form|", name, angle->degrees, CASES,
                 lowest, highest);
    report_figure(r, "reflection", worst.continuum, "    |R - continuum|, without the map and the wall factor");
    report_figure(r, "reflection", worst.ringing, "    ringing at the end of the record relative to peak");
    return 0;
}

int check_isotropic19_reflection(struct validation *v, struct report *r, struct error *e)
{
    /* in units of the time step */
    static const struct wall_model elements = {
        .branches = {{60.0, 0.0, 0.0, 0}, {0.0, 0.0, 0.02, 0}, {0.0, 8.0, 0.0, 0}, {20.0, 1.5, 0.3, 0}},
        .branch_count = 4};
    const struct wall_model walls[] = {wall_probe_real(0.05), wall_probe_real(0.5), wall_probe_real(1.0), elements};
    static const char *const names[] = {"Y = 0.05", "Y = 0.5", "Y = 1",
                                        "a mass, a spring, a resistance and a resonance"};
    for (size_t w = 0; w < sizeof walls / sizeof *walls; w++)
        for (size_t a = 0; a < sizeof angles / sizeof *angles; a++)
            if (check_angle(v, r, names[w], &walls[w], &angles[a], e))
                return -1;
    return 0;
}
