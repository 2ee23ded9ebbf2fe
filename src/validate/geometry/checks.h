/* SPDX-License-Identifier: MIT */
/* The checks of rooms from meshes: their voxels and areas, and the results of both schemes in
 * them. */
#ifndef AULA_VALIDATE_GEOMETRY_CHECKS_H
#define AULA_VALIDATE_GEOMETRY_CHECKS_H

#include "validate/validate.h"

int check_geometry_shapes(struct validation *v, struct report *r, struct error *e);
int check_geometry_rotations(struct validation *v, struct report *r, struct error *e);
int check_geometry_holes(struct validation *v, struct report *r, struct error *e);
int check_geometry_orders(struct validation *v, struct report *r, struct error *e);
int check_geometry_mutations(struct validation *v, struct report *r, struct error *e);
int check_geometry_modes(struct validation *v, struct report *r, struct error *e);
int check_geometry_reverberation(struct validation *v, struct report *r, struct error *e);
int check_geometry_energy(struct validation *v, struct report *r, struct error *e);
int check_geometry_kernels(struct validation *v, struct report *r, struct error *e);
int check_geometry_bits(struct validation *v, struct report *r, struct error *e);
int check_geometry_kinds(struct validation *v, struct report *r, struct error *e);
int check_geometry_speed(struct validation *v, struct report *r, struct error *e);

/* Checks of rooms from meshes, used only by the table of schemes (app/schemes.c). */

struct check;

extern const struct check *const geometry_checks[]; /* NULL-terminated */

#endif
