/* The JSON beside a performance: the room as understood, the instruments as computed, and the levels. */
#include <math.h>
#include <stdlib.h>

#include "io/json_build.h"
#include "render/sidecar.h"
#include "synth/session.h"

static cJSON *lines(char *const *text, size_t count)
{
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(array, cJSON_CreateString(text[i]));
    return array;
}

static cJSON *voice_json(const struct voice *v, const struct room *room, bool in_air)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "instrument", room->instruments[v->instrument].name);
    if (v->lowest > 0.0)
        cJSON_AddNumberToObject(json, "lowest_mode", v->lowest);
    if (v->surface) {
        cJSON_AddItemToObject(json, "spacing", cJSON_CreateDoubleArray(v->grid.spacing, 2));
        cJSON_AddNumberToObject(json, "cells", (double)v->grid.cells);
        cJSON_AddNumberToObject(json, "cells_stable", (double)v->grid.cells_max);
        cJSON_AddNumberToObject(json, "stiffness_scale", v->grid.scale);
        if (v->plan.bending > 0.0)
            cJSON_AddNumberToObject(json, "first_ten_modes_within", v->grid.worst);
        cJSON_AddNumberToObject(json, "air_cells", (double)v->surface->cells);
        if (in_air)
            cJSON_AddNumberToObject(json, "plane", v->plane);
    } else {
        cJSON_AddNumberToObject(json, "modes", (double)v->line.modes);
        cJSON_AddNumberToObject(json, "highest_mode", v->modes.frequency[v->first_mode + v->line.modes - 1]);
    }
    return json;
}

cJSON *voices_json(const struct ensemble *s, const struct room *room, bool in_air)
{
    cJSON *voices = cJSON_CreateArray();
    for (size_t i = 0; i < s->voice_count; i++)
        cJSON_AddItemToArray(voices, voice_json(&s->voices[i], room, in_air));
    return voices;
}

static cJSON *channels_json(const struct take *r, const struct session *s, const double gain[2], double scale)
{
    const struct response *parts[] = {&r->air, &r->pickups};
    cJSON *channels = cJSON_CreateArray();
    for (int part = 0; part < 2; part++)
        for (size_t c = 0; c < parts[part]->channels; c++) {
            cJSON *channel = cJSON_CreateObject();
            cJSON_AddStringToObject(channel, "name",
                                    part ? s->room->pickups[c].name : room_receiver_of(s->room, c)->name);
            cJSON_AddStringToObject(channel, "unit", part ? "m/s" : "Pa");
            cJSON_AddNumberToObject(channel, "gain", gain[part] * scale);
            cJSON_AddItemToArray(channels, channel);
        }
    return channels;
}

static void add_delay(cJSON *filter, const char *name, const struct response *r)
{
    cJSON *delay = cJSON_AddObjectToObject(filter, name);
    cJSON_AddNumberToObject(delay, "low", 1e3 * r->band.delay[0]);
    cJSON_AddNumberToObject(delay, "edge", 1e3 * r->band.delay[1]);
}

static cJSON *output_json(const struct take *r, const struct session *s, const struct audio_written *written,
                          const double gain[2])
{
    const struct response *any = r->air.channels ? &r->air : &r->pickups;
    cJSON *output = cJSON_CreateObject();
    cJSON_AddNumberToObject(output, "channels", (double)(r->air.channels + r->pickups.channels));
    cJSON_AddNumberToObject(output, "frames", (double)any->frames);
    cJSON_AddNumberToObject(output, "rate", any->rate);
    cJSON_AddNumberToObject(output, "header_rate", round(any->rate));
    cJSON_AddStringToObject(output, "format", format_names[s->room->output.format]);
    cJSON_AddStringToObject(output, "content", "recorded signal");
    cJSON_AddStringToObject(output, "calibration", "sample values over their channel's gain are in its unit");
    cJSON_AddItemToObject(output, "channel", channels_json(r, s, gain, written->gain));
    if (s->room->output.filter != FILTER_NONE) {
        cJSON *filter = cJSON_AddObjectToObject(output, "filter");
        cJSON_AddNumberToObject(filter, "high_pass", RESPONSE_HIGH_PASS);
        if (s->model)
            cJSON_AddNumberToObject(filter, "low_pass_receivers", s->output.air.valid_frequency);
        cJSON_AddNumberToObject(filter, "low_pass_pickups", s->output.pickups.valid_frequency);
        cJSON_AddStringToObject(filter, "low_pass_kind", response_phase(s->room->output.filter));
        const struct response *parts[] = {&r->air, &r->pickups};
        for (int i = 0; i < 2; i++)
            if (parts[i]->channels)
                add_delay(filter, i ? "group_delay_pickups_ms" : "group_delay_receivers_ms", parts[i]);
    }
    return output;
}

char *take_json(const struct take *r, const struct session *s, const struct audio_written *written, const char *file,
                const double gain[2])
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "aula", AULA_VERSION);
    cJSON_AddStringToObject(json, "file", file);
    cJSON_AddStringToObject(json, "again",
                            s->model ? "aula synth THIS.json -o AGAIN.wav" : "aula synth THIS.json --dry -o AGAIN.wav");
    cJSON_AddItemToObject(json, "input", input_json(s->room, s->output.length.seconds));
    cJSON_AddItemToObject(json, "duration", length_json(&s->output.length));
    cJSON_AddItemToObject(json, "output", output_json(r, s, written, gain));
    cJSON_AddItemToObject(json, "voices", voices_json(s->ensemble, s->room, s->model != NULL));
    cJSON *described =
        s->model ? model_json(s->model, &r->requirement, &s->output.length, s->room->air.losses ? AIR_SCHEME : AIR_NONE)
                 : NULL;
    while (described && described->child) {
        cJSON *item = cJSON_DetachItemViaPointer(described, described->child);
        cJSON_AddItemToObject(json, item->string, item);
    }
    cJSON_Delete(described);
    cJSON_AddItemToObject(json, "instrument_notes", lines(s->ensemble->notes, s->ensemble->note_count));
    cJSON_AddItemToObject(json, "instrument_warnings", lines(s->ensemble->warnings, s->ensemble->warning_count));
    cJSON_AddItemToObject(json, "score_warnings", lines(s->warnings, s->warning_count));
    add_outcome_json(json, &r->outcome, &r->requirement,
                     s->model ? grid_points(&s->model->grid) * s->output.length.steps : 0);
    return json_text(json);
}
