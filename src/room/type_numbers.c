/* SPDX-License-Identifier: MIT */
/* Types of keys whose values are one or several numbers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "room/key_types.h"
#include "room/notes.h"

/* values[count]; `whole`: integers only. */
static int read_numbers(struct reader *r, const struct key *key, const config_setting_t *setting, double *values,
                        size_t count, bool whole)
{
    if (!is_sequence(setting))
        return refuse_type(r, key, setting);
    if ((size_t)config_setting_length(setting) != count)
        return refuse_length(r, key, setting, count);
    for (unsigned i = 0; i < count; i++) {
        const config_setting_t *element = config_setting_get_elem(setting, i);
        if (!number_of(element, &values[i]) || (whole && values[i] != floor(values[i])))
            return refuse_type(r, key, setting);
        if (check_range(r, key, element, values[i]))
            return -1;
    }
    return 0;
}

/* ---- double ---- */

static void describe_number(const struct key *key, char *text, size_t size)
{
    const char *unit = key->unit ? key->unit : "";
    snprintf(text, size, "a number%s%s%s%s%s", *unit ? " in " : "", unit, key->zero ? ", or \"" : "",
             key->zero ? key->zero : "", key->zero ? "\"" : "");
}

static int read_double(struct reader *r, const struct place *place, const struct key *key,
                       const config_setting_t *setting)
{
    double value;
    if (read_number(r, key, setting, &value))
        return -1;
    *(double *)key_target(place, key) = value;
    return 0;
}

static int default_double(struct reader *r, const struct place *place, const struct key *key)
{
    (void)r;
    double value;
    if (key->fallback && !text_number(key->fallback, &value))
        *(double *)key_target(place, key) = value;
    return 0;
}

static bool write_double(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    (void)room;
    const double value = *(const double *)key_value(key, base);
    if (value == 0 && (key->flags & KEY_OMIT_ZERO))
        return true;
    return json_put(json, key, value == 0 && key->zero ? cJSON_CreateString(key->zero) : json_number_of(value));
}

const struct key_type type_number = {
    .name = "number",
    .describe = describe_number,
    .read = read_double,
    .take_default = default_double,
    .write = write_double,
};

/* ---- size_t ---- */

static int read_whole(struct reader *r, const struct place *place, const struct key *key,
                      const config_setting_t *setting)
{
    double value;
    if (read_number(r, key, setting, &value))
        return -1;
    if (value != floor(value))
        return refuse_type(r, key, setting);
    *(size_t *)key_target(place, key) = (size_t)value;
    return 0;
}

static int default_whole(struct reader *r, const struct place *place, const struct key *key)
{
    (void)r;
    double value;
    if (key->fallback && !text_number(key->fallback, &value))
        *(size_t *)key_target(place, key) = (size_t)value;
    return 0;
}

static bool write_whole(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    (void)room;
    const size_t value = *(const size_t *)key_value(key, base);
    return (!value && (key->flags & KEY_OMIT_ZERO)) || json_put(json, key, json_number_of((double)value));
}

const struct key_type type_whole = {
    .name = "integer",
    .expect = "a whole number",
    .read = read_whole,
    .take_default = default_whole,
    .write = write_whole,
};

/* ---- double[2] ---- */

static void describe_pair(const struct key *key, char *text, size_t size)
{
    const char *unit = key->unit ? key->unit : "";
    snprintf(text, size, "two numbers%s%s such as [%s]", *unit ? " in " : "", unit,
             !strcmp(unit, "s")    ? "4.0, 1.0"
             : !strcmp(unit, "Hz") ? "100.0, 1000.0"
                                   : "0.5, 0.4");
}

static int read_pair(struct reader *r, const struct place *place, const struct key *key,
                     const config_setting_t *setting)
{
    double pair[2];
    if (read_numbers(r, key, setting, pair, 2, false))
        return -1;
    memcpy(key_target(place, key), pair, sizeof pair);
    return 0;
}

/* "[0.3, 0]" or "0.2" */
static int default_pair(struct reader *r, const struct place *place, const struct key *key)
{
    (void)r;
    double *pair = key_target(place, key);
    const char *text = key->fallback;
    char number[32];
    if (!text)
        return 0;
    const char *second = strchr(text, ','), *start = text + (*text == '[');
    snprintf(number, sizeof number, "%.*s", (int)(second ? second - start : (ptrdiff_t)strlen(start)), start);
    text_number(number, &pair[0]);
    if (!second)
        return 0;
    snprintf(number, sizeof number, "%s", second + 1 + strspn(second + 1, " "));
    number[strcspn(number, "]")] = '\0';
    text_number(number, &pair[1]);
    return 0;
}

static bool write_pair(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    (void)room;
    const double *pair = key_value(key, base);
    if (pair[0] == 0 && pair[1] == 0 && (key->flags & KEY_OMIT_ZERO))
        return true;
    return json_put(json, key, json_numbers(pair, 2));
}

const struct key_type type_pair = {
    .name = "2 numbers",
    .describe = describe_pair,
    .read = read_pair,
    .take_default = default_pair,
    .write = write_pair,
};

/* ---- double[2]: on an instrument; a number alone is the first of the two ---- */

static int read_on_instrument(struct reader *r, const struct place *place, const struct key *key,
                              const config_setting_t *setting)
{
    double *at = key_target(place, key);
    at[1] = 0;
    return is_sequence(setting) ? read_numbers(r, key, setting, at, 2, false) : read_number(r, key, setting, at);
}

static bool write_on_instrument(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    (void)room;
    const double *at = key_value(key, base);
    if (key->given && !*(const bool *)(base + key->given))
        return true;
    return json_put(json, key, at[1] != 0 ? json_numbers(at, 2) : json_number_of(at[0])); /* 0 on a line */
}

const struct key_type type_place = {
    .name = "1, 2 numbers",
    .expect = "one number on a string or bar such as 0.2, or two on a membrane or plate such as [0.3, -0.1]",
    .read = read_on_instrument,
    .take_default = default_pair,
    .write = write_on_instrument,
};

/* ---- double, Hz, as the name of a note or its MIDI number; in the JSON as a pitch ---- */

static int read_note_name(struct reader *r, const struct place *place, const struct key *key,
                          const config_setting_t *setting)
{
    double *pitch = key_target(place, key), number;
    if (config_setting_type(setting) == CONFIG_TYPE_STRING) {
        const char *text = config_setting_get_string(setting);
        char given[QUOTED], expected[256];
        if (text && !note_pitch(text, pitch))
            return 0;
        key_expected(key, expected, sizeof expected);
        return reader_refuse(r, setting, NULL, "\"%s\" is not a note; expected %s", quoted(given, text ? text : ""),
                             expected);
    }
    if (!number_of(setting, &number) || !midi_note_is_valid(number))
        return refuse_type(r, key, setting);
    *pitch = midi_note_pitch(number);
    return 0;
}

const struct key_type type_note_name = {
    .name = "note",
    .expect = "the name of a note such as \"C#4\" or \"Bb3\", or its MIDI number, 0 to 127",
    .read = read_note_name,
};

/* ---- double[3] ---- */

static int read_position(struct reader *r, const struct place *place, const struct key *key,
                         const config_setting_t *setting)
{
    double position[3];
    if (read_numbers(r, key, setting, position, 3, false))
        return -1;
    memcpy(key_target(place, key), position, sizeof position);
    return 0;
}

static bool write_position(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    if ((key->flags & KEY_OMIT_ZERO) && room->sized_by_points)
        return true;
    return json_put(json, key, json_numbers(key_value(key, base), 3));
}

const struct key_type type_position = {
    .name = "3 numbers",
    .expect = "three numbers in metres such as [3.4, 4.0, 2.8]",
    .read = read_position,
    .write = write_position,
};

/* ---- size_t[3] ---- */

static int read_points(struct reader *r, const struct place *place, const struct key *key,
                       const config_setting_t *setting)
{
    size_t *points = key_target(place, key);
    double numbers[3];
    if (read_numbers(r, key, setting, numbers, 3, true))
        return -1;
    for (size_t i = 0; i < 3; i++)
        points[i] = (size_t)numbers[i];
    return 0;
}

static bool write_points(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    const size_t *points = key_value(key, base);
    if (!room->sized_by_points)
        return true;
    return json_put(json, key, json_numbers((double[]){(double)points[0], (double)points[1], (double)points[2]}, 3));
}

const struct key_type type_points = {
    .name = "3 integers",
    .expect = "three whole numbers of grid points such as [256, 296, 212]",
    .read = read_points,
    .write = write_points,
};

/* ---- two numbers for the reader only: checked, but not stored ---- */

static int read_span(struct reader *r, const struct place *place, const struct key *key,
                     const config_setting_t *setting)
{
    (void)place;
    double span[2];
    return read_numbers(r, key, setting, span, 2, false);
}

const struct key_type type_span = {
    .name = "2 numbers",
    .expect = "two numbers in Hz such as [125.0, 4000.0]",
    .read = read_span,
};
