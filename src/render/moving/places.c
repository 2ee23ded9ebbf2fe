/* SPDX-License-Identifier: MIT */
#include "render/moving/places.h"

#include <math.h>
#include <string.h>

static const double SAME = 1e-6; /* m: a position this close to a place is the place */
static const double REACH = 1.1; /* R over the distance to the closest place beyond */
static const double FLAT = 0.05; /* spacings: extents below are none */
enum { CORNERS_MAX = 8 };        /* of a cell in three dimensions */

double moving_distance(const double a[3], const double b[3])
{
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

double moving_arrival_time(const struct moving_places *p, const struct moving_place *place,
                           const struct moving_arrival *arrival)
{
    return p->delay + moving_distance(arrival->image, place->position) / p->sound_speed;
}

/* The part of the way from the first place to another that is square to `count` axes, and its length. */
static double rest_of(double rest[3], const struct moving_places *p, size_t place, double axes[3][3], int count)
{
    for (int i = 0; i < 3; i++)
        rest[i] = p->list[place].position[i] - p->list[0].position[i];
    for (int k = 0; k < count; k++) {
        const double along = rest[0] * axes[k][0] + rest[1] * axes[k][1] + rest[2] * axes[k][2];
        for (int i = 0; i < 3; i++)
            rest[i] -= along * axes[k][i];
    }
    return sqrt(rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2]);
}

void moving_places_measure(struct moving_places *p)
{
    double axes[3][3], rest[3];
    p->spacing = 0.0;
    for (size_t i = 0; i < p->count; i++) {
        double closest = INFINITY;
        for (size_t k = 0; k < p->count; k++)
            if (k != i)
                closest = fmin(closest, moving_distance(p->list[i].position, p->list[k].position));
        p->spacing = p->count > 1 ? fmax(p->spacing, closest) : 0.0;
    }
    for (p->dimensions = 0; p->dimensions < 3; p->dimensions++) {
        size_t furthest = 0;
        double most = 0.0;
        for (size_t i = 1; i < p->count; i++) {
            const double length = rest_of(rest, p, i, axes, p->dimensions);
            furthest = length > most ? i : furthest;
            most = fmax(most, length);
        }
        if (!(most > FLAT * p->spacing))
            break;
        rest_of(rest, p, furthest, axes, p->dimensions);
        for (int i = 0; i < 3; i++)
            axes[p->dimensions][i] = rest[i] / most;
    }
    p->dimensions = p->dimensions ? p->dimensions : 1;
}

/* R: beyond the closest `share` places. INFINITY: there are no more. */
static double reach_of(const double *distances, size_t count, size_t share)
{
    double closest[CORNERS_MAX + 1];
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = kept;
        if (kept == share + 1 && !(distances[i] < closest[share]))
            continue;
        at = kept == share + 1 ? share : kept++;
        for (; at > 0 && closest[at - 1] > distances[i]; at--)
            closest[at] = closest[at - 1];
        closest[at] = distances[i];
    }
    return kept == share + 1 ? REACH * closest[share] : INFINITY;
}

void moving_weights(double *weights, const struct moving_places *p, const double position[3])
{
    double sum = 0.0;
    for (size_t i = 0; i < p->count; i++)
        weights[i] = moving_distance(p->list[i].position, position);
    for (size_t i = 0; i < p->count; i++)
        if (weights[i] < SAME) {
            memset(weights, 0, p->count * sizeof *weights);
            weights[i] = 1.0;
            return;
        }
    const double reach = reach_of(weights, p->count, (size_t)1 << p->dimensions);
    for (size_t i = 0; i < p->count; i++) {
        const double root = weights[i] < reach ? 1.0 / weights[i] - 1.0 / reach : 0.0;
        weights[i] = root * root;
        sum += weights[i];
    }
    for (size_t i = 0; i < p->count; i++)
        weights[i] /= sum;
}

double moving_closest(const struct moving_places *p, const double position[3])
{
    double closest = INFINITY;
    for (size_t i = 0; i < p->count; i++)
        closest = fmin(closest, moving_distance(p->list[i].position, position));
    return closest;
}
