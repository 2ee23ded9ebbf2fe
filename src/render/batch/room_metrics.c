/* SPDX-License-Identifier: MIT */
#include "render/batch/room_metrics.h"

#include <math.h>

#include "dsp/measure/figures.h"
#include "io/json_build.h"
#include "render/metrics_settings.h"

/* Six digits: more are not known. */
static cJSON *short_number(double value)
{
    char text[32];
    if (!isfinite(value))
        return cJSON_CreateNull();
    snprintf(text, sizeof text, "%.6g", value);
    return cJSON_CreateRaw(text);
}

static cJSON *figures_json(const struct metrics *measured, const char *source, const char *receiver)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "source", source);
    cJSON_AddStringToObject(json, "receiver", receiver);
    cJSON_AddItemToObject(json, "arrival", short_number(measured->arrival));
    cJSON_AddItemToObject(json, "peak", short_number(measured->peak));
    cJSON_AddItemToObject(json, "sti", short_number(measured->sti));
    for (size_t i = 0; i < band_figure_count; i++) {
        const struct figure *figure = &band_figures[i];
        if (!figure_in_data_sets(figure))
            continue;
        cJSON *values = cJSON_AddArrayToObject(json, figure->name);
        for (size_t b = 0; b < METRICS_OCTAVES; b++)
            cJSON_AddItemToArray(values, short_number(figure_of_band(figure, &measured->band[b])));
    }
    return json;
}

int room_metrics_add(cJSON *list, const struct model *m, const struct rendering *renderings, struct error *e)
{
    const struct room *room = m->room;
    for (size_t s = 0; s < room->source_count; s++)
        for (size_t i = 0; i < room->receiver_count; i++) {
            const struct response *response = &renderings[s].response;
            struct metrics_settings settings = rendering_metrics_settings(&renderings[s], response, m);
            const double *samples = response->samples + room_first_channel(room, i) * response->frames;
            struct metrics measured;
            settings.noiseless = settings.noiseless && room->output.format != FORMAT_PCM16;
            if (room->receivers[i].kind == RECEIVER_VELOCITY)
                continue;
            if (metrics_measure(&measured, samples, response->frames, response->rate, &settings, e))
                return -1;
            cJSON_AddItemToArray(list, figures_json(&measured, room->sources[s].name, room->receivers[i].name));
        }
    return 0;
}
