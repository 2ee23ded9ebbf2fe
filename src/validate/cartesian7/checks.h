/* SPDX-License-Identifier: MIT */
/* The checks of rooms: the leapfrog scheme, frequency-dependent walls, air absorption. */
#ifndef AULA_VALIDATE_CARTESIAN7_CHECKS_H
#define AULA_VALIDATE_CARTESIAN7_CHECKS_H

#include "validate/validate.h"

int check_kernels(struct validation *v, struct report *r, struct error *e);
int check_solid(struct validation *v, struct report *r, struct error *e);
int check_modes(struct validation *v, struct report *r, struct error *e);
int check_energy(struct validation *v, struct report *r, struct error *e);
int check_reflection(struct validation *v, struct report *r, struct error *e);
int check_free_field(struct validation *v, struct report *r, struct error *e);
int check_reciprocity(struct validation *v, struct report *r, struct error *e);
int check_stability(struct validation *v, struct report *r, struct error *e);
int check_precision(struct validation *v, struct report *r, struct error *e);
int check_tuning(struct validation *v, struct report *r, struct error *e);

int check_wall_tube(struct validation *v, struct report *r, struct error *e);
int check_wall_layers(struct validation *v, struct report *r, struct error *e);
int check_wall_oblique(struct validation *v, struct report *r, struct error *e);
int check_wall_partition(struct validation *v, struct report *r, struct error *e);
int check_wall_energy(struct validation *v, struct report *r, struct error *e);
int check_wall_mixed(struct validation *v, struct report *r, struct error *e);
int check_wall_random(struct validation *v, struct report *r, struct error *e);
int check_wall_reverberation(struct validation *v, struct report *r, struct error *e);

int check_air_modes(struct validation *v, struct report *r, struct error *e);
int check_air_bands(struct validation *v, struct report *r, struct error *e);

/* Checks and benchmarks of this scheme, used only by the table of schemes (app/schemes.c). */

struct check;
struct benchmark;

/* NULL-terminated */
extern const struct check *const cartesian7_checks[], *const walls_checks[], *const air_checks[];
extern const struct benchmark benchmark_webb, benchmark_room;

#endif
