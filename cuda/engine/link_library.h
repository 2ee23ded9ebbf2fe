/* SPDX-License-Identifier: MIT */
/* A library that passes bytes between the GPUs of several processes. A build has one, or a stub
 * that reports its absence. */
#ifndef AULA_CUDA_LINK_LIBRARY_H
#define AULA_CUDA_LINK_LIBRARY_H

#include "solver/links.h"

/* A message to a neighbour and one from it, in memory of the GPU. */
struct link_message {
    int part;
    const void *sent;
    size_t sent_bytes;
    void *received;
    size_t received_bytes;
};

struct link_library {
    const char *name;
    /* NULL, or the reason why this build or machine does not support links. */
    const char *(*unavailable)(void);
    void (*describe)(char *text, size_t size);
    int (*make_name)(char name[LINK_NAME_BYTES], struct error *e);
    /* Opens links of the calling thread's GPU. Waits for the other parts without limit. On
     * failure, nothing is open. */
    int (*open)(void **links, const char name[LINK_NAME_BYTES], int part, int count, struct error *e);
    /* Enqueues all messages on a cudaStream_t; the neighbours do the same. */
    int (*pass)(void *links, const struct link_message *messages, int count, void *stream, struct error *e);
    int (*check)(void *links, struct error *e); /* errors of messages in flight */
    void (*close)(void *links, int broken);
};

extern const struct link_library link_library;

#endif
