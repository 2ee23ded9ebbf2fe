/* SPDX-License-Identifier: MIT */
/* Checks of instruments. Named by the table of schemes alone (app/schemes.c). */
#ifndef AULA_VALIDATE_BODIES_COMMANDS_H
#define AULA_VALIDATE_BODIES_COMMANDS_H

struct check;

extern const struct check *const synth_checks[]; /* NULL-terminated */

#endif
