/* SPDX-License-Identifier: MIT */
/* Checks of grids that are cut. Named by the table of schemes alone (cmd/schemes.c). */
#ifndef AULA_PARTS_COMMANDS_H
#define AULA_PARTS_COMMANDS_H

struct check;

extern const struct check *const parts_checks[]; /* NULL-terminated */

#endif
