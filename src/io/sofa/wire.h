/* SPDX-License-Identifier: MIT */
/* A SOFA document over a pipe, from a child process that is not trusted: sizes and texts are checked; numbers may be
 * any. */
#ifndef AULA_IO_SOFA_WIRE_H
#define AULA_IO_SOFA_WIRE_H

#include <stdbool.h>

#include "base/child.h"
#include "io/sofa/document.h"

/* In the child: the document, or `failure` when it is not NULL. Nonzero: the pipe is broken. */
int sofa_wire_write(int pipe, const struct sofa_document *d, const struct error *failure);

/* In the parent: reads until `deadline` of clock_seconds(). `path` stands in messages. With WIRE_DONE *failed says
 * which of the two it is. */
enum wire_status sofa_wire_read(int pipe, double deadline, const char *path, struct sofa_document *d, bool *failed,
                                struct error *e);

#endif
