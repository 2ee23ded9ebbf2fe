/* SPDX-License-Identifier: MIT */
/* Reads SOFA files, in a child process with limits on memory and time: the library may crash or hang on a damaged
 * file. */
#ifndef AULA_IO_SOFA_READ_H
#define AULA_IO_SOFA_READ_H

#include <stdbool.h>

#include "base/child.h"
#include "io/sofa/document.h"
#include "io/sofa/library.h"

extern const struct child_limits sofa_limits; /* those of sofa_read */

/* No process and no descriptor stays behind, whatever happens. ERROR_INPUT names the file; ERROR_STOPPED. On failure *d
 * is empty. */
int sofa_read(struct sofa_document *d, const char *path, struct error *e);
int sofa_read_by(struct sofa_document *d, const char *path, const struct sofa_library *library,
                 const struct child_limits *limits, struct error *e);

#endif
