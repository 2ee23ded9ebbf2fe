/* SPDX-License-Identifier: MIT */
#include "app/processes.h"

#include "solver/parts/processes.h"
#include "solver/parts/protocol.h"

static int lead(const struct options *o, struct transport *t, int (*command)(const struct options *, struct error *),
                struct error *e)
{
    struct options of_all = *o;
    struct error late;
    int status = 0;
    if (o->choice.parts.count > 0 && o->choice.parts.count != t->count)
        status = fail(e, ERROR_USAGE, "--parts %d: there are as many parts as processes, and mpirun started %d",
                      o->choice.parts.count, t->count);
    of_all.choice.parts.transport = t;
    of_all.choice.parts.count = t->count;
    status = status || command(&of_all, e) ? -1 : 0;
    if (parts_end(t, status ? &late : e))
        status = -1;
    return status;
}

int processes_run(const struct options *o, int (*command)(const struct options *o, struct error *e), struct error *e)
{
    struct transport *t;
    if (!process_library.started())
        return command(o, e);
    if (process_library.open(&t, e))
        return -1;
    const int status = t->part ? parts_serve(t, e) : lead(o, t, command, e);
    process_library.close(t);
    return status;
}
