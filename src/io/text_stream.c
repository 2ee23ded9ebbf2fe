/* SPDX-License-Identifier: MIT */
#include "io/text_stream.h"

#include <stdlib.h>

static _Thread_local bool lost;

int stream_noted(int result)
{
    lost = lost || result < 0;
    return result;
}

size_t stream_noted_count(size_t written, size_t asked)
{
    lost = lost || written != asked;
    return written;
}

/* Writer of a cookie stream: 0 is a failure, which sets ferror. */
static ssize_t keep(void *cookie, const char *bytes, size_t count)
{
    struct text_stream *t = cookie;
    growing_text_bytes(&t->text, bytes, count);
    return t->text.lost ? 0 : (ssize_t)count;
}

FILE *text_stream_open(struct text_stream *t)
{
    *t = (struct text_stream){0};
    t->stream = fopencookie(t, "w", (cookie_io_functions_t){.write = keep});
    return t->stream;
}

char *text_stream_close(struct text_stream *t, size_t *length)
{
    if (!t->stream)
        return NULL;
    const bool bad = ferror(t->stream) | fclose(t->stream);
    char *text = growing_text_take(&t->text, length);
    t->stream = NULL;
    if (bad || lost) {
        free(text);
        text = NULL;
    }
    lost = false;
    return text;
}
