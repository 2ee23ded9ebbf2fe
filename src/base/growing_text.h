/* SPDX-License-Identifier: MIT */
/* A text built piece by piece, which remembers whether memory sufficed. */
#ifndef AULA_BASE_GROWING_TEXT_H
#define AULA_BASE_GROWING_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Zero it first; ends with growing_text_take. */
struct growing_text {
    char *text;
    size_t length, room;
    bool lost; /* out of memory; permanent */
};

void growing_text_bytes(struct growing_text *t, const char *bytes, size_t count);
void growing_text_add(struct growing_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The whole text in fresh memory, 0-terminated, and its length (may be NULL); NULL when memory was out. */
char *growing_text_take(struct growing_text *t, size_t *length);

#endif
