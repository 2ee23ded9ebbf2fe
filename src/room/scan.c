/* SPDX-License-Identifier: MIT */
/* Checks of the text, included files too, before libconfig reads it: libconfig 1.5 wraps whole numbers beyond 32 bits
 * silently and takes an open comment for the end of the file. Such text is refused by name. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/stop.h"
#include "base/text.h"
#include "room/reader.h"

/* Limits of this reader; libconfig includes a file any number of times. */
enum { BYTES_MAX = 4 << 20, DEEPEST_INCLUDE = 10, INCLUSIONS_MAX = 256, DEEPEST_GROUP = 256 };

/* Totals of a file and all that it includes. */
struct extent {
    size_t bytes, inclusions, depth;
    size_t keys[DEEPEST_GROUP]; /* of each group that is open */
};

struct scan {
    struct reader *r;
    struct extent *extent;
    const char *path, *folder;
    const char *at;
    int line;
    int depth;     /* files around this one */
    int main_line; /* of the outermost file, where this one is included */
};

static int scan_file(struct scan *s, char **text);

static int refuse_line(const struct scan *s, int line, const char *what)
{
    struct origin origin = {.file = reader_keep(s->r, s->path), .line = line};
    return origin.file ? reader_refuse_at(s->r, &origin, "%s", what) : reader_no_memory(s->r);
}

static int refuse_encoding(const struct scan *s)
{
    char what[120];
    snprintf(what, sizeof what, "byte 0x%02X in a text is not UTF-8; the file may be Latin-1: save it as UTF-8",
             (unsigned char)*s->at);
    return refuse_line(s, s->line, what);
}

static int skip_string(struct scan *s)
{
    int start = s->line;
    uint32_t letter;
    size_t bytes = 1;
    for (s->at++; *s->at && *s->at != '"'; s->at += bytes) {
        bytes = text_letter(s->at, &letter);
        if (!bytes)
            return refuse_encoding(s);
        s->at += *s->at == '\\' && (s->at[1] == '"' || s->at[1] == '\\');
        s->line += *s->at == '\n';
    }
    if (!*s->at)
        return refuse_line(s, start, "a text begins here that never ends; close it with \"");
    s->at++;
    return 0;
}

static int skip_comment(struct scan *s)
{
    int start = s->line;
    if (s->at[1] != '*') { /* # and // */
        s->at += strcspn(s->at, "\n");
        return 0;
    }
    for (s->at += 2; *s->at && strncmp(s->at, "*/", 2); s->at++)
        s->line += *s->at == '\n';
    if (!*s->at)
        return refuse_line(s, start, "a comment begins here that never ends; close it with */");
    s->at += 2;
    return 0;
}

/* Whole numbers only: libconfig reads decimal fractions well. */
static int check_number(struct scan *s)
{
    char number[64];
    size_t length = strspn(s->at, "+-.0123456789abcdefxABCDEFXL");
    bool long_suffix = false;
    snprintf(number, sizeof number, "%.*s", (int)(length < 60 ? length : 60), s->at);
    s->at += length;
    size_t n = strlen(number);
    while (n && number[n - 1] == 'L') {
        number[--n] = '\0';
        long_suffix = true;
    }
    bool hexadecimal = number[0] == '0' && (number[1] == 'x' || number[1] == 'X');
    const char *digits = number + (hexadecimal ? 2 : strspn(number, "+-"));
    if (digits[strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789")])
        return 0;
    errno = 0;
    long long value = strtoll(number, NULL, hexadecimal ? 16 : 10);
    if (errno || (!long_suffix && (value > INT_MAX || value < INT_MIN))) {
        char what[160];
        snprintf(what, sizeof what, "%.60s is too large for a whole number; write it with a decimal point", number);
        return refuse_line(s, s->line, what) && !reader_goes_on(s->r) ? -1 : 0;
    }
    return 0;
}

/* Notes an inclusion, for the order in which mistakes are reported. */
static int note_inclusion(const struct scan *s, const char *path, int main_line)
{
    struct reader *r = s->r;
    if (strcmp(s->folder, r->folder) != 0) /* of a library */
        return 0;
    struct inclusion *more = realloc(r->inclusions, (r->inclusion_count + 1) * sizeof *more);
    if (!more)
        return reader_no_memory(r);
    r->inclusions = more;
    more[r->inclusion_count] = (struct inclusion){text_copy(path), main_line};
    return more[r->inclusion_count].path ? (r->inclusion_count++, 0) : reader_no_memory(r);
}

static int scan_included(struct scan *s, const char *path)
{
    struct stat status;
    const int main_line = s->depth ? s->main_line : s->line;
    char *text = NULL, what[600];
    if (stat(path, &status)) {
        snprintf(what, sizeof what, "the included file %.300s cannot be read: %s", path, strerror(errno));
        return refuse_line(s, s->line, what);
    }
    if (S_ISDIR(status.st_mode)) {
        snprintf(what, sizeof what, "the included %.300s is a folder, not a file", path);
        return refuse_line(s, s->line, what);
    }
    const int result = note_inclusion(s, path, main_line) || scan_file(&(struct scan){.r = s->r,
                                                                                      .extent = s->extent,
                                                                                      .path = path,
                                                                                      .folder = s->folder,
                                                                                      .depth = s->depth + 1,
                                                                                      .main_line = main_line},
                                                                       &text);
    free(text);
    return result ? -1 : 0;
}

static int scan_include(struct scan *s)
{
    const char *name = s->at + strlen("@include");
    name += strspn(name, " \t");
    size_t length = *name == '"' ? strcspn(name + 1, "\"\n") : 0;
    if (!length || name[1 + length] != '"')
        return refuse_line(s, s->line, "@include takes the name of a file in \"\"");
    if (name[1] == '/')
        return refuse_line(s, s->line, "@include takes a name relative to the folder of the room file");
    if (s->depth >= DEEPEST_INCLUDE)
        return refuse_line(s, s->line, "files include each other too deeply");
    if (s->extent->inclusions++ >= INCLUSIONS_MAX)
        return refuse_line(s, s->line, "is one inclusion more than the 256 that a room may have, each time counted");
    char *relative = text_format("%.*s", (int)length, name + 1);
    char *path = relative ? path_join(s->folder, relative) : NULL;
    const int result = path ? scan_included(s, path) : reader_no_memory(s->r);
    free(path);
    free(relative);
    s->at = name + length + 2;
    return result;
}

/* A name: a key when = or : follows. */
static int skip_name(struct scan *s)
{
    struct extent *extent = s->extent;
    while (isalnum((unsigned char)*s->at) || (*s->at && strchr("-_*", *s->at)))
        s->at++;
    const char after = s->at[strspn(s->at, " \t\r\n")];
    if ((after != '=' && after != ':') || ++extent->keys[extent->depth] <= KEYS_MAX)
        return 0;
    return refuse_line(s, s->line,
                       "is one key more than the 4096 that a group { } may hold; leave out what is not used");
}

static void skip_mark(struct scan *s)
{
    struct extent *extent = s->extent;
    if (*s->at == '{' && extent->depth + 1 < DEEPEST_GROUP) /* libconfig refuses deeper nesting */
        extent->keys[++extent->depth] = 0;
    else if (*s->at == '}' && extent->depth)
        extent->depth--;
    s->at++;
}

static int scan_text(struct scan *s)
{
    bool line_start = true;
    while (*s->at) {
        char c = *s->at;
        int bad = 0;
        if (c == '\n') {
            s->line++;
            s->at++;
            line_start = true;
            continue;
        }
        if (c == ' ' || c == '\t') {
            s->at++;
            continue;
        }
        if (c == '"')
            bad = skip_string(s);
        else if (c == '#' || (c == '/' && (s->at[1] == '/' || s->at[1] == '*')))
            bad = skip_comment(s);
        else if (line_start && !strncmp(s->at, "@include", 8))
            bad = scan_include(s);
        else if (isalpha((unsigned char)c) || c == '*' || c == '_')
            bad = skip_name(s);
        else if (isdigit((unsigned char)c) || c == '+' || c == '-' || c == '.')
            bad = check_number(s);
        else
            skip_mark(s);
        if (bad)
            return -1;
        line_start = false;
    }
    return stop_check(s->r->error);
}

const char *text_after_mark(const char *text)
{
    return strncmp(text, "\xEF\xBB\xBF", 3) ? text : text + 3;
}

bool text_is_json(const char *text)
{
    text = text_after_mark(text);
    return text[strspn(text, " \t\r\n")] == '{';
}

/* s->at and s->line are set here. */
static int scan_whole(struct scan *s, const char *text)
{
    s->at = text_after_mark(text);
    s->line = 1;
    return s->depth == 0 && text_is_json(text) ? 0 : scan_text(s);
}

static int scan_file(struct scan *s, char **text)
{
    if (file_read_text(s->path, BYTES_MAX, text, s->r->error))
        return -1;
    s->extent->bytes += strlen(*text);
    if (s->extent->bytes > BYTES_MAX)
        return fail(s->r->error, ERROR_INPUT, "%s: is included, and with it the room is longer than 4 MB: include less",
                    s->path);
    return scan_whole(s, *text);
}

/* libconfig 1.5 does not look whether it gets memory, and crashes without: so all that it may need for a text is asked
 * for, and given back, before it has it. Measured: at most 54 bytes for each of the text, and as much as 8 of those
 * twice while a list grows. */
static int secure_memory(struct reader *r, const char *name, size_t bytes)
{
    static const size_t each = 80, any = (size_t)1 << 20;
    if (memory_demand((double)(each * bytes + any), r->error, "%s: its settings", name))
        return -1;
    return memory_is_there(each * bytes + any) ? 0 : reader_no_memory(r);
}

int scan_room_file(struct reader *r, const char *path, const char *folder, char **text)
{
    struct extent extent = {0};
    return scan_file(&(struct scan){.r = r, .extent = &extent, .path = path, .folder = folder}, text) ||
                   secure_memory(r, path, extent.bytes)
               ? -1
               : 0;
}

int scan_room_text(struct reader *r, const char *name, const char *folder, const char *text)
{
    struct extent extent = {.bytes = strlen(text)};
    if (extent.bytes > BYTES_MAX)
        return fail(r->error, ERROR_INPUT, "%s: is longer than 4 MB: give a shorter text", name);
    return scan_whole(&(struct scan){.r = r, .extent = &extent, .path = name, .folder = folder}, text);
}

int check_text(struct reader *r, const char *name, const char *text)
{
    struct extent extent = {0};
    struct scan s = {.r = r, .extent = &extent, .path = name, .folder = r->folder, .at = text, .line = 0};
    return scan_text(&s) || secure_memory(r, name, strlen(text) + extent.bytes) ? -1 : 0;
}
