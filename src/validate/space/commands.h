/* SPDX-License-Identifier: MIT */
/* Checks of receivers and sources with a direction. Named by the table of schemes alone (app/schemes.c). */
#ifndef AULA_VALIDATE_SPACE_COMMANDS_H
#define AULA_VALIDATE_SPACE_COMMANDS_H

struct check;

extern const struct check *const space_checks[]; /* NULL-terminated */

#endif
