/* SPDX-License-Identifier: MIT */
/* Responses as one self-contained page of HTML. */
#ifndef AULA_PRESENT_REPORT_REPORT_H
#define AULA_PRESENT_REPORT_REPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "present/report/subject.h"

/* Pictures and films of others in a page: what aula map and aula film wrote. */

enum { PAGE_PICTURE_MAX = 16 << 20 }; /* bytes of a file: a page has to open */

struct page_picture {
    const char *path, *caption;
    const char *type; /* "image/png", "image/gif", "video/webm": by its first bytes */
    uint8_t *bytes;   /* [count] */
    size_t count;
};

/* `option`: "--map", for messages. ERROR_INPUT for a file of another kind or a larger one, and one that cannot be
 * read. */
int page_picture_read(struct page_picture *p, const char *option, const char *path, const char *caption,
                      struct error *e);
void page_picture_free(struct page_picture *p); /* safe on a zeroed struct */

/* A figure with the file in it. */
void page_picture_write(FILE *stream, const struct page_picture *p);

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
