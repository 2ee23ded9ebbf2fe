/* SPDX-License-Identifier: MIT */
/* aula place: finds places, delays and gains for subwoofers. */
#include "present/place/files.h"

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
#include "base/acoustics/conventions.h"
#include "base/file.h"
#include "base/text.h"
#include "io/json_build.h"
#include "render/place/place.h"

struct place_options {
    struct common_options common;
    struct solver_options choice;
    struct output_options output;
    const char *seats, *candidates, *subs, *pair, *band, *csv_file, *filters, *filters_format;
    double clearance, delay, gain, boost, max_frequency;
    bool equal, walls;
};

enum { LISTED = 10, WALLS_LISTED = 8 };
static const double WALL_LEAST = 0.25; /* m2, of a listed area */

static const struct place_options defaults = {
    .clearance = PLACE_CLEARANCE, .delay = PLACE_DELAY, .gain = PLACE_GAIN, .boost = PLACE_BOOST};

static bool ends_in(const char *path, const char *suffix)
{
    const char *at = strrchr(path, '.');
    return at && !strcasecmp(at, suffix);
}

static int parse_band(struct place_wish *w, const char *text, struct error *e)
{
    char low[32], high[32], given[QUOTED];
    w->low = PLACE_LOW;
    w->high = PLACE_HIGH;
    if (!text ||
        (sscanf(text, "%31[^,],%31s", low, high) == 2 && !text_number(low, &w->low) && !text_number(high, &w->high)))
        return 0;
    return fail(e, ERROR_USAGE, "--band %s: expected two rising frequencies in Hz, such as 20,150",
                quoted(given, text));
}

/* A pair is two sources with the same signal. */
static int parse_pair(struct place_wish *w, const struct place_options *o, struct error *e)
{
    char given[QUOTED];
    w->facing = -1;
    if (!o->pair)
        return 0;
    if (o->subs)
        return fail(e, ERROR_USAGE, "--pair places two loudspeakers and --subs subs; use one of them");
    for (int i = 0; i < PLACE_FACINGS; i++)
        if (!strcasecmp(o->pair, place_facings[i]))
            w->facing = i;
    if (w->facing < 0)
        return fail(e, ERROR_USAGE, "--pair %s: expected the direction that the listener faces: x, -x, y or -y",
                    quoted(given, o->pair));
    return 0;
}

static int parse_settings(struct place_wish *w, const struct place_options *o, struct error *e)
{
    char given[QUOTED];
    struct place_limits limits = {.subs = 1.0, .delay = o->delay, .gain = o->gain, .equal = o->equal};
    if (o->subs && text_number(o->subs, &limits.subs))
        return fail(e, ERROR_USAGE, "--subs %s: expected 1 to %d subs; place more in turn, with the first ones as one",
                    quoted(given, o->subs), PLACE_SUBS_MAX);
    return place_wish_set(w, &limits, e);
}

static int parse_files(struct place_files *f, const struct place_options *o, struct error *e)
{
    char given[QUOTED];
    *f = (struct place_files){.picture = o->output.path,
                              .csv = o->csv_file,
                              .equaliser = o->filters,
                              .format = EQUALISER_APO,
                              .no_clobber = o->output.no_clobber};
    if (f->picture && !ends_in(f->picture, ".svg"))
        return fail(e, ERROR_USAGE, "-o %s: the picture is written as SVG; use a name that ends in .svg", f->picture);
    if (f->csv && !ends_in(f->csv, ".csv"))
        return fail(e, ERROR_USAGE, "--csv %s: is not a CSV name; use one that ends in .csv", f->csv);
    if (o->filters_format && !strcasecmp(o->filters_format, "rew"))
        f->format = EQUALISER_REW;
    else if (o->filters_format && strcasecmp(o->filters_format, "apo") != 0)
        return fail(e, ERROR_USAGE, "--eq-format %s: unknown format; use apo or rew", quoted(given, o->filters_format));
    return 0;
}

static int check_names(const struct room *room, const struct place_files *f, struct error *e)
{
    const char *const all[3] = {f->picture, f->csv, f->equaliser};
    const char *paths[3];
    size_t count = 0;
    for (int i = 0; i < 3; i++)
        if (all[i])
            paths[count++] = all[i];
    return picture_names_check(room, paths, count, f->no_clobber, e);
}

static void print_set(const struct place *place, size_t rank)
{
    const struct place_set *set = &place->found.sets[rank];
    printf("%4zu  %6.2f  %6.2f  %7.2f", rank + 1, set->score.spread, set->score.seats, set->score.output);
    for (size_t k = 0; k < set->count; k++) {
        printf("%s%s", k ? "; " : "  ", place->candidates.name[set->candidate[k]]);
        if (place_delay(place, set, k) > 0.0)
            printf(" %.1f ms", place_delay(place, set, k));
        if (set->setting[k].cut)
            printf(" %.1f dB", place_gain(place, set, k));
        if (set->setting[k].inverted)
            printf(" inverted");
    }
    if (place->wish.facing >= 0)
        printf("; listener %s", place->listeners.name[set->seat]);
    putchar('\n');
}

static void print_sets(const struct place *place)
{
    size_t left = LISTED;
    puts("rank  spread   seats   output  subs: position in m, delay, gain, polarity");
    puts("          dB      dB       dB");
    for (size_t i = 0; i < place->found.count && left; i++)
        if (place->found.pareto[i]) {
            print_set(place, i);
            left--;
        }
}

static void print_filters(const struct place *place)
{
    const struct equaliser *q = &place->equaliser;
    printf("\nequaliser for the first, preamp %.1f dB:\n", q->preamp);
    for (size_t i = 0; i < q->count; i++)
        printf("  %7.2f Hz  %6.1f dB  Q %6.3f\n", q->filter[i].frequency, q->filter[i].gain, q->filter[i].q);
    if (!q->count)
        puts("  none: no filter would help");
}

static void print_walls(const struct place *place, const struct room *room)
{
    size_t left = WALLS_LISTED;
    printf("\nchange of the spread by 1 m2 of absorber with a specific admittance of %g, dB;\n", WALL_AREA_RISE);
    puts("band in which 1 m2 of the area takes most energy, over the mean of the walls:");
    for (size_t i = 0; i < place->walls.count && left; i++) {
        const struct wall_area *area = &place->walls.area[i];
        if (area->area < WALL_LEAST)
            continue;
        printf("  %+7.3f  %6.1f Hz %5.1f  %s, %s, around (%.2f, %.2f, %.2f) m\n", area->change,
               place->bands.centre[area->band], area->density, face_names[area->wall],
               room->materials[area->material].name, area->centre[0], area->centre[1], area->centre[2]);
        left--;
    }
}

static int print_all(const struct place *place, const struct room *room, bool json, struct error *e)
{
    if (json)
        return json_print(place_json(place, room), e);
    const size_t count = place->candidates.count,
                 seats = place->wish.facing < 0 ? place->seats.count : place->listeners.count;
    printf("%zu candidate%s, %zu seat%s, %zu bands from %g to %g Hz; %llu sets %s\n\n", count, count == 1 ? "" : "s",
           seats, seats == 1 ? "" : "s", place->bands.count, place->wish.low, place->wish.high,
           (unsigned long long)place->found.scored,
           place->found.exhaustive ? "scored" : "grown, one from each candidate");
    print_sets(place);
    printf("\nchecked: runs from the sources of the first give the same levels within %.3f dB\n", place->difference);
    print_filters(place);
    if (place->wish.walls)
        print_walls(place, room);
    return 0;
}

static int place_room(const struct room *room, const struct place_wish *w, const struct place_files *files,
                      const struct place_options *o, struct error *e)
{
    struct place place = {.values = NULL};
    char **doubts = NULL;
    size_t doubt_count = 0;
    struct progress progress;
    const struct watch watch = {.look = progress_look, .context = &progress};
    progress_start(&progress, "place", o->common.quiet);
    int status = place_make(&place, w, room, &o->choice, &watch, e);
    progress_end(&progress);
    if (!status)
        status = place_write(&place, room, files, e) || print_all(&place, room, o->common.json, e);
    if (!status)
        status = place_doubts(&doubts, &doubt_count, &place, e);
    say_lines("warning", doubts, doubt_count);
    lines_free(doubts, doubt_count);
    place_free(&place);
    return status ? -1 : 0;
}

static int place_all(void *options, struct error *e)
{
    const struct place_options *o = options;
    struct place_wish wish = {.seats = o->seats,
                              .candidates = o->candidates,
                              .clearance = o->clearance,
                              .max_frequency = o->max_frequency,
                              .boost = o->boost,
                              .walls = o->walls};
    struct place_files files;
    struct room *room = NULL;
    if (parse_band(&wish, o->band, e) || parse_pair(&wish, o, e) || parse_settings(&wish, o, e) ||
        parse_files(&files, o, e))
        return -1;
    setup_watch_start(o->common.arguments[0], o->common.quiet);
    const int status = read_named_room(&room, &o->common, NULL, e) || check_names(room, &files, e) ||
                       setup_start_engine(&o->choice) || place_room(room, &wish, &files, o, e);
    setup_watch_stop();
    say_phases(&o->common);
    room_free(room);
    return status ? -1 : 0;
}

static int run(void *options, struct error *e)
{
    struct place_options *o = options;
    return processes_run(o, &o->choice, place_all, e);
}

#define ROW(name, kind, member, argument, meaning)                                                                     \
    {                                                                                                                  \
        name, 0, kind, OPTION_AT(OWN, place_options, member), argument, meaning                                        \
    }
static const struct option_row seats =
    ROW("seats", OPTION_TEXT, seats, "LIST",
        "name the seats: receivers as A,B, or positions as \"x,y,z;x,y,z\" (default: all omni receivers)");
static const struct option_row candidates =
    ROW("candidates", OPTION_TEXT, candidates, "PLACES",
        "name the candidates: \"grid M [z=H]\", \"walls M [z=H]\", FILE.csv with x,y,z, names or positions (default: "
        "\"grid 0.5\", 0.2 m above the floor)");
static const struct option_row subs = ROW("subs", OPTION_TEXT, subs, "N", "place N subs, 1 to 4 (default: 1)");
static const struct option_row pair =
    ROW("pair", OPTION_TEXT, pair, "DIRECTION",
        "place a pair of loudspeakers instead, in front of a listener at each seat who faces x, -x, y or -y");
static const struct option_row band =
    ROW("band", OPTION_TEXT, band, "LOW,HIGH", "set the band in Hz (default: 20,150)");
static const struct option_row clearance =
    ROW("clearance", OPTION_NUMBER, clearance, "M",
        "keep the places of a grid this far from walls and objects, in m (default: 0.25)");
static const struct option_row delay =
    ROW("delay", OPTION_NUMBER, delay, "MS", "try delays up to MS, in ms (default: 20)");
static const struct option_row gain =
    ROW("gain", OPTION_NUMBER, gain, "DB", "try gains down to DB, in dB (default: -6)");
static const struct option_row equal =
    ROW("equal", OPTION_FLAG, equal, NULL, "play the same signal from all subs, without delays, gains and polarity");
static const struct option_row csv =
    ROW("csv", OPTION_TEXT, csv_file, "FILE.csv", "also write all sets that were kept, one row each");
static const struct option_row filters =
    ROW("eq", OPTION_TEXT, filters, "FILE", "also write an equaliser for the best set");
static const struct option_row filters_format =
    ROW("eq-format", OPTION_TEXT, filters_format, "FORMAT",
        "choose the format of --eq: apo for Equalizer APO, rew for Room EQ Wizard (default: apo)");
static const struct option_row boost =
    ROW("boost", OPTION_NUMBER, boost, "DB", "limit boosts of the equaliser to DB, in dB (default: 3)");
static const struct option_row walls =
    ROW("walls", OPTION_FLAG, walls, NULL, "rank areas of walls and objects by what an absorber there gains");
static const struct option_row max_frequency =
    ROW("max-frequency", OPTION_NUMBER, max_frequency, "HZ",
        "set the highest frequency of the grid, in Hz (default: that of the room, 700 at most)");

static const struct option_row *const options[] = {
    &option_output,
    &option_set,
    &seats,
    &candidates,
    &subs,
    &pair,
    &band,
    &clearance,
    &delay,
    &gain,
    &equal,
    &csv,
    &filters,
    &filters_format,
    &boost,
    &walls,
    &max_frequency,
    &option_json,
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

const struct command command_place = {
    .name = "place",
    .synopsis = "ROOM.cfg [--subs N] [--seats LIST] [--candidates PLACES] [-o FLOOR.svg] [--eq FILE]",
    .meaning = "find places, delays and gains for subwoofers",
    .details = "Every seat is a source and every candidate a receiver, by reciprocity: one run per seat. The spread is "
               "the\n"
               "standard deviation of the level in twelfths of an octave, over the band and all seats.\n",
    .options = options,
    .arguments_min = 1,
    .arguments_max = 1,
    .options_size = sizeof(struct place_options),
    .defaults = &defaults,
    .groups = {[GROUP_CHOICE] = offsetof(struct place_options, choice),
               [GROUP_OUTPUT] = offsetof(struct place_options, output)},
    .many_processes = true,
    .run = run,
};
