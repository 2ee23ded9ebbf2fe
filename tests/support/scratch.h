/* SPDX-License-Identifier: MIT */
/* Files that a test writes and reads, in a folder removed at the end of the test program. */
#ifndef AULA_TESTS_SCRATCH_H
#define AULA_TESTS_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* cmocka's set-up and tear-down of a group. */
int scratch_make(void **state);
int scratch_remove(void **state);
/* Tear-down of a test: files of a failed test do not affect the next. */
int scratch_empty(void **state);

extern char scratch_folder[];
/* The path of a file in the folder, until the next call. */
const char *scratch_path(const char *name);
/* Fails when files are left that the test did not remove: the code under test left them. */
void assert_scratch_empty(void);

void scratch_write(const char *path, const void *bytes, size_t count);
/* The bytes of a file, with '\0' after the last; returns their number, and the caller frees them. */
size_t scratch_read(const char *path, char **bytes);

/* A new file in /tmp with this text; the caller removes it and frees its name. */
char *temporary_file(const char *text);

/* Fails the test, with the message, unless the status is 0. */
void must(int status, const struct error *e);

bool contains(const char *bytes, size_t count, const char *text);

#endif
