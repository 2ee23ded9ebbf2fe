/* SPDX-License-Identifier: MIT */
/* Joins a room file and everything that it includes into one text, and records the origin of each
 * line. libconfig reads only this text, so it parses exactly what has been checked. */
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

/* Appends text to the current stretch. */
void expansion_add(struct expansion *x, const char *text, size_t bytes);

/* Begins a stretch whose text comes from `line` of `file`, which must outlive x. -1: out of memory. */
int expansion_begin(struct expansion *x, const char *file, int line);

/* The origin of a line of the expanded text; file NULL: a line of the outermost file. */
struct stretch expansion_place(const struct expansion *x, int line);

/* Gives each setting of a tree that libconfig read from the expanded text its own file and line. */
void expansion_place_settings(const struct expansion *x, config_setting_t *setting);

void expansion_free(struct expansion *x);

#endif
