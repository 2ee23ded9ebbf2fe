/* SPDX-License-Identifier: MIT */
/* Microphones with any axis and position: their nulls and patterns in plane waves of the grid,
 * at 14 positions in a cell. */
#include <math.h>
#include <stdlib.h>

#include "base/nan_max.h"
#include "room/room.h"
#include "validate/space/checks.h"
#include "validate/space/rig.h"

enum { DIRECTIONS = 60, FREQUENCIES = 16 };

/* α + (1 - α) u · (X, Y, Z) for a wave from d, real and imaginary part. */
static void response_of(double value[2], const struct field_stencil *s, const struct grid_waves *waves, double pressure,
                        const double axis[3], double frequency, const double d[3])
{
    double values[FIELD_CHANNELS_MAX][2];
    field_stencil_response(values, s, waves, frequency, d);
    for (int part = 0; part < 2; part++)
        value[part] =
            pressure * values[0][part] +
            (1.0 - pressure) * (axis[1] * values[1][part] + axis[2] * values[2][part] + axis[0] * values[3][part]);
}

/* A unit vector at an angle with the given cosine to the axis. */
static void at_angle(double d[3], const double axis[3], double cosine, struct random *r)
{
    double other[3], dot = 0.0, length = 0.0;
    space_direction(other, r);
    for (int i = 0; i < 3; i++)
        dot += other[i] * axis[i];
    for (int i = 0; i < 3; i++) {
        other[i] -= dot * axis[i];
        length += other[i] * other[i];
    }
    for (int i = 0; i < 3; i++)
        d[i] = cosine * axis[i] + sqrt((1.0 - cosine * cosine) / length) * other[i];
}

/* Largest errors over all positions and frequencies. */
struct pattern_errors {
    double null, squares; /* magnitude; mean square over directions, both re the axis */
};

/* Logarithmically spaced up to a quarter of the band, then evenly. */
static double frequency_of(const struct space_scheme *scheme, int index)
{
    const double quarter = 0.25 * scheme->edge;
    if (index < FREQUENCIES / 2)
        return 0.002 * pow(quarter / 0.002, index / (0.5 * FREQUENCIES - 1.0));
    return quarter + (scheme->edge - quarter) * (index - FREQUENCIES / 2 + 1) / (0.5 * FREQUENCIES);
}

static void add_place(struct pattern_errors *worst, const struct field_stencil *s, const struct space_scheme *scheme,
                      double pressure, struct random *r)
{
    const double null = -pressure / (1.0 - pressure);
    double axis[3];
    space_direction(axis, r);
    for (int f = 0; f < FREQUENCIES; f++) {
        const double frequency = frequency_of(scheme, f);
        double sum = 0.0;
        for (int i = 0; i < DIRECTIONS; i++) {
            double d[3], value[2];
            at_angle(d, axis, null, r);
            response_of(value, s, &scheme->waves, pressure, axis, frequency, d);
            worst->null = nan_max(worst->null, hypot(value[0], value[1]));
            space_direction(d, r);
            response_of(value, s, &scheme->waves, pressure, axis, frequency, d);
            const double exact = pressure + (1.0 - pressure) * (axis[0] * d[0] + axis[1] * d[1] + axis[2] * d[2]);
            sum += (pow(value[0] - exact, 2.0) + value[1] * value[1]) / DIRECTIONS;
        }
        worst->squares = nan_max(worst->squares, sum);
    }
}

static int check_scheme(struct validation *v, struct report *r, const struct space_scheme *scheme, struct error *e)
{
    struct pattern_errors worst[DIRECTIVITIES] = {{0.0, 0.0}};
    double places[SPACE_PLACES][3];
    struct field_lattice *lattices = NULL;
    struct field_stencil *s = malloc(sizeof *s);
    int status = s ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    space_places(places, &v->random);
    for (int place = 0; place < SPACE_PLACES && !status; place++) {
        status = space_stencil_make(s, &lattices, scheme, places[place], 1, e);
        for (int pattern = DIRECTIVITY_CARDIOID; pattern < DIRECTIVITIES && !status; pattern++)
            add_place(&worst[pattern], s, scheme, directivity_pressure[pattern], &v->random);
    }
    for (int pattern = DIRECTIVITY_CARDIOID; pattern < DIRECTIVITIES && !status; pattern++) {
        report_bound(r, "patterns", 20.0 * log10(worst[pattern].null), -60.0,
                     "%s, %s: null at the worst of %d positions, dB re axis", scheme->name, directivity_names[pattern],
                     (int)SPACE_PLACES);
        report_bound(r, "patterns", 10.0 * log10(worst[pattern].squares), -60.0,
                     "    rms error of the pattern over directions, dB re axis");
    }
    free(s);
    field_lattices_free(&lattices);
    return status;
}

int check_space_patterns(struct validation *v, struct report *r, struct error *e)
{
    for (int i = 0; i < SPACE_SCHEMES; i++) {
        const struct space_scheme scheme = space_scheme_of(i);
        if (check_scheme(v, r, &scheme, e))
            return -1;
    }
    return 0;
}
