/* SPDX-License-Identifier: MIT */
#include "base/transport/thread_transport.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct message {
    const void *bytes;
    size_t count;
    struct message *next;
};

/* Messages of one part to another, in order. */
struct mailbox {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct message *first, *last;
    size_t waiting; /* messages */
    bool copying;   /* the receiver copies the first of them */
    bool broken;
};

struct end {
    struct transport transport; /* first */
    struct thread_hub *hub;
};

struct thread_hub {
    int count;
    struct end *ends;        /* [count] */
    struct mailbox *boxes;   /* [from][to] */
    pthread_mutex_t failing; /* guards `why` */
    struct error why;        /* of the first part that has failed */
};

static struct mailbox *box_of(struct thread_hub *hub, int from, int to)
{
    return &hub->boxes[from * hub->count + to];
}

static struct thread_hub *hub_of(struct transport *t)
{
    return ((struct end *)(void *)t)->hub;
}

/* The error of every wait after a part has failed. */
static int tell_why(struct thread_hub *hub, struct error *e)
{
    pthread_mutex_lock(&hub->failing);
    if (e)
        *e = hub->why;
    pthread_mutex_unlock(&hub->failing);
    return -1;
}

static int send(struct transport *t, int to, const void *bytes, size_t count, struct error *e)
{
    struct mailbox *box = box_of(hub_of(t), t->part, to);
    struct message *m = malloc(sizeof *m);
    if (!m)
        return fail(e, ERROR_MEMORY, "out of memory");
    *m = (struct message){bytes, count, NULL};
    pthread_mutex_lock(&box->lock);
    if (box->last)
        box->last->next = m;
    else
        box->first = m;
    box->last = m;
    box->waiting++;
    pthread_cond_broadcast(&box->changed);
    pthread_mutex_unlock(&box->lock);
    return 0;
}

static int receive(struct transport *t, int from, void *bytes, size_t count, struct error *e)
{
    struct mailbox *box = box_of(hub_of(t), from, t->part);
    pthread_mutex_lock(&box->lock);
    while (!box->first && !box->broken)
        pthread_cond_wait(&box->changed, &box->lock);
    struct message *m = box->first;
    if (box->broken) {
        pthread_mutex_unlock(&box->lock);
        return tell_why(hub_of(t), e);
    }
    box->first = m->next;
    if (!box->first)
        box->last = NULL;
    box->copying = true;
    pthread_mutex_unlock(&box->lock);
    const size_t sent = m->count;
    if (sent == count && count)
        memcpy(bytes, m->bytes, count); /* the sender waits in `flush` */
    free(m);
    pthread_mutex_lock(&box->lock);
    box->waiting--;
    box->copying = false;
    pthread_cond_broadcast(&box->changed);
    pthread_mutex_unlock(&box->lock);
    return sent == count ? 0 : fail(e, ERROR_ENGINE, "part %d sent %zu bytes; %zu were expected", from, sent, count);
}

static int flush(struct transport *t, struct error *e)
{
    struct thread_hub *hub = hub_of(t);
    bool broken = false;
    for (int to = 0; to < t->count; to++) {
        struct mailbox *box = box_of(hub, t->part, to);
        pthread_mutex_lock(&box->lock);
        while ((box->waiting && !box->broken) || box->copying)
            pthread_cond_wait(&box->changed, &box->lock);
        broken = broken || box->broken;
        pthread_mutex_unlock(&box->lock);
    }
    return broken ? tell_why(hub, e) : 0;
}

static void abandon(struct transport *t, const struct error *why)
{
    struct thread_hub *hub = hub_of(t);
    pthread_mutex_lock(&hub->failing);
    if (!hub->why.code)
        fail(&hub->why, why->code ? why->code : ERROR_ENGINE, "part %d: %.4000s", t->part, why->message);
    pthread_mutex_unlock(&hub->failing);
    for (int i = 0; i < hub->count * hub->count; i++) {
        pthread_mutex_lock(&hub->boxes[i].lock);
        hub->boxes[i].broken = true;
        pthread_cond_broadcast(&hub->boxes[i].changed);
        pthread_mutex_unlock(&hub->boxes[i].lock);
    }
}

static const struct transport_functions functions = {send, receive, flush, abandon};

int thread_hub_open(struct thread_hub **out, int count, struct error *e)
{
    const size_t boxes = (size_t)count * (size_t)count;
    struct thread_hub *hub = calloc(1, sizeof *hub);
    *out = NULL;
    if (hub) {
        hub->ends = calloc((size_t)count, sizeof *hub->ends);
        hub->boxes = calloc(boxes, sizeof *hub->boxes);
    }
    if (!hub || !hub->ends || !hub->boxes) {
        thread_hub_close(hub);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    hub->count = count;
    pthread_mutex_init(&hub->failing, NULL);
    for (size_t i = 0; i < boxes; i++) {
        pthread_mutex_init(&hub->boxes[i].lock, NULL);
        pthread_cond_init(&hub->boxes[i].changed, NULL);
    }
    for (int part = 0; part < count; part++)
        hub->ends[part] = (struct end){{.functions = &functions, .part = part, .count = count, .addresses = true}, hub};
    *out = hub;
    return 0;
}

struct transport *thread_hub_end(struct thread_hub *hub, int part)
{
    return &hub->ends[part].transport;
}

void thread_hub_close(struct thread_hub *hub)
{
    if (!hub)
        return;
    for (int i = 0; i < hub->count * hub->count; i++) {
        struct mailbox *box = &hub->boxes[i];
        for (struct message *m = box->first, *next; m; m = next) {
            next = m->next;
            free(m);
        }
        pthread_cond_destroy(&box->changed);
        pthread_mutex_destroy(&box->lock);
    }
    if (hub->count)
        pthread_mutex_destroy(&hub->failing);
    free(hub->ends);
    free(hub->boxes);
    free(hub);
}
