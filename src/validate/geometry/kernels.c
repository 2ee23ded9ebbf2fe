/* SPDX-License-Identifier: MIT */
/* Every kernel of the engine compared with the CPU's reference in rooms from models, between
 * random walls, in double precision: fields and taps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "solver/engine.h"
#include "solver/schemes/leapfrog/leapfrog.h"
#include "validate/geometry/checks.h"
#include "validate/geometry/voxel_run.h"

enum { STEPS = 200, CHANNELS = 3 };

static const double voxels = 1.5e4, voxels_full = 6e4; /* size of the lattice */

struct signals {
    struct channel drives[CHANNELS], taps[CHANNELS];
    struct channel_entry entries[2][CHANNELS];
    double drive[CHANNELS * STEPS], tapped[CHANNELS * STEPS];
};

static void furnish(struct signals *s, struct voxel_run *run, struct random *r)
{
    for (int i = 0; i < CHANNELS; i++) {
        const struct channel_entry drive = {voxel_run_air_point(run, r), random_unit(r) - 0.5, 0, 1};
        const struct channel_entry tap = {voxel_run_air_point(run, r), 1.0, 0, 1};
        s->entries[0][i] = drive;
        s->entries[1][i] = tap;
        s->drives[i] = (struct channel){&s->entries[0][i], 1};
        s->taps[i] = (struct channel){&s->entries[1][i], 1};
    }
    for (int i = 0; i < CHANNELS * STEPS; i++)
        s->drive[i] = random_unit(r) - 0.5;
    run->problem.drives = s->drives;
    run->problem.taps = s->taps;
    run->problem.drive_count = run->problem.tap_count = CHANNELS;
}

/* Returns the field in run->values, and the taps in s->tapped. */
static int compute(struct voxel_run *run, struct signals *s, const struct solver_options *c, uint64_t seed,
                   struct error *e)
{
    struct random noise = {seed};
    const struct block block = {s->drive, STEPS, s->tapped, STEPS};
    struct solver *solver = NULL;
    memset(s->tapped, 0xff, sizeof s->tapped); /* NaN: reveals values that are not written */
    const int status = solver_open(&solver, &run->problem, c, e) || voxel_run_noise(run, solver, &noise, e) ||
                       solver_run(solver, STEPS, &block, e) ||
                       solver_get(solver, "p", 0, run->problem.points[2], run->values, e);
    solver_close(solver);
    return status ? -1 : 0;
}

static double difference(const double *got, const double *expected, size_t count)
{
    double worst = 0.0, peak = 0.0;
    for (size_t i = 0; i < count; i++) {
        peak = fmax(peak, fabs(expected[i]));
        worst = nan_max(worst, fabs(got[i] - expected[i]));
    }
    return worst > 0.0 || isnan(worst) ? worst / peak : 0.0;
}

struct tally {
    double worst;
    size_t kernels;
    char names[160];
};

/* A kernel that does not apply to the room is not a failure. */
static int compare(struct tally *tally, struct validation *v, const struct engine *engine, struct voxel_run *run,
                   struct signals *s, struct error *e)
{
    const struct solver_options reference = {.engine = "cpu", .kernel = "reference", .threads = 1};
    const uint64_t seed = random_bits(&v->random);
    double tapped[CHANNELS * STEPS], *field = malloc(run->points * sizeof *field);
    int status = field ? compute(run, s, &reference, seed, e) : fail(e, ERROR_MEMORY, "out of memory");
    if (!status) {
        memcpy(field, run->values, run->points * sizeof *field);
        memcpy(tapped, s->tapped, sizeof tapped);
    }
    for (size_t k = 0; engine->kernel_name(run->problem.scheme, k) && !status; k++) {
        struct solver_options c = v->choice;
        struct error reason;
        c.engine = engine->name;
        c.kernel = webb_kernel(engine->kernel_name(run->problem.scheme, k), v->webb_variant);
        if (!strcmp(c.kernel, "reference") || (v->choice.kernel && strcmp(v->choice.kernel, c.kernel) != 0))
            continue;
        if (compute(run, s, &c, seed, &reason)) {
            if (reason.code != ERROR_ENGINE)
                status = fail(e, reason.code, "%s: %.900s", c.kernel, reason.message);
            continue;
        }
        tally->worst = nan_max(tally->worst, difference(run->values, field, run->points));
        tally->worst = nan_max(tally->worst, difference(s->tapped, tapped, CHANNELS * STEPS));
        tally->kernels++;
        const size_t used = strlen(tally->names);
        snprintf(tally->names + used, sizeof tally->names - used, "%s%s", used ? ", " : "", c.kernel);
    }
    free(field);
    return status;
}

static int check_model(struct validation *v, struct report *r, const struct engine *engine, size_t index,
                       const struct scene_mesh *mesh, enum air_stencil stencil, struct error *e)
{
    const double spacing = spacing_for(mesh, (v->full ? voxels_full : voxels) * (1.0 + random_unit(&v->random)));
    const double bound = strcmp(engine->name, "cpu") != 0 ? 1e-12 : 0.0;
    struct voxel_room room;
    struct voxel_run run = {.mass = NULL};
    struct signals *signals = calloc(1, sizeof *signals);
    struct tally tally = {.worst = 0.0};
    int status = signals ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    status = voxel_room_make(&room, mesh, spacing, models[index].source, stencil == STENCIL_19_POINT, e) || status ||
             voxel_run_make(&run, &room, stencil, e);
    if (!status) {
        voxel_run_random_walls(&run, &v->random);
        furnish(signals, &run, &v->random);
        status = compare(&tally, v, engine, &run, signals, e);
    }
    if (!status && tally.kernels)
        report_bound(r, "kernels", tally.worst, bound,
                     "%s, %.0f mm, %s, double, %d steps, error relative to peak: %s/%s", models[index].name,
                     1e3 * spacing, stencil_names[stencil], STEPS, engine->name, tally.names);
    else if (!status)
        report_skip(r, "kernels", "no selected kernel of this engine supports rooms from models");
    free(signals);
    voxel_run_free(&run);
    voxel_room_free(&room);
    return status;
}

int check_geometry_kernels(struct validation *v, struct report *r, struct error *e)
{
    const struct engine *engine = solver_engine(&v->choice, e);
    if (!engine)
        return -1;
    for (size_t i = 0; i < MODELS; i++) {
        struct scene_mesh mesh = {.count = 0};
        if (!model_is_there(i, v, r, "kernels"))
            continue;
        const int status = model_read(&mesh, i, v, e) || check_model(v, r, engine, i, &mesh, STENCIL_7_POINT, e) ||
                           check_model(v, r, engine, i, &mesh, STENCIL_19_POINT, e);
        mesh_clear(&mesh);
        if (status)
            return -1;
    }
    return 0;
}
