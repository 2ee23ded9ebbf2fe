/* SPDX-License-Identifier: MIT */
/* A report as `aula report` writes it, from files of responses, sounds and pictures. */
#ifndef AULA_PRESENT_PAGE_REPORT_PAGE_H
#define AULA_PRESENT_PAGE_REPORT_PAGE_H

#include "present/page/report_cover.h"

enum { REPORT_RESPONSES_MAX = 256 };

struct report_request {
    const char *const *responses; /* [count], 1 to REPORT_RESPONSES_MAX */
    size_t count;
    const char *const *wets; /* [wet_count] */
    size_t wet_count;
    const char *film, *map; /* NULL: none */
    const char *dry;        /* path: heard in all rooms; NULL: none */
    bool match_level;
    struct cover_options cover;
    void (*heard)(void *context, const struct subject *s); /* after each response is read; may be NULL */
    void *context;
};

/* *text is the page, to be freed. `remarks` is to be freed in any case. ERROR_USAGE, ERROR_INPUT, ERROR_MEMORY,
 * ERROR_STOPPED. */
int report_page_make(char **text, struct remarks *remarks, const struct report_request *r, struct error *e);

#endif
