/* SPDX-License-Identifier: MIT */
/* Strings: formatting into allocated memory, and the closest known name to a misspelt word. */
#ifndef AULA_BASE_TEXT_H
#define AULA_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A fresh string, owned by the caller; NULL when memory is out. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *text_copy(const char *text);

/* `given` as one short line, for messages: controls become visible escapes (base/sanitize_text.h). Returns text. */
enum { QUOTED = 72 };
const char *quoted(char text[QUOTED], const char *given);

/* The next character of UTF-8 text. Returns its bytes; 0: invalid (broken, overlong, a surrogate, beyond U+10FFFF). */
size_t text_letter(const char *text, uint32_t *letter);

/* Index of the name that `word` may mean: a synonym (base/synonyms.h); else the closest (edit distance with
 * transpositions, ignoring case, at most a third of the word); else the first that contains it (from 4 letters); else
 * one of a word in it, as "sofa" in "Sofa.001" or "bed" in "bed_left"; -1. */
ptrdiff_t text_closest(const char *word, const char *const *names, size_t count);

/* All names that it may mean, at most `max`, the likeliest first, with the synonyms of this table. Returns their
 * number. */
struct synonym;
size_t text_meant(size_t *meant, size_t max, const char *word, const struct synonym *table, const char *const *names,
                  size_t count);

/* "; did you mean NAME?" for the name found by text_closest, or "": the end of a message. Returns text. */
enum { HINT = 128 };
const char *text_hint(char text[HINT], const char *word, const char *const *names, size_t count);

/* Strict decimal number: the whole text must be one finite number. Returns 0 on success. Independent of the locale. */
int text_number(const char *text, double *value);

/* `value` with this number of significant digits, as %g, but large values without an exponent: "14290". Returns text. */
#define PLAIN_TEXT 32
const char *text_plain(char text[PLAIN_TEXT], double value, int digits);

/* A text built piece by piece, which remembers whether memory sufficed. */

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

/* Lists of lines, such as notes and warnings. */

/* Appends a line to the *count lines of *lines. */
int lines_add(char ***lines, size_t *count, struct error *e, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void lines_free(char **lines, size_t count);

#endif
