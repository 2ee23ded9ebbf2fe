/* Text of other people's files made safe to show: what would steer a terminal becomes visible instead. */
#ifndef AULA_BASE_VISIBLE_H
#define AULA_BASE_VISIBLE_H

#include <stddef.h>

enum visible_form {
    VISIBLE_TEXT, /* "\x1b", "\u202e" */
    VISIBLE_JSON  /* "\u001b"; a byte that is no UTF-8 and could steer becomes "\ufffd" */
};

/* A text in pieces: the letter of several bytes that the last piece broke off in. Zero it first. */
struct visible {
    enum visible_form form;
    unsigned char letter[4];
    size_t count, length; /* bytes that are there, and that belong to it */
};

/* Bytes that a piece of `count` can become: every one of it and of a letter before it six. */
#define VISIBLE_MAX(count) (6 * ((count) + 4))

/* Writes a piece to out[VISIBLE_MAX(count)] and returns how many bytes that were. Left as they are: newline, tab and all
 * that shows or is harmless. Made visible: control characters below space, DEL, U+0080 to U+009F (also as single bytes
 * that are no UTF-8) and the characters that turn the direction of writing. */
size_t visible_piece(struct visible *v, char *out, const char *piece, size_t count);

/* What is left of a letter that never became whole. */
size_t visible_end(struct visible *v, char *out);

#endif
