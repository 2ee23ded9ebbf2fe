/* SPDX-License-Identifier: MIT */
#include "dsp/ears/field_directions.h"

#include <math.h>

struct field_outside field_outside_of(const double *field, size_t frames, const struct coverage *c)
{
    const double *w = field, *y = w + frames, *z = y + frames, *x = z + frames;
    double sound[COVERAGE_ROWS][COVERAGE_COLUMNS] = {{0.0}}, all = 0.0, outside = 0.0, most = 0.0;
    struct field_outside o = {0.0, {0.0, 0.0}};
    for (size_t n = 0; n < frames; n++) {
        const double intensity[3] = {w[n] * x[n], w[n] * y[n], w[n] * z[n]};
        const double size = hypot(hypot(intensity[0], intensity[1]), intensity[2]);
        double angles[2];
        if (!(size > 0.0 && size < INFINITY))
            continue;
        coverage_angles(angles, intensity);
        const long row = lround((angles[1] + 90.0) / COVERAGE_STEP);
        const long column = (lround(angles[0] / COVERAGE_STEP) + COVERAGE_COLUMNS) % COVERAGE_COLUMNS;
        sound[row][column] += size;
        all += size;
    }
    for (int row = 0; row < COVERAGE_ROWS; row++)
        for (int column = 0; column < COVERAGE_COLUMNS; column++) {
            if (!c->outside[row][column])
                continue;
            outside += sound[row][column];
            if (!(sound[row][column] > most))
                continue;
            most = sound[row][column];
            o.at[0] = COVERAGE_STEP * (column > COVERAGE_COLUMNS / 2 ? column - COVERAGE_COLUMNS : column);
            o.at[1] = COVERAGE_STEP * row - 90.0;
        }
    o.share = all > 0.0 ? outside / all : 0.0;
    return o;
}
