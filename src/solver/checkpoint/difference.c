/* SPDX-License-Identifier: MIT */
#include "solver/checkpoint/difference.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "base/text.h"

struct found {
    char *path; /* path of the value that differs */
    char *there, *here;
    bool differs, no_memory;
};

/* The shortest representation that identifies the number exactly; cJSON prints and compares with
 * a tolerance. */
static char *number_text(double value)
{
    char *text = NULL;
    for (int digits = 15; digits <= 17; digits++) {
        free(text);
        text = text_format("%.*g", digits, value);
        if (text && strtod(text, NULL) == value)
            break;
    }
    return text;
}

/* Text of a value for a message; NULL when out of memory. */
static char *value_text(const cJSON *value)
{
    if (cJSON_IsNumber(value))
        return number_text(value->valuedouble);
    if (!value)
        return text_copy("absent");
    char *whole = cJSON_IsString(value) ? text_copy(value->valuestring) : cJSON_PrintUnformatted(value);
    char shown[QUOTED], *text = whole ? text_copy(quoted(shown, whole)) : NULL;
    free(whole);
    return text;
}

static bool tell(struct found *f, const char *path, const cJSON *there, const cJSON *here)
{
    f->differs = true;
    f->path = text_copy(path);
    f->there = value_text(there);
    f->here = value_text(here);
    f->no_memory = !f->path || !f->there || !f->here;
    return true;
}

static bool is_leaf(const cJSON *value)
{
    return !cJSON_IsObject(value) && !cJSON_IsArray(value);
}

static bool same_leaf(const cJSON *a, const cJSON *b)
{
    if (cJSON_IsString(a) && cJSON_IsString(b))
        return !strcmp(path_name(a->valuestring), path_name(b->valuestring));
    if (cJSON_IsNumber(a) && cJSON_IsNumber(b))
        return a->valuedouble == b->valuedouble;
    return cJSON_Compare(a, b, true);
}

static bool search(struct found *f, const char *path, const cJSON *there, const cJSON *here);

/* Whether a member (or element) of one value differs from its counterpart in the other. */
static bool search_member(struct found *f, const char *path, const cJSON *there, const cJSON *here, const char *name,
                          int index)
{
    char *inner = name ? text_format("%s%s%s", path, *path ? "." : "", name) : text_format("%s[%d]", path, index);
    if (!inner) {
        f->no_memory = f->differs = true;
        return true;
    }
    const bool differs = search(f, inner, there, here);
    free(inner);
    return differs;
}

static bool search_object(struct found *f, const char *path, const cJSON *there, const cJSON *here)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, there)
    {
        const cJSON *other = cJSON_GetObjectItemCaseSensitive(here, item->string);
        if (search_member(f, path, item, other, item->string, 0))
            return true;
    }
    cJSON_ArrayForEach(item, here)
    {
        const cJSON *other = cJSON_GetObjectItemCaseSensitive(there, item->string);
        if (!other && search_member(f, path, NULL, item, item->string, 0))
            return true;
    }
    return false;
}

static bool search(struct found *f, const char *path, const cJSON *there, const cJSON *here)
{
    if (!there || !here)
        return tell(f, path, there, here);
    if (cJSON_IsObject(there) && cJSON_IsObject(here))
        return search_object(f, path, there, here);
    if (is_leaf(there) || is_leaf(here) || !cJSON_IsArray(there) || !cJSON_IsArray(here))
        return !(is_leaf(there) && is_leaf(here) && same_leaf(there, here)) && tell(f, path, there, here);
    const cJSON *a = there->child, *b = here->child;
    for (int i = 0; a || b; i++, a = a ? a->next : NULL, b = b ? b->next : NULL)
        if (search_member(f, path, a, b, NULL, i))
            return true;
    return false;
}

int difference_find(char **text, const char *there, const char *here, struct error *e)
{
    cJSON *a = cJSON_Parse(there), *b = cJSON_Parse(here);
    struct found f = {.path = NULL};
    *text = NULL;
    if (a && b && search(&f, "", a, b) && !f.no_memory) {
        *text = text_format("%s is %s in the checkpoint and %s in this run", f.path, f.there, f.here);
        f.no_memory = !*text;
    }
    free(f.path);
    free(f.there);
    free(f.here);
    const bool parsed = a && b;
    cJSON_Delete(a);
    cJSON_Delete(b);
    if (!parsed)
        return fail(e, ERROR_INPUT, "expected JSON that describes a run");
    return f.no_memory ? fail(e, ERROR_MEMORY, "out of memory") : 0;
}
