/* SPDX-License-Identifier: MIT */
#include "model/point_stencil.h"

#include <math.h>
#include <stdlib.h>

#include "schemes/scheme19/scheme19.h"
#include "space/harmonics.h"
#include "space/penalised_squares.h"

const struct point_stencil_radius point_stencil_radii[POINT_STENCIL_RADII] = {
    {3.2, false, -0.02, 0.08}, {2.7, false, -0.04, 0.08}, {2.0, false, -0.45, 0.27},
    {1.8, false, -0.45, 0.34}, {2.0, true, -1.02, 0.28},
};

enum { FREQUENCIES = 12, WAVES_MAX = 560 };

static const double lowest = 0.002, highest = 0.212; /* of the grid's rate */
static const double penalty = 1e-5;                  /* η */

/* Directions of half a sphere at each frequency, lowest first: a cloud of 3.2 cells resolves more of them as the
 * wavelength falls. */
static const int directions[FREQUENCIES] = {24, 24, 24, 24, 24, 24, 48, 48, 48, 72, 100, 100};

struct waves {
    size_t count;
    double wavenumber[WAVES_MAX][3]; /* κ d, per cell */
    double weight[WAVES_MAX];        /* square root of that of the wave in the mean over all */
};

static void make_waves(struct waves *w)
{
    w->count = 0;
    for (int f = 0; f < FREQUENCIES; f++) {
        const double frequency = lowest * pow(highest / lowest, f / (FREQUENCIES - 1.0));
        for (int i = 0; i < directions[f]; i++) {
            double d[3];
            half_sphere(d, i, directions[f]);
            const double kappa = scheme19_wavenumber_along(frequency, d);
            for (int axis = 0; axis < 3; axis++)
                w->wavenumber[w->count][axis] = kappa * d[axis];
            w->weight[w->count++] = 1.0 / sqrt((double)FREQUENCIES * directions[f]);
        }
    }
}

/* Fills columns [count + 1][rows] with the waves at the points of the stencil and, last, at the position. */
static void fill(double *columns, size_t rows, const struct point_stencil *s, const double fraction[3],
                 const struct waves *w)
{
    for (size_t q = 0; q <= s->count; q++) {
        double *column = columns + q * rows, apart[3] = {0.0, 0.0, 0.0};
        for (int axis = 0; axis < 3 && q < s->count; axis++)
            apart[axis] = s->point[q][axis] - fraction[axis];
        for (size_t i = 0; i < w->count; i++) {
            const double *k = w->wavenumber[i];
            const double phase = k[0] * apart[0] + k[1] * apart[1] + k[2] * apart[2];
            column[2 * i] = w->weight[i] * cos(phase);
            column[2 * i + 1] = w->weight[i] * sin(phase);
        }
        for (size_t i = 2 * w->count; i < rows; i++)
            column[i] = 0.0;
    }
}

void point_stencil_points(struct point_stencil *s, const double fraction[3], double radius)
{
    s->count = 0;
    for (int z = -3; z <= 4; z++)
        for (int y = -3; y <= 4; y++)
            for (int x = -3; x <= 4; x++) {
                const double apart[3] = {x - fraction[0], y - fraction[1], z - fraction[2]};
                if (apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2] > radius * radius + 1e-9)
                    continue;
                int *point = s->point[s->count++];
                point[0] = x;
                point[1] = y;
                point[2] = z;
            }
}

/* Weights that sum to 1, so that a constant field is exact. */
static void normalise(struct point_stencil *s)
{
    double sum = 0.0;
    for (size_t q = 0; q < s->count; q++)
        sum += s->weight[q];
    for (size_t q = 0; q < s->count; q++)
        s->weight[q] /= sum;
}

int point_stencil_fit(struct point_stencil *s, const double fraction[3], struct error *e)
{
    struct waves w;
    make_waves(&w);
    const size_t rows = (2 * w.count + 3) / 4 * 4;
    double *columns = malloc((s->count + 1) * rows * sizeof *columns);
    int status = -1;
    if (!columns) {
        fail(e, ERROR_MEMORY, "out of memory");
    } else {
        fill(columns, rows, s, fraction, &w);
        status = penalised_squares(s->weight, s->count, 1, columns, rows, penalty, e);
    }
    if (!status)
        normalise(s);
    free(columns);
    return status;
}
