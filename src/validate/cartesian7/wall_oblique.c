/* SPDX-License-Identifier: MIT */
/* Walls with branches at oblique incidence: the measured reflection compared with the closed form
 * for the normal wavenumber.
 *
 * A duct of N points across y with rigid sides, driven with the weights cos(π (y+½)/N), carries
 * only its first transverse mode: a plane wave and its image, with the transverse wavenumber π/N,
 * incident on the end of the duct at the angle θ, tan θ = transverse over normal wavenumber on the
 * grid. N and θ determine the frequency. Two pickups with the same weights separate the incident
 * from the reflected wave (ISO 10534-2), so that the duct can be short. The end with the source is
 * roughly matched, so that the field decays within the record. */
#include <stdlib.h>

#include "base/nan_max.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "validate/cartesian7/checks.h"
#include "validate/cartesian7/spectrum.h"
#include "validate/cartesian7/wall_probe.h"

enum { LENGTH = 64, NEAR = 8, CASES = 5 };

/* One plane wave. */
struct incidence {
    size_t across;             /* N */
    double angle;              /* θ, radians */
    double transverse, normal; /* wavenumbers times the spacing */
    double frequency;          /* relative to the grid rate */
    size_t distance;           /* cells between the pickups: about a quarter of the normal wavelength */
    size_t steps;
};

static struct incidence make_incidence(double courant_squared, double degrees, size_t across, double frequency)
{
    struct incidence i = {.across = across, .angle = degrees * (M_PI / 180.0), .frequency = frequency};
    if (across > 1) {
        i.transverse = M_PI / (double)across;
        i.normal = i.transverse / tan(i.angle);
        i.frequency = asin(sqrt(courant_squared) * hypot(sin(0.5 * i.normal), sin(0.5 * i.transverse))) / M_PI;
    } else
        i.normal = cartesian7_wavenumber(courant_squared, frequency);
    i.distance = (size_t)fmax(1.0, round(0.5 * M_PI / i.normal));
    i.steps = (size_t)(300.0 / i.frequency);
    return i;
}

/* Entries of one transverse mode at x. */
static void fill_mode(struct scene *s, struct channel *c, size_t x, double transverse)
{
    const size_t across = s->problem.points[1];
    for (size_t y = c->count; y < across; y++) /* the first exists already */
        scene_extend(c, scene_point(s, x, y, 0), cos(transverse * ((double)y + 0.5)), c->entries[0].level);
}

static int record(struct validation *v, const struct incidence *i, const struct wall_model *wall, const double *drive,
                  double *taps, struct error *e)
{
    struct scene s;
    const size_t pickups[2] = {LENGTH - NEAR - i->distance, LENGTH - NEAR};
    const double first = cos(0.5 * i->transverse);
    if (scene_box(&s, LENGTH, i->across, 1, PRECISION_DOUBLE, e))
        return -1;
    s.outside[FACE_X_MIN] = CELL_SOLID + 2;
    s.leapfrog.admittance[CELL_SOLID + 2] = cos(i->angle);
    wall_probe_end(&s, wall);
    scene_drive(&s, scene_point(&s, 1, 0, 0), first);
    fill_mode(&s, &s.drives[0], 1, i->transverse);
    for (int k = 0; k < 2; k++) {
        scene_tap(&s, scene_point(&s, pickups[k], 0, 0), first);
        fill_mode(&s, &s.taps[k], pickups[k], i->transverse);
    }
    const int status = scene_run(&s, &v->choice, i->steps, drive, taps, e);
    scene_free(&s);
    return status;
}

/* With the pressure at the distances a > b from the face of the wall, P = A e^{iκd} + B
 * e^{-iκd}: R = B/A. */
static double complex separate(const struct incidence *i, const double *taps)
{
    const double b = NEAR - 0.5, a = b + (double)i->distance;
    const double complex far = spectrum_at(taps, i->steps, i->frequency);
    const double complex near = spectrum_at(taps + i->steps, i->steps, i->frequency);
    return (far * cexp(I * (i->normal * b)) - near * cexp(I * (i->normal * a))) /
           (near * cexp(-I * (i->normal * a)) - far * cexp(-I * (i->normal * b)));
}

/* Differences of the measured reflection from the closed form and from the continuum. */
static int compare(struct validation *v, const struct incidence *i, const struct wall_model *wall,
                   double courant_squared, double *grid, double *continuum, struct error *e)
{
    double *buffer = calloc(3 * i->steps, sizeof *buffer), *taps = buffer + i->steps;
    if (!buffer)
        return fail(e, ERROR_MEMORY, "out of memory");
    const double width = 4.0 / i->frequency; /* narrow band: little energy near the cut-off of the mode */
    for (size_t n = 0; n < i->steps; n++) {
        const double t = (double)n - 8.0 * width;
        buffer[n] = sin(2.0 * M_PI * i->frequency * t) * exp(-0.5 * t * t / (width * width));
    }
    const int status = record(v, i, wall, buffer, taps, e);
    if (!status) {
        const double complex measured = separate(i, taps), y = wall_probe_continuum(wall, i->frequency);
        const double complex closed = wall_probe_reflection(courant_squared, wall, i->frequency, i->normal);
        *grid = nan_max(*grid, cabs(measured - closed));
        *continuum = nan_max(*continuum, cabs(measured - (cos(i->angle) - y) / (cos(i->angle) + y)));
    }
    free(buffer);
    return status;
}

struct angle {
    double degrees;
    size_t across[CASES];    /* N; 1: the plane wave along the duct */
    double frequency[CASES]; /* if N is 1 */
};
static const struct angle angles[] = {
    {0.0, {1, 1, 1, 1, 1}, {0.01, 0.02, 0.035, 0.05, 0.07}},
    {30.0, {57, 29, 16, 12, 8}, {0}},
    {60.0, {33, 17, 10, 7, 5}, {0}},
};

static int check_angle(struct validation *v, struct report *r, const char *name, const struct wall_model *wall,
                       const struct angle *angle, double courant_squared, struct error *e)
{
    double grid = 0.0, continuum = 0.0, lowest = 1.0, highest = 0.0;
    for (int k = 0; k < CASES; k++) {
        const struct incidence i =
            make_incidence(courant_squared, angle->degrees, angle->across[k], angle->frequency[k]);
        lowest = fmin(lowest, i.frequency);
        highest = fmax(highest, i.frequency);
        if (compare(v, &i, wall, courant_squared, &grid, &continuum, e))
            return -1;
    }
    report_bound(r, "oblique", grid, 1e-4, "%s, %g degrees, %d frequencies from %.4f to %.4f fs: |R - closed form|",
                 name, angle->degrees, CASES, lowest, highest);
    report_figure(r, "oblique", continuum, "    |R - continuum|");
    return 0;
}

int check_wall_oblique(struct validation *v, struct report *r, struct error *e)
{
    struct wall_model walls[2] = {{.admittance = 0.0}, wall_probe_real(0.4)};
    static const char *const names[2] = {"heavy_curtain", "Y = 0.4"};
    double courant_squared;
    if (wall_probe_material(&walls[0], names[0], e) || cartesian7_courant_squared(0.0, &courant_squared, e))
        return -1;
    for (int w = 0; w < 2; w++)
        for (size_t a = 0; a < sizeof angles / sizeof *angles; a++)
            if (check_angle(v, r, names[w], &walls[w], &angles[a], courant_squared, e))
                return -1;
    return 0;
}
