/* SPDX-License-Identifier: MIT */
#include "render/place/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/stop.h"
#include "render/render.h"

int place_room_make(struct place_room *r, const struct room *room, double (*sources)[3], size_t source_count,
                    double (*places)[3], size_t place_count, double max_frequency, struct error *e)
{
    static char name[] = "place";
    r->room = *room;
    r->sources = calloc(source_count + 1, sizeof *r->sources);
    if (!r->sources)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < source_count; i++) {
        r->sources[i] = (struct source){.name = name, .signal = SIGNAL_IMPULSE, .gain = 1.0};
        memcpy(r->sources[i].position, sources[i], sizeof *sources);
    }
    r->listeners = (struct receiver){.name = name, .kind = RECEIVER_ARRAY};
    r->listeners.array.shape = ARRAY_LIST;
    r->listeners.array.positions = r->listeners.array.places = places;
    r->listeners.array.position_count = r->listeners.array.place_count = place_count;
    if (place_count)
        memcpy(r->listeners.position, places[0], sizeof *places);
    r->room.sources = r->sources;
    r->room.source_count = source_count;
    r->room.receivers = &r->listeners;
    r->room.receiver_count = place_count ? 1 : 0;
    r->room.instrument_count = r->room.pickup_count = r->room.event_count = 0;
    r->room.score_file = NULL;
    r->room.hybrid.full = false;
    r->room.hybrid.given = true;
    r->room.output.rate = 0.0;
    r->room.output.filter = FILTER_VALID;
    if (max_frequency > 0.0)
        r->room.grid.max_frequency = max_frequency;
    return 0;
}

void place_room_free(struct place_room *r)
{
    free(r->sources);
    memset(r, 0, sizeof *r);
}

/* A source of unit gain gives 1/(4π r) in free air; here it gives 1 at 1 m. */
static const double AT_ONE_METRE = 4.0 * M_PI;

struct taking {
    struct place_runs *runs;
    size_t source;
};

/* dB: energy of the last tenth over all; -INFINITY for silence. */
static double tail_of(const double *samples, size_t frames)
{
    double all = 0.0, last = 0.0;
    for (size_t n = 0; n < frames; n++) {
        all += samples[n] * samples[n];
        last += 10 * n >= 9 * frames ? samples[n] * samples[n] : 0.0;
    }
    return all > 0.0 ? 10.0 * log10(last / all + 1e-30) : -INFINITY;
}

static int take(void *context, size_t first, struct response *part, struct error *e)
{
    const struct taking *t = context;
    struct place_runs *runs = t->runs;
    const size_t own = runs->bands->count * PLACE_LINES, lines = runs->sources * own;
    double tail = -INFINITY;
    for (size_t c = 0; c < part->channels; c++) {
        const double *samples = part->samples + c * part->frames;
        double *re = runs->values + 2 * (first + c) * lines + t->source * own, *im = re + lines;
        if (stop_check(e))
            return -1;
        tail = fmax(tail, tail_of(samples, part->frames));
        place_transform(re, im, runs->bands, samples, part->frames, part->rate, RESPONSE_HIGH_PASS);
        for (size_t i = 0; i < own; i++) { /* the delay of the low-pass, the same for all lines far below it */
            const double angle = 2.0 * M_PI * runs->bands->frequency[i] * part->band.delay[0];
            const double x = re[i], y = im[i];
            re[i] = AT_ONE_METRE * (cos(angle) * x - sin(angle) * y);
            im[i] = AT_ONE_METRE * (sin(angle) * x + cos(angle) * y);
        }
    }
#pragma omp critical(place_tail)
    {
        runs->tail = fmax(runs->tail, tail);
        runs->seconds = (double)part->frames / part->rate;
    }
    return 0;
}

/* The progress of one run as a part of all. */
struct share {
    const struct watch *watch;
    size_t done, total; /* runs */
};

static bool look(void *context, size_t done, size_t total, double points_per_second)
{
    const struct share *s = context;
    return s->watch->look(s->watch->context, s->done * total + done, s->total * total, points_per_second);
}

int place_runs_make(struct place_runs *runs, const struct model *m, const struct solver_options *choice,
                    const struct watch *watch, struct error *e)
{
    struct length length;
    if (render_length(&length, m, 0, 1, e) ||
        memory_demand((double)runs->places * 2.0 * (double)length.steps * sizeof(double), e,
                      "the responses at %zu places (use a larger spacing of --candidates, or leave out --walls)",
                      runs->places))
        return -1;
    for (size_t i = 0; i < runs->sources; i++, runs->done++) {
        struct taking taking = {runs, i};
        struct share share = {watch, runs->done, runs->total};
        const struct watch part = {.look = watch && watch->look ? look : NULL, .context = &share};
        const struct response_taker taker = {take, &taking};
        struct rendering rendering = {.count = 0};
        const int status = render_for(&rendering, m, i, choice, &part, &taker, e);
        rendering_free(&rendering);
        if (status)
            return -1;
    }
    return 0;
}
