/* SPDX-License-Identifier: MIT */
/* Checks and the benchmark of the geometric half. Named by the table of schemes alone (app/schemes.c). */
#ifndef AULA_VALIDATE_HYBRID_COMMANDS_H
#define AULA_VALIDATE_HYBRID_COMMANDS_H

struct benchmark;
struct check;

extern const struct check *const hybrid_checks[]; /* NULL-terminated */
extern const struct benchmark benchmark_rays;

#endif
