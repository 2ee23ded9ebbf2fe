/* SPDX-License-Identifier: MIT */
#include "geometry/area_rounding.h"

#include <math.h>
#include <string.h>

/* The area of a material may be off by this fraction of its units. Within it each triangle takes
 * the nearest number of units, so that identical triangles of a wall get identical areas. */
static const double NEGLIGIBLE = 5e-4;

struct exact {
    double units[3]; /* of a face along each axis */
    double sum;      /* over the triangle's faces */
};

static struct exact exact_shares(const struct snapped_triangle *t, const struct triangle_counts *c, double factor)
{
    struct exact exact = {.sum = 0.0};
    for (int k = 0; k < 3; k++) {
        const double units = factor * fabs(t->normal[k]) * FACE_AREA_UNITS;
        exact.units[k] = fmin(units, FACE_AREA_MAX);
        exact.sum += c->faces[k] * units;
    }
    return exact;
}

/* Takes the units next to the exact ones with which no more than `tolerated` is missing of the triangle's and what
 * those before it lack, or the least; of several the nearest. Returns what is missing now. */
static double round_triangle(struct triangle_counts *c, const struct exact *exact, double lacking, double tolerated)
{
    double best = INFINITY, left = 0.0;
    for (unsigned choice = 0; choice < 8; choice++) {
        uint8_t rounded[3];
        double sum = 0.0, moved = 0.0;
        for (int k = 0; k < 3; k++) {
            const double units = choice >> k & 1u ? ceil(exact->units[k]) : floor(exact->units[k]);
            rounded[k] = (uint8_t)units;
            sum += c->faces[k] * units;
            moved += fabs(units - exact->units[k]);
        }
        const double off = fmax(fabs(lacking + exact->sum - sum) - tolerated, 0.0) + 1e-3 * moved;
        if (off < best) {
            best = off;
            left = lacking + exact->sum - sum;
            memcpy(c->share, rounded, sizeof rounded);
        }
    }
    return left;
}

/* The triangle and axis with the most faces whose share was rounded the other way: still within a unit of the exact
 * one. */
static void choose_split(struct share_split *split, const struct areas *a, const struct snapped *s, size_t from,
                         size_t end, double factor)
{
    uint32_t most = 0;
    for (size_t i = from; i < end; i++) {
        const struct triangle_counts *c = &a->triangles[i];
        const struct exact exact = exact_shares(&s->triangles[i], c, factor);
        for (int k = 0; k < 3; k++) {
            if (c->faces[k] <= most || !(fabs(c->share[k] + split->sign - exact.units[k]) < 1.0))
                continue;
            most = c->faces[k];
            split->triangle = (uint32_t)i;
            split->axis = k;
        }
    }
    split->left = split->left < most ? split->left : most;
}

void area_rounding_apply(struct areas *a, const struct snapped *s, size_t from, size_t end, double factor)
{
    struct share_split *split = &a->splits[s->triangles[from].material];
    double lacking = 0.0, all = 0.0;
    for (size_t i = from; i < end; i++)
        all += exact_shares(&s->triangles[i], &a->triangles[i], factor).sum;
    const double tolerated = NEGLIGIBLE * all;
    for (size_t i = from; i < end; i++) {
        const struct exact exact = exact_shares(&s->triangles[i], &a->triangles[i], factor);
        lacking = round_triangle(&a->triangles[i], &exact, lacking, tolerated);
    }
    if (fabs(lacking) <= tolerated)
        return;
    *split =
        (struct share_split){.sign = lacking > 0.0 ? 1 : -1, .left = (uint32_t)fmin(round(fabs(lacking)), UINT32_MAX)};
    choose_split(split, a, s, from, end, factor);
}
