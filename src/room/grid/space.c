/* SPDX-License-Identifier: MIT */
#include "room/grid/space.h"

#include <stdlib.h>
#include <string.h>

int space_make(struct space *s, const struct voxel_report *report, struct error *e)
{
    *s = (struct space){.volume = report->volume,
                        .model_volume = report->model_volume,
                        .closed_off = report->closed_volume,
                        .area = calloc(report->material_count + 1, sizeof *s->area)};
    if (!s->area)
        return fail(e, ERROR_MEMORY, "out of memory for the areas of %zu materials", report->material_count);
    for (size_t i = 0; i < report->material_count; i++) {
        s->area[i] = report->materials[i].corrected;
        s->surface += s->area[i];
    }
    return 0;
}

void space_free(struct space *s)
{
    free(s->area);
    memset(s, 0, sizeof *s);
}
