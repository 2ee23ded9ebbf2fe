/* SPDX-License-Identifier: MIT */
/* aula material: absorption, admittance and resonances of a material, without a room. */
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "app/cmd.h"
#include "app/material_print.h"
#include "app/outputs.h"
#include "app/picture.h"
#include "app/say.h"
#include "app/shipped.h"
#include "base/output_set.h"
#include "present/materials/layer_words.h"
#include "present/materials/material_room.h"

struct material_options {
    struct common_options common;
    struct output_options output;
    const char *csv_file;
};

/* The room of the second argument. */
static int read_room(struct room **room, const void *context, const char *const *settings, size_t setting_count,
                     struct error *e)
{
    struct common_options rest = *(const struct common_options *)context;
    rest.arguments++;
    rest.argument_count--;
    rest.settings = (const char **)settings; /* only read */
    rest.setting_count = setting_count;
    return read_named_room(room, &rest, NULL, e);
}

static int read_material(struct room **room, const struct material **found, const struct common_options *o,
                         struct error *e)
{
    if (o->argument_count > 1)
        return material_room_read_file(room, found, o->arguments[0], o->arguments[1], read_room, o, o->settings,
                                       o->setting_count, e);
    return material_room_read(room, found, o->arguments[0], o->settings, o->setting_count, e);
}

static int check_files(const struct room *room, const struct material_options *o, struct error *e)
{
    const char *suffix = o->csv_file ? strrchr(o->csv_file, '.') : NULL, *paths[2];
    size_t count = 0;
    if (o->csv_file && (!suffix || strcasecmp(suffix, ".csv") != 0))
        return fail(e, ERROR_USAGE, "--csv %s: is not a CSV name; use one that ends in .csv", o->csv_file);
    if (plot_check_name(o->output.plot, e))
        return -1;
    if (o->csv_file)
        paths[count++] = o->csv_file;
    if (o->output.plot)
        paths[count++] = o->output.plot;
    return picture_names_check(room, paths, count, o->output.no_clobber, e);
}

static int add_file(struct output_set *set, const char *path, char *text, struct error *e)
{
    const int status = text ? output_set_text(set, path, text, e) : fail(e, ERROR_MEMORY, "out of memory");
    free(text);
    return status;
}

static int write_files(const struct material_shown *m, const struct material_options *o, struct error *e)
{
    struct output_set set = {.no_clobber = o->output.no_clobber};
    int status = o->csv_file ? add_file(&set, o->csv_file, material_csv(m), e) : 0;
    if (!status && o->output.plot)
        status = add_file(&set, o->output.plot, material_svg(m), e);
    if (!status)
        status = output_set_commit(&set, e);
    output_set_discard(&set);
    return status;
}

static int show(const struct material_shown *m, const struct material_options *o, struct error *e)
{
    char *notes[MATERIAL_NOTES] = {NULL};
    size_t count;
    int status = material_notes(notes, &count, &m->acoustics, e) || write_files(m, o, e) ? -1 : 0;
    if (!status && o->common.json)
        status = material_print_json(m, notes, count, e);
    else if (!status)
        material_print(m);
    if (!status && !o->common.quiet)
        say_lines("note", notes, count);
    for (size_t i = 0; i < count; i++)
        free(notes[i]);
    return status;
}

static int run(void *options, struct error *e)
{
    const struct material_options *o = options;
    struct room *room = NULL;
    struct material_shown shown = {.title = o->common.arguments[0]};
    int status = read_material(&room, &shown.material, &o->common, e) || check_files(room, o, e) ||
                         material_acoustics_make(&shown.acoustics, shown.material, room->path, e)
                     ? -1
                     : 0;
    if (!status)
        status = show(&shown, o, e);
    material_acoustics_free(&shown.acoustics);
    room_free(room);
    return status;
}

static const struct option_row csv = {"csv",       0,
                                      OPTION_TEXT, OPTION_AT(OWN, material_options, csv_file),
                                      "FILE.csv",  "write absorption and admittance from 20 Hz to 20 kHz as CSV"};

static const struct option_row *const options[] = {
    &option_plot, &csv, &option_json, &option_set, &option_no_clobber, &option_quiet, &option_help, NULL,
};

const struct command command_material = {
    .name = "material",
    .synopsis = "NAME|\"LAYERS\" [ROOM.cfg] [--plot FILE.svg] [--csv FILE.csv] [--set KEY=VALUE ...]",
    .meaning = "show absorption, admittance and resonances of a material, without a room",
    .print_list = layer_words_print,
    .options = options,
    .arguments_min = 1,
    .arguments_max = 2,
    .options_size = sizeof(struct material_options),
    .groups = {[GROUP_OUTPUT] = offsetof(struct material_options, output)},
    .run = run,
};
