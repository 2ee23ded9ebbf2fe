/* SPDX-License-Identifier: MIT */
/* A stdio stream into memory, for pages and pictures. open_memstream hides failed allocations; this stream records them,
 * and files that include this header record a failure of each call that writes. */
#ifndef AULA_IO_TEXT_STREAM_H
#define AULA_IO_TEXT_STREAM_H

#include <stddef.h>
#include <stdio.h>

#include "base/text.h"

struct text_stream {
    FILE *stream; /* NULL: it is not open */
    struct growing_text text;
};

/* The stream to write to; NULL when memory is out. */
FILE *text_stream_open(struct text_stream *t);

/* Closes it: the whole text in fresh memory, and its length (or NULL); NULL when any part was lost. Safe on a zeroed
 * struct. */
char *text_stream_close(struct text_stream *t, size_t *length);

/* Return the result of stdio, and record a failure, per thread. */
int stream_noted(int result);
size_t stream_noted_count(size_t written, size_t asked);

/* The C library may have some of them as macros already. */
#undef fputs
#undef fputc
#undef fprintf
#undef fwrite
#define fputs(...) stream_noted(fputs(__VA_ARGS__))
#define fputc(...) stream_noted(fputc(__VA_ARGS__))
#define fprintf(...) stream_noted(fprintf(__VA_ARGS__))
#define fwrite(bytes, size, count, stream) stream_noted_count(fwrite(bytes, size, count, stream), count)

#endif
