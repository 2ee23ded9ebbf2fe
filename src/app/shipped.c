/* SPDX-License-Identifier: MIT */
/* Finds and lists the rooms and sounds that ship with aula. */
#include "app/shipped.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "app/say.h"
#include "base/file.h"
#include "base/output_file.h"
#include "base/phase_timer.h"
#include "base/text.h"
#include "io/audio_file.h"
#include "io/json_build.h"

enum { INPUT_MAX = 1 << 26 }; /* bytes of a room on standard input */

enum sort { ROOM, PIECE, SOUND, SORTS };

/* Files of one kind that ship, in the folder of the file `anchor`. */
struct shelf {
    const char *words, *folder, *suffix, *anchor;
};
static const struct shelf rooms = {"rooms and pieces", "rooms", ".cfg", "rooms/materials.cfg"};
static const struct shelf sounds = {"sounds", "sounds", ".flac", "sounds/voice.flac"};

static const struct {
    const char *name, *plural, *use;
} sorts[SORTS] = {
    [ROOM] = {"room", "rooms", "aula render NAME"},
    [PIECE] = {"piece", "pieces", "aula synth NAME"},
    [SOUND] = {"sound", "sounds", "aula auralize RESPONSE.wav NAME, aula preview ROOM --dry NAME"},
};

struct item {
    char *name, *path, *about;
    enum sort sort;
};

struct items {
    struct item *all; /* [count], by name */
    size_t count;
};

static void free_item(struct item *i)
{
    free(i->name);
    free(i->path);
    free(i->about);
}

static void free_items(struct items *items)
{
    for (size_t i = 0; i < items->count; i++)
        free_item(&items->all[i]);
    free(items->all);
    *items = (struct items){0};
}

/* The first sentence of the comment at the start of a room file; empty if there is none. The caller frees it. */
static char *first_sentence(const char *path)
{
    enum { MOST = 1 << 20 };
    char *text = NULL;
    if (file_read_text(path, MOST, &text, NULL))
        return text_copy("");
    char *to = text; /* joins the comment lines in place */
    for (char *line = text; line[0] == '#' && line[1] == ' ';) {
        char *end = strchr(line, '\n');
        const size_t length = end ? (size_t)(end - line) - 1 : strlen(line) - 1;
        memmove(to, line + 1 + (to == text), length - (to == text));
        to += length - (to == text);
        if (!end)
            break;
        line = end + 1;
    }
    *to = '\0';
    for (char *at = text; (at = strchr(at, '.')) != NULL; at++) /* no sentence ends within 44.1 or C. J. Webb */
        if ((!at[1] || at[1] == ' ') && at > text && !(at[-1] >= 'A' && at[-1] <= 'Z'))
            *at = at[1] = '\0';
    char *sentence = text_copy(text);
    free(text);
    return sentence;
}

/* Describes the item; false for a library, which has neither sources nor instruments. */
static bool look_at_room(struct item *item)
{
    struct room *room;
    if (room_read(&room, item->path, NULL, 0, NULL))
        return false;
    const bool is_piece = room->instrument_count > 0, is_room = room->source_count > 0;
    room_free(room);
    item->sort = is_piece ? PIECE : ROOM;
    item->about = is_piece || is_room ? first_sentence(item->path) : NULL;
    return item->about != NULL;
}

static bool look_at_sound(struct item *item)
{
    item->sort = SOUND;
    item->about = audio_title(item->path);
    return item->about != NULL;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct item *)a)->name, ((const struct item *)b)->name);
}

static int add(struct items *items, const struct shelf *shelf, const char *folder, const char *file)
{
    struct item *more = realloc(items->all, (items->count + 1) * sizeof *more);
    if (!more)
        return -1;
    items->all = more;
    struct item *item = &more[items->count];
    *item = (struct item){.name = path_stem(file), .path = text_format("%s/%s", folder, file)};
    if (!item->name || !item->path) {
        free_item(item);
        return -1;
    }
    if (shelf == &sounds ? look_at_sound(item) : look_at_room(item))
        items->count++;
    else
        free_item(item);
    return 0;
}

/* Adds the files of the shelf, sorted by name. */
static int list(struct items *items, const struct shelf *shelf, struct error *e)
{
    char *anchor = data_path(shelf->anchor, e), *folder = anchor ? path_folder(anchor) : NULL;
    DIR *directory = folder ? opendir(folder) : NULL;
    const size_t first = items->count, suffix = strlen(shelf->suffix);
    int status = directory ? 0 : -1;
    if (anchor && !directory)
        fail(e, ERROR_INPUT, "%s: cannot list the folder: %s", folder ? folder : anchor, strerror(errno));
    const struct dirent *entry;
    while (!status && (entry = readdir(directory)) != NULL) {
        const size_t length = strlen(entry->d_name);
        if (length > suffix && !strcmp(entry->d_name + length - suffix, shelf->suffix) &&
            add(items, shelf, folder, entry->d_name))
            status = fail(e, ERROR_MEMORY, "out of memory");
    }
    if (items->count > first)
        qsort(items->all + first, items->count - first, sizeof *items->all, by_name);
    if (directory)
        closedir(directory);
    free(anchor);
    free(folder);
    return status;
}

/* Fails for an unknown name; the message has the known names and the closest one. */
static int refuse(const char *word, const struct shelf *shelf, struct error *e)
{
    enum { NAMES = 64 };
    struct items items = {0};
    struct error why;
    const char *names[NAMES];
    char text[600] = "", hint[HINT] = "", *stem = path_stem(word);
    size_t used = 0, count = 0;
    const int status = list(&items, shelf, &why);
    if (!status)
        for (; count < items.count && count < NAMES && used < sizeof text; count++) {
            names[count] = items.all[count].name;
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", count ? ", " : "", names[count]);
        }
    if (stem && count)
        text_hint(hint, stem, names, count);
    if (count)
        fail(e, ERROR_INPUT, "%s: cannot open: %s; the %s that ship with aula are %s%s", word, strerror(ENOENT),
             shelf->words, text, hint);
    else if (status)
        fail(e, ERROR_INPUT, "%s: cannot open: %s; cannot find the %s that ship with aula: %s", word, strerror(ENOENT),
             shelf->words, why.message);
    else
        fail(e, ERROR_INPUT, "%s: cannot open: %s", word, strerror(ENOENT));
    free(stem);
    free_items(&items);
    return -1;
}

static int find(char **path, const char *word, const struct shelf *shelf, struct error *e)
{
    struct stat status;
    const bool missing = stat(word, &status) ? errno == ENOENT : S_ISDIR(status.st_mode);
    const bool name = missing && *word && !strchr(word, '/') && strcmp(word, "-") != 0;
    struct error reason;
    *path = NULL;
    if (name) {
        char *file = text_format("%s/%s%s", shelf->folder, word, shelf->suffix);
        *path = file ? data_path(file, &reason) : NULL;
        free(file);
        if (!*path && stat(word, &status)) /* the reader refuses folders */
            return refuse(word, shelf, e);
    }
    if (!*path && missing)
        *path = data_path_of_missing(word);
    if (!*path)
        *path = text_copy(word);
    return *path ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

static int shipped_room(char **path, const char *word, struct error *e)
{
    return find(path, word, &rooms, e);
}

int shipped_sound(char **path, const char *word, struct error *e)
{
    return find(path, word, &sounds, e);
}

static int say_former_keys(const struct room *room, const struct common_options *o, struct error *e)
{
    if (!room->former_keys.file)
        return 0;
    char *note = former_keys_note(&room->former_keys);
    if (!note)
        return fail(e, ERROR_MEMORY, "out of memory");
    say(o->quiet, "note: %s", note);
    free(note);
    return 0;
}

/* The room of standard input: its file names are relative to the current folder. */
static int read_input_room(struct room **room, const char *const *settings, size_t count, struct error *e)
{
    char *text = NULL;
    const int file = anonymous_file_of_input(e);
    if (file < 0)
        return -1;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const int status =
        file_read_text(path, INPUT_MAX, &text, e) || room_read_text(room, "room", text, settings, count, e);
    close(file);
    free(text);
    return status ? -1 : 0;
}

int read_named_room(struct room **room, const struct common_options *o, const char *format, struct error *e)
{
    char *path = NULL, *setting = format ? text_format("output.format=%s", format) : NULL;
    const char **settings = calloc(o->setting_count + 1, sizeof *settings);
    size_t count = 0;
    *room = NULL;
    int status = settings && (setting || !format) ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (; !status && count < o->setting_count; count++)
        settings[count] = o->settings[count];
    if (!status && setting)
        settings[count++] = setting;
    phase_begin("reading the room");
    if (!status && !strcmp(o->arguments[0], STANDARD_STREAM))
        status = read_input_room(room, settings, count, e);
    else
        status = status || shipped_room(&path, o->arguments[0], e) || room_read(room, path, settings, count, e);
    phase_end();
    status = status || say_former_keys(*room, o, e);
    if (status) {
        room_free(*room);
        *room = NULL;
    }
    free(path);
    free(setting);
    free(settings);
    return status ? -1 : 0;
}

static void print_sort(const struct items *items, enum sort sort)
{
    printf("%s, by name: %s\n", sorts[sort].plural, sorts[sort].use);
    for (size_t i = 0; i < items->count; i++)
        if (items->all[i].sort == sort)
            printf("  %-21s %s\n", items->all[i].name, items->all[i].about);
}

static int print_json(const struct items *items, struct error *e)
{
    cJSON *json = cJSON_CreateObject();
    for (int sort = ROOM; sort < SORTS; sort++) {
        cJSON *array = cJSON_AddArrayToObject(json, sorts[sort].plural);
        for (size_t i = 0; i < items->count; i++) {
            const struct item *item = &items->all[i];
            cJSON *object = item->sort == (enum sort)sort ? cJSON_CreateObject() : NULL;
            if (!object)
                continue;
            cJSON_AddStringToObject(object, "name", item->name);
            cJSON_AddStringToObject(object, "path", item->path);
            cJSON_AddStringToObject(object, "about", item->about);
            cJSON_AddItemToArray(array, object);
        }
    }
    return json_print(json, e);
}

int shipped_print(bool json, struct error *e)
{
    struct items items = {0};
    int status = list(&items, &rooms, e) || list(&items, &sounds, e);
    if (!status && json)
        status = print_json(&items, e);
    for (int sort = ROOM; !status && !json && sort < SORTS; sort++)
        print_sort(&items, (enum sort)sort);
    free_items(&items);
    return status ? -1 : 0;
}
