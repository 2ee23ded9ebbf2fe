/* SPDX-License-Identifier: MIT */
/* Collects the words that completion offers. */
#include "app/completion_words.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cmd.h"
#include "app/schemes.h"
#include "base/file.h"
#include "base/sanitize_text.h"
#include "base/text.h"
#include "room/keys.h"
#include "solver/engine.h"

/* ---- Lists of words, separated by spaces ---- */

static bool has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; at && (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* Adds a word unless the list has it. */
static int add_word(char **list, const char *word, struct error *e)
{
    if (has_word(*list, word))
        return 0;
    char *longer = text_format("%s%s%s", *list ? *list : "", *list && **list ? " " : "", word);
    if (!longer)
        return fail(e, ERROR_MEMORY, "out of memory");
    free(*list);
    *list = longer;
    return 0;
}

/* Shells expand the words of a list when they offer them, and each quotes differently: a file named $(..).cfg in the
 * folder of rooms would run as a command. A file name is therefore offered only if it has no special meaning to any
 * shell or to the terminal that shows it. */
static bool is_plain(const char *name)
{
    char shown[SANITIZE_MAX(NAME_MAX)];
    const char *at = name;
    while (isalnum((unsigned char)*at) || (unsigned char)*at >= 0x80 || (*at && strchr("_-.", *at)))
        at++;
    sanitize_line(shown, sizeof shown, name);
    return *name && *name != '-' && !*at && !strcmp(shown, name);
}

static int add_name(char **list, const char *name, struct error *e)
{
    return is_plain(name) ? add_word(list, name, e) : 0;
}

/* ---- Kernels, schemes, rooms, materials, formats, keys ---- */

static int list_kernels(char **list, struct error *e)
{
    const char *name;
    for (size_t i = 0; engines[i]; i++)
        for (size_t s = 0; s < scheme_count; s++)
            for (size_t k = 0; schemes[s].scheme && (name = engines[i]->kernel_name(schemes[s].scheme, k)); k++)
                if (!strchr(name, ' ') && add_word(list, name, e))
                    return -1;
    return 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Whether a file is a room: libraries of materials and presets are in the same folder. */
static bool is_room(const char *folder, const char *name)
{
    const char *suffix = strrchr(name, '.');
    const bool is_file = suffix && suffix > name && !strcmp(suffix, ".cfg");
    char *text = NULL, *path = is_file ? text_format("%s/%s", folder, name) : NULL;
    const bool is = path && !file_read_text(path, 1 << 20, &text, NULL) && strstr(text, "\nroom:");
    free(text);
    free(path);
    return is;
}

/* Leaves the list empty if the folder of rooms is missing: everything else can still be completed. */
static int list_rooms(char **list, struct error *e)
{
    struct dirent **entries = NULL;
    char *folder = data_path("rooms", NULL);
    const int count = folder ? scandir(folder, &entries, NULL, by_name) : 0;
    int status = 0;
    for (int i = 0; i < count; i++) {
        char *name = !status && is_room(folder, entries[i]->d_name) ? path_stem(entries[i]->d_name) : NULL;
        status = status || (name && add_name(list, name, e)) ? -1 : 0;
        free(name);
        free(entries[i]);
    }
    free(entries);
    free(folder);
    return status;
}

static int list_materials(char **list, struct error *e)
{
    struct room *library = NULL;
    struct error ignored;
    int status = 0;
    for (size_t i = 0; !status && i < MATERIAL_KINDS; i++)
        status = boundary_kinds[i].built_in ? add_word(list, boundary_kinds[i].built_in, e) : 0;
    if (status || room_read_library(&library, &ignored))
        return status;
    for (size_t i = 0; !status && i < library->material_count; i++)
        status = add_name(list, library->materials[i].name, e);
    room_free(library);
    return status;
}

/* The path "sources[0].gain" for the key "gain" of the group "sources[]". */
static void key_path(const struct key *key, char path[96])
{
    size_t used = 0;
    for (const char *at = key->group; *at && used < 64; at++) {
        path[used++] = *at;
        if (*at == '[')
            path[used++] = '0';
    }
    snprintf(path + used, 96 - used, "%s%s", used ? "." : "", key->name);
}

static char *values_of(const struct completion *c, const struct key *key, struct error *e)
{
    char *list = NULL;
    int status = add_word(&list, "", e);
    if (key->type == KEY_LOGICAL)
        status = add_word(&list, "true", e) || add_word(&list, "false", e);
    if (key->type == KEY_MATERIAL || key->type == KEY_MATERIAL_NAME) {
        free(list);
        list = text_copy(c->materials);
    }
    for (size_t i = 0; !status && i < key->choice_count; i++)
        status = add_word(&list, key->choices[i], e);
    if (status || !list) {
        free(list);
        fail(e, ERROR_MEMORY, "out of memory");
        return NULL;
    }
    return list;
}

static bool knows_key(const struct completion *c, const char *path)
{
    for (size_t i = 0; i < c->key_count; i++)
        if (!strcmp(c->keys[i].path, path))
            return true;
    return false;
}

/* Omits keys that contain a NAME chosen by the user. */
static int list_keys(struct completion *c, struct error *e)
{
    c->keys = calloc(key_count, sizeof *c->keys);
    if (!c->keys)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < key_count; i++) {
        struct completion_key *to = &c->keys[c->key_count];
        key_path(&keys[i], to->path);
        if (keys[i].inner || strstr(to->path, "NAME") || knows_key(c, to->path))
            continue;
        to->about = keys[i].meaning;
        to->list = values_of(c, &keys[i], e);
        if (!to->list)
            return -1;
        c->key_count++;
    }
    return 0;
}

void completion_free(struct completion *c)
{
    for (size_t i = 0; i < c->key_count; i++)
        free(c->keys[i].list);
    free(c->keys);
    free(c->kernels);
    free(c->schemes);
    free(c->rooms);
    free(c->materials);
    free(c->formats);
}

int completion_make(struct completion *c, struct error *e)
{
    memset(c, 0, sizeof *c);
    char **const all[] = {&c->kernels, &c->schemes, &c->rooms, &c->materials, &c->formats};
    int status = 0;
    for (size_t i = 0; !status && i < sizeof all / sizeof *all; i++)
        status = add_word(all[i], "", e);
    for (int i = 0; !status && i <= FORMAT_PCM16; i++)
        status = add_word(&c->formats, format_names[i], e);
    const char *name;
    char text[VALIDATE_NAME];
    for (size_t i = 0; !status && (name = validate_name(i, text)); i++)
        status = add_word(&c->schemes, name, e);
    return status || list_kernels(&c->kernels, e) || list_rooms(&c->rooms, e) || list_materials(&c->materials, e) ||
           list_keys(c, e);
}
