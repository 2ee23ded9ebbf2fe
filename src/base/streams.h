/* Standard output and standard error of the program: the one place that knows whether what was printed arrived, and the one
 * that keeps what stands in files from steering the terminal. */
#ifndef AULA_BASE_STREAMS_H
#define AULA_BASE_STREAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* At the start of main. From here on whatever goes to stdout and stderr by stdio passes through visible_piece. A standard
 * descriptor that is closed is held, so that no file of ours takes its number and gets what is printed. */
void streams_open(void);

/* At its end: 0, or ERROR_OUTPUT when anything that was printed on standard output since then did not arrive. */
int streams_close(struct error *e);

/* Whether whoever read standard output is gone, as head is after its last line. */
bool streams_reader_left(void);

/* Bytes as they are, to standard output. */
int streams_write(const void *bytes, size_t count, struct error *e);

/* A control sequence of the program's own, such as "\r\033[K", to standard error. */
void streams_control(const char *sequence);

#endif
