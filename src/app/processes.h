/* SPDX-License-Identifier: MIT */
/* Commands that run on several processes of mpirun or srun. */
#ifndef AULA_APP_PROCESSES_H
#define AULA_APP_PROCESSES_H

#include "app/options.h"

/* Runs a command. Under mpirun or srun, process 0 runs it with every process as one part of its grids; `choice`, a
 * member of the options, then holds the transport and the number of parts. The other processes serve their parts and
 * print nothing. With --parts 1 each process runs the command by itself. */
int processes_run(void *options, struct solver_options *choice, int (*command)(void *options, struct error *e),
                  struct error *e);

/* Refuses a command that would do the same work and write the same files in each of several processes. ERROR_USAGE. */
int processes_check(const struct command *command, struct error *e);

#endif
