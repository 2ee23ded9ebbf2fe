/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/rays/edge_pieces.h"

static const double near = 1e-3;      /* m: ends closer than that are one */
static const double straight = 1e-4;  /* 1 - cos of the angle between pieces of one line, at most */
static const double same_turn = 0.01; /* the same of the faces of one edge */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* An end of a piece, and where it is along a direction in which hardly any two are at one place. */
struct end {
    double place[3], key;
    uint32_t piece;
    bool far; /* the end, not the beginning */
};

static int by_key(const void *a, const void *b)
{
    const struct end *p = a, *q = b;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    return p->piece != q->piece ? (p->piece < q->piece ? -1 : 1) : p->far - q->far;
}

static struct end end_of(const struct ray_edge *piece, uint32_t index, bool far)
{
    static const double skew[3] = {0.6180339887, 0.7320508076, 0.2862173241};
    struct end end = {.piece = index, .far = far};
    for (int k = 0; k < 3; k++)
        end.place[k] = piece->from[k] + (far ? piece->length * piece->along[k] : 0.0);
    end.key = dot(end.place, skew);
    return end;
}

static double between(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(dot(d, d));
}

/* m: of the further end of a piece from the line of another. */
static double off_line(const struct ray_edge *line, const struct ray_edge *piece)
{
    double furthest = 0.0;
    for (int far = 0; far < 2; far++) {
        double apart[3], square = 0.0;
        for (int k = 0; k < 3; k++)
            apart[k] = piece->from[k] + (far ? piece->length * piece->along[k] : 0.0) - line->from[k];
        const double at = dot(apart, line->along);
        for (int k = 0; k < 3; k++)
            square += (apart[k] - at * line->along[k]) * (apart[k] - at * line->along[k]);
        furthest = fmax(furthest, sqrt(square));
    }
    return furthest;
}

/* On one line, with the same faces. */
static bool is_same_edge(const struct ray_edge *a, const struct ray_edge *b)
{
    const double least = 1.0 - same_turn;
    if (!(fabs(dot(a->along, b->along)) > 1.0 - straight))
        return false;
    return (dot(a->faces[0], b->faces[0]) > least && dot(a->faces[1], b->faces[1]) > least) ||
           (dot(a->faces[0], b->faces[1]) > least && dot(a->faces[1], b->faces[0]) > least);
}

static uint32_t root_of(uint32_t *parents, uint32_t i)
{
    for (; parents[i] != i; i = parents[i])
        parents[i] = parents[parents[i]];
    return i;
}

/* The edge of all pieces that were joined to it: as far as any of them reaches. */
static void extend(struct ray_edge *edge, const struct ray_edge *piece)
{
    double low = 0.0, high = edge->length;
    for (int far = 0; far < 2; far++) {
        double place[3];
        for (int k = 0; k < 3; k++)
            place[k] = piece->from[k] + (far ? piece->length * piece->along[k] : 0.0) - edge->from[k];
        low = fmin(low, dot(place, edge->along));
        high = fmax(high, dot(place, edge->along));
    }
    for (int k = 0; k < 3; k++)
        edge->from[k] += low * edge->along[k];
    edge->length = high - low;
}

int edge_pieces_join(struct ray_edge *pieces, size_t *count, struct error *e)
{
    const size_t all = *count;
    struct end *ends = malloc((2 * all + 1) * sizeof *ends);
    uint32_t *parents = malloc((all + 1) * sizeof *parents);
    size_t kept = 0;
    if (!ends || !parents) {
        free(ends);
        free(parents);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    for (uint32_t i = 0; i < all; i++) {
        parents[i] = i;
        ends[2 * i] = end_of(&pieces[i], i, false);
        ends[2 * i + 1] = end_of(&pieces[i], i, true);
    }
    qsort(ends, 2 * all, sizeof *ends, by_key);
    for (size_t i = 0; i < 2 * all; i++)
        for (size_t j = i + 1; j < 2 * all && ends[j].key - ends[i].key <= 1.2 * near; j++) {
            const uint32_t a = root_of(parents, ends[i].piece), b = root_of(parents, ends[j].piece);
            if (a != b && between(ends[i].place, ends[j].place) <= near &&
                is_same_edge(&pieces[ends[i].piece], &pieces[ends[j].piece]) &&
                off_line(&pieces[a], &pieces[b]) <= near && off_line(&pieces[b], &pieces[a]) <= near)
                parents[a > b ? a : b] = a > b ? b : a;
        }
    for (uint32_t i = 0; i < all; i++)
        if (root_of(parents, i) != i)
            extend(&pieces[root_of(parents, i)], &pieces[i]);
    for (uint32_t i = 0; i < all; i++)
        if (parents[i] == i && pieces[i].length > RAY_EDGE_LENGTH)
            pieces[kept++] = pieces[i];
    free(ends);
    free(parents);
    *count = kept;
    return 0;
}
