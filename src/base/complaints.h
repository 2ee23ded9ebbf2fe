/* Mistakes of one input that are told together: each is refused by itself with a struct error, kept here, and the first
 * ten leave as one message of a line each, in the order of the input. */
#ifndef AULA_BASE_COMPLAINTS_H
#define AULA_BASE_COMPLAINTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { COMPLAINTS_TOLD = 10, COMPLAINTS_MAX = 200 }; /* who makes more of them has not been understood at all */

/* Where a complaint stands among the others: compared member by member. */
struct complaint_place {
    int line, file, inner; /* line of the main file; which file is included there (0: none), and its line */
};

struct complaint {
    char *message;
    struct complaint_place place;
    size_t number; /* in which order they came */
};

struct complaints {
    struct complaint *items;
    size_t count;
};

/* Keeps e's message. false: no memory, or COMPLAINTS_MAX are there: give up with what there is. */
bool complaints_keep(struct complaints *c, const struct error *e, struct complaint_place place);

/* Nothing kept: 0. Else -1, and *e is ERROR_INPUT with up to COMPLAINTS_TOLD lines and "and N more"; what was said twice
 * is told once. */
int complaints_tell(struct complaints *c, struct error *e);
void complaints_free(struct complaints *c);

#endif
