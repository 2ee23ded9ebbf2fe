/* SPDX-License-Identifier: MIT */
#include "present/film/map_places.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "present/film/plane_air.h"
#include "present/film/slice_sampler.h"
#include "room/grid/place_air.h"

enum { PLACES_WANTED = 250 };
static const double EARS = 1.2; /* m above the floor */

/* Whole micrometres, so that the digits in the CSV are the exact position. */
static double on_micrometre(double place)
{
    return rint(1e6 * place) / 1e6;
}

/* Position of a lattice point on a plane. */
static void place_at(double at[3], const struct map *map, size_t index, double plane)
{
    const int axis = map->wish.axis, across = axis == 0 ? 1 : 0, up = axis == 2 ? 1 : 2;
    at[across] = on_micrometre(map->place[0] + map->step[0] * (double)(index % map->count[0]));
    at[up] = on_micrometre(map->place[1] + map->step[1] * (double)(index / map->count[0]));
    at[axis] = plane;
}

static bool has_air(const void *map, const struct model *m, double plane)
{
    const struct map *laid = map;
    for (size_t i = 0; i < laid->count[0] * laid->count[1]; i++) {
        double at[3];
        place_at(at, laid, i, plane);
        if (place_is_air(m, at))
            return true;
    }
    return false;
}

static int place_plane(struct map_wish *w, const struct room *room, const double size[3], struct error *e)
{
    const double *lower = room->lower;
    if (isnan(w->at))
        w->at = w->axis == 2 ? on_micrometre(lower[2] + fmin(EARS, 0.5 * size[2]))
                             : room->sources[w->source].position[w->axis];
    if (w->at >= lower[w->axis] && w->at <= lower[w->axis] + size[w->axis])
        return 0;
    return fail(e, ERROR_USAGE, "--plane %c=%g: outside the room, which spans %c from %g to %g m", 'x' + w->axis, w->at,
                'x' + w->axis, lower[w->axis], lower[w->axis] + size[w->axis]);
}

/* 1, 2 or 5 times a power of ten, m. */
static double round_spacing(double across, double up)
{
    const double fitting = sqrt(across * up / PLACES_WANTED), power = pow(10.0, floor(log10(fitting)));
    return power * (fitting < 1.5 * power ? 1.0 : fitting < 3.0 * power ? 2.0 : fitting < 7.0 * power ? 5.0 : 10.0);
}

static int lay_lattice(struct map *map, const double lower[3], const double size[3], struct error *e)
{
    struct map_wish *w = &map->wish;
    const int axes[2] = {w->axis == 0 ? 1 : 0, w->axis == 2 ? 1 : 2};
    if (!(w->spacing > 0.0))
        w->spacing = round_spacing(size[axes[0]], size[axes[1]]);
    for (int i = 0; i < 2; i++) {
        const double fit = fmax(1.0, rint(size[axes[i]] / w->spacing));
        if (!(fit <= MAP_PLACES_MAX))
            return fail(e, ERROR_USAGE, "--spacing %g: more than %d receivers; use a larger spacing", w->spacing,
                        MAP_PLACES_MAX);
        map->count[i] = (size_t)fit;
        map->step[i] = size[axes[i]] / fit;
        map->place[i] = lower[axes[i]] + 0.5 * map->step[i];
    }
    return 0;
}

static int refuse(const struct map *map, const struct model *m, struct error *e)
{
    const struct map_wish *w = &map->wish;
    const struct plane_asked asked = {m, w->axis, w->at, has_air, map};
    char what[96];
    snprintf(what, sizeof what, "none of the %zu positions, %g m apart, lies in air", map->count[0] * map->count[1],
             w->spacing);
    return plane_refuse(&asked, what, e);
}

static int take_places(struct map *map, const struct model *m, struct error *e)
{
    const size_t total = map->count[0] * map->count[1];
    map->index = malloc(total * sizeof *map->index);
    map->places = malloc(total * sizeof *map->places);
    if (!map->index || !map->places)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < total; i++) {
        double at[3];
        place_at(at, map, i, map->wish.at);
        const bool is_air = place_is_air(m, at);
        map->index[i] = is_air ? (uint32_t)map->place_count : SCREEN_NONE;
        if (is_air)
            memcpy(map->places[map->place_count++], at, sizeof at);
    }
    if (!map->place_count)
        return refuse(map, m, e);
    return map->place_count <= MAP_PLACES_MAX
               ? 0
               : fail(e, ERROR_USAGE, "--spacing %g: %zu receivers exceed the limit of %d; use a larger spacing",
                      map->wish.spacing, map->place_count, MAP_PLACES_MAX);
}

int map_places_find(struct map *map, const struct room *room, struct error *e)
{
    struct room empty = *room;
    struct model *m = NULL;
    const struct grid_use use = {.purpose = PURPOSE_RESPONSES, .first = map->wish.source, .count = 1};
    empty.receiver_count = 0;
    int status = model_make_for(&m, &empty, &use, e);
    if (!status && !m->voxels.set)
        status = slice_sampler_no_voxels(m, e);
    if (!status) {
        const double *size = room->sized_by_points ? m->grid.size : room->size;
        status =
            place_plane(&map->wish, room, size, e) || lay_lattice(map, room->lower, size, e) || take_places(map, m, e)
                ? -1
                : 0;
    }
    model_free(m);
    return status;
}
