/* SPDX-License-Identifier: MIT */
/* Archives in the ustar format of POSIX.1-2017 (pax, "ustar Interchange Format"), which every tar and Python's tarfile
 * read. Same members, same bytes: no times, users or groups. */
#ifndef AULA_IO_TAR_FILE_H
#define AULA_IO_TAR_FILE_H

#include <stddef.h>

#include "base/error.h"

/* Takes the bytes of a file in order. */
struct byte_sink {
    int (*put)(void *context, const void *bytes, size_t count, struct error *e);
    void *context;
};

enum { TAR_BLOCK = 512, TAR_NAME_MAX = 99 };

/* A member with these bytes. ERROR_FAILED: its name is longer than TAR_NAME_MAX, or it has 8 GB or more. */
int tar_add(const struct byte_sink *sink, const char *name, const void *bytes, size_t count, struct error *e);

/* The two empty blocks at the end. */
int tar_end(const struct byte_sink *sink, struct error *e);

#endif
