/* SPDX-License-Identifier: MIT */
/* Collects several mistakes of one input as struct error; the first ten become one message with a line for each, in the
 * order of the input. */
#ifndef AULA_BASE_DIAGNOSTICS_H
#define AULA_BASE_DIAGNOSTICS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { COMPLAINTS_TOLD = 10, COMPLAINTS_MAX = 200 }; /* reported; kept, before reading is given up */

/* Position of a diagnostic in the input, compared member by member. */
struct diagnostics_place {
    int line, file, inner; /* line of the main file; which file is included there (0: none), and its line */
};

struct diagnostic {
    char *message;
    struct diagnostics_place place;
    size_t number; /* in order of arrival */
};

struct diagnostics {
    struct diagnostic *items;
    size_t count;
};

/* Keeps e's message. false: out of memory, or COMPLAINTS_MAX are kept; stop reading then. */
bool diagnostics_keep(struct diagnostics *c, const struct error *e, struct diagnostics_place place);

/* 0 if nothing was kept. Else -1, and *e is ERROR_INPUT with up to COMPLAINTS_TOLD lines and "and N more"; equal
 * messages are given once. */
int diagnostics_tell(struct diagnostics *c, struct error *e);
void diagnostics_free(struct diagnostics *c);

#endif
