/* Weighs the parts of a plate's energy so that its lowest modes come out right. */
#ifndef AULA_SYNTH_PLATE_TUNE_H
#define AULA_SYNTH_PLATE_TUNE_H

#include "synth/plate_energy.h"
#include "synth/plate_modes.h"

/* As many of the lowest modes, both of a pair counted, are to be right. */
enum { MODES_TUNED = 10 };

struct plate_tuning {
    double weight[PLATE_PARTS]; /* of the parts, which are never less than none of an energy */
    double pitch;               /* Hz: the lowest mode, which is exact, time step included */
    double worst;               /* of the first MODES_TUNED, relative */
};

/* Gauss and Newton's steps on PART_DISPERSION and PART_EDGE, PART_BENDING being such that the lowest mode is exact. The
 * parts have the mass taken into account: those of a node and another over the root of both masses. Nonzero with *e filled:
 * out of memory, or stopped on request. */
int plate_tune(struct plate_tuning *t, const struct plate_nodes *p, const struct plate_modes *exact, struct error *e);

#endif
