/* SPDX-License-Identifier: MIT */
#include "geometry/rays/tree_build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/text.h"

enum { BINS = 32, LEAF_MAX = 4, LEVELS_BY_AREA = 56 }; /* deeper levels are halves by count */

static const double node_cost = 1.0, face_cost = 0.7; /* of a box test of one node, and of a face */

struct box {
    double lower[3], upper[3];
};

/* A node of the binary tree. */
struct branching {
    struct box box;
    uint32_t first, count; /* of `order`; count 0: children are at `first` and first + 1 */
};

struct builder {
    const struct ray_scene *scene;
    struct box *boxes;          /* [faces] */
    uint32_t *order;            /* [faces] */
    struct branching *branches; /* [2 faces] */
    uint32_t branch_count;
    struct ray_tree *tree;
};

static const struct box no_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void widen(struct box *b, const struct box *by)
{
    for (int k = 0; k < 3; k++) {
        b->lower[k] = fmin(b->lower[k], by->lower[k]);
        b->upper[k] = fmax(b->upper[k], by->upper[k]);
    }
}

static double half_area(const struct box *b)
{
    const double x = b->upper[0] - b->lower[0], y = b->upper[1] - b->lower[1], z = b->upper[2] - b->lower[2];
    return x >= 0.0 ? x * y + y * z + z * x : 0.0;
}

static double twice_middle(const struct box *b, int axis)
{
    return b->lower[axis] + b->upper[axis];
}

struct split {
    int axis; /* -1: none */
    int bin;  /* the last one below */
    double low, scale, cost;
};

static int bin_of(const struct split *s, const struct box *b)
{
    const int bin = (int)((twice_middle(b, s->axis) - s->low) * s->scale);
    return bin < BINS ? bin : BINS - 1;
}

/* The best of the splits between bins along an axis. */
static void try_axis(struct split *best, const struct builder *b, const struct branching *n, struct split s)
{
    struct box bins[BINS], below = no_box, above = no_box;
    size_t counts[BINS] = {0}, count = 0;
    double above_cost[BINS];
    for (int i = 0; i < BINS; i++)
        bins[i] = no_box;
    for (uint32_t i = n->first; i < n->first + n->count; i++) {
        const int bin = bin_of(&s, &b->boxes[b->order[i]]);
        widen(&bins[bin], &b->boxes[b->order[i]]);
        counts[bin]++;
    }
    for (int i = BINS - 1; i > 0; i--) {
        widen(&above, &bins[i]);
        count += counts[i];
        above_cost[i] = half_area(&above) * (double)count;
    }
    count = 0;
    for (int i = 0; i < BINS - 1; i++) {
        widen(&below, &bins[i]);
        count += counts[i];
        s.bin = i;
        s.cost = half_area(&below) * (double)count + above_cost[i + 1];
        if (count > 0 && count < n->count && s.cost < best->cost)
            *best = s;
    }
}

static struct split best_split(const struct builder *b, const struct branching *n)
{
    struct split best = {.axis = -1, .cost = INFINITY};
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t i = n->first; i < n->first + n->count; i++) {
            low = fmin(low, twice_middle(&b->boxes[b->order[i]], axis));
            high = fmax(high, twice_middle(&b->boxes[b->order[i]], axis));
        }
        const double scale = BINS / (high - low);
        if (isfinite(scale))
            try_axis(&best, b, n, (struct split){.axis = axis, .low = low, .scale = scale});
    }
    return best;
}

/* Faces of the lower side come first; how many. */
static uint32_t part(const struct builder *b, const struct branching *n, const struct split *s)
{
    uint32_t i = n->first, end = n->first + n->count;
    while (i < end) {
        if (bin_of(s, &b->boxes[b->order[i]]) <= s->bin) {
            i++;
        } else {
            const uint32_t face = b->order[i];
            b->order[i] = b->order[--end];
            b->order[end] = face;
        }
    }
    return i - n->first;
}

/* A stop that is requested leaves the rest undivided. */
static void divide(struct builder *b, uint32_t index, int level)
{
    struct branching *n = &b->branches[index];
    n->box = no_box;
    for (uint32_t i = n->first; i < n->first + n->count; i++)
        widen(&n->box, &b->boxes[b->order[i]]);
    if (n->count == 1 || stop_requested())
        return;
    const struct split s = level < LEVELS_BY_AREA ? best_split(b, n) : (struct split){.axis = -1, .cost = INFINITY};
    const double area = half_area(&n->box);
    if (n->count <= LEAF_MAX && !(node_cost * area + face_cost * s.cost < face_cost * area * n->count))
        return;
    const uint32_t below = s.axis < 0 ? n->count / 2 : part(b, n, &s), children = b->branch_count;
    b->branch_count += 2;
    b->branches[children] = (struct branching){.first = n->first, .count = below};
    b->branches[children + 1] = (struct branching){.first = n->first + below, .count = n->count - below};
    n->first = children;
    n->count = 0;
    divide(b, children, level + 1);
    divide(b, children + 1, level + 1);
}

/* The children of a wide node: of a binary node, those of the largest of them in its place while there is room. */
static int gather(uint32_t children[RAY_LANES], const struct builder *b, uint32_t index)
{
    int count = 1;
    children[0] = index;
    for (;;) {
        int widest = -1;
        for (int i = 0; i < count; i++)
            if (!b->branches[children[i]].count && (widest < 0 || half_area(&b->branches[children[i]].box) >
                                                                      half_area(&b->branches[children[widest]].box)))
                widest = i;
        if (widest < 0 || count == RAY_LANES)
            return count;
        const uint32_t first = b->branches[children[widest]].first;
        children[widest] = first;
        children[count++] = first + 1;
    }
}

/* Rounded outwards, beyond what origins of rays lose when they are rounded. */
static void set_bounds(struct ray_node *node, int lane, const struct box *box, const struct builder *b)
{
    for (int k = 0; k < 3; k++) {
        const double half = 0.5 * (b->scene->upper[k] - b->scene->lower[k]), rounding = 0x1p-21 * half + 1e-30;
        node->bound[k][0][lane] = (float)(box->lower[k] - b->tree->centre[k] - rounding);
        node->bound[k][1][lane] = (float)(box->upper[k] - b->tree->centre[k] + rounding);
    }
}

static uint32_t add_leaf(struct builder *b, const struct branching *n)
{
    const uint32_t first = (uint32_t)b->tree->leaf_count;
    for (uint32_t i = n->first; i < n->first + n->count; i++) {
        struct ray_leaf_face *leaf = &b->tree->leaves[b->tree->leaf_count++];
        memcpy(leaf->corner, b->scene->faces[b->order[i]].corner, sizeof leaf->corner);
        leaf->face = b->order[i];
    }
    return first;
}

static uint32_t pack(struct builder *b, uint32_t index)
{
    const uint32_t at = (uint32_t)b->tree->node_count++;
    uint32_t children[RAY_LANES];
    const int count = gather(children, b, index);
    struct ray_node node = {.child = {0}};
    for (int lane = 0; lane < RAY_LANES; lane++) {
        for (int k = 0; k < 3; k++) {
            node.bound[k][0][lane] = INFINITY;
            node.bound[k][1][lane] = -INFINITY;
        }
        if (lane >= count)
            continue;
        const struct branching *child = &b->branches[children[lane]];
        set_bounds(&node, lane, &child->box, b);
        node.child[lane] =
            (child->count ? add_leaf(b, child) : pack(b, children[lane])) << RAY_LINK_BITS | child->count;
    }
    b->tree->nodes[at] = node;
    return at;
}

void ray_tree_free(struct ray_tree *t)
{
    free(t->nodes);
    free(t->leaves);
    memset(t, 0, sizeof *t);
}

static void box_faces(struct builder *b)
{
    for (size_t i = 0; i < b->scene->count; i++) {
        b->order[i] = (uint32_t)i;
        b->boxes[i] = no_box;
        for (int c = 0; c < 3; c++) {
            struct box corner;
            memcpy(corner.lower, b->scene->faces[i].corner[c], sizeof corner.lower);
            memcpy(corner.upper, b->scene->faces[i].corner[c], sizeof corner.upper);
            widen(&b->boxes[i], &corner);
        }
    }
}

int ray_tree_make(struct ray_tree *t, const struct ray_scene *s, struct error *e)
{
    enum { LINE = 64 }; /* bytes of a line of the cache */
    struct builder b = {.scene = s, .tree = t};
    int status = 0;
    b.boxes = calloc(s->count + 1, sizeof *b.boxes);
    b.order = calloc(s->count + 1, sizeof *b.order);
    b.branches = calloc(2 * s->count + 2, sizeof *b.branches);
    t->nodes = aligned_alloc(LINE, ((s->count + 1) * sizeof *t->nodes + LINE - 1) / LINE * LINE);
    t->leaves = calloc(s->count + 1, sizeof *t->leaves);
    if (!b.boxes || !b.order || !b.branches || !t->nodes || !t->leaves) {
        status = fail(e, ERROR_MEMORY, "out of memory");
    } else {
        for (int k = 0; k < 3; k++)
            t->centre[k] = 0.5 * (s->lower[k] + s->upper[k]);
        box_faces(&b);
        b.branches[0] = (struct branching){.count = (uint32_t)s->count};
        b.branch_count = 1;
        divide(&b, 0, 0);
        status = stop_check(e);
        if (!status)
            pack(&b, 0);
    }
    free(b.boxes);
    free(b.order);
    free(b.branches);
    return status;
}
