/* SPDX-License-Identifier: MIT */
#include "render/sidecar.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/phase_timer.h"
#include "base/text.h"
#include "io/json_build.h"
#include "render/hybrid_response.h"
#include "render/model_json.h"
#include "solver/halos.h"

/* Without path and time: a room rendered again from its sidecar yields the same bytes. */
char *response_description(const struct model *m, const struct rendering *r)
{
    const char *name = r->count > 1 ? "all sources at once" : m->room->sources[r->first].name;
    static const char *const air[] = {[AIR_NONE] = "lossless air",
                                      [AIR_FILTER] = "air by ISO 9613-1, as a filter",
                                      [AIR_SCHEME] = "air that absorbs in the scheme"};
    const double late = round(1e6 * r->response.band.delay[0]); /* us */
    char delay[64] = "";
    if (late > 0.0)
        snprintf(delay, sizeof delay, " delayed %.0f us by the low-pass;", late);
    return text_format("%s of %s; valid to %.0f Hz;%s%s t = 0 is the emission; %s; %s",
                       r->response.is_filter ? "impulse response" : "recorded signal", name,
                       hybrid_valid_to(m, &r->halves), m->grid.mapped ? " mapped in frequency;" : "", delay,
                       r->response.is_filter ? "a filter from source strength in Pa m to Pa" : "in Pa",
                       air[air_method(m->room, r->first, r->count)]);
}

static cJSON *output_json(const struct model *m, const struct rendering *r, const struct audio_written *written,
                          double gain)
{
    const struct response *response = &r->response;
    cJSON *output = cJSON_CreateObject();
    cJSON_AddNumberToObject(output, "channels", (double)response->channels);
    cJSON_AddNumberToObject(output, "frames", (double)response->frames);
    cJSON_AddNumberToObject(output, "rate", response->rate);
    cJSON_AddNumberToObject(output, "header_rate", round(response->rate));
    cJSON_AddStringToObject(output, "format", format_names[m->room->output.format]);
    cJSON_AddStringToObject(output, "content",
                            response->is_filter ? "impulse response: a filter, with the excitation removed"
                                                : "recorded signal");
    cJSON_AddStringToObject(
        output, "calibration",
        response->is_filter ? "convolved with a source strength in Pa m (4 pi times the pressure at 1 m) it yields Pa"
                            : "sample values are in Pa");
    cJSON_AddStringToObject(output, "time_zero", "sample 0 is the instant of emission; direct sound arrives at r/c");
    cJSON_AddNumberToObject(output, "resampling_scale", response->scale);
    cJSON_AddNumberToObject(output, "gain", gain * written->gain);
    cJSON_AddNumberToObject(output, "peak", response_peak(response) * written->gain);
    cJSON_AddBoolToObject(output, "rf64", written->rf64);
    cJSON_AddStringToObject(output, "checksum", written->checksum);
    cJSON *filter = cJSON_AddObjectToObject(output, "filter");
    if (m->room->output.filter != FILTER_NONE) {
        cJSON_AddNumberToObject(filter, "high_pass", RESPONSE_HIGH_PASS);
        cJSON_AddStringToObject(filter, "high_pass_kind", "two first-order sections, causal; removes offset and ramp");
        cJSON_AddStringToObject(filter, "drift_kind",
                                "second-order Butterworth high-pass at 5 Hz, causal, faded in from 0.1 to 0.3 s; "
                                "removes the drift of rounding errors");
        cJSON_AddNumberToObject(filter, "low_pass", response->band.pass);
        cJSON_AddStringToObject(filter, "low_pass_kind",
                                r->halves.full ? "linear phase, delay removed"
                                               : response_phase(m->room->output.filter));
        cJSON *delay = cJSON_AddObjectToObject(filter, "group_delay_ms");
        cJSON_AddNumberToObject(delay, "low", 1e3 * response->band.delay[0]);
        cJSON_AddNumberToObject(delay, "edge", 1e3 * response->band.delay[1]);
    } else {
        cJSON_AddStringToObject(filter, "kind", "none: the raw field, with offset and dispersion");
    }
    if (response->rate != m->grid.rate)
        cJSON_AddStringToObject(output, "resampling", "libsamplerate, best sinc, single precision");
    return output;
}

/* Whether several files share a gain. */
static bool shares_gain(const struct model *m, size_t files)
{
    return files > 1 && m->room->output.normalise != NORMALISE_NONE;
}

void add_place_json(cJSON *json, const char *sound)
{
    char *folder = strcmp(sound, STANDARD_STREAM) ? path_folder(sound) : NULL;
    char *real = folder ? realpath(folder, NULL) : NULL;
    cJSON_AddStringToObject(json, "file", path_name(sound));
    if (real)
        cJSON_AddStringToObject(json, "folder", real);
    free(real);
    free(folder);
}

cJSON *input_json(const struct room *room, double seconds, const char *sound)
{
    struct room settled = *room;
    char *folder = strcmp(sound, STANDARD_STREAM) ? path_folder(sound) : NULL;
    settled.duration = seconds;
    settled.max_duration = 0.0;
    settled.json_folder = folder;
    cJSON *json = room_json(&settled);
    free(folder);
    return json;
}

/* Whether a render of only these sources chooses the scheme of m, which was chosen for all sources
 * together. */
static bool takes_the_scheme(const struct model *m, const struct room *part)
{
    const struct grid_use use = grid_use_responses(part);
    struct scheme_choice choice;
    return !scheme_choose(&choice, part, &use, NULL) && choice.stencil == m->grid.stencil;
}

/* The room that reproduces this file: only its sources, unless all files share a gain, and all
 * receivers, because the length of the record depends on them. */
static cJSON *rendered_input(const struct model *m, const struct rendering *r, const char *sound, size_t files)
{
    struct room part = r->whole ? *r->whole : *m->room;
    if (!shares_gain(m, files)) {
        part.sources += r->first;
        part.source_count = r->count;
        if (r->count == 1 && !takes_the_scheme(m, &part))
            part.grid.scheme = scheme_key(m->grid.stencil);
    }
    return input_json(&part, r->length.seconds, sound);
}

/* The command that reproduces this file; THIS.json stands for the sidecar. */
static void add_command(cJSON *json, const struct model *m, const struct rendering *r, size_t files)
{
    const bool shared = r->count == 1 && shares_gain(m, files);
    const char *source = shared && m->room->source_count > 1 ? m->room->sources[r->first].name : "";
    const struct receiver *only = room_file_receiver(m->room, 0);
    char text[512], name[300];
    snprintf(name, sizeof name, "%s%s%s%s", *source ? "_" : "", source, only ? "_" : "", only ? only->name : "");
    const int used =
        snprintf(text, sizeof text, "aula render THIS.json%s -o AGAIN.wav", r->count > 1 ? " --all-sources" : "");
    if (*name)
        snprintf(text + used, sizeof text - (size_t)used, " writes AGAIN%s.wav%s", name,
                 shared     ? ", along with the files that share its gain"
                 : r->whole ? ", along with the files of the other receivers"
                            : "");
    cJSON_AddStringToObject(json, "again", text);
}

void add_kernel_json(cJSON *json, const struct solver_plan *r)
{
    cJSON_AddStringToObject(json, "engine", r->engine);
    cJSON_AddStringToObject(json, "kernel", r->kernel);
    if (r->time_block > 1) {
        cJSON_AddNumberToObject(json, "time_block", r->time_block);
        cJSON_AddNumberToObject(json, "steps_in_a_pass", r->time_block); /* former name of time_block */
    }
    if (r->parts.count > 1) {
        cJSON *parts = cJSON_AddObjectToObject(json, "parts");
        cJSON_AddNumberToObject(parts, "count", r->parts.count);
        cJSON_AddNumberToObject(parts, "largest_bytes", (double)r->parts.largest_bytes);
        cJSON_AddNumberToObject(parts, "largest_air_points", (double)r->parts.largest_points);
        cJSON_AddNumberToObject(parts, "halo_planes", r->parts.halo);
        cJSON_AddNumberToObject(parts, "halo_bytes", (double)r->parts.halo_bytes);
        cJSON_AddStringToObject(parts, "halo_path", r->parts.halo_path);
    }
    if (r->cuda.in_place)
        cJSON_AddBoolToObject(json, "in_place", true);
    if (r->cuda.untried)
        cJSON_AddBoolToObject(json, "kernel_untried", true);
}

static void add_phase(cJSON *list, const struct phase *p)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "name", p->name);
    cJSON_AddNumberToObject(json, "seconds", p->seconds);
    if (p->processor > 0.0)
        cJSON_AddNumberToObject(json, "processor_seconds", p->processor);
    cJSON_AddItemToArray(list, json);
}

/* Where the time went up to now: phases that add up to elapsed_seconds, and work of other threads meanwhile.
 * other_seconds has the phases besides the steps by name. */
static void add_phases(cJSON *timing, const struct block_outcome *o)
{
    struct phase phases[PHASES_MAX];
    size_t count = phase_timer_list(phases);
    const struct phase rest = phase_timer_rest();
    cJSON_AddNumberToObject(timing, "seconds_to_first_step", o->first_step);
    cJSON_AddNumberToObject(timing, "elapsed_seconds", phase_timer_elapsed());
    cJSON *other = cJSON_AddObjectToObject(timing, "other_seconds");
    cJSON *list = cJSON_AddArrayToObject(timing, "phases");
    for (size_t i = 0; i < count; i++) {
        add_phase(list, &phases[i]);
        if (strcmp(phases[i].name, PHASE_STEPPING) != 0)
            cJSON_AddNumberToObject(other, phases[i].name, phases[i].seconds);
    }
    add_phase(list, &rest);
    count = phase_timer_beside(phases);
    list = count ? cJSON_AddArrayToObject(timing, "meanwhile") : NULL;
    for (size_t i = 0; i < count; i++)
        add_phase(list, &phases[i]);
}

void add_outcome_json(cJSON *json, const struct block_outcome *o, const struct solver_plan *r, uint64_t points,
                      size_t steps)
{
    cJSON *energy = cJSON_AddObjectToObject(json, "energy");
    cJSON_AddNumberToObject(energy, "stored", o->audit.stored);
    if (o->audit.balanced) {
        cJSON_AddNumberToObject(energy, "supplied", o->audit.supplied);
        cJSON_AddNumberToObject(energy, "absorbed", o->audit.absorbed);
        cJSON_AddNumberToObject(energy, "residual", o->energy_residual);
    }
    cJSON *timing = cJSON_AddObjectToObject(json, "timing");
    add_kernel_json(timing, r);
    cJSON_AddNumberToObject(timing, "seconds", o->seconds);
    cJSON_AddNumberToObject(timing, "audit_seconds", o->audit_seconds);
    if (o->kept_seconds > 0.0)
        cJSON_AddNumberToObject(timing, "checkpoint_seconds", o->kept_seconds);
    cJSON_AddNumberToObject(timing, "air_points_per_second", (double)r->air_points * (double)steps / o->seconds);
    cJSON_AddNumberToObject(timing, "points_per_second", (double)points * (double)steps / o->seconds);
    if (o->first_step > 0.0)
        add_phases(timing, o);
}

cJSON *length_json(const struct length *length)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddNumberToObject(json, "seconds", length->seconds);
    cJSON_AddStringToObject(json, "chosen_by", length->chosen ? "auto" : "time.duration");
    cJSON_AddNumberToObject(json, "estimate", length->estimate); /* null: no absorption */
    return json;
}

cJSON *sidecar_json(const struct model *m, const struct rendering *r, const struct audio_written *written,
                    const char *sound, double gain, size_t files)
{
    const struct simulation *s = &r->simulation;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "aula", AULA_VERSION);
    add_place_json(json, sound);
    add_command(json, m, r, files);
    if (room_file_receiver(m->room, 0))
        cJSON_AddStringToObject(json, "receiver", room_file_receiver(m->room, 0)->name);
    cJSON_AddItemToObject(json, "input", rendered_input(m, r, sound, files));
    cJSON_AddItemToObject(json, "output", output_json(m, r, written, gain));
    cJSON *described = model_json(m, &s->plan, &r->length, air_method(m->room, r->first, r->count));
    if (m->room->hybrid.full)
        add_hybrid_json(described, m, &r->halves);
    while (described && described->child) {
        cJSON *item = cJSON_DetachItemViaPointer(described, described->child);
        cJSON_AddItemToObject(json, item->string, item);
    }
    cJSON_Delete(described);
    cJSON *duration = length_json(&r->length);
    cJSON_AddNumberToObject(duration, "decay_dB", r->decay); /* null: silence, or too short */
    cJSON_AddItemToObject(json, "duration", duration);
    cJSON *warnings = cJSON_GetObjectItem(json, "warnings");
    for (size_t i = 0; i < r->warning_count; i++)
        cJSON_AddItemToArray(warnings, cJSON_CreateString(r->warnings[i]));
    add_outcome_json(json, &s->outcome, &s->plan, grid_points(&m->grid), s->steps);
    return json;
}

char *sidecar_text(const struct model *m, const struct rendering *r, const struct audio_written *written,
                   const char *sound, double gain, size_t files)
{
    return json_text(sidecar_json(m, r, written, sound, gain, files));
}

static bool is_number(const cJSON *object, const char *name, size_t value)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) && item->valuedouble == (double)value;
}

static void read_content(struct sidecar_facts *facts, const cJSON *output)
{
    const cJSON *content = cJSON_GetObjectItemCaseSensitive(output, "content");
    if (!cJSON_IsString(content))
        return;
    if (!strncmp(content->valuestring, "impulse response", strlen("impulse response")))
        facts->content = CONTENT_FILTER;
    else if (!strcmp(content->valuestring, "recorded signal"))
        facts->content = CONTENT_RECORDED;
}

/* All names or none. Nonzero: out of memory. */
static int read_receivers(struct sidecar_facts *facts, const cJSON *receivers, size_t channels)
{
    const cJSON *receiver;
    if (!cJSON_IsArray(receivers) || (size_t)cJSON_GetArraySize(receivers) != channels)
        return 0;
    cJSON_ArrayForEach(receiver,
                       receivers) if (!cJSON_IsString(cJSON_GetObjectItemCaseSensitive(receiver, "name"))) return 0;
    facts->receivers = calloc(channels, sizeof *facts->receivers);
    if (!facts->receivers)
        return -1;
    cJSON_ArrayForEach(receiver, receivers)
    {
        char *copy = text_copy(cJSON_GetObjectItemCaseSensitive(receiver, "name")->valuestring);
        if (!copy)
            return -1;
        facts->receivers[facts->receiver_count++] = copy;
    }
    return 0;
}

static void read_valid_band(struct sidecar_facts *facts, const cJSON *band)
{
    const cJSON *high = cJSON_GetObjectItemCaseSensitive(band, "high");
    if (cJSON_IsNumber(high) && high->valuedouble > 0.0 && isfinite(high->valuedouble))
        facts->valid_to = high->valuedouble;
}

int sidecar_read(struct sidecar_facts *facts, const char *sound_path, const struct audio *audio, struct error *e)
{
    memset(facts, 0, sizeof *facts);
    cJSON *json;
    int status = json_beside(&json, &facts->of, sound_path, audio->checksum, e);
    const cJSON *output = cJSON_GetObjectItemCaseSensitive(json, "output");
    if (cJSON_IsString(cJSON_GetObjectItemCaseSensitive(json, "aula")) &&
        is_number(output, "channels", audio->channels) && is_number(output, "frames", audio->frames)) {
        read_content(facts, output);
        read_valid_band(facts, cJSON_GetObjectItemCaseSensitive(json, "valid_band"));
        if (read_receivers(facts, cJSON_GetObjectItemCaseSensitive(json, "receivers"), audio->channels))
            status = fail(e, ERROR_MEMORY, "%s: out of memory", sound_path);
    }
    cJSON_Delete(json);
    return status;
}

/* Parses a comment of response_description: "impulse response of A; valid to 1818 Hz; .." */
double comment_valid_to(const char *comment)
{
    static const char *const kinds[] = {"impulse response of ", "recorded signal of "};
    static const char mark[] = "; valid to ";
    double frequency = 0.0;
    for (size_t k = 0; comment && k < sizeof kinds / sizeof *kinds; k++) {
        const char *found = strncmp(comment, kinds[k], strlen(kinds[k])) ? NULL : strstr(comment, mark);
        const char *number = found ? found + strlen(mark) : NULL, *end = number ? strstr(number, " Hz;") : NULL;
        char *text = end ? text_format("%.*s", (int)(end - number), number) : NULL;
        if (text && (text_number(text, &frequency) || !(frequency > 0.0)))
            frequency = 0.0;
        free(text);
    }
    return frequency;
}

void sidecar_facts_free(struct sidecar_facts *facts)
{
    for (size_t i = 0; i < facts->receiver_count; i++)
        free(facts->receivers[i]);
    free(facts->receivers);
    memset(facts, 0, sizeof *facts);
}
