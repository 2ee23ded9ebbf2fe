/* SPDX-License-Identifier: MIT */
/* Checks of rooms from meshes. Named by the table of schemes alone (app/schemes.c). */
#ifndef AULA_VALIDATE_GEOMETRY_COMMANDS_H
#define AULA_VALIDATE_GEOMETRY_COMMANDS_H

struct check;

extern const struct check *const geometry_checks[]; /* NULL-terminated */

#endif
