/* SPDX-License-Identifier: MIT */
/* Commands that several processes work at. */
#ifndef AULA_APP_PROCESSES_H
#define AULA_APP_PROCESSES_H

#include "app/options.h"

/* Runs a command. Where mpirun has started several processes, the first of them runs it, with all as parts of its
 * grids; the others do as it tells them and say nothing. */
int processes_run(const struct options *o, int (*command)(const struct options *o, struct error *e), struct error *e);

#endif
