/* SPDX-License-Identifier: MIT */
/* Splits an OBJ file into words in one pass; lines of any length need constant memory. */
#ifndef AULA_GEOMETRY_OBJ_TEXT_H
#define AULA_GEOMETRY_OBJ_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "geometry/mesh.h"

struct obj_text {
    FILE *stream;
    const char *path;
    uint64_t line;                /* of the next character, from 1 */
    char word[MESH_NAME_MAX + 1]; /* the last one read */
    bool cut;                     /* it was longer */
    uint64_t nul_line;            /* where a NUL byte was read, which ends the text; 0: nowhere */
    size_t characters;            /* read, by which a requested stop is looked for */
    bool stopped;                 /* there was one, which ends the text, too */
    int ahead[2];                 /* characters read and not yet used */
    int ahead_count;
};

int obj_text_open(struct obj_text *t, const char *path, struct error *e);
void obj_text_close(struct obj_text *t); /* safe on a zeroed struct */

/* The next word of this line. Returns false at its end. A backslash before a line's end continues the line; # begins a
 * comment, which ends with its line. */
bool obj_text_word(struct obj_text *t);

/* The rest of the line as one word, without space at its ends: a name. */
void obj_text_rest(struct obj_text *t);

/* Skips the rest of the line. Returns false at the end of the file. */
bool obj_text_next_line(struct obj_text *t);

/* ERROR_STOPPED. ERROR_INPUT: the file could not be read, or holds a NUL byte, which would hide the rest of a word: it is not text. */
int obj_text_check(const struct obj_text *t, struct error *e);

#endif
