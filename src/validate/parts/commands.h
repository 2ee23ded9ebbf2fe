/* SPDX-License-Identifier: MIT */
/* Checks and benchmark of grids in parts, used only by the table of schemes (app/schemes.c). */
#ifndef AULA_VALIDATE_PARTS_COMMANDS_H
#define AULA_VALIDATE_PARTS_COMMANDS_H

struct benchmark;
struct check;

extern const struct check *const parts_checks[]; /* NULL-terminated */
extern const struct benchmark benchmark_parts;

#endif
