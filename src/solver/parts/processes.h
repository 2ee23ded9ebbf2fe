/* SPDX-License-Identifier: MIT */
/* Parts in separate processes, on one host or several. Each process is one end of a transport. A
 * build has one such library, or a stub that reports its absence. */
#ifndef AULA_SOLVER_PARTS_PROCESSES_H
#define AULA_SOLVER_PARTS_PROCESSES_H

#include <stdbool.h>

#include "base/transport/transport.h"

struct process_library {
    const char *name;
    const char *(*unavailable)(void); /* NULL, or the reason why this build does not support it */
    void (*describe)(char *text, size_t size);
    /* Whether this process was started as one of several. */
    bool (*started)(void);
    /* To be called once per process. The end of the transport lives until `close`, which all
     * processes must call. */
    int (*open)(struct transport **t, struct error *e);
    void (*close)(struct transport *t);
};
extern const struct process_library process_library;

/* Ends the other parts, which are in parts_serve, when there is nothing left to lead. */
int parts_end(struct transport *t, struct error *e);

#endif
