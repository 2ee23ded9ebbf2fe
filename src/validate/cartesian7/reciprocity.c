/* SPDX-License-Identifier: MIT */
/* Exchanging source and receiver must not change the response, also next to absorbing walls and
 * between grid points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "validate/cartesian7/checks.h"
#include "validate/model_taps.h"

enum { STEPS = 2000, CASES = 4 };

/* Uses a room and its model, to include the placement and the wall's bracket in the check. */
static int respond(struct validation *v, const double source[3], const double receiver[3], double *taps,
                   struct error *e)
{
    struct material materials[] = {{.name = "a", .kind = MATERIAL_IMPEDANCE, .impedance = 3.0},
                                   {.name = "b", .kind = MATERIAL_IMPEDANCE, .impedance = 1.2},
                                   {.name = "rigid", .kind = MATERIAL_RIGID}};
    struct object objects[] = {{.shape = SHAPE_BOX, .from = {1.1, 0.9, 0.0}, .to = {1.6, 1.4, 0.8}, .material = 1}};
    struct source sources[] = {{.name = "S", .gain = 1.0, .position = {source[0], source[1], source[2]}}};
    struct receiver receivers[] = {{.name = "R", .position = {receiver[0], receiver[1], receiver[2]}}};
    struct room room = {.path = "reciprocity",
                        .size = {2.3, 1.9, 1.7},
                        .walls = {0, 1, 2, 0, 1, 0},
                        .objects = objects,
                        .object_count = 1,
                        .materials = materials,
                        .material_count = 3,
                        .duration = 1.0,
                        .sources = sources,
                        .source_count = 1,
                        .receivers = receivers,
                        .receiver_count = 1};
    room.air.temperature = 20.0;
    room.grid.rate = 8000.0;
    room.grid.precision = PRECISION_DOUBLE;
    room.output.dispersion = 0.02;
    static const double signal[STEPS] = {1.0, -1.0}; /* zero mean */
    struct model *model = NULL;
    const int status =
        model_make(&model, &room, e) || model_taps_record(taps, v, model, 0, signal, STEPS, 0, 1, e) ? -1 : 0;
    model_free(model);
    return status;
}

static void random_place(double place[3], struct random *r, bool at_wall)
{
    static const double size[3] = {2.3, 1.9, 1.7};
    for (;;) {
        for (int axis = 0; axis < 3; axis++)
            place[axis] = size[axis] * (0.05 + 0.9 * random_unit(r));
        if (at_wall)
            place[random_between(r, 0, 2)] = 0.01;
        /* at least a cell outside the block */
        if (!(place[0] > 1.0 && place[0] < 1.7 && place[1] > 0.8 && place[1] < 1.5 && place[2] < 0.9))
            return;
    }
}

int check_reciprocity(struct validation *v, struct report *r, struct error *e)
{
    double *there = calloc(2 * STEPS, sizeof *there), *back = there + STEPS;
    int status = there ? 0 : fail(e, ERROR_MEMORY, "out of memory");
    for (int i = 0; i < CASES && !status; i++) {
        double a[3], b[3];
        bool at_wall = i > 0;
        random_place(a, &v->random, at_wall);
        random_place(b, &v->random, at_wall);
        status = respond(v, a, b, there, e) || respond(v, b, a, back, e);
        if (!status)
            report_bound(r, "reciprocity", model_taps_difference(there, back, STEPS), 1e-11,
                         "(%.2f %.2f %.2f) <-> (%.2f %.2f %.2f) m%s: difference relative to peak", a[0], a[1], a[2],
                         b[0], b[1], b[2], at_wall ? ", both at absorbing walls" : ", between grid points");
    }
    free(there);
    return status;
}
