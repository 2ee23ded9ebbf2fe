/* SPDX-License-Identifier: MIT */
#include "dsp/measure/recording.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "base/stop.h"
#include "base/text.h"
#include "dsp/measure/recording_space.h"
#include "io/json_beside.h"

void recording_free(struct recording *r)
{
    if (!r)
        return;
    for (size_t c = 0; r->channel_name && c < r->audio.channels; c++)
        free(r->channel_name[c]);
    free(r->channel_name);
    free(r->distance);
    free(r->height);
    free(r->source);
    free(r->note);
    recording_space_free(r);
    doubts_free(&r->doubts);
    audio_free(&r->audio);
    memset(r, 0, sizeof *r);
}

static const char filter[] = "impulse response"; /* start of the content in JSON and comment of one */

/* "a.b" of nested objects as a number; NaN when it is none. */
static double number_of(const cJSON *json, const char *group, const char *name)
{
    const cJSON *inner = group ? cJSON_GetObjectItemCaseSensitive(json, group) : json;
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(inner, name);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

static const char *text_of(const cJSON *json, const char *group, const char *name)
{
    const cJSON *inner = group ? cJSON_GetObjectItemCaseSensitive(json, group) : json;
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(inner, name));
    return text ? text : "";
}

static bool is_for(const cJSON *json, const struct recording *r)
{
    const double rate = number_of(json, "output", "rate");
    return number_of(json, "output", "frames") == (double)r->audio.frames &&
           number_of(json, "output", "channels") == (double)r->audio.channels && fabs(rate - r->audio.rate) <= 0.5 &&
           number_of(json, "valid_band", "high") > 0.0 && number_of(json, "valid_band", "low") >= 0.0 &&
           (number_of(json, "grid", "rate") > 0.0 || json_is_measured(json)) && number_of(json, "output", "gain") > 0.0;
}

/* Common strength of the sources; NaN if they differ, because the JSON does not say which source the file is for. */
static double strength_of(const cJSON *json)
{
    const cJSON *sources = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(json, "input"), "sources");
    const cJSON *source;
    double strength = NAN;
    cJSON_ArrayForEach(source, sources)
    {
        const double gain = number_of(source, NULL, "gain"), one = isnan(gain) ? 1.0 : fabs(gain);
        if (!isnan(strength) && one != strength)
            return NAN;
        strength = one;
    }
    return strength > 0.0 ? strength : NAN;
}

static bool begins(const char *text, const char *with)
{
    return text && !strncmp(text, with, strlen(with));
}

static bool is_filter(const cJSON *json)
{
    return begins(text_of(json, "output", "content"), filter);
}

const char *recording_uncalibrated(bool is_filter, bool together, double strength)
{
    if (!is_filter)
        return "this is a recorded signal, not an impulse response; the parameters include the signal, and G is "
               "omitted";
    if (together)
        return "this is the response to several sources; G is omitted";
    if (!(strength > 0.0))
        return "the source strength is unknown; G is omitted";
    return NULL;
}

static int take_names(struct recording *r, const cJSON *json)
{
    const cJSON *input = cJSON_GetObjectItemCaseSensitive(json, "input");
    const cJSON *receivers = cJSON_GetObjectItemCaseSensitive(json, "receivers");
    const cJSON *sources = cJSON_GetObjectItemCaseSensitive(input, "sources");
    for (size_t c = 0; c < r->audio.channels; c++) {
        const char *name = text_of(cJSON_GetArrayItem(receivers, (int)c), NULL, "name");
        if (*name && !(r->channel_name[c] = text_copy(name)))
            return -1;
    }
    if (cJSON_GetArraySize(sources) == 1 &&
        !(r->source = text_copy(text_of(cJSON_GetArrayItem(sources, 0), NULL, "name"))))
        return -1;
    return 0;
}

/* NaN when there are several sources, or a position is missing. */
static double distance_of(const cJSON *json, size_t channel)
{
    const cJSON *input = cJSON_GetObjectItemCaseSensitive(json, "input");
    const cJSON *sources = cJSON_GetObjectItemCaseSensitive(input, "sources");
    const cJSON *receivers = cJSON_GetObjectItemCaseSensitive(json, "receivers");
    const cJSON *from = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(sources, 0), "position");
    const cJSON *to = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(receivers, (int)channel), "position");
    double squares = cJSON_GetArraySize(sources) == 1 ? 0.0 : NAN;
    for (int i = 0; i < 3; i++) {
        const cJSON *a = cJSON_GetArrayItem(from, i), *b = cJSON_GetArrayItem(to, i);
        squares += cJSON_IsNumber(a) && cJSON_IsNumber(b) ? pow(b->valuedouble - a->valuedouble, 2.0) : NAN;
    }
    return sqrt(squares);
}

/* z of "position"; NaN: not known. */
static double height_of(const cJSON *place)
{
    const cJSON *z = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(place, "position"), 2);
    return cJSON_IsNumber(z) ? z->valuedouble : NAN;
}

static void take_places(struct recording *r, const cJSON *json)
{
    const cJSON *input = cJSON_GetObjectItemCaseSensitive(json, "input");
    const cJSON *sources = cJSON_GetObjectItemCaseSensitive(input, "sources");
    const cJSON *receivers = cJSON_GetObjectItemCaseSensitive(json, "receivers");
    const cJSON *source = cJSON_GetArraySize(sources) == 1 ? cJSON_GetArrayItem(sources, 0) : NULL;
    const char *pattern = text_of(source, NULL, "directivity");
    r->source_height = height_of(source);
    r->source_directed = *pattern && strcmp(pattern, "omni");
    for (size_t c = 0; c < r->audio.channels; c++) {
        r->distance[c] = distance_of(json, c);
        r->height[c] = height_of(cJSON_GetArrayItem(receivers, (int)c));
    }
}

/* Takes the upper limit of a file that ends below the valid band, and the delay of its low-pass. */
static void take_filter(struct recording *r, const cJSON *output)
{
    const double low_pass = number_of(output, "filter", "low_pass");
    const double delay = number_of(cJSON_GetObjectItemCaseSensitive(output, "filter"), "group_delay_ms", "low");
    if (low_pass > 0.0)
        r->valid_high = fmin(r->valid_high, low_pass);
    r->delay = delay > 0.0 ? 1e-3 * delay : 0.0;
    if (number_of(output, NULL, "start") < 0.0) /* of measured responses: sample 0 is before t = 0 */
        r->delay -= number_of(output, NULL, "start");
}

static int take_description(struct recording *r, const cJSON *json)
{
    const char *again = text_of(json, NULL, "again");
    const bool together =
        strstr(again, "--all-sources") || strstr(again, "--together"); /* --together: older name of the option */
    const char *why = recording_uncalibrated(is_filter(json), together, strength_of(json));
    r->described = true;
    r->is_signal = !is_filter(json);
    r->audio.rate = number_of(json, "output", "rate");
    r->valid_low = number_of(json, "valid_band", "low");
    r->valid_high = fmin(number_of(json, "valid_band", "high"), 0.5 * r->audio.rate);
    r->grid_valid = number_of(json, "valid_band", "high");
    take_filter(r, cJSON_GetObjectItemCaseSensitive(json, "output"));
    r->volume = number_of(json, "space", "volume");
    r->sound_speed = number_of(json, "grid", "sound_speed");
    r->measured = json_is_measured(json);
    r->noiseless = is_filter(json) && !r->measured && strcmp(text_of(json, "output", "format"), "pcm16") != 0;
    r->calibrated = !why;
    take_places(r, json);
    if (r->calibrated)
        r->scale = 1.0 / number_of(json, "output", "gain") / strength_of(json);
    else if (!(r->note = text_copy(why)))
        return -1;
    return doubts_take(&r->doubts, json) || take_names(r, json) ? -1 : 0;
}

/* Restricts ambisonic fields and velocities to the first channel: W (the pressure), or the velocity along x. */
static int take_first(struct recording *r, const cJSON *json)
{
    const cJSON *receiver = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(json, "receivers"), 0);
    const char *type = text_of(receiver, NULL, "type");
    const bool field = !strcmp(type, "ambisonic"), velocity = !strcmp(type, "velocity");
    if (r->audio.channels < 2 || !(field || velocity))
        return 0;
    for (size_t c = 1; c < r->audio.channels; c++) {
        free(r->channel_name[c]);
        r->channel_name[c] = NULL;
    }
    r->field_channels = field ? r->audio.channels : 0;
    r->audio.channels = 1; /* its samples stay */
    return recording_add_note(
        r, text_format("the parameters are those of channel 1, %s",
                       field ? "W, the pressure" : "the velocity along x, so its level is not a sound pressure level"));
}

/* Values of a comment: upper end of the valid band in Hz (0: none), delay of the low-pass in s. */
struct stated {
    double high, delay;
};

/* Whether `words` stand at *at; moves *at behind them. */
static bool skip(const char **at, const char *words)
{
    const bool there = begins(*at, words);
    *at += there ? strlen(words) : 0;
    return there;
}

static unsigned long skip_number(const char **at)
{
    char *end = NULL;
    const unsigned long number = strtoul(*at, &end, 10);
    *at = end;
    return number;
}

/* "..; valid to 1818 Hz; mapped in frequency; delayed 570 us by the low-pass; t = 0 is ..": the comment of aula render
 * (response_description). Mapping and delay are optional; earlier versions wrote "570 us late by the low-pass;". */
static struct stated stated_by(const char *comment)
{
    static const char words[] = "; valid to ";
    for (const char *found = strstr(comment, words); found; found = strstr(found + 1, words)) {
        const char *at = found + strlen(words);
        const double high = (double)skip_number(&at);
        double delay = 0.0;
        if (!(high > 0.0) || !skip(&at, " Hz;"))
            continue;
        skip(&at, " mapped in frequency;");
        const char *behind = at;
        if (skip(&at, " delayed ") || *at == ' ')
            delay = 1e-6 * (double)skip_number(&at);
        if (!skip(&at, " us by the low-pass;") && !skip(&at, " us late by the low-pass;")) {
            at = behind;
            delay = 0.0;
        }
        if (begins(at, " t = 0 "))
            return (struct stated){high, delay};
    }
    return (struct stated){0.0, 0.0};
}

/* Without a sidecar, takes the valid band from the comment of the file; returns the note about it. */
static const char *take_comment(struct recording *r, const char *comment)
{
    const bool response = begins(comment, filter), signal = begins(comment, "recorded signal of ");
    const struct stated stated = response || signal ? stated_by(comment) : (struct stated){0.0, 0.0};
    const double high = stated.high;
    r->is_signal = signal || begins(comment, "auralization: ");
    if (begins(comment, "auralization: "))
        return "by its comment the file is an auralization, not an impulse response, so the parameters are meaningless";
    if (!(high > 0.0))
        return "the whole band is assumed valid, and G is omitted because the level is not calibrated";
    r->grid_valid = high;
    r->noiseless = response;
    r->delay = stated.delay;
    r->valid_high = fmin(high, 0.5 * r->audio.rate);
    return response ? "the valid band is that of the comment in the file, and G is omitted because the calibration is "
                      "unknown"
                    : "the valid band is that of the comment in the file, which describes a recorded signal, not an "
                      "impulse response; the parameters include the signal, and G is omitted";
}

/* Nonzero with *e empty: out of memory. */
static int describe(struct recording *r, const char *path, const char *comment, struct error *e)
{
    char *name = path_with_suffix(path, ".json");
    enum json_of of;
    cJSON *json = NULL;
    int status = name ? 0 : -1;
    if (!status && !strcmp(path, STANDARD_STREAM)) {
        r->note = text_format("standard input has no sidecar; %s", take_comment(r, comment));
        status = r->note ? 0 : -1;
    } else if (!status && access(name, F_OK)) {
        r->note = text_format("there is no sidecar %s; %s", name, take_comment(r, comment));
        status = r->note ? 0 : -1;
    } else if (!status && !(status = json_beside(&json, &of, path, r->audio.checksum, e))) {
        if (is_for(json, r)) {
            status =
                take_description(r, json) || take_first(r, json) ? -1 : recording_space_take(r, path, json, comment, e);
        } else {
            const bool known = of == JSON_OF_SUFFIX || of == JSON_OF_OTHER;
            r->parted = of == JSON_OF_OTHER;
            r->note = text_format("%s %s; %s", name,
                                  known ? json_of_text(of) : "was not written by aula render for this file",
                                  take_comment(r, comment));
            status = r->note ? 0 : -1;
        }
    }
    if (!status && !r->described)
        status = recording_space_take(r, path, NULL, comment, e);
    cJSON_Delete(json);
    free(name);
    return status;
}

int recording_read(struct recording *r, const char *path, struct error *e)
{
    char *comment = NULL;
    memset(r, 0, sizeof *r);
    if (audio_read_with_comment(&r->audio, &comment, path, e))
        return -1;
    r->valid_high = 0.5 * r->audio.rate;
    r->scale = 1.0;
    r->volume = r->sound_speed = NAN;
    r->channel_name = calloc(r->audio.channels, sizeof *r->channel_name);
    r->distance = malloc(r->audio.channels * sizeof *r->distance);
    r->height = malloc(r->audio.channels * sizeof *r->height);
    r->source_height = NAN;
    for (size_t c = 0; r->distance && r->height && c < r->audio.channels; c++)
        r->distance[c] = r->height[c] = NAN;
    struct error why = {ERROR_NONE, ""};
    int status = r->channel_name && r->distance && r->height ? describe(r, path, comment, &why) : -1;
    if (!status && r->audio.lengthless)
        status = recording_add_note(
            r, text_format("the header states no length, as in a stream; the file was read to its end"));
    free(comment);
    if (!status)
        return 0;
    recording_free(r);
    return why.code == ERROR_NONE ? fail(e, ERROR_MEMORY, "%s: out of memory", path)
                                  : fail(e, why.code, "%s", why.message);
}

struct metrics_settings recording_settings(const struct recording *r)
{
    return (struct metrics_settings){.valid_low = r->valid_low,
                                     .valid_high = r->valid_high,
                                     .calibrated = r->calibrated,
                                     .scale = r->scale,
                                     .noiseless = r->noiseless,
                                     .delay = r->delay};
}

static const char unmeasured[] = "%s: cannot measure channel %zu: %s";

static int measure_channels(struct metrics *channels, const struct recording *r, struct metrics_settings *s,
                            const char *name, struct error *e)
{
    const struct audio *a = &r->audio;
    double *curves = s->curves;
    struct error inner;
    for (size_t c = 0; c < a->channels; c++) {
        s->curves = curves ? curves + c * METRICS_BANDS * s->curve_points : NULL;
        if (stop_check(e))
            return -1;
        if (metrics_measure(&channels[c], a->samples + c * a->frames, a->frames, a->rate, s, &inner))
            return inner.code == ERROR_STOPPED ? fail(e, ERROR_STOPPED, "%s", inner.message)
                                               : fail(e, inner.code, unmeasured, name, c + 1, inner.message);
    }
    return 0;
}

int recording_measure(struct metrics *channels, const struct recording *r, const struct metrics_settings *settings,
                      const char *name, struct error *e)
{
    struct metrics_settings s = *settings;
    struct error inner;
    bool heard = false;
    s.bench = metrics_bench_make();
    const int status =
        s.bench ? measure_channels(channels, r, &s, name, e) : fail(e, ERROR_MEMORY, "%s: out of memory", name);
    metrics_bench_free(s.bench);
    for (size_t c = 0; c < r->audio.channels && !status; c++)
        heard = heard || channels[c].peak > 0.0;
    if (status)
        return -1;
    if (!heard)
        return fail(e, ERROR_INPUT, unmeasured, name, (size_t)1, metrics_reason_text(METRICS_SILENT));
    if (recording_space_measure(channels, r, settings, &inner))
        return inner.code == ERROR_STOPPED ? fail(e, ERROR_STOPPED, "%s", inner.message)
                                           : fail(e, inner.code, unmeasured, name, (size_t)1, inner.message);
    return 0;
}

char *recording_speech_remedy(const struct recording *r, const struct metrics *m)
{
    if (m->sti_reason != METRICS_BEYOND)
        return text_format("%s", metrics_reason_text(m->sti_reason));
    static const char needs[] = "it needs the octaves from 125 Hz to 8 kHz";
    const double rate_min = ceil(2.0 * METRICS_SPEECH_HIGH);
    const bool slow = !(r->audio.rate >= rate_min),
               coarse = r->grid_valid > 0.0 && !(r->grid_valid >= METRICS_SPEECH_HIGH);
    if (r->valid_low > METRICS_SPEECH_LOW)
        return text_format("%s (above %.0f Hz), but the response is valid only above %.0f Hz", needs,
                           METRICS_SPEECH_LOW, r->valid_low);
    if (!coarse)
        return text_format("%s (up to %.0f Hz); use a sample rate of at least %.0f Hz", needs, METRICS_SPEECH_HIGH,
                           rate_min);
    return text_format("%s (up to %.0f Hz), but the response is valid up to %.0f Hz; render with hybrid.full=true or "
                       "grid.max_frequency=%.0f%s",
                       needs, METRICS_SPEECH_HIGH, r->grid_valid, 500.0 * ceil(METRICS_SPEECH_HIGH / 500.0),
                       slow ? " and output.rate=48000" : "");
}
