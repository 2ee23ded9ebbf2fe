/* SPDX-License-Identifier: MIT */
/* Lists of lines, such as notes and warnings. */
#ifndef AULA_BASE_LINES_H
#define AULA_BASE_LINES_H

#include <stddef.h>

#include "base/error.h"

/* Appends a line to the *count lines of *lines. */
int lines_add(char ***lines, size_t *count, struct error *e, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void lines_free(char **lines, size_t count);

#endif
