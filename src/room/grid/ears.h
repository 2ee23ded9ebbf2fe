/* SPDX-License-Identifier: MIT */
/* Notes and warnings on binaural receivers: the directions that their HRTFs do not cover. */
#ifndef AULA_ROOM_GRID_EARS_H
#define AULA_ROOM_GRID_EARS_H

#include "room/grid/model.h"

/* Adds a note on the HRTFs of each binaural receiver and their coverage. Adds warnings of the file,
 * of missing parts of the sphere, and of direct sound and (in a box) first reflections from
 * directions outside the coverage. ERROR_MEMORY. */
int ears_note(struct model *m, struct error *e);

#endif
