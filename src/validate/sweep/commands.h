/* SPDX-License-Identifier: MIT */
/* Checks and benchmark of this scheme, used only by the table of schemes (app/schemes.c). */
#ifndef AULA_VALIDATE_SWEEP_COMMANDS_H
#define AULA_VALIDATE_SWEEP_COMMANDS_H

struct check;
struct benchmark;

extern const struct check *const sweep_checks[]; /* NULL-terminated */
extern const struct benchmark benchmark_sweep;

#endif
