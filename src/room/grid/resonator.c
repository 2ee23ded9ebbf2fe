/* SPDX-License-Identifier: MIT */
#include "room/grid/resonator.h"

#include <math.h>

struct resonator resonator_of(const double *parameters)
{
    return (struct resonator){exp(parameters[ADMITTANCE]), exp(parameters[QUALITY]), exp(parameters[RESONANCE])};
}

struct branch resonator_branch(const struct resonator *r)
{
    return (struct branch){r->quality / (r->peak * r->resonance), 1.0 / r->peak, r->quality * r->resonance / r->peak,
                           0};
}

void resonators_admittance(const struct resonator *resonators, size_t count, double angular_frequency, double value[2],
                           double by[PARAMETERS_MAX][2])
{
    value[0] = value[1] = 0.0;
    for (size_t m = 0; m < count; m++) {
        const struct resonator *r = &resonators[m];
        const double ratio = angular_frequency / r->resonance, inverse = 1.0 / ratio;
        const double reactance = r->quality * (ratio - inverse), square = 1.0 / (1.0 + reactance * reactance);
        const double y[2] = {r->peak * square, -r->peak * square * reactance};
        const double turned[2] = {square * (y[1] - reactance * y[0]),
                                  -square * (y[0] + reactance * y[1])}; /* -jy/(1+jr) */
        value[0] += y[0];
        value[1] += y[1];
        for (int part = 0; part < 2; part++) {
            by[PER_BRANCH * m + ADMITTANCE][part] = y[part];
            by[PER_BRANCH * m + QUALITY][part] = turned[part] * reactance;
            by[PER_BRANCH * m + RESONANCE][part] = -turned[part] * r->quality * (ratio + inverse);
        }
    }
}
