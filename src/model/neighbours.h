/* What stands where it is probably not meant to: objects that reach beyond the room, sources and receivers so close to
 * something that the grid cannot tell them apart. */
#ifndef AULA_MODEL_NEIGHBOURS_H
#define AULA_MODEL_NEIGHBOURS_H

#include "model/grid.h"
#include "room/room.h"

/* Adds a line each. Objects that lie outside as a whole are left to voxels_object_visible. */
int neighbours_note(char ***notes, size_t *count, const struct room *room, const struct grid *g, struct error *e);

/* m from a position in the air to the surface of an object; 0 inside. */
double distance_to_object(const struct object *object, const double position[3]);

#endif
