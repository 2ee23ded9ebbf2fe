/* SPDX-License-Identifier: MIT */
#include "render/late_part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "render/hybrid/late_rays.h"
#include "render/hybrid/late_sound.h"
#include "render/hybrid/late_walls.h"
#include "render/views.h"
#include "room/grid/air.h"
#include "room/grid/wall_admittance.h"

static double complex admittance_of(const void *wall, double frequency)
{
    return wall_admittance_at(wall, frequency);
}

/* The materials of a room for rays, and for the rise of the field near them. */
struct late_materials {
    struct late_wall *walls;
    struct late_wall *pairs; /* late_room.pairs */
    size_t sheets;
    struct near_gain *gains;
};

static void free_materials(struct late_materials *late)
{
    free(late->walls);
    free(late->pairs);
    free(late->gains);
}

static struct late_material material_of(const struct model *m, size_t i, const double *scattering)
{
    const double impedance = partition_air_impedance(m->room);
    return (struct late_material){.fixed = m->walls[i].material.fixed,
                                  .admittance = admittance_of,
                                  .context = &m->walls[i].material,
                                  .scattering = scattering,
                                  .mass = m->partitions.of[i].mass / impedance,
                                  .resistance = m->room->materials[i].transmission.resistance / impedance};
}

/* Whether rays may meet another material behind one. */
static bool is_mixed(const struct model *m, size_t material)
{
    return m->room->materials[material].transmission.given &&
           (m->partitions.of[material].mixed || !m->partitions.counted);
}

/* The walls of two materials with transmission, one behind the other. */
static int make_pairs(struct late_materials *late, const struct image_room *images, const struct model *m,
                      const struct late_bands *bands, struct error *e)
{
    const size_t count = m->room->material_count;
    for (size_t i = 0; i < count; i++)
        if (is_mixed(m, i))
            late->walls[i].sheet = (uint32_t)late->sheets++;
    late->pairs = calloc(late->sheets * late->sheets + 1, sizeof *late->pairs);
    if (!late->pairs)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++) {
        double scattering[OCTAVE_BANDS];
        image_room_scattering(scattering, images, &m->room->materials[i]);
        const struct late_material front = material_of(m, i, scattering);
        for (size_t k = 0; k < count && is_mixed(m, i); k++) {
            const struct late_material behind = material_of(m, k, scattering);
            if (k != i && is_mixed(m, k))
                late_wall_make_pair(&late->pairs[late->walls[i].sheet * late->sheets + late->walls[k].sheet], &front,
                                    &behind, bands);
        }
    }
    return 0;
}

static int make_materials(struct late_materials *late, const struct image_room *images, const struct model *m,
                          const struct late_bands *bands, struct error *e)
{
    const struct late_bands thirds = late_bands_split(bands, LATE_PARTS);
    *late = (struct late_materials){.walls = calloc(m->room->material_count + 1, sizeof *late->walls),
                                    .gains = calloc(m->room->material_count + 1, sizeof *late->gains)};
    if (!late->walls || !late->gains)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < m->room->material_count; i++) {
        double scattering[OCTAVE_BANDS];
        image_room_scattering(scattering, images, &m->room->materials[i]);
        const struct late_material material = material_of(m, i, scattering);
        late_wall_make(&late->walls[i], &material, &thirds);
        near_gain_make(&late->gains[i], &material);
    }
    return make_pairs(late, images, m, &thirds, e);
}

/* Positions at which the receivers record; each of an array counts. */
struct listeners {
    size_t count, channels; /* channels: of all outlets, with harmonics for ears */
    bool directed;
    struct receiver_view *views; /* [count] */
    struct late_point *points;
    struct late_output *outlets;
    struct near_rise *near, *rises; /* rises near the walls of each position, and combined with the source's */
};

static void listeners_free(struct listeners *l)
{
    free(l->views);
    free(l->points);
    free(l->outlets);
    free(l->near);
    free(l->rises);
}

static int make_listeners(struct listeners *l, const struct model *m, struct error *e)
{
    const struct room *room = m->room;
    size_t places = 0, k = 0;
    for (size_t i = 0; i < room->receiver_count; i++)
        places += receiver_place_count(&room->receivers[i]);
    *l = (struct listeners){.count = places,
                            .views = calloc(places + 1, sizeof *l->views),
                            .points = calloc(places + 1, sizeof *l->points),
                            .outlets = calloc(places + 1, sizeof *l->outlets),
                            .near = calloc(places + 1, sizeof *l->near),
                            .rises = calloc(places + 1, sizeof *l->rises)};
    if (!l->views || !l->points || !l->outlets || !l->near || !l->rises)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < room->receiver_count; i++)
        for (size_t place = 0; place < receiver_place_count(&room->receivers[i]); place++, k++) {
            const struct placed *placed = &m->receivers[room_first_tap(room, i) + place];
            const struct receiver_view *view = &l->views[k];
            receiver_view_make(&l->views[k], &room->receivers[i], m);
            memcpy(l->points[k].position, placed->position, sizeof placed->position);
            memcpy(l->outlets[k].position, placed->position, sizeof placed->position);
            l->outlets[k].channels = view->channels;
            l->outlets[k].gains = view->directed ? receiver_view_gains : NULL;
            l->outlets[k].context = view;
            l->outlets[k].rise = &l->rises[k];
            l->directed = l->directed || view->directed;
            l->channels += view->channels;
        }
    return 0;
}

/* Turns channels of outlets, with harmonics for ears, into those of receivers. */
static int add_channels(double *out, size_t frames, const double *heard, double gain, double rate,
                        const struct listeners *l, const struct model *m, struct error *e)
{
    const struct receiver_view *view = l->views;
    for (size_t i = 0; i < m->room->receiver_count; i++) {
        const struct receiver *r = &m->room->receivers[i];
        double *to = out + room_first_channel(m->room, i) * frames;
        const size_t size = receiver_place_count(r) * view->channels * frames;
        if (r->kind == RECEIVER_BINAURAL && receiver_view_add_ears(to, frames, heard, view, rate, gain, e))
            return -1;
        for (size_t n = 0; n < size && r->kind != RECEIVER_BINAURAL; n++)
            to[n] += gain * heard[n];
        heard += size;
        view += receiver_place_count(r);
    }
    return 0;
}

struct tracing {
    const struct late_part *half;
    const struct image_room *images;
    const struct model *model;
    struct late_bands bands;
    struct late_materials materials;
    struct listeners listeners;
    struct late_audit *audit; /* NULL: none */
    double *heard;            /* [listeners.channels][frames] */
    size_t frames;
    double duration; /* s */
};

/* Seed of the rays and the noise of a source. Mixed, lest seed 1 of source 2 equal seed 2 of source
 * 1. */
static uint64_t seed_of(const struct room *room, size_t source)
{
    struct random r = {(uint64_t)room->hybrid.seed};
    r.state = random_bits(&r) ^ (uint64_t)source;
    return random_bits(&r);
}

/* Traces one source and applies air absorption. *h must be freed unless the call fails. */
static int trace_source(struct late_histogram *h, const struct tracing *t, size_t source, int image_order,
                        struct error *e)
{
    const struct model *m = t->model;
    const struct room *room = m->room;
    const struct air_conditions air = air_conditions(room);
    const struct late_room faces = {.scene = &t->images->scene,
                                    .tree = &t->images->tree,
                                    .edges = t->images->turning ? &t->images->edges : NULL,
                                    .walls = t->materials.walls,
                                    .wall_count = room->material_count,
                                    .pairs = t->materials.pairs,
                                    .sheets = t->materials.sheets,
                                    .sound_speed = m->grid.sound_speed,
                                    .air = room->air.losses ? &air : NULL};
    const struct late_settings settings = {.rays = t->half->rays,
                                           .parts = LATE_PARTS,
                                           .seed = seed_of(room, source),
                                           .image_order = image_order,
                                           .duration = t->duration,
                                           .directions = t->listeners.directed,
                                           .pilots = t->half->pilots,
                                           .variance = t->half->variance,
                                           .audit = t->audit,
                                           .on_device = t->half->on_device,
                                           .device = t->half->device};
    struct source_view view;
    struct late_point from = {.pattern = source_view_energy, .context = &view};
    if (source_view_make(&view, source, m, NULL, e))
        return -1;
    memcpy(from.position, m->sources[room_first_drive(room, source)].position, sizeof from.position);
    const int status =
        late_rays_trace(h, &faces, &t->bands, &from, t->listeners.points, t->listeners.count, &settings, e);
    source_view_free(&view);
    return status;
}

static void make_rise(struct near_rise *rise, const struct tracing *t, const double place[3])
{
    struct near_wall walls[NEAR_WALLS_MAX];
    const double speed = t->model->grid.sound_speed, reach = near_walls_reach(t->bands.lower[0], speed);
    const size_t count = near_walls_find(walls, &t->images->scene, &t->images->tree, place, reach);
    near_rise_make(rise, walls, count, t->materials.gains, speed);
}

static void make_rises(const struct tracing *t)
{
    const struct listeners *l = &t->listeners;
#pragma omp parallel for schedule(dynamic, 1)
    for (size_t i = 0; i < l->count; i++)
        make_rise(&l->near[i], t, l->points[i].position);
}

/* A source near walls radiates more strongly by the same factor as a receiver there records. Nothing precedes the direct
 * sound. */
static void choose_source(const struct tracing *t, size_t source)
{
    struct near_rise rise;
    const struct listeners *l = &t->listeners;
    const double *from = t->model->sources[room_first_drive(t->model->room, source)].position;
    make_rise(&rise, t, from);
    for (size_t i = 0; i < l->count; i++) {
        const double *to = l->points[i].position;
        const double distance = hypot(hypot(to[0] - from[0], to[1] - from[1]), to[2] - from[2]);
        l->outlets[i].earliest = distance / t->model->grid.sound_speed;
        l->rises[i] = l->near[i];
        near_rise_multiply(&l->rises[i], &rise);
    }
}

/* Traces one source and synthesizes its sound. */
static int add_source(double *out, struct late_traced *traced, const struct tracing *t, size_t source, double gain,
                      struct error *e)
{
    const struct model *m = t->model;
    const struct late_sound sound = {
        t->half->rate, m->grid.sound_speed, {t->half->top[0], t->half->top[1]}, seed_of(m->room, source)};
    struct late_histogram h = {.energy = NULL};
    int status = trace_source(&h, t, source, (int)t->images->order, e);
    choose_source(t, source);
    for (size_t i = 0; i < t->listeners.count && !status; i++)
        late_hold_back(&h, i, t->listeners.outlets[i].earliest);
    if (!status)
        status = late_sound_make(t->heard, t->frames, &sound, &h, t->listeners.outlets, e) ||
                         add_channels(out, t->frames, t->heard, gain, t->half->rate, &t->listeners, m, e)
                     ? -1
                     : 0;
    traced->lost += h.lost;
    traced->on_device = traced->on_device && h.on_device;
    late_histogram_free(&h);
    return status;
}

int late_part_add(double *out, size_t frames, struct late_traced *traced, const struct late_part *half,
                  const struct image_room *images, const struct model *m, size_t first, size_t count,
                  const double *gains, struct error *e)
{
    struct tracing t = {.half = half,
                        .images = images,
                        .model = m,
                        .bands = late_bands_make(1, half->low, half->top[1]),
                        .frames = frames,
                        .duration = (double)frames / half->rate};
    *traced = (struct late_traced){.on_device = count > 0};
    int status = make_materials(&t.materials, images, m, &t.bands, e) || make_listeners(&t.listeners, m, e) ? -1 : 0;
    if (!status)
        make_rises(&t);
    if (!status && !(t.heard = calloc(t.listeners.channels * frames + 1, sizeof *t.heard)))
        status = fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count && !status; i++)
        status = add_source(out, traced, &t, first + i, gains[i], e);
    free_materials(&t.materials);
    free(t.heard);
    listeners_free(&t.listeners);
    return status;
}

static double slowest(const struct late_histogram *h)
{
    double level = -INFINITY;
    for (size_t place = 0; place < h->receivers; place++)
        for (size_t band = 0; band < h->bands.count; band++)
            level = fmax(level, late_decay_level(h, place, band));
    return level;
}

int late_part_decay(double *level, double seconds, const struct late_part *half, const struct image_room *images,
                    const struct model *m, size_t first, size_t count, struct error *e)
{
    struct tracing t = {.half = half,
                        .images = images,
                        .model = m,
                        .bands = late_bands_make(1, half->low, half->top[1]),
                        .duration = seconds};
    int status = make_materials(&t.materials, images, m, &t.bands, e) || make_listeners(&t.listeners, m, e) ? -1 : 0;
    *level = -INFINITY;
    t.listeners.directed = false; /* directions are not needed */
    for (size_t i = first; i < first + count && !status; i++) {
        struct late_histogram h = {.energy = NULL};
        status = trace_source(&h, &t, i, -1, e);
        if (!status)
            *level = fmax(*level, slowest(&h));
        late_histogram_free(&h);
    }
    free_materials(&t.materials);
    listeners_free(&t.listeners);
    return status;
}

int late_part_energies(struct late_energies *l, size_t steps, double seconds, int image_order,
                       const struct late_part *half, const struct image_room *images, const struct model *m,
                       size_t source, struct error *e)
{
    struct tracing t = {.half = half,
                        .images = images,
                        .model = m,
                        .bands = late_bands_make(1, half->low, half->top[1]),
                        .audit = &l->audit,
                        .duration = seconds};
    int status = make_materials(&t.materials, images, m, &t.bands, e) || make_listeners(&t.listeners, m, e) ? -1 : 0;
    t.listeners.directed = false; /* directions are not needed */
    if (!status)
        status = late_audit_make(&l->audit, steps, seconds / (double)steps, m->room->material_count,
                                 t.bands.count * LATE_PARTS, e) ||
                         trace_source(&l->h, &t, source, image_order, e)
                     ? -1
                     : 0;
    free_materials(&t.materials);
    listeners_free(&t.listeners);
    return status;
}

void late_energies_free(struct late_energies *l)
{
    late_histogram_free(&l->h);
    late_audit_free(&l->audit);
}
