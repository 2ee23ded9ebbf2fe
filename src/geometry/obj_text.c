/* SPDX-License-Identifier: MIT */
#include "geometry/obj_text.h"

#include <string.h>

#include "base/input_file.h"
#include "base/stop.h"
#include "base/text.h"

int obj_text_open(struct obj_text *t, const char *path, struct error *e)
{
    *t = (struct obj_text){.path = path, .line = 1};
    t->stream = input_file_stream(path, e);
    if (!t->stream)
        return -1;
    static const unsigned char mark[3] = {0xEF, 0xBB, 0xBF}; /* the byte order mark of UTF-8 */
    int first = getc_unlocked(t->stream);
    for (size_t i = 0; i < sizeof mark && first == mark[i]; i++)
        first = getc_unlocked(t->stream);
    t->ahead[t->ahead_count++] = first;
    return 0;
}

void obj_text_close(struct obj_text *t)
{
    if (t->stream)
        fclose(t->stream);
    t->stream = NULL;
}

static int take(struct obj_text *t)
{
    return t->ahead_count ? t->ahead[--t->ahead_count] : getc_unlocked(t->stream);
}

static void put_back(struct obj_text *t, int c)
{
    t->ahead[t->ahead_count++] = c;
}

/* The next character; every end of a line is '\n', and counted. */
static int next_raw(struct obj_text *t)
{
    int c = take(t);
    if (c == '\r') {
        c = take(t);
        if (c != '\n')
            put_back(t, c);
        c = '\n';
    }
    if (!c && !t->nul_line)
        t->nul_line = t->line;
    t->stopped = t->stopped || stop_requested_at(++t->characters);
    if (t->nul_line || t->stopped)
        return EOF;
    t->line += c == '\n';
    return c;
}

/* The same; a continued line's end is a space. */
static int next(struct obj_text *t)
{
    int c = next_raw(t);
    if (c != '\\')
        return c;
    c = take(t);
    put_back(t, c);
    if (c != '\n' && c != '\r')
        return '\\';
    next_raw(t);
    return ' ';
}

/* Before the end of a line, so that the next word finds it again. */
static void put_end_back(struct obj_text *t, int c)
{
    t->line -= c == '\n';
    put_back(t, c);
}

static bool is_space(int c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static bool is_end(int c)
{
    return c == '\n' || c == EOF;
}

static int skip_space(struct obj_text *t)
{
    int c;
    do
        c = next(t);
    while (is_space(c));
    return c;
}

bool obj_text_word(struct obj_text *t)
{
    size_t length = 0;
    int c = skip_space(t);
    if (c == '#')
        while (!is_end(c))
            c = next_raw(t);
    for (; !is_end(c) && !is_space(c); c = next(t))
        if (length < MESH_NAME_MAX)
            t->word[length++] = (char)c;
        else
            length = MESH_NAME_MAX + 1;
    t->cut = length > MESH_NAME_MAX;
    t->word[t->cut ? MESH_NAME_MAX : length] = '\0';
    put_end_back(t, c);
    return length > 0;
}

void obj_text_rest(struct obj_text *t)
{
    size_t length = 0, end = 0;
    int c = skip_space(t);
    t->cut = false;
    for (; !is_end(c); c = next(t)) {
        t->cut = t->cut || (length == MESH_NAME_MAX && !is_space(c));
        if (length < MESH_NAME_MAX)
            t->word[length++] = (char)c;
        if (!is_space(c))
            end = length;
    }
    t->word[end] = '\0';
    put_end_back(t, c);
}

bool obj_text_next_line(struct obj_text *t)
{
    int c;
    do
        c = next(t);
    while (!is_end(c));
    if (c == EOF)
        put_back(t, c);
    return c != EOF;
}

int obj_text_check(const struct obj_text *t, struct error *e)
{
    if (t->stopped)
        return fail(e, ERROR_STOPPED, "stopped on request");
    if (t->nul_line)
        return fail(e, ERROR_INPUT, "%s:%llu: contains a NUL byte and is not an OBJ file in UTF-8; export it again",
                    t->path, (unsigned long long)t->nul_line);
    return ferror(t->stream) ? fail(e, ERROR_INPUT, "%s: cannot be read to the end", t->path) : 0;
}
