/* SPDX-License-Identifier: MIT */
/* The checks of image sources and rays. */
#ifndef AULA_VALIDATE_HYBRID_CHECKS_H
#define AULA_VALIDATE_HYBRID_CHECKS_H

#include "validate/validate.h"

int check_band_oracle(struct validation *v, struct report *r, struct error *e);
int check_band_free_field(struct validation *v, struct report *r, struct error *e);
int check_band_crossover(struct validation *v, struct report *r, struct error *e);
int check_band_box(struct validation *v, struct report *r, struct error *e);
int check_band_factor(struct validation *v, struct report *r, struct error *e);
int check_band_trend(struct validation *v, struct report *r, struct error *e);
int check_band_rays(struct validation *v, struct report *r, struct error *e);
int check_band_decays(struct validation *v, struct report *r, struct error *e);
int check_band_coupled(struct validation *v, struct report *r, struct error *e);
int check_band_convergence(struct validation *v, struct report *r, struct error *e);
int check_band_octaves(struct validation *v, struct report *r, struct error *e);
int check_band_ears(struct validation *v, struct report *r, struct error *e);
int check_band_near_walls(struct validation *v, struct report *r, struct error *e);
int check_band_rooms(struct validation *v, struct report *r, struct error *e);
int check_band_halls(struct validation *v, struct report *r, struct error *e);
int check_band_device(struct validation *v, struct report *r, struct error *e);
int check_band_leaks(struct validation *v, struct report *r, struct error *e);

/* Checks and benchmark of image sources and rays, used only by the table of schemes
 * (app/schemes.c). */

struct benchmark;
struct check;

extern const struct check *const hybrid_checks[]; /* NULL-terminated */
extern const struct benchmark benchmark_rays;

#endif
