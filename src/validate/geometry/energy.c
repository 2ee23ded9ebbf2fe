/* SPDX-License-Identifier: MIT */
/* Energy balance of rooms from models, whose faces have areas: from noise, between random walls, real and branched. */
#include <math.h>

#include "base/nan_max.h"
#include "base/stop.h"
#include "validate/geometry/checks.h"
#include "validate/geometry/voxel_run.h"

enum { STEPS = 10000, PART = 1000 };

static const double voxels = 6e4; /* size of the lattice */

/* Largest |stored + absorbed - start| relative to the largest stored energy. */
static int follow(double *error, double *left, struct validation *v, struct voxel_run *run, struct error *e)
{
    const struct block silence = {0};
    struct solver *solver = NULL;
    struct audit start = {0}, now = {0};
    struct solver_options choice = v->choice;
    double most = 0.0, worst = 0.0;
    choice.audit = true;
    int status = solver_open(&solver, &run->problem, &choice, e) || voxel_run_noise(run, solver, &v->random, e) ||
                 solver_audit(solver, &start, e);
    most = start.stored;
    for (int done = 0; done < STEPS && !status; done += PART) {
        status = stop_check(e) || solver_run(solver, PART, &silence, e) || solver_audit(solver, &now, e);
        most = nan_max(most, now.stored);
        worst = nan_max(worst, now.balanced ? fabs(now.stored + now.absorbed - start.stored) : NAN);
    }
    solver_close(solver);
    *error = worst / most;
    *left = now.stored / start.stored;
    if (status && e->code == ERROR_UNSTABLE) { /* a failed check, not a failure to run it */
        *error = NAN;
        status = 0;
    }
    return status;
}

static int check_model(struct validation *v, struct report *r, size_t index, const struct scene_mesh *mesh,
                       enum air_stencil stencil, struct error *e)
{
    const double spacing = spacing_for(mesh, voxels * (1.0 + random_unit(&v->random)));
    struct voxel_room room;
    struct voxel_run run = {.mass = NULL};
    double error, left;
    int status = voxel_room_make(&room, mesh, spacing, models[index].source, stencil == STENCIL_19_POINT, e) ||
                 voxel_run_make(&run, &room, stencil, e);
    if (!status) {
        voxel_run_random_walls(&run, &v->random);
        status = follow(&error, &left, v, &run, e);
    }
    if (!status)
        report_bound(r, "energy", error, 1e-12,
                     "%s, %.0f mm, %s, double, %d steps: error of stored + absorbed energy relative to the start "
                     "(remaining %.2g)",
                     models[index].name, 1e3 * spacing, stencil_names[stencil], STEPS, left);
    voxel_run_free(&run);
    voxel_room_free(&room);
    return status;
}

int check_geometry_energy(struct validation *v, struct report *r, struct error *e)
{
    for (size_t i = 0; i < MODELS; i++) {
        struct scene_mesh mesh = {.count = 0};
        if (i > 0 && i < MODELS_SHIPPED && !v->full) /* the church has the most orientations */
            continue;
        if (!model_is_there(i, v, r, "energy"))
            continue;
        const int status = model_read(&mesh, i, v, e) || check_model(v, r, i, &mesh, STENCIL_7_POINT, e) ||
                           check_model(v, r, i, &mesh, STENCIL_19_POINT, e);
        mesh_clear(&mesh);
        if (status)
            return -1;
    }
    return 0;
}
