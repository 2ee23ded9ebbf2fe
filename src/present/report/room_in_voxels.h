/* SPDX-License-Identifier: MIT */
/* Joins a room and its voxels into a view for pictures and models. */
#ifndef AULA_PRESENT_REPORT_ROOM_IN_VOXELS_H
#define AULA_PRESENT_REPORT_ROOM_IN_VOXELS_H

#include "present/views/room_model.h"
#include "room/room.h"

struct room_in_voxels {
    struct viewed_room view; /* reads what follows, and the set */
    const char **names;
    struct view_mark *marks; /* sources, then receivers */
};

/* `set` and `room` are borrowed; origin: m, least corner of the set's voxel (0, 0, 0). Zero *v first. ERROR_MEMORY. */
int room_in_voxels_make(struct room_in_voxels *v, const struct room *room, const struct voxel_set *set,
                        const double origin[3], double spacing, struct error *e);
void room_in_voxels_free(struct room_in_voxels *v); /* safe on a zeroed struct */

/* m: position of the cuts of plans and sections, at the first source, else the first receiver, else the centre. */
void room_cut_place(double cut[3], const struct room *room, const double size[3]);

#endif
