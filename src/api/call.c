#include <stdio.h>

#include "api/handles.h"
#include "base/c_locale.h"

static int pass_on(const struct call *call)
{
    if (call->out) {
        call->out->exit_status = error_exit_status(call->error.code);
        snprintf(call->out->message, sizeof call->out->message, "%s", call->error.message);
    }
    return -1;
}

int call_begin(struct call *call, struct aula_error *out)
{
    *call = (struct call){.out = out};
    return c_locale_enter(&call->before, &call->error) ? pass_on(call) : 0;
}

int call_end(struct call *call, int status)
{
    c_locale_leave(call->before);
    return status ? pass_on(call) : 0;
}

int call_refuse_null(struct call *call, const char *name, const char *remedy)
{
    return fail(&call->error, ERROR_USAGE, "%s is NULL: give %s", name, remedy);
}
