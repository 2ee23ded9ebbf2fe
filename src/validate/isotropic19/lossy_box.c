/* SPDX-License-Identifier: MIT */
#include "validate/isotropic19/lossy_box.h"

#include <math.h>

#include "solver/schemes/isotropic19/isotropic19.h"

int lossy_box_make(struct lossy_box *b, const size_t voxels[3], const struct material materials[3], struct error *e)
{
    const double courant = sqrt(ISOTROPIC19_COURANT_SQUARED);
    *b = (struct lossy_box){.materials = materials, .rate = LOSSY_EDGE * ISOTROPIC19_POINTS_PER_WAVELENGTH / courant};
    const struct wall_discretization clock = {.rate = b->rate, .mapped = true, .edge = LOSSY_EDGE};
    b->continuum.speed = courant * b->rate;
    if (scene_box(&b->scene, voxels[0], voxels[1], voxels[2], PRECISION_DOUBLE, e))
        return -1;
    scene_use_corners(&b->scene);
    for (int axis = 0; axis < 3; axis++) {
        const struct material *material = &materials[axis];
        const bool real = material->kind == MATERIAL_IMPEDANCE;
        struct wall_model *wall = &b->walls[axis];
        const int number = axis + 1;
        if (wall_make(wall, material, 1, &clock, "lossy box", e)) {
            scene_free(&b->scene);
            return -1;
        }
        b->continuum.length[axis] = (double)voxels[axis];
        b->continuum.walls[axis] = (struct admittance){.real = real ? 1.0 / material->impedance : 0.0,
                                                       .branches = material->branches,
                                                       .branch_count = real ? 0 : material->branch_count};
        b->continuum.layers[axis] = material->kind == MATERIAL_LAYERS ? &material->layered : NULL;
        b->scene.outside[2 * axis] = b->scene.outside[2 * axis + 1] = (uint8_t)(CELL_SOLID + number);
        b->scene.leapfrog.admittance[CELL_SOLID + number] = wall->admittance;
        scene_branches(&b->scene, number, wall->branches, wall->branch_count);
    }
    return 0;
}

struct branch lossy_resonator(double frequency, double quality, double admittance)
{
    const double omega = 2.0 * M_PI * frequency;
    return (struct branch){quality / (admittance * omega), 1.0 / admittance, quality * omega / admittance, 0};
}
