/* Strings: formatting into fresh memory, and the closest known name for a misspelt one. */
#ifndef AULA_BASE_TEXT_H
#define AULA_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* A fresh string; NULL when memory is out. The caller frees it. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *text_copy(const char *text);

/* One short line without control characters, for messages. Returns text. */
enum { QUOTED = 72 };
const char *quoted(char text[QUOTED], const char *given);

/* The next letter of UTF-8 text. Bytes it takes; 0: it is none (broken, too long a form, half a pair, beyond U+10FFFF). */
size_t text_letter(const char *text, uint32_t *letter);

/* Index of the name that `word` may stand for: one of its synonyms (base/synonyms.h); else the closest (edit distance
 * with transpositions, letter case ignored; not when more than a third of the word would have to change); else the first
 * that the word is a part of, from four letters on; -1: nothing is. */
ptrdiff_t text_closest(const char *word, const char *const *names, size_t count);

/* All that it may stand for, at most `most` of them, the likeliest first. Returns how many. */
size_t text_meant(size_t *meant, size_t max, const char *word, const char *const *names, size_t count);

/* "; did you mean NAME?" for the name that text_closest finds, or "": the end of a message. Returns text. */
enum { HINT = 128 };
const char *text_hint(char text[HINT], const char *word, const char *const *names, size_t count);

/* Strict decimal number: the whole text must be one finite number. Returns 0 on success. Independent of the locale. */
int text_number(const char *text, double *value);

#endif
