/* SPDX-License-Identifier: MIT */
#include "studio/session.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/file.h"
#include "base/output_file.h"
#include "base/text.h"
#include "io/json_build.h"
#include "io/sofa/library.h"
#include "room/room.h"
#include "studio/autosave.h"
#include "studio/folders.h"
#include "studio/models.h"
#include "studio/program.h"
#include "studio/request.h"
#include "studio/scene.h"
#include "studio/temporary.h"
#include "studio/uploads.h"
#include "studio/watch.h"

enum { FILES_MAX = 64, LISTS = 4 };
static const double list_seconds = 60.0;
static const uint64_t uploads_most = 2000000000; /* bytes */

/* A room file that a page opened. */
struct opened {
    char *path;              /* absolute */
    uint64_t known;          /* checksum of the text as pages know it */
    struct timespec changed; /* its last change on disk that was looked at */
    bool shipped;
};

struct session {
    pthread_mutex_t lock;
    struct events *events;
    struct temporary folder;
    const char *begins; /* room of the command line; NULL: none */
    struct opened files[FILES_MAX];
    size_t file_count;
    struct uploads uploads;
    struct watch *watch;
    char *lists[LISTS]; /* of session_list, as first printed */
};

static const struct {
    const char *name, *words[4];
} lists[LISTS] = {{"rooms", {"info", "--rooms", "--json"}},
                  {"materials", {"info", "--materials", "--json"}},
                  {"targets", {"info", "--list-targets", "--json"}},
                  {"keys", {"info", "--keys", "--json"}}};

const char *session_folder(const struct session *s)
{
    return s->folder.path;
}

int session_open(struct session **out, const char *room, struct events *events, struct error *e)
{
    struct session *s = calloc(1, sizeof *s);
    *out = s;
    if (!s)
        return fail(e, ERROR_MEMORY, "out of memory");
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->uploads.lock, NULL);
    s->events = events;
    s->begins = room;
    s->watch = watch_make();
    if (!s->watch)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (temporary_make(&s->folder, e))
        return -1;
    s->uploads.folder = s->folder.path;
    s->uploads.most = uploads_most;
    return 0;
}

void session_close(struct session *s)
{
    if (!s)
        return;
    temporary_remove(&s->folder);
    watch_free(s->watch);
    for (size_t i = 0; i < s->file_count; i++)
        free(s->files[i].path);
    for (size_t i = 0; i < LISTS; i++)
        free(s->lists[i]);
    pthread_mutex_destroy(&s->uploads.lock);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* ---- Lists of the program ---- */

char *session_list(struct session *s, const char *name, struct error *e)
{
    const struct program_watch watch = {NULL, NULL, NULL, NULL};
    size_t index = 0;
    while (index < LISTS && strcmp(lists[index].name, name) != 0)
        index++;
    if (index == LISTS) {
        fail(e, ERROR_INPUT, "%s: no such list", name);
        return NULL;
    }
    pthread_mutex_lock(&s->lock);
    char *known = s->lists[index] ? text_copy(s->lists[index]) : NULL;
    pthread_mutex_unlock(&s->lock);
    if (known)
        return known;
    struct program_result r;
    if (program_run(&r, lists[index].words, ".", NULL, list_seconds, &watch, e) || r.status || !r.text) {
        if (r.status)
            fail(e, ERROR_FAILED, "%s", r.notes ? r.notes : "aula info failed");
        program_result_free(&r);
        return NULL;
    }
    pthread_mutex_lock(&s->lock);
    if (!s->lists[index])
        s->lists[index] = text_copy(r.text);
    pthread_mutex_unlock(&s->lock);
    known = r.text;
    r.text = NULL;
    program_result_free(&r);
    return known;
}

/* ---- Room files ---- */

/* With s->lock held: the file's entry; NULL: none. */
static struct opened *opened_file(struct session *s, const char *path)
{
    for (size_t i = 0; i < s->file_count; i++)
        if (!strcmp(s->files[i].path, path))
            return &s->files[i];
    return NULL;
}

/* With s->lock held: the file's entry, new or old; of too many the one opened first is forgotten. NULL: out of memory. */
static struct opened *entry_of(struct session *s, const char *path)
{
    struct opened *known = opened_file(s, path);
    if (known)
        return known;
    if (s->file_count == FILES_MAX) {
        free(s->files[0].path);
        memmove(s->files, s->files + 1, --s->file_count * sizeof *s->files);
    }
    struct opened *f = &s->files[s->file_count];
    *f = (struct opened){.path = text_copy(path)};
    s->file_count += f->path != NULL;
    return f->path ? f : NULL;
}

/* Tells pages that a file has another text; `page` wrote it, or is NULL. */
static void tell_changed(struct session *s, const char *path, const char *page)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "type", "file");
    cJSON_AddStringToObject(json, "path", path);
    if (page)
        cJSON_AddStringToObject(json, "by", page);
    char *line = json_line(json);
    if (line)
        events_send(s->events, NULL, line);
    free(line);
}

static struct timespec change_of(const char *path)
{
    struct stat status;
    return stat(path, &status) ? (struct timespec){0, 0} : status.st_mtim;
}

/* What a file has that is opened for the first time; session_look tells of later changes. */
static void know(struct session *s, const char *path, const char *text, bool shipped)
{
    pthread_mutex_lock(&s->lock);
    const size_t before = s->file_count;
    struct opened *f = entry_of(s, path);
    if (f && s->file_count > before) {
        f->known = checksum_text(text);
        f->changed = change_of(path);
        f->shipped = shipped;
    }
    pthread_mutex_unlock(&s->lock);
}

/* What a page has written, of which the others hear. */
static void know_saved(struct session *s, const char *path, const char *text, const char *page)
{
    know(s, path, text, false);
    pthread_mutex_lock(&s->lock);
    struct opened *f = entry_of(s, path);
    if (f) {
        f->known = checksum_text(text);
        f->changed = change_of(path);
    }
    pthread_mutex_unlock(&s->lock);
    tell_changed(s, path, page);
}

/* The path of a file that ships with the program, by its name. Fresh; NULL: none of this name. */
static char *shipped_path(struct session *s, const char *name)
{
    struct error ignored;
    char *text = session_list(s, "rooms", &ignored), *path = NULL;
    cJSON *json = text ? cJSON_Parse(text) : NULL;
    for (const cJSON *list = json ? json->child : NULL; list && !path; list = list->next) {
        const cJSON *item;
        cJSON_ArrayForEach(item, list)
        {
            const cJSON *called = cJSON_GetObjectItemCaseSensitive(item, "name");
            const cJSON *at = cJSON_GetObjectItemCaseSensitive(item, "path");
            const bool meant = cJSON_IsString(called) && cJSON_IsString(at) &&
                               (!strcmp(called->valuestring, name) || same_file(at->valuestring, name));
            if (meant && !path)
                path = realpath(at->valuestring, NULL);
        }
    }
    cJSON_Delete(json);
    free(text);
    return path;
}

static cJSON *file_json(const char *path, bool shipped)
{
    cJSON *json = cJSON_CreateObject();
    char *folder = path_folder(path);
    cJSON_AddStringToObject(json, "path", path);
    cJSON_AddStringToObject(json, "name", path_name(path));
    cJSON_AddStringToObject(json, "folder", folder ? folder : "");
    cJSON_AddBoolToObject(json, "writable", !shipped && !access(path, W_OK));
    cJSON_AddBoolToObject(json, "shipped", shipped);
    free(folder);
    return json;
}

cJSON *session_begin(struct session *s, const char *word, struct error *e)
{
    char *shipped = shipped_path(s, word), *path = shipped ? text_copy(shipped) : realpath(word, NULL), *text = NULL;
    cJSON *json = NULL;
    if (!path)
        fail(e, ERROR_INPUT, "%s: cannot open: %s", word, strerror(errno));
    else if (!file_read_text(path, ROOM_TEXT_MAX, &text, e)) {
        json = cJSON_CreateObject();
        cJSON_AddItemToObject(json, "file", file_json(path, shipped != NULL));
        cJSON_AddStringToObject(json, "text", text);
        cJSON_AddItemToObject(json, "autosave", autosave_list(path, shipped != NULL, text));
        know(s, path, text, shipped != NULL);
    }
    free(text);
    free(path);
    free(shipped);
    return json;
}

void session_answer_free(cJSON *answer)
{
    cJSON_Delete(answer);
}

cJSON *session_state(struct session *s, struct error *e)
{
    cJSON *json = s->begins ? session_begin(s, s->begins, e) : cJSON_CreateObject();
    char folder[4096];
    if (!json)
        return NULL;
    cJSON_AddStringToObject(json, "version", AULA_VERSION);
    cJSON_AddStringToObject(json, "folder", getcwd(folder, sizeof folder) ? folder : "");
    cJSON_AddBoolToObject(cJSON_AddObjectToObject(json, "has"), "sofa", !sofa_library.unavailable());
    char *text = session_list(s, "rooms", e);
    cJSON *shipped = text ? cJSON_Parse(text) : NULL;
    free(text);
    if (!shipped) {
        cJSON_Delete(json);
        return NULL;
    }
    static const char *const members[] = {"rooms", "sounds"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        cJSON *list = cJSON_DetachItemFromObjectCaseSensitive(shipped, members[i]);
        if (list)
            cJSON_AddItemToObject(json, members[i], list);
    }
    cJSON_Delete(shipped);
    return json;
}

int session_keep(struct session *s, const char *path, const char *variant, const char *text, struct error *e)
{
    pthread_mutex_lock(&s->lock);
    const struct opened *f = opened_file(s, path);
    const bool shipped = f && f->shipped;
    pthread_mutex_unlock(&s->lock);
    return f ? autosave_keep(path, shipped, variant, text, e) : fail(e, ERROR_INPUT, "%s: is not open", path);
}

cJSON *session_room(struct session *s, const char *path, const char *text, struct error *e)
{
    struct room *room;
    char inputs[WATCH_STATE];
    if (room_read_text(&room, path, text, NULL, 0, e))
        return NULL;
    watch_room(s->watch, room, inputs);
    cJSON *scene = scene_json(room, e), *json = scene ? cJSON_CreateObject() : NULL;
    if (json) {
        cJSON_AddItemToObject(json, "scene", scene);
        cJSON_AddStringToObject(json, "inputs", inputs);
    }
    room_free(room);
    return json;
}

/* Whether saving would lose a text that the page does not know; `known`: the one it knows, NULL: none. */
static bool conflicts(const char *path, const char *known, struct error *e)
{
    char *text = NULL;
    struct error ignored;
    if (access(path, F_OK))
        return false;
    if (file_read_text(path, ROOM_TEXT_MAX, &text, &ignored)) {
        fail(e, ERROR_INPUT, "%s: exists and is no text; choose another name", path);
        return true;
    }
    const bool same = known && !strcmp(text, known);
    free(text);
    if (!same)
        fail(e, ERROR_INPUT, known ? "%s: changed on disk since it was opened" : "%s: exists already", path_name(path));
    return !same;
}

cJSON *session_save(struct session *s, const struct session_save *save, bool *conflict, struct error *e)
{
    const char *word = save->path;
    struct output_file file = {0};
    const size_t length = strlen(word);
    char folder[4096];
    *conflict = false;
    if (length < 5 || strcmp(word + length - 4, ".cfg") != 0) {
        fail(e, ERROR_INPUT, "%s: the name of a room file ends in .cfg", word);
        return NULL;
    }
    char *shipped = shipped_path(s, word);
    char *path =
        *word == '/' ? text_copy(word) : text_format("%s/%s", getcwd(folder, sizeof folder) ? folder : ".", word);
    int status = path ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    if (!status && shipped)
        status = fail(e, ERROR_INPUT, "%s ships with aula and stays as it is; save a copy under another name", word);
    *conflict = !status && !save->replace && conflicts(path, save->known, e);
    char *parent = status ? NULL : path_folder(path);
    char *settled = status || *conflict || !parent ? NULL : models_settle(save->text, s->folder.path, parent, e);
    if (settled) {
        status = output_file_open(&file, path, e) || output_file_put(&file, settled, e) || output_file_commit(&file, e);
        output_file_discard(&file);
    }
    cJSON *json = NULL;
    if (settled && !status) {
        know_saved(s, path, settled, save->page);
        json = cJSON_CreateObject();
        cJSON_AddItemToObject(json, "file", file_json(path, false));
        cJSON_AddStringToObject(json, "text", settled);
    }
    free(settled);
    free(parent);
    free(path);
    free(shipped);
    return json;
}

void session_look(struct session *s)
{
    char *changed[FILES_MAX];
    size_t count = 0;
    struct error ignored;
    pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->file_count; i++) {
        struct opened *f = &s->files[i];
        const struct timespec now = change_of(f->path);
        char *text = NULL;
        if (now.tv_sec == f->changed.tv_sec && now.tv_nsec == f->changed.tv_nsec)
            continue;
        f->changed = now;
        if (!access(f->path, R_OK) && file_read_text(f->path, ROOM_TEXT_MAX, &text, &ignored))
            continue;
        const uint64_t known = text ? checksum_text(text) : 0;
        if (known != f->known)
            changed[count++] = text_copy(f->path);
        f->known = known;
        free(text);
    }
    pthread_mutex_unlock(&s->lock);
    watch_look(s->watch, s->events);
    for (size_t i = 0; i < count; i++) {
        if (changed[i])
            tell_changed(s, changed[i], NULL);
        free(changed[i]);
    }
}

/* ---- Uploads ---- */

cJSON *session_upload(struct session *s, const char *name, int from, struct error *e)
{
    unsigned drop;
    char *path = uploads_keep(&s->uploads, name, from, &drop, e);
    cJSON *json = path ? cJSON_CreateObject() : NULL;
    if (json) {
        cJSON_AddStringToObject(json, "path", path);
        cJSON_AddNumberToObject(json, "drop", drop);
    }
    free(path);
    return json;
}
