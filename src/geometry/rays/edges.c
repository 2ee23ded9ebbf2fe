/* SPDX-License-Identifier: MIT */
#include "geometry/rays/edges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "geometry/box_tree.h"
#include "geometry/rays/edge_pieces.h"
#include "geometry/rays/edge_star.h"
#include "geometry/rays/edge_tree.h"

static const double golden_angle = 2.39996322972865332;
static const double shortest = 1e-3; /* m: of a piece */
static const double beside = 0.01;   /* m: from an edge to the place in the air that is looked from */
static const double across = 0.1;    /* cosine between a side and the normal of a face that it runs into */

enum { FEW_DIRECTIONS = 12, DIRECTIONS = 64 };

/* A side that may be an edge, and what is done with its pieces. */
struct finder {
    const struct ray_scene *scene;
    const struct ray_tree *tree;
    struct bounding_box *boxes; /* [faces] */
    struct box_tree near;
    struct ray_edge *pieces;
    size_t count, capacity;
    /* of the side */
    double from[3], along[3], length;
    double *cuts; /* m along it: where faces around it begin or end */
    size_t cut_count, cut_capacity;
    bool lacks_memory;
    struct edge_star star; /* of the piece */
};

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void add_cut(struct finder *f, double at)
{
    if (!(at > shortest && at < f->length - shortest))
        return;
    if (f->cut_count == f->cut_capacity) {
        const size_t capacity = 2 * f->cut_capacity + 64;
        double *more = realloc(f->cuts, capacity * sizeof *more);
        f->lacks_memory = f->lacks_memory || !more;
        if (!more)
            return;
        f->cuts = more;
        f->cut_capacity = capacity;
    }
    f->cuts[f->cut_count++] = at;
}

/* Where the line of the side passes the plane of a face, if that is in the face's box. */
static void cut_at_plane(struct finder *f, uint32_t index)
{
    const struct ray_face *face = &f->scene->faces[index];
    const double across_by = dot(face->normal, f->along);
    double apart[3];
    if (!(fabs(across_by) > across))
        return;
    for (int k = 0; k < 3; k++)
        apart[k] = face->corner[0][k] - f->from[k];
    const double at = dot(apart, face->normal) / across_by;
    for (int k = 0; k < 3; k++) {
        const double place = f->from[k] + at * f->along[k];
        if (!(place > f->boxes[index].low[k] - RAY_EDGE_TOUCH && place < f->boxes[index].high[k] + RAY_EDGE_TOUCH))
            return;
    }
    add_cut(f, at);
}

/* Where the line of the side passes a side of a face within `touch`. */
static void cut_at_side(struct finder *f, const double from[3], const double to[3])
{
    double way[3], apart[3], length = 0.0;
    for (int k = 0; k < 3; k++) {
        way[k] = to[k] - from[k];
        apart[k] = from[k] - f->from[k];
        length += way[k] * way[k];
    }
    const double along = dot(way, f->along), square = length - along * along;
    if (!(square > 1e-6 * length))
        return;
    const double share = (along * dot(apart, f->along) - dot(apart, way)) / square;
    if (!(share >= 0.0 && share <= 1.0))
        return;
    const double at = dot(apart, f->along) + share * along;
    double off = 0.0;
    for (int k = 0; k < 3; k++) {
        const double d = apart[k] + share * way[k] - at * f->along[k];
        off += d * d;
    }
    if (off <= RAY_EDGE_TOUCH * RAY_EDGE_TOUCH)
        add_cut(f, at);
}

static int cut_at_face(void *context, uint32_t index)
{
    struct finder *f = context;
    const struct ray_face *face = &f->scene->faces[index];
    for (int c = 0; c < 3; c++) {
        double apart[3], off = 0.0;
        for (int k = 0; k < 3; k++)
            apart[k] = face->corner[c][k] - f->from[k];
        const double at = dot(apart, f->along);
        for (int k = 0; k < 3; k++)
            off += (apart[k] - at * f->along[k]) * (apart[k] - at * f->along[k]);
        if (off <= RAY_EDGE_TOUCH * RAY_EDGE_TOUCH)
            add_cut(f, at);
        cut_at_side(f, face->corner[c], face->corner[(c + 1) % 3]);
    }
    cut_at_plane(f, index);
    return 0;
}

static int add_to_star(void *context, uint32_t index)
{
    struct finder *f = context;
    edge_star_add(&f->star, &f->scene->faces[index], RAY_EDGE_TOUCH);
    return 0;
}

/* Around a part of the side. */
static struct bounding_box box_around(const struct finder *f, double start, double end)
{
    struct bounding_box box;
    for (int k = 0; k < 3; k++) {
        const double a = f->from[k] + start * f->along[k], b = f->from[k] + end * f->along[k];
        box.low[k] = fmin(a, b) - RAY_EDGE_TOUCH;
        box.high[k] = fmax(a, b) + RAY_EDGE_TOUCH;
    }
    return box;
}

/* Of so many directions alike on the sphere: those that meet a face, and a solid's face from within. */
static void look_around(int *met, int *within, const struct finder *f, const double place[3], int directions)
{
    struct ray ray = {.origin = {place[0], place[1], place[2]}, .reach = INFINITY, .left = RAY_NO_FACE};
    *met = *within = 0;
    for (int i = 0; i < directions; i++) {
        const double z = (2.0 * i + 1.0) / directions - 1.0, out = sqrt(1.0 - z * z), angle = i * golden_angle;
        struct ray_hit hit;
        ray.direction[0] = out * cos(angle);
        ray.direction[1] = out * sin(angle);
        ray.direction[2] = z;
        if (!ray_tree_closest(f->tree, &ray, &hit))
            continue;
        const struct ray_face *face = &f->scene->faces[hit.face];
        ++*met;
        *within += face->solid != RAY_NO_SOLID && dot(face->normal, ray.direction) > 0.0;
    }
}

/* Half or more of all directions meet a face, as from within a room, and hardly any a solid from within. In a closed room
 * few directions tell. */
static bool is_in_the_air(const struct finder *f, const double place[3])
{
    int met, within;
    look_around(&met, &within, f, place, FEW_DIRECTIONS);
    if (met == FEW_DIRECTIONS && !within)
        return true;
    look_around(&met, &within, f, place, DIRECTIONS);
    return 2 * met >= DIRECTIONS && 10 * within < met;
}

static int add_piece(struct finder *f, double start, double end, struct error *e)
{
    struct ray_edge piece = {.length = end - start};
    double middle[3], open[3], beside_it[3];
    for (int k = 0; k < 3; k++) {
        piece.from[k] = f->from[k] + start * f->along[k];
        piece.along[k] = f->along[k];
        middle[k] = f->from[k] + 0.5 * (start + end) * f->along[k];
    }
    f->star = edge_star_at(middle, f->along);
    const struct bounding_box box = box_around(f, 0.5 * (start + end), 0.5 * (start + end));
    box_tree_visit(&f->near, &box, add_to_star, f);
    if (f->star.curved || !edge_star_open(&f->star, piece.faces, open))
        return 0;
    for (int k = 0; k < 3; k++)
        beside_it[k] = middle[k] + beside * open[k];
    if (!is_in_the_air(f, beside_it))
        return 0;
    if (f->count == f->capacity) {
        const size_t capacity = 2 * f->capacity + 64;
        struct ray_edge *more = realloc(f->pieces, capacity * sizeof *more);
        if (!more)
            return fail(e, ERROR_MEMORY, "out of memory");
        f->pieces = more;
        f->capacity = capacity;
    }
    f->pieces[f->count++] = piece;
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static int add_side(struct finder *f, const struct edge_side *side, struct error *e)
{
    f->cut_count = 0;
    f->length = 0.0;
    for (int k = 0; k < 3; k++) {
        f->from[k] = side->ends[0][k];
        f->along[k] = side->ends[1][k] - side->ends[0][k];
        f->length += f->along[k] * f->along[k];
    }
    f->length = sqrt(f->length);
    for (int k = 0; k < 3; k++)
        f->along[k] /= f->length;
    const struct bounding_box box = box_around(f, 0.0, f->length);
    box_tree_visit(&f->near, &box, cut_at_face, f);
    if (f->lacks_memory)
        return fail(e, ERROR_MEMORY, "out of memory");
    if (f->cut_count)
        qsort(f->cuts, f->cut_count, sizeof *f->cuts, by_place);
    double start = 0.0;
    for (size_t i = 0; i <= f->cut_count; i++) {
        const double end = i < f->cut_count ? f->cuts[i] : f->length;
        if (i < f->cut_count && end - start < shortest)
            continue;
        if (add_piece(f, start, end, e))
            return -1;
        start = end;
    }
    return 0;
}

static int box_faces(struct finder *f, struct error *e)
{
    f->boxes = malloc((f->scene->count + 1) * sizeof *f->boxes);
    if (!f->boxes)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < f->scene->count; i++)
        for (int k = 0; k < 3; k++) {
            const double(*c)[3] = (const double(*)[3])f->scene->faces[i].corner;
            f->boxes[i].low[k] = fmin(fmin(c[0][k], c[1][k]), c[2][k]);
            f->boxes[i].high[k] = fmax(fmax(c[0][k], c[1][k]), c[2][k]);
        }
    return box_tree_make(&f->near, f->boxes, f->scene->count, e);
}

void ray_edges_free(struct ray_edges *edges)
{
    free(edges->list);
    free(edges->boxes);
    free(edges->lanes);
    memset(edges, 0, sizeof *edges);
}

enum { SIDES_EACH = 64 }; /* of a share of the work */

/* The pieces of a share of the sides. */
static int add_sides(struct finder *f, const struct edge_side *sides, size_t count, struct error *e)
{
    int status = 0;
    for (size_t i = 0; i < count && !status; i++)
        status = stop_check(e) || add_side(f, &sides[i], e) ? -1 : 0;
    free(f->cuts);
    return status;
}

/* Each share has its own finder, so that the order of all pieces is that of the sides. */
static int share_sides(struct finder *shares, const struct finder *f, const struct edge_side *sides, size_t count,
                       struct error *e)
{
    int failures = 0;
#pragma omp parallel for schedule(dynamic)
    for (size_t first = 0; first < count; first += SIDES_EACH) {
        struct error inner;
        struct finder *share = &shares[first / SIDES_EACH];
        *share = *f;
        if (!add_sides(share, sides + first, count - first < SIDES_EACH ? count - first : SIDES_EACH, &inner))
            continue;
#pragma omp critical(edges_failed)
        if (!failures++)
            *e = inner;
    }
    return failures ? -1 : 0;
}

static int gather(struct ray_edges *edges, struct finder *shares, size_t count, struct error *e)
{
    size_t all = 0;
    for (size_t i = 0; i < count; i++)
        all += shares[i].count;
    edges->list = malloc((all + 1) * sizeof *edges->list);
    if (!edges->list)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < count; edges->count += shares[i++].count)
        if (shares[i].count)
            memcpy(edges->list + edges->count, shares[i].pieces, shares[i].count * sizeof *edges->list);
    return edge_pieces_join(edges->list, &edges->count, e);
}

static int find_pieces(struct ray_edges *edges, const struct finder *f, const struct edge_side *sides, size_t count,
                       struct error *e)
{
    const size_t share_count = (count + SIDES_EACH - 1) / SIDES_EACH;
    struct finder *shares = calloc(share_count + 1, sizeof *shares);
    const int status = !shares ? fail(e, ERROR_MEMORY, "out of memory")
                       : share_sides(shares, f, sides, count, e) || gather(edges, shares, share_count, e) ? -1
                                                                                                          : 0;
    for (size_t i = 0; i < share_count && shares; i++)
        free(shares[i].pieces);
    free(shares);
    return status;
}

int ray_edges_make(struct ray_edges *edges, const struct ray_scene *scene, const struct ray_tree *tree, struct error *e)
{
    struct finder f = {.scene = scene, .tree = tree};
    struct edge_side *sides = NULL;
    size_t count;
    int status = edge_sides_find(&sides, &count, scene, e);
    if (!status && count)
        status = box_faces(&f, e);
    if (!status)
        status = find_pieces(edges, &f, sides, count, e);
    for (size_t i = 0; i < edges->count && !status; i++)
        edges->length += edges->list[i].length;
    free(sides);
    free(f.boxes);
    box_tree_free(&f.near);
    return status ? -1 : edge_tree_make(edges, e);
}
