/* SPDX-License-Identifier: MIT */
/* The air on both sides lowers the lowest mode of a membrane in an infinite baffle to f0/sqrt(1
 * + 2 β ρa/ρH), for wavelengths much longer than the membrane; β ρa is the mass of air on one
 * side that moves with the shape J0. The baffle is the plane of the membrane, with its links
 * cut; the box is twelve radii long, wide and high, with rigid walls. */
#include <math.h>
#include <stdlib.h>

#include "render/synth/air_coupling.h"
#include "validate/bodies/checks.h"
#include "validate/bodies/partial.h"
#include "validate/bodies/synth_rig.h"

enum { CELLS_A_RADIUS = 10, RADII = 12, CELLS = CELLS_A_RADIUS * RADII };

static const double radius = 0.4, bessel_zero = 2.404825557695773;
/* β for the shape J0(j r/a) in a rigid baffle, for small k a (theory (75)). */
static const double added_mass = 0.746;
/* ω0 a/c: for slower membranes the air in the box acts as a spring; for faster ones its lowest
 * mode is close */
static const double size_parameter = 0.55;

/* β of the finite box at wavenumber k: J0's shape expanded in the cosines that fit between the
 * walls, each of which drives an evanescent or a standing wave across half the box. */
static double mass_in_box(double k)
{
    enum { TERMS = 150 };
    const double length = RADII * radius, depth = 0.5 * length, j1_squared = j1(bessel_zero) * j1(bessel_zero);
    double sum = 0.0;
    for (int m = 0; m < TERMS; m++)
        for (int n = 0; n < TERMS; n++) {
            const double q = 2.0 * M_PI * hypot(m, n) / length, qa = q * radius;
            const double across = 2.0 * M_PI * radius * radius * bessel_zero * j1(bessel_zero) * j0(qa) /
                                  (bessel_zero * bessel_zero - qa * qa);
            const double g = sqrt(fabs(q * q - k * k));
            sum += (m ? 2.0 : 1.0) * (n ? 2.0 : 1.0) * across * across *
                   (q > k ? 1.0 / tanh(g * depth) : -1.0 / tan(g * depth)) / g;
        }
    return sum / (length * length * M_PI * radius * radius * j1_squared) / radius;
}

/* f/f0 in the box: ω0² - ω² = 2 β(ω/c) ρa/ρH ω². */
static double ratio_in_box(double ratio)
{
    double low = 0.3, high = 0.95;
    for (int i = 0; i < 40; i++) {
        const double f = 0.5 * (low + high);
        if (1.0 - f * f > 2.0 * mass_in_box(f * size_parameter / radius) * ratio * f * f)
            low = f;
        else
            high = f;
    }
    return low;
}

static int add_baffle(struct rig *r, struct error *e)
{
    struct ensemble *s = r->ensemble;
    const size_t layer = (size_t)lround(s->voices[0].plane / r->model->grid.spacing) - 1;
    for (size_t y = 0; y < CELLS; y++)
        for (size_t x = 0; x < CELLS; x++)
            if (cut_link(&s->cuts, r->model, (size_t[3]){x, y, layer}, FACE_Z_MAX, "the baffle of ", "head", e))
                return -1;
    if (cut_list_finish(&s->cuts, r->model, e))
        return -1;
    s->bodies.cuts = s->cuts.cuts;
    s->bodies.cut_count = s->cuts.count;
    return 0;
}

static double j0_shape(const struct pattern *p, double x, double y)
{
    return j0(bessel_zero * hypot(x, y) / p->radius);
}

/* Frequency in Hz, excited and recorded in the shape of the mode. */
static int measure_frequency(double *frequency, struct rig *r, struct validation *v, double in_vacuo, struct error *e)
{
    const size_t steps = (size_t)(7.0 / (0.6 * in_vacuo) * r->model->grid.rate);
    struct problem *p = &r->problem.problem;
    const struct channel *taps = p->taps, *drives = p->drives;
    struct channel shape = {NULL, 0};
    double *buffer = calloc(2 * steps, sizeof *buffer), *heard = buffer + steps;
    int status = buffer ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    status =
        status || rig_pattern(&shape, &r->ensemble->voices[0], &(struct pattern){.at = j0_shape, .radius = radius}, e);
    if (!status) {
        buffer[0] = 1.0;
        p->taps = p->drives = &shape;
        p->tap_count = p->drive_count = 1;
        status = rig_run(r, &v->choice, steps, buffer, heard, e);
        p->taps = taps;
        p->drives = drives;
        p->tap_count = 0;
    }
    if (!status) {
        partial_brighten(heard, steps);
        *frequency = partial_find(heard, steps, r->model->grid.rate, 0.4 * in_vacuo, 0.9 * in_vacuo).frequency;
    }
    free(shape.entries);
    free(buffer);
    return status;
}

static int check_density(struct validation *v, struct report *r, double ratio /* ρa/ρH */, struct error *e)
{
    struct rig rig;
    rig_begin(&rig, 1.0);
    const struct air_conditions air = air_conditions(&rig.room);
    const double c = sound_speed(air.temperature), density = air_density(&air) * radius / ratio;
    const double in_vacuo = size_parameter * c / (2.0 * M_PI * radius);
    rig.room.grid.rate = 0.0; /* the spacing determines the rate: at the frequency c, a wavelength is one metre */
    rig.room.grid.max_frequency = c;
    rig.room.grid.points_per_wavelength = CELLS_A_RADIUS / radius;
    rig.room.sized_by_points = true;
    for (int axis = 0; axis < 3; axis++)
        rig.room.points[axis] = CELLS;
    struct instrument *i = rig_instrument(&rig, INSTRUMENT_MEMBRANE);
    i->outline = OUTLINE_CIRCLE;
    i->radius = radius;
    i->surface_density = density;
    i->tension = density * pow(2.0 * M_PI * in_vacuo * radius / bessel_zero, 2.0);
    i->cells = 2 * CELLS_A_RADIUS;
    for (int axis = 0; axis < 3; axis++)
        i->position[axis] = 0.5 * RADII * radius;
    double loaded = NAN;
    const int status =
        rig_build(&rig, true, e) || add_baffle(&rig, e) || measure_frequency(&loaded, &rig, v, in_vacuo, e);
    rig_end(&rig);
    if (status)
        return -1;
    const double expected = 1.0 / sqrt(1.0 + 2.0 * added_mass * ratio), found = loaded / in_vacuo;
    report_bound(
        r, "loading", 100.0 * fabs(found / expected - 1.0), 3.0,
        "baffled membrane of %.3g kg/m2, f/f0 = %.4f, expected from the added mass of a J0 mode %.4f: error, %%",
        density, found, expected);
    const double in_box = ratio_in_box(ratio);
    report_bound(r, "loading", 100.0 * fabs(found / in_box - 1.0), 1.0,
                 "    expected from the response of the air in this box %.4f: error, %%", in_box);
    return 0;
}

/* The second run uses the grid of the first, including the engine's cached tuning. */
int check_synth_loading(struct validation *v, struct report *r, struct error *e)
{
    return check_density(v, r, 0.746, e) || check_density(v, r, 1.242, e);
}
