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

/* Pieces are convex. The three lines of a triangle add at most three corners, so larger pieces are
 * divided first. */
enum { CORNERS_MAX = 16, CORNERS_KEPT = CORNERS_MAX - 3 };

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

/* As seen along f's axis. */
static bool is_wider(const struct polygon *p, double width, const struct flat *f)
{
    double around = 0.0;
    for (size_t i = 0; i < p->count; i++) {
        const double *a = p->at[i], *b = p->at[(i + 1) % p->count];
        around += hypot(b[f->b] - a[f->b], b[f->c] - a[f->c]);
    }
    return area_of(p, f) > 0.5 * width * around;
}

static void add_corner(struct polygon *p, const double at[3])
{
    if (p->count < CORNERS_MAX)
        memcpy(p->at[p->count++], at, sizeof p->at[0]);
}

/* Divides a polygon by the line through a and b; inside is to its left if sign is 1. Corners on the
 * line belong to both. */
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

/* The part of a triangle that coincides with another, and the remaining parts. */
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

/* ---- resulting triangles */

static int put(struct parting *p, const struct surface_triangle *t, struct error *e)
{
    if (p->made_count == SURFACE_TRIANGLES_MAX)
        return fail(e, ERROR_INPUT, "coinciding faces of the model form more than %d pieces; simplify it",
                    SURFACE_TRIANGLES_MAX);
    if (p->made_count == p->made_room) {
        const size_t room = 2 * p->made_room + p->count + 16;
        struct surface_triangle *more = realloc(p->made, room * sizeof *more);
        if (!more)
            return fail(e, ERROR_MEMORY, "out of memory");
        p->made = more;
        p->made_room = room;
    }
    p->made[p->made_count++] = *t;
    return 0;
}

/* ---- coincidence of faces */

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

/* The corners of the smaller face must lie near the plane of the larger. */
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

/* The faces that coincide with a given one. */
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

/* Symmetric in its two arguments. */
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
    return is_wider(&on, OVERLAP_FLAT, &p->flats[one]);
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

/* ---- division */

static bool looks_alike(const struct parting *p, size_t one, size_t other)
{
    return dot(p->flats[one].normal, p->flats[other].normal) > 0.0;
}

/* Among earlier faces of other materials whose fronts face the same way, the material that the
 * triangle covers most, and the part of its own area that does. */
static void find_below(struct surface_triangle *t, const struct parting *p, const struct others *o)
{
    const struct flat *f = &p->flats[o->triangle];
    const struct polygon whole = polygon_of(t);
    double most = 0.0, all = 0.0;
    for (size_t i = 0; i < o->count; i++) {
        const struct surface_triangle *other = &p->triangles[o->at[i]];
        struct polygon on, beside[3];
        if (o->at[i] > o->triangle || other->material == t->material || !looks_alike(p, o->triangle, o->at[i]))
            continue;
        part(&on, beside, &whole, other, f);
        const double area = area_of(&on, f);
        all += area;
        t->below = area > most ? other->material : t->below;
        most = fmax(most, area);
    }
    t->covering = fmin(all / area_of(&whole, f), 1.0);
}

/* The greatest depth of recursive divisions; further faces divide a piece one after the other. */
enum { DEPTH_MAX = 2000, CROWD = 8 };

/* A triangle while it is divided: by later faces, which replace it where they cover it, and by
 * earlier ones that face the other way, whose material becomes the back of the covered part. */
struct work {
    struct parting *parting;
    struct surface_triangle like; /* the pieces but for their corners and backs */
    size_t triangle;
    uint32_t *at; /* [count]: lists of others that wait, one above the other */
    size_t count, room;
};

/* A piece, and the other faces that may reach it: at[from .. end - 1]. */
struct piece {
    struct polygon polygon;
    size_t from, end;
    uint32_t back;       /* the latest that it is known to lie on; `none` */
    int depth, halvings; /* cuts so far; how often it may still be halved */
};
static const uint32_t none = UINT32_MAX;

static int push(struct work *w, uint32_t index, struct error *e)
{
    if (w->count == w->room) {
        const size_t room = 2 * w->room + 256;
        uint32_t *more = realloc(w->at, room * sizeof *more);
        if (!more)
            return fail(e, ERROR_MEMORY, "out of memory");
        w->at = more;
        w->room = room;
    }
    w->at[w->count++] = index;
    return 0;
}

static void polygon_span(double *low, double *high, const struct polygon *p, int axis)
{
    *low = *high = p->at[0][axis];
    for (size_t i = 1; i < p->count; i++) {
        *low = fmin(*low, p->at[i][axis]);
        *high = fmax(*high, p->at[i][axis]);
    }
}

static bool reaches(const struct bounding_box *box, const struct polygon *p)
{
    for (int k = 0; k < 3; k++) {
        double low, high;
        polygon_span(&low, &high, p, k);
        if (low > box->high[k] || high < box->low[k])
            return false;
    }
    return true;
}

static int part_piece(struct work *w, struct piece *piece, struct error *e);

/* Continues with a polygon and the other faces, from index `least` on, that reach it. */
static int go_on_whole(struct work *w, const struct polygon *polygon, const struct piece *of, uint32_t least,
                       uint32_t back, struct error *e)
{
    struct piece piece = {
        .polygon = *polygon, .from = w->count, .back = back, .depth = of->depth + 1, .halvings = of->halvings};
    if (area_of(polygon, &w->parting->flats[w->triangle]) == 0.0)
        return 0;
    for (size_t k = of->from; k < of->end; k++)
        if (w->at[k] >= least && reaches(&w->parting->boxes[w->at[k]], polygon) && push(w, w->at[k], e))
            return -1;
    piece.end = w->count;
    const int status = part_piece(w, &piece, e);
    w->count = piece.from;
    return status;
}

/* The same; only polygons of many corners are divided into triangles, because the new edges would
 * divide the faces on them. */
static int go_on(struct work *w, const struct polygon *polygon, const struct piece *of, uint32_t least, uint32_t back,
                 struct error *e)
{
    if (polygon->count <= CORNERS_KEPT)
        return go_on_whole(w, polygon, of, least, back, e);
    for (size_t i = 2; i < polygon->count; i++) {
        struct polygon triangle = {.count = 0};
        add_corner(&triangle, polygon->at[0]);
        add_corner(&triangle, polygon->at[i - 1]);
        add_corner(&triangle, polygon->at[i]);
        if (go_on_whole(w, &triangle, of, least, back, e))
            return -1;
    }
    return 0;
}

static int put_piece(struct work *w, const struct piece *piece, struct error *e)
{
    const struct polygon *p = &piece->polygon;
    struct surface_triangle t = w->like;
    t.back = piece->back == none ? t.material : w->parting->triangles[piece->back].material;
    for (size_t i = 2; i < p->count; i++) {
        const struct polygon one = {{{p->at[0][0], p->at[0][1], p->at[0][2]},
                                     {p->at[i - 1][0], p->at[i - 1][1], p->at[i - 1][2]},
                                     {p->at[i][0], p->at[i][1], p->at[i][2]}},
                                    3};
        memcpy(t.corner, one.at, sizeof t.corner);
        if (area_of(&one, &w->parting->flats[w->triangle]) > 0.0 && put(w->parting, &t, e))
            return -1;
    }
    return 0;
}

/* Halves a piece across its longer side. Returns false if most other faces would reach both halves,
 * as when they meet in a point. */
static bool halve(struct polygon half[2], const struct work *w, const struct piece *piece)
{
    const struct flat *f = &w->parting->flats[w->triangle];
    double low[3], high[3], from[3] = {0.0}, to[3] = {0.0};
    size_t reached = 0;
    for (int k = 0; k < 3; k++)
        polygon_span(&low[k], &high[k], &piece->polygon, k);
    const bool along_b = high[f->b] - low[f->b] > high[f->c] - low[f->c];
    const int across = along_b ? f->b : f->c;
    from[across] = to[across] = 0.5 * (low[across] + high[across]);
    to[along_b ? f->c : f->b] = 1.0;
    cut(&half[0], &half[1], &piece->polygon, from, to, 1.0, f);
    for (size_t k = piece->from; k < piece->end; k++)
        for (int i = 0; i < 2; i++)
            reached += half[i].count > 2 && reaches(&w->parting->boxes[w->at[k]], &half[i]);
    return 4 * reached < 5 * (piece->end - piece->from);
}

static int part_piece(struct work *w, struct piece *piece, struct error *e)
{
    const struct parting *p = w->parting;
    if (piece->depth > DEPTH_MAX)
        return fail(e, ERROR_INPUT, "too many faces of the model coincide; simplify it");
    struct polygon half[2];
    if (piece->end - piece->from > CROWD && piece->halvings-- > 0 && halve(half, w, piece))
        return go_on(w, &half[0], piece, 0, piece->back, e) || go_on(w, &half[1], piece, 0, piece->back, e) ? -1 : 0;
    while (piece->from < piece->end) {
        const uint32_t other = w->at[--piece->end];
        struct polygon on, beside[3];
        part(&on, beside, &piece->polygon, &p->triangles[other], &p->flats[w->triangle]);
        if (!is_wider(&on, ON_LINE, &p->flats[w->triangle])) /* cutting slivers makes more of them, without end */
            continue;
        if (stop_check(e))
            return -1;
        for (int k = 0; k < 3; k++)
            if (go_on(w, &beside[k], piece, 0, piece->back, e))
                return -1;
        /* on an earlier one only those that come after it count */
        return other > w->triangle ? 0 : go_on(w, &on, piece, other, other, e);
    }
    return put_piece(w, piece, e);
}

static int part_triangle(struct parting *p, struct work *w, const struct others *o, struct error *e)
{
    struct piece whole = {.polygon = polygon_of(&p->triangles[o->triangle]), .back = none};
    w->parting = p;
    w->triangle = o->triangle;
    w->like = p->triangles[o->triangle];
    w->count = 0;
    find_below(&w->like, p, o);
    for (size_t i = 0; i < o->count; i++)
        if ((o->at[i] > o->triangle || !looks_alike(p, o->triangle, o->at[i])) && push(w, o->at[i], e))
            return -1;
    whole.end = w->count;
    for (size_t crowd = CROWD; crowd < w->count; crowd *= 2)
        whole.halvings++;
    return part_piece(w, &whole, e);
}

static int part_all(struct parting *p, struct work *w, struct others *o, struct error *e)
{
    for (o->triangle = 0; o->triangle < p->count; o->triangle++) {
        const size_t i = o->triangle;
        o->count = 0;
        if (i % 1024 == 0 && stop_check(e))
            return -1;
        if (box_tree_visit(&p->tree, &p->boxes[i], note_other, o))
            return fail(e, ERROR_MEMORY, "out of memory");
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
    struct work w = {.at = NULL};
    p.flats = calloc(p.count + 1, sizeof *p.flats);
    p.boxes = calloc(p.count + 1, sizeof *p.boxes);
    int status = p.flats && p.boxes ? 0 : fail(e, ERROR_MEMORY, "out of memory");
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
    free(w.at);
    box_tree_free(&p.tree);
    return status;
}
