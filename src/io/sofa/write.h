/* SPDX-License-Identifier: MIT */
/* Writes SOFA files. The library makes their bytes in a child process, as it may crash where memory is short. */
#ifndef AULA_IO_SOFA_WRITE_H
#define AULA_IO_SOFA_WRITE_H

#include <stdbool.h>

#include "base/output_file.h"
#include "io/sofa/document.h"
#include "io/sofa/library.h"

/* Writes a document to `path`, or into a file that the caller opened for it and commits or discards. ERROR_OUTPUT,
 * ERROR_MEMORY, ERROR_STOPPED. */
int sofa_write(const char *path, const struct sofa_document *d, bool no_clobber, struct error *e);
int sofa_write_to(struct output_file *f, const struct sofa_document *d, struct error *e);
int sofa_write_by(struct output_file *f, const struct sofa_document *d, const struct sofa_library *library,
                  struct error *e);

#endif
