/* Messages of the subcommands, on stderr. */
#ifndef AULA_CMD_SAY_H
#define AULA_CMD_SAY_H

#include <stdbool.h>
#include <stddef.h>

#include "solver.h"

void say(bool quiet, const char *format, ...) __attribute__((format(printf, 2, 3)));
void say_lines(const char *prefix, char *const *lines, size_t count);

/* auto takes the best engine that can run: when that is not the first of the table, why. */
void say_engines_passed_over(bool quiet, const struct choice *choice);

/* "1 min 12 s", in a buffer of the caller. */
const char *say_duration(char text[32], double seconds);

#endif
