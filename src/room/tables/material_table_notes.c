/* SPDX-License-Identifier: MIT */
/* The source that materials name, and what is worth knowing about a table. */
#include <string.h>

#include "base/text.h"
#include "room/grid/absorption.h"
#include "room/tables/material_table.h"

enum { SOURCE_MAX = 1000 };

int material_table_check_source(const char *source, struct error *e)
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

static size_t count_loud(const struct material_table *t)
{
    size_t loud = 0;
    for (size_t i = 0; i < t->count; i++)
        for (size_t k = 0, seen = 0; k < OCTAVE_BANDS && !seen; k++)
            loud += seen = t->rows[i].absorption[k] > ABSORPTION_MAX;
    return loud;
}

int material_table_notes(char ***lines, size_t *count, const struct material_table *t, const char *path,
                         struct error *e)
{
    const size_t loud = count_loud(t);
    if (t->recoded && lines_add(lines, count, e, "%s: is not UTF-8 and was read as Latin-1 (Windows-1252)", path))
        return -1;
    if (t->octaves < OCTAVE_BANDS &&
        lines_add(lines, count, e, "%s: gives the octaves from %g to %g Hz; those outside repeat the nearest one", path,
                  octave_band_centre[t->first], octave_band_centre[t->first + t->octaves - 1]))
        return -1;
    if (loud && lines_add(lines, count, e,
                          "%s: %zu of %zu materials exceed %.3f, the most that a locally reacting wall absorbs at "
                          "random incidence; rooms use that value in its place",
                          path, loud, t->count, ABSORPTION_MAX))
        return -1;
    return 0;
}
