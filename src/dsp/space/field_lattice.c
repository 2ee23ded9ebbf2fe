/* SPDX-License-Identifier: MIT */
#include "dsp/space/field_lattice.h"

#include <math.h>
#include <stdlib.h>

#include "base/stop.h"

static const double reference = 0.01; /* of the rate, where η compares noise with the plane wave */

/* Half of the frequencies log-spaced up to a quarter of the highest, the others evenly from there on, where errors of a
 * coarse grid would rise between them. */
static double frequency_of(const struct grid_waves *waves, int index)
{
    const double quarter = 0.25 * waves->highest;
    if (index < FIELD_FREQUENCIES / 2)
        return waves->lowest * pow(quarter / waves->lowest, index / (0.5 * FIELD_FREQUENCIES - 1.0));
    return quarter + (waves->highest - quarter) * (index - FIELD_FREQUENCIES / 2 + 1) / (0.5 * FIELD_FREQUENCIES);
}

/* Directions of half a sphere at the lowest frequency: no fewer than a cloud resolves. Multiples of 4. */
static int least_directions(int order)
{
    const int channels = (int)harmonics_count(order);
    return 3 * channels > 32 ? (3 * channels + 3) / 4 * 4 : 32;
}

/* More as the wavelength falls, of which a cloud resolves more, and too few would leave it free between them. */
static int directions_of(int least, int frequency)
{
    return frequency < 6 ? least : frequency < 9 ? 2 * least : 2 * least > 160 ? 2 * least : 160;
}

static void make_waves(struct field_lattice *l)
{
    for (int f = 0; f < FIELD_FREQUENCIES; f++) {
        const double frequency = frequency_of(&l->grid, f);
        const int directions = directions_of(l->directions, f);
        l->operator_at[f] = grid_waves_operator(&l->grid, frequency);
        l->mean[f] = 1.0 / sqrt((double)FIELD_FREQUENCIES * directions);
        for (int i = 0; i < directions; i++) {
            const size_t wave = l->begin[f] + (size_t)i;
            double d[3];
            half_sphere(d, i, directions);
            const double kappa = l->grid.wavenumber(frequency, d, l->grid.courant_squared);
            harmonics_at(l->harmonic[wave], FIELD_ORDER_MAX, d);
            for (int axis = 0; axis < 3; axis++)
                l->wavenumber[wave][axis] = kappa * d[axis];
        }
    }
}

/* At a place, in cells from the corner of the cell; the phase is 0 at its centre. */
static double phase_at(const struct field_lattice *l, size_t wave, const double place[3])
{
    const double *k = l->wavenumber[wave];
    return k[0] * (place[0] - 0.5) + k[1] * (place[1] - 0.5) + k[2] * (place[2] - 0.5);
}

static int from_centre(const int point[3]) /* square of twice the distance */
{
    int square = 0;
    for (int axis = 0; axis < 3; axis++)
        square += (2 * point[axis] - 1) * (2 * point[axis] - 1);
    return square;
}

static int by_distance(const void *a, const void *b)
{
    const int *left = a, *right = b;
    int order = from_centre(left) - from_centre(right);
    for (int axis = 0; axis < 3 && !order; axis++)
        order = left[axis] - right[axis];
    return order;
}

/* Whether a position in the cell has the point within the radius. */
static bool is_within(const int point[3], double radius)
{
    double nearest = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const int beyond = point[axis] > 1 ? point[axis] - 1 : point[axis] < 0 ? -point[axis] : 0;
        nearest += beyond * beyond;
    }
    return nearest <= radius * radius + 1e-6;
}

/* Points nearest to the centre first: what positions leave out lies at the end, and reflections stay short
 * (staircase_solve). */
static void find_points(struct field_lattice *l)
{
    enum { HALF = FIELD_SIDE / 2, END = FIELD_LOWEST + FIELD_SIDE };
    for (int z = FIELD_LOWEST + HALF; z < END; z++) /* above the centre: the others are opposite */
        for (int y = FIELD_LOWEST; y < END; y++)
            for (int x = FIELD_LOWEST; x < END; x++) {
                int *point = l->point[l->pairs];
                point[0] = x;
                point[1] = y;
                point[2] = z;
                l->pairs += is_within(point, l->radius);
            }
    qsort(l->point, l->pairs, sizeof *l->point, by_distance);
    for (size_t k = 0; k < l->pairs; k++) {
        const int *p = l->point[k];
        l->column[p[2] - FIELD_LOWEST][p[1] - FIELD_LOWEST][p[0] - FIELD_LOWEST] = 2 * k;
        l->column[1 - p[2] - FIELD_LOWEST][1 - p[1] - FIELD_LOWEST][1 - p[0] - FIELD_LOWEST] = 2 * k + 1;
    }
}

static void lattice_free(struct field_lattice *l)
{
    for (int n = 0; n <= FIELD_ORDER_MAX; n++)
        for (int half = 0; half < 2; half++) {
            free(l->factors[n][half].columns);
            penalised_factors_free(&l->factors[n][half]);
        }
    free(l->wavenumber);
    free(l->harmonic);
    free(l->point);
    free(l);
}

void field_lattices_free(struct field_lattice **all)
{
    for (struct field_lattice *l = *all, *next; l; l = next) {
        next = l->next;
        lattice_free(l);
    }
    *all = NULL;
}

static struct field_lattice *lattice_make(const struct grid_waves *waves, double radius, int directions)
{
    struct field_lattice *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->grid = *waves;
    l->radius = radius;
    l->directions = directions;
    for (int f = 0; f < FIELD_FREQUENCIES; f++)
        l->begin[f + 1] = l->waves += (size_t)directions_of(directions, f);
    l->wavenumber = malloc(l->waves * sizeof *l->wavenumber);
    l->harmonic = malloc(l->waves * sizeof *l->harmonic);
    l->point = malloc((FIELD_SIDE * FIELD_SIDE * FIELD_SIDE / 2 + 1) * sizeof *l->point);
    if (!l->wavenumber || !l->harmonic || !l->point) {
        lattice_free(l);
        return NULL;
    }
    make_waves(l);
    find_points(l);
    return l;
}

static bool same_waves(const struct grid_waves *a, const struct grid_waves *b)
{
    bool same = a->wavenumber == b->wavenumber && a->courant_squared == b->courant_squared && a->lowest == b->lowest &&
                a->highest == b->highest && a->trapezoid == b->trapezoid;
    for (int n = 0; n <= FIELD_ORDER_MAX; n++)
        same = same && a->penalty[n] == b->penalty[n];
    return same;
}

struct field_lattice *field_lattice_of(struct field_lattice **all, const struct field_stencil *s,
                                       const struct grid_waves *waves, struct error *e)
{
    const int directions = least_directions(s->order);
    for (struct field_lattice *l = *all; l; l = l->next)
        if (l->directions == directions && l->radius == s->radius && same_waves(&l->grid, waves))
            return l;
    struct field_lattice *l = lattice_make(waves, s->radius, directions);
    if (!l) {
        fail(e, ERROR_MEMORY, "out of memory");
        return NULL;
    }
    l->next = *all;
    *all = l;
    return l;
}

/* √2 cos of the first point of each pair, or √2 sin, times (c/sX)^n. */
static void fill(double *columns, const struct field_lattice *l, int n, int half)
{
    for (size_t k = 0; k < l->pairs; k++) {
        const double place[3] = {l->point[k][0], l->point[k][1], l->point[k][2]};
        for (int f = 0; f < FIELD_FREQUENCIES; f++) {
            const double factor = M_SQRT2 * l->mean[f] * pow(l->operator_at[f], -n);
            for (size_t i = l->begin[f]; i < l->begin[f + 1]; i++) {
                const double phase = phase_at(l, i, place);
                columns[k * l->waves + i] = factor * (half ? sin(phase) : cos(phase));
            }
        }
    }
}

int field_lattice_factor(struct field_lattice *l, int n, struct error *e)
{
    const double penalty = l->grid.penalty[n] * pow(grid_waves_operator(&l->grid, reference), -n);
    for (int half = 0; half < 2; half++) {
        struct penalised_factors *f = &l->factors[n][half];
        if (f->triangle)
            continue;
        if (stop_check(e))
            return -1;
        double *columns = malloc((l->pairs * l->waves + 1) * sizeof *columns);
        if (!columns)
            return fail(e, ERROR_MEMORY, "out of memory");
        fill(columns, l, n, half);
        if (penalised_factors_make(f, l->pairs, columns, l->waves, penalty, e)) {
            free(columns);
            f->columns = NULL;
            return -1;
        }
    }
    return 0;
}

/* i^n Y e^{iθ}, θ: the phase at the position; its real part belongs to the even half. */
static void fill_side(double *real, double *imaginary, const struct field_lattice *l, const double (*phase)[2], int n,
                      size_t channel)
{
    const double sign = n / 2 % 2 ? -1.0 : 1.0;
    for (int f = 0; f < FIELD_FREQUENCIES; f++)
        for (size_t i = l->begin[f]; i < l->begin[f + 1]; i++) {
            const double value = sign * l->mean[f] * l->harmonic[i][channel];
            real[i] = n % 2 ? -value * phase[i][1] : value * phase[i][0];
            imaginary[i] = n % 2 ? value * phase[i][0] : value * phase[i][1];
        }
}

int field_lattice_turn(double *turned, const struct field_lattice *l, const double fraction[3], int n, struct error *e)
{
    double(*phase)[2] = malloc(l->waves * sizeof *phase), *side = malloc(2 * l->waves * sizeof *side);
    const int status = phase && side ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < l->waves && !status; i++) {
        const double at = phase_at(l, i, fraction);
        phase[i][0] = cos(at);
        phase[i][1] = sin(at);
    }
    for (size_t m = 0; m < 2 * (size_t)n + 1 && !status; m++) {
        fill_side(side, side + l->waves, l, (const double(*)[2])phase, n, (size_t)(n * n) + m);
        for (size_t half = 0; half < 2; half++)
            penalised_factors_turn(turned + m * 2 * l->pairs + half, 2, &l->factors[n][half], side + half * l->waves);
    }
    free(phase);
    free(side);
    return status;
}
