/* SPDX-License-Identifier: MIT */
/* Parts that are processes, of one host or many: each process is one end of a transport. A build has one such library,
 * or a stub that says that it has none. */
#ifndef AULA_SOLVER_PARTS_PROCESSES_H
#define AULA_SOLVER_PARTS_PROCESSES_H

#include <stdbool.h>

#include "base/transport/transport.h"

struct process_library {
    const char *name;
    const char *(*unavailable)(void); /* NULL, or why this build has none */
    void (*describe)(char *text, size_t size);
    /* Whether this process was started as one of several. */
    bool (*started)(void);
    /* Once in a process; its end ends with the program's part in it, after `close`, which all processes call. */
    int (*open)(struct transport **t, struct error *e);
    void (*close)(struct transport *t);
};
extern const struct process_library process_library;

/* Ends the other parts, which are in parts_serve, when nothing is left to lead. */
int parts_end(struct transport *t, struct error *e);

#endif
