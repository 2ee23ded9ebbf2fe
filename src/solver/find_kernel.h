/* The kernel of an engine's table that a choice means: the one rule for every engine and scheme. */
#ifndef AULA_SOLVER_FIND_KERNEL_H
#define AULA_SOLVER_FIND_KERNEL_H

#include <stddef.h>

#include "base/error.h"

/* Name of kernel `index` of a table, NULL beyond the last; *reason is NULL when the kernel applies, else why not. */
typedef const char *kernel_at(const void *context, size_t index, const char **reason);

/* What messages say of the table: `scheme` is NULL where the engine's name is enough. */
struct kernel_table {
    const char *engine, *scheme;
    kernel_at *at;
    const void *context;
};

/* Index of the kernel named `wanted`, or, when that is NULL, of the first that applies. -1 with *e filled: ERROR_ENGINE
 * when the kernel that was named does not apply, ERROR_USAGE when there is none of that name. */
int find_kernel(size_t *index, const struct kernel_table *table, const char *wanted, struct error *e);

#endif
