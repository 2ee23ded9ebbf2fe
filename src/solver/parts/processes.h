/* SPDX-License-Identifier: MIT */
/* Parts in separate processes, on one host or several. Each process is one end of a transport. */
#ifndef AULA_SOLVER_PARTS_PROCESSES_H
#define AULA_SOLVER_PARTS_PROCESSES_H

#include "base/transport/transport.h"

/* The number of processes that a launcher has started together, this one among them; 1 if there is none. *launcher (may be
 * NULL): its name, NULL for one process. */
int processes_started(const char **launcher);

/* The variable of the environment by which the launcher of several processes tells their number; NULL for one process. */
const char *processes_variable(void);

/* The reason why there is no MPI, or NULL; then `text` is its name and version. */
const char *processes_describe(char *text, size_t size);

/* To be called once per process, where processes_started() is more than 1. The end of the transport lives until
 * processes_close, which all processes must call. */
int processes_open(struct transport **t, struct error *e);
void processes_close(struct transport *t);

/* Ends the other parts, which are in parts_serve, when there is nothing left to lead. */
int parts_end(struct transport *t, struct error *e);

#endif
