/* SPDX-License-Identifier: MIT */
/* The words that completion offers: names from the program's own tables and from the folder of rooms. */
#ifndef AULA_CMD_COMPLETION_WORDS_H
#define AULA_CMD_COMPLETION_WORDS_H

#include <stddef.h>

#include "base/error.h"

struct completion_key {
    char path[96];     /* "sources[0].signal" */
    char *list;        /* values, separated by spaces; "": cannot be listed */
    const char *about; /* one line */
};

struct completion {
    char *kernels, *schemes, *rooms, *materials, *formats; /* each a list separated by spaces */
    struct completion_key *keys;
    size_t key_count;
};

/* Fills the lists; reads the folder of rooms and its library of materials. Names with a special meaning to a shell are
 * omitted. The caller frees `c` after a failure, too. ERROR_MEMORY. */
int completion_make(struct completion *c, struct error *e);

void completion_free(struct completion *c);

#endif
