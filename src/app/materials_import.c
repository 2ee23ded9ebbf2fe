/* SPDX-License-Identifier: MIT */
/* aula materials import: tables of absorption become materials of a room file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "app/say.h"
#include "base/file.h"
#include "base/output_set.h"
#include "base/text.h"
#include "room/tables/material_table.h"

struct import_options {
    struct common_options common;
    struct output_options output;
    const char *source, *format;
};

static int check_options(const struct import_options *o, struct error *e)
{
    char given[QUOTED];
    const char *const *words = o->common.arguments, *output = o->output.path;
    if (strcmp(words[0], "import") != 0)
        return fail(e, ERROR_USAGE, "aula materials %s: expected aula materials import FILE --source TEXT%s",
                    quoted(given, words[0]), "; aula info --materials lists the materials that ship with aula");
    if (o->common.argument_count != 2)
        return fail(e, ERROR_USAGE, "aula materials import: name the file with the table");
    if (material_table_check_source(o->source, e))
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

static int report(const struct material_table *t, const struct import_options *o, struct error *e)
{
    const bool quiet = o->common.quiet;
    const char *path = o->common.arguments[1];
    char **notes = NULL;
    size_t count = 0;
    const int status = material_table_notes(&notes, &count, t, path, e);
    for (size_t i = 0; i < count; i++)
        say(quiet, "note: %s", notes[i]);
    lines_free(notes, count);
    if (!status && o->output.path)
        say(quiet, "%s: %zu material%s of %s, read as %s", o->output.path, t->count, t->count == 1 ? "" : "s", path,
            material_format_names[t->format]);
    return status;
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
        status = report(&table, o, e);
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
