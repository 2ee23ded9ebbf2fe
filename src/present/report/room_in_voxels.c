/* SPDX-License-Identifier: MIT */
#include "present/report/room_in_voxels.h"

#include <stdlib.h>
#include <string.h>

void room_in_voxels_free(struct room_in_voxels *v)
{
    free(v->names);
    free(v->marks);
    memset(v, 0, sizeof *v);
}

static struct view_mark mark_of(const char *name, bool receiver, const double position[3])
{
    return (struct view_mark){.name = name, .receiver = receiver, .position = {position[0], position[1], position[2]}};
}

int room_in_voxels_make(struct room_in_voxels *v, const struct room *room, const struct voxel_set *set,
                        const double origin[3], double spacing, struct error *e)
{
    const size_t sources = room->source_count, receivers = room->receiver_count;
    v->names = calloc(room->material_count + 1, sizeof *v->names);
    v->marks = calloc(sources + receivers + 1, sizeof *v->marks);
    if (!v->names || !v->marks) {
        room_in_voxels_free(v);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < room->material_count; i++)
        v->names[i] = room->materials[i].name;
    for (size_t i = 0; i < sources; i++)
        v->marks[i] = mark_of(room->sources[i].name, false, room->sources[i].position);
    for (size_t i = 0; i < receivers; i++)
        v->marks[sources + i] = mark_of(room->receivers[i].name, true, receiver_place(&room->receivers[i], 0));
    v->view = (struct viewed_room){.set = set,
                                   .origin = {origin[0], origin[1], origin[2]},
                                   .spacing = spacing,
                                   .materials = v->names,
                                   .material_count = room->material_count,
                                   .marks = v->marks,
                                   .mark_count = sources + receivers};
    return 0;
}

void room_cut_place(double cut[3], const struct room *room, const double size[3])
{
    const double *at = room->source_count     ? room->sources[0].position
                       : room->receiver_count ? receiver_place(&room->receivers[0], 0)
                                              : NULL;
    for (int i = 0; i < 3; i++)
        cut[i] = at ? at[i] : room->lower[i] + 0.5 * size[i];
}
