/* SPDX-License-Identifier: MIT */
#include "dsp/space/direction_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The middle node of a range parts it along the axis depth % 3: those before it have at most its coordinate, those
 * behind it at least that. */
struct direction_node {
    double at[3];
    size_t index;
};

static const double ROUNDING = 1e-9; /* of squared chords, above that of unit vectors */

static int compare(const void *a, const void *b, int axis)
{
    const struct direction_node *p = a, *q = b;
    return (p->at[axis] > q->at[axis]) - (p->at[axis] < q->at[axis]);
}

static int compare_x(const void *a, const void *b)
{
    return compare(a, b, 0);
}

static int compare_y(const void *a, const void *b)
{
    return compare(a, b, 1);
}

static int compare_z(const void *a, const void *b)
{
    return compare(a, b, 2);
}

static void part(struct direction_node *nodes, size_t count, int axis)
{
    static int (*const compares[])(const void *, const void *) = {compare_x, compare_y, compare_z};
    if (count < 2)
        return;
    qsort(nodes, count, sizeof *nodes, compares[axis]);
    part(nodes, count / 2, (axis + 1) % 3);
    part(nodes + count / 2 + 1, count - count / 2 - 1, (axis + 1) % 3);
}

int direction_tree_make(struct direction_tree *t, const double (*directions)[3], size_t count, struct error *e)
{
    *t = (struct direction_tree){malloc((count + 1) * sizeof *t->nodes), count};
    if (!t->nodes)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++) {
        memcpy(t->nodes[i].at, directions[i], sizeof t->nodes[i].at);
        t->nodes[i].index = i;
    }
    part(t->nodes, count, 0);
    return 0;
}

void direction_tree_free(struct direction_tree *t)
{
    free(t->nodes);
    *t = (struct direction_tree){NULL, 0};
}

struct search {
    const double *direction;
    double most; /* cosine of the best so far */
    size_t best, compared;
};

static void look(struct search *s, const struct direction_node *nodes, size_t count, int axis)
{
    if (!count)
        return;
    const struct direction_node *n = &nodes[count / 2];
    const double *d = s->direction, cosine = d[0] * n->at[0] + d[1] * n->at[1] + d[2] * n->at[2];
    s->compared++;
    if (cosine > s->most || (cosine == s->most && n->index < s->best)) {
        s->most = cosine;
        s->best = n->index;
    }
    const double away = d[axis] - n->at[axis];
    const struct direction_node *side[2] = {nodes, n + 1};
    const size_t counts[2] = {count / 2, count - count / 2 - 1};
    const int near = away > 0.0;
    look(s, side[near], counts[near], (axis + 1) % 3);
    if (!(away * away > 2.0 - 2.0 * s->most + ROUNDING)) /* |a - b|² = 2 - 2 a·b */
        look(s, side[!near], counts[!near], (axis + 1) % 3);
}

size_t direction_tree_nearest(const struct direction_tree *t, const double direction[3], double *cosine,
                              size_t *compared)
{
    struct search s = {direction, -INFINITY, 0, 0};
    look(&s, t->nodes, t->count, 0);
    if (cosine)
        *cosine = s.most;
    if (compared)
        *compared += s.compared;
    return s.best;
}
