/* Microphones with any axis at any place: their nulls and patterns in plane waves of the grid. */
#include <math.h>
#include <stdlib.h>

#include "base/worst.h"
#include "room/room.h"
#include "space/checks/checks.h"
#include "space/checks/rig.h"

enum { DIRECTIONS = 60, FREQUENCIES = 8 };

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

/* A unit vector at an angle to the axis whose cosine is given. */
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

static int check_pattern(struct validation *v, struct report *r, const struct space_scheme *scheme,
                         enum directivity pattern, struct error *e)
{
    const double pressure = directivity_pressure[pattern], null = -pressure / (1.0 - pressure);
    double places[SPACE_PLACES][3], axis[3], deepest = 0.0, squares = 0.0;
    struct field_stencil *s = malloc(sizeof *s);
    int status = s ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    space_places(places, &v->random);
    for (int place = 0; place < SPACE_PLACES && !status; place += 3) {
        status = space_stencil_make(s, scheme, places[place], 1, e);
        space_direction(axis, &v->random);
        for (int f = 0; f < FREQUENCIES && !status; f++) {
            const double frequency = 0.002 * pow(scheme->edge / 0.002, f / (FREQUENCIES - 1.0));
            double sum = 0.0;
            for (int i = 0; i < DIRECTIONS; i++) {
                double d[3], value[2];
                at_angle(d, axis, null, &v->random);
                response_of(value, s, &scheme->waves, pressure, axis, frequency, d);
                deepest = worst_of(deepest, hypot(value[0], value[1]));
                space_direction(d, &v->random);
                response_of(value, s, &scheme->waves, pressure, axis, frequency, d);
                const double exact = pressure + (1.0 - pressure) * (axis[0] * d[0] + axis[1] * d[1] + axis[2] * d[2]);
                sum += (pow(value[0] - exact, 2.0) + value[1] * value[1]) / DIRECTIONS;
            }
            squares = worst_of(squares, sum);
        }
    }
    if (!status) {
        report_bound(r, "patterns", 20.0 * log10(deepest), scheme->waves.trapezoid ? -60.0 : -48.0,
                     "%s, %s: null, dB re the axis", scheme->name, directivity_names[pattern]);
        report_bound(r, "patterns", 10.0 * log10(squares), -57.0, "    pattern, rms over directions, dB re the axis");
    }
    free(s);
    return status;
}

int check_space_patterns(struct validation *v, struct report *r, struct error *e)
{
    for (int i = 0; i < SPACE_SCHEMES; i++) {
        const struct space_scheme scheme = space_scheme_of(i);
        for (int pattern = DIRECTIVITY_CARDIOID; pattern < DIRECTIVITIES; pattern++)
            if (check_pattern(v, r, &scheme, (enum directivity)pattern, e))
                return -1;
    }
    return 0;
}
