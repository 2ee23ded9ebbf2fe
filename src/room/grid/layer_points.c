/* SPDX-License-Identifier: MIT */
#include "room/grid/layer_points.h"

#include <math.h>

#include "base/complex_numbers.h"
#include "base/nan_max.h"

#define LOWEST 20.0 /* Hz */
#define EDGE_OVER_LOWEST 20.0
#define LINEAR_BELOW 4.0   /* of the lowest frequency: spaced points are linear below, logarithmic above */
#define LINE_IMPEDANCE 3.0 /* of a gap over that of a membrane before it, from where it is a line */
#define HIGH_PEAK 0.5      /* of the largest error: looked at more closely */
enum { CLOSER = 16 };
#define FIRST_LINE 1.6 /* kd, just above π/2: there are none below */

static double complex reflection_of(double complex y)
{
    return (1.0 - y) / (1.0 + y);
}

static struct layer_point point_at(const struct layered_wall *wall, const struct wall_discretization *clock,
                                   double frequency)
{
    const struct wall_view view = wall_discretization_view(clock, frequency);
    const double complex y = layers_admittance(wall, frequency, 0.0);
    return (struct layer_point){.frequency = frequency,
                                .x = view.angular_frequency / (2.0 * M_PI * CIRCUIT_UNIT),
                                .factor = view.factor,
                                .scale = LAYER_ABSORPTION / (view.factor * (creal(y) + LAYER_FLOOR)),
                                .stepped = view.factor * y,
                                .reflection = reflection_of(y)};
}

/* Air between the hindmost membrane and the rigid wall, where nothing else lies behind it; 0 else. */
static double gap_behind_membrane(const struct layered_wall *wall, double *mass)
{
    double depth = 0.0;
    size_t i = wall->count;
    while (i > 0 && wall->layers[i - 1].kind == LAYER_AIR)
        depth += wall->layers[--i].thickness;
    if (i == 0 || wall->layers[i - 1].kind != LAYER_MEMBRANE)
        return 0.0;
    *mass = wall->layers[i - 1].mass;
    return depth;
}

/* Air without losses behind a membrane makes the membrane absorb at lines below 1 Hz wide, where the impedance of the gap
 * is that of the mass. Their sound is nothing, but a fit would spend its branches on them. */
static bool is_on_line(const struct layered_wall *wall, double frequency)
{
    double mass = 0.0;
    const double omega = 2.0 * M_PI * frequency, depth = gap_behind_membrane(wall, &mass);
    const double phase = omega / wall->sound_speed * depth;
    return depth > 0.0 && phase >= FIRST_LINE &&
           !(fabs(sin(phase)) * omega * mass > LINE_IMPEDANCE * wall->density * wall->sound_speed);
}

static double logarithmic(double low, double edge, size_t i, size_t count)
{
    return i + 1 < count ? low * pow(edge / low, (double)i / (double)(count - 1)) : edge;
}

static double spaced(double low, double edge, size_t i, size_t count)
{
    const double knee = LINEAR_BELOW * low;
    return i + 1 < count ? logarithmic(knee + low, knee + edge, i, count) - knee : edge;
}

void layer_points_set(struct layer_points *p, const struct layered_wall *wall, const struct wall_discretization *clock)
{
    const double edge = clock->edge, low = fmin(LOWEST, edge / EDGE_OVER_LOWEST);
    p->low_x = point_at(wall, clock, low).x;
    p->edge_x = point_at(wall, clock, edge).x;
    p->limits = (struct circuit_limits){2.0 * clock->rate / (2.0 * M_PI * CIRCUIT_UNIT)};
    p->spaced_count = p->even_count = p->dense_count = 0;
    for (size_t i = 0; i < DENSE_POINTS; i++) {
        const double f = logarithmic(low, edge, i, DENSE_POINTS);
        if (!is_on_line(wall, f))
            p->dense[p->dense_count++] = point_at(wall, clock, f);
    }
    for (size_t i = 0; i < EVEN_POINTS; i++) {
        const double f = spaced(low, edge, i, EVEN_POINTS);
        if (!is_on_line(wall, f))
            p->even[p->even_count++] = point_at(wall, clock, f);
    }
    for (size_t i = 0; i < FITTED_SPACED; i++) {
        const double f = spaced(low, edge, i, FITTED_SPACED);
        if (!is_on_line(wall, f))
            p->fitted[p->spaced_count++] = point_at(wall, clock, f);
    }
    p->fitted_count = p->spaced_count;
}

double complex layer_reflection(double complex stepped, double factor, double complex *slope)
{
    const double re = 1.0 + creal(stepped) / factor, im = cimag(stepped) / factor, square = re * re + im * im;
    const double complex w = complex_of(re / square, -im / square); /* 1/(1 + Y) */
    if (slope)
        *slope = complex_of((creal(w) * creal(w) - cimag(w) * cimag(w)) * (-2.0 / factor),
                            creal(w) * cimag(w) * (-4.0 / factor));
    return complex_of(2.0 * creal(w) - 1.0, 2.0 * cimag(w));
}

static double error_at(const struct branch *entries, size_t count, const struct layer_point *point, double absorption)
{
    const double complex stepped = circuit_admittance(entries, count, point->x, NULL);
    const double complex off = layer_reflection(stepped, point->factor, NULL) - point->reflection;
    const double loss = absorption * point->scale * (creal(stepped) - creal(point->stepped));
    return sqrt(creal(off) * creal(off) + cimag(off) * cimag(off) + loss * loss);
}

double layer_errors(const struct branch *entries, size_t entry_count, const struct layer_point *points, size_t count,
                    double absorption, double *errors, size_t *index)
{
    double worst = 0.0;
    for (size_t i = 0; i < count; i++) {
        errors[i] = error_at(entries, entry_count, &points[i], absorption);
        if (errors[i] <= worst)
            continue;
        worst = nan_max(worst, errors[i]);
        if (index)
            *index = i;
    }
    return worst;
}

/* Between two neighbours of a peak. */
static void look_closer(const struct layered_wall *wall, const struct wall_discretization *clock,
                        const struct branch *entries, size_t count, const double between[2], double *worst,
                        double *frequency)
{
    for (int i = 1; i < CLOSER; i++) {
        const double f = between[0] + (between[1] - between[0]) * i / CLOSER;
        if (is_on_line(wall, f))
            continue;
        const struct layer_point point = point_at(wall, clock, f);
        const double error = error_at(entries, count, &point, 0.0);
        if (error <= *worst)
            continue;
        *worst = nan_max(*worst, error);
        *frequency = f;
    }
}

double layer_worst_error(struct layer_points *p, const struct layered_wall *wall,
                         const struct wall_discretization *clock, const struct branch *entries, size_t entry_count,
                         double *frequency)
{
    const double *e = p->error;
    size_t at = 0;
    double worst = layer_errors(entries, entry_count, p->dense, p->dense_count, 0.0, p->error, &at);
    const double high = HIGH_PEAK * worst;
    *frequency = p->dense[at].frequency;
    for (size_t i = 1; i + 1 < p->dense_count; i++)
        if (e[i] >= high && e[i] >= e[i - 1] && e[i] >= e[i + 1])
            look_closer(wall, clock, entries, entry_count,
                        (const double[2]){p->dense[i - 1].frequency, p->dense[i + 1].frequency}, &worst, frequency);
    return worst;
}

bool layer_errors_within(const struct layer_points *p, const struct branch *entries, size_t entry_count,
                         double absorption, double limit, double *worst)
{
    *worst = 0.0;
    for (size_t i = 0; i < p->dense_count; i++) {
        const double error = error_at(entries, entry_count, &p->dense[i], absorption);
        if (!(error <= limit))
            return false;
        *worst = fmax(*worst, error);
    }
    return true;
}
