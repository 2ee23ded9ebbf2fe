/* SPDX-License-Identifier: MIT */
/* Notes on sizes that may come from a mistaken unit or axis: very large rooms, cells above 1 m, models with y up. */
#ifndef AULA_ROOM_GRID_SIZE_NOTES_H
#define AULA_ROOM_GRID_SIZE_NOTES_H

#include "room/grid/model.h"

int size_notes(struct model *m, struct error *e);

#endif
