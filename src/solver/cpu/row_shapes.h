/* SPDX-License-Identifier: MIT */
/* Packed shapes of rows (struct row_shape of isotropic19_checks.h) for time-skewed unrolling. */
#ifndef AULA_SOLVER_CPU_ROW_SHAPES_H
#define AULA_SOLVER_CPU_ROW_SHAPES_H

#include "solver/cpu/channels.h"
#include "solver/cpu/kernels.h"

/* A packed shape for each row; 0 for rows that are not unrolled because of gaps, walls along
 * them, branches or drives. [rows.count], to be freed; NULL when out of memory. */
uint64_t *row_shapes_make(const struct rows *rows, const struct channels *channels);

struct row_shape row_shape_of(uint64_t packed);

/* End of the range of rows from row0, at most row1, that are stepped in the same way. *unrolled:
 * all of them have one shape in this plane and in the `steps` - 1 planes below; otherwise none
 * of them has. */
size_t row_shapes_end(const uint64_t *shapes, size_t ny, size_t row0, size_t row1, size_t steps, bool *unrolled);

#endif
