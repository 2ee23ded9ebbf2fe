/* SPDX-License-Identifier: MIT */
/* aula material: absorption, admittance and resonances of a material, without a room. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/cmd.h"
#include "app/layer_words.h"
#include "app/material_print.h"
#include "app/outputs.h"
#include "app/picture.h"
#include "app/say.h"
#include "app/shipped.h"
#include "base/output_set.h"
#include "base/text.h"

struct material_options {
    struct common_options common;
    struct output_options output;
    const char *csv_file;
};

/* A room whose walls are of the material, defined by this text ("": in the library). */
static int read_text(struct room **room, const char *name, const char *definition, const struct common_options *o,
                     struct error *e)
{
    char *text = text_format("%sroom: { size = [4.0, 3.0, 2.5]; walls: { default = \"%s\"; }; };\n"
                             "sources: ( { position = [1.0, 1.0, 1.0]; } );\n"
                             "receivers: ( { position = [2.0, 2.0, 1.2]; } );\n",
                             definition, name);
    const int status = text ? room_read_text(room, name, text, o->settings, o->setting_count, e)
                            : fail(e, ERROR_MEMORY, "out of memory");
    free(text);
    return status;
}

/* Messages of the room file begin with the place in a file that nobody wrote: "description:2: material description:
 * layers[1].thickness: why" becomes "layer 2: thickness: why". */
static void simplify(struct error *e)
{
    static const char layers[] = "layers[", found[] = ": material " LAYER_WORDS_MATERIAL ": ";
    char text[sizeof e->message];
    size_t used = 0;
    for (const char *line = e->message; *line && used < sizeof text - 1;) {
        const char *end = line + strcspn(line, "\n"), *at = strstr(line, found);
        int layer, length = 0;
        if (at && at < end) {
            line = at + strlen(found);
            if (!strncmp(line, layers, strlen(layers)) && sscanf(line, "layers[%d]%n", &layer, &length) == 1 &&
                length) {
                line += length;
                used += (size_t)snprintf(text + used, sizeof text - used, "layer %d%s", layer + 1,
                                         *line == '.' ? ": " : "");
                line += *line == '.';
            }
        }
        if (used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%.*s", (int)(end - line + (*end == '\n')), line);
        line = end + (*end == '\n');
    }
    snprintf(e->message, sizeof e->message, "%s", text);
}

static int read_description(struct room **room, const struct common_options *o, struct error *e)
{
    char *definition = NULL;
    if (o->argument_count > 1)
        return fail(e, ERROR_USAGE, "a description of layers needs no room; remove %s, or give the name of a material",
                    o->arguments[1]);
    int status = layer_words_definition(&definition, o->arguments[0], e);
    if (!status) {
        status = read_text(room, LAYER_WORDS_MATERIAL, definition, o, e);
        if (status)
            simplify(e);
    }
    free(definition);
    return status ? -1 : 0;
}

static const struct material *find(const struct room *room, const char *name)
{
    for (size_t i = 0; i < room->material_count; i++)
        if (!strcmp(room->materials[i].name, name))
            return &room->materials[i];
    return NULL;
}

/* The room, with its walls of a material that none of its surfaces has. */
static int read_unused(struct room **room, const char *name, const struct common_options *o, struct error *e)
{
    struct common_options other = *o;
    char *setting = text_format("room.walls.default=\"%s\"", name);
    const char **settings = calloc(o->setting_count + 1, sizeof *settings);
    int status = setting && settings ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        for (size_t i = 0; i < o->setting_count; i++)
            settings[i] = o->settings[i];
        settings[other.setting_count++] = setting;
        other.settings = settings;
        status = read_named_room(room, &other, NULL, e);
    }
    free(settings);
    free(setting);
    return status;
}

static int read_of_room(struct room **room, const struct common_options *o, struct error *e)
{
    struct common_options rest = *o;
    const char *name = o->arguments[0];
    rest.arguments++;
    rest.argument_count--;
    if (read_named_room(room, &rest, NULL, e))
        return -1;
    if (find(*room, name))
        return 0;
    const bool mesh = room_form(*room) == ROOM_MESH;
    room_free(*room);
    *room = NULL;
    if (mesh)
        return fail(e, ERROR_INPUT, "%s: has no surface of the material %s; name one that aula info %s lists",
                    rest.arguments[0], name, rest.arguments[0]);
    return read_unused(room, name, &rest, e);
}

static int check_name(const char *name, struct error *e)
{
    char given[QUOTED];
    if (!*name || strpbrk(name, "\"\\\n"))
        return fail(e, ERROR_USAGE, "\"%s\": is neither the name of a material nor a description of layers",
                    quoted(given, name));
    return 0;
}

static int read_material(struct room **room, const struct common_options *o, struct error *e)
{
    const char *given = o->arguments[0];
    if (layer_words_are(given))
        return read_description(room, o, e);
    if (check_name(given, e))
        return -1;
    if (o->argument_count > 1)
        return read_of_room(room, o, e);
    if (!read_text(room, given, "", o, e))
        return 0;
    const char *why = strstr(e->message, "unknown material ");
    if (why)
        memmove(e->message, why, strlen(why) + 1);
    return -1;
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
    int status = material_notes(notes, &count, m, e) || write_files(m, o, e) ? -1 : 0;
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
    int status = read_material(&room, &o->common, e) || check_files(room, o, e) ? -1 : 0;
    if (!status) {
        shown.material = find(room, layer_words_are(shown.title) ? LAYER_WORDS_MATERIAL : shown.title);
        status = shown.material ? material_acoustics_make(&shown.acoustics, shown.material, room->path, e)
                                : fail(e, ERROR_INPUT, "%s: no surface is of this material", shown.title);
    }
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
