/* SPDX-License-Identifier: MIT */
/* aula auralize: convolves a dry sound with the responses of a room. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "app/outputs.h"
#include "app/say.h"
#include "app/shipped.h"
#include "app/sound_card.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "dsp/resample.h"
#include "io/json_build.h"
#include "io/playback/player.h"
#include "render/auralize.h"
#include "render/moving/moving_auralize.h"

struct auralize_options {
    struct common_options common;
    struct output_options output;
    struct card_options card;
    bool normalise, play;
    const char *path, *moves; /* of --path; "listener" or "source" */
};

/* The arguments: responses first, the dry sound last. */
struct words {
    const char *const *responses;
    size_t count;
    const char *dry;
    char *named_dry;          /* owned path: a sound that ships, or `dry` itself */
    struct sound_names names; /* of the output, without JSON */
    const char *wet;          /* path of the output; NULL: only play */
    enum sample_format format;
};

/* Refuses arguments in the wrong order: a sound that ships in place of the first response. */
static int refuse_sound_first(const struct words *w, struct error *e)
{
    struct error ignored;
    char *sound = NULL;
    const bool ships = !shipped_sound(&sound, w->responses[0], &ignored) && strcmp(sound, w->responses[0]) != 0;
    free(sound);
    return ships ? fail(e, ERROR_INPUT, "%s: is a dry sound, not a response; swap the arguments: aula auralize %s %s",
                        w->responses[0], w->dry, w->responses[0])
                 : 0;
}

static bool source_moves(const struct auralize_options *o)
{
    return o->moves && !strcmp(o->moves, "source");
}

static int check_path(const struct auralize_options *o, struct error *e)
{
    char safe[QUOTED];
    if (o->moves && !source_moves(o) && strcmp(o->moves, "listener") != 0)
        return fail(e, ERROR_USAGE, "--moves %s: expected listener or source", quoted(safe, o->moves));
    if (o->moves && !o->path)
        return fail(e, ERROR_USAGE, "--moves needs the path; add --path WALK.csv");
    return 0;
}

/* Checks the arguments and the output file before any work. */
static int read_words(struct words *w, const struct auralize_options *o, struct error *e)
{
    const char *dry = o->common.arguments[o->common.argument_count - 1];
    *w = (struct words){.responses = o->common.arguments, .count = o->common.argument_count - 1, .dry = dry};
    if (!o->output.path && !o->play)
        return fail(e, ERROR_USAGE, "no output; add -o WET.wav or --play: aula auralize %s %s -o WET.wav",
                    w->responses[0], w->dry);
    if (latency_check(&o->card, e) || check_path(o, e))
        return -1;
    if (refuse_sound_first(w, e) || standard_input_once(o->common.arguments, o->common.argument_count, e) ||
        shipped_sound(&w->named_dry, dry, e))
        return -1;
    w->dry = w->named_dry;
    if (sample_format_named(&w->format, o->output.format, e))
        return -1;
    if (!o->output.path)
        return 0;
    if (sound_names_make(&w->names, o->output.path, w->dry, NULL, e) ||
        audio_format_settle(&w->format, o->output.format != NULL, w->names.sound, 0, 0.0, e))
        return -1;
    w->wet = w->names.sound;
    if (o->common.json && !w->names.json)
        return fail(e, ERROR_USAGE, "-o - and --json cannot share standard output; remove one of them");
    for (size_t i = 0; i < o->common.argument_count && w->names.json; i++)
        if (same_file(w->wet, i < w->count ? o->common.arguments[i] : w->dry) ||
            (o->path && same_file(w->wet, o->path)))
            return fail(e, ERROR_USAGE, "%s: is also an input; choose another name with -o", w->wet);
    return outputs_check(&w->wet, 1, o->output.no_clobber, e);
}

/* Scales the peak to full scale if `asked`, or if it would clip an integer format. Returns the gain. */
static double normalise(struct auralization *a, const struct words *w, bool asked)
{
    const bool integers = w->format == FORMAT_PCM16 || w->format == FORMAT_PCM24;
    const double gain = 1.0 / a->peak;
    if (!(asked || (integers && a->peak > 1.0)) || !isfinite(gain)) /* the peak of silence is 0 */
        return 1.0;
    for (size_t n = 0; n < a->wet.channels * a->wet.frames; n++)
        a->wet.samples[n] *= gain;
    return gain;
}

static int write_wet(const struct auralization *a, const struct words *w, double gain, bool no_clobber, struct error *e)
{
    char *description = gain == 1.0 ? text_format("%s; level kept", a->description)
                                    : text_format("%s; scaled by %.6g to full scale", a->description, gain);
    if (!description)
        return fail(e, ERROR_MEMORY, "out of memory");
    const struct audio_description d = {w->format, a->title, description, (const char *const *)a->names};
    struct output_file file;
    int status = output_file_open(&file, w->wet, e);
    file.no_clobber = no_clobber;
    if (!status)
        status = audio_write_to(&file, &a->wet, &d, NULL, e) || output_file_commit(&file, e) ? -1 : 0;
    output_file_discard(&file);
    free(description);
    return status;
}

/* A channel resampled to the rate of the device, *frames samples. */
static int bring_to_rate(double **out, size_t *frames, const struct audio *wet, size_t channel, double rate,
                         struct error *e)
{
    return resample(out, frames, wet->samples + channel * wet->frames, wet->frames, wet->rate, rate, e);
}

/* Plays the first two channels, or the only one. */
static int play(const struct auralization *a, const struct auralize_options *o, struct error *e)
{
    enum { BLOCK = 4096, MOST = 2 };
    const struct audio *wet = &a->wet;
    const size_t channels = wet->channels > 1 ? MOST : 1;
    const struct player_settings settings = {
        .device = o->card.device, .outputs = channels, .latency = o->card.latency > 0.0 ? o->card.latency * 1e-3 : 0.1};
    struct player *player;
    bool reopened = false;
    double *signals[MOST] = {NULL};
    float block[MOST * BLOCK];
    size_t frames = 0;
    if (wet->channels > MOST)
        say(o->common.quiet, "note: only the first two of %zu channels are played", wet->channels);
    if (player_open(&player, &settings, e))
        return -1;
    int status = 0;
    for (size_t c = 0; c < channels && !status; c++)
        status = bring_to_rate(&signals[c], &frames, wet, c, player_status(player).rate, e);
    for (size_t first = 0; first < frames && !status; first += BLOCK) {
        const size_t count = frames - first < BLOCK ? frames - first : BLOCK;
        for (size_t i = 0; i < count * channels; i++)
            block[i] = (float)signals[i % channels][first + i / channels];
        status = player_play(player, block, count, e);
        say_reopened(&o->common, player, &reopened, "");
    }
    status = status || player_drain(player, 2.0, e);
    say_reopened(&o->common, player, &reopened, "");
    player_close(player);
    free(signals[0]);
    free(signals[1]);
    return status ? -1 : 0;
}

static void warn_of_level(const struct words *w, const struct auralization *a, double gain, bool asked)
{
    if (gain != 1.0 && !asked)
        say(false, "warning: %s: the peak exceeded full scale, so the whole file was scaled by %.6g (%.2f dB)",
            output_said(w->wet), gain, 20.0 * log10(gain));
    else if (gain == 1.0 && a->peak > 1.0)
        say(false,
            "warning: %s: the peak is %.4g, %.1f dB above full scale, and players may clip it; use --normalise to "
            "scale it",
            output_said(w->wet), a->peak, 20.0 * log10(a->peak));
}

static void say_wet(const struct words *w, const struct auralization *a, double peak, double seconds, bool quiet)
{
    char took[32], level[64] = "silent", valid[64] = "";
    if (peak > 0.0)
        snprintf(level, sizeof level, "peak %.1f dB re full scale", 20.0 * log10(peak));
    if (a->dry_rate != a->wet.rate)
        say(quiet, "note: %s was resampled from %g Hz to the response's %g Hz", w->dry, a->dry_rate, a->wet.rate);
    if (a->valid_to > 0.0)
        snprintf(valid, sizeof valid, ", valid up to %.0f Hz", a->valid_to);
    say(quiet, "%s: %zu channel%s of %.3g s at %.6g Hz, %s, %s%s; in %s", output_said(w->wet), a->wet.channels,
        a->wet.channels == 1 ? "" : "s", (double)a->wet.frames / a->wet.rate, a->wet.rate, format_names[w->format],
        level, valid, say_duration(took, seconds));
}

static void add_path_json(cJSON *json, const struct auralize_options *o, const struct moving_facts *facts)
{
    cJSON *path = cJSON_AddObjectToObject(json, "path");
    cJSON_AddStringToObject(path, "file", o->path);
    cJSON_AddStringToObject(path, "moves", source_moves(o) ? "source" : "listener");
    cJSON_AddNumberToObject(path, "rows", (double)facts->rows);
    cJSON_AddNumberToObject(path, "seconds", facts->seconds);
    cJSON_AddNumberToObject(path, "places", (double)facts->places);
    cJSON_AddNumberToObject(path, "spacing", facts->spacing);
}

static int print_json(const struct words *w, const struct auralize_options *o, const struct auralization *a,
                      const struct moving_facts *facts, double peak, double gain, double seconds, struct error *e)
{
    cJSON *json = cJSON_CreateObject();
    if (w->wet)
        cJSON_AddStringToObject(json, "file", w->wet);
    cJSON_AddItemToObject(json, "responses", cJSON_CreateStringArray(w->responses, (int)w->count));
    cJSON_AddStringToObject(json, "dry", w->dry);
    if (o->path)
        add_path_json(json, o, facts);
    cJSON_AddNumberToObject(json, "dry_rate", a->dry_rate);
    cJSON_AddNumberToObject(json, "dry_channels", (double)a->dry_channels);
    cJSON_AddBoolToObject(json, "mixed_down", a->mixed_down);
    cJSON_AddNumberToObject(json, "dry_frames", (double)a->dry_frames);
    cJSON_AddNumberToObject(json, "response_frames", (double)a->response_frames);
    cJSON_AddNumberToObject(json, "channels", (double)a->wet.channels);
    cJSON_AddNumberToObject(json, "frames", (double)a->wet.frames);
    cJSON_AddNumberToObject(json, "rate", a->wet.rate);
    if (a->valid_to > 0.0)
        cJSON_AddNumberToObject(json, "valid_to", a->valid_to);
    cJSON_AddStringToObject(json, "format", format_names[w->format]);
    cJSON_AddNumberToObject(json, "peak", peak);
    cJSON_AddNumberToObject(json, "gain", gain);
    if (a->names)
        cJSON_AddItemToObject(json, "channel_names",
                              cJSON_CreateStringArray((const char *const *)a->names, (int)a->wet.channels));
    cJSON *warnings = cJSON_AddArrayToObject(json, "warnings");
    for (size_t i = 0; i < a->warning_count; i++)
        cJSON_AddItemToArray(warnings, cJSON_CreateString(a->warnings[i]));
    cJSON_AddNumberToObject(json, "seconds", seconds);
    return json_print(json, e);
}

static int run(void *options, struct error *e)
{
    const struct auralize_options *o = options;
    struct words w = {0};
    struct auralization a = {0};
    struct moving_facts facts = {0};
    const struct moving_settings moving = {o->path, source_moves(o)};
    const double start = clock_seconds();
    int status = read_words(&w, o, e);
    if (!status)
        status = o->path ? moving_auralization_make(&a, &facts, w.responses, w.count, w.dry, &moving, e)
                         : auralization_make(&a, w.responses, w.count, w.dry, e);
    if (status)
        goto done;
    say_lines("warning", a.warnings, a.warning_count);
    if (o->path)
        say_more(&o->common, "%s: %zu row%s; the %s moves among %zu positions, %.3g m apart or closer", o->path,
                 facts.rows, facts.rows == 1 ? "" : "s", source_moves(o) ? "source" : "listener", facts.places,
                 facts.spacing);
    else
        say_more(&o->common, "%s: %zu channel%s of %.3g s; the longest response lasts %.3g s; %zu convolutions", w.dry,
                 a.dry_channels, a.dry_channels == 1 ? "" : "s", (double)a.dry_frames / a.dry_rate,
                 (double)a.response_frames / a.wet.rate, (a.mixed_down ? 1 : a.dry_channels) * a.wet.channels);
    if (a.mixed_down)
        say(o->common.quiet,
            o->path ? "note: %s: its %zu channels were averaged to one"
                    : "note: %s: its %zu channels were averaged to one; add a response per channel to keep them apart",
            w.dry, a.dry_channels);
    const double gain = normalise(&a, &w, o->normalise), peak = a.peak * gain;
    status = w.wet ? write_wet(&a, &w, gain, o->output.no_clobber, e) : 0;
    if (status)
        goto done;
    const double seconds = clock_seconds() - start;
    if (w.wet) {
        warn_of_level(&w, &a, gain, o->normalise);
        say_faint(output_said(w.wet), w.format, peak, "--normalise");
        say_wet(&w, &a, peak, seconds, o->common.quiet);
    }
    if (!w.wet && peak > 1.0)
        say(false, "warning: the peak is %.2g times full scale, and the sound card clips it; use --normalise", peak);
    status = o->play ? play(&a, o, e) : 0;
    if (!status && o->common.json)
        status = print_json(&w, o, &a, &facts, peak, gain, seconds, e);
done:
    auralization_free(&a);
    sound_names_free(&w.names);
    free(w.named_dry);
    return status ? -1 : 0;
}

static const struct option_row format = {"format",    0,
                                         OPTION_TEXT, OPTION_AT(OUTPUT, output_options, format),
                                         "NAME",      "set the sample format: float (default), double, pcm24 or pcm16"};
static const struct option_row normalise_row = {
    "normalise", 0, OPTION_FLAG, OPTION_AT(OWN, auralize_options, normalise), NULL, "scale the peak to full scale"};

static const struct option_row path = {
    "path",
    0,
    OPTION_TEXT,
    OPTION_AT(OWN, auralize_options, path),
    "WALK.csv",
    "move through the receivers along this path: columns time (s), x, y, z (m) and yaw, pitch, roll (degrees)"};

static const struct option_row moves = {
    "moves",           0,
    OPTION_TEXT,       OPTION_AT(OWN, auralize_options, moves),
    "listener|source", "choose the end that moves along the path (default: listener)"};

static const struct option_row play_row = {
    "play", 0, OPTION_FLAG, OPTION_AT(OWN, auralize_options, play), NULL, "play the result"};

static const struct option_row *const options[] = {
    &option_output,       &option_no_clobber, &format,      &normalise_row, &path,           &moves,       &play_row,
    &option_sound_device, &option_latency,    &option_json, &option_quiet,  &option_verbose, &option_help, NULL,
};

const struct command command_auralize = {
    .name = "auralize",
    .synopsis = "RESPONSE.wav [RESPONSE.wav ...] DRY.wav [-o WET.wav] [--play]",
    .meaning = "convolve a dry sound with the responses of a room",
    .details =
        "The output has one channel per channel of the response. A dry sound of several channels needs one response\n"
        "per channel, such as the files of several sources; the results are summed. With a single response, the\n"
        "channels of the dry sound are averaged first. The dry sound is resampled to the rate of the response.\n"
        "With --path the responses are those of one source at many receivers, by aula render with the JSON beside "
        "each;\n"
        "direct sound and first reflections follow the path with their delays, the late part is cross-faded.\n"
        "The word - reads standard input; -o - writes to standard output.\n",
    .options = options,
    .arguments_min = 2,
    .arguments_max = 1025,
    .options_size = sizeof(struct auralize_options),
    .groups = {[GROUP_OUTPUT] = offsetof(struct auralize_options, output),
               [GROUP_CARD] = offsetof(struct auralize_options, card)},
    .run = run,
};
