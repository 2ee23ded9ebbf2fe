/* SPDX-License-Identifier: MIT */
/* Selects a kernel from an engine's table: one rule for all engines and schemes. */
#ifndef AULA_SOLVER_FIND_KERNEL_H
#define AULA_SOLVER_FIND_KERNEL_H

#include <stddef.h>

#include "base/error.h"

/* Name of kernel `index` of a table, NULL beyond the last. *reason is NULL if the kernel
 * applies, else the reason why it does not. */
typedef const char *kernel_at(const void *context, size_t index, const char **reason);

/* A kernel table with names for messages; `scheme` is NULL if the engine's name suffices. */
struct kernel_table {
    const char *engine, *scheme;
    kernel_at *at;
    const void *context;
};

/* Returns the index of the kernel named `wanted`, or of the first that applies if `wanted` is
 * NULL. On failure returns -1 with *e filled: ERROR_ENGINE if the named kernel does not apply,
 * ERROR_USAGE if no kernel has that name. */
int find_kernel(size_t *index, const struct kernel_table *table, const char *wanted, struct error *e);

#endif
