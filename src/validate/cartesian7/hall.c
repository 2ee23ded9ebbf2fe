/* SPDX-License-Identifier: MIT */
#include "validate/cartesian7/hall.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/acoustics/air.h"

enum { WALL_MATERIAL, OBJECT_MATERIAL };
enum { SOURCES = 4, RECEIVERS = 12, GAP = 3, TRIES = 2000 };

static size_t cells_of(const struct hall *h, double metres)
{
    const double cells = round(metres / h->spacing);
    return cells > 1.0 ? (size_t)cells : 1;
}

static bool all_air(const struct scene *s, const size_t from[3], const size_t to[3])
{
    for (size_t z = from[2]; z < to[2]; z++)
        for (size_t y = from[1]; y < to[1]; y++)
            for (size_t x = from[0]; x < to[0]; x++)
                if (s->cells[scene_point(s, x, y, z)] != CELL_AIR)
                    return false;
    return true;
}

/* Draws a box with sides of 0.3 to 1.3 m; false if it would be too close to a wall or an object. */
static bool place_object(struct hall *h, struct random *r)
{
    struct scene *s = &h->scene;
    size_t from[3], to[3], clear_from[3], clear_to[3];
    for (int axis = 0; axis < 3; axis++) {
        const size_t length = cells_of(h, 0.3 + random_unit(r)), points = s->problem.points[axis];
        if (length + 2 * GAP > points)
            return false;
        from[axis] = random_between(r, GAP, points - GAP - length);
        to[axis] = from[axis] + length;
        clear_from[axis] = from[axis] - GAP;
        clear_to[axis] = to[axis] + GAP;
    }
    if (!all_air(s, clear_from, clear_to))
        return false;
    scene_fill(s, from, to, CELL_SOLID + OBJECT_MATERIAL);
    return true;
}

static double distance(const struct hall *h, uint64_t a, uint64_t b)
{
    const uint64_t nx = h->scene.problem.points[0], ny = h->scene.problem.points[1];
    const double x = (double)(a % nx) - (double)(b % nx);
    const double y = (double)(a / nx % ny) - (double)(b / nx % ny);
    const double z = (double)(a / nx / ny) - (double)(b / nx / ny);
    return h->spacing * sqrt(x * x + y * y + z * z);
}

/* Receivers are at least a metre from the sources, so that direct sound does not dominate. */
static void place_channels(struct hall *h, struct random *r)
{
    struct scene *s = &h->scene;
    for (int i = 0; i < SOURCES; i++) {
        const uint64_t point = scene_air_point(s, r);
        const double sign = random_between(r, 0, 1) ? 1.0 : -1.0;
        if (i == 0)
            scene_drive(s, point, sign);
        else
            scene_extend(&s->drives[0], point, sign, 1);
    }
    while (s->problem.tap_count < RECEIVERS) {
        const uint64_t point = scene_air_point(s, r);
        bool is_distant = true;
        for (size_t i = 0; i < s->drives[0].count; i++)
            is_distant = is_distant && distance(h, point, s->drives[0].entries[i].point) > 1.0;
        if (is_distant)
            scene_tap(s, point, 1.0);
    }
}

/* Code beyond a face of a cell: of the box's wall or of a cell of the map. */
static uint8_t beyond(const struct scene *s, const size_t at[3], int face)
{
    const int axis = face / 2;
    size_t next[3] = {at[0], at[1], at[2]};
    if (face % 2 == 0 ? at[axis] == 0 : at[axis] + 1 == s->problem.points[axis])
        return s->outside[face];
    next[axis] = face % 2 == 0 ? at[axis] - 1 : at[axis] + 1;
    return s->cells[scene_point(s, next[0], next[1], next[2])];
}

static void survey(struct hall *h)
{
    const struct scene *s = &h->scene;
    const size_t *n = s->problem.points;
    size_t air = 0, faces[CELL_CODES] = {0};
    for (size_t z = 0; z < n[2]; z++)
        for (size_t y = 0; y < n[1]; y++)
            for (size_t x = 0; x < n[0]; x++) {
                const size_t at[3] = {x, y, z};
                if (s->cells[scene_point(s, x, y, z)] != CELL_AIR)
                    continue;
                air++;
                for (int face = 0; face < 6; face++)
                    faces[beyond(s, at, face)]++;
            }
    h->volume = (double)air * pow(h->spacing, 3.0);
    h->wall_area = (double)faces[CELL_SOLID + WALL_MATERIAL] * h->spacing * h->spacing;
    h->object_area = (double)faces[CELL_SOLID + OBJECT_MATERIAL] * h->spacing * h->spacing;
}

int hall_make(struct hall *h, double rate, size_t objects, struct random *r, struct error *e)
{
    static const double size[3] = {5.0, 4.0, 3.0};
    *h = (struct hall){.rate = rate, .sound_speed = sound_speed(20.0)};
    h->spacing = sqrt(3.0) * h->sound_speed / rate; /* scene_box: the default Courant number */
    size_t n[3], placed = 0;
    for (int axis = 0; axis < 3; axis++)
        n[axis] = cells_of(h, size[axis] * (0.95 + 0.1 * random_unit(r)));
    if (scene_box(&h->scene, n[0], n[1], n[2], PRECISION_SINGLE, e))
        return -1;
    memset(h->scene.outside, CELL_SOLID + WALL_MATERIAL, 6);
    for (int i = 0; i < TRIES && placed < objects; i++)
        placed += place_object(h, r);
    place_channels(h, r);
    survey(h);
    return 0;
}

void hall_free(struct hall *h)
{
    scene_free(&h->scene);
}

static void paint(struct scene *s, int material, const struct wall_model *wall)
{
    scene_branches(s, material, wall->branches, wall->branch_count);
    s->leapfrog.admittance[CELL_SOLID + material] = wall->admittance;
}

void hall_paint(struct hall *h, const struct wall_model *wall, bool rigid_objects)
{
    static const struct wall_model rigid;
    paint(&h->scene, WALL_MATERIAL, wall);
    paint(&h->scene, OBJECT_MATERIAL, rigid_objects ? &rigid : wall);
}

/* Time for a decay by 60 dB if the energy falls by c S exponent/(4 V) nepers per second. */
static double diffuse(const struct hall *h, double exponent)
{
    return 24.0 * M_LN10 * h->volume / (h->sound_speed * (h->wall_area + h->object_area) * exponent);
}

static double mean_absorption(const struct hall *h, double absorption, bool rigid_objects)
{
    return rigid_objects ? absorption * h->wall_area / (h->wall_area + h->object_area) : absorption;
}

double hall_sabine(const struct hall *h, double absorption, bool rigid_objects)
{
    return diffuse(h, mean_absorption(h, absorption, rigid_objects));
}

double hall_eyring(const struct hall *h, double absorption, bool rigid_objects)
{
    return diffuse(h, -log1p(-mean_absorption(h, absorption, rigid_objects)));
}

static const double weight_min = 1e-7; /* smallest weight of a mode that matters: no effect at -35 dB */

/* energy[n] += weight exp(-loss n) */
static void add_mode(double *energy, size_t steps, double weight, double loss)
{
    const double factor = exp(-loss);
    for (size_t n = 0; n < steps; n++) {
        energy[n] += weight;
        weight *= factor;
    }
}

/* Product of a channel with the mode's shape, without the square of the shape's norm. */
static double shape_at(const struct hall *h, const size_t m[3], const struct channel *c)
{
    const size_t *n = h->scene.problem.points;
    double sum = 0.0;
    for (size_t i = 0; i < c->count; i++) {
        const uint64_t point = c->entries[i].point, at[3] = {point % n[0], point / n[0] % n[1], point / n[0] / n[1]};
        double value = c->entries[i].weight;
        for (int axis = 0; axis < 3; axis++)
            value *= cos(M_PI * (double)m[axis] * ((double)at[axis] + 0.5) / (double)n[axis]);
        sum += value;
    }
    return sum;
}

/* Energy of the mode over all receivers. */
static double received_energy(const struct hall *h, const size_t m[3])
{
    const struct problem *p = &h->scene.problem;
    double squares = 0.0, norm = 1.0;
    for (int axis = 0; axis < 3; axis++)
        norm *= m[axis] ? 2.0 : 1.0;
    for (size_t i = 0; i < p->tap_count; i++)
        squares += pow(shape_at(h, m, &p->taps[i]), 2.0);
    return pow(norm * shape_at(h, m, &p->drives[0]), 2.0) * squares;
}

/* Frequency (Hz) of a mode, and its loss of energy per step. */
static double mode(const struct hall *h, const size_t m[3], double admittance, double *loss)
{
    const double courant_squared = h->scene.leapfrog.courant_squared;
    double sum = 0.0;
    *loss = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double points = (double)h->scene.problem.points[axis], angle = M_PI_2 * (double)m[axis] / points;
        sum += pow(sin(angle), 2.0);
        *loss += 2.0 * sqrt(courant_squared) * admittance * (m[axis] ? 2.0 : 1.0) / points * pow(cos(angle), 2.0);
    }
    return asin(sqrt(courant_squared * sum)) / M_PI * h->rate;
}

int hall_modal_decay(struct decay *d, const struct hall *h, double admittance, double centre, size_t steps,
                     struct error *e)
{
    const size_t *n = h->scene.problem.points;
    double *energy = calloc(steps, sizeof *energy);
    if (!energy)
        return fail(e, ERROR_MEMORY, "out of memory");
    size_t m[3];
    for (m[2] = 0; m[2] < n[2]; m[2]++)
        for (m[1] = 0; m[1] < n[1]; m[1]++)
            for (m[0] = m[1] + m[2] ? 0 : 1; m[0] < n[0]; m[0]++) {
                double loss;
                const double frequency = mode(h, m, admittance, &loss);
                const double pulse = exp(-pow(2.0 * M_PI * frequency / h->rate * HALL_PULSE, 2.0));
                const double weight = pulse * pow(decay_octave_gain(frequency, centre), 2.0);
                if (weight > weight_min)
                    add_mode(energy, steps, weight * received_energy(h, m), loss);
                else if (frequency > centre)
                    break; /* higher modes have even less weight */
            }
    decay_fit(d, energy, steps, h->rate);
    free(energy);
    return 0;
}
