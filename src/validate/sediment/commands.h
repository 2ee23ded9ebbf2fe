/* SPDX-License-Identifier: MIT */
/* Checks, benchmark and scenario of this scheme; included by the table of schemes only (app/schemes.c). */
#ifndef AULA_VALIDATE_SEDIMENT_COMMANDS_H
#define AULA_VALIDATE_SEDIMENT_COMMANDS_H

struct check;
struct benchmark;
struct scenario;

extern const struct check *const sediment_checks[]; /* NULL-terminated */
extern const struct benchmark benchmark_sediment;
extern const struct scenario sediment_scenario;

#endif
