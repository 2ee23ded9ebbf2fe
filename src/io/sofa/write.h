/* SPDX-License-Identifier: MIT */
/* Writes SOFA files. The library creates their bytes in a child process, because it may crash when memory is short. */
#ifndef AULA_IO_SOFA_WRITE_H
#define AULA_IO_SOFA_WRITE_H

#include <stdbool.h>

#include "base/child.h"
#include "base/output_file.h"
#include "io/sofa/document.h"
#include "io/sofa/library.h"

/* Writes a document to `path`, or into a file that the caller opened for it and commits or discards. ERROR_OUTPUT,
 * ERROR_MEMORY, ERROR_STOPPED. */
int sofa_write(const char *path, const struct sofa_document *d, bool no_clobber, struct error *e);
int sofa_write_to(struct output_file *f, const struct sofa_document *d, struct error *e);
int sofa_write_by(struct output_file *f, const struct sofa_document *d, const struct sofa_library *library,
                  struct error *e);

/* Reads SOFA files in a child process with limits on memory and time, because the library may crash or hang on a damaged
 * file. */

/* No process and no descriptor stays behind, whatever happens. ERROR_INPUT names the file; ERROR_STOPPED. On failure *d
 * is empty. */
int sofa_read(struct sofa_document *d, const char *path, struct error *e);
int sofa_read_by(struct sofa_document *d, const char *path, const struct sofa_library *library,
                 const struct child_limits *limits, struct error *e);

#endif
