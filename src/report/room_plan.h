/* The room from above and from the side. */
#ifndef AULA_REPORT_ROOM_PLAN_H
#define AULA_REPORT_ROOM_PLAN_H

#include <stdio.h>

#include "room/room.h"

/* Plan (x, y) and below it section (x, z) at one scale, with objects, sources (S1 ..) and receivers (R1 ..), as one
 * <svg>. `name`: a word that no other drawing of the page has. */
int room_plan(FILE *stream, const struct room *room, const char *name, struct error *e);

enum { OUTLINE_POINTS = 128 };
/* The outline of an object seen along axis `along` (2: from above, giving x and y; 1: from the front, giving x and z):
 * the convex hull of its projection. Returns the number of points. */
size_t object_outline(double outline[OUTLINE_POINTS][2], const struct object *object, int along);

#endif
