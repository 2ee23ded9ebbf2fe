/* SPDX-License-Identifier: MIT */
#include "solver/schemes/bodies/opening.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const double END_CORRECTION = 0.6133; /* radii: Levine and Schwinger 1948, low frequencies */

/* Radiation impedance at low frequencies: the real part ρω²/4πc is that of a resistance R and an inertance L in
 * parallel, (ωL)²/R, hence R = L² 4πc/ρ. */
static void make_load(struct opening *o, double radius, double area, const struct bore_grid *grid)
{
    const double inertance = grid->density * END_CORRECTION * radius / area;
    o->load_resistance = inertance * inertance * 4.0 * M_PI * grid->sound_speed / grid->density;
    o->load_share = 1.0 / (1.0 + 0.5 * o->load_resistance * grid->time_step / inertance);
    o->impedance = o->load_resistance * o->load_share;
}

struct opening opening_make(size_t cell, double radius, double length, size_t points, double spacing, double green,
                            const struct bore_grid *grid)
{
    const double area = M_PI * radius * radius, k = grid->time_step, c = grid->sound_speed;
    struct opening o = {.cell = cell, .points = points, .load_share = 1.0};
    if (points) {
        length += END_CORRECTION * radius - green * area / spacing;
        o.impedance = grid->density * c * c * k / (2.0 * (double)points * spacing * spacing * spacing);
    } else {
        make_load(&o, radius, area, grid);
    }
    o.inertance = grid->density * length / area;
    return o;
}

void opening_place(struct opening *o, const struct bore *bore, double position)
{
    const double at = fmax(0.0, position / bore->grid.spacing - 0.5);
    o->cell = (size_t)floor(at);
    o->share = at - floor(at);
    if (o->cell + 1 < bore->cells)
        o->inertance += o->share * (1.0 - o->share) * bore->grid.time_step * bore_inertance(bore, o->cell + 1);
}

/* Mean over the zone |q_i| < π of cos(q·offset)/(6 - 2 Σ cos q_i), by the midpoint rule with 2n points an axis, of which
 * symmetry leaves n. */
static double green_sum(const int offset[3], int n)
{
    enum { MOST = 32 };
    double step[MOST], wave[3][MOST], sum = 0.0;
    for (int i = 0; i < n; i++) {
        const double q = (i + 0.5) * M_PI / n;
        step[i] = 2.0 - 2.0 * cos(q);
        for (int axis = 0; axis < 3; axis++)
            wave[axis][i] = cos(q * offset[axis]);
    }
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++)
            for (int z = 0; z < n; z++)
                sum += wave[0][x] * wave[1][y] * wave[2][z] / (step[x] + step[y] + step[z]);
    return sum / ((double)n * n * n);
}

/* The pole at q = 0 leaves errors of 1/n, 1/n³ ..., which two steps of Richardson's extrapolation remove. */
static double green_near(const int offset[3])
{
    const double coarse = green_sum(offset, 8), middle = green_sum(offset, 16), fine = green_sum(offset, 32);
    const double first = 2.0 * middle - coarse, second = 2.0 * fine - middle;
    return (8.0 * second - first) / 7.0;
}

/* 1/4πr with the first term that the lattice adds. */
static double green_far(const int offset[3], double square)
{
    double fourth = 0.0;
    for (int axis = 0; axis < 3; axis++)
        fourth += pow(offset[axis], 4);
    return (1.0 + (5.0 * fourth / (square * square) - 3.0) / (8.0 * square)) / (4.0 * M_PI * sqrt(square));
}

double opening_green(const struct opening_point *points, size_t count)
{
    enum { NEAR = 5 };
    double near[NEAR][NEAR][NEAR] = {{{0.0}}}; /* 0: not computed yet */
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k <= i; k++) {
            int offset[3];
            double square = 0.0;
            for (int axis = 0; axis < 3; axis++) {
                offset[axis] = abs(points[i].axis[axis] - points[k].axis[axis]);
                square += (double)offset[axis] * offset[axis];
            }
            const bool is_far = square >= NEAR * NEAR;
            double *known = is_far ? NULL : &near[offset[0]][offset[1]][offset[2]];
            if (known && *known == 0.0)
                *known = green_near(offset);
            sum += (k < i ? 2.0 : 1.0) * (known ? *known : green_far(offset, square));
        }
    return sum / ((double)count * (double)count);
}

size_t opening_disc(struct opening_point *points, size_t max, int normal, const double at[3], double radius)
{
    const int first = (normal + 1) % 3, second = (normal + 2) % 3, reach = (int)ceil(radius) + 1;
    size_t count = 0;
    for (int a = -reach; a <= reach; a++)
        for (int b = -reach; b <= reach; b++) {
            const double distance = hypot(a - at[first], b - at[second]);
            if (!(distance <= radius))
                continue;
            if (count == max)
                return max + 1;
            points[count].axis[normal] = 0;
            points[count].axis[first] = a;
            points[count++].axis[second] = b;
        }
    if (!count && max) {
        memset(points, 0, sizeof *points);
        count = 1;
    }
    return count;
}

struct opening opening_in_field(size_t cell, double radius, double length, int normal, const double at[3],
                                double spacing, const struct bore_grid *grid, struct opening_point *points, size_t max)
{
    struct opening o = {.cell = cell, .inertance = -1.0};
    for (double reach = radius / spacing; o.inertance < 0.0; reach += 0.125) {
        const size_t count = opening_disc(points, max, normal, at, reach);
        if (count > max)
            break;
        o = opening_make(cell, radius, length, count, spacing, opening_green(points, count), grid);
    }
    return o;
}

double opening_gain(size_t points, double spacing, const struct bore_grid *grid)
{
    const double step = grid->sound_speed * grid->time_step;
    return step * step / ((double)points * spacing * spacing * spacing);
}

double opening_energy(const struct opening *o, const struct opening_state *s, double time_step)
{
    const double turn = 1.0 / o->load_share - 1.0;
    double energy = 0.5 * o->inertance * s->flow * s->flow;
    if (!o->points && turn > 0.0)
        energy += 0.25 * o->load_resistance * time_step / turn * s->load * s->load;
    return energy;
}
