/* SPDX-License-Identifier: MIT */
/* The checks of the modes of rooms. */
#ifndef AULA_VALIDATE_MODES_CHECKS_H
#define AULA_VALIDATE_MODES_CHECKS_H

#include "validate/validate.h"

int check_modes_boxes(struct validation *v, struct report *r, struct error *e);
int check_modes_neighbours(struct validation *v, struct report *r, struct error *e);
int check_modes_corner(struct validation *v, struct report *r, struct error *e);

/* Used only by the table of schemes (app/schemes.c). */
extern const struct check *const modes_checks[]; /* NULL-terminated */

#endif
