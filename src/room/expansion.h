/* SPDX-License-Identifier: MIT */
/* A room file with all that it includes as one text, the only text that libconfig reads, and where its lines are from:
 * what was checked is what is read. */
#ifndef AULA_ROOM_EXPANSION_H
#define AULA_ROOM_EXPANSION_H

#include <libconfig.h>

#include "base/text.h"

/* Lines of the expanded text from `first` on, up to the next stretch. */
struct stretch {
    int first;        /* in the expanded text, from 1 */
    const char *file; /* NULL: the outermost */
    int line;         /* of `file`, where `first` is from */
};

/* Zero it first. */
struct expansion {
    struct growing_text text;
    int newlines; /* in text */
    bool json;    /* the outermost file is JSON, which includes nothing */
    struct stretch *stretches;
    size_t stretch_count;
};

/* Appends text of the stretch that was begun last. */
void expansion_add(struct expansion *x, const char *text, size_t bytes);

/* The next text is from `line` of `file`, which outlives x. -1: no memory. */
int expansion_begin(struct expansion *x, const char *file, int line);

/* Where a line of the expanded text is from: file NULL and the line itself where nothing is included. */
struct stretch expansion_place(const struct expansion *x, int line);

/* Gives each setting of a tree that libconfig read from the expanded text its own file and line. */
void expansion_place_settings(const struct expansion *x, config_setting_t *setting);

void expansion_free(struct expansion *x);

#endif
