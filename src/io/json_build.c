/* SPDX-License-Identifier: MIT */
#include "io/json_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sanitize_text.h"

static _Thread_local bool lost;

cJSON *json_noted(cJSON *item)
{
    lost = lost || !item;
    return item;
}

static bool added_or_deleted(bool added, cJSON *item)
{
    if (!added)
        cJSON_Delete(item);
    lost = lost || !added;
    return added;
}

/* Calls cJSON's functions, not the macros of the header. */
bool json_add_to_object(cJSON *object, const char *name, cJSON *item)
{
    return added_or_deleted((cJSON_AddItemToObject)(object, name, item), item);
}

bool json_add_to_array(cJSON *array, cJSON *item)
{
    return added_or_deleted((cJSON_AddItemToArray)(array, item), item);
}

/* Escapes what cJSON does not: DEL, U+0080 to U+009F and bytes that are not UTF-8. */
static char *sanitize_json(const char *text)
{
    struct sanitize_text v = {.form = SANITIZE_JSON};
    const size_t length = strlen(text);
    char *out = malloc(SANITIZE_MAX(length) + 1);
    if (!out)
        return NULL;
    size_t used = sanitize_piece(&v, out, text, length);
    used += sanitize_end(&v, out + used);
    out[used] = '\0';
    return out;
}

static char *take_text(cJSON *document, bool formatted)
{
    char *printed = lost ? NULL : formatted ? cJSON_Print(document) : cJSON_PrintUnformatted(document);
    char *text = printed ? sanitize_json(printed) : NULL;
    cJSON_free(printed);
    cJSON_Delete(document);
    lost = false;
    return text;
}

char *json_text(cJSON *document)
{
    return take_text(document, true);
}

char *json_line(cJSON *document)
{
    return take_text(document, false);
}

int json_print(cJSON *json, struct error *e)
{
    char *text = json_text(json);
    if (!text)
        return fail(e, ERROR_MEMORY, "out of memory");
    printf("%s\n", text);
    free(text);
    return 0;
}
