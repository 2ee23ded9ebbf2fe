/* SPDX-License-Identifier: MIT */
#include "studio/events.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/text.h"

enum { LISTENERS = 5, PAGE_NAME = 40, BACKLOG = 4 << 20 }; /* bytes that wait for one listener */
static const double heartbeat = 0.5;                       /* s */
static const char beat[] = "event: beat\ndata: 0\n\n";

struct listener {
    struct events *events;
    struct listener *next;
    char page[PAGE_NAME];
    char *waiting; /* [length] */
    size_t length, room;
    bool lags;
};

struct events {
    pthread_mutex_t lock;
    pthread_cond_t news;
    struct listener *listeners;
    size_t count;
    bool ended;
    double alone_since; /* s; 0: never had a listener, or has one */
};

struct events *events_make(void)
{
    struct events *e = calloc(1, sizeof *e);
    pthread_condattr_t monotonic;
    if (!e)
        return NULL;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&e->lock, NULL);
    pthread_cond_init(&e->news, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return e;
}

void events_free(struct events *e)
{
    if (!e)
        return;
    pthread_cond_destroy(&e->news);
    pthread_mutex_destroy(&e->lock);
    free(e);
}

void events_end(struct events *e)
{
    pthread_mutex_lock(&e->lock);
    e->ended = true;
    pthread_cond_broadcast(&e->news);
    pthread_mutex_unlock(&e->lock);
}

static void put(struct listener *l, const char *bytes, size_t count)
{
    if (l->length + count > BACKLOG)
        l->lags = true;
    if (l->lags)
        return;
    if (l->length + count > l->room) {
        const size_t room = 2 * (l->length + count);
        char *larger = realloc(l->waiting, room);
        if (!larger) {
            l->lags = true;
            return;
        }
        l->waiting = larger;
        l->room = room;
    }
    memcpy(l->waiting + l->length, bytes, count);
    l->length += count;
}

void events_send(struct events *e, const char *page, const char *line)
{
    char *message = text_format("data: %s\n\n", line);
    if (!message)
        return;
    pthread_mutex_lock(&e->lock);
    for (struct listener *l = e->listeners; l; l = l->next)
        if (!page || !strcmp(l->page, page))
            put(l, message, strlen(message));
    pthread_cond_broadcast(&e->news);
    pthread_mutex_unlock(&e->lock);
    free(message);
}

bool events_full(struct events *e)
{
    pthread_mutex_lock(&e->lock);
    const bool full = e->count >= LISTENERS;
    pthread_mutex_unlock(&e->lock);
    return full;
}

bool events_hears(struct events *e, const char *page)
{
    pthread_mutex_lock(&e->lock);
    const struct listener *l = e->listeners;
    while (l && strcmp(l->page, page) != 0)
        l = l->next;
    pthread_mutex_unlock(&e->lock);
    return l != NULL;
}

struct listener *events_listen(struct events *e, const char *page)
{
    struct listener *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    snprintf(l->page, sizeof l->page, "%s", page);
    pthread_mutex_lock(&e->lock);
    const bool full = e->count >= LISTENERS || e->ended;
    if (!full) {
        l->events = e;
        l->next = e->listeners;
        e->listeners = l;
        e->count++;
        e->alone_since = 0.0;
        put(l, ": aula\n\n", 8);
    }
    pthread_mutex_unlock(&e->lock);
    if (full) {
        free(l);
        return NULL;
    }
    return l;
}

ssize_t events_read(void *context, char *buffer, size_t room)
{
    struct listener *l = context;
    struct events *e = l->events;
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)(1e9 * heartbeat);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&e->lock);
    while (!l->length && !l->lags && !e->ended)
        if (pthread_cond_timedwait(&e->news, &e->lock, &until)) {
            put(l, beat, sizeof beat - 1);
            break;
        }
    const size_t count = l->length < room ? l->length : room;
    const bool over = !count && (l->lags || e->ended);
    if (count) {
        memcpy(buffer, l->waiting, count);
        memmove(l->waiting, l->waiting + count, l->length - count);
        l->length -= count;
    }
    pthread_mutex_unlock(&e->lock);
    return over ? -1 : (ssize_t)count;
}

void events_leave(void *context)
{
    struct listener *l = context;
    struct events *e = l->events;
    pthread_mutex_lock(&e->lock);
    struct listener **at = &e->listeners;
    while (*at != l)
        at = &(*at)->next;
    *at = l->next;
    if (!--e->count)
        e->alone_since = clock_seconds();
    pthread_mutex_unlock(&e->lock);
    free(l->waiting);
    free(l);
}

double events_alone(struct events *e)
{
    pthread_mutex_lock(&e->lock);
    const double since = e->alone_since;
    pthread_mutex_unlock(&e->lock);
    return since > 0.0 ? clock_seconds() - since : 0.0;
}
