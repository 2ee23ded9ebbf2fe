/* SPDX-License-Identifier: MIT */
#include "solver/parts/lead_voxels.h"

#include "solver/parts/part.h"
#include "solver/parts/protocol.h"

static int tell(const struct voxel_task *task, struct transport *t, struct error *e)
{
    struct packet w = {.bytes = NULL};
    voxel_task_pack(task, &w);
    const struct order order = {.kind = ORDER_VOXELS, .bytes = w.count};
    int status = w.failed ? fail(e, ERROR_MEMORY, "out of memory") : 0;
    for (int part = 1; part < t->count && !status; part++)
        status =
            transport_send(t, part, &order, sizeof order, e) || transport_send(t, part, w.bytes, w.count, e) ? -1 : 0;
    status = status || transport_flush(t, e) ? transport_give_up(t, e) : 0;
    packet_free(&w);
    return status;
}

int lead_voxels(struct voxel_slabs **slabs, struct voxel_set **near, struct voxel_report *report,
                const struct voxel_task *task, struct transport *t, struct error *e)
{
    struct voxel_task own = *task;
    *slabs = NULL;
    *near = NULL;
    *report = (struct voxel_report){.material_count = 0};
    own.options.threads = part_threads(t, own.options.threads);
    if (tell(task, t, e))
        return -1;
    return voxel_slabs_make(slabs, near, report, &own, t, e);
}
