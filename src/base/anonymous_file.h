/* SPDX-License-Identifier: MIT */
/* Unnamed temporary files for sound on standard input or output: sound files are read and written with seeks, which a
 * pipe does not allow. */
#ifndef AULA_BASE_ANONYMOUS_FILE_H
#define AULA_BASE_ANONYMOUS_FILE_H

#include "base/error.h"

/* An empty file in $TMPDIR or /tmp, open for reading and writing, deleted when closed; -1 with *e. */
int anonymous_file(struct error *e);

/* A copy of all of standard input, positioned at its start. -1 with *e. */
int anonymous_file_of_input(struct error *e);

/* A copy of all that comes from a descriptor, which `said` names in messages; it ends when a stop is requested, and
 * where it is longer than memory. */
int anonymous_file_copy(int from, const char *said, struct error *e);

/* Copies the whole file to standard output. */
int anonymous_file_print(int file, struct error *e);

#endif
