/* SPDX-License-Identifier: MIT */
/* Errors: one struct that the caller owns, one message that names the file, line, key and remedy; a room file with
 * several mistakes has a line for each.
 *
 * Every function that can fail returns 0 on success and nonzero on failure, and fills *e on failure. `fail` returns -1
 * so that a caller can write  return fail(e, ERROR_INPUT, "..."); */
#ifndef AULA_BASE_ERROR_H
#define AULA_BASE_ERROR_H

#include <stdarg.h>

/* name, exit status of the program, meaning */
#define ERROR_CODES(X)                                                                                                 \
    X(NONE, 0, "no error")                                                                                             \
    X(USAGE, 2, "invalid command line")                                                                                \
    X(INPUT, 2, "invalid room file or other input file")                                                               \
    X(OUTPUT, 1, "cannot write a result")                                                                              \
    X(MEMORY, 1, "out of memory")                                                                                      \
    X(ENGINE, 1, "not supported by the engine")                                                                        \
    X(DEVICE, 1, "the GPU failed or does not exist")                                                                   \
    X(UNSTABLE, 1, "the field overflowed")                                                                             \
    X(STOPPED, 1, "stopped on request")                                                                                \
    X(FAILED, 1, "a check failed")                                                                                     \
    X(SUSPENDED, 75, "stopped on request; a checkpoint holds the progress")

enum error_code {
#define X(name, exit_status, meaning) ERROR_##name,
    ERROR_CODES(X)
#undef X
};

struct error {
    enum error_code code;
    char message[4096]; /* one line without newline at its end; newlines separate several mistakes of a room file */
};

/* Fills *e (which may be NULL) with one line and returns -1: newlines and other controls, which names of files may
 * hold, become visible escapes. */
int fail(struct error *e, enum error_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));
int fail_va(struct error *e, enum error_code code, const char *format, va_list arguments);

/* The same with a text of several lines, whose names are visible already. */
int fail_lines(struct error *e, enum error_code code, const char *lines);

int error_exit_status(enum error_code code);

#endif
