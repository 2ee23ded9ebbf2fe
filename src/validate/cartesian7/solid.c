/* SPDX-License-Identifier: MIT */
#include "validate/cartesian7/solid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nan_max.h"
#include "solver/engine.h"
#include "validate/cartesian7/checks.h"
#include "validate/scene/scene.h"

/* EDGE: points along x and y. On a GPU a row is 4 KiB, so that half a plane is a page. */
enum { EDGE = 256, EDGE_CUDA = 1024, NZ = 20, STEPS = 26, CHANNELS = 3, WAYS = 5 };

/* A corridor along x with objects, and in the highest planes one along y that branches off. */
static int make_solid(struct scene *s, size_t edge, enum air_stencil stencil, bool branches, struct random *r,
                      struct error *e)
{
    if (scene_box(s, edge, edge, NZ, PRECISION_SINGLE, e))
        return -1;
    if (stencil == STENCIL_19_POINT)
        scene_use_corners(s);
    memset(s->cells, CELL_SOLID, s->voxels[0] * s->voxels[1] * s->voxels[2]);
    s->leapfrog.admittance[CELL_SOLID] = 0.1;
    if (branches)
        scene_random_branches(s, 0, 3, r);
    scene_fill(s, (size_t[3]){3, 50, 0}, (size_t[3]){s->voxels[0], 90, s->voxels[2]}, CELL_AIR);
    scene_fill(s, (size_t[3]){200, 50, NZ - 3}, (size_t[3]){230, edge - 50, s->voxels[2]}, CELL_AIR);
    for (int i = 0; i < 20; i++) {
        size_t from[3] = {random_between(r, 3, edge - 10), random_between(r, 50, 80), random_between(r, 0, NZ - 8)},
               to[3];
        for (int axis = 0; axis < 3; axis++)
            to[axis] = from[axis] + random_between(r, 1, 6);
        scene_fill(s, from, to, CELL_SOLID);
    }
    if (scene_voxels(s, e))
        return -1;
    for (int i = 0; i < CHANNELS; i++) {
        scene_drive(s, scene_air_point(s, r), 0.5);
        scene_tap(s, scene_air_point(s, r), 1.0);
    }
    return 0;
}

struct outcome {
    float *field; /* p of all points, then the taps */
    size_t count;
};

static uint64_t available(struct scene *s, const struct solver_options *c)
{
    struct solver_plan r = {.engine = NULL};
    struct error e;
    return solver_make_plan(&r, &s->problem, c, &e) ? 0 : r.available_bytes;
}

/* *taken: memory used on the device, and predicted; 0 if the engine has no memory of its own. */
static int compute(struct outcome *o, struct scene *s, const struct solver_options *c, uint64_t seed, double taken[2],
                   struct error *e)
{
    const size_t points = s->problem.points[0] * s->problem.points[1] * s->problem.points[2];
    struct random noise = {seed};
    struct solver *solver = NULL;
    double drive[CHANNELS * STEPS], taps[CHANNELS * STEPS];
    *o = (struct outcome){malloc((points + CHANNELS * STEPS) * sizeof(float)), points + CHANNELS * STEPS};
    if (!o->field)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (int i = 0; i < CHANNELS * STEPS; i++)
        drive[i] = random_unit(&noise) - 0.5;
    const uint64_t before = available(s, c);
    if (scene_open(&solver, s, c, e))
        return -1;
    const struct solver_plan *r = solver_plan_of(solver);
    const uint64_t now = available(s, c);
    taken[0] = r->on_device && before > now ? (double)(before - now) : 0.0;
    taken[1] = (double)(r->field_bytes + r->boundary_bytes + r->channel_bytes);
    const int status = scene_noise(s, solver, 1.0, &noise, e) ||
                       solver_run(solver, STEPS, &(struct block){drive, STEPS, taps, STEPS}, e) ||
                       solver_get(solver, "p", 0, s->problem.points[2], o->field, e);
    for (int i = 0; i < CHANNELS * STEPS && !status; i++)
        o->field[points + (size_t)i] = (float)taps[i];
    solver_close(solver);
    return status;
}

static double difference(const struct outcome *got, const struct outcome *expected)
{
    double peak = 0.0, worst = 0.0;
    for (size_t i = 0; i < expected->count; i++) {
        peak = fmax(peak, fabs((double)expected->field[i]));
        worst = nan_max(worst, fabs((double)got->field[i] - (double)expected->field[i]));
    }
    return worst / peak;
}

/* Single steps come first, and the others are compared with them; modes that an engine does not
 * support are skipped. */
static int check_room(struct report *r, const char *engine, struct scene *s, const char *room, uint64_t seed,
                      struct error *e)
{
    const bool cuda = !strcmp(engine, "cuda");
    const struct solver_options ways[WAYS] = {{.engine = "cpu", .threads = 1},
                                              {.engine = engine, .time_block = 1, .cuda.no_tune = true},
                                              {.engine = engine, .time_block = 3, .cuda.no_tune = true},
                                              {.engine = engine, .time_block = 4, .cuda.no_tune = true},
                                              {.engine = engine, .cuda.in_place = true, .cuda.no_tune = true}};
    const char *const names[WAYS] = {"", "single steps", "temporal blocks of three steps",
                                     "temporal blocks of four steps", "in place"};
    struct outcome expected = {NULL, 0};
    double taken[2];
    int status = compute(&expected, s, &ways[0], seed, taken, e);
    for (int i = 1; i < WAYS && !status; i++) {
        struct outcome got = {NULL, 0};
        struct error reason;
        taken[0] = 0.0;
        if (compute(&got, s, &ways[i], seed, taken, &reason))
            status = reason.code == ERROR_ENGINE ? 0 : fail(e, reason.code, "%.900s", reason.message);
        else
            report_bound(r, "solid", difference(&got, &expected), cuda ? 1e-6 : 0.0,
                         "%s, %s, %s, compared with single steps on the cpu: error relative to peak", engine, room,
                         names[i]);
        if (got.field && cuda && taken[0] > 0.0 && i > 1) /* the first run also loads the device's code */
            report_bound(r, "solid", taken[0] / taken[1], 1.15,
                         "%s, %s, %s: memory used relative to the predicted %.0f MB", engine, room, names[i],
                         1e-6 * taken[1]);
        free(got.field);
    }
    free(expected.field);
    return status;
}

int solid_check(struct validation *v, struct report *r, enum air_stencil stencil, struct error *e)
{
    const struct engine *engine = solver_engine(&v->choice, e);
    const size_t edge = engine && !strcmp(engine->name, "cuda") ? EDGE_CUDA : EDGE;
    int status = engine ? 0 : -1;
    for (int branches = 0; branches < 2 && !status; branches++) {
        struct scene s;
        status = make_solid(&s, edge, stencil, branches, &v->random, e) ||
                 check_room(r, engine->name, &s, branches ? "walls with branches" : "walls without branches",
                            random_bits(&v->random), e);
        scene_free(&s);
    }
    return status;
}

int check_solid(struct validation *v, struct report *r, struct error *e)
{
    return solid_check(v, r, STENCIL_7_POINT, e);
}
