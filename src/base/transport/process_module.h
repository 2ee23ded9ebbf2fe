/* SPDX-License-Identifier: MIT */
/* What a module of processes exports under the name aula_process_module. The program loads it when a launcher has started it
 * as one of several (solver/parts/processes.h). */
#ifndef AULA_BASE_TRANSPORT_PROCESS_MODULE_H
#define AULA_BASE_TRANSPORT_PROCESS_MODULE_H

#include "base/transport/transport.h"

struct process_module {
    const char *version; /* of aula; a module of another version is refused */
    void (*describe)(char *text, size_t size);
    /* As processes_open and processes_close. */
    int (*open)(struct transport **t, struct error *e);
    void (*close)(struct transport *t);
};
extern const struct process_module aula_process_module;

#endif
