/* SPDX-License-Identifier: MIT */
/* Random mistakes in texts: bits and bytes, numbers, words and lines, of the text itself, of others and of a list. */
#ifndef AULA_TESTS_MUTATE_H
#define AULA_TESTS_MUTATE_H

#include <stddef.h>

#include "base/error.h"
#include "base/random.h"

enum { MUTATED_MAX = 1 << 20 }; /* bytes of a text */

struct text {
    char *name, *bytes; /* 0-terminated; NUL bytes may stand within */
    size_t length;
};

/* What mutations are made of. */
struct mutation_material {
    const struct text *texts; /* whose words and lines are taken */
    size_t count;
    const char *const *poison; /* what does not belong there */
    size_t poison_count;
};

/* One mistake more. Ends the program when memory is out. */
void mutate(struct random *r, struct text *t, const struct mutation_material *m);

/* What is wrong with a refusal: its code, or its message; NULL: nothing. */
const char *failure_fault(const struct error *e);

#endif
