/* SPDX-License-Identifier: MIT */
#include "room/expansion.h"

#include <stdlib.h>
#include <string.h>

void expansion_add(struct expansion *x, const char *text, size_t bytes)
{
    growing_text_bytes(&x->text, text, bytes);
    for (const char *end = text + bytes; (text = memchr(text, '\n', (size_t)(end - text))); text++)
        x->newlines++;
}

int expansion_begin(struct expansion *x, const char *file, int line)
{
    struct stretch *more = realloc(x->stretches, (x->stretch_count + 1) * sizeof *more);
    if (!more)
        return -1;
    x->stretches = more;
    more[x->stretch_count++] = (struct stretch){.first = x->newlines + 1, .file = file, .line = line};
    return 0;
}

/* If several stretches begin in the same line, all but the last are empty. */
struct stretch expansion_place(const struct expansion *x, int line)
{
    size_t low = 0, high = x->stretch_count; /* the stretch is before `high`, and not before `low` - 1 */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (x->stretches[middle].first <= line)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return (struct stretch){.first = line, .file = NULL, .line = line};
    const struct stretch *s = &x->stretches[low - 1];
    return (struct stretch){.first = line, .file = s->file, .line = s->line + line - s->first};
}

void expansion_place_settings(const struct expansion *x, config_setting_t *setting)
{
    if (setting->line) {
        const struct stretch place = expansion_place(x, (int)setting->line);
        setting->file = place.file;
        setting->line = (unsigned)place.line;
    }
    for (unsigned i = 0; config_setting_is_aggregate(setting) && i < (unsigned)config_setting_length(setting); i++)
        expansion_place_settings(x, config_setting_get_elem(setting, i));
}

void expansion_free(struct expansion *x)
{
    free(growing_text_take(&x->text, NULL));
    free(x->stretches);
    *x = (struct expansion){.stretches = NULL};
}
