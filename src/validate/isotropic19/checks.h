/* SPDX-License-Identifier: MIT */
/* The checks of the 19-point scheme and of the frequency map. */
#ifndef AULA_VALIDATE_ISOTROPIC19_CHECKS_H
#define AULA_VALIDATE_ISOTROPIC19_CHECKS_H

#include "validate/validate.h"

int check_isotropic19_kernels(struct validation *v, struct report *r, struct error *e);
int check_isotropic19_solid(struct validation *v, struct report *r, struct error *e);
int check_isotropic19_modes(struct validation *v, struct report *r, struct error *e);
int check_isotropic19_energy(struct validation *v, struct report *r, struct error *e);
int check_isotropic19_bound(struct validation *v, struct report *r, struct error *e);
int check_isotropic19_reflection(struct validation *v, struct report *r, struct error *e);
int check_isotropic19_partition(struct validation *v, struct report *r, struct error *e);
int check_isotropic19_map(struct validation *v, struct report *r, struct error *e);
int check_isotropic19_free_field(struct validation *v, struct report *r, struct error *e);
int check_isotropic19_walls(struct validation *v, struct report *r, struct error *e);
int check_isotropic19_decay(struct validation *v, struct report *r, struct error *e);
int check_isotropic19_slanted(struct validation *v, struct report *r, struct error *e);
int check_isotropic19_rooms(struct validation *v, struct report *r, struct error *e);

/* Checks and benchmarks of this scheme, used only by the table of schemes (app/schemes.c). */

struct check;
struct benchmark;

extern const struct check *const isotropic19_checks[]; /* NULL-terminated */
extern const struct benchmark benchmark_isotropic19;

#endif
