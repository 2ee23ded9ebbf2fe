/* SPDX-License-Identifier: MIT */
#include "render/geometric.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/phase_timer.h"
#include "base/stop.h"
#include "base/threads.h"
#include "render/directions.h"
#include "render/early_part.h"
#include "render/hybrid/late_walls.h"
#include "render/hybrid/ray_guiding.h"
#include "render/late_part.h"
#include "render/render.h"

static const double AUDIBLE = 20000.0;           /* Hz */
static const double CARRIED = 20000.0 / 44100.0; /* of the rate: the highest that a file carries without loss */
static const double ROLL_OFF = 1.2;              /* of the top */

const struct geometric_effort geometric_whole = {.search = IMAGE_RAYS, .tries = IMAGE_TRIES};
const struct geometric_effort geometric_first = {.search = 1 << 13,
                                                 .pilots = 256,
                                                 .tries = 1e5,
                                                 .variance = 1.0, /* all bands are traced together */
                                                 .hits = 4e5,
                                                 .filters = 2000.0,
                                                 .samples = 1e7};
static const size_t rays_least = 500;
static const double ringing = 0.4; /* s of late sound that is filtered beyond the response */

double geometric_top(double rate)
{
    return floor(fmin(AUDIBLE, CARRIED * rate));
}

void geometric_end(double top[2], double flat, double rate)
{
    top[0] = flat;
    top[1] = fmin(ROLL_OFF * flat, 0.5 * rate);
}

/* Number of rays, with the guide rays that precede them (ray_guiding.h), for a budget of hits. A
 * hit is a search for the next face and, for one in four of each receiver, a visibility test; both
 * take longer with more faces. The mean free path is 4V/S. */
static size_t rays_within(double hits, const struct geometric_effort *effort, const struct geometric *g,
                          const struct image_room *faces, const struct model *m)
{
    const double way = m->space.surface > 0.0 ? 4.0 * m->space.volume / m->space.surface : INFINITY;
    const double along = 1.0 + m->grid.sound_speed * (double)g->frames / g->rate / way;
    const double dear =
        (1.0 + fmin(0.25 * (double)image_room_places(m->room), 1.0)) * (1.0 + log2((double)faces->scene.count) / 8.0);
    const double all = floor(hits / (along * dear)) - (double)effort->pilots;
    const size_t rays = ray_guide_rays_within((size_t)fmax(all, (double)rays_least)), asked = m->room->hybrid.rays;
    return rays < asked ? rays : asked;
}

static size_t order_within(double filters, size_t order, const struct room *room)
{
    while (order > 1 && (double)image_room_places(room) * image_room_ways(room, order) > filters)
        order--;
    return order;
}

static int fill(struct geometric *g, const struct geometric_band *band, const struct geometric_effort *effort,
                const struct model *m, size_t first, size_t count, const double *gains, struct error *e)
{
    struct early_part early = {.rate = g->rate, .low = band->low, .edge = band->edge};
    struct image_room faces;
    geometric_end(early.top, band->top, g->rate);
    phase_begin("faces that mirror");
    int status = image_room_make(&faces, m, effort->search, effort->tries, e);
    phase_end();
    if (status)
        return -1;
    if (effort->filters > 0.0)
        faces.order = order_within(effort->filters, faces.order, m->room);
    faces.all = faces.all < faces.order ? faces.all : faces.order;
    g->rays = effort->hits > 0.0 ? rays_within(effort->hits, effort, g, &faces, m) : m->room->hybrid.rays;
    const struct late_part late = {.rate = g->rate,
                                   .low = band->octave,
                                   .top = {early.top[0], early.top[1]},
                                   .rays = g->rays,
                                   .pilots = effort->pilots,
                                   .variance = effort->variance,
                                   .on_device = effort->on_device,
                                   .device = effort->device};
    phase_begin("image sources");
    status = early_part_add(g->images, g->frames, &g->ways, &early, &faces, m, first, count, gains, e);
    phase_end();
    phase_begin("rays");
    if (!status && g->rays)
        status = late_part_add(g->late, g->frames, &g->traced, &late, &faces, m, first, count, gains, e);
    phase_end();
    g->edges = (struct room_edges){faces.edges.count, faces.edges.length};
    image_room_free(&faces);
    return status;
}

int geometric_make(struct geometric *g, size_t frames, double rate, const struct geometric_band *band,
                   const struct geometric_effort *effort, const struct model *m, size_t first, size_t count,
                   const double *gains, struct error *e)
{
    const size_t channels = room_channel_count(m->room), size = channels * frames;
    *g = (struct geometric){.images = calloc(size + 1, sizeof *g->images),
                            .late = calloc(size + 1, sizeof *g->late),
                            .channels = channels,
                            .frames = frames,
                            .rate = rate};
    if (!g->images || !g->late)
        return fail(e, ERROR_MEMORY, "out of memory");
    return fill(g, band, effort, m, first, count, gains, e);
}

void geometric_free(struct geometric *g)
{
    free(g->images);
    free(g->late);
    memset(g, 0, sizeof *g);
}

/* Pa m */
static int gain_of(double *gain, const struct model *m, size_t source, struct error *e)
{
    struct excitation *excitation;
    size_t onset;
    if (render_excitations(&excitation, &onset, m, source, 1, e))
        return -1;
    *gain = excitation->gain;
    render_excitations_free(excitation, 1);
    return 0;
}

/* Drawing directions costs as much as four channels. */
static size_t filtered_channels(const struct room *room)
{
    size_t channels = room_channel_count(room);
    for (size_t i = 0; i < room->receiver_count; i++)
        channels += receiver_order(&room->receivers[i]) > 0 ? 4 : 0;
    return channels;
}

/* Largest length whose filters, of a power of two, stay within the budget. */
static size_t frames_within(double samples, size_t frames, size_t filtered, double rate)
{
    const double all = (double)frames + ringing * rate, each = samples / (double)filtered;
    if (exp2(ceil(log2(all))) <= each)
        return frames;
    return (size_t)fmax(exp2(floor(log2(each))) - ringing * rate, 0.1 * rate);
}

/* cos² over the last tenth. */
static void fade_out(struct response *r)
{
    const size_t tenth = r->frames / 10;
    for (size_t c = 0; c < r->channels; c++)
        for (size_t n = 1; n <= tenth; n++)
            r->samples[(c + 1) * r->frames - n] *= pow(sin(0.5 * M_PI * (double)(n - 1) / (double)tenth), 2.0);
}

int geometric_response(struct response *r, const struct geometric_effort *effort, const struct model *m, size_t source,
                       struct error *e)
{
    const double rate = model_output_rate(m);
    const struct geometric_band band = {.low = 200.0, .octave = 125.0, .top = geometric_top(rate)};
    struct geometric g = {.images = NULL};
    struct length length;
    double gain;
    memset(r, 0, sizeof *r);
    if (render_length(&length, m, source, 1, e) || gain_of(&gain, m, source, e))
        return -1;
    const size_t whole = (size_t)fmax(round(length.seconds * rate), 1.0);
    const size_t filtered = late_bands_make(1, band.octave, band.top).count * filtered_channels(m->room);
    const size_t frames = effort->samples > 0.0 ? frames_within(effort->samples, whole, filtered, rate) : whole;
    const int status = geometric_make(&g, frames, rate, &band, effort, m, source, 1, &gain, e);
    if (!status) {
        *r = (struct response){.samples = g.images,
                               .channels = g.channels,
                               .frames = g.frames,
                               .rate = rate,
                               .is_filter = true,
                               .scale = 1.0,
                               .band = {.pass = band.top}};
        for (size_t n = 0; n < g.channels * g.frames; n++)
            r->samples[n] += g.late[n];
        if (frames < whole)
            fade_out(r);
        g.images = NULL;
    }
    geometric_free(&g);
    return status;
}

struct geometric_async {
    pthread_t thread;
    struct geometric made;
    size_t frames, first, count;
    double rate, *gains; /* [count] */
    struct geometric_band band;
    struct geometric_effort effort;
    const struct model *model;
    int threads, status;
    struct error error;
};

static void *make(void *aside)
{
    struct geometric_async *a = aside;
    const double begin = clock_seconds();
    threads_limit(a->threads);
    a->status = geometric_make(&a->made, a->frames, a->rate, &a->band, &a->effort, a->model, a->first, a->count,
                               a->gains, &a->error);
    phase_add_beside("image sources and rays in other threads", clock_seconds() - begin);
    return NULL;
}

/* The calling thread handles signals. */
static int start(struct geometric_async *a)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const int status = pthread_create(&a->thread, NULL, make, a);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

int geometric_async_begin(struct geometric_async **aside, size_t frames, double rate, const struct geometric_band *band,
                          const struct geometric_effort *effort, const struct model *m, size_t first, size_t count,
                          const double *gains, int threads, struct error *e)
{
    struct geometric_async *a = calloc(1, sizeof *a);
    double *own = malloc((count + 1) * sizeof *own);
    *aside = NULL;
    if (!a || !own) {
        free(a);
        free(own);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    memcpy(own, gains, count * sizeof *own);
    *a = (struct geometric_async){.frames = frames,
                                  .first = first,
                                  .count = count,
                                  .rate = rate,
                                  .gains = own,
                                  .band = *band,
                                  .effort = *effort,
                                  .model = m,
                                  .threads = threads};
    if (start(a)) {
        free(own);
        free(a);
        return fail(e, ERROR_FAILED, "cannot start a thread for image sources and rays");
    }
    *aside = a;
    return 0;
}

int geometric_async_end(struct geometric_async *a, struct geometric *g, struct error *e)
{
    pthread_join(a->thread, NULL);
    const int status = a->status;
    *g = a->made;
    if (status)
        *e = a->error;
    free(a->gains);
    free(a);
    return status;
}

void geometric_async_drop(struct geometric_async *a)
{
    struct geometric made;
    struct error e;
    if (!a)
        return;
    stop_work(true); /* image sources and rays check no other flag */
    geometric_async_end(a, &made, &e);
    stop_work(false);
    geometric_free(&made);
}
