/* SPDX-License-Identifier: MIT */
#include "base/growing_text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(struct growing_text *t, size_t more)
{
    if (t->lost || more > SIZE_MAX / 4 - t->length)
        return false;
    if (t->length + more < t->room)
        return true;
    const size_t room = 2 * (t->length + more + 64);
    char *larger = realloc(t->text, room);
    if (!larger)
        return false;
    t->text = larger;
    t->room = room;
    return true;
}

void growing_text_bytes(struct growing_text *t, const char *bytes, size_t count)
{
    if (!make_room(t, count)) {
        t->lost = true;
        return;
    }
    memcpy(t->text + t->length, bytes, count);
    t->length += count;
    t->text[t->length] = '\0';
}

void growing_text_add(struct growing_text *t, const char *format, ...)
{
    char *piece = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&piece, format, arguments);
    va_end(arguments);
    if (length < 0) {
        t->lost = true;
        return;
    }
    growing_text_bytes(t, piece, (size_t)length);
    free(piece);
}

char *growing_text_take(struct growing_text *t, size_t *length)
{
    growing_text_bytes(t, "", 0); /* so that an empty text is not NULL */
    char *text = t->lost ? NULL : t->text;
    if (t->lost)
        free(t->text);
    if (length)
        *length = t->length;
    *t = (struct growing_text){0};
    return text;
}
