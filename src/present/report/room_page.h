/* SPDX-License-Identifier: MIT */
/* Draws a room on one page without a render: `aula info ROOM --plot`. */
#ifndef AULA_PRESENT_REPORT_ROOM_PAGE_H
#define AULA_PRESENT_REPORT_ROOM_PAGE_H

#include "present/views/room_model.h"
#include "room/grid/model.h"

/* An SVG file: plan and both sections at one scale, with named objects, sources and receivers, everything in the colour
 * of its material. Lists of materials (area, simulated absorption), objects, sources and receivers follow. voxels: of the
 * model; NULL: too many. */
int room_page_write(const char *path, const struct model *m, const struct viewed_room *voxels, struct error *e);

#endif
