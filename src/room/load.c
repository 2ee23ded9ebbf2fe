/* libconfig 1.5 wraps whole numbers beyond 32 bits silently and takes an open comment for the end of the file. So the
 * text is looked over first, included files too, and what libconfig would misread is refused by name.  */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "room/reader.h"

enum { MOST_BYTES = 4 << 20, DEEPEST_INCLUDE = 10 };

struct scan {
    struct reader *r;
    const char *path, *folder;
    const char *at;
    int line;
    int depth;
};

static int scan_file(struct reader *r, const char *path, const char *folder, int depth, char **text);

static int refuse_line(const struct scan *s, int line, const char *what)
{
    struct origin origin = {s->path, line};
    return reader_refuse_at(s->r, &origin, "%s", what);
}

static int skip_string(struct scan *s)
{
    int start = s->line;
    for (s->at++; *s->at && *s->at != '"'; s->at++) {
        if (*s->at == '\\' && s->at[1])
            s->at++;
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
        return refuse_line(s, s->line, what);
    }
    return 0;
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
    char *relative = text_format("%.*s", (int)length, name + 1);
    char *path = relative ? path_join(s->folder, relative) : NULL;
    char *text = NULL;
    struct stat status;
    int result = -1;
    if (!path)
        reader_no_memory(s->r);
    else if (stat(path, &status))
        fail(s->r->error, ERROR_INPUT, "%s:%d: the included file %s cannot be read: %s", s->path, s->line, path,
             strerror(errno));
    else if (S_ISDIR(status.st_mode))
        fail(s->r->error, ERROR_INPUT, "%s:%d: the included %s is a folder, not a file", s->path, s->line, path);
    else
        result = scan_file(s->r, path, s->folder, s->depth + 1, &text);
    free(text);
    free(path);
    free(relative);
    s->at = name + length + 2;
    return result;
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
            do
                s->at++;
            while (isalnum((unsigned char)*s->at) || (*s->at && strchr("-_*", *s->at)));
        else if (isdigit((unsigned char)c) || c == '+' || c == '-' || c == '.')
            bad = check_number(s);
        else
            s->at++;
        if (bad)
            return -1;
        line_start = false;
    }
    return 0;
}

/* Some editors put a byte order mark before the text. */
static const char *after_mark(const char *text)
{
    return strncmp(text, "\xEF\xBB\xBF", 3) ? text : text + 3;
}

static bool is_json(const char *text)
{
    text = after_mark(text);
    return text[strspn(text, " \t\r\n")] == '{';
}

static int scan_file(struct reader *r, const char *path, const char *folder, int depth, char **text)
{
    if (file_read_text(path, MOST_BYTES, text, r->error))
        return -1;
    struct scan s = {.r = r, .path = path, .folder = folder, .at = after_mark(*text), .line = 1, .depth = depth};
    return depth == 0 && is_json(*text) ? 0 : scan_text(&s);
}

static int refuse_parse(struct reader *r, const config_t *config, const char *path, const char *folder)
{
    const char *text = config_error_text(config), *file = config_error_file(config);
    char *included = file ? path_join(folder, file) : NULL;
    const char *remedy = "; look for a missing ; or } or \" here or above";
    if (text && strstr(text, "mismatched element type"))
        remedy = ": in [ ] write whole numbers with a point too (4.0 in place of 4), or use ( )";
    else if (text && strstr(text, "duplicate"))
        remedy = ": a key is given twice; keep one";
    else if (text && strstr(text, "include"))
        remedy = "";
    else if (text && strstr(text, "memory exhausted")) /* of the parser's stack */
        remedy = ": brackets are nested too deeply";
    fail(r->error, ERROR_INPUT, "%s:%d: %s%s", included ? included : path, config_error_line(config),
         text ? text : "cannot be understood", remedy);
    free(included);
    return -1;
}

bool parse_text(config_t *config, const char *text)
{
    const locale_t own = uselocale((locale_t)0);
    const bool understood = config_read_string(config, text);
    uselocale(own);
    return understood;
}

int load_file(struct reader *r, config_t *config, const char *path, const char *folder)
{
    char *text = NULL;
    int result = -1;
    if (scan_file(r, path, folder, 0, &text))
        goto done;
    const char *start = after_mark(text);
    config_set_include_dir(config, folder);
    if (is_json(text))
        result = load_json(r, config, path, start);
    else if (!parse_text(config, start))
        refuse_parse(r, config, path, folder);
    else
        result = 0;
done:
    free(text);
    return result;
}

int check_text(struct reader *r, const char *name, const char *text)
{
    struct scan s = {.r = r, .path = name, .folder = r->folder, .at = text, .line = 0};
    return scan_text(&s);
}
