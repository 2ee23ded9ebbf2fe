/* SPDX-License-Identifier: MIT */
/* Number of kinds of branched walls that the areas of faces create, of which a scheme supports
 * 65,535. All materials have branches, which gives the largest number of kinds. */
#include <stdlib.h>

#include "solver/schemes/leapfrog/rows.h"
#include "validate/geometry/checks.h"
#include "validate/geometry/voxel_run.h"

static const double voxels[] = {1e6, 3e7, 3e8}; /* size of the lattice; all but the first with --full */

static int count_kinds(struct report *r, size_t index, const struct scene_mesh *mesh, enum air_stencil stencil,
                       double count, struct error *e)
{
    const double spacing = spacing_for(mesh, count);
    struct voxel_room room;
    struct voxel_run run = {.mass = NULL};
    struct rows rows = {.runs = NULL};
    int status = voxel_room_make(&room, mesh, spacing, models[index].source, stencil == STENCIL_19_POINT, e) ||
                 voxel_run_pose(&run, &room, stencil, e);
    for (int i = 0; i < SCENE_MESH_MATERIALS && !status; i++) {
        run.branches[i][0] = (struct branch){1.0 + i, 1.0, 0.1, 0};
        run.leapfrog.branches[CELL_SOLID + i] = run.branches[i];
        run.leapfrog.branch_count[CELL_SOLID + i] = 1;
    }
    if (!status && !(status = rows_make(&rows, &run.problem, e))) {
        report_bound(r, "kinds", (double)rows.branches.kind_count, UINT16_MAX,
                     "%s, %.1f mm, %s: kinds of branched walls at %llu points", models[index].name, 1e3 * spacing,
                     stencil_names[stencil], (unsigned long long)rows.branches.point_count);
        rows_free(&rows);
    }
    voxel_room_free(&room);
    return status;
}

int check_geometry_kinds(struct validation *v, struct report *r, struct error *e)
{
    for (size_t i = 0; i < MODELS; i++) {
        struct scene_mesh mesh = {.count = 0};
        if (!model_is_there(i, v, r, "kinds"))
            continue;
        int status = model_read(&mesh, i, v, e);
        for (size_t k = 0; k < (v->full ? sizeof voxels / sizeof *voxels : 1) && !status; k++)
            status = count_kinds(r, i, &mesh, STENCIL_7_POINT, voxels[k], e) ||
                     count_kinds(r, i, &mesh, STENCIL_19_POINT, voxels[k], e);
        mesh_clear(&mesh);
        if (status)
            return -1;
    }
    return 0;
}
