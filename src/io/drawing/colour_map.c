/* SPDX-License-Identifier: MIT */
#include "io/drawing/colour_map.h"

#include <math.h>

uint32_t map_colour(double share)
{
    static const double points[][3] = {{68, 1, 84},    {72, 40, 120},  {62, 74, 137},  {49, 104, 142}, {38, 130, 142},
                                       {31, 158, 137}, {53, 183, 121}, {109, 205, 89}, {180, 222, 44}, {253, 231, 37}};
    enum { LAST = sizeof points / sizeof *points - 1 };
    const double at = LAST * (share > 0.0 ? fmin(1.0, share) : 0.0);
    const int k = at < LAST ? (int)at : LAST - 1;
    uint32_t colour = 0;
    for (int i = 0; i < 3; i++)
        colour = colour << 8 | (uint32_t)lrint(points[k][i] + (at - k) * (points[k + 1][i] - points[k][i]));
    return colour;
}

/* The colour space of Moreland's maps: CIELAB in polar coordinates around black. */
struct msh {
    double magnitude, saturation, hue; /* saturation: the angle to the axis of greys; both angles in radians */
};

static const double WHITE[3] = {0.9505, 1.0, 1.089}; /* D65 */
static const double LINEAR[3][3] = {
    {0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}; /* sRGB to XYZ: IEC 61966-2-1 */
static const double INVERSE[3][3] = {{3.2406, -1.5372, -0.4986}, {-0.9689, 1.8758, 0.0415}, {0.0557, -0.2040, 1.0570}};
static const double MIDDLE = 88.0; /* magnitude at 0, at least */

static double linear_light(double level)
{
    return level > 0.04045 ? pow((level + 0.055) / 1.055, 2.4) : level / 12.92;
}

static double level_of(double light)
{
    return light > 0.0031308 ? 1.055 * pow(light, 1.0 / 2.4) - 0.055 : 12.92 * light;
}

static double lab_curve(double t)
{
    return t > 216.0 / 24389.0 ? cbrt(t) : 7.787 * t + 16.0 / 116.0;
}

static double lab_curve_back(double f)
{
    return f > 6.0 / 29.0 ? f * f * f : (f - 16.0 / 116.0) / 7.787;
}

static struct msh msh_of(const double rgb[3])
{
    double f[3];
    for (int i = 0; i < 3; i++) {
        double sum = 0.0;
        for (int k = 0; k < 3; k++)
            sum += LINEAR[i][k] * linear_light(rgb[k] / 255.0);
        f[i] = lab_curve(sum / WHITE[i]);
    }
    const double l = 116.0 * f[1] - 16.0, a = 500.0 * (f[0] - f[1]), b = 200.0 * (f[1] - f[2]);
    const double magnitude = sqrt(l * l + a * a + b * b);
    return (struct msh){magnitude, acos(l / magnitude), atan2(b, a)};
}

static uint32_t rgb_of(const struct msh *m)
{
    const double l = m->magnitude * cos(m->saturation), a = m->magnitude * sin(m->saturation) * cos(m->hue),
                 b = m->magnitude * sin(m->saturation) * sin(m->hue), y = (l + 16.0) / 116.0;
    const double f[3] = {y + a / 500.0, y, y - b / 200.0};
    uint32_t colour = 0;
    for (int i = 0; i < 3; i++) {
        double light = 0.0;
        for (int k = 0; k < 3; k++)
            light += INVERSE[i][k] * WHITE[k] * lab_curve_back(f[k]);
        colour = colour << 8 | (uint32_t)lrint(255.0 * fmin(1.0, fmax(0.0, level_of(light))));
    }
    return colour;
}

/* The hue at the grey middle of the half that ends in `end`: a spin that keeps the change of colour even. */
static double middle_hue(const struct msh *end, double magnitude)
{
    if (end->magnitude >= magnitude)
        return end->hue;
    const double spin = end->saturation * sqrt(magnitude * magnitude - end->magnitude * end->magnitude) /
                        (end->magnitude * sin(end->saturation));
    return end->hue + (end->hue > -M_PI / 3.0 ? spin : -spin);
}

uint32_t diverging_colour(double share)
{
    static const double ends[2][3] = {{59.0, 76.0, 192.0}, {180.0, 4.0, 38.0}};
    const double at = share > 0.0 ? fmin(1.0, share) : share < 0.0 ? fmin(1.0, -share) : 0.0;
    const struct msh cool = msh_of(ends[0]), warm = msh_of(ends[1]), end = share > 0.0 ? warm : cool;
    const double middle = fmax(MIDDLE, fmax(cool.magnitude, warm.magnitude)), hue = middle_hue(&end, middle);
    const struct msh between = {middle + at * (end.magnitude - middle), at * end.saturation,
                                hue + at * (end.hue - hue)};
    return rgb_of(&between);
}
