/* SPDX-License-Identifier: MIT */
/* Table of words that people try for aula's names. */
#ifndef AULA_BASE_SYNONYMS_H
#define AULA_BASE_SYNONYMS_H

#include <stddef.h>

enum { SYNONYMS_MAX = 5 };

struct synonym {
    const char *word;                    /* lower case, _ between words */
    const char *names[SYNONYMS_MAX + 1]; /* candidates for any list of names, the likeliest first, then NULL */
};

/* The entry of a word or its plural in s, in any case and with -, _, spaces or nothing between words; NULL: none. */
const struct synonym *synonym_of(const char *word);

extern const struct synonym synonyms[]; /* ends with word NULL */

#endif
