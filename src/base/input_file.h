/* SPDX-License-Identifier: MIT */
/* Opens files to read: nothing that waits, and nothing that never ends. */
#ifndef AULA_BASE_INPUT_FILE_H
#define AULA_BASE_INPUT_FILE_H

#include <stdio.h>

#include "base/error.h"

/* A descriptor of a regular file; -1 with ERROR_INPUT for folders, devices, pipes and what cannot be read. */
int input_file_open(const char *path, struct error *e);

/* The same, and of a pipe a copy of all that comes from it (anonymous_file_copy). */
int input_file_open_pipe(const char *path, struct error *e);

/* A stream of a regular file; NULL with *e. */
FILE *input_file_stream(const char *path, struct error *e);

#endif
