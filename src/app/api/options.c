/* SPDX-License-Identifier: MIT */
/* The engine, the threads and the progress function of a call. */
#include "app/api/handles.h"
#include "base/c_locale.h"
#include "base/stop.h"

enum { THREADS_MAX = 4096 }; /* as --threads */

/* The caller's progress function runs in the caller's locale. */
static bool look(void *context, size_t done, size_t steps, double points_per_second)
{
    const struct call_options *o = context;
    (void)points_per_second;
    if (!o->given.progress || stop_requested())
        return !stop_requested();
    c_locale_leave(o->call->before);
    const int stop = o->given.progress(o->given.context, (double)done / (double)steps);
    return !c_locale_enter(&o->call->before, &o->call->error) && !stop && !stop_requested();
}

int call_take_options(struct call_options *o, struct call *call, const struct aula_options *options)
{
    *o = (struct call_options){.call = call};
    if (options)
        o->given = *options;
    o->choice = (struct solver_options){.engine = o->given.engine, .threads = o->given.threads};
    o->watch = (struct watch){.look = look, .context = o};
    if (o->given.threads < 0 || o->given.threads > THREADS_MAX)
        return fail(&call->error, ERROR_USAGE, "threads is %d; must be from 1 to %d, or 0 for the default of OpenMP",
                    o->given.threads, THREADS_MAX);
    if (o->given.engine && !*o->given.engine)
        return fail(&call->error, ERROR_USAGE, "engine is empty; expected auto, cpu or cuda");
    return call_check_reserved(call, o->given.reserved, sizeof o->given.reserved / sizeof *o->given.reserved,
                               "options");
}
