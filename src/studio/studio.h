/* SPDX-License-Identifier: MIT */
/* aula studio: a room in a browser page that this program serves. */
#ifndef AULA_STUDIO_STUDIO_H
#define AULA_STUDIO_STUDIO_H

#include <stdbool.h>

#include "base/error.h"

struct studio_settings {
    const char *room; /* path or name of a shipped room; NULL: the page offers some */
    int port;         /* 0: a free one */
    bool browser;     /* open the page in the user's browser */
    bool stays;       /* serve on after the last page is closed */
};

/* Serves until the last page is closed, or a stop is requested; then 0. `ready` is called with the address once it is served.
 * ERROR_INPUT: the room cannot be read; ERROR_FAILED: the port is taken; ERROR_ENGINE: built without libmicrohttpd. */
int studio_run(const struct studio_settings *settings, void (*ready)(void *context, const char *address), void *context,
               struct error *e);

#endif
