/* SPDX-License-Identifier: MIT */
/* Answers the requests of the page. */
#ifndef AULA_STUDIO_ROUTES_H
#define AULA_STUDIO_ROUTES_H

#include "studio/events.h"
#include "studio/http/http.h"
#include "studio/jobs.h"
#include "studio/session.h"

struct routes {
    struct session *session;
    struct jobs *jobs;
    struct events *events;
};

/* An http_handler whose context is a struct routes. */
void routes_answer(void *routes, const struct http_request *request, struct http_answer *answer);

bool routes_is_upload(const char *path);

#endif
