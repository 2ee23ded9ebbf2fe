/* SPDX-License-Identifier: MIT */
/* Random boxes whose absorption is hidden from the calibration: twins of themselves. */
#ifndef AULA_VALIDATE_CALIBRATE_TWIN_ROOM_H
#define AULA_VALIDATE_CALIBRATE_TWIN_ROOM_H

#include "base/random.h"
#include "render/calibrate/rays.h"
#include "validate/hybrid/late_rig.h"

enum { TWIN_MATERIALS = 5, TWIN_OCTAVES = 6, TWIN_RECEIVERS = 4, TWIN_FITTED = 3 };

/* A box: material 0 on walls and floor, 1 to 4 on quarters of the ceiling. */
struct twin_room {
    double size[3];
    double hidden[TWIN_OCTAVES][CALIBRATE_MATERIALS]; /* ln a */
    double area[TWIN_MATERIALS], volume;
    double position[TWIN_RECEIVERS + 1][3]; /* the source, then the receivers */
    struct calibrate_task task;             /* T20 at the first three receivers, not yet measured */
};

/* Octaves from 125 Hz to 4 kHz. A prior is drawn for each material; the hidden absorption is drawn from it, up to
 * CALIBRATE_LARGEST. */
void twin_room_draw(struct twin_room *t, struct random *r);

/* Sets the data: value [octave][receiver], s, with noise of 3 % at the fitted receivers. */
void twin_room_measure(struct twin_room *t, double time[TWIN_OCTAVES][TWIN_RECEIVERS], struct random *r);

/* A Gaussian number of deviation 1. */
double twin_normal(struct random *r);

/* Forward models (calibrate_forward); context: a struct twin_room, or a struct twin_rays. */

/* Eyring's formula; T is the same at all receivers. */
int twin_diffuse(void *context, struct calibrate_prediction *predictions, const double (*at)[CALIBRATE_MATERIALS],
                 struct error *e);

struct twin_rays {
    const struct twin_room *room;
    size_t rays;
    uint64_t seed;
};
int twin_rays(void *context, struct calibrate_prediction *predictions, const double (*at)[CALIBRATE_MATERIALS],
              struct error *e);

#endif
