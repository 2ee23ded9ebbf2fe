/* Pages and pictures are written by stdio into memory. A stream of the C library's own (open_memstream) goes on without a
 * word when memory is out; this one remembers, and so does every call that writes in files that include this. */
#ifndef AULA_IO_TEXT_STREAM_H
#define AULA_IO_TEXT_STREAM_H

#include <stddef.h>
#include <stdio.h>

#include "base/growing_text.h"

struct text_stream {
    FILE *stream; /* NULL: it is not open */
    struct growing_text text;
};

/* The stream to write to; NULL when memory is out. */
FILE *text_stream_open(struct text_stream *t);

/* Closes it: the whole text in fresh memory, and its length (which may be NULL); NULL when anything of it was lost. Safe on
 * a zeroed struct. */
char *text_stream_close(struct text_stream *t, size_t *length);

/* Pass on what stdio returned, and take note of a failure, each thread for itself. */
int stream_noted(int result);
size_t stream_noted_count(size_t written, size_t asked);

#define fputs(...) stream_noted(fputs(__VA_ARGS__))
#define fputc(...) stream_noted(fputc(__VA_ARGS__))
#define fprintf(...) stream_noted(fprintf(__VA_ARGS__))
#define fwrite(bytes, size, count, stream) stream_noted_count(fwrite(bytes, size, count, stream), count)

#endif
