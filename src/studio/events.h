/* SPDX-License-Identifier: MIT */
/* Messages to all open pages, as server-sent events. */
#ifndef AULA_STUDIO_EVENTS_H
#define AULA_STUDIO_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct events;
struct listener;

struct events *events_make(void);   /* NULL: out of memory */
void events_free(struct events *e); /* NULL-safe; after the last listener is gone */
void events_end(struct events *e);  /* listeners read an end */

/* Sends one line of JSON to all listeners. A listener that lags far behind is ended; its page connects again. */
void events_send(struct events *e, const char *line);

struct listener *events_listen(struct events *e); /* NULL: out of memory, or too many */
/* An http_source: waits half a second at most and then sends a comment, by which lost connections are noticed. */
ssize_t events_read(void *listener, char *buffer, size_t room);
void events_leave(void *listener);

/* Seconds since the last listener left; 0: there are some, or never were any. */
double events_alone(struct events *e);

#endif
