/* SPDX-License-Identifier: MIT */
#include "base/diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

bool diagnostics_keep(struct diagnostics *c, const struct error *e, struct diagnostics_place place)
{
    if (c->count == COMPLAINTS_MAX)
        return false;
    struct diagnostic *more = realloc(c->items, (c->count + 1) * sizeof *more);
    if (!more)
        return false;
    c->items = more;
    more[c->count] = (struct diagnostic){text_copy(e->message), place, c->count};
    return more[c->count].message && ++c->count < COMPLAINTS_MAX;
}

static int by_place(const void *a, const void *b)
{
    const struct diagnostic *left = a, *right = b;
    const int pairs[][2] = {{left->place.line, right->place.line},
                            {left->place.file, right->place.file},
                            {left->place.inner, right->place.inner}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i][0] != pairs[i][1])
            return pairs[i][0] < pairs[i][1] ? -1 : 1;
    return left->number < right->number ? -1 : 1;
}

static bool is_kept(const struct diagnostic *items, size_t count, const char *message)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(items[i].message, message))
            return true;
    return false;
}

/* Sorts by place and removes duplicates. */
static void sort_and_merge(struct diagnostics *c)
{
    size_t kept = 0;
    qsort(c->items, c->count, sizeof *c->items, by_place);
    for (size_t i = 0; i < c->count; i++) {
        if (is_kept(c->items, kept, c->items[i].message))
            free(c->items[i].message);
        else
            c->items[kept++] = c->items[i];
    }
    c->count = kept;
}

int diagnostics_tell(struct diagnostics *c, struct error *e)
{
    char more[64];
    size_t used = 0, told = 0;
    const bool all = c->count < COMPLAINTS_MAX;
    if (!c->count)
        return 0;
    sort_and_merge(c);
    if (!e)
        return -1;
    e->code = ERROR_INPUT;
    for (; told < c->count && told < COMPLAINTS_TOLD; told++) {
        const size_t length = strlen(c->items[told].message);
        if (told && used + length + 1 + sizeof more >= sizeof e->message)
            break;
        used += (size_t)snprintf(e->message + used, sizeof e->message - used, "%s%s", told ? "\n" : "",
                                 c->items[told].message);
    }
    if (told < c->count)
        snprintf(e->message + used, sizeof e->message - used, "\nand %s%zu more", all ? "" : "at least ",
                 c->count - told);
    return -1;
}

void diagnostics_free(struct diagnostics *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->items[i].message);
    free(c->items);
    *c = (struct diagnostics){0};
}
