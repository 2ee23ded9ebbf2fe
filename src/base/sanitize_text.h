/* SPDX-License-Identifier: MIT */
/* Makes text of foreign files safe to show: terminal controls are replaced by visible escapes. */
#ifndef AULA_BASE_SANITIZE_TEXT_H
#define AULA_BASE_SANITIZE_TEXT_H

#include <stddef.h>

enum sanitize_form {
    SANITIZE_TEXT, /* "\x1b", "\u202e", "\U000e0001" */
    SANITIZE_LINE, /* the same, and "\x0a" and "\x09" for newline and tab: a name cannot begin another line */
    SANITIZE_JSON  /* "\u001b"; control bytes that are not UTF-8 become "\ufffd" */
};

/* State between pieces of a text: an incomplete multibyte character. Zero it first. */
struct sanitize_text {
    enum sanitize_form form;
    unsigned char letter[4];
    size_t count, length; /* bytes present; bytes needed */
};

/* Size limit of a piece of `count` bytes: each of it and of a pending character becomes at most six. */
#define SANITIZE_MAX(count) (6 * ((count) + 4))

/* Writes a piece to out[SANITIZE_MAX(count)] and returns the number of bytes. Replaced are control characters (except
 * newline and tab, unless SANITIZE_LINE), DEL, U+0080 to U+009F (also as single bytes that are not UTF-8), separators of
 * lines and paragraphs (U+2028, U+2029), and what has no shape: bidirectional and other format characters, but the
 * joiners U+200C and U+200D. */
size_t sanitize_piece(struct sanitize_text *v, char *out, const char *piece, size_t count);

/* Writes the bytes of a character that stayed incomplete. */
size_t sanitize_end(struct sanitize_text *v, char *out);

/* Writes `text` to `to`, which has `size` bytes, as SANITIZE_LINE, and ends it with 0. What does not fit is left out. */
void sanitize_line(char *to, size_t size, const char *text);

/* A name of a file, or out of one, for a table: `name` itself, or its SANITIZE_LINE in a static ring of 8 buffers per
 * thread. */
const char *sanitize_name(const char *name);

#endif
