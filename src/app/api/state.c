/* SPDX-License-Identifier: MIT */
#include "app/api/state.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "io/json_build.h"

/* JSON has no numbers that are not finite. */
static const char *const unusual[] = {"nan", "inf", "-inf"};

static cJSON *number_json(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g", value); /* cJSON itself prints 15 digits */
    if (isfinite(value))
        return cJSON_CreateRaw(text);
    return cJSON_CreateString(unusual[isnan(value) ? 0 : value > 0.0 ? 1 : 2]);
}

static double get(const void *record, const struct state_member *m, size_t i)
{
    const char *at = (const char *)record + m->offset;
    switch (m->kind) {
    case STATE_NUMBER:
        return ((const double *)(const void *)at)[i];
    case STATE_SIZE:
        return (double)((const size_t *)(const void *)at)[i];
    case STATE_LARGE:
        return (double)((const uint64_t *)(const void *)at)[i];
    case STATE_WHOLE:
        return (double)((const int *)(const void *)at)[i];
    case STATE_FLAG:
        return (double)((const bool *)(const void *)at)[i];
    }
    return NAN;
}

static void put(void *record, const struct state_member *m, size_t i, double value)
{
    char *at = (char *)record + m->offset;
    switch (m->kind) {
    case STATE_NUMBER:
        ((double *)(void *)at)[i] = value;
        return;
    case STATE_SIZE:
        ((size_t *)(void *)at)[i] = (size_t)value;
        return;
    case STATE_LARGE:
        ((uint64_t *)(void *)at)[i] = (uint64_t)value;
        return;
    case STATE_WHOLE:
        ((int *)(void *)at)[i] = (int)value;
        return;
    case STATE_FLAG:
        ((bool *)(void *)at)[i] = value != 0.0;
        return;
    }
}

static bool in_range(const struct state_member *m, double value)
{
    switch (m->kind) {
    case STATE_NUMBER:
        return true;
    case STATE_SIZE:
    case STATE_LARGE:
        return value >= 0.0 && value < 0x1p63 && value == floor(value);
    case STATE_WHOLE:
        return value >= 0.0 && value <= (double)(m->most ? m->most : INT_MAX) && value == floor(value);
    case STATE_FLAG:
        return value == 0.0 || value == 1.0;
    }
    return false;
}

void state_add(cJSON *object, const void *record, const struct state_member *members, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const struct state_member *m = &members[k];
        if (m->count == 1) {
            cJSON_AddItemToObject(object, m->name, number_json(get(record, m, 0)));
            continue;
        }
        cJSON *list = cJSON_AddArrayToObject(object, m->name);
        for (size_t i = 0; i < m->count; i++)
            cJSON_AddItemToArray(list, number_json(get(record, m, i)));
    }
}

/* Nonzero unless the item is a number. */
static int read_number(double *value, const cJSON *item)
{
    static const double values[] = {NAN, INFINITY, -INFINITY};
    if (cJSON_IsNumber(item)) {
        *value = item->valuedouble;
        return 0;
    }
    for (size_t i = 0; cJSON_IsString(item) && i < sizeof values / sizeof *values; i++)
        if (!strcmp(item->valuestring, unusual[i])) {
            *value = values[i];
            return 0;
        }
    return -1;
}

int state_take(void *record, const cJSON *object, const struct state_member *members, size_t count, struct error *e)
{
    for (size_t k = 0; k < count; k++) {
        const struct state_member *m = &members[k];
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, m->name);
        if (m->count > 1 && (!cJSON_IsArray(item) || (size_t)cJSON_GetArraySize(item) != m->count))
            return fail(e, ERROR_INPUT, "json: %s is not an array of %zu numbers", m->name, m->count);
        const cJSON *one = m->count > 1 ? item->child : item;
        for (size_t i = 0; i < m->count; i++, one = one->next) {
            double value;
            if (read_number(&value, one) || !in_range(m, value))
                return fail(e, ERROR_INPUT, "json: %s is %s", m->name, one ? "no valid number" : "missing");
            put(record, m, i, value);
        }
    }
    return 0;
}

void state_add_texts(cJSON *object, const char *name, char *const *texts, size_t count)
{
    cJSON *list = cJSON_AddArrayToObject(object, name);
    for (size_t i = 0; i < count; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(texts[i]));
}

int state_take_texts(char ***texts, size_t *count, const cJSON *object, const char *name, struct error *e)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, name), *item;
    if (!cJSON_IsArray(list))
        return fail(e, ERROR_INPUT, "json: %s is not an array of texts", name);
    cJSON_ArrayForEach(item, list) if (!cJSON_IsString(item) || lines_add(texts, count, e, "%s", item->valuestring))
    {
        return cJSON_IsString(item) ? -1 : fail(e, ERROR_INPUT, "json: %s is not an array of texts", name);
    }
    return 0;
}
