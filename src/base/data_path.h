/* SPDX-License-Identifier: MIT */
/* Programs that this one starts where they are there. */
#ifndef AULA_BASE_DATA_PATH_H
#define AULA_BASE_DATA_PATH_H

#include <stdbool.h>

/* The program by this name in $PATH. */
bool is_installed(const char *name);

#endif
