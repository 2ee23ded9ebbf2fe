/* SPDX-License-Identifier: MIT */
/* What two ears cannot hear: directions that their HRTF does not cover. */
#ifndef AULA_ROOM_GRID_EARS_H
#define AULA_ROOM_GRID_EARS_H

#include "room/grid/model.h"

/* Adds, for each binaural receiver, what its HRTF is and covers to the notes. Warnings: those of the file; a part of the
 * sphere that it lacks; direct sound and, in a box, sound of one reflection from directions outside. ERROR_MEMORY. */
int ears_note(struct model *m, struct error *e);

#endif
