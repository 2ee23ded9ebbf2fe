/* SPDX-License-Identifier: MIT */
#include "room/grid/room_measures.h"

#include <stdlib.h>
#include <string.h>

int room_measures_make(struct room_measures *s, const struct voxel_report *report, struct error *e)
{
    *s = (struct room_measures){.volume = report->volume,
                                .model_volume = report->model_volume,
                                .closed_off = report->closed_volume,
                                .area = calloc(report->material_count + 1, sizeof *s->area)};
    if (!s->area)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < report->material_count; i++) {
        s->area[i] = report->materials[i].corrected;
        s->surface += s->area[i];
    }
    return 0;
}

void room_measures_free(struct room_measures *s)
{
    free(s->area);
    memset(s, 0, sizeof *s);
}
