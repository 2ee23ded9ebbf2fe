/* SPDX-License-Identifier: MIT */
/* Standard output and standard error of the program: checks that all output was written, and keeps control sequences in
 * files' texts from the terminal. */
#ifndef AULA_BASE_STREAMS_H
#define AULA_BASE_STREAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Call at the start of main. From then on stdio output to stdout and stderr passes through sanitize_piece. Closed
 * standard descriptors are opened, so that no file can take their numbers and receive printed text. */
void streams_open(void);

/* Call at the end of main: 0, or ERROR_OUTPUT when a write to standard output failed. */
int streams_close(struct error *e);

/* Whether the reader of standard output is gone, like head after its last line. */
bool streams_reader_left(void);

/* Writes bytes unchanged to standard output. ERROR_OUTPUT; ERROR_STOPPED when a signal comes while nobody reads. */
int streams_write(const void *bytes, size_t count, struct error *e);

/* Writes a control sequence, such as "\r\033[K", to standard error. */
void streams_control(const char *sequence);

#endif
