/* SPDX-License-Identifier: MIT */
/* What passes bytes between the GPUs of several processes. A build has one such library, or a stub that says that it
 * has none. */
#ifndef AULA_CUDA_LINK_LIBRARY_H
#define AULA_CUDA_LINK_LIBRARY_H

#include "solver/links.h"

/* To and from a neighbour; memory of the GPU. */
struct link_message {
    int part;
    const void *sent;
    size_t sent_bytes;
    void *received;
    size_t received_bytes;
};

struct link_library {
    const char *name;
    /* NULL, or why this build or this machine has none. */
    const char *(*unavailable)(void);
    void (*describe)(char *text, size_t size);
    int (*make_name)(char name[LINK_NAME_BYTES], struct error *e);
    /* Of the calling thread's GPU. Waits for the other parts without limit. Where it fails, nothing is open. */
    int (*open)(void **links, const char name[LINK_NAME_BYTES], int part, int count, struct error *e);
    /* Puts all of them on a cudaStream_t. The neighbours do the same. */
    int (*pass)(void *links, const struct link_message *messages, int count, void *stream, struct error *e);
    int (*check)(void *links, struct error *e); /* of messages under way */
    void (*close)(void *links, int broken);
};

extern const struct link_library link_library;

#endif
