/* SPDX-License-Identifier: MIT */
#include "room/grid/point_stencil.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "dsp/space/harmonics.h"
#include "dsp/space/penalised_squares.h"
#include "solver/schemes/isotropic19/isotropic19.h"

const struct point_stencil_radius point_stencil_radii[POINT_STENCIL_RADII] = {
    {3.2, false, -0.02, 0.08}, {2.7, false, -0.04, 0.08}, {2.0, false, -0.45, 0.27},
    {1.8, false, -0.45, 0.34}, {2.0, true, -1.02, 0.28},
};

/* WAVES: the sum of the directions. POINTS: those within the widest radius of any position of a cell. */
enum { FREQUENCIES = 12, WAVES = 560, ROWS = 2 * WAVES, POINTS = 280, LOWEST = -3, SIDE = 8 };

static const double lowest = 0.002, highest = 0.212; /* of the grid's rate */
static const double penalty = 1e-5;                  /* η */

/* Directions of half a sphere at each frequency, lowest first: a cloud of 3.2 cells resolves more of them as the
 * wavelength falls. */
static const int directions[FREQUENCIES] = {24, 24, 24, 24, 24, 24, 48, 48, 48, 72, 100, 100};

/* Waves at the points around a cell. A wave at the points and at the position may be turned by the phase that it has at
 * the cell's corner: so the matrix is the same for all positions, which differ in the points that they take, the columns
 * of it, and in the right-hand side. */
struct lattice {
    double wavenumber[WAVES][3];      /* κ d, per cell */
    double weight[WAVES];             /* square root of that of the wave in the mean over all */
    size_t column[SIDE][SIDE][SIDE];  /* of the point z, y, x; counted from LOWEST */
    double columns[POINTS][ROWS];     /* factored in place */
    struct penalised_factors factors; /* without a triangle: memory was out */
};

static struct lattice lattice;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_waves(struct lattice *l)
{
    size_t wave = 0;
    for (int f = 0; f < FREQUENCIES; f++) {
        const double frequency = lowest * pow(highest / lowest, f / (FREQUENCIES - 1.0));
        for (int i = 0; i < directions[f]; i++) {
            double d[3];
            half_sphere(d, i, directions[f]);
            const double kappa = isotropic19_wavenumber_along(frequency, d);
            for (int axis = 0; axis < 3; axis++)
                l->wavenumber[wave][axis] = kappa * d[axis];
            l->weight[wave++] = 1.0 / sqrt((double)FREQUENCIES * directions[f]);
        }
    }
}

/* The waves at a place, in cells from the corner. */
static void fill(double column[ROWS], const struct lattice *l, const double place[3])
{
    for (size_t i = 0; i < WAVES; i++) {
        const double *k = l->wavenumber[i];
        const double phase = k[0] * place[0] + k[1] * place[1] + k[2] * place[2];
        column[2 * i] = l->weight[i] * cos(phase);
        column[2 * i + 1] = l->weight[i] * sin(phase);
    }
}

/* A point around a cell, by how far it is from positions there. */
struct around {
    int point[3];
    int from_centre; /* square of twice the distance from the centre of the cell */
};

static int by_distance(const void *a, const void *b)
{
    const struct around *left = a, *right = b;
    int order = left->from_centre - right->from_centre;
    for (int axis = 0; axis < 3 && !order; axis++)
        order = left->point[axis] - right->point[axis];
    return order;
}

/* Points that every position takes come first: what is left out lies at the end (penalised_factors_solve). */
static size_t find_points(struct around around[SIDE * SIDE * SIDE])
{
    const double radius = point_stencil_radii[0].cells;
    size_t count = 0;
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        struct around *a = &around[count];
        double nearest = 0.0;
        *a = (struct around){{LOWEST + i % SIDE, LOWEST + i / SIDE % SIDE, LOWEST + i / SIDE / SIDE}, 0};
        for (int axis = 0; axis < 3; axis++) {
            const int beyond = a->point[axis] > 1 ? a->point[axis] - 1 : a->point[axis] < 0 ? -a->point[axis] : 0;
            nearest += beyond * beyond;
            a->from_centre += (2 * a->point[axis] - 1) * (2 * a->point[axis] - 1);
        }
        count += nearest <= radius * radius;
    }
    qsort(around, count, sizeof *around, by_distance);
    return count;
}

static size_t *column_of(struct lattice *l, const int point[3])
{
    return &l->column[point[2] - LOWEST][point[1] - LOWEST][point[0] - LOWEST];
}

static void make_lattice(void)
{
    struct around around[SIDE * SIDE * SIDE];
    make_waves(&lattice);
    const size_t count = find_points(around);
    for (size_t i = 0; i < count; i++) {
        const int *p = around[i].point;
        *column_of(&lattice, p) = i;
        fill(lattice.columns[i], &lattice, (const double[3]){p[0], p[1], p[2]});
    }
    struct error e;
    penalised_factors_make(&lattice.factors, count, lattice.columns[0], ROWS, penalty, &e);
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

/* A column of the lattice, and which point of a stencil it is. */
struct choice {
    size_t column, point;
};

static int by_column(const void *a, const void *b)
{
    const size_t left = ((const struct choice *)a)->column, right = ((const struct choice *)b)->column;
    return left < right ? -1 : left > right;
}

int point_stencil_fit(struct point_stencil *s, const double fraction[3], struct error *e)
{
    struct choice choice[POINTS];
    size_t column[POINTS];
    double position[ROWS], weight[POINTS];
    pthread_once(&once, make_lattice);
    if (!lattice.factors.triangle)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t q = 0; q < s->count; q++)
        choice[q] = (struct choice){*column_of(&lattice, s->point[q]), q};
    qsort(choice, s->count, sizeof *choice, by_column);
    for (size_t q = 0; q < s->count; q++)
        column[q] = choice[q].column;
    fill(position, &lattice, fraction);
    if (penalised_factors_solve(weight, &lattice.factors, column, s->count, position, e))
        return -1;
    for (size_t q = 0; q < s->count; q++)
        s->weight[choice[q].point] = weight[q];
    normalise(s);
    return 0;
}
