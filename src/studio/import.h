/* SPDX-License-Identifier: MIT */
/* A room file for a model that was dropped on the page. */
#ifndef AULA_STUDIO_IMPORT_H
#define AULA_STUDIO_IMPORT_H

#include "base/error.h"

struct cJSON;

/* {text, names: [{name, area, suggestions}], size, unit, up, doubts} for the model at `path`. unit and up: names as of
 * room.geometry, or "": as the file says, or the first unit that gives a room of usual size, with a doubt about it. NULL with
 * errors as of mesh_read. */
struct cJSON *import_json(const char *path, const char *unit, const char *up, struct error *e);

#endif
