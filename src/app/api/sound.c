/* SPDX-License-Identifier: MIT */
/* Convolves dry sounds with responses. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app/api/handles.h"
#include "base/text.h"
#include "render/auralize.h"
#include "render/moving/moving_auralize.h"

void aula_sound_close(struct aula_sound *sound)
{
    if (!sound)
        return;
    lines_free(sound->warnings, sound->warning_count);
    if (sound->names)
        lines_free(sound->names, sound->audio.channels);
    audio_free(&sound->audio);
    free(sound);
}

/* Requires the same number of receivers and the same rate. */
static int check_alike(struct call *call, const struct aula_response *const *responses, size_t count)
{
    struct error *e = &call->error;
    if (call_check_responses(call, responses, count, "one response per channel of the dry sound"))
        return -1;
    const struct response *first = &responses[0]->rendering.response;
    for (size_t i = 1; i < count; i++) {
        const struct response *r = &responses[i]->rendering.response;
        if (r->channels != first->channels)
            return fail(
                e, ERROR_INPUT,
                "responses[%zu] has %zu channels, but responses[0] has %zu; render both with the same receivers", i,
                r->channels, first->channels);
        if (r->rate != first->rate)
            return fail(e, ERROR_INPUT,
                        "responses[%zu] is at %g Hz, but responses[0] is at %g Hz; render both at the same output.rate",
                        i, r->rate, first->rate);
    }
    return 0;
}

static int check_dry(struct call *call, const double *dry, size_t channels, size_t frames, double rate, double to)
{
    struct error *e = &call->error;
    if (!dry)
        return call_refuse_null(call, "dry", "the samples of a sound, [channel][frame]");
    if (!frames || frames > SIZE_MAX / sizeof *dry / channels)
        return fail(e, ERROR_USAGE, "dry has %zu frames; pass one or more, [channel][frame]", frames);
    if (!(rate > 0.0 && rate / to <= WET_RATIO_MAX && to / rate <= WET_RATIO_MAX))
        return fail(e, ERROR_USAGE, "rate is %g Hz; must be within a factor of %g of the responses' %g Hz", rate,
                    WET_RATIO_MAX, to);
    for (size_t n = 0; n < channels * frames; n++)
        if (!isfinite(dry[n]))
            return fail(e, ERROR_INPUT, "dry[%zu][%zu] is not a finite number; remove it, or replace it by 0",
                        n / frames, n % frames);
    return 0;
}

static bool is_silent(const double *samples, size_t count)
{
    for (size_t n = 0; n < count; n++)
        if (samples[n] != 0.0)
            return false;
    return true;
}

static int warn(struct aula_sound *sound, const struct aula_response *const *responses, const struct audio *dry,
                struct error *e)
{
    char ***lines = &sound->warnings;
    size_t *count = &sound->warning_count;
    for (size_t i = 0; i < dry->channels; i++) {
        const struct response *r = &responses[i]->rendering.response;
        if (is_silent(r->samples, r->channels * r->frames) && lines_add(lines, count, e, "responses[%zu] is silent", i))
            return -1;
        if (!r->is_filter && lines_add(lines, count, e,
                                       "responses[%zu] is a recorded signal, not an impulse response, so the result "
                                       "contains that signal; render it with signal = \"impulse\" or \"sweep\"",
                                       i))
            return -1;
    }
    return is_silent(dry->samples, dry->channels * dry->frames) ? lines_add(lines, count, e, "the dry sound is silent")
                                                                : 0;
}

/* Resampling works in place, so the caller's samples are copied. */
static int convolve_all(struct aula_sound *sound, const struct aula_response *const *responses, const struct audio *dry,
                        struct error *e)
{
    const size_t count = dry->channels, bytes = count * dry->frames * sizeof *dry->samples;
    struct audio *filters = calloc(count, sizeof *filters), brought = *dry;
    brought.samples = malloc(bytes);
    int status = filters && brought.samples ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        memcpy(brought.samples, dry->samples, bytes);
    for (size_t i = 0; !status && i < count; i++) {
        const struct response *r = &responses[i]->rendering.response;
        filters[i] =
            (struct audio){.samples = r->samples, .channels = r->channels, .frames = r->frames, .rate = r->rate};
    }
    status =
        status || wet_resample(&brought, "dry", filters[0].rate, e) || wet_make(&sound->audio, filters, &brought, e);
    free(filters);
    audio_free(&brought);
    return status ? -1 : 0;
}

static int auralize(struct call *call, struct aula_sound **out, const struct aula_response *const *responses,
                    size_t count, const double *dry, size_t frames, double rate)
{
    struct error *e = &call->error;
    if (!out)
        return call_refuse_null(call, "wet", "the address of a pointer");
    *out = NULL;
    if (check_alike(call, responses, count) ||
        check_dry(call, dry, count, frames, rate, responses[0]->rendering.response.rate))
        return -1;
    const struct audio given = {
        .samples = (double *)dry, .channels = count, .frames = frames, .rate = rate}; /* only read */
    struct aula_sound *sound = calloc(1, sizeof *sound);
    if (!sound)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (warn(sound, responses, &given, e) || convolve_all(sound, responses, &given, e)) {
        aula_sound_close(sound);
        return -1;
    }
    *out = sound;
    return 0;
}

int aula_auralize(struct aula_sound **wet, const struct aula_response *const *responses, size_t count,
                  const double *dry, size_t frames, double rate, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, auralize(&call, wet, responses, count, dry, frames, rate));
}

static int check_files(struct call *call, const char *const *responses, size_t count, const char *dry, const char *path)
{
    if (!responses)
        return call_refuse_null(call, "responses", "the names of files that aula rendered");
    if (!count)
        return fail(&call->error, ERROR_USAGE, "there are 0 responses; pass the names of files that aula rendered");
    for (size_t i = 0; i < count; i++)
        if (!responses[i] || !*responses[i])
            return fail(&call->error, ERROR_USAGE, "responses[%zu] is %s; pass the name of a file that aula rendered",
                        i, responses[i] ? "empty" : "NULL");
    return call_check_text(call, dry, "dry", "the name of a sound file") ||
                   call_check_text(call, path, "path", "the name of a table with the columns time, x, y and z")
               ? -1
               : 0;
}

static int auralize_path(struct call *call, struct aula_sound **out, const char *const *responses, size_t count,
                         const char *dry, const struct moving_settings *moving)
{
    struct moving_facts facts;
    struct auralization a;
    if (!out)
        return call_refuse_null(call, "wet", "the address of a pointer");
    *out = NULL;
    if (check_files(call, responses, count, dry, moving->walk))
        return -1;
    struct aula_sound *sound = calloc(1, sizeof *sound);
    if (!sound)
        return fail(&call->error, ERROR_MEMORY, "out of memory");
    if (moving_auralization_make(&a, &facts, responses, count, dry, moving, &call->error)) {
        free(sound);
        return -1;
    }
    *sound =
        (struct aula_sound){.audio = a.wet, .names = a.names, .warnings = a.warnings, .warning_count = a.warning_count};
    a.wet = (struct audio){.samples = NULL};
    a.names = a.warnings = NULL;
    a.warning_count = 0;
    auralization_free(&a);
    *out = sound;
    return 0;
}

int aula_auralize_path(struct aula_sound **wet, const char *const *responses, size_t count, const char *dry,
                       const char *path, int source_moves, struct aula_error *error)
{
    struct call call;
    const struct moving_settings moving = {path, source_moves != 0};
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, auralize_path(&call, wet, responses, count, dry, &moving));
}

static int read_file(struct call *call, struct aula_sound **out, const char *path)
{
    if (!out)
        return call_refuse_null(call, "sound", "the address of a pointer");
    *out = NULL;
    if (call_check_text(call, path, "path", "the name of a sound file"))
        return -1;
    struct aula_sound *sound = calloc(1, sizeof *sound);
    if (!sound)
        return fail(&call->error, ERROR_MEMORY, "out of memory");
    if (audio_read(&sound->audio, path, &call->error)) {
        free(sound);
        return -1;
    }
    *out = sound;
    return 0;
}

int aula_sound_read(struct aula_sound **sound, const char *path, struct aula_error *error)
{
    struct call call;
    if (call_begin(&call, error))
        return -1;
    return call_end(&call, read_file(&call, sound, path));
}

const char *aula_sound_warning(const struct aula_sound *sound, size_t index)
{
    return sound && index < sound->warning_count ? sound->warnings[index] : NULL;
}

const char *aula_sound_channel_name(const struct aula_sound *sound, size_t channel)
{
    return channel < aula_sound_channels(sound) && sound->names ? sound->names[channel] : NULL;
}

size_t aula_sound_channels(const struct aula_sound *sound)
{
    return sound ? sound->audio.channels : 0;
}

size_t aula_sound_frames(const struct aula_sound *sound)
{
    return sound ? sound->audio.frames : 0;
}

double aula_sound_rate(const struct aula_sound *sound)
{
    return sound ? sound->audio.rate : NAN;
}

const double *aula_sound_samples(const struct aula_sound *sound, size_t channel)
{
    return channel < aula_sound_channels(sound) ? sound->audio.samples + channel * sound->audio.frames : NULL;
}
