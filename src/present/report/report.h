/* SPDX-License-Identifier: MIT */
/* Writes responses as one self-contained HTML page. */
#ifndef AULA_PRESENT_REPORT_REPORT_H
#define AULA_PRESENT_REPORT_REPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "present/report/ab_player.h"
#include "present/report/cover.h"
#include "present/report/subject.h"

/* Maps and films in a page, from the files that aula map and aula film write. */

enum { PAGE_PICTURE_MAX = 16 << 20 }; /* bytes of a file, so that browsers can open the page */

struct page_picture {
    const char *path, *caption;
    const char *type; /* "image/png", "image/gif", "video/webm": by its first bytes */
    uint8_t *bytes;   /* [count] */
    size_t count;
};

/* `option`: "--map", for messages. ERROR_INPUT for an unreadable file, one of another kind, and a larger one. */
int page_picture_read(struct page_picture *p, const char *option, const char *path, const char *caption,
                      struct error *e);
void page_picture_free(struct page_picture *p); /* safe on a zeroed struct */

/* A figure with the file in it. */
void page_picture_write(FILE *stream, const struct page_picture *p);

/* A sound to listen to, such as an auralization. */
struct wet {
    const char *path;
    struct audio audio;
    double peak;
};

/* ERROR_INPUT as audio_read, and for silence. On failure *w is zero. */
int wet_read(struct wet *w, const char *path, struct error *e);
void wet_free(struct wet *w); /* NULL-safe */

/* Everything in a page. All of it belongs to the caller. */
struct report_content {
    const struct subject *subjects; /* [count] */
    size_t count;
    const struct wet *wets; /* [wet_count] */
    size_t wet_count;
    const struct page_picture *pictures; /* [picture_count] */
    size_t picture_count;
    struct ab_list ab;
    struct cover cover;
    char decimal_sign; /* of numbers in text and drawings: '.' or ',' */
};

/* *text is the page, to be freed; the same input gives the same page. The page loads nothing from the network, and its
 * policy only allows its own scripts, which show rooms in 3D and switch between the sounds of `ab`. Several subjects are
 * also compared in just noticeable differences. */
int report_text(char **text, const struct report_content *content, struct error *e);

#endif
