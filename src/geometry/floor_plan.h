/* SPDX-License-Identifier: MIT */
/* Floor plans: polygons of x, y with corners in order, in either direction, the last joined to the
 * first. */
#ifndef AULA_GEOMETRY_FLOOR_PLAN_H
#define AULA_GEOMETRY_FLOOR_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { FLOOR_PLAN_MAX = 1000 }; /* corners */

enum plan_fault_kind { PLAN_SOUND, PLAN_REPEATS, PLAN_TURNS_BACK, PLAN_CROSSES };

/* Why a polygon bounds no floor: corner a is the corner before it; the outline turns back on itself at corner a; the
 * sides that begin at corners a < b cross or touch. */
struct plan_fault {
    enum plan_fault_kind kind;
    size_t a, b;
};

/* `count` corners, 3 at least. Distances below 1e-9 of the extent count as 0. */
struct plan_fault floor_plan_fault(const double (*corners)[2], size_t count);

/* Area, m²; below 0 for corners that go clockwise. */
double floor_plan_area(const double (*corners)[2], size_t count);

/* Whether a place is inside. A place on the outline counts as the one next to it at x + a, y + b with a >> b > 0, so
 * that of two plans that share a side one holds it. */
bool floor_plan_holds(const double (*corners)[2], size_t count, const double at[2]);

/* Distance of a position from the outline, m. */
double floor_plan_distance(const double (*corners)[2], size_t count, const double at[2]);

/* Triangles between the corners of a sound plan, at most count - 2: triangles[count - 2]. ERROR_MEMORY. */
int floor_plan_triangles(const double (*corners)[2], size_t count, uint32_t (*triangles)[3], size_t *triangle_count,
                         struct error *e);

/* Least and greatest x, y. */
void floor_plan_bounds(const double (*corners)[2], size_t count, double lower[2], double upper[2]);

#endif
