/* SPDX-License-Identifier: MIT */
/* aula report: writes an HTML page about responses. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/cmd.h"
#include "app/outputs.h"
#include "app/report_sounds.h"
#include "app/say.h"
#include "app/shipped.h"
#include "base/file.h"
#include "present/report/report.h"

struct report_options {
    struct common_options common;
    struct output_options output;
    const char *film_file, *map_file, *dry;
    bool match_level;
};

/* Checks before any work that the page can be written and is no input. */
static int check_output(const struct report_options *o, struct error *e)
{
    if (!o->output.path)
        return fail(e, ERROR_USAGE, "no output; add -o: aula report %s -o report.html", o->common.arguments[0]);
    for (size_t i = 0; i < o->common.argument_count + o->common.setting_count; i++) {
        const char *input =
            i < o->common.argument_count ? o->common.arguments[i] : o->common.settings[i - o->common.argument_count];
        char *beside = path_with_suffix(input, ".json");
        if (!beside)
            return fail(e, ERROR_MEMORY, "out of memory");
        const bool same = same_file(o->output.path, input) || same_file(o->output.path, beside);
        free(beside);
        if (same)
            return fail(e, ERROR_USAGE, "-o %s: is also an input; choose another name", o->output.path);
    }
    const char *suffix = strrchr(o->output.path, '.');
    if (!suffix || (strcasecmp(suffix, ".html") && strcasecmp(suffix, ".htm")))
        return fail(e, ERROR_USAGE, "-o %s: reports are written as HTML; use a name that ends in .html",
                    o->output.path);
    return outputs_check(&o->output.path, 1, o->output.no_clobber, e);
}

static int check_listen(const struct report_options *o, struct error *e)
{
    if (o->match_level && !o->dry)
        return fail(e, ERROR_USAGE, "--match-level: is an option of --listen DRY.wav; add it");
    if (o->dry && o->common.argument_count < 2)
        return fail(e, ERROR_USAGE, "--listen compares rooms by ear; give at least two responses");
    for (size_t i = 0; o->dry && i < o->common.argument_count; i++)
        if (!strcmp(o->common.arguments[i], STANDARD_STREAM))
            return fail(e, ERROR_USAGE,
                        "--listen reads each response twice, which standard input does not allow; use a file");
    return 0;
}

enum { PICTURES = 2 };

/* Reads the film and the map, if any. */
static int read_pictures(struct page_picture pictures[PICTURES], size_t *count, const struct report_options *o,
                         struct error *e)
{
    const struct {
        const char *option, *path, *caption;
    } named[PICTURES] = {{"--film", o->film_file, "Film of the sound"},
                         {"--map", o->map_file, "Map of acoustic parameters"}};
    *count = 0;
    for (size_t i = 0; i < PICTURES; i++)
        if (named[i].path &&
            page_picture_read(&pictures[(*count)++], named[i].option, named[i].path, named[i].caption, e))
            return -1;
    return 0;
}

static int write_page(const char *text, const struct report_options *o, struct error *e)
{
    struct output_file page;
    if (output_file_open(&page, o->output.path, e))
        return -1;
    page.no_clobber = o->output.no_clobber;
    if (!output_file_put(&page, text, e))
        return output_file_commit(&page, e);
    output_file_discard(&page);
    return -1;
}

static int run(void *options, struct error *e)
{
    const struct report_options *o = options;
    struct subject *subjects = calloc(o->common.argument_count, sizeof *subjects);
    struct wet *wets = calloc(o->common.setting_count + 1, sizeof *wets);
    struct page_picture pictures[PICTURES] = {0};
    struct report_sounds sounds = {0};
    size_t picture_count = 0;
    char *text = NULL;
    int status = subjects && wets ? check_output(o, e) || check_listen(o, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        status = read_pictures(pictures, &picture_count, o, e);
    for (size_t i = 0; !status && i < o->common.argument_count; i++) {
        status = subject_read(&subjects[i], o->common.arguments[i], e);
        if (!status)
            say_recording_note(&o->common, o->common.arguments[i], &subjects[i].recording);
        if (!status && subjects[i].warning)
            say(false, "warning: %s: %s", o->common.arguments[i], subjects[i].warning);
        if (!status)
            say_recording(&o->common, o->common.arguments[i], &subjects[i].recording);
    }
    for (size_t i = 0; !status && i < o->common.setting_count; i++)
        status = wet_read(&wets[i], o->common.settings[i], e);
    const struct report_sounds_request request = {
        subjects, o->common.argument_count, wets, o->common.setting_count, o->dry, o->match_level, o->common.quiet};
    if (!status)
        status = report_sounds_make(&sounds, &request, e);
    if (!status)
        status = report_text(&text, subjects, o->common.argument_count, wets, o->common.setting_count, pictures,
                             picture_count, &sounds.list, e);
    if (!status)
        status = write_page(text, o, e);
    if (!status)
        say(o->common.quiet, "%s: %zu response%s, %.2f MB", o->output.path, o->common.argument_count,
            o->common.argument_count == 1 ? "" : "s", (double)strlen(text) / 1e6);
    free(text);
    report_sounds_free(&sounds);
    for (size_t i = 0; i < PICTURES; i++)
        page_picture_free(&pictures[i]);
    for (size_t i = 0; subjects && i < o->common.argument_count; i++)
        subject_free(&subjects[i]);
    for (size_t i = 0; wets && i < o->common.setting_count; i++)
        wet_free(&wets[i]);
    free(subjects);
    free(wets);
    return status;
}

/* May be repeated, so its texts are stored in `settings`, like those of --set in other commands. */
static const struct option_row wet = {"wet",          0,
                                      OPTION_SETTING, OPTION_AT(COMMON, common_options, settings),
                                      "WET.wav",      "add a player for this sound (may be repeated)"};
static const struct option_row film = {"film",      0,
                                       OPTION_TEXT, OPTION_AT(OWN, report_options, film_file),
                                       "FILM.webm", "add this film: WebM, GIF, or the PNG of aula film --frames"};
static const struct option_row map = {
    "map", 0, OPTION_TEXT, OPTION_AT(OWN, report_options, map_file), "MAP.png", "add this map"};
static const struct option_row listen = {
    "listen",    0,
    OPTION_TEXT, OPTION_AT(OWN, report_options, dry),
    "DRY.wav",   "compare the rooms by ear with this dry sound (default: the --wet files, or the responses)"};
static const struct option_row match_level = {
    "match-level", 0,
    OPTION_FLAG,   OPTION_AT(OWN, report_options, match_level),
    NULL,          "make the rooms of --listen equally loud; default: one gain for all"};
static const struct option_row *const options[] = {
    &listen, &match_level,  &option_output,  &option_no_clobber, &wet, &film,
    &map,    &option_quiet, &option_verbose, &option_help,       NULL};

const struct command command_report = {
    .name = "report",
    .synopsis = "RESPONSE.wav [RESPONSE.wav ...] [--wet WET.wav ...] [--listen DRY.wav] [--film FILM.webm] [--map "
                "MAP.png] -o REPORT.html",
    .meaning = "write an HTML page with plots, parameters and sounds of impulse responses",
    .details =
        "The page works offline; without JavaScript, rooms appear as still pictures. The room and its settings are\n"
        "read from the JSON that aula render writes beside a response. --wet adds files of aula auralize; --film\n"
        "and --map add files of aula film and aula map. Several files are compared in just noticeable differences\n"
        "(see aula compare), and a player switches between their sounds without a gap.\n",
    .options = options,
    .arguments_min = 1,
    .arguments_max = 256,
    .options_size = sizeof(struct report_options),
    .groups = {[GROUP_OUTPUT] = offsetof(struct report_options, output)},
    .run = run,
};
