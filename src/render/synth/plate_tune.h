/* SPDX-License-Identifier: MIT */
/* Weights of the parts of a plate's energy for which its lowest modes are accurate. */
#ifndef AULA_RENDER_SYNTH_PLATE_TUNE_H
#define AULA_RENDER_SYNTH_PLATE_TUNE_H

#include "render/synth/plate_energy.h"
#include "render/synth/plate_modes.h"

/* Number of tuned modes; degenerate pairs count twice. */
enum { MODES_TUNED = 10 };

struct plate_tuning {
    double weight[PLATE_PARTS]; /* of the parts; the energy stays nonnegative */
    double pitch;               /* Hz: the lowest mode, exact including the time step */
    double worst;               /* largest relative error of the first MODES_TUNED modes */
};

/* Gauss-Newton steps on PART_DISPERSION and PART_EDGE, with PART_BENDING such that the lowest mode is exact. Entries of
 * the parts are divided by the root of both nodes' masses. Nonzero with *e filled: out of memory, or stopped. */
int plate_tune(struct plate_tuning *t, const struct plate_nodes *p, const struct plate_modes *exact, struct error *e);

#endif
