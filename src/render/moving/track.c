/* SPDX-License-Identifier: MIT */
#include "render/moving/track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "render/moving/split.h"

int track_make(struct track *t, const struct walk *walk, const struct moving_places *places, size_t block,
               struct error *e)
{
    const double seconds = (double)block / places->rate + 2.0 * TRACK_MARGIN + SPLIT_LONGEST + places->delay;
    *t = (struct track){.walk = walk, .places = places};
    t->points = (size_t)ceil(seconds * places->rate / TRACK_STEP) + 2;
    if (memory_demand(2.0 * (double)t->points * (double)places->count * sizeof(double), e, "weights of %zu places",
                      places->count))
        return -1;
    t->position = calloc(t->points, sizeof *t->position);
    t->weights = calloc(t->points * places->count, sizeof *t->weights);
    t->gains = calloc(t->points * places->count, sizeof *t->gains);
    return t->position && t->weights && t->gains ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

void track_free(struct track *t)
{
    free(t->position);
    free(t->weights);
    free(t->gains);
    memset(t, 0, sizeof *t);
}

void track_fill(struct track *t, double time)
{
    t->start = time - TRACK_MARGIN;
    for (size_t i = 0; i < t->points; i++) {
        walk_at(t->walk, t->start + (double)(i * TRACK_STEP) / t->places->rate, t->position[i], NULL);
        if (i && !memcmp(t->position[i], t->position[i - 1], sizeof t->position[i]))
            memcpy(t->weights + i * t->places->count, t->weights + (i - 1) * t->places->count,
                   t->places->count * sizeof *t->weights);
        else
            moving_weights(t->weights + i * t->places->count, t->places, t->position[i]);
    }
}

double track_index(const struct track *t, double time, size_t *point)
{
    const double at = (time - t->start) * t->places->rate / TRACK_STEP;
    const double inside = fmin(fmax(at, 0.0), (double)(t->points - 1)),
                 whole = fmin(floor(inside), (double)(t->points - 2));
    *point = (size_t)whole;
    return inside - whole;
}

void track_position(const struct track *t, double time, double position[3])
{
    size_t point;
    const double part = track_index(t, time, &point);
    const double *a = t->position[point], *b = t->position[point + 1];
    for (int i = 0; i < 3; i++)
        position[i] = a[i] + part * (b[i] - a[i]);
}

double track_value(const struct track *t, const double *values, size_t place, double time)
{
    size_t point;
    const double part = track_index(t, time, &point), *value = values + point * t->places->count + place;
    return value[0] + part * (value[t->places->count] - value[0]);
}
