/* SPDX-License-Identifier: MIT */
/* A table of absorption. What is accepted becomes materials of a room that can be read and have these values. */
#include "room/tables/material_table.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "base/text.h"
#include "harness.h"
#include "room/room.h"

const struct command *const commands[] = {NULL};

static const char rest[] = "grid: { rate = 8000.0; };\n"
                           "sources: ( { position = [1.0, 1.0, 1.0]; } );\n"
                           "receivers: ( { position = [2.0, 2.0, 1.0]; } );\n"
                           "time: { duration = 0.1; };\n";

static void check(bool holds, const char *what, const char *text)
{
    if (holds)
        return;
    fprintf(stderr, "%s: %s\n", what, text);
    abort();
}

/* The row is the material of the walls. */
static void check_row(const struct material_table *t, const struct material_row *row, const char *materials)
{
    struct room *room = NULL;
    struct error e = {.message = ""};
    char *text = text_format("%sroom: { size = [4.0, 3.0, 2.5]; walls: { default = \"%s\"; }; };\n%s", materials,
                             row->key, rest);
    check(!room_read_text(&room, "room.cfg", text, NULL, 0, &e), "no room", e.message);
    check(room->material_count == 1 && !strcmp(room->materials[0].description, row->name), "another name", row->name);
    for (size_t k = t->first; k < t->first + t->octaves; k++)
        check(room->materials[0].absorption[k] - row->absorption[k] < 1e-6 &&
                  row->absorption[k] - room->materials[0].absorption[k] < 1e-6,
              "other values", row->key);
    room_free(room);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct material_table table;
    struct error e;
    if (!material_table_read(&table, harness_write("table.csv", data, size), NULL, &e)) {
        char *text = material_table_text(&table, "table.csv", "a \"book\"");
        check(table.count > 0 && text, "no materials", "");
        check_row(&table, &table.rows[0], text);
        check_row(&table, &table.rows[table.count - 1], text);
        free(text);
    }
    material_table_free(&table);
    return 0;
}
