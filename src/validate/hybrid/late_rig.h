/* SPDX-License-Identifier: MIT */
/* Rooms of triangles with real admittances, for checks of ray tracing. */
#ifndef AULA_VALIDATE_HYBRID_LATE_RIG_H
#define AULA_VALIDATE_HYBRID_LATE_RIG_H

#include "render/hybrid/late_rays.h"
#include "render/hybrid/late_walls.h"
#include "validate/scene/meshes.h"

#define LATE_RIG_SOUND_SPEED 343.2 /* m/s */

/* A wall of the rig: real specific admittance and scattering coefficient, constant over
 * frequency. */
struct late_rig_wall {
    double admittance, scattering;
};

struct late_rig {
    struct ray_scene scene;
    struct ray_tree tree;
    struct late_wall *walls;
    struct late_bands bands;
    struct late_room room; /* points to the members above */
};

/* Octaves from 500 Hz to 2 kHz. Must be zeroed first; free with late_rig_free, also after an
 * error. ERROR_MEMORY. */
int late_rig_make(struct late_rig *rig, const struct surface *surface, const struct late_rig_wall *walls, size_t count,
                  struct error *e);
void late_rig_free(struct late_rig *rig);

/* A box from (0, 0, 0) with these six walls, in the order of enum face. */
int late_rig_box(struct late_rig *rig, const double size[3], const struct late_rig_wall walls[6], struct error *e);

/* Mean, and variance over squared mean, of the free paths from a position of rays that every
 * face scatters by Lambert's law. */
void late_rig_paths(double *mean, double *variance, const struct late_rig *rig, const double from[3], size_t count,
                    struct random *r);

/* A direction by Lambert's law around a normal, and a uniformly distributed direction. */
void late_rig_lambert(double direction[3], const double normal[3], struct random *r);
void late_rig_direction(double direction[3], struct random *r);

/* Means over receivers for a band: reverberation time in s, over a range in dB from -5 dB, and
 * clarity C80 in dB. */
double late_rig_reverberation(const struct late_histogram *h, size_t band, double range);
double late_rig_clarity(const struct late_histogram *h, size_t receiver, size_t band, double arrival);

/* Random-incidence absorption of a rig's wall with one scattering reflection: mean of 1 - |R|²
 * over Lambert's law. */
double late_rig_absorption(const struct late_rig_wall *wall);

/* Reverberation time in s of a sphere that scatters all energy by Lambert's law. From its
 * centre, every path after the first is 2 R cos θ with the same θ at both ends. The whole
 * surface is equally bright, and reflection k contributes |R(1)|² (1 - α)^(k-1)/(4π² R²)
 * everywhere. Energies as a function of time decay at the rate s, the root of ∫ 2μ |R(μ)|² e^{s
 * 2Rμ/c} dμ = 1. */
double late_rig_sphere_time(double admittance, double radius);

#endif
