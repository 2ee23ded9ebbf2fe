/* SPDX-License-Identifier: MIT */
/* Sound through partitions at oblique incidence, for both stencils. */
#ifndef AULA_VALIDATE_CARTESIAN7_WALL_PARTITION_H
#define AULA_VALIDATE_CARTESIAN7_WALL_PARTITION_H

#include "base/acoustics/conventions.h"
#include "validate/validate.h"

int partition_check(struct validation *v, struct report *r, enum air_stencil stencil, struct error *e);

#endif
