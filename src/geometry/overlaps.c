/* SPDX-License-Identifier: MIT */
#include "geometry/overlaps.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "geometry/box_tree.h"

static const double PARALLEL = 1e-3; /* rad: of the normals */
static const double ON_LINE = 1e-7;  /* m: a corner so near to an edge is on it */

/* A triangle cut by the three lines of another has at most as many corners. */
enum { CORNERS_MAX = 9 };

struct polygon {
    double at[CORNERS_MAX][3];
    size_t count;
};

struct flat {
    double normal[3], area; /* 0: the triangle has no area */
    int b, c;               /* the axes along which it is seen; b, c and the normal are right-handed */
};

struct parting {
    const struct surface_triangle *triangles;
    size_t count;
    struct flat *flats;         /* [count] */
    struct bounding_box *boxes; /* [count] */
    struct box_tree tree;
    struct surface_triangle *made; /* [made_count]: those of the triangles so far */
    size_t made_count, made_room;
    bool any; /* there is one that lies on another */
};

/* ---- polygons */

static double cross_of(const double a[3], const double b[3], const double p[3], const struct flat *f)
{
    return (b[f->b] - a[f->b]) * (p[f->c] - a[f->c]) - (b[f->c] - a[f->c]) * (p[f->b] - a[f->b]);
}

static double area_of(const struct polygon *p, const struct flat *f)
{
    double sum = 0.0;
    for (size_t i = 2; i < p->count; i++)
        sum += cross_of(p->at[0], p->at[i - 1], p->at[i], f);
    return 0.5 * fabs(sum);
}

/* As seen along f's axis: wider than rounding. */
static bool is_thick(const struct polygon *p, const struct flat *f)
{
    double around = 0.0;
    for (size_t i = 0; i < p->count; i++) {
        const double *a = p->at[i], *b = p->at[(i + 1) % p->count];
        around += hypot(b[f->b] - a[f->b], b[f->c] - a[f->c]);
    }
    return area_of(p, f) > 0.5 * OVERLAP_FLAT * around;
}

static void add_corner(struct polygon *p, const double at[3])
{
    if (p->count < CORNERS_MAX)
        memcpy(p->at[p->count++], at, sizeof p->at[0]);
}

/* Parts a polygon by the line through a and b: inside, to its left if sign is 1. Corners on the line belong to both. */
static void cut(struct polygon *inside, struct polygon *outside, const struct polygon *p, const double a[3],
                const double b[3], double sign, const struct flat *f)
{
    double side[CORNERS_MAX];
    const double length = hypot(b[f->b] - a[f->b], b[f->c] - a[f->c]);
    inside->count = outside->count = 0;
    for (size_t i = 0; i < p->count; i++) {
        side[i] = sign * cross_of(a, b, p->at[i], f) / length;
        side[i] = fabs(side[i]) <= ON_LINE ? 0.0 : side[i];
    }
    for (size_t i = 0; i < p->count; i++) {
        const size_t next = (i + 1) % p->count;
        if (side[i] >= 0.0)
            add_corner(inside, p->at[i]);
        if (side[i] <= 0.0)
            add_corner(outside, p->at[i]);
        if ((side[i] > 0.0 && side[next] < 0.0) || (side[i] < 0.0 && side[next] > 0.0)) {
            const double share = side[i] / (side[i] - side[next]);
            double at[3];
            for (int k = 0; k < 3; k++)
                at[k] = p->at[i][k] + share * (p->at[next][k] - p->at[i][k]);
            add_corner(inside, at);
            add_corner(outside, at);
        }
    }
}

/* The part of a triangle that is on another, and those beside it. */
static void part(struct polygon *on, struct polygon beside[3], const struct polygon *t,
                 const struct surface_triangle *by, const struct flat *f)
{
    const double sign = cross_of(by->corner[0], by->corner[1], by->corner[2], f) > 0.0 ? 1.0 : -1.0;
    *on = *t;
    for (int k = 0; k < 3; k++) {
        const struct polygon whole = *on;
        cut(on, &beside[k], &whole, by->corner[k], by->corner[(k + 1) % 3], sign, f);
    }
}

/* ---- lists of triangles */

/* Pieces of one triangle. */
struct pieces {
    struct polygon *at; /* [count], triangles */
    size_t count, room;
};

static int add_piece(struct pieces *p, const double a[3], const double b[3], const double c[3], struct error *e)
{
    if (p->count == p->room) {
        const size_t room = 2 * p->room + 16;
        struct polygon *more = p->count < SURFACE_TRIANGLES_MAX ? realloc(p->at, room * sizeof *more) : NULL;
        if (!more)
            return fail(e, ERROR_MEMORY, "not enough memory for faces that lie on one another");
        p->at = more;
        p->room = room;
    }
    struct polygon *piece = &p->at[p->count++];
    piece->count = 3;
    memcpy(piece->at[0], a, sizeof piece->at[0]);
    memcpy(piece->at[1], b, sizeof piece->at[1]);
    memcpy(piece->at[2], c, sizeof piece->at[2]);
    return 0;
}

/* Cut into triangles, of which those without area are nothing. */
static int add_pieces(struct pieces *p, const struct polygon *polygon, const struct flat *f, struct error *e)
{
    for (size_t i = 2; i < polygon->count; i++)
        if (cross_of(polygon->at[0], polygon->at[i - 1], polygon->at[i], f) != 0.0 &&
            add_piece(p, polygon->at[0], polygon->at[i - 1], polygon->at[i], e))
            return -1;
    return 0;
}

static int put(struct parting *p, const struct surface_triangle *t, struct error *e)
{
    if (p->made_count == SURFACE_TRIANGLES_MAX)
        return fail(e, ERROR_INPUT, "faces of the model lie on one another in more than %d pieces: simplify it",
                    SURFACE_TRIANGLES_MAX);
    if (p->made_count == p->made_room) {
        const size_t room = 2 * p->made_room + p->count + 16;
        struct surface_triangle *more = realloc(p->made, room * sizeof *more);
        if (!more)
            return fail(e, ERROR_MEMORY, "not enough memory for %zu triangles", room);
        p->made = more;
        p->made_room = room;
    }
    p->made[p->made_count++] = *t;
    return 0;
}

/* ---- what lies on what */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void measure(struct flat *f, struct bounding_box *box, const struct surface_triangle *t)
{
    double edge[2][3], square = 0.0;
    for (int k = 0; k < 3; k++) {
        edge[0][k] = t->corner[1][k] - t->corner[0][k];
        edge[1][k] = t->corner[2][k] - t->corner[0][k];
        box->low[k] = fmin(t->corner[0][k], fmin(t->corner[1][k], t->corner[2][k])) - OVERLAP_FLAT;
        box->high[k] = fmax(t->corner[0][k], fmax(t->corner[1][k], t->corner[2][k])) + OVERLAP_FLAT;
    }
    for (int k = 0; k < 3; k++) {
        f->normal[k] = edge[0][(k + 1) % 3] * edge[1][(k + 2) % 3] - edge[0][(k + 2) % 3] * edge[1][(k + 1) % 3];
        square += f->normal[k] * f->normal[k];
    }
    const double length = sqrt(square);
    f->area = isnormal(length) ? 0.5 * length : 0.0;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        f->normal[k] = f->area > 0.0 ? f->normal[k] / length : 0.0;
        axis = fabs(f->normal[k]) > fabs(f->normal[axis]) ? k : axis;
    }
    f->b = (axis + 1) % 3;
    f->c = (axis + 2) % 3;
}

static bool same_corners(const struct surface_triangle *a, const struct surface_triangle *b)
{
    int found = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            found += !memcmp(a->corner[i], b->corner[k], sizeof a->corner[i]);
    return found == 3;
}

/* Of both, the corners of the smaller are near the plane of the larger. */
static bool share_plane(const struct parting *p, size_t one, size_t other)
{
    const size_t large = p->flats[one].area >= p->flats[other].area ? one : other, small = large == one ? other : one;
    const double *normal = p->flats[large].normal;
    if (!(fabs(dot(normal, p->flats[small].normal)) >= cos(PARALLEL)))
        return false;
    for (int i = 0; i < 3; i++) {
        double from[3];
        for (int k = 0; k < 3; k++)
            from[k] = p->triangles[small].corner[i][k] - p->triangles[large].corner[0][k];
        if (!(fabs(dot(normal, from)) <= OVERLAP_FLAT))
            return false;
    }
    return true;
}

/* The faces that lie on one, or it on them. */
struct others {
    const struct parting *parting;
    size_t triangle;
    uint32_t *at; /* [count] */
    size_t count, room;
};

static struct polygon polygon_of(const struct surface_triangle *t)
{
    struct polygon p = {.count = 3};
    memcpy(p.at, t->corner, sizeof t->corner);
    return p;
}

/* Alike for both orders of the two. */
static bool overlap(const struct parting *p, size_t one, size_t other)
{
    if (one > other)
        return overlap(p, other, one);
    struct polygon on, beside[3];
    const struct surface_triangle *a = &p->triangles[one], *b = &p->triangles[other];
    if (one == other || !(p->flats[one].area > 0.0) || !(p->flats[other].area > 0.0) || !share_plane(p, one, other) ||
        (a->material == b->material && same_corners(a, b)))
        return false;
    const struct polygon whole = polygon_of(a);
    part(&on, beside, &whole, b, &p->flats[one]);
    return is_thick(&on, &p->flats[one]);
}

static int note_other(void *context, uint32_t index)
{
    struct others *o = context;
    if (!overlap(o->parting, o->triangle, index))
        return 0;
    if (o->count == o->room) {
        const size_t room = 2 * o->room + 16;
        uint32_t *more = realloc(o->at, room * sizeof *more);
        if (!more)
            return -1;
        o->at = more;
        o->room = room;
    }
    o->at[o->count++] = index;
    return 0;
}

static int later_first(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a < b) - (a > b);
}

/* ---- parting */

/* Parts pieces by a triangle: those on it go to `on` (NULL: nowhere), others to `beside`. */
static int part_pieces(struct pieces *on, struct pieces *beside, const struct pieces *all,
                       const struct surface_triangle *by, const struct flat *f, struct error *e)
{
    for (size_t i = 0; i < all->count; i++) {
        struct polygon common, rest[3];
        part(&common, rest, &all->at[i], by, f);
        if (area_of(&common, f) == 0.0) {
            if (add_pieces(beside, &all->at[i], f, e))
                return -1;
            continue;
        }
        for (int k = 0; k < 3; k++)
            if (add_pieces(beside, &rest[k], f, e))
                return -1;
        if (on && add_pieces(on, &common, f, e))
            return -1;
    }
    return 0;
}

static bool looks_alike(const struct parting *p, size_t one, size_t other)
{
    return dot(p->flats[one].normal, p->flats[other].normal) > 0.0;
}

/* What most of the triangle lies on, of earlier faces of other materials whose fronts look the same way, and how much
 * of its own area that covers. */
static void find_below(struct surface_triangle *t, const struct parting *p, const struct others *o)
{
    const struct flat *f = &p->flats[o->triangle];
    double most = 0.0, all = 0.0;
    for (size_t i = 0; i < o->count; i++) {
        const struct surface_triangle *other = &p->triangles[o->at[i]];
        struct polygon on, beside[3];
        if (o->at[i] > o->triangle || other->material == t->material || !looks_alike(p, o->triangle, o->at[i]))
            continue;
        const struct polygon whole = polygon_of(t);
        part(&on, beside, &whole, other, f);
        const double area = area_of(&on, f);
        all += area;
        t->below = area > most ? other->material : t->below;
        most = fmax(most, area);
    }
    const struct polygon whole = polygon_of(t);
    t->covering = fmin(all / area_of(&whole, f), 1.0);
}

static int put_pieces(struct parting *p, const struct surface_triangle *like, const struct pieces *pieces,
                      struct error *e)
{
    struct surface_triangle t = *like;
    for (size_t i = 0; i < pieces->count; i++) {
        memcpy(t.corner, pieces->at[i].at, sizeof t.corner);
        if (put(p, &t, e))
            return -1;
    }
    return 0;
}

struct work {
    struct pieces left, on, rest;
};

static void next_left(struct work *w)
{
    const struct pieces used = w->left;
    w->left = w->rest;
    w->rest = used;
    w->rest.count = 0;
}

/* What others leave of a triangle: the later ones take what they lie on; of the earlier that look the other way, what
 * it lies on becomes its back. */
static int part_triangle(struct parting *p, struct work *w, const struct others *o, struct error *e)
{
    const struct flat *f = &p->flats[o->triangle];
    struct surface_triangle t = p->triangles[o->triangle];
    const struct polygon whole = polygon_of(&t);
    find_below(&t, p, o);
    w->left.count = 0;
    if (add_pieces(&w->left, &whole, f, e))
        return -1;
    for (size_t i = 0; i < o->count && w->left.count; i++) { /* the latest first */
        const struct surface_triangle *other = &p->triangles[o->at[i]];
        const bool later = o->at[i] > o->triangle;
        if (!later && looks_alike(p, o->triangle, o->at[i]))
            continue;
        w->on.count = w->rest.count = 0;
        if (stop_check(e) || part_pieces(later ? NULL : &w->on, &w->rest, &w->left, other, f, e))
            return -1;
        struct surface_triangle two_sided = t;
        two_sided.back = other->material;
        if (put_pieces(p, &two_sided, &w->on, e))
            return -1;
        next_left(w);
    }
    return put_pieces(p, &t, &w->left, e);
}

static int part_all(struct parting *p, struct work *w, struct others *o, struct error *e)
{
    for (o->triangle = 0; o->triangle < p->count; o->triangle++) {
        const size_t i = o->triangle;
        o->count = 0;
        if (i % 1024 == 0 && stop_check(e))
            return -1;
        if (box_tree_visit(&p->tree, &p->boxes[i], note_other, o))
            return fail(e, ERROR_MEMORY, "not enough memory for faces that lie on one another");
        if (o->count)
            qsort(o->at, o->count, sizeof *o->at, later_first);
        for (size_t k = 0; k < i && o->count && !p->any; k++) /* they stay as they are */
            if (put(p, &p->triangles[k], e))
                return -1;
        p->any = p->any || o->count;
        if (p->any && (o->count ? part_triangle(p, w, o, e) : put(p, &p->triangles[i], e)))
            return -1;
    }
    return 0;
}

int overlaps_part(struct surface_triangle **triangles, size_t *count, struct error *e)
{
    struct parting p = {.triangles = *triangles, .count = *count};
    struct others o = {.parting = &p};
    struct work w = {.left.at = NULL};
    p.flats = calloc(p.count + 1, sizeof *p.flats);
    p.boxes = calloc(p.count + 1, sizeof *p.boxes);
    int status =
        p.flats && p.boxes ? 0 : fail(e, ERROR_MEMORY, "not enough memory for the planes of %zu triangles", p.count);
    for (size_t i = 0; i < p.count && !status; i++)
        measure(&p.flats[i], &p.boxes[i], &p.triangles[i]);
    if (!status)
        status = box_tree_make(&p.tree, p.boxes, p.count, e) || part_all(&p, &w, &o, e) ? -1 : 0;
    if (!status && p.any) {
        free(*triangles);
        *triangles = p.made;
        *count = p.made_count;
        p.made = NULL;
    }
    free(p.made);
    free(p.flats);
    free(p.boxes);
    free(o.at);
    free(w.left.at);
    free(w.on.at);
    free(w.rest.at);
    box_tree_free(&p.tree);
    return status;
}
