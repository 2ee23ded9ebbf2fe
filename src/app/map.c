/* SPDX-License-Identifier: MIT */
/* aula map: draws acoustic parameters over a plane of a room. */
#include "present/film/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/cmd.h"
#include "app/picture.h"
#include "app/processes.h"
#include "app/progress.h"
#include "app/say.h"
#include "app/shipped.h"
#include "app/source.h"
#include "base/file.h"
#include "base/text.h"
#include "present/film/plane.h"

struct map_options {
    struct common_options common;
    struct solver_options choice;
    struct output_options output;
    const char *source, *plane, *size;
    const char *figures, *csv_file;
    double band;    /* Hz */
    double spacing; /* m */
};

static bool ends_in(const char *path, const char *suffix)
{
    const char *at = strrchr(path, '.');
    return at && !strcasecmp(at, suffix);
}

static int parse_options(struct map_wish *w, size_t size[2], const struct map_options *o, struct error *e)
{
    *w = (struct map_wish){.axis = 2, .at = NAN, .spacing = o->spacing, .band = o->band};
    size[0] = size[1] = 0;
    if ((o->plane && plane_parse(&w->axis, &w->at, o->plane, e)) || (o->size && picture_size_parse(size, o->size, e)))
        return -1;
    if (map_wish_figures(w, o->figures, e))
        return -1;
    if (o->output.path && !ends_in(o->output.path, ".png"))
        return fail(e, ERROR_USAGE, "-o %s: a map is written as PNG; use a name that ends in .png", o->output.path);
    if (o->csv_file && !ends_in(o->csv_file, ".csv"))
        return fail(e, ERROR_USAGE, "--csv %s: is not a CSV name; use one that ends in .csv", o->csv_file);
    return 0;
}

static int name_output(char **path, const struct room *room, const struct map_options *o, struct error *e)
{
    char *stem = path_stem(room->path);
    *path = !stem ? NULL : o->output.path ? text_copy(o->output.path) : text_format("%s_map.png", stem);
    free(stem);
    if (!*path)
        return fail(e, ERROR_MEMORY, "out of memory");
    const char *const paths[2] = {*path, o->csv_file};
    return picture_names_check(room, paths, o->csv_file ? 2 : 1, o->output.no_clobber, e);
}

static int choose_source(struct map_wish *w, const struct room *room, const struct map_options *o, struct error *e)
{
    if (!room->source_count)
        return fail(e, ERROR_INPUT, "%s: the room has no source; add `sources`", room->path);
    return o->source ? find_source(room, o->source, &w->source, e) : 0;
}

/* Where and why values of the picture are doubtful. */
static void say_doubts(const struct map *map, bool quiet)
{
    struct growing_text counts = {0};
    unsigned all = 0;
    for (size_t i = 0; i < map->wish.figure_count; i++) {
        unsigned found;
        const size_t count = map_doubtful(map, i, &found);
        if (count)
            growing_text_add(&counts, "%s%s at %zu", all ? ", " : "", map->wish.metric[i]->symbol, count);
        all |= found;
    }
    char *text = growing_text_take(&counts, NULL);
    if (all && text)
        say(quiet, "note: doubtful: %s of %zu receivers", text, map->place_count);
    free(text);
    for (unsigned doubt = 1; doubt < DOUBTS_END; doubt <<= 1) {
        text = all & doubt ? doubt_text(&map->doubts, (enum doubt)doubt) : NULL;
        if (text)
            say(quiet, "note: %s", text);
        free(text);
    }
}

static int map_room(const struct room *room, const char *path, const struct map_wish *w, const size_t size[2],
                    const struct map_options *o, struct error *e)
{
    struct map map = {0};
    const struct map_files files = {
        .picture = path, .columns = size[0], .rows = size[1], .csv = o->csv_file, .no_clobber = o->output.no_clobber};
    struct progress progress;
    const struct watch watch = {.look = progress_look, .context = &progress};
    progress_start(&progress, path, o->common.quiet);
    int status = map_make(&map, w, room, &o->choice, &watch, e);
    progress_end(&progress);
    if (!status)
        status = map_write(&map, room, &files, e);
    if (!status && map.note)
        say(o->common.quiet, "note: the octave of %.0f Hz has %s", map.wish.band, map.note);
    if (!status)
        say_doubts(&map, o->common.quiet);
    if (!status)
        say(o->common.quiet,
            "%s: %zu receivers at %c = %.4g m, %.3g x %.3g m apart, in one run of %.3g s; octave of %.0f Hz drawn",
            path, map.place_count, 'x' + map.wish.axis, map.wish.at, map.step[0], map.step[1], map.seconds,
            map.wish.band);
    map_free(&map);
    return status;
}

static int map_all(void *options, struct error *e)
{
    const struct map_options *o = options;
    struct map_wish wish;
    struct room *room = NULL;
    char *path = NULL;
    size_t size[2];
    if (parse_options(&wish, size, o, e))
        return -1;
    setup_watch_start(o->common.arguments[0], o->common.quiet);
    const int status = read_named_room(&room, &o->common, NULL, e) || choose_source(&wish, room, o, e) ||
                       name_output(&path, room, o, e) || setup_start_engine(&o->choice) ||
                       map_room(room, path, &wish, size, o, e);
    setup_watch_stop();
    say_phases(&o->common);
    room_free(room);
    free(path);
    return status ? -1 : 0;
}

static int run(void *options, struct error *e)
{
    struct map_options *o = options;
    return processes_run(o, &o->choice, map_all, e);
}

#define ROW(name, kind, member, argument, meaning)                                                                     \
    {                                                                                                                  \
        name, 0, kind, OPTION_AT(OWN, map_options, member), argument, meaning                                          \
    }
static const struct option_row plane =
    ROW("plane", OPTION_TEXT, plane, "AXIS=M", "place the receivers on this plane (default: z=1.2, above the floor)");
static const struct option_row spacing =
    ROW("spacing", OPTION_NUMBER, spacing, "M",
        "set the distance between receivers in m (default: a round value for 90 to 560 receivers)");
static const struct option_row figures =
    ROW("parameters", OPTION_TEXT, figures, "LIST",
        "choose the parameters, such as t30,c80,g (default: those of t30,c80,g,sti that can be computed)");
static const struct option_row band =
    ROW("band", OPTION_NUMBER, band, "HZ", "draw this octave, in Hz (default: 1000, or the highest valid one)");
static const struct option_row csv = ROW("csv", OPTION_TEXT, csv_file, "FILE.csv",
                                         "also write all parameters of all octaves, one row per receiver and octave");
static const struct option_row size =
    ROW("size", OPTION_TEXT, size, "WxH", "set the size in pixels (default: 960 wide)");
static const struct option_row source =
    ROW("source", OPTION_TEXT, source, "NAME", "choose the source (default: the first)");

static const struct option_row *const options[] = {
    &option_output,
    &option_set,
    &plane,
    &spacing,
    &figures,
    &band,
    &csv,
    &size,
    &source,
    &option_engine,
    &option_kernel,
    &option_threads,
    &option_parts,
    &option_device,
    &option_devices,
    &option_through_host,
    &option_no_tune,
    &option_no_clobber,
    &option_quiet,
    &option_verbose,
    &option_help,
    NULL,
};

const struct command command_map = {
    .name = "map",
    .synopsis = "ROOM.cfg [-o MAP.png] [--csv MAP.csv] [--plane z=1.2] [--set KEY=VALUE ...]",
    .meaning = "draw a map of T30, C80, G and other parameters over a plane of a room",
    .details = "One run computes all receivers of the plane, in hardly more time than a single one. The receivers of "
               "the room\n"
               "file are ignored. The picture states the valid band.\n",
    .options = options,
    .arguments_min = 1,
    .arguments_max = 1,
    .options_size = sizeof(struct map_options),
    .groups =
        {[GROUP_CHOICE] = offsetof(struct map_options, choice), [GROUP_OUTPUT] = offsetof(struct map_options, output)},
    .many_processes = true,
    .run = run,
};
