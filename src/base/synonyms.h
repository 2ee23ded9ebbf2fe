/* SPDX-License-Identifier: MIT */
/* Tables of common words that users try instead of aula's names. */
#ifndef AULA_BASE_SYNONYMS_H
#define AULA_BASE_SYNONYMS_H

#include <stddef.h>

enum { SYNONYMS_MAX = 5 };

struct synonym {
    const char *word;                    /* lower case, _ between words */
    const char *names[SYNONYMS_MAX + 1]; /* candidates, the likeliest first, then NULL */
};

/* The entry of a word or its plural in s, in any case and with -, _, spaces or nothing between words; NULL: none. The
 * table ends with word NULL; a table NULL has none. */
const struct synonym *synonym_of(const struct synonym *table, const char *word);

/* Keys, choices, options, commands; those of materials are in rooms/materials.cfg (src/room/materials.c). */
extern const struct synonym synonyms[];

#endif
