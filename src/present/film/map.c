/* SPDX-License-Identifier: MIT */
#include "present/film/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/memory.h"
#include "base/stop.h"
#include "base/text.h"
#include "present/film/map_places.h"
#include "render/hybrid_response.h"
#include "render/metrics_settings.h"
#include "render/model_json.h"
#include "render/render.h"

static const double BAND = 1000.0; /* Hz */
static const char *const usual[] = {"t30", "c80", "g"};

static struct receiver receiver_of(const struct map *map)
{
    static char name[] = "map";
    struct receiver r = {.name = name, .kind = RECEIVER_ARRAY};
    r.array.shape = ARRAY_LIST;
    r.array.positions = r.array.places = map->places;
    r.array.position_count = r.array.place_count = map->place_count;
    memcpy(r.position, map->places[0], sizeof r.position);
    return r;
}

/* Context of the measurement. */
struct listening {
    struct map *map;
    const struct rendering *rendering;
    const struct model *m;
};

/* Rounds like a file of the room's format, so that a map agrees with `aula metrics`. Integer formats scale by the loudest
 * receiver and are treated as float. */
static void round_samples(struct response *part, enum sample_format format)
{
    for (size_t n = 0; n < part->channels * part->frames && format != FORMAT_DOUBLE; n++)
        part->samples[n] = (double)(float)part->samples[n];
}

static int measure(void *context, size_t first, struct response *part, struct error *e)
{
    const struct listening *l = context;
    struct map *map = l->map;
    struct metrics_settings settings = rendering_metrics_settings(l->rendering, part, l->m);
    settings.bench = metrics_bench_make();
    int status = settings.bench ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    round_samples(part, l->m->room->output.format);
    for (size_t c = 0; c < part->channels && !status; c++)
        status = stop_check(e) || metrics_measure(&map->metrics[first + c], part->samples + c * part->frames,
                                                  part->frames, part->rate, &settings, e);
    metrics_bench_free(settings.bench);
    if (!first) { /* the same for all receivers */
        map->valid_low = settings.valid_low;
        map->valid_high = settings.valid_high;
        map->seconds = (double)part->frames / part->rate;
    }
    return status ? -1 : 0;
}

static size_t octave_of(double wanted)
{
    size_t band = 0;
    while (band < METRICS_OCTAVES && !(fabs(wanted / (62.5 * (double)(1 << band)) - 1.0) < 0.1))
        band++;
    return band;
}

/* Checks --band before the run. */
static int check_band(const struct map_wish *w, const struct model *m, struct error *e)
{
    const struct hybrid_halves halves = hybrid_halves_of(m, w->source, 1, NULL);
    const double valid = hybrid_valid_to(m, &halves);
    if (!(w->band > 0.0))
        return 0;
    if (octave_of(w->band) == METRICS_OCTAVES)
        return fail(e, ERROR_USAGE, "--band %g: not the centre of an octave band; use 63, 125, 250 .. 8000", w->band);
    if (w->band < sqrt(2.0) * valid)
        return 0;
    return fail(
        e, ERROR_USAGE,
        "--band %g: the responses are valid up to %.0f Hz only; use a lower band or --set grid.max_frequency=%.0f",
        w->band, valid, ceil(1.5 * w->band));
}

/* Checks the source before the run. */
static int check_source(const struct room *room, size_t source, struct error *e)
{
    const enum signal_kind signal = room->sources[source].signal;
    if (signal_gives_response(signal))
        return 0;
    return fail(e, ERROR_INPUT,
                "%s: source %s plays a signal, but acoustic parameters need an impulse response; use --set "
                "sources[%zu].signal=impulse",
                room->path, room->sources[source].name, source);
}

/* Each receiver needs the recorded steps and their mapped copy; a hybrid response adds its two halves, the sum and the
 * sound of the rays. */
static int check_memory_of(const struct map *map, const struct model *m, struct error *e)
{
    struct length length;
    if (render_length(&length, m, map->wish.source, 1, e))
        return -1;
    const double whole = m->room->hybrid.full ? 4.0 * length.seconds * model_output_rate(m) : 0.0;
    return memory_demand((double)map->place_count * (2.0 * (double)length.steps + whole) * sizeof(double), e,
                         "the responses of %zu receivers (use a larger --spacing)", map->place_count);
}

/* The doubts that `aula metrics` has about a response of this rendering. */
static int take_doubts(struct map *map, const struct rendering *r, const struct model *m, struct error *e)
{
    if (!m->room->hybrid.full)
        return 0;
    cJSON *json = model_json(m, &r->simulation.plan, &r->length, AIR_NONE);
    if (json)
        add_hybrid_json(json, m, &r->halves);
    const int status = json ? doubts_take(&map->doubts, json) : -1;
    cJSON_Delete(json);
    return status ? fail(e, ERROR_MEMORY, "out of memory") : 0;
}

static int listen(struct map *map, const struct room *room, const struct solver_options *choice,
                  const struct watch *watch, struct error *e)
{
    struct room mapped = *room;
    struct receiver all = receiver_of(map);
    struct model *m = NULL;
    struct rendering rendering = {.count = 0};
    const struct grid_use use = {.purpose = PURPOSE_RESPONSES, .first = map->wish.source, .count = 1};
    mapped.receivers = &all;
    mapped.receiver_count = 1;
    mapped.hybrid.full =
        room->hybrid.full && room->hybrid.given; /* rays to hundreds of receivers are slow, so only on request */
    map->metrics = calloc(map->place_count, sizeof *map->metrics);
    int status = map->metrics ? check_source(room, map->wish.source, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        status = model_make_for(&m, &mapped, &use, e) || check_band(&map->wish, m, e) || check_memory_of(map, m, e);
    struct listening listening = {map, &rendering, m};
    const struct response_taker taker = {measure, &listening};
    if (!status)
        status =
            render_for(&rendering, m, map->wish.source, choice, watch, &taker, e) || take_doubts(map, &rendering, m, e);
    rendering_free(&rendering);
    model_free(m);
    return status ? -1 : 0;
}

/* The octave of --band; by default 1 kHz or the highest valid octave below. */
static int choose_band(struct map *map, struct error *e)
{
    const struct metrics_band *bands = map->metrics[0].band;
    size_t band = octave_of(map->wish.band);
    for (size_t b = 0; !(map->wish.band > 0.0) && b < METRICS_OCTAVES; b++)
        if (bands[b].centre <= 1.01 * BAND && bands[b].validity == METRICS_VALID)
            band = b;
    if (band == METRICS_OCTAVES)
        return fail(e, ERROR_INPUT, "no octave lies within the valid band of %.0f to %.0f Hz; raise grid.max_frequency",
                    map->valid_low, map->valid_high);
    map->band = band;
    map->wish.band = bands[band].centre;
    return 0;
}

static bool is_single(const struct metric *metric)
{
    return metric >= single_metrics && metric < single_metrics + single_metric_count;
}

double map_value(const struct map *map, size_t metric, size_t place)
{
    const struct metric *f = map->wish.metric[metric];
    const struct metrics *m = &map->metrics[place];
    return f->text.scale * (is_single(f) ? metric_of_response(f, m) : metric_of_band(f, &m->band[map->band]));
}

static unsigned doubts_at(const struct map *map, size_t metric, size_t place)
{
    const struct metrics *m = &map->metrics[place];
    const struct metric *shown = map->wish.metric[metric];
    return is_single(shown) ? doubts_of_single(&map->doubts, m, shown) : doubts_of(&map->doubts, &m->band[map->band]);
}

size_t map_doubtful(const struct map *map, size_t metric, unsigned *found)
{
    size_t count = 0;
    *found = 0;
    for (size_t i = 0; i < map->place_count; i++) {
        const unsigned doubts = isfinite(map_value(map, metric, i)) ? doubts_at(map, metric, i) : 0;
        count += doubts != 0;
        *found |= doubts;
    }
    return count;
}

static bool is_told(const struct map *map, size_t metric)
{
    for (size_t i = 0; i < map->place_count; i++)
        if (isfinite(map_value(map, metric, i)))
            return true;
    return false;
}

/* Why a parameter is missing everywhere; the first receiver stands for all. */
static const char *reason_of(const struct map *map, const struct metric *metric)
{
    const struct metrics *m = &map->metrics[0];
    return is_single(metric) ? "it needs octaves beyond the valid band; add them with --set hybrid.full=true"
                             : metrics_reason_text(metric_reason(metric, &m->band[map->band]));
}

/* The default parameters, except those that could not be measured at any receiver, which go into the note. */
static int choose_figures(struct map *map, struct error *e)
{
    struct map_wish *w = &map->wish;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        w->metric[w->figure_count++] = metric_find(usual[i]);
    for (size_t i = 0; i < single_metric_count; i++)
        if (!strcmp(single_metrics[i].name, "sti"))
            w->metric[w->figure_count++] = &single_metrics[i];
    size_t kept = 0;
    for (size_t i = 0; i < w->figure_count; i++) {
        if (is_told(map, i)) {
            w->metric[kept++] = w->metric[i];
            continue;
        }
        char *longer = text_format("%s%sno %s: %s", map->note ? map->note : "", map->note ? "; " : "",
                                   w->metric[i]->symbol, reason_of(map, w->metric[i]));
        free(map->note);
        map->note = longer;
        if (!longer)
            return fail(e, ERROR_MEMORY, "out of memory");
    }
    w->figure_count = kept;
    return 0;
}

int map_make(struct map *map, const struct map_wish *w, const struct room *room, const struct solver_options *choice,
             const struct watch *watch, struct error *e)
{
    map->wish = *w;
    if (map_places_find(map, room, e) || listen(map, room, choice, watch, e) || choose_band(map, e))
        return -1;
    if (!map->wish.figure_count && choose_figures(map, e))
        return -1;
    if (map->wish.figure_count)
        return 0;
    return fail(
        e, ERROR_INPUT,
        "%s: no parameter could be measured in the %.0f Hz octave; choose another --band or increase time.duration",
        room->path, map->wish.band);
}

void map_free(struct map *map)
{
    free(map->index);
    free(map->places);
    free(map->metrics);
    free(map->note);
    doubts_free(&map->doubts);
    memset(map, 0, sizeof *map);
}
