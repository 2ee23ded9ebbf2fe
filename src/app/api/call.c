/* SPDX-License-Identifier: MIT */
/* Begin and end of every call that can fail: locale, stop requests, errors; and checks of arguments. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "app/api/handles.h"
#include "base/c_locale.h"
#include "base/stop.h"

static atomic_uint running; /* calls that aula_stop would stop */

/* Options of the command line in messages, and the plain word for parameters of C and Python functions, which is the last
 * word of the name of a member in aula.h. */
static const struct {
    const char *option, *name;
} names[] = {
    {"--engine ", "engine "},
    {"--threads ", "threads "},
    {"--set ", "setting "},
    {"--source: ", "source: "},
    {"--source \"", "source = \""},
    {"--format ", "format "},
    {"--sofa-positions: ", ""},
    {"--moves source", "source_moves"},
    {"--path", "path"},
    {"--repeat", "repeats"},
    {"--pause", "pause"},
    {"--to ", "to "},
    {"--to;", "to;"},
    {"lower --to", "use a lower frequency"},
    {" with -o", ""},
    {"--band", "band"},
    {"--subs", "subs"},
    {"--seats", "seats"},
    {"--candidates", "candidates"},
    {"--pair", "facing"},
    {"--clearance", "clearance"},
    {"--delay", "delay"},
    {"--gain", "gain"},
    {"--boost", "boost"},
    {"--max-frequency", "max_frequency"},
    {"--walls", "walls"},
    {"--shard", "shard"},
    {"--rooms", "rooms"},
    {"--workers", "workers"},
    {"--plane", "plane"},
    {"--size", "size"},
    {"--parameters", "parameters"},
    {"--spacing", "spacing"},
    {"--ms", "seconds"},
    {"--speed", "speed"},
    {"--fps", "rate"},
    {"--levels", "levels"},
    {"--color-max", "top"},
    {"--dynamic-range", "dynamic_range"},
    {"--pulse", "pulse"},
    {"--locale", "locale"},
    {"--targets", "target_file"},
    {"--target", "targets"},
    {"--volume", "volume"},
    {"--listen", "dry"},
    {"--match-level", "match_level"},
    {"--film", "film"},
    {"--map", "map"},
    {"--free", "materials"},
    {"--use", "parameters"},
    {"--octaves", "octaves"},
    {"--hold-out", "hold_out"},
};

/* Copies a message, with options replaced by the names of aula.h, to a buffer of `room` bytes. */
static void translate(char *to, size_t room, const char *from)
{
    char *const end = to + room - 1;
    while (*from && to < end) {
        const char *words = NULL;
        for (size_t i = 0; i < sizeof names / sizeof *names && !words; i++)
            if (!strncmp(from, names[i].option, strlen(names[i].option))) {
                words = names[i].name;
                from += strlen(names[i].option);
            }
        if (!words)
            *to++ = *from++;
        for (; words && *words && to < end; words++)
            *to++ = *words;
    }
    *to = '\0';
}

static int pass_on(const struct call *call)
{
    if (call->out) {
        call->out->exit_status = error_exit_status(call->error.code);
        translate(call->out->message, sizeof call->out->message, call->error.message);
    }
    return -1;
}

int call_begin(struct call *call, struct aula_error *out)
{
    *call = (struct call){.out = out};
    if (c_locale_enter(&call->before, &call->error))
        return pass_on(call);
    if (!atomic_fetch_add(&running, 1))
        stop_work(false); /* drops a request that arrived just after the last call had ended */
    return 0;
}

int call_end(struct call *call, int status)
{
    if (atomic_fetch_sub(&running, 1) == 1)
        stop_work(false);
    c_locale_leave(call->before);
    return status ? pass_on(call) : 0;
}

void aula_stop(void)
{
    if (atomic_load(&running))
        stop_work(true);
}

int call_refuse_null(struct call *call, const char *name, const char *remedy)
{
    return fail(&call->error, ERROR_USAGE, "%s is NULL; pass %s", name, remedy);
}

int call_check_text(struct call *call, const char *text, const char *name, const char *remedy)
{
    if (!text)
        return call_refuse_null(call, name, remedy);
    return *text ? 0 : fail(&call->error, ERROR_USAGE, "%s is empty; pass %s", name, remedy);
}

int call_check_samples(struct call *call, const char *name, const double *samples, size_t channels, size_t frames,
                       double rate)
{
    struct error *e = &call->error;
    if (!samples)
        return call_refuse_null(call, name, "the samples of every channel, [channel][frame]");
    if (!channels || channels > AUDIO_CHANNELS_MAX)
        return fail(e, ERROR_USAGE, "channels is %zu; must be from 1 to %d", channels, AUDIO_CHANNELS_MAX);
    if (!frames || frames > SIZE_MAX / sizeof *samples / channels)
        return fail(e, ERROR_USAGE, "%s has %zu frames; pass one or more, [channel][frame]", name, frames);
    if (!(rate > 0.0 && isfinite(rate)))
        return fail(e, ERROR_USAGE, "rate is %g Hz; pass the sampling rate of %s", rate, name);
    for (size_t n = 0; n < channels * frames; n++)
        if (!isfinite(samples[n]))
            return fail(e, ERROR_INPUT, "%s[%zu][%zu] is not a finite number; remove it, or replace it by 0", name,
                        n / frames, n % frames);
    return 0;
}

int call_check_reserved(struct call *call, void *const *reserved, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (reserved[i])
            return fail(&call->error, ERROR_USAGE, "%s.reserved is not NULL; zero the struct before filling it", name);
    return 0;
}

int call_check_source(struct call *call, const struct room *room, size_t source)
{
    return source < room->source_count
               ? 0
               : fail(&call->error, ERROR_USAGE, "source %zu: the room has only %zu sources, counted from 0", source,
                      room->source_count);
}

int call_check_responses(struct call *call, const struct aula_response *const *responses, size_t count,
                         const char *remedy)
{
    if (!responses)
        return call_refuse_null(call, "responses", remedy);
    if (!count)
        return fail(&call->error, ERROR_USAGE, "there are 0 responses; pass %s", remedy);
    for (size_t i = 0; i < count; i++)
        if (!responses[i])
            return fail(&call->error, ERROR_USAGE, "responses[%zu] is NULL; pass a response of aula_render", i);
    return 0;
}

int call_check_settings(struct call *call, const char *const *settings, size_t count)
{
    if (count && !settings)
        return call_refuse_null(call, "settings", "strings such as \"grid.rate=48000\", or a count of 0");
    for (size_t i = 0; i < count; i++)
        if (!settings[i] || !*settings[i])
            return fail(&call->error, ERROR_USAGE,
                        "settings[%zu] of %zu is %s; pass a string such as \"grid.rate=48000\"", i, count,
                        settings[i] ? "empty" : "NULL");
    return 0;
}
