/* SPDX-License-Identifier: MIT */
/* Interface of a library that reads and writes SOFA files. A build without one uses a stub. */
#ifndef AULA_IO_SOFA_LIBRARY_H
#define AULA_IO_SOFA_LIBRARY_H

#include <stddef.h>

#include "io/sofa/document.h"

/* An array that need not fit into memory: single precision, three dimensions, written a row of the first at a time. */
struct sofa_stream {
    const char *name;
    const char *letters; /* of its dimensions, as of a variable */
    size_t extent[3];
    const struct sofa_attributes *attributes;
    int (*row)(void *context, size_t row, float *values, struct error *e); /* values [extent[1]][extent[2]] */
    void *context;
};

struct sofa_library {
    const char *name;
    const char *(*unavailable)(void);          /* why the library is missing; NULL: it is available */
    void (*describe)(char *text, size_t size); /* version */
    /* All texts, and all arrays of numbers of 1 to 4 dimensions. Only called in a child process (io/sofa/write.h), so that
     * it may crash. `path` is absolute. */
    int (*read)(struct sofa_document *d, const char *path, struct error *e);
    /* The bytes of a file with that content, in fresh memory; same content, same bytes. */
    int (*write)(void **bytes, size_t *count, const struct sofa_document *d, struct error *e);
    /* A netCDF-4 file with that content and the array, which is compressed, in place of the file at `path`. */
    int (*write_stream)(const char *path, const struct sofa_document *d, const struct sofa_stream *s, struct error *e);
};

extern const struct sofa_library sofa_library; /* io/sofa/netcdf.c or absent.c */

#endif
