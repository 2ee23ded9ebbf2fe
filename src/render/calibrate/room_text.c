/* SPDX-License-Identifier: MIT */
#include "render/calibrate/room_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* Past a comment, if one begins here. */
static const char *past_comment(const char *at)
{
    if (*at == '#' || !strncmp(at, "//", 2))
        return at + strcspn(at, "\n");
    if (strncmp(at, "/*", 2) != 0)
        return at;
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
}

/* Past the string, comment or single character at `at`. */
static const char *past(const char *at)
{
    const char *after = past_comment(at);
    if (after != at)
        return after;
    if (*at++ != '"')
        return at;
    while (*at && *at != '"')
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

static const char *past_space(const char *at)
{
    for (const char *after; *at; at = after) {
        after = isspace((unsigned char)*at) ? at + 1 : past_comment(at);
        if (after == at)
            break;
    }
    return at;
}

static size_t name_length(const char *at)
{
    size_t length = 0;
    if (!isalpha((unsigned char)*at) && *at != '*')
        return 0;
    while (isalnum((unsigned char)at[length]) || (at[length] && strchr("-_*", at[length])))
        length++;
    return length;
}

/* The bracket that closes the one at `at`; NULL: none does. */
static const char *closing(const char *at)
{
    size_t depth = 0;
    while (*at) {
        depth += strchr("{[(", *at) != NULL;
        if (strchr("}])", *at) && !--depth)
            return at;
        at = past(at);
    }
    return NULL;
}

/* The value of a key in the group whose members lie from `at` to `end`; NULL: it has none. */
static const char *member(const char *at, const char *end, const char *name)
{
    while ((at = past_space(at)) < end && *at) {
        const size_t length = name_length(at);
        const char *value = past_space(at + length);
        if (!length || (*value != '=' && *value != ':')) {
            const char *close = *at && strchr("{[(", *at) ? closing(at) : NULL;
            at = close ? close + 1 : past(at);
            continue;
        }
        value = past_space(value + 1);
        if (length == strlen(name) && !strncmp(at, name, length))
            return value;
        const char *close = *value && strchr("{[(", *value) ? closing(value) : NULL;
        at = close ? close + 1 : value;
        while (!close && at < end && *at && *at != ';' && *at != ',')
            at = past(at);
    }
    return NULL;
}

static void add_numbers(struct growing_text *t, const double *values, const char *format)
{
    growing_text_add(t, "[ ");
    for (size_t k = 0; k < OCTAVE_BANDS; k++) {
        growing_text_add(t, "%s", k ? ", " : "");
        growing_text_add(t, *format == '1' ? "%.1f" : "%.4f", values[k]);
    }
    growing_text_add(t, " ]");
}

/* Letters that would end a string or a line become spaces. */
static void add_string(struct growing_text *t, const char *key, const char *text)
{
    if (!text)
        return;
    growing_text_add(t, "    %s = \"", key);
    for (; *text; text++)
        growing_text_add(t, "%s%c", *text == '"' || *text == '\\' ? "\\" : "",
                         iscntrl((unsigned char)*text) ? ' ' : *text);
    growing_text_add(t, "\";\n");
}

static void add_definition(struct growing_text *t, const struct calibrate_definition *d)
{
    const struct material *m = d->material;
    growing_text_add(t, "\n  # %s\n  %s =\n  {\n", d->remark, m->name);
    add_string(t, "description", m->description);
    growing_text_add(t, "    absorption = ");
    add_numbers(t, m->absorption, "4");
    growing_text_add(t, ";\n");
    if (!m->smooth) {
        growing_text_add(t, "    scattering = ");
        add_numbers(t, m->scattering, "4");
        growing_text_add(t, ";\n");
    }
    growing_text_add(t, "  };\n");
}

/* A piece of the text to be replaced. */
struct edit {
    const char *from, *to;
    const struct calibrate_definition *definition;
    bool bands;
};

static int by_place(const void *a, const void *b)
{
    const char *one = ((const struct edit *)a)->from, *other = ((const struct edit *)b)->from;
    return (one > other) - (one < other);
}

/* Finds the arrays of a definition; 0: the file does not define it by an array. */
static size_t find(struct edit *edits, const char *group, const char *end, const struct calibrate_definition *d)
{
    const char *own = group ? member(group + 1, end, d->material->name) : NULL;
    const char *own_end = own && *own == '{' ? closing(own) : NULL, *names[] = {"absorption", "bands"};
    size_t found = 0;
    for (size_t i = 0; i < 2 && own_end; i++) {
        const char *value = member(own + 1, own_end, names[i]);
        const char *close = value && (*value == '[' || *value == '(') ? closing(value) : NULL;
        if (close)
            edits[found++] = (struct edit){value, close + 1, d, i == 1};
        else if (!i)
            return 0;
    }
    return found;
}

static void write_edits(struct growing_text *t, const char *from, const char *to, const struct edit *edits,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        growing_text_bytes(t, from, (size_t)(edits[i].from - from));
        if (edits[i].bands)
            add_numbers(t, octave_band_centre, "1");
        else {
            add_numbers(t, edits[i].definition->material->absorption, "4");
            growing_text_add(t, " /* %s */", edits[i].definition->remark);
        }
        from = edits[i].to;
    }
    growing_text_bytes(t, from, (size_t)(to - from));
}

char *calibrate_room_text(const char *text, const struct calibrate_definition *definitions, size_t count,
                          struct error *e)
{
    const char *end = text + strlen(text), *group = member(text, end, "materials");
    const char *group_end = group && *group == '{' ? closing(group) : NULL;
    struct growing_text t = {.text = NULL};
    struct edit *edits = calloc(2 * count + 1, sizeof *edits);
    bool *own = calloc(count + 1, sizeof *own);
    size_t used = 0, added = 0;
    char *whole = NULL;
    if (!edits || !own) {
        fail(e, ERROR_MEMORY, "out of memory");
        goto done;
    }
    if (group && !group_end) {
        fail(e, ERROR_INPUT, "the group materials has no end; end it with };");
        goto done;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t found = find(edits + used, group, group_end, &definitions[i]);
        own[i] = found > 0;
        added += !found;
        used += found;
    }
    qsort(edits, used, sizeof *edits, by_place);
    write_edits(&t, text, group ? group_end : end, edits, used);
    if (added && !group)
        growing_text_add(&t, "\nmaterials:\n{");
    for (size_t i = 0; i < count; i++)
        if (!own[i])
            add_definition(&t, &definitions[i]);
    if (added && !group)
        growing_text_add(&t, "};\n");
    if (group)
        growing_text_add(&t, "%s", group_end);
    if (!(whole = growing_text_take(&t, NULL)))
        fail(e, ERROR_MEMORY, "out of memory");
done:
    free(edits);
    free(own);
    return whole;
}
