/* SPDX-License-Identifier: MIT */
#include "render/geometric_trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "render/early_part.h"
#include "render/geometric.h"
#include "render/hybrid/late_rays.h"
#include "render/hybrid/ray_guiding.h"
#include "render/hybrid_response.h"
#include "render/late_part.h"

enum { FEW = 4, FEW_REFLECTIONS = 6, FEW_SEARCHED = 1 << 14, FEWEST_RAYS = 16, FEW_PILOTS = 128 };
static const double few_hits = 1.2e5;
/* Few pilots and no guide rays end fewer rays early: a ray of a trial takes two to three times as long as one of a
 * render, in five of the shipped rooms. */
static const double trial_slower = 2.5;
static const double sphere_seconds = 4e-9; /* to test whether a path passes a receiver */
static const double join_seconds = 3e-6;   /* per sample and channel: response, crossover, decays */

struct geometric_trial {
    const struct model *whole;
    struct model model; /* with only a few of its receivers */
    struct room room;
    struct receiver receivers[FEW]; /* owned by the trial */
    struct hybrid_halves halves;
    double *out; /* [channels][frames] */
    size_t frames;
    double rate, duration;
};

/* Keeps the first `count` receiver positions; an array that is cut keeps some of its own. */
static void take_places(struct geometric_trial *t, size_t count)
{
    size_t places = 0, i = 0;
    for (; i < t->whole->room->receiver_count && places < count; i++) {
        struct receiver *r = &t->receivers[i];
        *r = t->whole->room->receivers[i];
        if (r->kind == RECEIVER_ARRAY && r->array.place_count > count - places)
            r->array.place_count = count - places;
        places += receiver_place_count(r);
    }
    t->room.receiver_count = i;
}

static void band_of(double top[2], double *low, const struct geometric_trial *t)
{
    const struct geometric_band band = hybrid_geometry(&t->halves);
    *low = band.low;
    geometric_end(top, band.top, t->rate);
}

/* ---- image sources */

/* Paths of `order` reflections in a box that are shorter than the response: images fill space
 * evenly. */
static double box_ways(const struct geometric_trial *t, size_t order)
{
    const double reach = t->duration * t->whole->grid.sound_speed;
    const double within = 4.0 / 3.0 * M_PI * pow(reach, 3.0) / t->whole->space.volume;
    return fmin(image_room_ways(&t->room, order), fmax(within, 1.0));
}

static int time_images(double *seconds, struct geometric_trial *t, const struct image_room *faces, struct error *e)
{
    const double gain = 1.0, start = clock_seconds();
    struct early_part half = {.rate = t->rate, .edge = t->halves.edge};
    size_t ways = 0;
    band_of(half.top, &half.low, t);
    const int status = early_part_add(t->out, t->frames, &ways, &half, faces, &t->model, 0, 1, &gain, e);
    *seconds = clock_seconds() - start;
    return status;
}

/* Per source; work shared by all receivers counts once. */
static int estimate_images(double *seconds, struct geometric_trial *t, struct image_room *faces, struct error *e)
{
    const size_t order = faces->order;
    double one, two, more = 1.0;
    faces->search = FEW_SEARCHED;
    if (faces->is_box) {
        faces->order = order < FEW_REFLECTIONS ? order : FEW_REFLECTIONS;
        more = box_ways(t, order) / box_ways(t, faces->order);
    }
    take_places(t, 1);
    const double first = (double)image_room_places(&t->room);
    if (time_images(&one, t, faces, e))
        return -1;
    take_places(t, 2);
    const double both = (double)image_room_places(&t->room);
    if (time_images(&two, t, faces, e))
        return -1;
    const double each = both > first ? fmax(two - one, 0.0) / (both - first) : one / first;
    const double once = faces->all < order && !faces->is_box ? fmax(one - each, 0.0) * IMAGE_RAYS / FEW_SEARCHED : 0.0;
    *seconds = once + each * more * (double)image_room_places(t->whole->room);
    faces->order = order;
    return 0;
}

/* ---- rays */

static struct late_part few_rays(const struct geometric_trial *t, size_t rays)
{
    struct late_part half = {.rate = t->rate, .low = t->halves.octave, .rays = rays, .pilots = FEW_PILOTS};
    double low;
    band_of(half.top, &low, t);
    return half;
}

static int time_tracing(double *seconds, struct geometric_trial *t, const struct image_room *faces, size_t rays,
                        struct error *e)
{
    const double start = clock_seconds();
    const struct late_part half = few_rays(t, rays);
    double level;
    const int status = late_part_decay(&level, t->duration, &half, faces, &t->model, 0, 1, e);
    *seconds = clock_seconds() - start;
    return status;
}

/* Of the whole response, from a second of it; the rays hardly count. */
static int time_synthesis(double *seconds, struct geometric_trial *t, const struct image_room *faces, struct error *e)
{
    const double gain = 1.0, start = clock_seconds();
    const struct late_part half = few_rays(t, FEWEST_RAYS);
    const size_t frames = (size_t)fmin((double)t->frames, ceil(t->rate));
    struct late_traced traced;
    const int status = late_part_add(t->out, frames, &traced, &half, faces, &t->model, 0, 1, &gain, e);
    *seconds = (clock_seconds() - start) * (double)t->frames / (double)frames;
    return status;
}

/* Per source. Both trials have the same pilots, so that their difference is that of the rays. */
static int estimate_rays(double *seconds, struct geometric_trial *t, const struct image_room *faces, struct error *e)
{
    const size_t rays = t->room.hybrid.rays;
    const double way = 4.0 * t->whole->space.volume / fmax(t->whole->space.surface, 1e-9);
    const double along = 1.0 + t->whole->grid.sound_speed * t->duration / way;
    const size_t few = (size_t)fmin(fmin(fmax(few_hits / along, 500.0), RAY_GUIDE_LEAST - 1), (double)rays);
    double some, none, synthesis;
    take_places(t, FEW);
    if (time_tracing(&some, t, faces, few, e) || time_tracing(&none, t, faces, FEWEST_RAYS, e) ||
        time_synthesis(&synthesis, t, faces, e))
        return -1;
    const double others = (double)image_room_places(t->whole->room) - (double)image_room_places(&t->room);
    const double each = fmax(some - none, 0.0) / fmax((double)few - FEWEST_RAYS, 1.0) / trial_slower;
    const double channels = (double)room_channel_count(t->whole->room) / (double)room_channel_count(&t->room);
    const double ahead = (double)(LATE_PILOTS + guide_ray_count(rays));
    *seconds = ((double)rays + ahead) * each + (double)rays * along * others * sphere_seconds + synthesis * channels;
    return 0;
}

static int estimate(struct geometric_seconds *seconds, struct geometric_trial *t, struct error *e)
{
    const double start = clock_seconds();
    struct image_room faces;
    double mirrors;
    if (image_room_make(&faces, &t->model, IMAGE_RAYS, IMAGE_TRIES, e))
        return -1;
    mirrors = clock_seconds() - start;
    int status = estimate_images(&seconds->images, t, &faces, e) ||
                 (t->room.hybrid.rays && estimate_rays(&seconds->rays, t, &faces, e));
    seconds->images += mirrors;
    seconds->join = join_seconds * (double)room_channel_count(t->whole->room) * (double)t->frames;
    image_room_free(&faces);
    return status ? -1 : 0;
}

int geometric_trial(struct geometric_seconds *seconds, const struct model *m, size_t sources, double duration,
                    struct error *e)
{
    struct geometric_trial t = {.whole = m, .model = *m, .room = *m->room, .duration = duration};
    *seconds = (struct geometric_seconds){.images = 0.0};
    t.halves = hybrid_halves_of(m, 0, sources, NULL);
    if (!t.halves.full || !sources || !m->room->receiver_count)
        return 0;
    t.model.room = &t.room;
    t.room.receivers = t.receivers;
    t.rate = model_output_rate(m);
    t.frames = (size_t)fmax(round(duration * t.rate), 1.0);
    take_places(&t, FEW);
    t.out = calloc(room_channel_count(&t.room) * t.frames + 1, sizeof *t.out);
    const int status = t.out ? estimate(seconds, &t, e) : fail(e, ERROR_MEMORY, "out of memory");
    free(t.out);
    seconds->images *= (double)sources;
    seconds->rays *= (double)sources;
    seconds->join *= (double)sources;
    return status;
}
