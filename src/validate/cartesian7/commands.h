/* SPDX-License-Identifier: MIT */
/* Checks and benchmarks of this scheme. Named by the table of schemes alone (app/schemes.c). */
#ifndef AULA_VALIDATE_CARTESIAN7_COMMANDS_H
#define AULA_VALIDATE_CARTESIAN7_COMMANDS_H

struct check;
struct benchmark;

/* NULL-terminated */
extern const struct check *const cartesian7_checks[], *const walls_checks[], *const air_checks[];
extern const struct benchmark benchmark_webb, benchmark_room;

#endif
