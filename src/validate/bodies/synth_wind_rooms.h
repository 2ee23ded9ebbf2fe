/* SPDX-License-Identifier: MIT */
/* Wind instruments in the air of a room. */
#ifndef AULA_VALIDATE_BODIES_SYNTH_WIND_ROOMS_H
#define AULA_VALIDATE_BODIES_SYNTH_WIND_ROOMS_H

#include "validate/validate.h"

/* A part of the check `winds`. */
int check_wind_rooms(struct validation *v, struct report *r, struct error *e);

#endif
