/* SPDX-License-Identifier: MIT */
/* Shared code of the checks of reflection at a wall. */
#ifndef AULA_VALIDATE_CARTESIAN7_WALL_PROBE_H
#define AULA_VALIDATE_CARTESIAN7_WALL_PROBE_H

#include <complex.h>

#include "room/grid/walls.h"
#include "validate/scene/scene.h"

/* The rate at which materials are fitted, Hz. */
#define WALL_PROBE_RATE 48000.0

/* A material of rooms/materials.cfg, fitted in the octaves of the valid band. */
int wall_probe_material(struct wall_model *wall, const char *name, struct error *e);

/* The same, for another grid. */
int wall_probe_material_on(struct wall_model *wall, const char *name, const struct wall_discretization *clock,
                           struct error *e);

/* A real admittance. */
struct wall_model wall_probe_real(double admittance);

/* Puts this wall at the far end of a duct along x. */
void wall_probe_end(struct scene *s, const struct wall_model *wall);

/* Specific admittance at a frequency (relative to the rate): continuous, and in the time scheme. */
double complex wall_probe_continuum(const struct wall_model *wall, double frequency);
double complex wall_probe_discrete(const struct wall_model *wall, double frequency);

/* Reflection factor on the grid; kappa is the normal wavenumber. */
double complex wall_probe_reflection(double courant_squared, const struct wall_model *wall, double frequency,
                                     double kappa);

#endif
