/* SPDX-License-Identifier: MIT */
/* aula materials import: tables of absorption become materials of a room file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "app/material_table.h"
#include "app/say.h"
#include "base/file.h"
#include "base/output_set.h"
#include "base/text.h"
#include "room/grid/absorption.h"

struct import_options {
    struct common_options common;
    struct output_options output;
    const char *source, *format;
};

enum { SOURCE_MAX = 1000 };

static int check_source(const char *source, struct error *e)
{
    uint32_t letter;
    if (!source)
        return fail(e, ERROR_USAGE,
                    "--source: is missing; name the publication of the values, such as --source \"author, title, year, "
                    "table\"");
    if (!source[strspn(source, " ")] || strlen(source) > SOURCE_MAX)
        return fail(e, ERROR_USAGE, "--source: expected one line of 1 to %d bytes", (int)SOURCE_MAX);
    for (size_t bytes; *source; source += bytes) {
        bytes = text_letter(source, &letter);
        if (!bytes || letter < ' ' || (letter >= 0x7F && letter < 0xA0))
            return fail(e, ERROR_USAGE, "--source: holds a control character or is not UTF-8; write one line of text");
    }
    return 0;
}

static int check_options(const struct import_options *o, struct error *e)
{
    char given[QUOTED];
    const char *const *words = o->common.arguments, *output = o->output.path;
    if (strcmp(words[0], "import") != 0)
        return fail(e, ERROR_USAGE, "aula materials %s: expected aula materials import FILE --source TEXT%s",
                    quoted(given, words[0]), "; aula info --materials lists the materials that ship with aula");
    if (o->common.argument_count != 2)
        return fail(e, ERROR_USAGE, "aula materials import: name the file with the table");
    if (check_source(o->source, e))
        return -1;
    if (output && same_file(output, words[1]))
        return fail(e, ERROR_USAGE, "-o %s: is the table itself; choose another name", output);
    return output ? output_file_try(output, e) : 0;
}

static int write_text(const char *text, const struct import_options *o, struct error *e)
{
    struct output_set set = {.no_clobber = o->output.no_clobber};
    if (!o->output.path) {
        fputs(text, stdout);
        return 0;
    }
    const int status = output_set_text(&set, o->output.path, text, e) || output_set_commit(&set, e) ? -1 : 0;
    output_set_discard(&set);
    return status;
}

static void report(const struct material_table *t, const struct import_options *o)
{
    const bool quiet = o->common.quiet;
    const char *path = o->common.arguments[1];
    size_t loud = 0;
    for (size_t i = 0; i < t->count; i++)
        for (size_t k = 0, seen = 0; k < OCTAVE_BANDS && !seen; k++)
            loud += seen = t->rows[i].absorption[k] > ABSORPTION_MAX;
    if (t->recoded)
        say(quiet, "note: %s: is not UTF-8 and was read as Latin-1 (Windows-1252)", path);
    if (t->octaves < OCTAVE_BANDS)
        say(quiet, "note: %s: gives the octaves from %g to %g Hz; those outside repeat the nearest one", path,
            octave_band_centre[t->first], octave_band_centre[t->first + t->octaves - 1]);
    if (loud)
        say(quiet,
            "note: %s: %zu of %zu materials exceed %.3f, the most that a locally reacting wall absorbs at random "
            "incidence; rooms use that value in its place",
            path, loud, t->count, ABSORPTION_MAX);
    if (o->output.path)
        say(quiet, "%s: %zu material%s of %s, read as %s", o->output.path, t->count, t->count == 1 ? "" : "s", path,
            material_format_names[t->format]);
}

static int run(void *options, struct error *e)
{
    const struct import_options *o = options;
    struct material_table table = {.rows = NULL};
    if (check_options(o, e))
        return -1;
    int status = material_table_read(&table, o->common.arguments[1], o->format, e);
    char *text = status ? NULL : material_table_text(&table, o->common.arguments[1], o->source);
    if (!status)
        status = text ? write_text(text, o, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status)
        report(&table, o);
    free(text);
    material_table_free(&table);
    return status ? -1 : 0;
}

static const struct option_row source = {"source",    0,
                                         OPTION_TEXT, OPTION_AT(OWN, import_options, source),
                                         "TEXT",      "name the publication of the values: author, title, year, table"};
static const struct option_row format = {"format",
                                         0,
                                         OPTION_TEXT,
                                         OPTION_AT(OWN, import_options, format),
                                         "csv | catt | odeon",
                                         "set the format of the table (default: by its content)"};

static const struct option_row *const options[] = {&option_output, &source,      &format, &option_no_clobber,
                                                   &option_quiet,  &option_help, NULL};

const struct command command_materials = {
    .name = "materials",
    .synopsis = "import FILE --source TEXT [-o MATERIALS.cfg] [--format csv|catt|odeon]",
    .meaning = "import tables of absorption as materials for room files",
    .details = "csv: name;63;125;..;8000 in fractions, separated by ; or , or tabs; a heading may name fewer octaves\n"
               "catt: name = < 21 12 9 6 9 13 > L < 30 30 30 30 30 30 >, percent from 125 Hz to 4 kHz\n"
               "odeon: the name, and in the next line a tab and eight fractions from 63 Hz to 8 kHz\n"
               "Without -o the result goes to standard output. Room files take it by @include \"MATERIALS.cfg\".\n",
    .options = options,
    .arguments_min = 1,
    .arguments_max = 2,
    .options_size = sizeof(struct import_options),
    .groups = {[GROUP_OUTPUT] = offsetof(struct import_options, output)},
    .run = run,
};
