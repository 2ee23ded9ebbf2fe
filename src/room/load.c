/* SPDX-License-Identifier: MIT */
/* Loads a room file into a tree of settings, either from libconfig text or from the JSON of a
 * render. */
#include <ctype.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/input_file.h"
#include "base/stop.h"
#include "base/text.h"
#include "room/expansion.h"
#include "room/reader.h"

/* Recognizes common mistakes in a line that libconfig cannot parse. */

/* syntax_hint returns a remedy for a line of the text, or "": units, decimal commas, missing quotes
 * and equals signs. */
enum { SYNTAX_HINT = 256 };

static const char *line_of(const char *text, int line)
{
    for (; line > 1 && text; line--) {
        text = strchr(text, '\n');
        text += text != NULL;
    }
    return text ? text : "";
}

static bool is_end(char c)
{
    return !c || c == '\n' || c == '\r';
}

static const char *skip_spaces(const char *at)
{
    return at + strspn(at, " \t");
}

static const char *skip_string(const char *at)
{
    for (at++; !is_end(*at) && *at != '"'; at++)
        at += *at == '\\' && !is_end(at[1]);
    return at + (*at == '"');
}

static size_t name_length(const char *at)
{
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '-')
        n++;
    return n;
}

static bool is_any(const char *at, size_t length, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == length && !strncasecmp(at, *words, length))
            return true;
    return false;
}

/* A word that libconfig rejects: a text without quotes, or a key without its equals sign. */
static bool tell_name(char hint[SYNTAX_HINT], const char *at, size_t length, char before)
{
    static const char *const values[] = {"true", "false", "nan", "inf", "infinity", NULL};
    const char *after = skip_spaces(at + length);
    const int shown = length < 48 ? (int)length : 48;
    if (*after == '=' || *after == ':' || is_any(at, length, values))
        return false;
    if (before && strchr("=:[(,", before))
        snprintf(hint, SYNTAX_HINT, "%.*s: text must be in quotes; write \"%.*s\"", shown, at, shown, at);
    else if (!is_end(*after) && strchr("\"[({+-.0123456789", *after))
        snprintf(hint, SYNTAX_HINT, "= is missing after %.*s", shown, at);
    else
        return false;
    return true;
}

/* Bytes of a number as libconfig reads it. */
static size_t number_length(const char *at)
{
    size_t n = strspn(at, "+-");
    if (at[n] == '0' && (at[n + 1] == 'x' || at[n + 1] == 'X'))
        return n + 2 + strspn(at + n + 2, "0123456789abcdefABCDEF");
    n += strspn(at + n, "0123456789.");
    const size_t exponent = n + 1 + strspn(at + n + (at[n] != '\0'), "+-");
    if ((at[n] == 'e' || at[n] == 'E') && isdigit((unsigned char)at[exponent]))
        n = exponent + strspn(at + exponent, "0123456789");
    while (at[n] == 'L')
        n++;
    return n;
}

/* A number with a unit, or with a decimal comma outside a list. */
static bool tell_number(char hint[SYNTAX_HINT], const char *at, size_t length, int depth)
{
    const char *unit = skip_spaces(at + length);
    const size_t letters = *unit == '%' ? 1 : strncmp(unit, "°", strlen("°")) ? name_length(unit) : strlen("°");
    const int shown = length < 40 ? (int)length : 40;
    if (letters && (length < 40) && letters < 40)
        snprintf(hint, SYNTAX_HINT, "%.*s%s%.*s: numbers take no unit; remove it (aula info --keys lists the units)",
                 (int)length, at, unit > at + length ? " " : "", (int)letters, unit);
    else if (!depth && at[length] == ',' && isdigit((unsigned char)at[length + 1])) {
        const int rest = (int)strspn(at + length + 1, "0123456789");
        snprintf(hint, SYNTAX_HINT, "%.*s,%.*s: decimals take a point; write %.*s.%.*s", shown, at,
                 rest < 20 ? rest : 20, at + length + 1, shown, at, rest < 20 ? rest : 20, at + length + 1);
    } else {
        return false;
    }
    return true;
}

static const char *syntax_hint(char hint[SYNTAX_HINT], const char *text, int line)
{
    char before = '\0'; /* the last character that is neither space nor within a text */
    int depth = 0;      /* of ( and [ */
    *hint = '\0';
    for (const char *at = line_of(text, line); !is_end(*at);) {
        const size_t name = isalpha((unsigned char)*at) ? name_length(at) : 0;
        const bool number =
            isdigit((unsigned char)*at) || ((*at == '-' || *at == '+') && isdigit((unsigned char)at[1]));
        size_t length = name ? name : number ? number_length(at) : 1;
        if (*at == '#' || !strncmp(at, "//", 2) || !strncmp(at, "/*", 2))
            return hint;
        if ((name && tell_name(hint, at, name, before)) || (number && tell_number(hint, at, length, depth)))
            return hint;
        if (*at == '\'') {
            snprintf(hint, SYNTAX_HINT, "text must be in double quotes; write \"..\"");
            return hint;
        }
        depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        if (*at == '"')
            length = (size_t)(skip_string(at) - at);
        if (*at != ' ' && *at != '\t')
            before = *at;
        at += length;
    }
    return hint;
}

/* Formats that users pass in place of room files, recognized by their first bytes. */
static const struct format {
    const char *begins;
    size_t length;
    const char *inside; /* at byte 8; NULL: anything */
    const char *name;
} formats[] = {
    {"RIFF", 4, "WAVE", "WAV"}, {"RF64", 4, "WAVE", "WAV"},   {"RIFX", 4, "WAVE", "WAV"}, {"FORM", 4, "AIF", "AIFF"},
    {"fLaC", 4, NULL, "FLAC"},  {"OggS", 4, NULL, "Ogg"},     {"caff", 4, NULL, "CAF"},   {".snd", 4, NULL, "AU"},
    {"ID3", 3, NULL, "MP3"},    {"\xFF\xFB", 2, NULL, "MP3"}, {"MThd", 4, NULL, "MIDI"},
};

static const char *format_of(const char *path)
{
    char head[12] = "";
    FILE *f = input_file_stream(path, NULL);
    const size_t count = f ? fread(head, 1, sizeof head, f) : 0;
    if (f)
        fclose(f);
    for (size_t i = 0; count == sizeof head && i < sizeof formats / sizeof *formats; i++)
        if (!memcmp(head, formats[i].begins, formats[i].length) &&
            (!formats[i].inside || !strncmp(head + 8, formats[i].inside, strlen(formats[i].inside))))
            return formats[i].name;
    return NULL;
}

static int refuse_sound(struct reader *r, const char *path, const char *format)
{
    char *beside = path_with_suffix(path, ".json");
    FILE *json = beside ? fopen(beside, "r") : NULL;
    if (!strcmp(format, "MIDI"))
        fail(r->error, ERROR_INPUT, "%s: is a MIDI file, not a room file; set it as score.file of a room file", path);
    else if (json)
        fail(r->error, ERROR_INPUT,
             "%s: is a sound file (%s), not a room file; use %s for its room, or aula metrics or aula report for the "
             "sound",
             path, format, beside);
    else
        fail(r->error, ERROR_INPUT,
             "%s: is a sound file (%s), not a room file; use a text file such as rooms/studio.cfg, or aula metrics, "
             "report or auralize for the sound",
             path, format);
    if (json)
        fclose(json);
    free(beside);
    return -1;
}

static int refuse_parse(struct reader *r, const config_t *config, const char *path, const struct expansion *x,
                        const char *expanded)
{
    const char *text = config_error_text(config);
    const struct stretch place = expansion_place(x, config_error_line(config));
    char hint[SYNTAX_HINT];
    const char *remedy =
        "; look for a missing ; or } or \" here or above (aula info --example prints a valid room file)";
    syntax_hint(hint, expanded, config_error_line(config));
    if (text && strstr(text, "mismatched element type"))
        remedy = "; in [ ] write whole numbers with a point too (4.0 instead of 4), or use ( )";
    else if (text && strstr(text, "duplicate"))
        remedy = "; remove one of the two keys";
    else if (text && strstr(text, "memory exhausted")) /* of the parser's stack */
        remedy = "; brackets are nested too deeply";
    else if (*hint)
        remedy = hint;
    return fail(r->error, ERROR_INPUT, "%s:%d: %s%s%s", place.file ? place.file : path, place.line,
                text ? text : "syntax error", remedy == hint ? ": " : "", remedy);
}

bool parse_text(config_t *config, const char *text)
{
    const locale_t own = uselocale((locale_t)0);
    const bool understood = config_read_string(config, text);
    uselocale(own);
    return understood;
}

/* Loads the text that a scan has checked. */
static int load_expanded(struct reader *r, config_t *config, const char *path, struct expansion *x)
{
    int result = -1;
    char *text = growing_text_take(&x->text, NULL);
    if (!text)
        return reader_no_memory(r);
    if (x->json) {
        result = load_json(r, config, path, text);
    } else if (!parse_text(config, text)) {
        result = refuse_parse(r, config, path, x, text);
    } else {
        expansion_place_settings(x, config_root_setting(config));
        result = stop_check(r->error);
    }
    free(text);
    return result;
}

int load_file(struct reader *r, config_t *config, const char *path, const char *folder)
{
    struct expansion x = {.stretches = NULL};
    int result = -1;
    const size_t before = r->diagnostics.count;
    const char *format = format_of(path);
    if (format)
        return refuse_sound(r, path, format);
    if (!scan_room_file(r, path, folder, &x) && r->diagnostics.count == before)
        result = load_expanded(r, config, path, &x);
    expansion_free(&x);
    return result;
}

int load_text(struct reader *r, config_t *config, const char *name, const char *folder, const char *text)
{
    struct expansion x = {.stretches = NULL};
    int result = -1;
    const size_t before = r->diagnostics.count;
    if (!scan_room_text(r, name, folder, text, &x) && r->diagnostics.count == before)
        result = load_expanded(r, config, name, &x);
    expansion_free(&x);
    return result;
}
