/* SPDX-License-Identifier: MIT */
#include "solver/schemes/bodies/reed.h"

struct reed reed_clarinet(void)
{
    const double area = 1.46e-4, angular = 23250.0;
    return (struct reed){.sign = 1.0,
                         .mass = 0.0231 * area,
                         .frequency = angular / (2.0 * M_PI),
                         .damping = 3000.0,
                         .width = 0.013,
                         .opening = 4e-4,
                         .area = area,
                         .lay_stiffness = 1e9};
}

struct reed reed_lips(double frequency)
{
    const double area = 1e-4, quality = 7.0;
    return (struct reed){.sign = -1.0,
                         .mass = 9.1 * area,
                         .frequency = frequency,
                         .damping = 2.0 * M_PI * frequency / quality,
                         .width = 0.010,
                         .opening = 5e-4,
                         .area = area,
                         .lay_stiffness = 1e9};
}

double reed_closing_pressure(const struct reed *r)
{
    return reed_stiffness(r, 0.0) * r->opening / r->area;
}

double reed_energy(const struct reed *r, const struct reed_state *s, double time_step)
{
    const double speed = (s->now - s->before) / time_step;
    return 0.5 * (r->mass * speed * speed + reed_stiffness(r, s->frequency) * s->now * s->before +
                  s->potential * s->potential);
}
