/* SPDX-License-Identifier: MIT */
#include "render/auralize.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/stop.h"
#include "base/text.h"
#include "dsp/convolve.h"
#include "dsp/resample.h"
#include "render/sidecar.h"

int wet_resample(struct audio *dry, const char *name, double rate, struct error *e)
{
    const size_t frames = resample_frames(dry->frames, dry->rate, rate);
    if (dry->rate == rate)
        return 0;
    if (memory_demand((double)dry->channels * (double)frames * sizeof(double), e,
                      "%s: %zu channels of %zu frames at %g Hz", name, dry->channels, frames, rate))
        return -1;
    double *samples = calloc(dry->channels * frames, sizeof *samples);
    int status = samples ? 0 : fail(e, ERROR_MEMORY, "%s: out of memory", name);
    for (size_t c = 0; !status && c < dry->channels; c++) {
        double *channel = NULL;
        size_t made = 0;
        struct error reason;
        if (resample(&channel, &made, dry->samples + c * dry->frames, dry->frames, dry->rate, rate, &reason))
            status =
                reason.code == ERROR_STOPPED ? stop_check(e) : fail(e, reason.code, "%s: %s", name, reason.message);
        else
            memcpy(samples + c * frames, channel, frames * sizeof *samples);
        free(channel);
    }
    if (status) {
        free(samples);
        return -1;
    }
    free(dry->samples);
    *dry = (struct audio){.samples = samples, .channels = dry->channels, .frames = frames, .rate = rate};
    return 0;
}

int wet_make(struct audio *wet, const struct audio *responses, const struct audio *dry, struct error *e)
{
    const size_t outputs = responses[0].channels;
    struct convolver_filter *filters = calloc(dry->channels * outputs, sizeof *filters);
    if (!filters)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < dry->channels; i++)
        for (size_t o = 0; o < outputs; o++)
            filters[i * outputs + o] =
                (struct convolver_filter){responses[i].samples + o * responses[i].frames, responses[i].frames};
    const int status =
        convolve(&wet->samples, &wet->frames, dry->samples, dry->channels, dry->frames, filters, outputs, e);
    free(filters);
    if (status)
        return -1;
    wet->channels = outputs;
    wet->rate = responses[0].rate;
    return 0;
}

static int warn(struct auralization *a, char *text, struct error *e)
{
    char **more = text ? realloc(a->warnings, (a->warning_count + 1) * sizeof *more) : NULL;
    if (!more) {
        free(text);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    a->warnings = more;
    a->warnings[a->warning_count++] = text;
    return 0;
}

static double peak_of(const struct audio *audio)
{
    double peak = 0.0;
    for (size_t n = 0; n < audio->channels * audio->frames && !stop_requested_at(n); n++)
        peak = fmax(peak, fabs(audio->samples[n]));
    return peak;
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static int check_responses(const struct audio *responses, const char *const *paths, size_t count, struct error *e)
{
    for (size_t i = 1; i < count; i++) {
        if (responses[i].channels != responses[0].channels)
            return fail(e, ERROR_INPUT, "%s: has %zu channel%s, but %s has %zu; use responses with the same receivers",
                        paths[i], responses[i].channels, plural(responses[i].channels), paths[0],
                        responses[0].channels);
        if (responses[i].rate != responses[0].rate)
            return fail(e, ERROR_INPUT,
                        "%s: is at %g Hz, but %s is at %g Hz; render both at one rate (--set output.rate=%g)", paths[i],
                        responses[i].rate, paths[0], responses[0].rate, responses[0].rate);
    }
    return 0;
}

static int check_dry(const struct audio *dry, const char *path, size_t count, double rate, struct error *e)
{
    if (dry->channels != count && count > 1)
        return fail(e, ERROR_INPUT,
                    "%s: has %zu channel%s, but there are %zu responses; use one response per channel, and name the "
                    "dry sound last",
                    path, dry->channels, plural(dry->channels), count);
    if (!(dry->rate / rate <= WET_RATIO_MAX && rate / dry->rate <= WET_RATIO_MAX))
        return fail(
            e, ERROR_INPUT,
            "%s: is at %g Hz, which differs from the responses' %g Hz by more than a factor of %g; resample it first",
            path, dry->rate, rate, WET_RATIO_MAX);
    return 0;
}

/* Averages all channels into the first. */
static void mix_down(struct audio *dry)
{
    for (size_t n = 0; n < dry->frames; n++) {
        double sum = 0.0;
        for (size_t c = 0; c < dry->channels; c++)
            sum += dry->samples[c * dry->frames + n];
        dry->samples[n] = sum / (double)dry->channels;
    }
    dry->channels = 1;
}

const char *auralization_name(const char *path)
{
    return strcmp(path, STANDARD_STREAM) ? path_name(path) : "standard input";
}

static int describe(struct auralization *a, const char *const *responses, size_t count, const char *dry_path,
                    struct error *e)
{
    char others[32] = "";
    if (count > 1)
        snprintf(others, sizeof others, " and %zu more", count - 1);
    a->title = text_format("%s through %s%s", auralization_name(dry_path), auralization_name(responses[0]), others);
    a->description = text_format("auralization: %s convolved with %s%s", auralization_name(dry_path),
                                 auralization_name(responses[0]), others);
    return a->title && a->description ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

/* Whether aula rendered it as an impulse response, according to its JSON or its comment. */
static bool is_rendered(const struct sidecar_facts *facts, const char *comment)
{
    static const char begins[] = "impulse response of ";
    return facts->content == CONTENT_FILTER || (comment && !strncmp(comment, begins, strlen(begins)));
}

static int warn_of_length(struct auralization *a, const struct audio *audio, const char *path, struct error *e)
{
    return audio->lengthless ? warn(a,
                                    text_format("%s: the header states no length, as in a stream; all frames up to the "
                                                "end of the file were read",
                                                path),
                                    e)
                             : 0;
}

/* Reads the JSON beside a response; warns of recorded signals and silence. Sets *rendered if aula
 * made the response. */
static int check_response(struct auralization *a, const struct audio *response, const char *comment, const char *path,
                          bool *rendered, struct error *e)
{
    struct sidecar_facts facts;
    if (sidecar_read(&facts, path, response, e)) {
        sidecar_facts_free(&facts);
        return -1;
    }
    *rendered = *rendered || is_rendered(&facts, comment);
    if (!a->names && facts.receiver_count == a->wet.channels) {
        a->names = facts.receivers;
        facts.receivers = NULL;
        facts.receiver_count = 0;
    }
    const double valid_to = facts.valid_to > 0.0 ? facts.valid_to : comment_valid_to(comment);
    if (valid_to > 0.0 && !(a->valid_to > 0.0 && a->valid_to <= valid_to))
        a->valid_to = fmin(valid_to, 0.5 * response->rate);
    const bool recorded = facts.content == CONTENT_RECORDED;
    const enum json_of of = facts.of;
    sidecar_facts_free(&facts);
    if ((of == JSON_OF_SUFFIX || of == JSON_OF_OTHER) &&
        warn(a, text_format("%s: the JSON file beside it %s", path, json_of_text(of)), e))
        return -1;
    if (recorded && warn(a,
                         text_format("%s: is a recorded signal, not an impulse response, and the output contains the "
                                     "signal of its source; render it with signal = \"impulse\" or \"sweep\"",
                                     path),
                         e))
        return -1;
    if (warn_of_length(a, response, path, e))
        return -1;
    return peak_of(response) > 0.0 ? 0 : warn(a, text_format("%s: is silent", path), e);
}

static int read_responses(struct auralization *a, struct audio *responses, const char *const *paths, size_t count,
                          bool *rendered, struct error *e)
{
    char **comments = calloc(count, sizeof *comments);
    int status = comments ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; !status && i < count; i++)
        status = audio_read_with_comment(&responses[i], &comments[i], paths[i], e);
    status = status || check_responses(responses, paths, count, e);
    a->wet.channels = status ? 0 : responses[0].channels;
    for (size_t i = 0; !status && i < count; i++) {
        a->response_frames = responses[i].frames > a->response_frames ? responses[i].frames : a->response_frames;
        status = check_response(a, &responses[i], comments[i], paths[i], rendered, e);
    }
    for (size_t i = 0; comments && i < count; i++)
        free(comments[i]);
    free(comments);
    return status ? -1 : 0;
}

/* Refuses an aula response as the dry sound if none of the responses comes from aula: the arguments
 * are swapped. */
static int refuse_swapped(const struct audio *dry, const char *comment, const char *path, const char *response,
                          struct error *e)
{
    struct sidecar_facts facts;
    int status = sidecar_read(&facts, path, dry, e);
    if (!status && is_rendered(&facts, comment))
        status = fail(e, ERROR_INPUT,
                      "%s: is an impulse response, and %s is not; name the responses first and the dry sound last: "
                      "aula auralize %s %s",
                      path, response, path, response);
    sidecar_facts_free(&facts);
    return status;
}

/* `other`: one of the responses if none of them comes from aula; else NULL. */
static int read_dry(struct auralization *a, struct audio *dry, const char *path, size_t count, double rate,
                    const char *other, struct error *e)
{
    char *comment = NULL;
    const int status = audio_read_with_comment(dry, &comment, path, e) ||
                       (other && refuse_swapped(dry, comment, path, other, e)) || check_dry(dry, path, count, rate, e);
    free(comment);
    if (status)
        return -1;
    if (warn_of_length(a, dry, path, e))
        return -1;
    a->dry_rate = dry->rate;
    a->dry_channels = dry->channels;
    a->dry_frames = dry->frames;
    a->valid_to = fmin(a->valid_to, 0.5 * dry->rate);
    const bool had_sound = peak_of(dry) > 0.0;
    if (dry->channels > count) {
        mix_down(dry);
        a->mixed_down = true;
    }
    if (!(peak_of(dry) > 0.0) &&
        warn(a,
             text_format(a->mixed_down && had_sound
                             ? "%s: the channels cancel each other in the mono mix, which is silent; use one of them"
                             : "%s: is silent",
                         path),
             e))
        return -1;
    return wet_resample(dry, path, rate, e);
}

int auralization_read_dry(struct auralization *a, struct audio *dry, const char *path, size_t count, double rate,
                          struct error *e)
{
    return read_dry(a, dry, path, count, rate, NULL, e);
}

int auralization_find_peak(struct auralization *a, struct error *e)
{
    a->peak = peak_of(&a->wet);
    return stop_check(e);
}

static int make_wet(struct auralization *a, const struct audio *responses, const struct audio *dry, struct error *e)
{
    return wet_make(&a->wet, responses, dry, e) || auralization_find_peak(a, e) ? -1 : 0;
}

int auralization_make(struct auralization *a, const char *const *responses, size_t count, const char *dry_path,
                      struct error *e)
{
    struct audio dry = {0}, *filters = calloc(count, sizeof *filters);
    memset(a, 0, sizeof *a);
    bool rendered = false;
    int status = filters ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    status = status || read_responses(a, filters, responses, count, &rendered, e) ||
             read_dry(a, &dry, dry_path, count, filters[0].rate, rendered ? NULL : responses[0], e) ||
             make_wet(a, filters, &dry, e) || describe(a, responses, count, dry_path, e);
    for (size_t i = 0; filters && i < count; i++)
        audio_free(&filters[i]);
    free(filters);
    audio_free(&dry);
    if (status)
        auralization_free(a);
    return status ? -1 : 0;
}

void auralization_free(struct auralization *a)
{
    if (!a)
        return;
    for (size_t c = 0; a->names && c < a->wet.channels; c++)
        free(a->names[c]);
    free(a->names);
    for (size_t i = 0; i < a->warning_count; i++)
        free(a->warnings[i]);
    free(a->warnings);
    free(a->title);
    free(a->description);
    audio_free(&a->wet);
    memset(a, 0, sizeof *a);
}
