/* SPDX-License-Identifier: MIT */
/* A room as the page draws it: triangles by wall and object, materials, sources and receivers, each with the path of its
 * setting in the room file. */
#ifndef AULA_STUDIO_SCENE_H
#define AULA_STUDIO_SCENE_H

#include "room/room.h"

struct cJSON;

/* Fresh; NULL with ERROR_MEMORY or ERROR_INPUT (more triangles than a page can draw). */
struct cJSON *scene_json(const struct room *room, struct error *e);

#endif
