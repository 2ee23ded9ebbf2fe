/* SPDX-License-Identifier: MIT */
/* Checks and benchmark of grids that are cut. Named by the table of schemes alone (cmd/schemes.c). */
#ifndef AULA_PARTS_COMMANDS_H
#define AULA_PARTS_COMMANDS_H

struct benchmark;
struct check;

extern const struct check *const parts_checks[]; /* NULL-terminated */
extern const struct benchmark benchmark_parts;

#endif
