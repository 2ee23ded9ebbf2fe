/* SPDX-License-Identifier: MIT */
/* Checks of instruments. Named by the table of schemes alone (cmd/schemes.c). */
#ifndef AULA_SCHEME_BODIES_COMMANDS_H
#define AULA_SCHEME_BODIES_COMMANDS_H

struct check;

extern const struct check *const synth_checks[]; /* NULL-terminated */

#endif
