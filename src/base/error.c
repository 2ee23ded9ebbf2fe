/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <stdio.h>

#include "base/sanitize_text.h"

int fail_va(struct error *e, enum error_code code, const char *format, va_list arguments)
{
    if (e) {
        char message[sizeof e->message];
        vsnprintf(message, sizeof message, format, arguments);
        e->code = code;
        sanitize_line(e->message, sizeof e->message, message); /* names in it may hold what a terminal would act on */
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

int fail_lines(struct error *e, enum error_code code, const char *lines)
{
    if (e) {
        e->code = code;
        snprintf(e->message, sizeof e->message, "%s", lines);
    }
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
