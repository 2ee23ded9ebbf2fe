/* SPDX-License-Identifier: MIT */
/* The JSON beside a performance: the room as understood, the instruments as computed, and the
 * levels. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/json_build.h"
#include "render/model_json.h"
#include "render/sidecar.h"
#include "render/synth/take_file.h"
#include "room/grid/scheme_choice.h"

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
    } else if (v->wind) {
        cJSON_AddNumberToObject(json, "cells", (double)v->wind->wind.bore.cells);
        cJSON_AddNumberToObject(json, "holes", (double)v->wind->plan.hole_count);
    } else {
        const size_t modes = voice_transverse_modes(v);
        cJSON_AddNumberToObject(json, "modes", (double)modes);
        cJSON_AddNumberToObject(json, "highest_mode", v->modes.frequency[v->first_mode + modes - 1]);
        if (v->torsion.count)
            cJSON_AddNumberToObject(json, "torsion_modes", (double)v->torsion.count);
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

static cJSON *channels_json(const struct take_file *f, const struct room *room, const double gain[2], double scale)
{
    cJSON *channels = cJSON_CreateArray();
    for (size_t c = 0; c < f->count; c++) {
        const bool pickup = c >= f->air, velocity = f->receiver && f->receiver->kind == RECEIVER_VELOCITY;
        const bool wind = pickup && room->instruments[room->pickups[f->channels[c]].instrument].type == INSTRUMENT_WIND;
        cJSON *channel = cJSON_CreateObject();
        cJSON_AddStringToObject(channel, "name", f->names[c]);
        cJSON_AddStringToObject(channel, "unit", (pickup && !wind) || velocity ? "m/s" : "Pa");
        cJSON_AddNumberToObject(channel, "gain", gain[pickup] * scale);
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

static cJSON *output_json(const struct take_file *f, const struct take *r, const struct session *s,
                          const struct audio_written *written, const double gain[2])
{
    const bool has[] = {f->air > 0, f->count > f->air};
    const struct response *any = r->air.channels ? &r->air : &r->pickups;
    cJSON *output = cJSON_CreateObject();
    cJSON_AddNumberToObject(output, "channels", (double)f->count);
    cJSON_AddNumberToObject(output, "frames", (double)any->frames);
    cJSON_AddNumberToObject(output, "rate", any->rate);
    cJSON_AddNumberToObject(output, "header_rate", round(any->rate));
    cJSON_AddStringToObject(output, "format", format_names[s->room->output.format]);
    cJSON_AddStringToObject(output, "content", "recorded signal");
    cJSON_AddStringToObject(output, "calibration", "sample values divided by their channel's gain are in its unit");
    cJSON_AddItemToObject(output, "channel", channels_json(f, s->room, gain, written->gain));
    cJSON_AddStringToObject(output, "checksum", written->checksum);
    if (s->room->output.filter != FILTER_NONE) {
        cJSON *filter = cJSON_AddObjectToObject(output, "filter");
        cJSON_AddNumberToObject(filter, "high_pass", RESPONSE_HIGH_PASS);
        if (has[0])
            cJSON_AddNumberToObject(filter, "low_pass_receivers", s->output.air.valid_frequency);
        if (has[1])
            cJSON_AddNumberToObject(filter, "low_pass_pickups", s->output.pickups.valid_frequency);
        cJSON_AddStringToObject(filter, "low_pass_kind", response_phase(s->room->output.filter));
        const struct response *parts[] = {&r->air, &r->pickups};
        for (int i = 0; i < 2; i++)
            if (has[i])
                add_delay(filter, i ? "group_delay_pickups_ms" : "group_delay_receivers_ms", parts[i]);
    }
    return output;
}

/* The command that reproduces this file; THIS.json stands for the sidecar. */
static void add_command(cJSON *json, const struct take_file *f, const struct session *s)
{
    char text[512];
    const int used = snprintf(text, sizeof text, "aula synth THIS.json%s -o AGAIN.wav", s->model ? "" : " --dry");
    if (f->receiver)
        snprintf(text + used, sizeof text - (size_t)used, " writes AGAIN_%s.wav%s", f->receiver->name,
                 take_file_count(s) > 1 ? ", along with the files of the other receivers" : "");
    cJSON_AddStringToObject(json, "again", text);
}

char *take_file_json(const struct take_file *f, const struct take *take, const struct session *s,
                     const struct audio_written *written, const char *sound, const double gain[2])
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "aula", AULA_VERSION);
    add_place_json(json, sound);
    add_command(json, f, s);
    if (f->receiver)
        cJSON_AddStringToObject(json, "receiver", f->receiver->name);
    cJSON_AddItemToObject(json, "input", input_json(s->room, s->output.length.seconds, sound));
    cJSON_AddItemToObject(json, "duration", length_json(&s->output.length));
    cJSON_AddItemToObject(json, "output", output_json(f, take, s, written, gain));
    cJSON_AddItemToObject(json, "voices", voices_json(s->ensemble, s->room, s->model != NULL));
    cJSON *described =
        s->model ? model_json(&f->model, &take->plan, &s->output.length, s->room->air.losses ? AIR_SCHEME : AIR_NONE)
                 : NULL;
    while (described && described->child) {
        cJSON *item = cJSON_DetachItemViaPointer(described, described->child);
        cJSON_AddItemToObject(json, item->string, item);
    }
    cJSON_Delete(described);
    cJSON_AddItemToObject(json, "instrument_notes", lines(s->ensemble->notes, s->ensemble->note_count));
    cJSON_AddItemToObject(json, "instrument_warnings", lines(s->ensemble->warnings, s->ensemble->warning_count));
    cJSON_AddItemToObject(json, "score_notes", lines(s->score.remarks, s->score.remark_count));
    cJSON_AddItemToObject(json, "score_warnings", lines(s->warnings, s->warning_count));
    cJSON_AddItemToObject(json, "run_warnings", lines(take->warnings, take->warning_count));
    add_outcome_json(json, &take->outcome, &take->plan, s->model ? grid_points(&s->model->grid) : 0,
                     s->output.length.steps);
    return json_text(json);
}

char *session_text(const struct session *s)
{
    const struct grid *g = s->model ? &s->model->grid : NULL;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "aula", AULA_VERSION);
    cJSON_AddItemToObject(json, "room", room_json(s->room));
    cJSON_AddBoolToObject(json, "dry", !s->model);
    cJSON_AddNumberToObject(json, "rate", s->rate);
    if (g)
        cJSON_AddStringToObject(json, "scheme", scheme_text(g->stencil, g->mapped));
    cJSON *points = cJSON_AddArrayToObject(json, "points"), *voices = cJSON_AddArrayToObject(json, "voices");
    for (int axis = 0; axis < 3 && g; axis++)
        cJSON_AddItemToArray(points, cJSON_CreateNumber((double)g->points[axis]));
    for (size_t i = 0; i < s->ensemble->voice_count; i++) { /* their notes may be in another file */
        const struct voice *voice = &s->ensemble->voices[i];
        cJSON *json_voice = cJSON_CreateObject();
        cJSON_AddStringToObject(json_voice, "instrument", s->room->instruments[voice->instrument].name);
        cJSON_AddNumberToObject(json_voice, "pitch", voice->pitch);
        cJSON_AddItemToArray(voices, json_voice);
    }
    return json_text(json);
}
