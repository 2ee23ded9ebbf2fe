/* SPDX-License-Identifier: MIT */
#include "io/sofa/document.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static void attributes_free(struct sofa_attributes *a)
{
    for (size_t i = 0; i < a->count; i++) {
        free(a->list[i].name);
        free(a->list[i].text);
    }
    free(a->list);
}

void sofa_document_free(struct sofa_document *d)
{
    for (size_t i = 0; i < d->variable_count; i++) {
        attributes_free(&d->variables[i].attributes);
        free(d->variables[i].name);
        free(d->variables[i].values);
    }
    free(d->variables);
    attributes_free(&d->attributes);
    memset(d, 0, sizeof *d);
}

int sofa_add_attribute(struct sofa_attributes *a, const char *name, const char *text, struct error *e)
{
    if (a->count >= SOFA_ITEMS_MAX || strlen(name) > SOFA_TEXT_MAX || strlen(text) > SOFA_TEXT_MAX)
        return fail(e, ERROR_INPUT, "more than %d texts, or a text longer than %d bytes", SOFA_ITEMS_MAX,
                    SOFA_TEXT_MAX);
    struct sofa_attribute *list = realloc(a->list, (a->count + 1) * sizeof *list);
    if (list)
        a->list = list;
    struct sofa_attribute added = {list ? text_copy(name) : NULL, list ? text_copy(text) : NULL};
    if (!added.name || !added.text) {
        free(added.name);
        free(added.text);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    a->list[a->count++] = added;
    return 0;
}

/* Fills the shape. The number of values, or 0 when there are too many. */
static size_t shape(struct sofa_variable *v, const char *letters, const size_t *extent, size_t most)
{
    size_t size = 1;
    v->rank = (int)strnlen(letters, SOFA_RANK_MAX);
    memcpy(v->letters, letters, (size_t)v->rank);
    for (int i = 0; i < v->rank; i++) {
        v->extent[i] = extent[i];
        if (extent[i] == 0 || extent[i] > most / size)
            return 0;
        size *= extent[i];
    }
    return size;
}

int sofa_add_variable(struct sofa_document *d, struct sofa_variable **v, const char *name, const char *letters,
                      const size_t *extent, struct error *e)
{
    struct sofa_variable added = {0};
    const size_t size = shape(&added, letters, extent, SOFA_VALUES_MAX - d->value_count);
    if (!size || d->variable_count >= SOFA_ITEMS_MAX || strlen(name) > SOFA_TEXT_MAX)
        return fail(e, ERROR_INPUT, "an array is empty, or the arrays exceed 2 GB");
    struct sofa_variable *list = realloc(d->variables, (d->variable_count + 1) * sizeof *list);
    if (list)
        d->variables = list;
    added.name = list ? text_copy(name) : NULL;
    added.values = list ? calloc(size, sizeof *added.values) : NULL;
    if (!added.name || !added.values) {
        free(added.name);
        free(added.values);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    d->value_count += size;
    d->variables[d->variable_count] = added;
    *v = &d->variables[d->variable_count++];
    return 0;
}

const char *sofa_text(const struct sofa_attributes *a, const char *name)
{
    for (size_t i = 0; i < a->count; i++)
        if (!strcmp(a->list[i].name, name))
            return a->list[i].text;
    return NULL;
}

int sofa_need_text(const struct sofa_document *d, const char *path, const char *name, const char *wanted,
                   struct error *e)
{
    char given[QUOTED];
    const char *text = sofa_text(&d->attributes, name);
    if (!text)
        return fail(e, ERROR_INPUT, "%s: not a SOFA file; the attribute %s is missing", path, name);
    return strcmp(text, wanted)
               ? fail(e, ERROR_INPUT, "%s: %s is %s, but \"%s\" is required", path, name, quoted(given, text), wanted)
               : 0;
}

const struct sofa_variable *sofa_variable(const struct sofa_document *d, const char *name)
{
    for (size_t i = 0; i < d->variable_count; i++)
        if (!strcmp(d->variables[i].name, name))
            return &d->variables[i];
    return NULL;
}

size_t sofa_variable_size(const struct sofa_variable *v)
{
    size_t size = 1;
    for (int i = 0; i < v->rank; i++)
        size *= v->extent[i];
    return size;
}
