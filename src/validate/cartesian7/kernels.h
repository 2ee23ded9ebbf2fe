/* SPDX-License-Identifier: MIT */
/* Compares every kernel of an engine with the point-by-point reference of the cpu engine on
 * random rooms, and checks guarantees of the contract: results do not depend on the division
 * into blocks of audio, on tiles, temporal blocks or their memory, or on the number of threads.
 * Engines share one order of arithmetic: kernels of the cpu engine must agree bit for bit, those
 * of another engine within rounding, and with the 19-point stencil bit for bit as well. */
#ifndef AULA_VALIDATE_CARTESIAN7_KERNELS_H
#define AULA_VALIDATE_CARTESIAN7_KERNELS_H

#include "base/acoustics/conventions.h"
#include "validate/validate.h"

int kernels_check(struct validation *v, struct report *r, enum air_stencil stencil, struct error *e);

#endif
