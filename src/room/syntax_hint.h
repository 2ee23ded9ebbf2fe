/* SPDX-License-Identifier: MIT */
/* What is wrong with a line that libconfig cannot parse, where its form tells. */
#ifndef AULA_ROOM_SYNTAX_HINT_H
#define AULA_ROOM_SYNTAX_HINT_H

/* A remedy for the line of this number in the text, "" where none is known: units, decimal commas, missing quotes and
 * equals signs. Returns hint. */
enum { SYNTAX_HINT = 256 };
const char *syntax_hint(char hint[SYNTAX_HINT], const char *text, int line);

#endif
