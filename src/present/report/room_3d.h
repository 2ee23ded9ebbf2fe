/* SPDX-License-Identifier: MIT */
/* Interactive 3D view of a room: a static picture that a script replaces by WebGL. */
#ifndef AULA_PRESENT_REPORT_ROOM_3D_H
#define AULA_PRESENT_REPORT_ROOM_3D_H

#include <stdio.h>

#include "geometry/rays/edges.h"
#include "present/views/room_model.h"

/* Writes the figure without the script. Free edges are lines that the script draws, with a check box to show or hide them.
 * ERROR_MEMORY, ERROR_STOPPED. */
int room_3d(FILE *stream, const struct viewed_room *room, const struct ray_edges *edges, struct error *e);

/* The script, once per page after the figures, and its entry in the policy of the page: 'sha256-..'. */
void room_3d_script(FILE *stream);
void room_3d_policy(FILE *stream);

#endif
