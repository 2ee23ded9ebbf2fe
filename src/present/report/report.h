/* SPDX-License-Identifier: MIT */
/* Responses as one self-contained page of HTML. */
#ifndef AULA_PRESENT_REPORT_REPORT_H
#define AULA_PRESENT_REPORT_REPORT_H

#include <stddef.h>

#include "present/report/page_picture.h"
#include "present/report/subject.h"

/* A sound to be listened to, of any kind. */
struct wet {
    const char *path;
    struct audio audio;
    double peak;
};

/* ERROR_INPUT as audio_read, and for silence. On failure *w is zero. */
int wet_read(struct wet *w, const char *path, struct error *e);
void wet_free(struct wet *w); /* NULL-safe */

/* The page in fresh memory: the same input gives the same page. No network, and no script
 * but its own, which turns rooms: its policy forbids others. */
int report_text(char **text, const struct subject *subjects, size_t count, const struct wet *wets, size_t wet_count,
                const struct page_picture *pictures, size_t picture_count, struct error *e);

#endif
