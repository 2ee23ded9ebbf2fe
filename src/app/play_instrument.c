/* SPDX-License-Identifier: MIT */
#include "app/play_instrument.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/shipped.h"
#include "base/text.h"
#include "room/instrument.h"

/* The instrument alone, with a pickup where room_read_presets places it. */
static char *text_of(const struct room *presets, size_t index)
{
    const struct instrument *i = &presets->instruments[index];
    const double *place = presets->pickups[index].place;
    const bool line = instrument_is_line(i);
    char *where = line ? text_format("%g", place[0]) : text_format("[ %g, %g ]", place[0], place[1]);
    char *text = where ? text_format("room: { size = [8.0, 8.0, 8.0]; };\n"
                                     "instruments: ( { name = \"%s\"; preset = \"%s\"; %s} );\n"
                                     "pickups: ( { instrument = \"%s\"; place = %s; } );\n",
                                     i->name, i->name, line ? "" : "position = [4.0, 4.0, 4.0]; ", i->name, where)
                       : NULL;
    free(where);
    return text;
}

/* 1: no preset has this name; *e then has the closest one. */
static int read_preset(struct room **room, const struct common_options *o, struct error *e)
{
    struct room *presets;
    char why[INSTRUMENT_WHY];
    if (room_read_presets(&presets, e))
        return -1;
    const size_t index = instrument_find(presets, o->arguments[0], why);
    int status = 1;
    if (index < presets->instrument_count && presets->instruments[index].type == INSTRUMENT_WIND) {
        status = fail(e, ERROR_INPUT, "%s: is a wind instrument, which aula play cannot blow; use aula synth",
                      o->arguments[0]);
    } else if (index < presets->instrument_count) {
        char *text = text_of(presets, index);
        status = text ? room_read_text(room, o->arguments[0], text, o->settings, o->setting_count, e)
                      : fail(e, ERROR_MEMORY, "out of memory");
        free(text);
    }
    room_free(presets);
    return status;
}

/* "pickups=( .. )" with one on every instrument that does not drive another, where room_read_presets places it. */
static char *pickups_of(const struct room *room)
{
    struct growing_text text = {.text = NULL};
    const char *comma = "";
    growing_text_add(&text, "pickups=( ");
    for (size_t n = 0; n < room->instrument_count; n++) {
        const struct instrument *i = &room->instruments[n];
        if (i->body)
            continue;
        growing_text_add(&text, "%s{ instrument = \"%s\"; place = %s; }", comma, i->name,
                         instrument_is_line(i) ? "0.1" : "[ 0.1, 0.2 ]");
        comma = ", ";
    }
    growing_text_add(&text, " )");
    return growing_text_take(&text, NULL);
}

/* Reads the piece once more, with pickups. */
static int add_pickups(struct room **room, const struct common_options *o, struct error *e)
{
    struct common_options with = *o;
    char *pickups = pickups_of(*room);
    const char **settings = calloc(o->setting_count + 1, sizeof *settings);
    int status = pickups && settings ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        for (size_t i = 0; i < o->setting_count; i++)
            settings[i] = o->settings[i];
        settings[o->setting_count] = pickups;
        with.settings = settings;
        with.setting_count = o->setting_count + 1;
        with.quiet = true; /* notes were printed the first time */
        room_free(*room);
        status = read_named_room(room, &with, NULL, e);
    }
    free(settings);
    free(pickups);
    return status;
}

static int complete_piece(struct room **room, const struct common_options *o, struct error *e)
{
    if (!(*room)->instrument_count)
        return fail(e, ERROR_INPUT, "%s: has no instruments to play; use a piece, or a preset such as guitar_string_e4",
                    (*room)->path);
    for (size_t i = 0; i < (*room)->instrument_count; i++)
        if ((*room)->instruments[i].type == INSTRUMENT_WIND)
            return fail(e, ERROR_INPUT, "%s: %s is a wind instrument, which aula play cannot blow; use aula synth",
                        (*room)->path, (*room)->instruments[i].name);
    return (*room)->pickup_count ? 0 : add_pickups(room, o, e);
}

/* The name of the preset that the word may mean. */
static int refuse(const char *word, struct error *e)
{
    struct room *presets;
    const struct error unread = *e;
    if (room_read_presets(&presets, e)) {
        *e = unread;
        return -1;
    }
    const char **names = calloc(presets->instrument_count + 1, sizeof *names);
    for (size_t i = 0; names && i < presets->instrument_count; i++)
        names[i] = presets->instruments[i].name;
    const ptrdiff_t closest = names ? text_closest(word, names, presets->instrument_count) : -1;
    if (closest >= 0)
        fail(e, ERROR_INPUT, "%s: is neither an instrument of rooms/instruments.cfg nor a room file; did you mean %s?",
             word, names[closest]);
    else
        *e = unread;
    free(names);
    room_free(presets);
    return -1;
}

int read_instrument(struct room **room, const struct common_options *o, struct error *e)
{
    const char *word = o->arguments[0];
    *room = NULL;
    if (access(word, F_OK)) {
        const int status = read_preset(room, o, e);
        if (status <= 0)
            return status;
    }
    if (read_named_room(room, o, NULL, e))
        return access(word, F_OK) && !strchr(word, '/') ? refuse(word, e) : -1;
    if (!complete_piece(room, o, e))
        return 0;
    room_free(*room);
    *room = NULL;
    return -1;
}
