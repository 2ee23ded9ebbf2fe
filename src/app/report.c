/* SPDX-License-Identifier: MIT */
/* aula report: writes an HTML page about responses. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/cmd.h"
#include "app/outputs.h"
#include "app/say.h"
#include "app/shipped.h"
#include "app/target.h"
#include "base/file.h"
#include "present/page/report_page.h"

struct report_options {
    struct common_options common;
    struct output_options output;
    struct target_options target;
    struct cover_options cover;
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
    if (o->cover.logo && same_file(o->output.path, o->cover.logo))
        return fail(e, ERROR_USAGE, "-o %s: is also an input; choose another name", o->output.path);
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

/* Prints the notes about a response when it has been read. */
static void say_heard(void *context, const struct subject *s)
{
    const struct common_options *common = context;
    say_recording_note(common, s->path, &s->recording);
    if (s->warning)
        say(false, "warning: %s: %s", s->path, s->warning);
    say_recording(common, s->path, &s->recording);
}

static int run(void *options, struct error *e)
{
    struct report_options *o = options;
    struct remarks remarks = {.warnings = NULL};
    char *text = NULL, *dry = NULL;
    int status = check_output(o, e) || check_listen(o, e) || (o->dry && shipped_sound(&dry, o->dry, e));
    struct report_request request = {.responses = o->common.arguments,
                                     .count = o->common.argument_count,
                                     .wets = o->common.settings,
                                     .wet_count = o->common.setting_count,
                                     .film = o->film_file,
                                     .map = o->map_file,
                                     .dry = dry,
                                     .match_level = o->match_level,
                                     .cover = o->cover,
                                     .heard = say_heard,
                                     .context = &o->common};
    request.cover.targets = o->common.names;
    request.cover.target_count = o->common.name_count;
    request.cover.target_file = o->target.file;
    request.cover.volume = o->target.volume;
    status = status || report_page_make(&text, &remarks, &request, e);
    say_lines("warning", remarks.warnings, remarks.warning_count);
    for (size_t i = 0; i < remarks.note_count; i++)
        say(o->common.quiet, "%s", remarks.notes[i]);
    status = status || write_page(text, o, e);
    if (!status)
        say(o->common.quiet, "%s: %zu response%s, %.2f MB", o->output.path, request.count,
            request.count == 1 ? "" : "s", (double)strlen(text) / 1e6);
    remarks_free(&remarks);
    free(dry);
    free(text);
    return status ? -1 : 0;
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
#define COVER(member) OPTION_TEXT, OPTION_AT(OWN, report_options, cover.member)
static const struct option_row title = {"title", 0, COVER(title), "TEXT", "set the title of the first page"};
static const struct option_row client = {"client", 0, COVER(client), "TEXT", "name the client on the first page"};
static const struct option_row author = {"author", 0, COVER(author), "TEXT", "name the author on the first page"};
static const struct option_row logo = {"logo", 0, COVER(logo), "FILE",
                                       "put this PNG, JPEG or SVG picture on the first page, 1 MiB at most"};
static const struct option_row note = {"note", 0, COVER(note), "TEXT",
                                       "add this text to the first page, a paragraph for each line"};
static const struct option_row target = {"target",    0,
                                         OPTION_NAME, OPTION_AT(COMMON, common_options, names),
                                         "NAME",      "judge by this target on the first page (may be repeated)"};
static const struct option_row locale = {"locale", 0, COVER(locale), "LANGUAGE",
                                         "write the numbers of the page as in this language, such as de [en]"};
static const struct option_row *const options[] = {&title,
                                                   &client,
                                                   &author,
                                                   &logo,
                                                   &note,
                                                   &target,
                                                   &option_targets,
                                                   &option_volume,
                                                   &locale,
                                                   &listen,
                                                   &match_level,
                                                   &option_output,
                                                   &option_no_clobber,
                                                   &wet,
                                                   &film,
                                                   &map,
                                                   &option_quiet,
                                                   &option_verbose,
                                                   &option_help,
                                                   NULL};

const struct command command_report = {
    .name = "report",
    .synopsis =
        "RESPONSE.wav [RESPONSE.wav ...] [--wet WET.wav ...] [--listen DRY.wav] [--film FILM.webm] [--map "
        "MAP.png] [--title TEXT] [--client TEXT] [--author TEXT] [--logo FILE] [--note TEXT] [--target NAME ...] -o "
        "REPORT.html",
    .meaning = "write an HTML page with plots, parameters and sounds of impulse responses",
    .details =
        "The page works offline; without JavaScript, rooms appear as still pictures. The room and its settings are\n"
        "read from the JSON that aula render writes beside a response. --wet adds files of aula auralize; --film\n"
        "and --map add files of aula film and aula map. Several files are compared in just noticeable differences\n"
        "(see aula compare), and a player switches between their sounds without a gap.\n"
        "--title, --client, --author, --logo, --note and --target add a first page with verdicts in words, and a\n"
        "section on methods and limits. Print the page from a browser for a PDF.\n",
    .options = options,
    .arguments_min = 1,
    .arguments_max = 256,
    .options_size = sizeof(struct report_options),
    .groups = {[GROUP_OUTPUT] = offsetof(struct report_options, output),
               [GROUP_TARGET] = offsetof(struct report_options, target)},
    .run = run,
};
