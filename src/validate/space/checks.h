/* SPDX-License-Identifier: MIT */
/* The checks of directional receivers and sources: their stencils on both schemes, and rooms
 * from source to file. */
#ifndef AULA_VALIDATE_SPACE_CHECKS_H
#define AULA_VALIDATE_SPACE_CHECKS_H

#include "validate/validate.h"

int check_space_plane_waves(struct validation *v, struct report *r, struct error *e);
int check_space_patterns(struct validation *v, struct report *r, struct error *e);
int check_space_near_source(struct validation *v, struct report *r, struct error *e);
int check_space_modes(struct validation *v, struct report *r, struct error *e);
int check_space_reciprocity(struct validation *v, struct report *r, struct error *e);
int check_space_sources(struct validation *v, struct report *r, struct error *e);
int check_space_directivity(struct validation *v, struct report *r, struct error *e);
int check_space_rounding(struct validation *v, struct report *r, struct error *e);
int check_space_reflection(struct validation *v, struct report *r, struct error *e);
int check_space_files(struct validation *v, struct report *r, struct error *e);
int check_space_ears(struct validation *v, struct report *r, struct error *e);

/* Checks of directional receivers and sources, used only by the table of schemes
 * (app/schemes.c). */

struct check;

extern const struct check *const space_checks[]; /* NULL-terminated */

#endif
