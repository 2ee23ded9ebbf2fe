/* SPDX-License-Identifier: MIT */
/* Nearest-neighbour search among directions by a k-d tree: O(n log² n) to build, O(log n) per query. */
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

/* The index of the direction with the largest cosine to a unit vector, the first if several are equal. *cosine receives
 * that cosine, and *compared grows by the number of visited directions; both may be NULL. */
size_t direction_tree_nearest(const struct direction_tree *t, const double direction[3], double *cosine,
                              size_t *compared);

#endif
