/* SPDX-License-Identifier: MIT */
#include "render/hybrid_response.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/phase_timer.h"
#include "base/text.h"
#include "dsp/measure/metrics.h"
#include "io/json_build.h"
#include "render/hybrid/crossover.h"
#include "render/image_room.h"
#include "render/late_part.h"
#include "room/grid/reverberation.h"

static const double HELD = 0.8;           /* of the lower end of the crossover */
enum { DECAY_RAYS = 4096, PILOTS = 512 }; /* rays that estimate the required length of the response */

static bool are_responses(const struct model *m, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++) {
        const enum signal_kind signal = m->room->sources[i].signal;
        if (!signal_gives_response(signal))
            return false;
    }
    return true;
}

/* A deconvolved sweep leaves nothing above its end. */
static double edge_of(const struct model *m, size_t first, size_t count)
{
    double edge = m->grid.valid_frequency;
    for (size_t i = first; i < first + count && !m->grid.mapped; i++)
        if (signal_is_deconvolved(m->room->sources[i].signal) && m->room->sources[i].high > 0.0)
            edge = fmin(edge, m->room->sources[i].high);
    return edge;
}

/* The highest octave entirely below the edge. */
static double octave_below(double edge)
{
    return 1000.0 * exp2(floor(log2(edge / (1000.0 * M_SQRT2))));
}

struct hybrid_halves hybrid_halves_of(const struct model *m, size_t first, size_t count, char *why)
{
    const struct room *room = m->room;
    const double edge = edge_of(m, first, count), top = geometric_top(model_output_rate(m));
    const char *reason =
        !room->hybrid.full                   ? ""
        : !are_responses(m, first, count)    ? "the sources play signals, and only impulse responses are extended"
        : room->output.filter == FILTER_NONE ? "output.filter = \"none\" keeps the raw field of the grid"
        : !(edge < top)                      ? "the wave solver covers the whole band of the file"
                                             : NULL;
    if (why)
        snprintf(why, 160, "%s", reason ? reason : "");
    if (reason)
        return (struct hybrid_halves){.full = false};
    return (struct hybrid_halves){.full = true,
                                  .edge = edge,
                                  .top = top,
                                  .order = image_room_order(room),
                                  .octave = octave_below(edge),
                                  .t30 = {NAN, NAN},
                                  .edt = {NAN, NAN},
                                  .c80 = {NAN, NAN}};
}

double hybrid_valid_to(const struct model *m, const struct hybrid_halves *halves)
{
    return halves->full ? halves->top : m->grid.valid_frequency;
}

enum { T30, EDT, C80, PARAMETERS };

enum { ARRAY_COMPARED = 32 };

/* One channel in one octave, the only one that is measured. NaN: not measurable. */
static int measure_half(double half[PARAMETERS], const double *samples, const struct geometric *g, double octave,
                        struct error *e)
{
    const double edge = M_SQRT2 * (1.0 + 1e-6);
    const struct metrics_settings settings = {.valid_low = octave / edge, .valid_high = octave * edge, .scale = 1.0};
    struct metrics metrics;
    half[T30] = half[EDT] = half[C80] = NAN;
    if (octave < 60.0) /* below the lowest octave of the metrics */
        return 0;
    if (metrics_measure(&metrics, samples, g->frames, g->rate, &settings, e))
        return -1;
    for (int b = 0; b < METRICS_OCTAVES; b++)
        if (fabs(log2(metrics.band[b].centre / octave)) < 0.1) {
            half[T30] = metrics.band[b].t30.time;
            half[EDT] = metrics.band[b].edt.time;
            half[C80] = metrics.band[b].c80;
        }
    return 0;
}

static int measure_rays(double half[PARAMETERS], size_t first, const struct geometric *g, double octave,
                        struct error *e)
{
    double *both = malloc((g->frames + 1) * sizeof *both);
    if (!both)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t n = 0; n < g->frames; n++)
        both[n] = g->images[first + n] + g->late[first + n];
    const int status = measure_half(half, both, g, octave, e);
    free(both);
    return status;
}

/* Mean of a parameter over the receivers at which both parts yield it. */
struct compared {
    struct half_pair sum;
    size_t count;
};

static void compare(struct compared *c, double waves, double rays)
{
    if (!isfinite(waves) || !isfinite(rays))
        return;
    c->sum.waves += waves;
    c->sum.rays += rays;
    c->count++;
}

static struct half_pair mean_of(const struct compared *c)
{
    const double count = c->count ? (double)c->count : NAN;
    return (struct half_pair){c->sum.waves / count, c->sum.rays / count};
}

/* The channels at which the parts are compared: the first of each receiver, and of an array up to ARRAY_COMPARED places.
 * Returns their number; channels: NULL, or room for them. */
static size_t compared_channels(size_t *channels, const struct room *room)
{
    size_t count = 0;
    for (size_t i = 0; i < room->receiver_count; i++) {
        const struct receiver *r = &room->receivers[i];
        const size_t places = r->kind == RECEIVER_ARRAY ? receiver_channels(r) : 1;
        const size_t step = (places + ARRAY_COMPARED - 1) / ARRAY_COMPARED;
        for (size_t place = 0; place < places; place += step, count++)
            if (channels)
                channels[count] = room_first_channel(room, i) + place;
    }
    return count;
}

/* Both parts at `count` channels; halves: [count][2], waves and rays. */
static int measure_all(double (*halves)[PARAMETERS], const size_t *channels, size_t count, const struct response *waves,
                       const struct geometric *g, double octave, struct error *e)
{
    int failures = 0;
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < 2 * count; i++) {
        const size_t first = channels[i / 2] * g->frames;
        struct error inner;
        if (!(i % 2 ? measure_rays(halves[i], first, g, octave, &inner)
                    : measure_half(halves[i], waves->samples + first, g, octave, &inner)))
            continue;
#pragma omp critical(halves_failed)
        if (!failures++)
            *e = inner;
    }
    return failures ? -1 : 0;
}

static int measure_halves(struct hybrid_halves *halves, const struct response *waves, const struct geometric *g,
                          const struct model *m, struct error *e)
{
    struct compared compared[PARAMETERS] = {{.count = 0}};
    const size_t count = compared_channels(NULL, m->room);
    size_t *channels = malloc((count + 1) * sizeof *channels);
    double(*measured)[PARAMETERS] = malloc((2 * count + 1) * sizeof *measured);
    int status = channels && measured ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        compared_channels(channels, m->room);
    status = status || measure_all(measured, channels, count, waves, g, halves->octave, e) ? -1 : 0;
    for (size_t i = 0; i < count && !status; i++)
        for (int p = 0; p < PARAMETERS; p++)
            compare(&compared[p], measured[2 * i][p], measured[2 * i + 1][p]);
    halves->t30 = mean_of(&compared[T30]);
    halves->edt = mean_of(&compared[EDT]);
    halves->c80 = mean_of(&compared[C80]);
    free(measured);
    free(channels);
    return status;
}

static int filter_all(struct geometric *g, struct response *waves, double edge, struct error *e)
{
    return crossover_apply(CROSSOVER_IMAGES, edge, g->images, g->channels, g->frames, g->rate, e) ||
                   crossover_apply(CROSSOVER_LATE, edge, g->late, g->channels, g->frames, g->rate, e) ||
                   crossover_apply(CROSSOVER_WAVES, edge, waves->samples, g->channels, g->frames, g->rate, e)
               ? -1
               : 0;
}

struct geometric_band hybrid_geometry(const struct hybrid_halves *halves)
{
    const double low = fmin(halves->octave * M_SQRT1_2, CROSSOVER_LOW * halves->edge);
    return (struct geometric_band){HELD * low, halves->octave, halves->top, halves->edge};
}

int hybrid_decay(double *level, double seconds, const struct model *m, size_t first, size_t count, struct error *e)
{
    const struct hybrid_halves halves = hybrid_halves_of(m, first, count, NULL);
    struct late_part half = {.rate = model_output_rate(m), .low = CROSSOVER_LOW * halves.edge, .pilots = PILOTS};
    struct image_room faces;
    *level = -INFINITY;
    if (!halves.full || !m->room->hybrid.rays)
        return 0;
    half.rays = m->room->hybrid.rays < DECAY_RAYS ? m->room->hybrid.rays : DECAY_RAYS;
    geometric_end(half.top, halves.top, half.rate);
    phase_begin("decay of rays");
    int status = image_room_make(&faces, m, IMAGE_RAYS, IMAGE_TRIES, e);
    if (!status) {
        status = late_part_decay(level, seconds, &half, &faces, m, first, count, e);
        image_room_free(&faces);
    }
    phase_end();
    return status;
}

int hybrid_join(struct response *response, struct hybrid_halves *halves, struct geometric *g, const struct model *m,
                size_t count, struct error *e)
{
    const size_t size = response->channels * response->frames;
    int status = 0;
    halves->image_count = g->ways;
    halves->lost = g->traced.lost;
    halves->rays_on_gpu = g->traced.on_device;
    halves->edges = g->edges;
    halves->rays = count * m->room->hybrid.rays;
    phase_begin("joining both halves");
    if (m->room->hybrid.rays) {
        phase_begin("measuring the octave of both halves");
        status = measure_halves(halves, response, g, m, e);
        phase_end();
    }
    if (!status)
        status = filter_all(g, response, halves->edge, e);
    for (size_t n = 0; n < size && !status; n++)
        response->samples[n] += g->images[n] + g->late[n];
    phase_end();
    response->band = (struct response_band){.pass = halves->top};
    return status;
}

static const double BEYOND = 16000.0; /* Hz: the octave above those of materials */

static void set_high(cJSON *of, double high)
{
    cJSON *band = cJSON_GetObjectItemCaseSensitive(of, "valid_band");
    cJSON *item = cJSON_GetObjectItemCaseSensitive(band, "high");
    if (item)
        cJSON_SetNumberHelper(item, high);
}

static void add_waves(cJSON *hybrid, const struct hybrid_halves *halves)
{
    cJSON *waves = cJSON_AddObjectToObject(hybrid, "waves");
    cJSON_AddNumberToObject(waves, "alone_to", CROSSOVER_LOW * halves->edge);
    cJSON_AddNumberToObject(waves, "to", halves->edge);
    cJSON_AddStringToObject(waves, "believes",
                            "wave equation on the grid: interference, diffraction and modes; locally reacting walls");
}

static void add_rays(cJSON *hybrid, const struct model *m, const struct hybrid_halves *halves)
{
    cJSON *rays = cJSON_AddObjectToObject(hybrid, "rays");
    cJSON_AddNumberToObject(rays, "from", CROSSOVER_LOW * halves->edge);
    cJSON_AddNumberToObject(rays, "alone_from", halves->edge);
    cJSON_AddNumberToObject(rays, "to", halves->top);
    cJSON_AddNumberToObject(rays, "image_order", (double)halves->order);
    if (halves->image_count) /* known after a render */
        cJSON_AddNumberToObject(rays, "images", (double)halves->image_count);
    cJSON_AddNumberToObject(rays, "rays", (double)(halves->rays ? halves->rays : m->room->hybrid.rays));
    cJSON_AddNumberToObject(rays, "lost", (double)halves->lost);
    if (halves->rays) /* known after a render */
        cJSON_AddStringToObject(rays, "processor", halves->rays_on_gpu ? "gpu" : "cpu");
    cJSON_AddStringToObject(rays, "believes",
                            "image sources with the spherical-wave reflection factor of the same walls, then the "
                            "energy of rays by octave, rendered as noise; free edges deflect rays up to the 8 kHz "
                            "octave if hybrid.edges is set; scattering from the materials");
}

/* Absorption in the octaves above the wave solver's band, as image sources and rays apply it, up to
 * 16 kHz. */
static void add_absorption(cJSON *walls, const struct model *m, const struct hybrid_halves *halves,
                           double absorbing[OCTAVE_BANDS])
{
    for (size_t i = 0; i < m->room->material_count; i++) {
        cJSON *absorption = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(walls, (int)i), "absorption");
        for (size_t b = m->bands; absorption && b <= OCTAVE_BANDS; b++) {
            const double centre = b < OCTAVE_BANDS ? octave_band_centre[b] : BEYOND;
            if (!(centre <= halves->top))
                continue;
            const double share = wall_admittance_absorption(&m->walls[i].material, centre);
            cJSON_AddItemToArray(absorption, cJSON_CreateNumber(share));
            if (b < OCTAVE_BANDS)
                absorbing[b] += m->space.area[i] * share;
        }
    }
}

/* Diffuse-field estimates in the octaves above the wave solver's band. */
static void add_times(cJSON *space, const struct model *m, const struct hybrid_halves *halves,
                      const double absorbing[OCTAVE_BANDS])
{
    cJSON *bands = cJSON_GetObjectItemCaseSensitive(space, "octave_bands");
    cJSON *sabine = cJSON_GetObjectItemCaseSensitive(space, "sabine");
    cJSON *eyring = cJSON_GetObjectItemCaseSensitive(space, "eyring");
    for (size_t b = m->bands; bands && b < OCTAVE_BANDS && octave_band_centre[b] <= halves->top; b++) {
        double times[2];
        reverberation_times(&times[0], &times[1], m, absorbing[b], octave_band_centre[b]);
        cJSON_AddItemToArray(bands, cJSON_CreateNumber(octave_band_centre[b]));
        cJSON_AddItemToArray(sabine, cJSON_CreateNumber(times[0]));
        cJSON_AddItemToArray(eyring, cJSON_CreateNumber(times[1]));
    }
}

/* Materials in the room with the default scattering. */
static void add_default_scattering(cJSON *hybrid, const struct model *m)
{
    cJSON *names = cJSON_AddArrayToObject(hybrid, "default_scattering");
    for (size_t i = 0; i < m->room->material_count; i++) {
        const struct material *material = &m->room->materials[i];
        if (material->smooth && m->space.area[i] > 0.0)
            cJSON_AddItemToArray(names, cJSON_CreateString(material->name));
    }
}

/* null: not measurable */
static void add_compared(cJSON *decay, const char *name, struct half_pair halves)
{
    cJSON *parameter = cJSON_AddObjectToObject(decay, name);
    cJSON_AddNumberToObject(parameter, "waves", halves.waves);
    cJSON_AddNumberToObject(parameter, "rays", halves.rays);
}

void add_hybrid_json(cJSON *json, const struct model *m, const struct hybrid_halves *halves)
{
    cJSON *hybrid = cJSON_AddObjectToObject(json, "hybrid"), *receiver;
    cJSON_AddBoolToObject(hybrid, "full", halves->full);
    if (!halves->full)
        return;
    cJSON_AddNumberToObject(hybrid, "crossover", CROSSOVER_MIDDLE * halves->edge);
    add_waves(hybrid, halves);
    add_rays(hybrid, m, halves);
    cJSON *decay = cJSON_AddObjectToObject(hybrid, "decay");
    cJSON_AddNumberToObject(decay, "octave", halves->octave);
    add_compared(decay, "t30", halves->t30);
    add_compared(decay, "edt", halves->edt);
    add_compared(decay, "c80", halves->c80);
    cJSON *edges = cJSON_AddObjectToObject(hybrid, "edges");
    cJSON_AddBoolToObject(edges, "turn", m->room->hybrid.edges);
    cJSON_AddNumberToObject(edges, "count", (double)halves->edges.count);
    cJSON_AddNumberToObject(edges, "length", halves->edges.length);
    add_default_scattering(hybrid, m);
    double absorbing[OCTAVE_BANDS] = {0.0};
    add_absorption(cJSON_GetObjectItemCaseSensitive(json, "walls"), m, halves, absorbing);
    add_times(cJSON_GetObjectItemCaseSensitive(json, "space"), m, halves, absorbing);
    set_high(json, halves->top);
    cJSON_ArrayForEach(receiver, cJSON_GetObjectItemCaseSensitive(json, "receivers")) set_high(receiver, halves->top);
}

char *hybrid_text(const struct model *m, const struct hybrid_halves *halves)
{
    char *rays = m->room->hybrid.rays ? text_format(" and %zu rays", m->room->hybrid.rays) : text_copy("");
    char *text =
        rays ? text_format("wave solver up to %.0f Hz; image sources of up to %zu reflections%s from %.0f to %.0f Hz",
                           CROSSOVER_LOW * halves->edge, halves->order, rays, halves->edge, halves->top)
             : NULL;
    free(rays);
    return text;
}
