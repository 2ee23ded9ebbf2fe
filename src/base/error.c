/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <stdio.h>
#include <string.h>

#include "base/visible.h"

/* A name from a file may hold what a terminal would act on. What does not fit is left out. */
static void make_visible(char *to, size_t size, const char *from)
{
    enum { PIECE = 64 };
    struct visible v = {.form = VISIBLE_TEXT};
    char shown[VISIBLE_MAX(PIECE)];
    size_t used = 0, left = strlen(from);
    do {
        const size_t piece = left < PIECE ? left : PIECE;
        size_t count = visible_piece(&v, shown, from, piece);
        from += piece;
        left -= piece;
        if (!left)
            count += visible_end(&v, shown + count);
        count = count < size - 1 - used ? count : size - 1 - used;
        memcpy(to + used, shown, count);
        used += count;
    } while (left);
    to[used] = '\0';
}

int fail_va(struct error *e, enum error_code code, const char *format, va_list arguments)
{
    if (e) {
        char message[sizeof e->message];
        vsnprintf(message, sizeof message, format, arguments);
        e->code = code;
        make_visible(e->message, sizeof e->message, message);
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
