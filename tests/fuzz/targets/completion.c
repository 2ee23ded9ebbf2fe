/* SPDX-License-Identifier: MIT */
/* What completion offers beside hostile names: the first piece is the library of materials, each that follows the name of a
 * room. No word may mean anything to a shell, and every room that is offered is there as a whole. */
#include "app/completion_words.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cmd.h"
#include "harness.h"

enum { ROOMS = 8 };
static const char suffix[] = ".cfg";
static const char library[] = "rooms/materials.cfg";
static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

const struct command *const commands[] = {NULL};

/* rooms/PIECE.cfg, as fresh text; NULL: such a file cannot be. */
static char *room_path(const uint8_t *piece, size_t length)
{
    char *name = harness_text(piece, length), *path = NULL;
    if (strlen(name) + sizeof suffix <= NAME_MAX && !strchr(name, '/') &&
        asprintf(&path, "rooms/%s%s", name, suffix) < 0)
        abort();
    if (path && !strcmp(path, library)) {
        free(path);
        path = NULL;
    }
    free(name);
    return path;
}

static void check(bool holds, const char *what, const char *word)
{
    if (holds)
        return;
    fprintf(stderr, "%s: \"%s\"\n", what, word);
    abort();
}

/* The library may be a room, too. */
static bool is_room(char *const paths[ROOMS], const char *word)
{
    if (!strcmp(word, "materials"))
        return true;
    for (int i = 0; i < ROOMS; i++)
        if (paths[i] && strlen(paths[i]) == strlen("rooms/") + strlen(word) + strlen(suffix) &&
            !strncmp(paths[i] + strlen("rooms/"), word, strlen(word)))
            return true;
    return false;
}

/* Calls strtok_r, so it ends the list. */
static void check_words(char *list, char *const rooms[ROOMS])
{
    char *rest = NULL;
    for (char *word = strtok_r(list, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        check(*word != '-', "is an option", word);
        for (const char *at = word; *at; at++)
            check((unsigned char)*at >= 0x80 || strchr(letters, *at) || strchr("_-./", *at),
                  "means something to a shell", word);
        for (const char *at = word; (at = strchr(at, '\xC2')); at++)
            check((unsigned char)at[1] < 0x80 || (unsigned char)at[1] >= 0xA0, "is a control character", word);
        check(!rooms || is_room(rooms, word), "is no room", word);
    }
}

static bool has_word(const char *list, const char *word, size_t length)
{
    for (const char *at = strstr(list, word); at; at = strstr(at + 1, word))
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* Rooms of letters alone are not forgotten. */
static void check_offered(const char *list, char *const rooms[ROOMS])
{
    for (int i = 0; i < ROOMS; i++) {
        const char *word = rooms[i] ? rooms[i] + strlen("rooms/") : "";
        const size_t length = strspn(word, letters);
        char stem[NAME_MAX + 1];
        snprintf(stem, sizeof stem, "%.*s", (int)length, word);
        check(!length || strcmp(word + length, suffix) != 0 || has_word(list, stem, length), "is not offered", stem);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *piece = data;
    size_t length = 0;
    char *rooms[ROOMS] = {NULL};
    struct completion c;
    struct error e;
    const uint8_t *bytes = harness_piece(&piece, &size, &length);
    harness_write(library, bytes ? (const char *)bytes : "", length);
    setenv("AULA_DATA", harness_path("."), 1);
    for (int i = 0; i < ROOMS && (bytes = harness_piece(&piece, &size, &length)); i++) {
        rooms[i] = room_path(bytes, length);
        if (rooms[i])
            harness_write(rooms[i], "#\nroom: {};\n", 12);
    }
    const int status = completion_make(&c, &e);
    check(!status, "completion fails", status ? e.message : "");
    check_offered(c.rooms, rooms);
    check_words(c.rooms, rooms);
    check_words(c.materials, NULL);
    check_words(c.kernels, NULL);
    check_words(c.schemes, NULL);
    for (size_t i = 0; i < c.key_count; i++)
        check_words(c.keys[i].list, NULL);
    completion_free(&c);
    for (int i = 0; i < ROOMS; i++) {
        if (rooms[i])
            unlink(harness_path(rooms[i]));
        free(rooms[i]);
    }
    return 0;
}
