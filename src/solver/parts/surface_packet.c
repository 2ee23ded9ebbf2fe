/* SPDX-License-Identifier: MIT */
#include "solver/parts/surface_packet.h"

void voxel_task_pack(const struct voxel_task *task, struct packet *w)
{
    const struct surface *s = &task->surface;
    packet_put(w, task, sizeof *task);
    packet_put(w, s->materials, s->material_count * sizeof *s->materials);
    packet_put(w, s->triangles, s->triangle_count * sizeof *s->triangles);
    packet_put(w, s->solids, s->solid_count * sizeof *s->solids);
    for (size_t i = 0; i < s->solid_count; i++)
        packet_put(w, s->solids[i].corners, s->solids[i].corner_count * sizeof *s->solids[i].corners);
    packet_put(w, task->source_voxels, task->source_voxel_count * sizeof *task->source_voxels);
}

/* The receiver owns the packet. */
static void *take(struct packet *w, size_t bytes)
{
    return (void *)packet_take(w, bytes);
}

int voxel_task_unpack(struct voxel_task *task, struct packet *w, struct error *e)
{
    struct surface *s = &task->surface;
    packet_get(w, task, sizeof *task);
    struct surface_material *materials = take(w, s->material_count * sizeof *materials);
    s->triangles = take(w, s->triangle_count * sizeof *s->triangles);
    struct surface_solid *solids = take(w, s->solid_count * sizeof *solids);
    for (size_t i = 0; i < s->solid_count && solids; i++)
        solids[i].corners = take(w, solids[i].corner_count * sizeof *solids[i].corners);
    struct source_voxel *source_voxels = take(w, task->source_voxel_count * sizeof *source_voxels);
    if (w->failed)
        return fail(e, ERROR_ENGINE, "a part received an incomplete description of the room's surface");
    for (size_t i = 0; i < s->material_count; i++)
        materials[i].name = NULL;
    for (size_t i = 0; i < task->source_voxel_count; i++)
        source_voxels[i].name = NULL;
    s->materials = materials;
    s->solids = solids;
    task->source_voxels = source_voxels;
    return 0;
}
