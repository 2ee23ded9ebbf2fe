/* SPDX-License-Identifier: MIT */
#include "geometry/box_tree.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

enum { LEAF = 8 }; /* boxes */

static void extend(struct bounding_box *box, const struct bounding_box *by)
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = fmin(box->low[k], by->low[k]);
        box->high[k] = fmax(box->high[k], by->high[k]);
    }
}

struct sorting {
    const struct bounding_box *boxes;
    int axis;
};

/* A sort that a stop was requested in ends soon: all are equal from then on. */
static int by_middle(const void *left, const void *right, void *context)
{
    const struct sorting *s = context;
    const uint32_t i = *(const uint32_t *)left, j = *(const uint32_t *)right;
    const struct bounding_box *a = &s->boxes[i], *b = &s->boxes[j];
    const double one = a->low[s->axis] + a->high[s->axis], other = b->low[s->axis] + b->high[s->axis];
    if (stop_requested())
        return 0;
    return one != other ? (one > other) - (one < other) : (i > j) - (i < j);
}

static void build(struct box_tree *t, size_t node, size_t from, size_t end)
{
    struct bounding_box all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    struct sorting sorting = {t->boxes, 0};
    for (size_t i = from; i < end; i++)
        extend(&all, &t->boxes[t->order[i]]);
    t->nodes[node] = all;
    if (end - from <= LEAF || stop_requested())
        return;
    for (int k = 1; k < 3; k++)
        if (all.high[k] - all.low[k] > all.high[sorting.axis] - all.low[sorting.axis])
            sorting.axis = k;
    qsort_r(t->order + from, end - from, sizeof *t->order, by_middle, &sorting);
    const size_t middle = from + (end - from) / 2;
    build(t, 2 * node + 1, from, middle);
    build(t, 2 * node + 2, middle, end);
}

int box_tree_make(struct box_tree *t, const struct bounding_box *boxes, size_t count, struct error *e)
{
    size_t leaves = 1;
    while (leaves * LEAF < count)
        leaves *= 2;
    *t = (struct box_tree){.boxes = boxes, .count = count, .node_count = 2 * leaves - 1};
    t->order = malloc((count + 1) * sizeof *t->order);
    t->nodes = calloc(t->node_count, sizeof *t->nodes);
    if (!t->order || !t->nodes)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++)
        t->order[i] = (uint32_t)i;
    build(t, 0, 0, count);
    return stop_check(e);
}

void box_tree_free(struct box_tree *t)
{
    free(t->order);
    free(t->nodes);
    memset(t, 0, sizeof *t);
}

static bool touches(const struct bounding_box *a, const struct bounding_box *b)
{
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k])
            return false;
    return true;
}

struct visiting {
    const struct box_tree *tree;
    const struct bounding_box *box;
    int (*visit)(void *context, uint32_t index);
    void *context;
};

static int descend(const struct visiting *v, size_t node, size_t from, size_t end)
{
    const struct box_tree *t = v->tree;
    if (!touches(&t->nodes[node], v->box))
        return 0;
    if (end - from <= LEAF) {
        int status = 0;
        for (size_t i = from; i < end && !status; i++)
            status = touches(&t->boxes[t->order[i]], v->box) ? v->visit(v->context, t->order[i]) : 0;
        return status;
    }
    const size_t middle = from + (end - from) / 2;
    const int status = descend(v, 2 * node + 1, from, middle);
    return status ? status : descend(v, 2 * node + 2, middle, end);
}

int box_tree_visit(const struct box_tree *t, const struct bounding_box *box,
                   int (*visit)(void *context, uint32_t index), void *context)
{
    const struct visiting v = {t, box, visit, context};
    return descend(&v, 0, 0, t->count);
}
