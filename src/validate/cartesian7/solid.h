/* SPDX-License-Identifier: MIT */
/* Rooms that fill a small part of a large box, of which an engine stores and steps only that
 * part: compares the field of every mode of stepping with single steps of the cpu engine, and
 * the memory used on a GPU with the prediction. */
#ifndef AULA_VALIDATE_CARTESIAN7_SOLID_H
#define AULA_VALIDATE_CARTESIAN7_SOLID_H

#include "base/acoustics/conventions.h"
#include "validate/validate.h"

int solid_check(struct validation *v, struct report *r, enum air_stencil stencil, struct error *e);

#endif
