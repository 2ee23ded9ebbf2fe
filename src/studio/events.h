/* SPDX-License-Identifier: MIT */
/* Messages to open pages, as server-sent events. */
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

/* A page names itself; of the others it hears nothing that is theirs. Sends one line of JSON to the page of this name; NULL: to
 * all. A listener that lags far behind is ended; its page connects again. */
void events_send(struct events *e, const char *page, const char *line);

struct listener *events_listen(struct events *e, const char *page); /* NULL: out of memory, or full */
/* Whether another page would find no connection: browsers open six to one server, of which each page holds one. */
bool events_full(struct events *e);
/* Whether a page of this name listens. */
bool events_hears(struct events *e, const char *page);
/* An http_source: waits half a second at most and then sends an event "beat", by which both sides notice a lost connection. */
ssize_t events_read(void *listener, char *buffer, size_t room);
void events_leave(void *listener);

/* Seconds since the last listener left; 0: there are some, or never were any. */
double events_alone(struct events *e);

#endif
