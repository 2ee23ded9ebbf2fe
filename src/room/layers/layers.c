/* SPDX-License-Identifier: MIT */
#include "room/layers/layers.h"

#include <math.h>

#include "base/acoustics/conventions.h"
#include "room/layers/media.h"

bool layer_is_medium(const struct layer *l)
{
    return l->kind == LAYER_AIR || l->kind == LAYER_POROUS;
}

/* ρc times the admittance in front of a medium, from the one behind it. With T = j tan(k d) no value is infinite. */
static double complex through_medium(const struct layer *l, const struct layered_wall *w, double complex frequency,
                                     double sine, double complex y)
{
    const struct medium m = layer_medium(l, w, frequency);
    const double complex along = 2.0 * M_PI * frequency / w->sound_speed * sine;
    double complex k = csqrt(m.wavenumber * m.wavenumber - along * along);
    k = cimag(k) > 0.0 ? -k : k;
    const double complex z = m.impedance * m.wavenumber / (k * w->density * w->sound_speed);
    const double complex t = I * ctan(k * l->thickness);
    return (y + t / z) / (1.0 + y * z * t);
}

/* Linear between the rows, in log frequency; constant beyond them. */
static double complex of_table(const struct admittance_row *rows, size_t count, double frequency)
{
    size_t above = 0;
    while (above < count && rows[above].frequency < frequency)
        above++;
    const struct admittance_row *high = &rows[above < count ? above : count - 1],
                                *low = above ? high - (above < count) : high;
    const double apart = log(high->frequency / low->frequency);
    const double share = apart > 0.0 ? log(frequency / low->frequency) / apart : 0.0;
    return low->real + share * (high->real - low->real) +
           I * (low->imaginary + share * (high->imaginary - low->imaginary));
}

double complex layers_continued_admittance(const struct layered_wall *wall, double complex frequency, double angle)
{
    const double sine = sin(angle), z0 = wall->density * wall->sound_speed;
    double complex y = 0.0;
    double depth = 0.0;
    for (size_t i = wall->count; i-- > 0;) {
        const struct layer *l = &wall->layers[i], *behind = i + 1 < wall->count ? l + 1 : NULL;
        if (l->kind == LAYER_TABLE) {
            y = of_table(wall->rows, l->count, creal(frequency));
        } else if (layer_is_medium(l)) {
            y = through_medium(l, wall, frequency, sine, y);
            depth += l->thickness;
        } else {
            const bool touches = behind && behind->kind == LAYER_POROUS;
            const double complex z = layer_series(l, wall, frequency, touches ? behind : NULL, depth) / z0;
            y = y / (1.0 + z * y);
            depth += l->thickness;
        }
    }
    return y;
}

double complex layers_admittance(const struct layered_wall *wall, double frequency, double angle)
{
    const double complex y = layers_continued_admittance(wall, frequency, angle);
    return fmax(creal(y), 0.0) + I * cimag(y);
}

double layers_absorption(const struct layered_wall *wall, double frequency, double angle, bool local)
{
    const double complex y = layers_admittance(wall, frequency, local ? 0.0 : angle);
    const double cosine = cos(angle), size = cabs(cosine + y);
    return 4.0 * cosine * creal(y) / (size * size);
}

/* Gauss-Legendre in the cosine of the angle, in which the weight sin 2 angle is linear and the absorption smooth. */
double layers_octave_absorption(const struct layered_wall *wall, double centre, double limit, bool local)
{
    enum { FREQUENCIES = 32, NODES = 10 };
    static const double node[NODES / 2] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244,
                                           0.8650633666889845, 0.9739065285171717};
    static const double weight[NODES / 2] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820,
                                             0.1494513491505806, 0.0666713443086881};
    const double least = cos(limit);
    double sum = 0.0, total = 0.0;
    for (int n = 0; n < NODES; n++) {
        const double place = 0.5 * (1.0 + (n % 2 ? node[n / 2] : -node[n / 2]));
        const double cosine = least + place * (1.0 - least), share = weight[n / 2] * cosine;
        for (int f = 0; f < FREQUENCIES; f++)
            sum += share * layers_absorption(wall, centre * exp2((f + 0.5) / FREQUENCIES - 0.5), acos(cosine), local);
        total += share * FREQUENCIES;
    }
    return sum / total;
}

double layers_depth(const struct layered_wall *wall)
{
    double depth = 0.0;
    for (size_t i = 0; i < wall->count; i++)
        depth += wall->layers[i].thickness;
    return depth;
}
