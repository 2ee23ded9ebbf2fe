/* SPDX-License-Identifier: MIT */
/* Checks and benchmarks of this scheme. Named by the table of schemes alone (app/schemes.c). */
#ifndef AULA_VALIDATE_ISOTROPIC19_COMMANDS_H
#define AULA_VALIDATE_ISOTROPIC19_COMMANDS_H

struct check;
struct benchmark;

extern const struct check *const isotropic19_checks[]; /* NULL-terminated */
extern const struct benchmark benchmark_isotropic19;

#endif
