/* SPDX-License-Identifier: MIT */
/* Commands under mpirun: process 0 runs the command, the others serve parts of its grids. */
#include "app/processes.h"

#include "solver/parts/processes.h"
#include "solver/parts/protocol.h"

static int lead(void *options, struct solver_options *choice, struct transport *t,
                int (*command)(void *, struct error *), struct error *e)
{
    struct error late;
    int status = 0;
    if (choice->parts.count > 0 && choice->parts.count != t->count)
        status = fail(e, ERROR_USAGE,
                      "--parts %d: each process is one part, and there are %d; remove --parts, or add --parts 1 for a "
                      "run of its own in each",
                      choice->parts.count, t->count);
    choice->parts.transport = t;
    choice->parts.count = t->count;
    status = status || command(options, e) ? -1 : 0;
    if (parts_end(t, status ? &late : e))
        status = -1;
    return status;
}

int processes_run(void *options, struct solver_options *choice, int (*command)(void *options, struct error *e),
                  struct error *e)
{
    struct transport *t;
    if (processes_started(NULL) == 1 || choice->parts.count == 1)
        return command(options, e);
    if (processes_open(&t, e))
        return -1;
    const int status = t->part ? parts_serve(t, e) : lead(options, choice, t, command, e);
    processes_close(t);
    return status;
}

int processes_check(const struct command *command, struct error *e)
{
    const char *launcher;
    const int count = processes_started(&launcher);
    if (count == 1 || command->many_processes)
        return 0;
    return fail(
        e, ERROR_USAGE,
        "aula %s runs in one process, and %s started %d, which would do the same work and write the same files: "
        "start it without %s; for a run of its own in each, start it as env -u %s aula %s",
        command->name, launcher, count, launcher, processes_variable(), command->name);
}
