/* SPDX-License-Identifier: MIT */
/* Outputs of one run that would be the same file. */
#ifndef AULA_BASE_OUTPUT_CLASH_H
#define AULA_BASE_OUTPUT_CLASH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Finds two of these paths (NULL: none) that are the same by name, or lead to the same file: their indices, ascending.
 * *found: whether there are such. ERROR_MEMORY. */
int output_clash_find(bool *found, size_t pair[2], const char *const *paths, size_t count, struct error *e);

#endif
