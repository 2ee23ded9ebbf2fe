/* SPDX-License-Identifier: MIT */
#include "film/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/phases.h"
#include "base/stop.h"
#include "base/text.h"
#include "film/screen.h"
#include "measure/recording.h"
#include "render/render.h"
#include "report/room_views.h"

enum { PLACES_WANTED = 250 };
static const double EARS = 1.2, BAND = 1000.0; /* m above the floor; Hz */
static const char *const usual[] = {"t30", "c80", "g"};

/* Whether a receiver can be at a place: in the air, and beside walls that may run through voxels a voxel away from
 * them. */
static bool is_heard_at(const struct model *m, const double at[3])
{
    const long reach = room_view_is_plain(m->room) ? 0 : 1;
    long voxel[3];
    for (int k = 0; k < 3; k++) {
        const double place = grid_place(&m->grid, at, k);
        if (!(place >= (double)reach && place < (double)m->grid.voxels[k]))
            return false;
        voxel[k] = (long)place;
    }
    for (long z = -reach; z <= reach; z++)
        for (long y = -reach; y <= reach; y++)
            for (long x = -reach; x <= reach; x++)
                if (!voxel_set_is_air(m->voxels.set, (size_t)(voxel[0] + x), (size_t)(voxel[1] + y),
                                      (size_t)(voxel[2] + z)))
                    return false;
    return room_object_at(m->room, at) == m->room->object_count;
}

/* The grid of the room alone tells where there is air. */
static int make_places(struct map *map, const struct model *m, struct error *e)
{
    const struct room *room = m->room;
    struct map_wish *w = &map->wish;
    const int axes[2] = {w->axis == 0 ? 1 : 0, w->axis == 2 ? 1 : 2};
    const double *size = room->sized_by_points ? m->grid.size : room->size, *lower = room->lower;
    if (isnan(w->at))
        w->at = w->axis == 2 ? lower[2] + fmin(EARS, 0.5 * size[2]) : room->sources[w->source].position[w->axis];
    if (!(w->at >= lower[w->axis] && w->at <= lower[w->axis] + size[w->axis]))
        return fail(e, ERROR_USAGE, "--plane %c=%g: the room spans %c from %g to %g m", 'x' + w->axis, w->at,
                    'x' + w->axis, lower[w->axis], lower[w->axis] + size[w->axis]);
    if (!(w->spacing > 0.0)) {
        const double fitting = sqrt(size[axes[0]] * size[axes[1]] / PLACES_WANTED),
                     power = pow(10.0, floor(log10(fitting)));
        w->spacing = power * (fitting < 1.5 * power   ? 1.0
                              : fitting < 3.0 * power ? 2.0
                              : fitting < 7.0 * power ? 5.0
                                                      : 10.0);
    }
    for (int i = 0; i < 2; i++) {
        const double fit = fmax(1.0, rint(size[axes[i]] / w->spacing));
        if (!(fit <= MAP_PLACES_MAX))
            return fail(e, ERROR_USAGE, "--spacing %g: more than %d receivers: give a larger one", w->spacing,
                        MAP_PLACES_MAX);
        map->count[i] = (size_t)fit;
        map->step[i] = size[axes[i]] / fit;
        map->place[i] = lower[axes[i]] + 0.5 * map->step[i];
    }
    const size_t total = map->count[0] * map->count[1];
    map->index = malloc(total * sizeof *map->index);
    map->places = malloc(total * sizeof *map->places);
    if (!map->index || !map->places)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < total; i++) {
        double at[3];
        at[axes[0]] = map->place[0] + map->step[0] * (double)(i % map->count[0]);
        at[axes[1]] = map->place[1] + map->step[1] * (double)(i / map->count[0]);
        at[w->axis] = w->at;
        const bool is_air = is_heard_at(m, at);
        map->index[i] = is_air ? (uint32_t)map->place_count : SCREEN_NONE;
        if (is_air)
            memcpy(map->places[map->place_count++], at, sizeof at);
    }
    if (!map->place_count)
        return fail(e, ERROR_INPUT, "--plane %c=%g: none of %zu places %g m apart is in the air", 'x' + w->axis, w->at,
                    total, w->spacing);
    return map->place_count <= MAP_PLACES_MAX
               ? 0
               : fail(e, ERROR_USAGE, "--spacing %g: %zu receivers are more than %d: give a larger one", w->spacing,
                      map->place_count, MAP_PLACES_MAX);
}

/* The grid for the responses: the room's own receivers have no say. */
static int find_places(struct map *map, const struct room *room, struct error *e)
{
    struct room empty = *room;
    struct model *m = NULL;
    const struct grid_use use = {.purpose = PURPOSE_RESPONSES, .first = map->wish.source, .count = 1};
    empty.receiver_count = 0;
    int status = model_make_for(&m, &empty, &use, e);
    if (!status)
        status = m->voxels.set ? make_places(map, m, e) : screen_no_voxels(m, e);
    model_free(m);
    return status;
}

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

static struct metrics_settings settings_of(const struct rendering *r, const struct model *m)
{
    const double strength = fabs(m->room->sources[r->first].gain), valid = band_valid_to(m, &r->halves);
    return (struct metrics_settings){
        .valid_low = m->room->output.filter == FILTER_NONE ? 0.0 : RESPONSE_HIGH_PASS,
        .valid_high = fmin(r->response.band.pass > 0.0 ? r->response.band.pass : valid, 0.5 * r->response.rate),
        .calibrated = !recording_uncalibrated(r->response.is_filter, false, strength),
        .scale = 1.0 / strength,
        .noiseless = r->response.is_filter,
        .delay = r->response.band.delay[0]};
}

static int measure(struct map *map, const struct rendering *r, const struct model *m, struct error *e)
{
    const struct response *response = &r->response;
    const struct metrics_settings settings = settings_of(r, m);
    int failures = 0;
    map->valid_low = settings.valid_low;
    map->valid_high = settings.valid_high;
    map->seconds = (double)response->frames / response->rate;
    map->metrics = calloc(map->place_count, sizeof *map->metrics);
    if (!map->metrics)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (!response->is_filter)
        return fail(e, ERROR_INPUT,
                    "%s: source %s plays a signal, and figures need an impulse response: "
                    "--set sources[%zu].signal=impulse",
                    m->room->path, m->room->sources[r->first].name, r->first);
    phase_begin("measuring the responses");
#pragma omp parallel for schedule(dynamic) reduction(+ : failures)
    for (size_t i = 0; i < map->place_count; i++) {
        struct error inner;
        if (stop_requested() || metrics_measure(&map->metrics[i], response->samples + i * response->frames,
                                                response->frames, response->rate, &settings, &inner))
            failures++;
    }
    phase_end();
    if (failures)
        return stop_check(e)
                   ? -1
                   : fail(e, ERROR_MEMORY, "out of memory for the figures of %zu receivers", map->place_count);
    return 0;
}

static size_t octave_of(double wanted)
{
    size_t band = 0;
    while (band < METRICS_OCTAVES && !(fabs(wanted / (62.5 * (double)(1 << band)) - 1.0) < 0.1))
        band++;
    return band;
}

/* An octave that is asked for, before any work. */
static int check_band(const struct map_wish *w, const struct model *m, struct error *e)
{
    const struct band_halves halves = band_halves_of(m, w->source, 1, NULL);
    const double valid = band_valid_to(m, &halves);
    if (!(w->band > 0.0))
        return 0;
    if (octave_of(w->band) == METRICS_OCTAVES)
        return fail(e, ERROR_USAGE, "--band %g: give the centre of an octave, 63, 125 .. 8000", w->band);
    if (w->band < sqrt(2.0) * valid)
        return 0;
    return fail(e, ERROR_USAGE,
                "--band %g: the responses are valid to %.0f Hz: give less, or a finer grid such as --set "
                "grid.max_frequency=%.0f",
                w->band, valid, ceil(1.5 * w->band));
}

static int listen(struct map *map, const struct room *room, const struct choice *choice, const struct watch *watch,
                  struct error *e)
{
    struct room mapped = *room;
    struct receiver all = receiver_of(map);
    struct model *m = NULL;
    struct rendering rendering = {0};
    struct length length;
    const struct grid_use use = {.purpose = PURPOSE_RESPONSES, .first = map->wish.source, .count = 1};
    mapped.receivers = &all;
    mapped.receiver_count = 1;
    mapped.band.full = room->band.full && room->band.given; /* rays to hundreds of places are for those who ask */
    mapped.output.rate = mapped.band.full ? mapped.output.rate : 0.0;
    if (model_make_for(&m, &mapped, &use, e) || check_band(&map->wish, m, e) ||
        render_length(&length, m, map->wish.source, 1, e)) {
        model_free(m);
        return -1;
    }
    const double bytes = 4.0 * (double)map->place_count * (double)length.steps * sizeof(double);
    int status =
        memory_demand(bytes, e, "the responses of %zu receivers (a larger --spacing takes fewer)", map->place_count) ||
                render_check(m, map->wish.source, 1, choice, e) ||
                render_sources(&rendering, m, map->wish.source, 1, choice, watch, e)
            ? -1
            : 0;
    if (!status)
        status = measure(map, &rendering, m, e);
    rendering_free(&rendering);
    model_free(m);
    return status;
}

/* The octave that is asked for; else 1 kHz, or the highest below it that is valid. */
static int choose_band(struct map *map, struct error *e)
{
    const struct metrics_band *bands = map->metrics[0].band;
    size_t band = octave_of(map->wish.band);
    for (size_t b = 0; !(map->wish.band > 0.0) && b < METRICS_OCTAVES; b++)
        if (bands[b].centre <= 1.01 * BAND && bands[b].validity == METRICS_VALID)
            band = b;
    if (band == METRICS_OCTAVES)
        return fail(e, ERROR_INPUT,
                    "no octave lies within the valid band, %.0f to %.0f Hz: take a higher grid.max_frequency",
                    map->valid_low, map->valid_high);
    map->band = band;
    map->wish.band = bands[band].centre;
    return 0;
}

static bool is_single(const struct figure *figure)
{
    return figure >= single_figures && figure < single_figures + single_figure_count;
}

double map_value(const struct map *map, size_t figure, size_t place)
{
    const struct figure *f = map->wish.figure[figure];
    const struct metrics *m = &map->metrics[place];
    return f->text.scale * (is_single(f) ? figure_of_response(f, m) : figure_of_band(f, &m->band[map->band]));
}

static bool is_told(const struct map *map, size_t figure)
{
    for (size_t i = 0; i < map->place_count; i++)
        if (isfinite(map_value(map, figure, i)))
            return true;
    return false;
}

/* Why a figure cannot be told anywhere, as the first receiver has it. */
static const char *reason_of(const struct map *map, const struct figure *figure)
{
    const struct metrics *m = &map->metrics[0];
    return is_single(figure) ? "its octaves reach beyond the valid band; --set band.full=true adds them by rays"
                             : metrics_reason_text(figure_reason(figure, &m->band[map->band]));
}

/* The usual figures, of which those that the response cannot tell are left out. */
static int choose_figures(struct map *map, struct error *e)
{
    struct map_wish *w = &map->wish;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        w->figure[w->figure_count++] = figure_find(usual[i]);
    for (size_t i = 0; i < single_figure_count; i++)
        if (!strcmp(single_figures[i].name, "sti"))
            w->figure[w->figure_count++] = &single_figures[i];
    size_t kept = 0;
    for (size_t i = 0; i < w->figure_count; i++) {
        if (is_told(map, i)) {
            w->figure[kept++] = w->figure[i];
            continue;
        }
        char *longer = text_format("%s%sno %s: %s", map->note ? map->note : "", map->note ? "; " : "",
                                   w->figure[i]->symbol, reason_of(map, w->figure[i]));
        free(map->note);
        map->note = longer;
        if (!longer)
            return fail(e, ERROR_MEMORY, "out of memory");
    }
    w->figure_count = kept;
    return 0;
}

int map_make(struct map *map, const struct map_wish *w, const struct room *room, const struct choice *choice,
             const struct watch *watch, struct error *e)
{
    map->wish = *w;
    if (find_places(map, room, e) || listen(map, room, choice, watch, e) || choose_band(map, e))
        return -1;
    if (!map->wish.figure_count && choose_figures(map, e))
        return -1;
    if (map->wish.figure_count)
        return 0;
    return fail(e, ERROR_INPUT,
                "%s: no figure can be told in the octave of %.0f Hz: give another --band, or a longer time.duration",
                room->path, map->wish.band);
}

void map_free(struct map *map)
{
    free(map->index);
    free(map->places);
    free(map->metrics);
    free(map->note);
    memset(map, 0, sizeof *map);
}
