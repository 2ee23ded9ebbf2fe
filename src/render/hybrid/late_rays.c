/* SPDX-License-Identifier: MIT */
#include "render/hybrid/late_rays.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/random.h"
#include "base/stop.h"
#include "render/hybrid/late_device.h"
#include "render/hybrid/late_travel.h"
#include "render/hybrid/late_walls.h"

static const double pi = 3.14159265358979323846;
static const double rain_share_usual = 0.25;

enum { CHUNK = 128, PILOT_PARTS = 16 }; /* rays in a chunk; parts of pilots and guide rays */

/* Random rotation from three numbers (Shoemake 1992, "Uniform random rotations"). */
static void random_turn(double turn[3][3], struct random *r)
{
    const double share = random_unit(r), a = 2.0 * pi * random_unit(r), b = 2.0 * pi * random_unit(r);
    const double x = sqrt(1.0 - share) * sin(a), y = sqrt(1.0 - share) * cos(a), z = sqrt(share) * sin(b),
                 w = sqrt(share) * cos(b);
    const double rows[3][3] = {{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)},
                               {2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)},
                               {2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)}};
    memcpy(turn, rows, sizeof rows);
}

/* Who traces: threads, or a GPU that some of them drive. */
struct workers {
    struct late_tally *tallies; /* [threads] */
    int threads;
    struct late_device *device; /* NULL: none */
};

/* Traces all rays of a group. Each thread has a tally of integers, whose sum does not depend on the
 * distribution of rays over threads. */
static int trace_group(const struct workers *w, const struct tracer *t, struct error *e)
{
    const size_t chunks = (t->rays + CHUNK - 1) / CHUNK;
    if (w->device)
        return late_device_trace(w->device, NULL, t, e);
#pragma omp parallel for schedule(dynamic, 1) num_threads(w->threads)
    for (size_t c = 0; c < chunks; c++)
        for (size_t i = c * CHUNK; i < (c + 1) * CHUNK && i < t->rays && !stop_requested(); i++)
            late_travel(&w->tallies[omp_get_thread_num()], NULL, t, i);
    return stop_check(e);
}

/* Results of the pilots and guide rays of a group. */
struct told {
    struct late_reference reference;
    struct ray_guiding aims;
    struct late_seen parts[PILOT_PARTS]; /* the same partition for any number of threads */
};

/* Adds the results of another part. */
static void join(struct late_seen *all, const struct late_seen *part, const struct tracer *t)
{
    for (size_t i = 0; i < LATE_REFERENCE_STEPS; i++)
        for (size_t b = 0; b < t->group.count; b++)
            all->energies.energy[i][b] += part->energies.energy[i][b];
    all->hits += part->hits;
    all->work += part->work;
    for (size_t i = 0; i < RAY_GUIDE_TIMES && t->guiding; i++)
        for (size_t c = 0; c < RAY_GUIDING; c++)
            all->shares.energy[i][c] += part->shares.energy[i][c];
}

static void clear(struct late_seen *seen, const struct tracer *t)
{
    seen->hits = seen->work = 0.0;
    seen->energies = (struct late_reference){.step = t->farthest / LATE_REFERENCE_STEPS};
    if (t->guiding)
        memset(&seen->shares, 0, sizeof seen->shares);
}

/* Collects the results in told->parts[0]. */
static int send_ahead(struct told *told, const struct workers *w, const struct tracer *t, struct error *e)
{
    clear(&told->parts[0], t);
    if (w->device)
        return late_device_trace(w->device, &told->parts[0], t, e);
#pragma omp parallel for schedule(dynamic, 1) num_threads(w->threads)
    for (int p = 0; p < PILOT_PARTS; p++) {
        struct late_tally none = {.lost = 0};
        clear(&told->parts[p], t);
        for (size_t i = (size_t)p; i < t->rays && !stop_requested(); i += PILOT_PARTS)
            late_travel(&none, &told->parts[p], t, i);
    }
    for (int p = 1; p < PILOT_PARTS; p++)
        join(&told->parts[0], &told->parts[p], t);
    return stop_check(e);
}

/* Traces pilots, a few rays for the mean energies, and guide rays, for the directions whose energy
 * lasts. */
static int look_ahead(struct told *told, const struct workers *w, struct tracer *t, struct error *e)
{
    struct tracer all = *t;
    const struct late_seen *seen = &told->parts[0];
    t->rays = all.settings->pilots ? all.settings->pilots : t->wavelength > 0.0 ? LATE_EDGE_PILOTS : LATE_PILOTS;
    t->seed = all.seed + 1;
    t->looking_ahead = true;
    if (send_ahead(told, w, t, e))
        return -1;
    told->reference = seen->energies;
    late_reference_finish(&told->reference, t->rays, t->group.count);
    t->reference = &told->reference;
    if (t->wavelength > 0.0) { /* as much work as without edges */
        const double least = ceil(LATE_EDGE_LEAST * (double)all.settings->rays);
        all.rays =
            (size_t)fmin(fmax(ceil((double)all.rays * seen->hits / fmax(seen->work, 1.0)), least), (double)all.rays);
        all.share = (double)all.settings->rays / (double)all.rays;
    }
    const size_t guide_rays = guide_ray_count(all.rays) / (t->wavelength > 0.0 ? 2 : 1);
    if (guide_rays) {
        t->rays = guide_rays;
        t->guiding = true;
        if (send_ahead(told, w, t, e))
            return -1;
        late_reference_raise(&told->reference, &seen->energies, t->rays, t->group.count);
        ray_guiding_make(&told->aims, &seen->shares, (double)guide_rays * t->farthest / RAY_GUIDE_TIMES);
    }
    *t = all;
    t->reference = &told->reference;
    t->aims = guide_rays ? &told->aims : NULL;
    return 0;
}

/* m: wavelength in the middle of a group; 0: no edges deflect it. */
static double wavelength_of(const struct late_group *group, const struct late_bands *bands, size_t parts,
                            const struct late_room *room)
{
    const size_t first = group->first / parts, last = (group->first + group->count - 1) / parts;
    const double centre = sqrt(bands->centre[first] * bands->centre[last]);
    const bool turned = room->edges && room->edges->count && bands->centre[first] <= LATE_EDGE_HIGHEST;
    return turned ? room->sound_speed / centre : 0.0;
}

/* Bands of similar scattering share rays. With deflecting edges each band has its own, unless a
 * larger variance is requested. members: number of groups that share LATE_EDGE_RAYS times the rays
 * with a group. */
static size_t make_groups(struct late_group *groups, size_t *members, const struct late_tally *tally,
                          const struct tracer *t)
{
    const struct late_bands *bands = &tally->of->bands;
    const double variance = t->settings->variance > 0.0 ? t->settings->variance : LATE_VARIANCE;
    const size_t count =
        late_groups_make(groups, t->room->walls, t->room->wall_count, bands->count * tally->parts, variance);
    for (size_t g = 0; g < count; g++)
        members[g] = 1;
    if (!t->room->edges || !t->room->edges->count || variance >= 1.0)
        return count;
    return late_groups_cut(groups, members, count, bands, tally->parts);
}

/* chances: [walls], filled. */
static void begin_group(struct tracer *t, double *chances, const struct late_group *group, size_t members,
                        const struct late_tally *tally, struct random *r)
{
    const size_t all = t->settings->rays;
    t->group = *group;
    t->wavelength = wavelength_of(group, &tally->of->bands, tally->parts, t->room);
    t->rays = members > 1 ? (LATE_EDGE_RAYS * all + members - 1) / members : all;
    t->share = (double)all / (double)t->rays;
    t->chances = chances;
    for (size_t w = 0; w < t->room->wall_count; w++)
        chances[w] = late_group_chance(group, &t->room->walls[w]);
    random_turn(t->turn, r);
    t->seed = random_bits(r);
}

static int trace_one(const struct workers *w, struct tracer t, struct error *e)
{
    struct told *told = calloc(1, sizeof *told);
    int status = told ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        status = (!t.settings->plain && look_ahead(told, w, &t, e)) || trace_group(w, &t, e) ? -1 : 0;
    free(told);
    return status;
}

/* All groups at once, with a thread for each: one alone does not fill a GPU. Adds to the tally only
 * if all succeed. */
static int trace_on_device(struct late_tally *tally, const struct tracer *groups, size_t count, struct error *e)
{
    struct workers w = {.device = NULL};
    int failed = late_device_open(&w.device, groups, tally, groups->settings->device, e) ? 1 : 0;
    const size_t traced = failed ? 0 : count;
#pragma omp parallel for schedule(dynamic, 1) num_threads((int)count)
    for (size_t g = 0; g < traced; g++) {
        struct error inner;
        if (!trace_one(&w, groups[g], &inner))
            continue;
#pragma omp critical(group_failed)
        if (!failed++)
            *e = inner;
    }
    if (!failed)
        failed = late_device_read(w.device, tally, e);
    late_device_close(w.device);
    return failed ? -1 : 0;
}

/* *traced: number of times that all rays were traced. If the GPU lacks memory or cannot take the job,
 * the threads trace. */
static int trace_groups(const struct workers *w, size_t *traced, bool *on_device, const struct tracer *t,
                        struct error *e)
{
    struct late_group groups[LATE_BANDS_MAX];
    size_t members[LATE_BANDS_MAX];
    const size_t count = make_groups(groups, members, w->tallies, t), walls = t->room->wall_count;
    double *chances = calloc(count * walls + 1, sizeof *chances);
    struct tracer *tracers = calloc(count + 1, sizeof *tracers);
    struct random r = {t->settings->seed};
    struct error failure;
    int status = chances && tracers ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t g = 0; g < count && !status; g++) {
        tracers[g] = *t;
        begin_group(&tracers[g], chances + g * walls, &groups[g], members[g], w->tallies, &r);
    }
    *on_device = !status && t->settings->on_device && !t->settings->audit;
    if (*on_device && trace_on_device(&w->tallies[0], tracers, count, &failure)) {
        *on_device = false;
        status = failure.code == ERROR_MEMORY || failure.code == ERROR_ENGINE ? 0 : -1;
        if (status)
            *e = failure;
    }
    if (!*on_device)
        for (size_t g = 0; g < count && !status; g++)
            status = stop_check(e) || trace_one(w, tracers[g], e) ? -1 : 0;
    *traced = count;
    free(tracers);
    free(chances);
    return status;
}

/* [bins][bands × parts]; NULL: out of memory */
static float *air_of(const struct late_histogram *h, const struct late_room *room, size_t parts)
{
    const struct late_bands fine = late_bands_split(&h->bands, parts);
    float *air = malloc((h->bins * fine.count + 1) * sizeof *air);
    for (size_t bin = 0; air && bin < h->bins; bin++)
        for (size_t i = 0; i < fine.count; i++)
            air[bin * fine.count + i] =
                (float)late_air(h, bin, fine.lower[i], fine.upper[i], room->air, room->sound_speed);
    return air;
}

static void audits_free(struct late_audit *audits, int threads)
{
    for (int i = 0; i < threads && audits; i++)
        late_audit_free(&audits[i]);
    free(audits);
}

/* An audit for each thread, in the shape of settings->audit. NULL: none is asked for, or out of memory. */
static struct late_audit *audits_of(struct late_tally *tallies, int threads, const struct late_settings *settings,
                                    struct error *e)
{
    const struct late_audit *shape = settings->audit;
    struct late_audit *audits = shape ? calloc((size_t)threads, sizeof *audits) : NULL;
    int status = audits || !shape ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (int i = 0; i < threads && audits && !status; i++) {
        status = late_audit_make(&audits[i], shape->steps, shape->step, shape->walls, shape->bands, e);
        tallies[i].audit = &audits[i];
    }
    if (!status)
        return audits;
    audits_free(audits, threads);
    return NULL;
}

/* Receiver positions moved off the faces they lie on. NULL: out of memory. */
static struct late_point *places_of(const struct late_room *room, const struct late_point *receivers, size_t count)
{
    struct late_point *places = malloc((count + 1) * sizeof *places);
    for (size_t r = 0; r < count && places; r++) {
        places[r] = receivers[r];
        late_place_off_faces(places[r].position, room->scene, room->tree);
    }
    return places;
}

static int make_spheres(struct late_sphere *spheres, const struct late_room *room, const struct late_point *receivers,
                        size_t count, int threads, struct error *e)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (size_t r = 0; r < count; r++)
        if (!stop_requested())
            late_sphere_make(&spheres[r], room->scene, room->tree, receivers[r].position);
    return stop_check(e);
}

int late_rays_trace(struct late_histogram *h, const struct late_room *room, const struct late_bands *bands,
                    const struct late_point *source, const struct late_point *given, size_t receiver_count,
                    const struct late_settings *settings, struct error *e)
{
    struct late_point from = *source;
    const int threads = settings->threads > 0 ? settings->threads : omp_get_max_threads();
    const double usual = fmin(rain_share_usual * (double)receiver_count, 1.0);
    const double share = settings->rain_share > 0.0 ? settings->rain_share : usual;
    const size_t parts = settings->parts > 0 ? settings->parts : 1;
    size_t traced = 1;
    struct late_tally *tallies = calloc((size_t)threads, sizeof *tallies);
    struct late_audit *audits = NULL;
    float *air = NULL;
    struct late_sphere *spheres = calloc(receiver_count + 1, sizeof *spheres);
    struct late_point *receivers = places_of(room, given, receiver_count);
    int status = tallies && spheres && receivers ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    *h = (struct late_histogram){.energy = NULL};
    if (!status)
        status =
            late_histogram_make(h, receiver_count, (size_t)ceil(settings->duration / LATE_BIN), LATE_BIN, bands, e);
    if (!status && room->air && !(air = air_of(h, room, parts)))
        status = fail(e, ERROR_MEMORY, "out of memory");
    for (int i = 0; i < threads && !status; i++)
        status = late_tally_make(&tallies[i], h, parts, air, settings->rays, settings->directions, e);
    if (!status && settings->audit && !(audits = audits_of(tallies, threads, settings, e)))
        status = -1;
    if (!status)
        status = make_spheres(spheres, room, receivers, receiver_count, threads, e);
    struct tracer t = {.room = room,
                       .settings = settings,
                       .source = &from,
                       .receivers = receivers,
                       .spheres = spheres,
                       .receiver_count = receiver_count,
                       .rays = settings->rays,
                       .farthest = settings->duration * room->sound_speed,
                       .rain_chance = fmin(share, (double)receiver_count),
                       .bins = h->bins,
                       .bin = h->bin};
    late_place_off_faces(from.position, room->scene, room->tree);
    if (!status)
        status = trace_groups(&(struct workers){tallies, threads, NULL}, &traced, &h->on_device, &t, e);
    for (int i = 1; i < threads && !status; i++)
        late_tally_join(&tallies[0], &tallies[i]);
    for (int i = 0; i < threads && !status && audits; i++)
        late_audit_join(settings->audit, &audits[i]);
    if (!status)
        late_tally_give(h, &tallies[0]);
    audits_free(audits, threads);
    for (int i = 0; i < threads && tallies; i++)
        late_tally_free(&tallies[i]);
    if (!status) {
        h->rays = settings->rays;
        h->lost = h->lost / traced < h->rays ? h->lost / traced : h->rays;
    } else
        late_histogram_free(h);
    free(tallies);
    free(spheres);
    free(receivers);
    free(air);
    return status;
}
