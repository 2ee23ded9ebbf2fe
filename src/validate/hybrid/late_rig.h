/* SPDX-License-Identifier: MIT */
/* Rooms of triangles with real admittances, for checks of late rays. */
#ifndef AULA_VALIDATE_HYBRID_LATE_RIG_H
#define AULA_VALIDATE_HYBRID_LATE_RIG_H

#include "render/hybrid/late_rays.h"
#include "validate/scene/meshes.h"

#define LATE_RIG_SOUND_SPEED 343.2 /* m/s */

/* A wall of the rig: real specific admittance and scattering, the same at all frequencies. */
struct late_rig_wall {
    double admittance, scattering;
};

struct late_rig {
    struct ray_scene scene;
    struct ray_tree tree;
    struct late_wall *walls;
    struct late_bands bands;
    struct late_room room; /* reads the others */
};

/* Octaves from 500 Hz to 2 kHz. Zero it first; ends with late_rig_free, also after an error. ERROR_MEMORY. */
int late_rig_make(struct late_rig *rig, const struct surface *surface, const struct late_rig_wall *walls, size_t count,
                  struct error *e);
void late_rig_free(struct late_rig *rig);

/* A box from (0, 0, 0) whose six walls, in the order of enum face, are these. */
int late_rig_box(struct late_rig *rig, const double size[3], const struct late_rig_wall walls[6], struct error *e);

/* Mean and variance over squared mean of the free paths of rays that every face scatters by Lambert's law, from a
 * place. */
void late_rig_paths(double *mean, double *variance, const struct late_rig *rig, const double from[3], size_t count,
                    struct random *r);

/* A direction of Lambert's law around a normal, and one alike in all directions. */
void late_rig_lambert(double direction[3], const double normal[3], struct random *r);
void late_rig_direction(double direction[3], struct random *r);

/* Means over receivers: reverberation time, s, over a range of dB from -5 dB, and clarity C80, dB, of a band. */
double late_rig_reverberation(const struct late_histogram *h, size_t band, double range);
double late_rig_clarity(const struct late_histogram *h, size_t receiver, size_t band, double arrival);

/* Random-incidence absorption of a rig's wall with one scattering hit, mean of 1 - |R|² over Lambert's law. */
double late_rig_absorption(const struct late_rig_wall *wall);

/* Reverberation time, s, of a sphere that scatters all by Lambert's law. From its middle every way after the first is
 * 2 R cos θ at both ends; all of the surface is equally bright, and reflection k gives |R(1)|² (1 - α)^(k-1)/(4π² R²)
 * everywhere. Energies at their instants decay by the rate s, the root of ∫ 2μ |R(μ)|² e^{s 2Rμ/c} dμ = 1. */
double late_rig_sphere_time(double admittance, double radius);

#endif
