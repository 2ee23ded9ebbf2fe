/* SPDX-License-Identifier: MIT */
/* In place of microhttpd.c in a build without libmicrohttpd. */
#include "studio/http/http.h"

const char *http_unavailable(void)
{
    return "built without libmicrohttpd; install libmicrohttpd-dev and build aula again";
}

int http_start(struct http **h, const struct http_settings *settings, struct error *e)
{
    (void)settings;
    *h = NULL;
    return fail(e, ERROR_ENGINE, "aula studio: %s", http_unavailable());
}

int http_port(const struct http *h)
{
    (void)h;
    return 0;
}

void http_stop(struct http *h)
{
    (void)h;
}
