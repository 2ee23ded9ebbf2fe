/* SPDX-License-Identifier: MIT */
/* Reads an item of a plan's list `vary`. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "render/batch/plan.h"
#include "room/reader.h"

static const char *const ways[] = {"values", "range", "choice", "uniform", "log_uniform", "normal", "whole", "place"};
static const char *const members[] = {"key",         "values",  "range",  "choice", "uniform",
                                      "log_uniform", "normal",  "whole",  "place",  "count",
                                      "log",         "weights", "within", "height", "description"};
/* The draw that each further key belongs to. */
static const struct {
    const char *name, *of;
} further[] = {{"count", "range"}, {"log", "range"}, {"weights", "choice"}, {"within", "normal"}, {"height", "place"}};
#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { VALUES_MAX = 100000 };

void variation_free(struct variation *v)
{
    for (size_t i = 0; v->values && i < v->value_count; i++)
        free(v->values[i]);
    free(v->values);
    free(v->weights);
    free(v->key);
    free(v->origin);
    memset(v, 0, sizeof *v);
}

static void add_text(struct growing_text *t, const char *text)
{
    growing_text_add(t, "\"");
    for (; *text; text++)
        growing_text_add(t, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    growing_text_add(t, "\"");
}

/* Shortest text that reads back as the same number. */
static void add_number(struct growing_text *t, double value)
{
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        double back;
        if (!text_number(text, &back) && back == value)
            break;
    }
    growing_text_add(t, "%s", text);
}

/* A value as --set takes it; false: not a value. */
static bool add_value(struct growing_text *t, const config_setting_t *setting)
{
    double number;
    if (config_setting_type(setting) == CONFIG_TYPE_BOOL) {
        growing_text_add(t, config_setting_get_bool(setting) ? "true" : "false");
    } else if (config_setting_get_string(setting)) {
        add_text(t, config_setting_get_string(setting));
    } else if (number_of(setting, &number)) {
        add_number(t, number);
    } else if (is_sequence(setting)) {
        growing_text_add(t, "[");
        for (unsigned i = 0; i < (unsigned)config_setting_length(setting); i++) {
            growing_text_add(t, i ? ", " : "");
            if (!add_value(t, config_setting_get_elem(setting, i)))
                return false;
        }
        growing_text_add(t, "]");
    } else {
        return false;
    }
    return true;
}

static int make_values(struct variation *v, struct reader *r, size_t count)
{
    v->values = calloc(count + 1, sizeof *v->values);
    return v->values ? 0 : reader_no_memory(r);
}

static int read_values(struct variation *v, struct reader *r, const config_setting_t *list)
{
    const size_t count = is_sequence(list) ? (size_t)config_setting_length(list) : 0;
    if (!count || count > VALUES_MAX)
        return reader_refuse(r, list, NULL,
                             "expected a list of 1 to %d values, such as (15.0, 20.0) or (\"brick\", \"wood\")",
                             VALUES_MAX);
    if (make_values(v, r, count))
        return -1;
    for (unsigned i = 0; i < count; i++) {
        struct growing_text text = {0};
        const bool understood = add_value(&text, config_setting_get_elem(list, i));
        v->values[v->value_count++] = growing_text_take(&text, NULL);
        if (!understood)
            return reader_refuse(r, list, NULL, "value %u is a group { }; vary its keys one by one", i + 1);
        if (!v->values[i])
            return reader_no_memory(r);
    }
    return 0;
}

/* [low, high]; `what` is used in messages. */
static int read_pair(struct reader *r, const config_setting_t *setting, double *low, double *high, const char *what)
{
    const bool pair = is_sequence(setting) && config_setting_length(setting) == 2;
    if (!pair || !number_of(config_setting_get_elem(setting, 0), low) ||
        !number_of(config_setting_get_elem(setting, 1), high) || !isfinite(*low) || !isfinite(*high))
        return reader_refuse(r, setting, NULL, "expected %s", what);
    return 0;
}

static int read_range(struct variation *v, struct reader *r, const config_setting_t *item,
                      const config_setting_t *range)
{
    const config_setting_t *count_of = member_of(item, "count"), *log_of = member_of(item, "log");
    const bool logarithmic = log_of && config_setting_get_bool(log_of);
    double from, to, count;
    if (log_of && config_setting_type(log_of) != CONFIG_TYPE_BOOL)
        return reader_refuse(r, log_of, NULL, "expected true, for values in equal ratios, or false");
    if (read_pair(r, range, &from, &to, "two numbers, [from, to], and count = 5 for five values"))
        return -1;
    if (!count_of || !number_of(count_of, &count) || !(count >= 2.0 && count <= VALUES_MAX) || count != floor(count))
        return reader_refuse(r, count_of ? count_of : item, count_of ? NULL : "count",
                             "a range needs count = 5, its number of values, from 2 to %d", VALUES_MAX);
    if (logarithmic && !(from > 0.0 && to > 0.0))
        return reader_refuse(r, range, NULL, "both ends must be positive with log = true");
    if (make_values(v, r, (size_t)count))
        return -1;
    for (size_t i = 0; i < (size_t)count; i++) {
        const double share = (double)i / (count - 1.0);
        const double value = logarithmic ? from * pow(to / from, share) : from + share * (to - from);
        v->values[v->value_count++] = text_format("%.9g", value);
        if (!v->values[i])
            return reader_no_memory(r);
    }
    return 0;
}

static int read_weights(struct variation *v, struct reader *r, const config_setting_t *item)
{
    const config_setting_t *weights = member_of(item, "weights");
    double sum = 0.0;
    if (weights && (!is_sequence(weights) || (size_t)config_setting_length(weights) != v->value_count))
        return reader_refuse(r, weights, NULL, "expected one weight for each of the %zu values", v->value_count);
    v->weights = calloc(v->value_count + 1, sizeof *v->weights);
    if (!v->weights)
        return reader_no_memory(r);
    for (unsigned i = 0; i < v->value_count; i++) {
        v->weights[i] = 1.0;
        if (weights && (!number_of(config_setting_get_elem(weights, i), &v->weights[i]) || !(v->weights[i] >= 0.0)))
            return reader_refuse(r, weights, NULL, "a weight must not be negative");
        sum += v->weights[i];
    }
    if (!(sum > 0.0) || !isfinite(sum))
        return reader_refuse(r, weights, NULL, "the sum of the weights must be positive");
    for (size_t i = 0; i < v->value_count; i++)
        v->weights[i] /= sum;
    return 0;
}

/* One number or three. */
static int read_numbers(struct variation *v, struct reader *r, const config_setting_t *setting, double *numbers)
{
    const bool vector = is_sequence(setting);
    const size_t width = vector ? (size_t)config_setting_length(setting) : 1;
    bool good = (!v->width || v->width == width) && (width == 1 || width == VARY_WIDTH);
    v->width = width;
    for (unsigned i = 0; good && i < width; i++)
        good = number_of(vector ? config_setting_get_elem(setting, i) : setting, &numbers[i]) && isfinite(numbers[i]);
    return good
               ? 0
               : reader_refuse(r, setting, NULL,
                               "expected two numbers, [low, high], or two corners, ([0.5, 0.5, 0.5], [4.0, 3.0, 2.0])");
}

static int read_ends(struct variation *v, struct reader *r, const config_setting_t *setting)
{
    const bool pair = is_sequence(setting) && config_setting_length(setting) == 2;
    if (!pair)
        return reader_refuse(r, setting, NULL, "expected two ends, [low, high]");
    if (read_numbers(v, r, config_setting_get_elem(setting, 0), v->low) ||
        read_numbers(v, r, config_setting_get_elem(setting, 1), v->high))
        return -1;
    for (size_t i = 0; i < v->width; i++) {
        if (!(v->low[i] <= v->high[i]))
            return reader_refuse(r, setting, NULL, "the lower end, %g, is above the upper end, %g", v->low[i],
                                 v->high[i]);
        if (v->kind == VARY_LOG_UNIFORM && !(v->low[i] > 0.0))
            return reader_refuse(r, setting, NULL, "both ends must be positive");
        if (v->kind == VARY_WHOLE && (v->low[i] != floor(v->low[i]) || v->high[i] != floor(v->high[i]) ||
                                      !(fabs(v->low[i]) <= 1e9 && fabs(v->high[i]) <= 1e9)))
            return reader_refuse(r, setting, NULL, "both ends must be whole numbers of at most 1000000000");
    }
    return 0;
}

/* Fraction of draws within the limits. */
static double normal_share(const struct variation *v)
{
    const double unit = v->deviation * sqrt(2.0);
    return 0.5 * (erf((v->high[0] - v->mean) / unit) - erf((v->low[0] - v->mean) / unit));
}

static int read_normal(struct variation *v, struct reader *r, const config_setting_t *item,
                       const config_setting_t *normal)
{
    const config_setting_t *within = member_of(item, "within");
    v->width = 1;
    if (read_pair(r, normal, &v->mean, &v->deviation, "two numbers, [mean, standard deviation]"))
        return -1;
    if (!(v->deviation > 0.0))
        return reader_refuse(r, normal, NULL, "the standard deviation must be positive");
    v->low[0] = v->mean - 40.0 * v->deviation; /* never reached */
    v->high[0] = v->mean + 40.0 * v->deviation;
    if (!within)
        return 0;
    if (read_pair(r, within, &v->low[0], &v->high[0], "two numbers, [low, high], as limits of the draws"))
        return -1;
    if (!(normal_share(v) >= 1e-3))
        return reader_refuse(r, within, NULL,
                             "fewer than one in a thousand draws lie within these limits; widen them, or use uniform");
    return 0;
}

/* "sources[0].position" or "receivers[2].position" */
static int read_room_place(struct variation *v, struct reader *r, const config_setting_t *item,
                           const config_setting_t *place)
{
    const config_setting_t *height = member_of(item, "height");
    const char *where = config_setting_get_string(place);
    int end = 0;
    v->receiver = !strncmp(v->key, "receivers[", 10);
    v->width = VARY_WIDTH;
    v->low[2] = -INFINITY;
    v->high[2] = INFINITY;
    if (!where || strcmp(where, "room") != 0)
        return reader_refuse(r, place, NULL, "expected place = \"room\", which is anywhere in the room");
    const int matched =
        sscanf(v->key, v->receiver ? "receivers[%zu].position%n" : "sources[%zu].position%n", &v->index, &end);
    if (matched != 1 || !end || v->key[end] || v->index > 100000)
        return reader_refuse(r, item, "key",
                             "only sources[i].position and receivers[i].position can be drawn in the room");
    if (height && (read_pair(r, height, &v->low[2], &v->high[2], "two numbers, [lowest, highest], in metres") ||
                   !(v->low[2] <= v->high[2])))
        return reader_refuse(r, height, NULL, "expected two numbers, [lowest, highest], in metres");
    return 0;
}

static int read_way(struct variation *v, struct reader *r, const config_setting_t *item, const config_setting_t *way)
{
    static const enum vary_kind kinds[COUNT(ways)] = {VARY_VALUES,      VARY_VALUES, VARY_CHOICE, VARY_UNIFORM,
                                                      VARY_LOG_UNIFORM, VARY_NORMAL, VARY_WHOLE,  VARY_PLACE};
    for (size_t i = 0; i < COUNT(ways); i++)
        if (!strcmp(ways[i], way->name))
            v->kind = kinds[i];
    switch (v->kind) {
    case VARY_VALUES:
        return !strcmp(way->name, "range") ? read_range(v, r, item, way) : read_values(v, r, way);
    case VARY_CHOICE:
        return read_values(v, r, way) || read_weights(v, r, item) ? -1 : 0;
    case VARY_NORMAL:
        return read_normal(v, r, item, way);
    case VARY_PLACE:
        return read_room_place(v, r, item, way);
    default:
        return read_ends(v, r, way);
    }
}

/* Refuses keys that belong to another draw. */
static int check_further(struct reader *r, const config_setting_t *item, const char *way)
{
    for (size_t i = 0; i < COUNT(further); i++)
        if (member_of(item, further[i].name) && strcmp(further[i].of, way) != 0)
            return reader_refuse(r, member_of(item, further[i].name), NULL,
                                 "is used with %s only, but this item has %s", further[i].of, way);
    return 0;
}

static int read_key(struct variation *v, struct reader *r, const config_setting_t *item)
{
    const config_setting_t *key = member_of(item, "key");
    const char *path = key ? config_setting_get_string(key) : NULL;
    char origin[600];
    if (!path || !*path || strpbrk(path, "= \t\r\n\""))
        return reader_refuse(r, key ? key : item, key ? NULL : "key",
                             "expected the key of the room file to vary, such as key = \"air.temperature\"");
    const struct origin at = reader_origin(r, key);
    size_t former;
    const char *present = former_key(path, &former);
    v->key = present ? text_format("%s%s", present, path + former) : text_copy(path);
    if (present)
        former_keys_found(r, &at);
    v->origin = text_copy(origin_text(&at, r->room->path, origin, sizeof origin));
    return v->key && v->origin ? 0 : reader_no_memory(r);
}

int variation_read(struct variation *v, struct reader *r, const config_setting_t *item)
{
    const config_setting_t *way = NULL;
    if (!config_setting_is_group(item))
        return reader_refuse(r, item, NULL, "expected a group, { key = \"air.temperature\"; values = (15.0, 20.0); }");
    if (plan_refuse_unknown(r, item, members, COUNT(members)) || read_key(v, r, item))
        return -1;
    for (size_t i = 0; i < COUNT(ways); i++) {
        const config_setting_t *member = member_of(item, ways[i]);
        if (member && way)
            return reader_refuse(r, member, NULL, "excludes %s; remove one of the two", way->name);
        way = member ? member : way;
    }
    if (!way)
        return reader_refuse(
            r, item, NULL, "%s: no variation; add values, range, choice, uniform, log_uniform, normal, whole or place",
            v->key);
    return check_further(r, item, way->name) || read_way(v, r, item, way) ? -1 : 0;
}
