/* SPDX-License-Identifier: MIT */
/* The modes of a room as a table, CSV and JSON. */
#ifndef AULA_APP_MODES_TEXT_H
#define AULA_APP_MODES_TEXT_H

#include "render/modes/room_modes.h"

void modes_print(const struct room_modes *r); /* on stdout */
int modes_print_json(const struct room_modes *r, struct error *e);

/* A row for each mode, with a column for each source and receiver; fresh memory, NULL: out of memory. */
char *modes_csv(const struct room_modes *r);

#endif
