/* SPDX-License-Identifier: MIT */
/* The nearest of many directions: a k-d tree, which costs n log² n to make and log n for each question. */
#ifndef AULA_DSP_SPACE_DIRECTION_TREE_H
#define AULA_DSP_SPACE_DIRECTION_TREE_H

#include <stddef.h>

#include "base/error.h"

struct direction_node;
struct direction_tree {
    struct direction_node *nodes;
    size_t count;
};

/* Of unit vectors. ERROR_MEMORY. */
int direction_tree_make(struct direction_tree *t, const double (*directions)[3], size_t count, struct error *e);
void direction_tree_free(struct direction_tree *t);

/* The index of the direction with the largest cosine to a unit vector; of equal ones the first. Not NULL: *cosine
 * becomes that cosine, and *compared grows by the number of directions that were looked at. */
size_t direction_tree_nearest(const struct direction_tree *t, const double direction[3], double *cosine,
                              size_t *compared);

#endif
