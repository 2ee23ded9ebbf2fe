/* SPDX-License-Identifier: MIT */
/* Types of keys for the bores and tone holes of wind instruments: lists of rows of numbers. */
#include <stdlib.h>
#include <string.h>

#include "room/key_types.h"

enum { ROWS_MAX = 1000, BORE_COLUMNS = 2, HOLE_COLUMNS = 4 };

static int read_row(struct reader *r, const struct key *key, const config_setting_t *setting, size_t columns,
                    double *row)
{
    const char *expected = columns == BORE_COLUMNS
                               ? "expected a distance from the mouth and a diameter in m such as [0.1, 0.015]"
                               : "expected distance, diameter and height in m and a pitch in Hz such as "
                                 "[0.25, 0.006, 0.008, 293.66]";
    if (!is_sequence(setting) || config_setting_length(setting) != (int)columns)
        return reader_refuse(r, setting, NULL, "%s", expected);
    for (unsigned i = 0; i < columns; i++) {
        const config_setting_t *element = config_setting_get_elem(setting, i);
        if (!number_of(element, &row[i]))
            return reader_refuse(r, setting, NULL, "%s", expected);
        if (check_range(r, key, element, row[i]))
            return -1;
    }
    return 0;
}

static int read_rows(struct reader *r, const struct place *place, const struct key *key,
                     const config_setting_t *setting, size_t columns)
{
    const size_t count = is_sequence(setting) ? (size_t)config_setting_length(setting) : 0;
    if (!count)
        return refuse_type(r, key, setting);
    if (count > ROWS_MAX)
        return reader_refuse(r, setting, NULL, "has %zu rows; use at most %d", count, (int)ROWS_MAX);
    double *rows = calloc(count * columns, sizeof *rows);
    if (!rows)
        return reader_no_memory(r);
    for (unsigned i = 0; i < count; i++)
        if (read_row(r, key, config_setting_get_elem(setting, i), columns, rows + i * columns)) {
            free(rows);
            return -1;
        }
    memcpy(key_target(place, key), &rows, sizeof rows);
    memcpy(place->base + key->count, &count, sizeof count);
    return 0;
}

static bool write_rows(cJSON *json, const struct key *key, const char *base, size_t columns)
{
    size_t count;
    const double *rows;
    memcpy(&count, base + key->count, sizeof count);
    memcpy(&rows, key_value(key, base), sizeof rows);
    if (!count)
        return true;
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; array && i < count; i++) {
        cJSON *one = json_numbers(rows + i * columns, columns);
        if (!one || !cJSON_AddItemToArray(array, one)) {
            cJSON_Delete(one);
            cJSON_Delete(array);
            return false;
        }
    }
    return json_put(json, key, array);
}

static int read_bore(struct reader *r, const struct place *place, const struct key *key,
                     const config_setting_t *setting)
{
    return read_rows(r, place, key, setting, BORE_COLUMNS);
}

static bool write_bore(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    (void)room;
    return write_rows(json, key, base, BORE_COLUMNS);
}

const struct key_type type_bore = {
    .name = "bore",
    .expect = "pairs of a distance from the mouth and a diameter in m such as ( [0.0, 0.015], [0.6, 0.015] )",
    .read = read_bore,
    .write = write_bore,
};

static int read_holes(struct reader *r, const struct place *place, const struct key *key,
                      const config_setting_t *setting)
{
    return read_rows(r, place, key, setting, HOLE_COLUMNS);
}

static bool write_holes(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    (void)room;
    return write_rows(json, key, base, HOLE_COLUMNS);
}

const struct key_type type_holes = {
    .name = "holes",
    .expect = "tone holes of distance, diameter, height and pitch such as ( [0.25, 0.006, 0.008, 293.66] )",
    .read = read_holes,
    .write = write_holes,
};
