/* SPDX-License-Identifier: MIT */
/* Types of keys whose values are words: choices, text, and names of files, instruments and
 * materials. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "room/key_types.h"

/* Reads a text that must not be empty. */
static int read_word(struct reader *r, const struct key *key, const config_setting_t *setting, const char **text)
{
    char expected[256];
    if (read_text(r, key, setting, text))
        return -1;
    if (**text)
        return 0;
    key_expected(key, expected, sizeof expected);
    return reader_refuse(r, setting, NULL, "is empty; expected %s", expected);
}

/* ---- bool ---- */

static int read_logical(struct reader *r, const struct place *place, const struct key *key,
                        const config_setting_t *setting)
{
    if (config_setting_type(setting) != CONFIG_TYPE_BOOL)
        return refuse_type(r, key, setting);
    *(bool *)key_target(place, key) = config_setting_get_bool(setting) != 0;
    return 0;
}

static int default_logical(struct reader *r, const struct place *place, const struct key *key)
{
    (void)r;
    *(bool *)key_target(place, key) = !strcmp(key->fallback, "true");
    return 0;
}

static bool write_logical(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    (void)room;
    const bool value = *(const bool *)key_value(key, base);
    if (!value && (key->flags & KEY_OMIT_ZERO))
        return true;
    return json_put(json, key, cJSON_CreateBool(value));
}

const struct key_type type_logical = {
    .name = "logical",
    .expect = "true or false",
    .read = read_logical,
    .take_default = default_logical,
    .write = write_logical,
};

/* ---- enum, by its name; without a fallback CHOICE_OPEN until a check decides ---- */

static void describe_choice(const struct key *key, char *text, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < key->choice_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s\"%s\"",
                                 !i                          ? ""
                                 : i + 1 < key->choice_count ? ", "
                                                             : " or ",
                                 key->choices[i]);
}

static int refuse_choice(struct reader *r, const struct key *key, const config_setting_t *setting, const char *text)
{
    char expected[256], given[QUOTED];
    quoted(given, text);
    if (key->choices == signal_names && strpbrk(text, "./"))
        return reader_refuse(r, setting, NULL, "to emit a sound file, use signal = \"file\"; file = \"%s\";", given);
    key_expected(key, expected, sizeof expected);
    ptrdiff_t closest = text_closest(text, key->choices, key->choice_count);
    if (closest >= 0)
        return reader_refuse(r, setting, NULL, "unknown value \"%s\"; did you mean \"%s\"? (%s)", given,
                             key->choices[closest], expected);
    return reader_refuse(r, setting, NULL, "unknown value \"%s\"; expected %s", given, expected);
}

static int read_choice(struct reader *r, const struct place *place, const struct key *key,
                       const config_setting_t *setting)
{
    const char *text;
    if (read_text(r, key, setting, &text))
        return -1;
    for (unsigned i = 0; i < key->choice_count; i++)
        if (!strcmp(text, key->choices[i])) {
            memcpy(key_target(place, key), &i, sizeof i);
            return 0;
        }
    return refuse_choice(r, key, setting, text);
}

static int default_choice(struct reader *r, const struct place *place, const struct key *key)
{
    (void)r;
    if (!key->fallback)
        memcpy(key_target(place, key), &(unsigned){CHOICE_OPEN}, sizeof(unsigned));
    for (unsigned i = 0; key->fallback && i < key->choice_count; i++)
        if (!strcmp(key->fallback, key->choices[i]))
            memcpy(key_target(place, key), &i, sizeof i);
    return 0;
}

static bool write_choice(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    (void)room;
    unsigned choice;
    memcpy(&choice, key_value(key, base), sizeof choice);
    return json_put(json, key, cJSON_CreateString(key->choices[choice]));
}

const struct key_type type_choice = {
    .name = "choice",
    .describe = describe_choice,
    .read = read_choice,
    .take_default = default_choice,
    .write = write_choice,
};

/* The name of a file for the JSON: relative to its folder, if that is known, else absolute. */
static cJSON *json_path(const struct room *room, const char *path)
{
    char *real = realpath(path, NULL), *here = NULL;
    if (!real && path[0] != '/' && (here = realpath(".", NULL)))
        real = path_join(here, path); /* no longer there: its name without links resolved */
    char *folder = room->json_folder ? realpath(room->json_folder, NULL) : NULL;
    char *relative = real && folder ? path_relative(folder, real) : NULL;
    cJSON *text = cJSON_CreateString(relative ? relative : real ? real : path);
    free(relative);
    free(folder);
    free(here);
    free(real);
    return text;
}

/* Resolves a file name relative to the folder of the room file. If a JSON has been moved without
 * the file: relative to the folder in which the JSON was written, else the file of this name beside
 * the JSON. Last, a file supplied with aula. Fresh memory. */
static char *find_file(const struct reader *r, const char *name)
{
    const char *const folders[] = {r->folder, r->former_folder, r->room->from_sidecar ? r->folder : NULL};
    enum { FOLDERS = sizeof folders / sizeof *folders };
    for (size_t i = 0; i < FOLDERS; i++) {
        char *path = folders[i] ? path_join(folders[i], i + 1 < FOLDERS ? name : path_name(name)) : NULL;
        if (path && !access(path, F_OK))
            return path;
        free(path);
    }
    char *shipped = data_path_of_missing(name);
    return shipped ? shipped : path_join(r->folder, name);
}

/* ---- enum directivity, by its name, or the path of a file ---- */

static const char patterns_folder[] = "directivities";

static void describe_pattern(const struct key *key, char *text, size_t size)
{
    describe_choice(key, text, size);
    const size_t used = strnlen(text, size);
    snprintf(text + used, size - used, ", or the name of a SOFA file");
}

/* Fresh memory; NULL: no file of this name is supplied with aula. */
static char *find_shipped_pattern(const char *name)
{
    char *file = text_format("%s/%s", patterns_folder, name), *path = file ? data_path(file, NULL) : NULL;
    free(file);
    return path;
}

/* Looks beside the room file, then among the files supplied with aula. */
static char *find_pattern(const struct reader *r, const char *name)
{
    char *own = find_file(r, name), *shipped = NULL;
    const char *bare = r->room->from_sidecar ? path_name(name) : name; /* supplied files may have moved, too */
    if (own && access(own, F_OK) && !strchr(bare, '/'))
        shipped = find_shipped_pattern(bare);
    if (!shipped)
        return own;
    free(own);
    return shipped;
}

static int read_pattern(struct reader *r, const struct place *place, const struct key *key,
                        const config_setting_t *setting)
{
    const char *text;
    if (read_word(r, key, setting, &text))
        return -1;
    for (size_t i = 0; i < key->choice_count; i++)
        if (!strcmp(text, key->choices[i]))
            return read_choice(r, place, key, setting);
    if (!strpbrk(text, "./"))
        return refuse_choice(r, key, setting, text);
    memcpy(key_target(place, key), &(enum directivity){DIRECTIVITY_FILE}, sizeof(enum directivity));
    return keep_text(r, find_pattern(r, text), (char **)(place->base + key->count));
}

static bool write_pattern(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    const char *path = *(char *const *)(base + key->count);
    char *shipped = path ? find_shipped_pattern(path_name(path)) : NULL;
    const bool ships = shipped && same_file(shipped, path);
    free(shipped);
    if (ships)
        return json_put(json, key, cJSON_CreateString(path_name(path)));
    return path ? json_put(json, key, json_path(room, path)) : write_choice(json, room, key, base);
}

const struct key_type type_pattern = {
    .name = "choice",
    .describe = describe_pattern,
    .read = read_pattern,
    .take_default = default_choice,
    .write = write_pattern,
};

/* ---- char * ---- */

static int read_any_text(struct reader *r, const struct place *place, const struct key *key,
                         const config_setting_t *setting)
{
    const char *text;
    return read_text(r, key, setting, &text) ? -1 : keep_text(r, text_copy(text), key_target(place, key));
}

static bool write_text(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    (void)room;
    const char *text = *(char *const *)key_value(key, base);
    return !text || json_put(json, key, cJSON_CreateString(text));
}

const struct key_type type_text = {
    .name = "text",
    .expect = "text in quotes",
    .read = read_any_text,
    .write = write_text,
};

/* ---- char *; the default is a letter and the number in the list ---- */

static int read_name(struct reader *r, const struct place *place, const struct key *key,
                     const config_setting_t *setting)
{
    const char *text;
    return read_word(r, key, setting, &text) ? -1 : keep_text(r, text_copy(text), key_target(place, key));
}

static int default_name(struct reader *r, const struct place *place, const struct key *key)
{
    return keep_text(r, text_format("%s%zu", key->fallback, place->number + 1), key_target(place, key));
}

static bool write_name(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    (void)room;
    return json_put(json, key, cJSON_CreateString(*(char *const *)key_value(key, base)));
}

const struct key_type type_name = {
    .name = "text",
    .expect = "text in quotes",
    .read = read_name,
    .take_default = default_name,
    .write = write_name,
};

/* ---- char *, resolved against the folder of the room file ---- */

static int read_path(struct reader *r, const struct place *place, const struct key *key,
                     const config_setting_t *setting)
{
    const char *text;
    return read_word(r, key, setting, &text) ? -1 : keep_text(r, find_file(r, text), key_target(place, key));
}

static bool write_path(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    const char *text = *(char *const *)key_value(key, base);
    return !text || json_put(json, key, json_path(room, text));
}

const struct key_type type_path = {
    .name = "file",
    .expect = "the name of a file in quotes",
    .read = read_path,
    .write = write_path,
};

/* ---- free text: checked, but not stored ---- */

static int read_note(struct reader *r, const struct place *place, const struct key *key,
                     const config_setting_t *setting)
{
    (void)place;
    const char *text;
    return read_text(r, key, setting, &text);
}

const struct key_type type_note = {
    .name = "text",
    .expect = "text in quotes",
    .read = read_note,
};

/* ---- size_t, index into room.instruments, given by name; read after them ---- */

static int read_instrument(struct reader *r, const struct place *place, const struct key *key,
                           const config_setting_t *setting)
{
    const char *text;
    return read_word(r, key, setting, &text) ? -1 : instrument_use(r, setting, text, key_target(place, key));
}

static bool write_instrument(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    return json_put(json, key, cJSON_CreateString(room->instruments[*(const size_t *)key_value(key, base)].name));
}

const struct key_type type_instrument = {
    .name = "instrument",
    .expect = "the name of an instrument in quotes",
    .read = read_instrument,
    .write = write_instrument,
};

/* ---- size_t, index into room.materials, given by name; SIZE_MAX: not given, and no other key stands for it ---- */

static int read_material(struct reader *r, const struct place *place, const struct key *key,
                         const config_setting_t *setting)
{
    const char *text;
    return read_word(r, key, setting, &text) ? -1 : material_use(r, setting, text, key_target(place, key));
}

static int default_material(struct reader *r, const struct place *place, const struct key *key)
{
    if (!key->instead) {
        *(size_t *)key_target(place, key) = SIZE_MAX;
        return 0;
    }
    const struct key *instead = key_find(key->group, key->instead, 0);
    const config_setting_t *named = member_of(place->setting, key->instead);
    if (named)
        return read_material(r, place, key, named);
    return material_use(r, place->around, instead->fallback, key_target(place, key));
}

static bool write_material(cJSON *json, const struct room *room, const struct key *key, const char *base)
{
    const size_t material = *(const size_t *)key_value(key, base);
    return material == SIZE_MAX || json_put(json, key, cJSON_CreateString(room->materials[material].name));
}

const struct key_type type_material = {
    .name = "material",
    .expect = "the name of a material in quotes",
    .read = read_material,
    .take_default = default_material,
    .write = write_material,
};

/* ---- name of a known material, read by the keys that name this one as their `instead` ---- */

static int read_material_name(struct reader *r, const struct place *place, const struct key *key,
                              const config_setting_t *setting)
{
    (void)place;
    const char *text;
    return read_word(r, key, setting, &text) ? -1 : material_check_name(r, setting, text);
}

const struct key_type type_material_name = {
    .name = "material",
    .expect = "the name of a material in quotes",
    .read = read_material_name,
};
