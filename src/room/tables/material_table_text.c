/* SPDX-License-Identifier: MIT */
/* A table of absorption as a part of a room file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/sanitize_text.h"
#include "base/text.h"
#include "room/tables/material_table.h"

/* As libconfig reads it. */
static void add_quoted(struct growing_text *t, const char *text)
{
    growing_text_add(t, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            growing_text_bytes(t, "\\", 1);
        growing_text_bytes(t, text, 1);
    }
    growing_text_add(t, "\"");
}

/* With two decimals or more, and no digits that say nothing. */
static void add_list(struct growing_text *t, const char *key, const double *values, size_t count)
{
    growing_text_add(t, "    %s = [ ", key);
    for (size_t i = 0; i < count; i++) {
        char text[32];
        int length = snprintf(text, sizeof text, "%.6f", values[i]);
        while (text[length - 1] == '0' && text[length - 3] != '.')
            text[--length] = '\0';
        growing_text_add(t, "%s%s", i ? ", " : "", text);
    }
    growing_text_add(t, " ];\n");
}

static void add_bands(struct growing_text *t, const struct material_table *table)
{
    growing_text_add(t, "    bands = [ ");
    for (size_t k = 0; k < table->octaves; k++)
        growing_text_add(t, "%s%.1f", k ? ", " : "", octave_band_centre[table->first + k]);
    growing_text_add(t, " ];\n");
}

char *material_table_text(const struct material_table *t, const char *path, const char *source)
{
    struct growing_text text = {.text = NULL};
    growing_text_add(&text, "# %zu material%s of %s, read as %s by aula materials import. In a room file:\n", t->count,
                     t->count == 1 ? "" : "s", sanitize_name(path_name(path)), material_format_names[t->format]);
    growing_text_add(&text, "#     @include \"NAME.cfg\"    # the name of this file\nmaterials:\n{\n");
    for (size_t i = 0; i < t->count; i++) {
        const struct material_row *row = &t->rows[i];
        growing_text_add(&text, "  %s =\n  {\n    description = ", row->key);
        add_quoted(&text, row->name);
        growing_text_add(&text, ";\n");
        if (t->octaves < OCTAVE_BANDS)
            add_bands(&text, t);
        add_list(&text, "absorption", row->absorption + t->first, t->octaves);
        if (row->scatters)
            add_list(&text, "scattering", row->scattering + t->first, t->octaves);
        growing_text_add(&text, "    source = ");
        add_quoted(&text, source);
        growing_text_add(&text, ";\n  };\n%s", i + 1 < t->count ? "\n" : "");
    }
    growing_text_add(&text, "};\n");
    return growing_text_take(&text, NULL);
}
