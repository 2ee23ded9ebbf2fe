/* SPDX-License-Identifier: MIT */
#include "studio/watch.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/checksum.h"
#include "base/file.h"
#include "base/text.h"
#include "io/json_build.h"
#include "room/room.h"

enum { WATCHED_MAX = 512 };

struct watched {
    char *room, *file;
    uint64_t state;
};

struct watch {
    pthread_mutex_t lock;
    struct watched list[WATCHED_MAX];
    size_t count;
};

struct watch *watch_make(void)
{
    struct watch *w = calloc(1, sizeof *w);
    if (w)
        pthread_mutex_init(&w->lock, NULL);
    return w;
}

static void forget(struct watched *f)
{
    free(f->room);
    free(f->file);
}

void watch_free(struct watch *w)
{
    for (size_t i = 0; w && i < w->count; i++)
        forget(&w->list[i]);
    if (w)
        pthread_mutex_destroy(&w->lock);
    free(w);
}

static uint64_t state_of(const char *file)
{
    struct stat status;
    if (stat(file, &status))
        return 0;
    const int64_t numbers[] = {(int64_t)status.st_mtim.tv_sec, (int64_t)status.st_mtim.tv_nsec, (int64_t)status.st_size,
                               (int64_t)status.st_ino};
    return checksum_bytes(checksum_text(file), numbers, sizeof numbers);
}

/* With w->lock held. The oldest goes for a new one where there are too many. */
static void add(struct watch *w, const char *room, const char *file, uint64_t state)
{
    for (size_t i = 0; i < w->count; i++)
        if (!strcmp(w->list[i].file, file) && !strcmp(w->list[i].room, room))
            return;
    if (w->count == WATCHED_MAX) {
        forget(w->list);
        memmove(w->list, w->list + 1, --w->count * sizeof *w->list);
    }
    struct watched f = {text_copy(room), text_copy(file), state};
    if (f.room && f.file)
        w->list[w->count++] = f;
    else
        forget(&f);
}

void watch_room(struct watch *w, const struct room *room, char state[WATCH_STATE])
{
    uint64_t sum = CHECKSUM_START;
    const char *file;
    size_t count = 0;
    pthread_mutex_lock(&w->lock);
    for (; (file = room_dependency(room, count)); count++) {
        const uint64_t one = state_of(file);
        add(w, room->path, file, one);
        sum = checksum_bytes(sum, &one, sizeof one);
    }
    pthread_mutex_unlock(&w->lock);
    *state = '\0';
    if (count)
        snprintf(state, WATCH_STATE, "%016" PRIx64, sum);
}

static void tell(const struct watched *f, struct events *events)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "type", "input");
    cJSON_AddStringToObject(json, "path", f->room);
    cJSON_AddStringToObject(json, "name", path_name(f->file));
    char *line = json_line(json);
    if (line)
        events_send(events, NULL, line);
    free(line);
}

void watch_look(struct watch *w, struct events *events)
{
    pthread_mutex_lock(&w->lock);
    for (size_t i = 0; i < w->count; i++) {
        const uint64_t now = state_of(w->list[i].file);
        if (now != w->list[i].state)
            tell(&w->list[i], events);
        w->list[i].state = now;
    }
    pthread_mutex_unlock(&w->lock);
}
