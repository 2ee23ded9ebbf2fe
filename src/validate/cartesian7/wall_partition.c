/* SPDX-License-Identifier: MIT */
/* A partition across a duct at oblique incidence: the measured transmission compared with the closed form on the grid
 * and with a limp sheet.
 *
 * A duct along x with rigid sides, N voxels across y, is driven with the weights of its transverse mode of order 1: a
 * plane wave and its image, incident on the partition at the angle θ, tan θ = transverse over normal wavenumber on the
 * grid. N and θ determine the frequency. Two pickups on either side separate the waves that travel there. As the
 * partition is the same from both sides,
 *
 *     B = R A + T D,   C = T A + R D
 *
 * with A towards the partition and B away from it on the side of the source, C and D likewise beyond it. The ends of
 * the duct absorb, so that a pulse decays within the record. */
#include "validate/cartesian7/wall_partition.h"

#include <stdlib.h>

#include "base/nan_max.h"
#include "solver/schemes/isotropic19/isotropic19.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "solver/schemes/leapfrog/partition_waves.h"
#include "validate/cartesian7/checks.h"
#include "validate/cartesian7/spectrum.h"
#include "validate/scene/scene.h"

enum { SIDE = 24, THICKNESS = 2, LENGTH = 2 * SIDE + THICKNESS, SOURCE = 1, LAST = 400, CASES = 3 };
enum { PARTITION = CELL_SOLID + 1, SOURCE_END = CELL_SOLID + 2, FAR_END = CELL_SOLID + 3 };

/* One plane wave; wavenumbers times the spacing. */
struct incidence {
    enum air_stencil stencil;
    size_t across; /* N */
    double angle;  /* θ, radians */
    double transverse, normal, kappa, frequency;
    double courant;
    size_t apart; /* between the pickups of a side: about a quarter of the normal wavelength */
    size_t steps;
};

static struct incidence make_incidence(enum air_stencil stencil, double courant_squared, double degrees, size_t across,
                                       double frequency)
{
    static const double along_x[3] = {1.0, 0.0, 0.0};
    struct incidence i = {.stencil = stencil,
                          .across = across,
                          .angle = degrees * (M_PI / 180.0),
                          .frequency = frequency,
                          .courant = sqrt(courant_squared)};
    const bool corners = stencil == STENCIL_19_POINT;
    if (across == 1) {
        i.normal = i.kappa = corners ? isotropic19_wavenumber_along(frequency, along_x)
                                     : cartesian7_wavenumber(courant_squared, frequency);
    } else {
        i.transverse = M_PI / (double)across;
        i.normal = i.transverse / tan(i.angle);
        i.kappa = hypot(i.normal, i.transverse);
        const double direction[3] = {i.normal / i.kappa, i.transverse / i.kappa, 0.0};
        const double sine = corners ? sqrt(isotropic19_sine_squared(i.kappa, direction))
                                    : i.courant * hypot(sin(0.5 * i.normal), sin(0.5 * i.transverse));
        i.frequency = asin(sine) / M_PI;
    }
    const size_t quarter = (size_t)fmax(1.0, round(0.5 * M_PI / i.normal));
    i.apart = quarter < SIDE / 2 ? quarter : SIDE / 2;
    i.steps = (size_t)(250.0 / i.frequency);
    return i;
}

static double mode_at(const struct incidence *i, size_t y)
{
    return cos(i->transverse * ((double)y + (i->stencil == STENCIL_19_POINT ? 0.0 : 0.5)));
}

static void add_mode(const struct scene *s, struct channel *c, const struct incidence *i, size_t x, int8_t level)
{
    for (size_t z = 0; z < s->problem.points[2]; z++)
        for (size_t y = 0; y < s->problem.points[1]; y++)
            scene_extend(c, scene_point(s, x, y, z), mode_at(i, y), level);
}

/* Pickups: the far and the near one of the side of the source, the near and the far one beyond the partition. The near
 * ones are the points at its faces. */
static int record(struct validation *v, const struct incidence *i, const struct transmission *sheet, double *taps,
                  struct error *e)
{
    struct scene s;
    const bool corners = i->stencil == STENCIL_19_POINT;
    const size_t left = corners ? SIDE : SIDE - 1, right = SIDE + THICKNESS;
    const size_t pickups[4] = {left - i->apart, left, right, right + i->apart};
    const size_t from[3] = {SIDE, 0, 0}, to[3] = {SIDE + THICKNESS, i->across, 1};
    if (scene_box(&s, LENGTH, i->across, 1, PRECISION_DOUBLE, e))
        return -1;
    scene_fill(&s, from, to, PARTITION);
    s.outside[FACE_X_MIN] = SOURCE_END;
    s.outside[FACE_X_MAX] = FAR_END;
    if (corners)
        scene_use_corners(&s);
    s.leapfrog.transmission[PARTITION] = *sheet;
    s.leapfrog.admittance[SOURCE_END] = s.leapfrog.admittance[FAR_END] = cos(i->angle);
    add_mode(&s, &s.drives[s.problem.drive_count++], i, SOURCE, 1);
    for (size_t k = 0; k < 4; k++)
        add_mode(&s, &s.taps[s.problem.tap_count++], i, pickups[k], 0);
    struct solver_options one = v->choice;
    one.threads = 1;
    double *pulse = calloc(i->steps, sizeof *pulse);
    const double width = 4.0 / i->frequency; /* narrow band: little energy near the cut-off of the mode */
    for (size_t n = 0; n < i->steps && pulse; n++) {
        const double t = (double)n - 8.0 * width;
        pulse[n] = sin(2.0 * M_PI * i->frequency * t) * exp(-0.5 * t * t / (width * width));
    }
    const int status = pulse ? scene_run(&s, &one, i->steps, pulse, taps, e) : fail(e, ERROR_MEMORY, "out of memory");
    free(pulse);
    scene_free(&s);
    return status;
}

/* A e^{jκd} + B e^{-jκd} at the distances d = far and near from a face: waves[0] = A, waves[1] = B. */
static void separate(double complex waves[2], double kappa, double complex at_far, double complex at_near, double far,
                     double near)
{
    const double complex det = cexp(I * kappa * (far - near)) - cexp(I * kappa * (near - far));
    waves[0] = (at_far * cexp(-I * kappa * near) - at_near * cexp(-I * kappa * far)) / det;
    waves[1] = (at_near * cexp(I * kappa * far) - at_far * cexp(I * kappa * near)) / det;
}

static double complex measured(const struct incidence *i, const double *taps)
{
    const double near = i->stencil == STENCIL_19_POINT ? 0.0 : 0.5, far = near + (double)i->apart;
    double complex at[4], before[2], beyond[2];
    for (size_t k = 0; k < 4; k++)
        at[k] = spectrum_at(taps + k * i->steps, i->steps, i->frequency);
    separate(before, i->normal, at[0], at[1], far, near);
    separate(beyond, i->normal, at[3], at[2], far, near);
    const double complex a = before[0], b = before[1], c = beyond[1], d = beyond[0];
    return (a * c - b * d) / (a * a - d * d);
}

static double complex closed_form(const struct incidence *i, const struct transmission *sheet)
{
    const double kappa[3] = {i->normal, i->transverse, 0.0};
    return partition_passed(i->stencil, i->courant * i->courant, sheet, i->frequency, kappa);
}

/* 10 lg of τ(θ) = 1/|1 + z cos θ/(2ρc)|², z = r + jωm; the frequency is that of the wavenumber in air. */
static double sheet_level(const struct incidence *i, const struct transmission *sheet)
{
    const double complex z = sheet->resistance + I * i->courant * i->kappa * sheet->inertance;
    return -20.0 * log10(cabs(1.0 + 0.5 * cos(i->angle) * z));
}

struct errors {
    double grid, continuum, ringing;
};

static int compare(struct validation *v, const struct incidence *i, const struct transmission *sheet,
                   struct errors *worst, struct error *e)
{
    double *taps = calloc(4 * i->steps, sizeof *taps), peak = 0.0, last = 0.0;
    if (!taps)
        return fail(e, ERROR_MEMORY, "out of memory");
    const int status = record(v, i, sheet, taps, e);
    if (!status) {
        const double complex t = measured(i, taps), expected = closed_form(i, sheet);
        worst->grid = nan_max(worst->grid, cabs(t - expected) / cabs(expected));
        worst->continuum = nan_max(worst->continuum, fabs(20.0 * log10(cabs(t)) - sheet_level(i, sheet)));
    }
    for (size_t n = 0; n < 4 * i->steps && !status; n++) {
        peak = nan_max(peak, fabs(taps[n]));
        if (n % i->steps >= i->steps - LAST)
            last = nan_max(last, fabs(taps[n]));
    }
    worst->ringing = nan_max(worst->ringing, last / peak);
    free(taps);
    return status;
}

struct angle {
    double degrees;
    size_t across[CASES];    /* N; 1: the plane wave along the duct */
    double frequency[CASES]; /* if N is 1 */
};
/* Down to 17 points per wavelength, where a sheet on the grid is within 0.2 dB of a limp sheet. */
static const struct angle angles[] = {
    {0.0, {1, 1, 1}, {0.015, 0.025, 0.033}},
    {30.0, {32, 24, 17}, {0}},
    {60.0, {20, 13, 10}, {0}},
};

static int check_angle(struct validation *v, struct report *r, const char *check, enum air_stencil stencil,
                       const struct transmission *sheet, const struct angle *angle, struct error *e)
{
    double courant_squared = ISOTROPIC19_COURANT_SQUARED;
    struct errors worst = {0};
    double lowest = 1.0, highest = 0.0;
    if (stencil == STENCIL_7_POINT && cartesian7_courant_squared(0.0, &courant_squared, e))
        return -1;
    for (int k = 0; k < CASES; k++) {
        const struct incidence i = make_incidence(stencil, courant_squared, angle->degrees, angle->across[k],
                                                  angle->frequency[k] * (stencil == STENCIL_19_POINT ? 1.5 : 1.0));
        lowest = fmin(lowest, i.frequency);
        highest = fmax(highest, i.frequency);
        if (compare(v, &i, sheet, &worst, e))
            return -1;
    }
    report_bound(
        r, check, worst.continuum, 0.2,
        "D = %g, E = %g, %g degrees, %d frequencies from %.4f to %.4f fs: level difference from a limp sheet, dB",
        sheet->inertance, sheet->resistance, angle->degrees, CASES, lowest, highest);
    report_bound(r, check, worst.grid, 1e-5, "    |T/T of the grid - 1|");
    report_figure(r, check, worst.ringing, "    ringing at the end of the record relative to peak");
    return 0;
}

int partition_check(struct validation *v, struct report *r, enum air_stencil stencil, struct error *e)
{
    static const struct transmission sheets[] = {{3.5, 0.0}, {20.0, 0.5}, {300.0, 3.0}};
    for (size_t k = 0; k < sizeof sheets / sizeof *sheets; k++)
        for (size_t a = 0; a < sizeof angles / sizeof *angles; a++)
            if (check_angle(v, r, "partition", stencil, &sheets[k], &angles[a], e))
                return -1;
    return 0;
}

int check_wall_partition(struct validation *v, struct report *r, struct error *e)
{
    return partition_check(v, r, STENCIL_7_POINT, e);
}
