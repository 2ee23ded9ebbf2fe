/* SPDX-License-Identifier: MIT */
/* A path through a room, as a CSV table with a row for each instant:
 *
 *     time,x,y,z,yaw
 *     0.0,1.0,2.0,1.6,0
 *     2.5,3.0,2.0,1.6,90
 *
 * time is in s, positions in m, angles in degrees. yaw, pitch and roll may be absent. Columns stand in any order; lines
 * that begin with # are comments. Between two rows the position moves straight at constant speed, and angles turn the
 * shorter way; before the first row and after the last it rests. */
#ifndef AULA_RENDER_MOVING_WALK_H
#define AULA_RENDER_MOVING_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define WALK_SPEED_MAX 100.0 /* m/s: faster is a mistake of units */

struct walk_row {
    double time, position[3];
    double turn[3]; /* degrees: yaw, pitch, roll */
    size_t line;
};

struct walk {
    const char *path; /* not owned */
    struct walk_row *rows;
    size_t count;
    bool turns; /* a column of an angle exists */
};

/* ERROR_INPUT with file and line: numbers, times that do not increase, speeds above WALK_SPEED_MAX. `path` is kept for
 * messages. On failure *w is empty. */
int walk_read(struct walk *w, const char *path, struct error *e);
void walk_free(struct walk *w); /* safe on a zeroed struct */

/* Position and angles at a time. turn may be NULL. */
void walk_at(const struct walk *w, double time, double position[3], double turn[3]);

#endif
