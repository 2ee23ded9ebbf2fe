/* SPDX-License-Identifier: MIT */
#include "dsp/space/field_stencil.h"

#include <math.h>
#include <string.h>

double grid_waves_operator(const struct grid_waves *waves, double frequency)
{
    const double s = waves->trapezoid ? 2.0 * tan(M_PI * frequency) : 2.0 * M_PI * frequency;
    return s / sqrt(waves->courant_squared);
}

void field_stencil_ball(struct field_stencil *s)
{
    const double square = s->radius * s->radius + 1e-9;
    const int end = FIELD_LOWEST + FIELD_SIDE;
    s->count = 0;
    for (int z = FIELD_LOWEST; z < end; z++)
        for (int y = FIELD_LOWEST; y < end; y++)
            for (int x = FIELD_LOWEST; x < end; x++) {
                const double at[3] = {x - s->fraction[0], y - s->fraction[1], z - s->fraction[2]};
                if (at[0] * at[0] + at[1] * at[1] + at[2] * at[2] <= square && s->count < FIELD_POINTS_MAX)
                    memcpy(s->point[s->count++], (int[]){x, y, z}, sizeof *s->point);
            }
}

void field_stencil_response(double (*values)[2], const struct field_stencil *s, const struct grid_waves *waves,
                            double frequency, const double direction[3])
{
    const double kappa = waves->wavenumber(frequency, direction, waves->courant_squared);
    const double operator_at = grid_waves_operator(waves, frequency);
    for (size_t c = 0; c < harmonics_count(s->order); c++)
        values[c][0] = values[c][1] = 0.0;
    for (size_t q = 0; q < s->count; q++) {
        double along = 0.0;
        for (int axis = 0; axis < 3; axis++)
            along += direction[axis] * (s->point[q][axis] - s->fraction[axis]);
        const double phase = kappa * along;
        const double cosine = cos(phase), sine = sin(phase);
        for (size_t c = 0; c < harmonics_count(s->order); c++) {
            values[c][0] += s->weight[c][q] * cosine;
            values[c][1] += s->weight[c][q] * sine;
        }
    }
    for (size_t c = 0; c < harmonics_count(s->order); c++) {
        const int n = harmonics_order_of(c);
        const double scale = pow(operator_at, -n), re = scale * values[c][0], im = scale * values[c][1];
        const double turned[4][2] = {{re, im}, {im, -re}, {-re, -im}, {-im, re}}; /* times (-i)^n */
        values[c][0] = turned[n % 4][0];
        values[c][1] = turned[n % 4][1];
    }
}
