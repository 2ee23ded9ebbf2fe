/* Which rows the stairs of a kernel can take: kernel.h. */
#ifndef AULA_CPU_SHAPES_H
#define AULA_CPU_SHAPES_H

#include "cpu/channels.h"
#include "cpu/kernel.h"

/* A word for each row, equal for rows of the same shape, 0 for those that are stepped one step at a time: with gaps,
 * walls along them, branches, drives. [rows.count], to be freed; NULL when out of memory. */
uint64_t *shapes_make(const struct rows *rows, const struct channels *channels);

struct row_shape shape_of(uint64_t word);

/* The rows from row0 on, at most to row1, that can be taken together: of the same shape in this plane and `steps` - 1
 * planes below, or, with *alike false, none of which is. */
size_t shapes_end(const uint64_t *shapes, size_t ny, size_t row0, size_t row1, size_t steps, bool *alike);

#endif
