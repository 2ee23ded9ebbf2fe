/* SPDX-License-Identifier: MIT */
/* The cached tuning of one room does not change the next: rooms with six and with eleven
 * branches per wall on one grid, in both orders, each order with a separate cache. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "solver/engine.h"
#include "validate/cartesian7/checks.h"
#include "validate/scene/scene.h"

enum { ORDERS = 2, ROOMS = 2, STEPS = 240, NAME = 64 };
static const size_t branch_counts[ROOMS] = {6, 11};
static const size_t points[3] = {256, 192, 160};

/* Result of one room. */
struct got {
    char kernel[NAME];
    int time_block;
    bool as_required; /* solver_make_plan then returns the same plan, with nothing left to try */
    double speed;     /* points per second */
};

static int run_room(struct got *got, size_t branch_count, struct validation *v, struct error *e)
{
    struct scene s;
    struct solver *solver = NULL;
    struct solver_plan required;
    struct branch branches[BRANCHES_MAX];
    const struct block silence = {0};
    for (size_t i = 0; i < branch_count; i++)
        branches[i] = (struct branch){10.0 / (double)(i + 1), 20.0, 0.1 * (double)(i + 1), 0};
    if (scene_box(&s, points[0], points[1], points[2], PRECISION_SINGLE, e))
        return -1;
    scene_branches(&s, 0, branches, branch_count);
    int status = scene_open(&solver, &s, &v->choice, e) || scene_noise(&s, solver, 1.0, &v->random, e) ||
                 solver_run(solver, STEPS, &silence, e);
    double seconds = 0.0;
    for (int i = 0; i < 3 && !status; i++) {
        const double start = clock_seconds();
        status = solver_run(solver, STEPS, &silence, e);
        const double took = clock_seconds() - start;
        seconds = i && seconds < took ? seconds : took;
    }
    if (!status) {
        const struct solver_plan *r = solver_plan_of(solver);
        snprintf(got->kernel, sizeof got->kernel, "%s", r->kernel);
        got->time_block = r->time_block;
        got->speed = (double)points[0] * (double)points[1] * (double)points[2] * STEPS / seconds;
    }
    solver_close(solver);
    status = status || solver_make_plan(&required, &s.problem, &v->choice, e);
    if (!status)
        got->as_required =
            !required.cuda.untried && !strcmp(required.kernel, got->kernel) && required.time_block == got->time_block;
    scene_free(&s);
    return status ? -1 : 0;
}

/* Runs the rooms one after the other with an initially empty cache. */
static int run_order(struct got got[ROOMS], bool reversed, struct validation *v, struct error *e)
{
    char folder[] = "/tmp/aula-tuning-XXXXXX", path[128];
    if (!mkdtemp(folder))
        return fail(e, ERROR_OUTPUT, "%s: cannot create", folder);
    setenv("XDG_CACHE_HOME", folder, 1);
    int status = 0;
    for (size_t i = 0; i < ROOMS && !status; i++) {
        const size_t room = reversed ? ROOMS - 1 - i : i;
        status = run_room(&got[room], branch_counts[room], v, e);
    }
    snprintf(path, sizeof path, "%s/aula/cuda-tuning", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/aula", folder);
    rmdir(path);
    rmdir(folder);
    return status;
}

static int run_orders(struct got got[ORDERS][ROOMS], struct validation *v, struct error *e)
{
    const char *before = getenv("XDG_CACHE_HOME");
    char *kept = before ? strdup(before) : NULL;
    int status = 0;
    for (int order = 0; order < ORDERS && !status; order++)
        status = run_order(got[order], order == 1, v, e);
    if (kept)
        setenv("XDG_CACHE_HOME", kept, 1);
    else
        unsetenv("XDG_CACHE_HOME");
    free(kept);
    return status;
}

int check_tuning(struct validation *v, struct report *r, struct error *e)
{
    struct got got[ORDERS][ROOMS];
    const struct engine *engine = solver_engine(&v->choice, e);
    if (!engine)
        return -1;
    if (strcmp(engine->name, "cuda") != 0) {
        report_skip(r, "tuning", "the tuner belongs to the cuda engine; use --engine cuda");
        return 0;
    }
    memset(got, 0, sizeof got);
    if (run_orders(got, v, e))
        return -1;
    for (int room = 0; room < ROOMS; room++) {
        const struct got *alone = &got[room][room], *after = &got[1 - room][room];
        const bool same = !strcmp(alone->kernel, after->kernel) && alone->time_block == after->time_block;
        report_bound(r, "tuning", same ? 0.0 : 1.0, 0.0,
                     "%zu branches per wall: %s, temporal blocks of %d steps, chosen in a fresh process and after the "
                     "other room: 0 if the same",
                     branch_counts[room], alone->kernel, alone->time_block > 1 ? alone->time_block : 1);
        report_bound(r, "tuning", alone->speed / after->speed, 1.15,
                     "    speed in a fresh process relative to after the other room, %.0f Gpoint/s",
                     1e-9 * alone->speed);
        report_bound(r, "tuning", alone->as_required && after->as_required ? 0.0 : 1.0, 0.0,
                     "    the plan matches the kernel that ran: 0 if so");
    }
    return 0;
}
