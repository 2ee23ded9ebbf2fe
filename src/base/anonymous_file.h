/* Files without a name, for sounds that come from standard input or go to standard output: sound files are read and written
 * back and forth, which a pipe does not allow. */
#ifndef AULA_BASE_ANONYMOUS_FILE_H
#define AULA_BASE_ANONYMOUS_FILE_H

#include "base/error.h"

/* An empty one in $TMPDIR or /tmp, open for reading and writing; -1 with *e. It goes when it is closed. */
int anonymous_file(struct error *e);

/* All that standard input holds, in one; at its start. -1 with *e. */
int anonymous_file_of_input(struct error *e);

/* All that it holds, to standard output. */
int anonymous_file_print(int file, struct error *e);

#endif
