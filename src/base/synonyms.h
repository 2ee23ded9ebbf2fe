/* Words that people try for the names that aula has: the one table of them. */
#ifndef AULA_BASE_SYNONYMS_H
#define AULA_BASE_SYNONYMS_H

#include <stddef.h>

enum { SYNONYMS_MAX = 5 };

struct synonym {
    const char *word;                    /* small letters, _ between words */
    const char *names[SYNONYMS_MAX + 1]; /* what it may stand for, the likeliest first, NULL after the last; which of
                                             them exist depends on what is looked for: a material, a key, an option .. */
};

/* The entry of a word, whatever its case and whether it has - or spaces for _; NULL: there is none. */
const struct synonym *synonym_of(const char *word);

extern const struct synonym synonyms[]; /* the last has no word */

#endif
