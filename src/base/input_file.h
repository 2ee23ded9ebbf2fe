/* SPDX-License-Identifier: MIT */
/* Opens files for reading and refuses pipes and devices, which might block or never end. */
#ifndef AULA_BASE_INPUT_FILE_H
#define AULA_BASE_INPUT_FILE_H

#include <stdio.h>

#include "base/error.h"

/* A descriptor of a regular file; -1 with ERROR_INPUT for folders, devices, pipes and unreadable files. */
int input_file_open(const char *path, struct error *e);

/* The same; for a pipe, a copy of all its data (anonymous_file_copy). */
int input_file_open_pipe(const char *path, struct error *e);

/* A stream of a regular file; NULL with *e. */
FILE *input_file_stream(const char *path, struct error *e);

#endif
