/* SPDX-License-Identifier: MIT */
/* A room file into a tree: text by libconfig, or the JSON that a render wrote. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/input_file.h"
#include "base/stop.h"
#include "base/text.h"
#include "room/expansion.h"
#include "room/reader.h"
#include "room/syntax_hint.h"

/* Formats that are taken for room files by mistake, by their first bytes. */
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
        fail(r->error, ERROR_INPUT, "%s: is a MIDI file, not a room file; give it as score.file in one", path);
    else if (json)
        fail(r->error, ERROR_INPUT,
             "%s: is a sound file (%s), not a room file; the room it was rendered in is %s, and aula metrics or aula "
             "report tell about the sound",
             path, format, beside);
    else
        fail(r->error, ERROR_INPUT,
             "%s: is a sound file (%s), not a room file; aula metrics, report and auralize take it, and a room file is "
             "a text such as rooms/studio.cfg",
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
        "; look for a missing ; or } or \" here or above: settings are key = value; groups { }, lists ( "
        "), texts \" \"; aula info --example prints a room file";
    syntax_hint(hint, expanded, config_error_line(config));
    if (text && strstr(text, "mismatched element type"))
        remedy = ": in [ ] write whole numbers with a point too (4.0 in place of 4), or use ( )";
    else if (text && strstr(text, "duplicate"))
        remedy = ": a key is given twice; keep one";
    else if (text && strstr(text, "memory exhausted")) /* of the parser's stack */
        remedy = ": brackets are nested too deeply";
    else if (*hint)
        remedy = hint;
    return fail(r->error, ERROR_INPUT, "%s:%d: %s%s%s", place.file ? place.file : path, place.line,
                text ? text : "cannot be understood", remedy == hint ? ": " : "", remedy);
}

bool parse_text(config_t *config, const char *text)
{
    const locale_t own = uselocale((locale_t)0);
    const bool understood = config_read_string(config, text);
    uselocale(own);
    return understood;
}

/* Of the text that a scan has checked. */
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
