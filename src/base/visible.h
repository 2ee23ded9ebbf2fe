/* SPDX-License-Identifier: MIT */
/* Makes text of foreign files safe to show: terminal controls are replaced by visible escapes. */
#ifndef AULA_BASE_VISIBLE_H
#define AULA_BASE_VISIBLE_H

#include <stddef.h>

enum visible_form {
    VISIBLE_TEXT, /* "\x1b", "\u202e" */
    VISIBLE_LINE, /* the same, and "\x0a" and "\x09" for newline and tab: a name cannot begin another line */
    VISIBLE_JSON  /* "\u001b"; control bytes that are not UTF-8 become "\ufffd" */
};

/* State between pieces of a text: an incomplete multibyte character. Zero it first. */
struct visible {
    enum visible_form form;
    unsigned char letter[4];
    size_t count, length; /* bytes present; bytes needed */
};

/* Size limit of a piece of `count` bytes: each of it and of a pending character becomes at most six. */
#define VISIBLE_MAX(count) (6 * ((count) + 4))

/* Writes a piece to out[VISIBLE_MAX(count)] and returns the number of bytes. Replaced are control characters (except
 * newline and tab, unless VISIBLE_LINE), DEL, U+0080 to U+009F (also as single bytes that are not UTF-8) and
 * bidirectional controls. */
size_t visible_piece(struct visible *v, char *out, const char *piece, size_t count);

/* Writes the bytes of a character that stayed incomplete. */
size_t visible_end(struct visible *v, char *out);

/* Writes `text` to `to`, which has `size` bytes, as VISIBLE_LINE, and ends it with 0. What does not fit is left out. */
void visible_line(char *to, size_t size, const char *text);

/* A name of a file, or out of one, for a table: `name` itself, or its VISIBLE_LINE in a static ring of 8 buffers per
 * thread. */
const char *visible_name(const char *name);

#endif
