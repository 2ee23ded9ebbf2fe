/* SPDX-License-Identifier: MIT */
/* Finds the kernel of a choice in an engine's table: one rule for all engines and schemes. */
#ifndef AULA_SOLVER_FIND_KERNEL_H
#define AULA_SOLVER_FIND_KERNEL_H

#include <stddef.h>

#include "base/error.h"

/* Name of kernel number `index` of a table, NULL beyond the last; *reason is NULL when it applies, else why not. */
typedef const char *kernel_at(const void *context, size_t index, const char **reason);

/* Text for messages: `scheme` is NULL where the engine's name suffices. */
struct kernel_table {
    const char *engine, *scheme;
    kernel_at *at;
    const void *context;
};

/* Index of the kernel named `wanted`, or, when that is NULL, of the first that applies. -1 with *e filled:
 * ERROR_ENGINE when the named kernel does not apply, ERROR_USAGE when no kernel has that name. */
int find_kernel(size_t *index, const struct kernel_table *table, const char *wanted, struct error *e);

#endif
