/* SPDX-License-Identifier: MIT */
/* The room to be turned: a picture, and a script that shows it by WebGL in its place. */
#ifndef AULA_PRESENT_REPORT_ROOM_3D_H
#define AULA_PRESENT_REPORT_ROOM_3D_H

#include <stdio.h>

#include "geometry/rays/edges.h"
#include "present/views/room_model.h"

/* A figure with everything in it but the script; free edges as lines of that script, and a box that
 * shows or hides them. ERROR_MEMORY, ERROR_STOPPED. */
int room_3d(FILE *stream, const struct viewed_room *room, const struct ray_edges *edges, struct error *e);

/* The script, once a page, after the figures; and what the page's policy has to allow for it: 'sha256-..'. */
void room_3d_script(FILE *stream);
void room_3d_policy(FILE *stream);

#endif
