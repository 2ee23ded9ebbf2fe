/* SPDX-License-Identifier: MIT */
#include "solver/schemes/bodies/bore.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double WALL_ATTENUATION = 3.0e-5; /* C, √s: Fletcher and Rossing, equation 8.15, air at 20 °C */
static const double COURANT_MARGIN = 0.999;

size_t bore_cells(double length, const struct bore_grid *grid)
{
    return (size_t)floor(COURANT_MARGIN * length / (grid->sound_speed * grid->time_step));
}

/* ∫ π/4 d² dx from a to b, over the cone from one point of the profile to the next. */
static double cone_volume(const double from[2], const double to[2], double a, double b)
{
    const double low = fmax(a, from[0]), high = fmin(b, to[0]);
    if (!(high > low))
        return 0.0;
    const double slope = (to[1] - from[1]) / (to[0] - from[0]);
    const double first = from[1] + slope * (low - from[0]), last = from[1] + slope * (high - from[0]);
    return M_PI / 12.0 * (high - low) * (first * first + first * last + last * last);
}

void bore_volumes(double *volume, size_t cells, double spacing, const double (*profile)[2], size_t count)
{
    for (size_t i = 0; i < cells; i++) {
        volume[i] = 0.0;
        for (size_t p = 1; p < count; p++)
            volume[i] += cone_volume(profile[p - 1], profile[p], (double)i * spacing, (double)(i + 1) * spacing);
    }
}

/* Areas of faces, then the coefficients of the step. */
static void make_faces(struct bore *b)
{
    const struct bore_grid *g = &b->grid;
    double resistance = b->loss.resistance;
    for (size_t i = 0; i < WALL_BRANCHES; i++) {
        b->turn[i] = 0.5 * b->loss.rate[i] * g->time_step;
        b->share[i] = 1.0 / (1.0 + b->turn[i]);
        resistance += b->loss.branch[i] * b->share[i];
    }
    for (size_t j = 0; j <= b->cells; j++) {
        const double left = b->volume[j ? j - 1 : 0] / g->spacing;
        const double right = b->volume[j < b->cells ? j : j - 1] / g->spacing;
        b->area[j] = 2.0 / (1.0 / left + 1.0 / right);
        b->wall[j] *=
            2.0 * WALL_ATTENUATION * g->density * g->sound_speed * g->spacing / (b->area[j] * sqrt(b->area[j] / M_PI));
        const double inert = (g->density * g->spacing / b->area[j] + b->wall[j] * b->loss.inertance) / g->time_step;
        const double half = 0.5 * b->wall[j] * resistance;
        b->keep[j] = (inert - half) / (inert + half);
        b->push[j] = 1.0 / (inert + half);
    }
}

size_t bore_values(const struct bore *b)
{
    return 2 * b->cells + 4 * (b->cells + 1);
}

void bore_place(struct bore *b, double *values)
{
    b->volume = values;
    b->impedance = b->volume + b->cells;
    b->area = b->impedance + b->cells;
    b->wall = b->area + b->cells + 1;
    b->keep = b->wall + b->cells + 1;
    b->push = b->keep + b->cells + 1;
}

int bore_make(struct bore *b, const double *volume, size_t cells, const struct bore_grid *grid,
              const struct wall_loss *loss, struct error *e)
{
    memset(b, 0, sizeof *b);
    if (cells < BORE_CELLS_MIN)
        return fail(e, ERROR_INPUT, "the bore has %zu cells, too few; use a longer bore or a higher rate", cells);
    if (!(grid->sound_speed * grid->time_step <= grid->spacing * (1.0 + 1e-12)))
        return fail(e, ERROR_INPUT, "cells of the bore of %g m are shorter than sound travels in a step, %g m",
                    grid->spacing, grid->sound_speed * grid->time_step);
    for (size_t i = 0; i < cells; i++)
        if (!(volume[i] > 0.0 && isfinite(volume[i])))
            return fail(e, ERROR_INPUT, "the bore is closed at %g m; use positive diameters",
                        ((double)i + 0.5) * grid->spacing);
    b->cells = cells;
    b->grid = *grid;
    double *values = calloc(bore_values(b), sizeof *values);
    if (!values)
        return fail(e, ERROR_MEMORY, "out of memory");
    bore_place(b, values);
    for (size_t i = 0; i < cells; i++) {
        b->volume[i] = volume[i];
        b->impedance[i] = 0.5 * grid->density * grid->sound_speed * grid->sound_speed * grid->time_step / volume[i];
    }
    if (loss)
        b->loss = *loss;
    for (size_t j = 0; j <= cells; j++)
        b->wall[j] = loss ? 1.0 : 0.0;
    make_faces(b);
    return 0;
}

void bore_free(struct bore *b)
{
    if (b)
        free(b->volume);
    if (b)
        memset(b, 0, sizeof *b);
}

double bore_inertance(const struct bore *b, size_t j)
{
    return 0.5 * (1.0 + b->keep[j]) / b->push[j];
}

/* ½Vp²/ρc² and, as flows lie half a step off the pressures, ½ of the inertance times U and the lossless step after it. */
double bore_energy(const struct bore *b, const struct bore_state *s)
{
    const struct bore_grid *g = &b->grid;
    const double modulus = g->density * g->sound_speed * g->sound_speed;
    double sum = 0.0;
    for (size_t i = 0; i < b->cells; i++)
        sum += b->volume[i] / modulus * s->pressure[i] * s->pressure[i];
    for (size_t j = 1; j < b->cells; j++) {
        const double flow = s->flow[j];
        sum += g->time_step * flow * (bore_inertance(b, j) * flow - (s->pressure[j] - s->pressure[j - 1]));
        for (size_t i = 0; i < WALL_BRANCHES; i++) {
            const double inert = s->branch[i * (b->cells + 1) + j];
            if (b->loss.branch[i] > 0.0)
                sum += b->wall[j] * b->loss.branch[i] / b->loss.rate[i] * inert * inert;
        }
    }
    return 0.5 * sum;
}
