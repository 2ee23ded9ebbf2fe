/* A directive source and an omni receiver against an omni source and a directive receiver in their places, order by order,
 * before the integrators: the same record. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/worst.h"
#include "space/checks/checks.h"
#include "space/checks/rig.h"

enum { STEPS = 800, CASES = 2 };

static const double size[3] = {1.7, 1.9, 1.8};

/* Runs one drive of the source and records one tap. */
static int run(struct validation *v, struct space_box *b, size_t drive_index, size_t tap_index, double *taps,
               struct error *e)
{
    struct leapfrog_problem leapfrog;
    struct problem problem = {0};
    struct solver *solver = NULL;
    double *drive = calloc(STEPS, sizeof *drive);
    if (!drive)
        return fail(e, ERROR_MEMORY, "out of memory");
    drive[0] = 1.0;
    drive[1] = -1.0; /* zero mean */
    const struct block block = {drive, STEPS, taps, STEPS};
    int status = space_box_make(b, e) || model_problem(&problem, &leapfrog, b->model, 0, 1, e);
    if (!status) {
        struct problem one = problem;
        one.drives += drive_index;
        one.taps += tap_index;
        one.drive_count = one.tap_count = 1;
        status = solver_open(&solver, &one, &v->choice, e) || solver_run(solver, STEPS, &block, e);
        solver_close(solver);
    }
    model_problem_free(&problem);
    space_box_free(b);
    free(drive);
    return status;
}

static int compare(struct validation *v, struct report *r, int scheme, size_t order, struct error *e)
{
    struct space_box b;
    double *there = calloc(2 * STEPS, sizeof *there), *back = there + STEPS, directed[3], omni[3], orientation[3];
    int status = there ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (int axis = 0; axis < 3; axis++) {
        directed[axis] = size[axis] * (0.35 + 0.3 * random_unit(&v->random));
        omni[axis] = size[axis] * (0.1 + 0.8 * random_unit(&v->random));
        orientation[axis] = 360.0 * random_unit(&v->random) - 180.0;
    }
    for (int turn = 0; turn < 2 && !status; turn++) {
        space_box_init(&b, size, 3.0);
        b.room.receiver_count = 1;
        b.room.grid.scheme = scheme ? GRID_SCHEME_19_POINT : GRID_SCHEME_7_POINT;
        b.room.grid.rate = 8000.0;
        b.room.output.filter = FILTER_NONE; /* the 19-point scheme without its map: at its own frequencies */
        b.receivers[0].name = "R";
        memcpy(b.source.position, turn ? omni : directed, sizeof omni);
        memcpy(b.receivers[0].position, turn ? directed : omni, sizeof omni);
        if (turn) {
            b.receivers[0].kind = RECEIVER_CARDIOID;
            memcpy(b.receivers[0].orientation, orientation, sizeof orientation);
        } else {
            b.source.directivity = DIRECTIVITY_CARDIOID;
            memcpy(b.source.orientation, orientation, sizeof orientation);
        }
        status = run(v, &b, turn ? 0 : order, turn ? order : 0, turn ? back : there, e);
    }
    double peak = 0.0, worst = 0.0;
    for (size_t n = 0; n < STEPS && !status; n++) {
        /* a cardioid's drives have its factors of one half */
        const double difference = fabs(2.0 * there[n] - back[n]);
        peak = fmax(peak, fabs(back[n]));
        worst = worst_of(worst, difference);
    }
    if (!status)
        report_bound(r, "reciprocity", worst / peak, 1e-11, "%s, order %zu: source against receiver, over peak",
                     scheme ? "19-point" : "7-point", order);
    free(there);
    return status;
}

int check_space_reciprocity(struct validation *v, struct report *r, struct error *e)
{
    for (int scheme = 0; scheme < SPACE_SCHEMES; scheme++)
        for (size_t order = 0; order < 2; order++)
            for (int i = 0; i < CASES; i++)
                if (compare(v, r, scheme, order, e))
                    return -1;
    return 0;
}
