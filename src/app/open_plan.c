/* SPDX-License-Identifier: MIT */
/* aula open-plan: spatial decay of speech, comfort and distraction distance of open-plan offices. */
#include "app/open_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "app/outputs.h"
#include "app/say.h"
#include "base/file.h"
#include "base/stop.h"
#include "base/text.h"
#include "dsp/measure/recording.h"
#include "dsp/measure/target.h"

struct open_plan_options {
    struct common_options common;
    struct output_options output;
    const char *noise, *distances;
    bool csv;
};

enum { PLACES_MAX = 4096 };

/* Levels or distances separated by commas, from `low` to `high`. Returns their number, or -1. */
static int parse_numbers(double *values, int most, double low, double high, const char *text)
{
    char *copy = text_copy(text), *rest = copy;
    int count = copy ? 0 : -1;
    while (count >= 0 && rest) {
        double value;
        if (count == most || text_number(strsep(&rest, ","), &value) || !(value >= low && value <= high))
            count = -1;
        else
            values[count++] = value;
    }
    free(copy);
    return count;
}

static int take_noise(struct open_plan_result *r, const char *text, struct error *e)
{
    double levels[SPEECH_BANDS + 1];
    for (int k = 0; k < SPEECH_BANDS; k++)
        r->noise[k] = -INFINITY;
    r->noise_63 = NAN;
    r->background = -INFINITY;
    if (!text)
        return 0;
    const int count = parse_numbers(levels, SPEECH_BANDS + 1, -100.0, 200.0, text), first = count - SPEECH_BANDS;
    if (first != 0 && first != 1)
        return fail(e, ERROR_USAGE,
                    "--noise %s: expected seven levels in dB for the octaves 125 Hz to 8 kHz, or eight from 63 Hz on, "
                    "separated by commas, such as 40,38,35,32,30,28,25",
                    text);
    if (first)
        r->noise_63 = levels[0];
    memcpy(r->noise, levels + first, sizeof r->noise);
    r->background = weighted_level(r->noise, r->noise_63);
    return 0;
}

static int grow(struct open_plan_result *r, size_t more, struct error *e)
{
    struct desk *desks = realloc(r->desks, (r->count + more) * sizeof *desks);
    if (desks)
        r->desks = desks;
    struct open_plan_place *places = realloc(r->places, (r->count + more) * sizeof *places);
    if (places)
        r->places = places;
    return desks && places ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

static int warn(struct open_plan_result *r, struct error *e, const char *path, const char *what)
{
    return lines_add(&r->warnings, &r->warning_count, e, "%s: %s", path, what);
}

/* Both stand on a desk where people sit: 1.2 m (ISO 3382-3:2022, 5.2). */
static int check_heights(struct open_plan_result *r, const struct recording *recording, const char *path,
                         struct error *e)
{
    static const double height = 1.2, off = 0.05; /* m */
    bool away = !isnan(recording->source_height) && !(fabs(recording->source_height - height) <= off);
    for (size_t c = 0; c < recording->audio.channels; c++)
        away = away || (!isnan(recording->height[c]) && !(fabs(recording->height[c] - height) <= off));
    if (away && warn(r, e, path, "the source or a receiver is not at a height of 1.2 m, as the standard asks"))
        return -1;
    return recording->source_directed
               ? warn(r, e, path, "the source is directional; the standard asks for an omnidirectional one")
               : 0;
}

static int listen(struct open_plan_result *r, const struct recording *recording, const struct metrics *channels,
                  const char *path, struct error *e)
{
    if (grow(r, recording->audio.channels, e))
        return -1;
    for (size_t c = 0; c < recording->audio.channels; c++) {
        struct open_plan_place *place = &r->places[r->count];
        const char *name = recording->channel_name[c];
        char *receiver = name ? text_copy(name) : NULL;
        if (name && !receiver)
            return fail(e, ERROR_MEMORY, "out of memory");
        char *source = recording->source ? text_copy(recording->source) : NULL;
        r->desks[r->count] = (struct desk){path, c, receiver, source};
        place->distance = recording->distance[c];
        open_plan_listen(place, &channels[c], r->noise);
        r->count++;
    }
    return check_heights(r, recording, path, e);
}

static int read_file(struct open_plan_result *r, const struct common_options *o, const char *path, struct error *e)
{
    struct recording recording;
    if (recording_read(&recording, path, e))
        return -1;
    const struct metrics_settings settings = recording_settings(&recording);
    struct metrics *channels = calloc(recording.audio.channels, sizeof *channels);
    int status = channels ? 0 : fail(e, ERROR_MEMORY, "%s: out of memory", path);
    if (!status && !recording.calibrated)
        status = fail(e, ERROR_INPUT,
                      "%s: the level of the response is not calibrated, so speech has no level; use a "
                      "response of one source by aula render, with its JSON beside it",
                      path);
    status = status || recording_measure(channels, &recording, &settings, path, e) ||
             listen(r, &recording, channels, path, e);
    if (!status)
        say_recording_note(o, path, &recording);
    free(channels);
    recording_free(&recording);
    return status ? -1 : 0;
}

static int take_distances(struct open_plan_result *r, const char *text, struct error *e)
{
    if (text) {
        double *values = calloc(PLACES_MAX, sizeof *values);
        const int count = values ? parse_numbers(values, PLACES_MAX, 1e-3, 1e4, text) : -1;
        for (size_t i = 0; i < r->count && count == (int)r->count; i++)
            r->places[i].distance = values[i];
        free(values);
        if (count != (int)r->count)
            return fail(e, ERROR_USAGE, "--distances %s: expected a distance in m for each of the %zu channels", text,
                        r->count);
    }
    for (size_t i = 0; i < r->count; i++)
        if (!(r->places[i].distance > 0.0))
            return fail(e, ERROR_INPUT,
                        "%s: the distance of channel %zu from the source is not known; add --distances with a "
                        "distance in m for each channel",
                        r->desks[i].path, r->desks[i].channel + 1);
    return 0;
}

static bool same_name(const char *a, const char *b)
{
    return a && b && !strcmp(a, b);
}

/* One line has one source, and each place counts once. */
static int check_line(const struct open_plan_result *r, struct error *e)
{
    for (size_t i = 1; i < r->count; i++)
        for (size_t k = 0; k < i; k++) {
            const struct desk *a = &r->desks[k], *b = &r->desks[i];
            const bool file = a->channel == b->channel && same_file(a->path, b->path);
            if (a->source && b->source && !same_name(a->source, b->source))
                return fail(e, ERROR_INPUT,
                            "%s: is the response to %s, but %s that to %s; give the places of one source", b->path,
                            b->source, a->path, a->source);
            if (file || (same_name(a->receiver, b->receiver) && r->places[k].distance == r->places[i].distance))
                return fail(e, ERROR_INPUT,
                            "%s, channel %zu: is the same place as %s, channel %zu (%s at %.4g m); remove one of them",
                            b->path, b->channel + 1, a->path, a->channel + 1, b->receiver ? b->receiver : "receiver",
                            r->places[i].distance);
        }
    return 0;
}

/* By distance; equal ones stay in the order of the command. */
static void sort(struct open_plan_result *r)
{
    for (size_t i = 1; i < r->count; i++) {
        const struct desk desk = r->desks[i];
        const struct open_plan_place place = r->places[i];
        size_t at = i;
        for (; at && r->places[at - 1].distance > place.distance; at--) {
            r->places[at] = r->places[at - 1];
            r->desks[at] = r->desks[at - 1];
        }
        r->places[at] = place;
        r->desks[at] = desk;
    }
}

static int add_doubts(struct open_plan_result *r, const char *path, struct error *e)
{
    if (open_plan_doubts(&r->warnings, &r->warning_count, &r->values, r->count, path, e))
        return -1;
    return isfinite(r->background)
               ? 0
               : warn(r, e, path, "no background noise is given, so the STI is that of a silent office; add --noise");
}

static void result_free(struct open_plan_result *r)
{
    for (size_t i = 0; i < r->count; i++) {
        free(r->desks[i].receiver);
        free(r->desks[i].source);
    }
    free(r->desks);
    free(r->places);
    lines_free(r->warnings, r->warning_count);
}

static int check_plot(const struct open_plan_options *o, struct error *e)
{
    if (plot_check_name(o->output.plot, e))
        return -1;
    for (size_t i = 0; i < o->common.argument_count; i++)
        if (same_file(o->output.plot, o->common.arguments[i]))
            return fail(e, ERROR_USAGE, "%s: is an input; choose another name", o->output.plot);
    return outputs_check(&o->output.plot, 1, false, e);
}

static int run(void *options, struct error *e)
{
    const struct open_plan_options *o = options;
    struct open_plan_result r = {.count = 0};
    if (o->common.json && o->csv)
        return fail(e, ERROR_USAGE, "--json and --csv exclude each other; remove one of them");
    if (take_noise(&r, o->noise, e) || (o->output.plot && check_plot(o, e)))
        return -1;
    int status = standard_input_once(o->common.arguments, o->common.argument_count, e);
    for (size_t i = 0; !status && i < o->common.argument_count; i++)
        status = read_file(&r, &o->common, o->common.arguments[i], e);
    status = status || take_distances(&r, o->distances, e) || check_line(&r, e) ? -1 : 0;
    if (!status) {
        sort(&r);
        status = open_plan_evaluate(&r.values, r.places, r.count, e) || add_doubts(&r, o->common.arguments[0], e);
    }
    if (!status && stop_requested())
        status = fail(e, ERROR_STOPPED, "stopped; nothing was printed");
    if (!status) {
        say_lines("warning", r.warnings, r.warning_count);
        status = o->common.json ? open_plan_print_json(&r, e) : o->csv ? open_plan_print_csv(&r) : open_plan_print(&r);
    }
    if (!status && o->output.plot)
        status = open_plan_draw(&r, o->output.plot, e);
    result_free(&r);
    return status ? -1 : 0;
}

static const struct option_row noise = {
    "noise",     0,
    OPTION_TEXT, OPTION_AT(OWN, open_plan_options, noise),
    "DB,..",     "set the background noise: seven octaves, 125 Hz to 8 kHz, or eight from 63 Hz on"};
static const struct option_row distances = {
    "distances", 0,
    OPTION_TEXT, OPTION_AT(OWN, open_plan_options, distances),
    "M,..",      "set the distance of each channel from the source, in m (default: from the JSON)"};
static const struct option_row csv = {"csv",       0,
                                      OPTION_FLAG, OPTION_AT(OWN, open_plan_options, csv),
                                      NULL,        "print the places as CSV on standard output, one row per place"};
static const struct option_row *const options[] = {&noise,        &distances,      &option_plot, &option_json, &csv,
                                                   &option_quiet, &option_verbose, &option_help, NULL};

const struct command command_open_plan = {
    .name = "open-plan",
    .synopsis = "LINE.wav ... --noise DB,.. [--plot DECAY.svg] [--json | --csv]",
    .meaning = "compute spatial decay of speech, comfort and distraction distance of open-plan offices (ISO 3382-3)",
    .details = "Each channel is a place on a line from one source. Levels and distances come from the JSON that\n"
               "aula render writes beside a file. r_P is a parameter of the edition of 2012.\n"
               "The word - reads standard input.\n",
    .options = options,
    .arguments_min = 1,
    .arguments_max = 256,
    .options_size = sizeof(struct open_plan_options),
    .groups = {[GROUP_OUTPUT] = offsetof(struct open_plan_options, output)},
    .run = run,
};
