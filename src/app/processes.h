/* SPDX-License-Identifier: MIT */
/* Commands that several processes work at. */
#ifndef AULA_APP_PROCESSES_H
#define AULA_APP_PROCESSES_H

#include "app/options.h"

/* Runs a command. Where mpirun has started several processes, the first of them runs it, with all as parts of its
 * grids, which it finds in `choice`, that of the options; the others do as it tells them and say nothing. */
int processes_run(void *options, struct solver_options *choice, int (*command)(void *options, struct error *e),
                  struct error *e);

#endif
