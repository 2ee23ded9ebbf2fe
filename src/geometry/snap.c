/* SPDX-License-Identifier: MIT */
#include "geometry/snap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"

enum { FAR = 1 << 17 /* voxels: integers of the scan conversion hold 128 bits up to here */ };

static int by_value(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_place(const int64_t a[3], const int64_t b[3])
{
    for (int i = 0; i < 3; i++)
        if (a[i] != b[i])
            return by_value(a[i], b[i]);
    return 0;
}

/* Returns 1, or -1 where the order of the corners is turned round. */
static int8_t sort_corners(int64_t corner[3][3])
{
    int8_t turn = 1;
    static const int pairs[3][2] = {{0, 1}, {1, 2}, {0, 1}};
    for (int i = 0; i < 3; i++) {
        int64_t *low = corner[pairs[i][0]], *high = corner[pairs[i][1]];
        if (by_place(low, high) <= 0)
            continue;
        turn = (int8_t)-turn;
        for (int k = 0; k < 3; k++) {
            const int64_t t = low[k];
            low[k] = high[k];
            high[k] = t;
        }
    }
    return turn;
}

/* Normal and area. False: the triangle is degenerate. */
static bool measure(struct snapped_triangle *t, double spacing)
{
    int64_t edge[2][3];
    double n[3];
    bool any = false;
    for (int k = 0; k < 3; k++) {
        edge[0][k] = t->corner[1][k] - t->corner[0][k];
        edge[1][k] = t->corner[2][k] - t->corner[0][k];
    }
    for (int k = 0; k < 3; k++) {
        const int b = (k + 1) % 3, c = (k + 2) % 3;
        const wide_integer exact = (wide_integer)edge[0][b] * edge[1][c] - (wide_integer)edge[0][c] * edge[1][b];
        t->sign[k] = (int8_t)((exact > 0) - (exact < 0));
        n[k] = (double)exact;
        any = any || exact != 0;
    }
    if (!any)
        return false;
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), unit = spacing / SNAP_UNITS;
    for (int k = 0; k < 3; k++)
        t->normal[k] = n[k] / length;
    t->area = 0.5 * length * unit * unit;
    return true;
}

static int by_corners(const struct snapped_triangle *a, const struct snapped_triangle *b)
{
    for (int i = 0; i < 3; i++) {
        const int order = by_place(a->corner[i], b->corner[i]);
        if (order)
            return order;
    }
    return by_value(a->facing, b->facing);
}

/* A sort that a stop was requested in ends soon: all are equal from then on. */
static int by_corners_then_material(const void *left, const void *right)
{
    const struct snapped_triangle *a = left, *b = right;
    if (stop_requested())
        return 0;
    const int order = by_corners(a, b);
    return order ? order : by_value(a->material, b->material);
}

static int by_material_then_corners(const void *left, const void *right)
{
    const struct snapped_triangle *a = left, *b = right;
    if (stop_requested())
        return 0;
    return a->material != b->material ? by_value(a->material, b->material) : by_corners(a, b);
}

static int snap(struct snapped_triangle *to, const struct surface_triangle *from, const struct lattice *l, size_t shift,
                struct error *e)
{
    *to = (struct snapped_triangle){.material = from->material, .below = from->below, .covering = from->covering};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const double at = (from->corner[i][k] - l->origin[k]) / l->spacing + (double)shift;
            if (!(fabs(at) <= FAR))
                return fail(e, ERROR_INPUT,
                            "a triangle has a corner at (%g, %g, %g) m, more than %d grid spacings from the lowest "
                            "corner of the room; remove it, or choose another unit",
                            from->corner[i][0], from->corner[i][1], from->corner[i][2], FAR);
            to->corner[i][k] = llround(at * SNAP_UNITS);
        }
    to->facing = sort_corners(to->corner); /* that of its front */
    return 0;
}

/* Of one with two materials each side is one of its own. */
static void add_sides(struct snapped *s, const struct surface_triangle *from)
{
    struct snapped_triangle *t = &s->triangles[s->count++];
    if (from->back == from->material) {
        t->facing = 0;
        return;
    }
    struct snapped_triangle *back = &s->triangles[s->count++];
    *back = *t;
    back->facing = (int8_t)-t->facing;
    back->material = t->below = from->back;
    back->below = from->material;
    back->covering = t->covering = 1.0;
}

static size_t count_sides(const struct surface *s)
{
    size_t count = s->triangle_count;
    for (size_t i = 0; i < s->triangle_count; i++)
        count += s->triangles[i].back != s->triangles[i].material;
    return count;
}

static void drop_duplicates(struct snapped *s)
{
    size_t kept = 0;
    if (s->count)
        qsort(s->triangles, s->count, sizeof *s->triangles, by_corners_then_material);
    for (size_t i = 0; i < s->count; i++)
        if (!kept || by_corners(&s->triangles[kept - 1], &s->triangles[i]) != 0)
            s->triangles[kept++] = s->triangles[i];
    s->duplicates = s->count - kept;
    s->count = kept;
    if (kept)
        qsort(s->triangles, kept, sizeof *s->triangles, by_material_then_corners);
}

int snap_triangles(struct snapped *s, const struct surface *surface, const struct lattice *lattice, size_t shift,
                   struct error *e)
{
    *s = (struct snapped){.count = 0};
    const size_t sides = count_sides(surface);
    if (sides > SURFACE_TRIANGLES_MAX)
        return fail(e, ERROR_INPUT, "%zu triangles exceed the maximum of %d; simplify the model", sides,
                    SURFACE_TRIANGLES_MAX);
    s->triangles = malloc((sides + 1) * sizeof *s->triangles);
    if (!s->triangles)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < surface->triangle_count; i++) {
        struct snapped_triangle *t = &s->triangles[s->count];
        if ((i % 32768 == 0 && stop_check(e)) || snap(t, &surface->triangles[i], lattice, shift, e))
            return -1;
        if (measure(t, lattice->spacing))
            add_sides(s, &surface->triangles[i]);
        else
            s->degenerate++;
    }
    drop_duplicates(s);
    return stop_check(e);
}

void snapped_free(struct snapped *s)
{
    free(s->triangles);
    memset(s, 0, sizeof *s);
}
