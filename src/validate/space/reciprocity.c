/* SPDX-License-Identifier: MIT */
/* A directional source and an omnidirectional receiver must give the same record as an
 * omnidirectional source and a directional receiver in exchanged positions, order by order,
 * before the integrators. */
#include <stdlib.h>
#include <string.h>

#include "validate/model_taps.h"
#include "validate/space/checks.h"
#include "validate/space/rig.h"

enum { STEPS = 800, ORDER = 3 };

static char name[] = "all harmonics";
static const double size[3] = {1.7, 1.9, 1.8};

/* Compares a harmonic of a source with that of an ambisonic receiver in its position. */
static int compare(struct validation *v, struct report *r, int scheme, int order, struct error *e)
{
    static const double signal[STEPS] = {1.0, -1.0}; /* zero mean */
    static double frequency[1] = {1000.0}, residual[1], coefficient[16][2];
    struct space_box b;
    const size_t harmonic = (size_t)(order * order) + (size_t)(random_unit(&v->random) * (2.0 * order + 1.0));
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
        b.room.output.filter = FILTER_NONE; /* the 19-point scheme without its map: at the frequencies of the grid */
        b.receivers[0].name = "R";
        memcpy(b.source.position, turn ? omni : directed, sizeof omni);
        memcpy(b.receivers[0].position, turn ? directed : omni, sizeof omni);
        if (turn) {
            b.receivers[0].kind = RECEIVER_AMBISONIC;
            b.receivers[0].order = ORDER;
            memcpy(b.receivers[0].orientation, orientation, sizeof orientation);
        } else {
            struct radiation *all = &b.source.radiation; /* all harmonics, as for a file */
            *all = (struct radiation){.order = ORDER,
                                      .distance = 1.0,
                                      .count = 1,
                                      .frequency = frequency,
                                      .residual = residual,
                                      .coefficient = coefficient,
                                      .used = 16,
                                      .coarse = 1};
            for (size_t c = 0; c < 16; c++)
                all->harmonic[c] = c;
            b.source.directivity = DIRECTIVITY_FILE;
            b.source.pattern = name;
            memcpy(b.source.orientation, orientation, sizeof orientation);
        }
        status = space_box_make(&b, e) || model_taps_record(turn ? back : there, v, b.model, turn ? 0 : harmonic,
                                                            signal, STEPS, turn ? harmonic : 0, 1, e);
        space_box_free(&b);
    }
    if (!status)
        report_bound(r, "reciprocity", model_taps_difference(there, back, STEPS), 1e-11,
                     "%s, order %d: source and receiver exchanged, difference relative to peak",
                     scheme ? "19-point" : "7-point", order);
    free(there);
    return status;
}

int check_space_reciprocity(struct validation *v, struct report *r, struct error *e)
{
    for (int scheme = 0; scheme < SPACE_SCHEMES; scheme++)
        for (int order = 0; order <= ORDER; order++)
            if (compare(v, r, scheme, order, e))
                return -1;
    return 0;
}
