/* SPDX-License-Identifier: MIT */
/* The checks of calibration. */
#ifndef AULA_VALIDATE_CALIBRATE_CHECKS_H
#define AULA_VALIDATE_CALIBRATE_CHECKS_H

#include "validate/validate.h"

int check_calibrate_diffuse(struct validation *v, struct report *r, struct error *e);
int check_calibrate_rays(struct validation *v, struct report *r, struct error *e);
int check_calibrate_slopes(struct validation *v, struct report *r, struct error *e);

extern const struct check *const calibrate_checks[]; /* NULL-terminated */

#endif
