/* SPDX-License-Identifier: MIT */
/* A box of the 19-point grid whose walls are fitted for the frequency map, and the same box in
 * the continuum. Its rate is such that 2 kHz has 4 points per wavelength. */
#ifndef AULA_VALIDATE_ISOTROPIC19_LOSSY_BOX_H
#define AULA_VALIDATE_ISOTROPIC19_LOSSY_BOX_H

#include "room/grid/walls.h"
#include "validate/isotropic19/robin_box.h"
#include "validate/scene/scene.h"

#define LOSSY_EDGE 2000.0 /* Hz */

struct lossy_box {
    struct scene scene;
    struct robin_box continuum; /* its branches belong to `materials` */
    const struct material *materials;
    struct wall_model walls[3];
    double rate; /* Hz */
};

/* `materials`: of the walls across x, y, z, by impedance or branches; they must outlive the box.
 * Free with scene_free. */
int lossy_box_make(struct lossy_box *b, const size_t voxels[3], const struct material materials[3], struct error *e);

/* A resonator's admittance Y0/(1 + jQ(f/f0 - f0/f)) as a branch in SI units. */
struct branch lossy_resonator(double frequency, double quality, double admittance);

#endif
