/* What the checks of reflection at a wall share. */
#ifndef AULA_VALIDATE_WALL_PROBE_H
#define AULA_VALIDATE_WALL_PROBE_H

#include <complex.h>

#include "model/walls.h"
#include "scene/scene.h"

/* The rate at which materials are fitted, Hz. */
#define WALL_PROBE_RATE 48000.0

/* A material of rooms/materials.cfg, fitted in the octaves of the valid band. */
int wall_probe_material(struct wall_model *wall, const char *name, struct error *e);

/* A real admittance. */
struct wall_model wall_probe_real(double admittance);

/* The far end in x of a duct becomes this wall. */
void wall_probe_end(struct scene *s, const struct wall_model *wall);

/* Specific admittance at a frequency (of the rate) in the continuum, and as the time scheme sees it. */
double complex wall_probe_continuum(const struct wall_model *wall, double frequency);
double complex wall_probe_discrete(const struct wall_model *wall, double frequency);

/* Reflection factor on the grid, kappa the normal wavenumber. */
double complex wall_probe_reflection(double courant_squared, const struct wall_model *wall, double frequency,
                                     double kappa);

#endif
