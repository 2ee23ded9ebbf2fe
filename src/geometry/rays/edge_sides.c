/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "geometry/rays/edge_pieces.h"
#include "geometry/rays/edge_star.h"

static const double grain = 1e-4; /* m: corners are told apart by it */

/* A side of a face, by its rounded ends, the smaller one first. */
struct side {
    int64_t ends[2][3]; /* in grains */
    uint32_t face;
    int corner; /* where it begins */
};

static int compare_places(const int64_t a[3], const int64_t b[3])
{
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

/* A sort that a stop was requested in ends soon: all are equal from then on. */
static int by_ends(const void *a, const void *b)
{
    const struct side *p = a, *q = b;
    if (stop_requested())
        return 0;
    for (int i = 0; i < 2; i++) {
        const int order = compare_places(p->ends[i], q->ends[i]);
        if (order)
            return order;
    }
    return (p->face > q->face) - (p->face < q->face);
}

static struct side side_of(const struct ray_scene *scene, uint32_t face, int corner)
{
    struct side s = {.face = face, .corner = corner};
    const double(*corners)[3] = (const double(*)[3])scene->faces[face].corner;
    for (int k = 0; k < 3; k++) {
        s.ends[0][k] = llround(corners[corner][k] / grain);
        s.ends[1][k] = llround(corners[(corner + 1) % 3][k] / grain);
    }
    if (compare_places(s.ends[0], s.ends[1]) > 0)
        for (int k = 0; k < 3; k++) {
            const int64_t end = s.ends[0][k];
            s.ends[0][k] = s.ends[1][k];
            s.ends[1][k] = end;
        }
    return s;
}

/* Whether the faces that share a side leave it open. */
static bool is_open(const struct ray_scene *scene, const struct side *sides, size_t count)
{
    const double(*corners)[3] = (const double(*)[3])scene->faces[sides->face].corner;
    const double *from = corners[sides->corner], *to = corners[(sides->corner + 1) % 3];
    double middle[3], along[3], faces[2][3], length = 0.0;
    for (int k = 0; k < 3; k++) {
        middle[k] = 0.5 * (from[k] + to[k]);
        along[k] = to[k] - from[k];
        length += along[k] * along[k];
    }
    for (int k = 0; k < 3; k++)
        along[k] /= sqrt(length);
    struct edge_star star = edge_star_at(middle, along);
    for (size_t i = 0; i < count; i++)
        edge_star_add(&star, &scene->faces[sides[i].face], 2.0 * grain);
    return !star.curved && edge_star_open(&star, faces, middle);
}

int edge_sides_find(struct edge_side **found, size_t *count, const struct ray_scene *scene, struct error *e)
{
    struct side *sides = malloc((3 * scene->count + 1) * sizeof *sides);
    size_t all = 0, open = 0;
    *count = 0;
    *found = NULL;
    for (uint32_t f = 0; sides && f < scene->count; f++)
        for (int corner = 0; corner < 3; corner++) {
            sides[all] = side_of(scene, f, corner);
            all += compare_places(sides[all].ends[0], sides[all].ends[1]) != 0;
        }
    if (sides)
        qsort(sides, all, sizeof *sides, by_ends);
    for (size_t i = 0, next; i < all && !stop_requested(); i = next) { /* the open ones to the front */
        for (next = i + 1; next < all && !compare_places(sides[i].ends[0], sides[next].ends[0]) &&
                           !compare_places(sides[i].ends[1], sides[next].ends[1]);
             next++)
            continue;
        if (is_open(scene, &sides[i], next - i))
            sides[open++] = sides[i];
    }
    *found = sides ? malloc((open + 1) * sizeof **found) : NULL;
    for (size_t i = 0; i < open && *found; i++)
        for (int end = 0; end < 2; end++)
            memcpy((*found)[i].ends[end], scene->faces[sides[i].face].corner[(sides[i].corner + end) % 3],
                   sizeof(*found)[i].ends[end]);
    free(sides);
    *count = open;
    return *found ? stop_check(e) : fail(e, ERROR_MEMORY, "out of memory");
}
