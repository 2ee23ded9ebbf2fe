/* SPDX-License-Identifier: MIT */
/* Checks a room file and everything that it includes while joining them into the text that
 * libconfig reads. libconfig 1.5 silently wraps integers beyond 32 bits and treats an open comment
 * as the end of the file; such text is refused here. */
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
#include "room/expansion.h"
#include "room/reader.h"

/* Limits of this reader. libconfig compares each key with all earlier ones of its group and cannot
 * be interrupted meanwhile. COMPARISONS_MAX, four groups of KEYS_MAX, takes a fraction of a second. */
enum {
    BYTES_MAX = 4 << 20,
    DEEPEST_INCLUDE = 10,
    INCLUSIONS_MAX = 256,
    DEEPEST_GROUP = 256,
    COMPARISONS_MAX = 1 << 25
};

/* Totals of a file and all that it includes. */
struct extent {
    size_t bytes, inclusions, depth;
    size_t comparisons;         /* of keys, by libconfig */
    size_t keys[DEEPEST_GROUP]; /* of each group that is open */
};

struct scan {
    struct reader *r;
    struct extent *extent;
    struct expansion *expansion; /* NULL: of one line, which includes nothing */
    const char *path, *folder;
    const char *at;
    const char *copied; /* the text before it is in the expansion */
    int line;
    int depth;     /* files around this one */
    int main_line; /* of the outermost file, where this one is included */
};

static int scan_file(struct scan *s);

static int refuse_line(const struct scan *s, int line, const char *what)
{
    struct origin origin = {.file = reader_keep(s->r, s->path), .line = line};
    return origin.file ? reader_refuse_at(s->r, &origin, "%s", what) : reader_no_memory(s->r);
}

static int refuse_encoding(const struct scan *s)
{
    char what[120];
    snprintf(what, sizeof what, "byte 0x%02X is not UTF-8, and the file may be Latin-1; save it as UTF-8",
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
        return refuse_line(s, start, "the text that begins here never ends; close it with \"");
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
        return refuse_line(s, start, "the comment that begins here never ends; close it with */");
    s->at += 2;
    return 0;
}

/* Checks integers only; libconfig reads decimal fractions correctly. */
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

/* Records an inclusion, which determines the order in which mistakes are reported. */
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

/* Copies the text up to `end` and continues at `next`. */
static void copy_until(struct scan *s, const char *end, const char *next)
{
    if (s->expansion)
        expansion_add(s->expansion, s->copied, (size_t)(end - s->copied));
    s->copied = next;
}

static int scan_included(struct scan *s, const char *path)
{
    struct stat status;
    const int main_line = s->depth ? s->main_line : s->line;
    const char *kept = reader_keep(s->r, path);
    char what[600];
    if (stat(path, &status)) {
        snprintf(what, sizeof what, "cannot read the included file %.300s: %s", path, strerror(errno));
        return refuse_line(s, s->line, what);
    }
    if (S_ISDIR(status.st_mode)) {
        snprintf(what, sizeof what, "the included %.300s is a folder; name a file", path);
        return refuse_line(s, s->line, what);
    }
    if (!kept || note_inclusion(s, path, main_line) || expansion_begin(s->expansion, kept, 1))
        return reader_no_memory(s->r);
    if (scan_file(&(struct scan){.r = s->r,
                                 .extent = s->extent,
                                 .expansion = s->expansion,
                                 .path = kept,
                                 .folder = s->folder,
                                 .depth = s->depth + 1,
                                 .main_line = main_line}))
        return -1;
    expansion_add(s->expansion, "\n", 1); /* ends a comment in the last line */
    return expansion_begin(s->expansion, s->depth ? s->path : NULL, s->line) ? reader_no_memory(s->r) : 0;
}

static int scan_include(struct scan *s)
{
    const char *name = s->at + strlen("@include");
    name += strspn(name, " \t");
    size_t length = *name == '"' ? strcspn(name + 1, "\"\n") : 0;
    if (!length || name[1 + length] != '"')
        return refuse_line(s, s->line, "@include takes the name of a file in \"\"");
    if (memchr(name + 1, '\\', length))
        return refuse_line(s, s->line, "@include takes a name without \\; separate folders with /");
    if (name[1] == '/')
        return refuse_line(s, s->line, "@include takes a name relative to the folder of the room file");
    if (s->depth >= DEEPEST_INCLUDE)
        return refuse_line(s, s->line, "included files are nested too deeply");
    if (s->extent->inclusions++ >= INCLUSIONS_MAX)
        return refuse_line(s, s->line, "a room may include at most 256 files, repeated ones included; include fewer");
    char *relative = text_format("%.*s", (int)length, name + 1);
    char *path = relative ? path_join(s->folder, relative) : NULL;
    copy_until(s, s->at, name + length + 2);
    const int result = path ? scan_included(s, path) : reader_no_memory(s->r);
    free(path);
    free(relative);
    s->at = name + length + 2;
    return result;
}

static void skip_name(struct scan *s)
{
    while (isalnum((unsigned char)*s->at) || (*s->at && strchr("-_*", *s->at)))
        s->at++;
}

/* Counts a key at its = or :. */
static int count_key(struct scan *s)
{
    struct extent *extent = s->extent;
    const size_t here = ++extent->keys[extent->depth];
    extent->comparisons += here - 1;
    s->at++;
    if (here > KEYS_MAX)
        return refuse_line(s, s->line, "a group { } may hold at most 4096 keys; remove unused ones");
    if (extent->comparisons > COMPARISONS_MAX)
        return refuse_line(s, s->line, "the groups { } up to here hold too many keys; remove unused ones");
    return 0;
}

static int refuse_at_sign(const struct scan *s)
{
    return refuse_line(s, s->line, "@ is not allowed here; put @include at the start of a line, and text in \"\"");
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
        else if (c == '@' && s->expansion)
            bad = line_start && !strncmp(s->at, "@include", 8) ? scan_include(s) : refuse_at_sign(s);
        else if (c == '=' || c == ':')
            bad = count_key(s);
        else if (isalpha((unsigned char)c) || c == '*' || c == '_')
            skip_name(s);
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

static bool text_is_json(const char *text)
{
    text = text_after_mark(text);
    return text[strspn(text, " \t\r\n")] == '{';
}

/* s->at, s->copied and s->line are set here. */
static int scan_whole(struct scan *s, const char *text)
{
    s->at = s->copied = text_after_mark(text);
    s->line = 1;
    s->expansion->json = s->depth == 0 && text_is_json(text);
    const int result = s->expansion->json ? 0 : scan_text(s);
    if (!result)
        copy_until(s, s->copied + strlen(s->copied), NULL);
    return result;
}

static int scan_file(struct scan *s)
{
    char *text = NULL;
    if (file_read_text(s->path, BYTES_MAX, &text, s->r->error))
        return -1;
    s->extent->bytes += strlen(text);
    const int result = s->extent->bytes > BYTES_MAX
                           ? fail(s->r->error, ERROR_INPUT,
                                  "%s: with this included file the room is longer than 4 MB; include less", s->path)
                           : scan_whole(s, text);
    free(text);
    return result ? -1 : 0;
}

/* libconfig 1.5 does not check its allocations and crashes without memory. Therefore the most that
 * it may need is allocated and freed in advance: 54 bytes for each byte of text, of which 8 twice
 * while a list grows (measured). */
static int secure_memory(struct reader *r, const char *name, size_t bytes)
{
    static const size_t each = 80, any = (size_t)1 << 20;
    if (memory_demand((double)(each * bytes + any), r->error, "%s: its settings", name))
        return -1;
    return memory_is_there(each * bytes + any) ? 0 : reader_no_memory(r);
}

int scan_room_file(struct reader *r, const char *path, const char *folder, struct expansion *x)
{
    struct extent extent = {0};
    struct scan s = {.r = r, .extent = &extent, .expansion = x, .path = path, .folder = folder};
    return scan_file(&s) || secure_memory(r, path, extent.bytes) ? -1 : 0;
}

int scan_room_text(struct reader *r, const char *name, const char *folder, const char *text, struct expansion *x)
{
    struct extent extent = {.bytes = strlen(text)};
    struct scan s = {.r = r, .extent = &extent, .expansion = x, .path = name, .folder = folder};
    if (extent.bytes > BYTES_MAX)
        return fail(r->error, ERROR_INPUT, "%s: is longer than 4 MB; shorten it", name);
    return scan_whole(&s, text) || secure_memory(r, name, extent.bytes) ? -1 : 0;
}

int check_text(struct reader *r, const char *name, const char *text)
{
    struct extent extent = {0};
    struct scan s = {.r = r, .extent = &extent, .path = name, .folder = r->folder, .at = text, .line = 0};
    return scan_text(&s) || secure_memory(r, name, strlen(text)) ? -1 : 0;
}
