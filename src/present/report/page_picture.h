/* SPDX-License-Identifier: MIT */
/* Pictures and films of others in a page: what aula map and aula film wrote. */
#ifndef AULA_PRESENT_REPORT_PAGE_PICTURE_H
#define AULA_PRESENT_REPORT_PAGE_PICTURE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

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

#endif
