/* SPDX-License-Identifier: MIT */
#include "validate/geometry/model_room.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "geometry/mesh_read.h"

const struct model_file models[MODELS] = {
    {"church", "rooms/church.obj", {20.0, 16.5, 3.0}},
    {"concert hall", "rooms/concert_hall.obj", {12.0, 9.85, 8.0}},
    {"living room", "rooms/living_room.obj", {3.0, 2.5, 1.9}},
    {"recording studio", "rooms/recording_studio.obj", {3.5, 3.2, 1.8}},
    {"CTK", "ctk.obj", {10.0, 6.6, 3.0}},
    {"ProStudio", "ProStudio.obj", {3.4, 3.8, 1.9}},
    {"LivingRoom", "LivingRoom.obj", {1.8, 3.0, 2.0}},
};

/* The caller frees it. */
static char *model_path(size_t index, const struct validation *v, struct error *e)
{
    if (index < MODELS_SHIPPED)
        return data_path(models[index].file, e);
    char *path = path_join(v->models, models[index].file);
    if (!path)
        fail(e, ERROR_MEMORY, "out of memory");
    return path;
}

bool model_is_there(size_t index, const struct validation *v, struct report *r, const char *check)
{
    char reason[200];
    struct error ignored;
    if (index >= MODELS_SHIPPED && !v->models) {
        snprintf(reason, sizeof reason, "%s: needs a folder of models; set --models", models[index].name);
        report_skip(r, check, reason);
        return false;
    }
    char *path = model_path(index, v, &ignored);
    const bool there = path && !access(path, R_OK);
    free(path);
    if (!there) {
        snprintf(reason, sizeof reason, "%s: file %s is missing", models[index].name, models[index].file);
        report_skip(r, check, reason);
    }
    return there;
}

int model_read(struct scene_mesh *mesh, size_t index, const struct validation *v, struct error *e)
{
    const struct mesh_options options = {.unit = MESH_UNIT_M};
    struct mesh file = {.vertices = NULL};
    char *path = model_path(index, v, e);
    if (!path)
        return -1;
    int status = mesh_read(&file, path, &options, e);
    if (!status && file.material_count > SCENE_MESH_MATERIALS)
        status = fail(e, ERROR_INPUT, "%s: at most %d materials are supported in a check", path, SCENE_MESH_MATERIALS);
    for (size_t i = 0; i < file.triangle_count && !status; i++) {
        const struct triangle *t = &file.triangles[i];
        mesh_add(mesh, file.vertices[t->vertex[0]], file.vertices[t->vertex[1]], file.vertices[t->vertex[2]],
                 t->material);
    }
    mesh_free(&file);
    free(path);
    return status;
}

int voxel_room_make(struct voxel_room *room, const struct scene_mesh *mesh, double spacing, const double source[3],
                    bool close_corners, struct error *e)
{
    const struct voxelize_options options = {.seal = VOXELIZE_SEAL, .close_corners = close_corners, .crop = true};
    const struct surface surface = surface_of(mesh);
    const struct source_voxel seed = {{source[0], source[1], source[2]}, "source", false};
    *room = (struct voxel_room){.lattice = lattice_around(mesh, spacing)};
    return voxelize(&room->set, &room->report, &surface, &room->lattice, &seed, 1, &options, e);
}

void voxel_room_free(struct voxel_room *room)
{
    voxel_set_free(room->set);
    voxel_report_free(&room->report);
    *room = (struct voxel_room){.set = NULL};
}

double spacing_for(const struct scene_mesh *mesh, double voxels)
{
    const struct lattice unit = lattice_around(mesh, 1e-3);
    return 1e-3 * cbrt((double)unit.count[0] * (double)unit.count[1] * (double)unit.count[2] / voxels);
}
