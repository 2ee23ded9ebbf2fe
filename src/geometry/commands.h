/* SPDX-License-Identifier: MIT */
/* Checks of rooms from meshes. Named by the table of schemes alone (cmd/schemes.c). */
#ifndef AULA_GEOMETRY_COMMANDS_H
#define AULA_GEOMETRY_COMMANDS_H

struct check;

extern const struct check *const geometry_checks[]; /* NULL-terminated */

#endif
