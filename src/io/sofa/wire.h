/* SPDX-License-Identifier: MIT */
/* Sends a SOFA document over a pipe. The child process is not trusted: the parent checks sizes and texts, while numbers
 * may have any value. */
#ifndef AULA_IO_SOFA_WIRE_H
#define AULA_IO_SOFA_WIRE_H

#include <stdbool.h>

#include "base/child.h"
#include "io/sofa/document.h"

/* Child: writes the document, or `failure` unless it is NULL. Nonzero: the pipe is broken. */
int sofa_wire_write(int pipe, const struct sofa_document *d, const struct error *failure);

/* Parent: reads until `deadline` of clock_seconds(). `path` is for messages. With WIRE_DONE, *failed tells a failure from
 * a document. */
enum wire_status sofa_wire_read(int pipe, double deadline, const char *path, struct sofa_document *d, bool *failed,
                                struct error *e);

#endif
