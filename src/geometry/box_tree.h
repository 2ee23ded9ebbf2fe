/* SPDX-License-Identifier: MIT */
/* Finds the boxes of a set that touch a given box. */
#ifndef AULA_GEOMETRY_BOX_TREE_H
#define AULA_GEOMETRY_BOX_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct bounding_box {
    double low[3], high[3];
};

/* A balanced tree: node n has the children 2n + 1 and 2n + 2. */
struct box_tree {
    const struct bounding_box *boxes; /* [count], borrowed */
    uint32_t *order;                  /* [count]: indices of boxes, in the order of the leaves */
    struct bounding_box *nodes;
    size_t count, node_count;
};

/* ERROR_MEMORY, ERROR_STOPPED. Ends with box_tree_free, also after an error. */
int box_tree_make(struct box_tree *t, const struct bounding_box *boxes, size_t count, struct error *e);
void box_tree_free(struct box_tree *t);

/* Calls visit for each box that touches this one, until it returns nonzero, which is returned then. */
int box_tree_visit(const struct box_tree *t, const struct bounding_box *box,
                   int (*visit)(void *context, uint32_t index), void *context);

#endif
