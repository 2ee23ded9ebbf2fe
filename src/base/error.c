#include "base/error.h"

#include <stdio.h>

/* A name from a file may hold what a terminal would act on; lines of a message may be indented. */
static void make_printable(char *message)
{
    for (char *c = message; *c; c++)
        if (((unsigned char)*c < ' ' && *c != '\n' && *c != '\t') || *c == 127)
            *c = '?';
}

int fail_va(struct error *e, enum error_code code, const char *format, va_list arguments)
{
    if (e) {
        e->code = code;
        vsnprintf(e->message, sizeof e->message, format, arguments);
        make_printable(e->message);
    }
    return -1;
}

int fail(struct error *e, enum error_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fail_va(e, code, format, arguments);
    va_end(arguments);
    return -1;
}

int error_exit_status(enum error_code code)
{
    static const int status[] = {
#define X(name, exit_status, meaning) exit_status,
        ERROR_CODES(X)
#undef X
    };
    return status[code];
}

const char *error_meaning(enum error_code code)
{
    static const char *const meanings[] = {
#define X(name, exit_status, meaning) meaning,
        ERROR_CODES(X)
#undef X
    };
    return meanings[code];
}
