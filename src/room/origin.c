/* SPDX-License-Identifier: MIT */
/* Origins of settings, and refusals that name them: "file:line: key: message". */
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "room/reader.h"

const char *reader_keep(struct reader *r, const char *text)
{
    struct room *room = r->room;
    for (size_t i = room->file_count; i-- > 0;) /* the last one is the likeliest */
        if (!strcmp(room->files[i], text))
            return room->files[i];
    char **more = realloc(room->files, (room->file_count + 1) * sizeof *more);
    if (!more)
        return NULL;
    room->files = more;
    more[room->file_count] = text_copy(text);
    return more[room->file_count] ? more[room->file_count++] : NULL;
}

int reader_no_memory(struct reader *r)
{
    return fail(r->error, ERROR_MEMORY, "%s: out of memory", r->room->path);
}

/* libconfig records no line for some values inside lists; they take the line of the enclosing
 * setting. */
struct origin reader_origin(struct reader *r, const config_setting_t *setting)
{
    const char *library = setting->config == &r->materials.config     ? r->materials.path
                          : setting->config == &r->instruments.config ? r->instruments.path
                                                                      : NULL;
    for (const config_setting_t *s = setting; s; s = s->parent) {
        if (s->hook) /* the text of --set */
            return (struct origin){.file = s->hook};
        if (!s->line)
            continue;
        const char *kept = reader_keep(r, s->file ? s->file : library ? library : r->room->path);
        return (struct origin){.file = kept ? kept : r->room->path, .line = (int)s->line};
    }
    const char *kept = reader_keep(r, library ? library : r->room->path);
    return (struct origin){.file = kept ? kept : r->room->path};
}

const char *origin_text(const struct origin *origin, const char *fallback, char *text, size_t size)
{
    if (origin->file && origin->line)
        snprintf(text, size, "%s:%d", origin->file, origin->line);
    else
        snprintf(text, size, "%s", origin->file ? origin->file : fallback);
    return text;
}

void setting_path(const config_setting_t *setting, const config_setting_t *top, const char *member, char *text,
                  size_t size)
{
    const config_setting_t *chain[32]; /* innermost first; deeper nesting is cut off in messages */
    size_t depth = 0, used = 0;
    for (const config_setting_t *s = setting; s->parent && s != top && depth < 32; s = s->parent)
        chain[depth++] = s;
    *text = '\0';
    while (depth-- > 0 && used < size) {
        const config_setting_t *s = chain[depth];
        int length = s->name ? snprintf(text + used, size - used, "%s%.64s", used ? "." : "", s->name)
                             : snprintf(text + used, size - used, "[%d]", config_setting_index(s));
        used += (size_t)length;
    }
    if (member && used < size)
        snprintf(text + used, size - used, "%s%.64s", used ? "." : "", member);
}

int reader_refuse(struct reader *r, const config_setting_t *setting, const char *member, const char *format, ...)
{
    char where[512], path[256], what[512];
    struct origin origin = reader_origin(r, setting);
    r->refused = origin;
    origin_text(&origin, "", where, sizeof where);
    setting_path(setting, r->definition, member, path, sizeof path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const char *material = r->definition ? r->definition->name : NULL;
    return fail(r->error, ERROR_INPUT, "%s: %s%.64s%s%s%s%s", where, material ? "material " : "",
                material ? material : "", material ? ": " : "", path, *path ? ": " : "", what);
}

int reader_refuse_at(struct reader *r, const struct origin *origin, const char *format, ...)
{
    char where[512], what[512];
    r->refused = *origin;
    origin_text(origin, "", where, sizeof where);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return fail(r->error, ERROR_INPUT, "%s: %s", where, what);
}

static struct diagnostics_place place_of(const struct reader *r, const struct origin *origin)
{
    if (origin->file && !strcmp(origin->file, r->room->path))
        return (struct diagnostics_place){origin->line ? origin->line : INT_MAX - 1, 0, 0}; /* the whole file: last */
    for (size_t i = 0; origin->file && i < r->inclusion_count; i++)
        if (!strcmp(origin->file, r->inclusions[i].path))
            return (struct diagnostics_place){r->inclusions[i].line, (int)i + 1, origin->line};
    return (struct diagnostics_place){INT_MAX, 0, origin->line}; /* a library, or --set */
}

bool reader_goes_on(struct reader *r)
{
    const struct diagnostics_place place = place_of(r, &r->refused);
    r->refused = (struct origin){0};
    return r->error->code == ERROR_INPUT && diagnostics_keep(&r->diagnostics, r->error, place);
}

void reader_mark_wrong(struct reader *r, const void *item)
{
    if (r->wrong_count < COMPLAINTS_MAX) /* there is a diagnostic for each */
        r->wrong[r->wrong_count++] = item;
}

bool reader_found_wrong(const struct reader *r, const void *item)
{
    for (size_t i = 0; i < r->wrong_count; i++)
        if (r->wrong[i] == item)
            return true;
    return false;
}

int reader_tell(struct reader *r, int status)
{
    if (status && r->error->code != ERROR_INPUT)
        return -1;
    if (status)
        reader_goes_on(r);
    return diagnostics_tell(&r->diagnostics, r->error) || status ? -1 : 0;
}
