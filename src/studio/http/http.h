/* SPDX-License-Identifier: MIT */
/* An HTTP server on the loopback addresses for one page and its requests.
 *
 * Every address begins with a random token. A request is refused unless its Host is a loopback name with the port of this
 * server, its token is right and, if it changes anything, its Origin is this server. Answers carry a content security policy
 * without inline scripts and no header that lets another origin read them. */
#ifndef AULA_STUDIO_HTTP_HTTP_H
#define AULA_STUDIO_HTTP_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

enum { HTTP_TOKEN = 33 }; /* bytes of a token with its end */

struct http_request {
    const char *method; /* "GET" or "POST" */
    const char *path;   /* without the token and the '/' after it */
    const char *name;   /* of the query ?name=; NULL: none */
    const char *body;   /* [length], 0-terminated; NULL for uploads and GET */
    size_t length;
    int file; /* an upload in an anonymous file at its start; -1: none */
};

/* Reads the next bytes of an answer without end, [room] at most; 0: wait and call again; -1: the end. */
typedef ssize_t http_source(void *context, char *buffer, size_t room);

struct http_answer {
    int status;          /* of HTTP */
    bool whole_page;     /* a page with a policy of its own, such as a report */
    const char *type;    /* of the content */
    char *text;          /* [length], fresh; freed by the server */
    const char *fixed;   /* [length], of the program; used if text is NULL */
    size_t length;       /* of either */
    int file;            /* a descriptor, closed by the server; used if both are NULL and it is not -1 */
    http_source *source; /* an answer without end; used if no other is there */
    void (*source_end)(void *context);
    void *context; /* of source */
};

/* Called by several threads at once. The answer is zeroed but for file = -1. */
typedef void http_handler(void *context, const struct http_request *request, struct http_answer *answer);

struct http_settings {
    int port;                    /* 0: a free one */
    const char *token;           /* must outlive the server */
    size_t body_max, upload_max; /* bytes */
    bool (*is_upload)(const char *path);
    http_handler *handler;
    void *context;
};

struct http;

/* Serves 127.0.0.1 and, if this machine has it, ::1. ERROR_FAILED: the port is taken, with the remedy; ERROR_ENGINE: built
 * without libmicrohttpd. */
int http_start(struct http **h, const struct http_settings *settings, struct error *e);
int http_port(const struct http *h);
/* Ends all connections; sources see no further call. NULL-safe. */
void http_stop(struct http *h);

/* NULL, or why there is no server in this build. */
const char *http_unavailable(void);

#endif
