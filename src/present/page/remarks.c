/* SPDX-License-Identifier: MIT */
#include "present/page/remarks.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { REMARK = 1024 };

static void add(char ***lines, size_t *count, const char *format, va_list arguments)
{
    char text[REMARK];
    struct error ignored;
    vsnprintf(text, sizeof text, format, arguments);
    lines_add(lines, count, &ignored, "%s", text);
}

void remarks_warn(struct remarks *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(&r->warnings, &r->warning_count, format, arguments);
    va_end(arguments);
}

void remarks_note(struct remarks *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(&r->notes, &r->note_count, format, arguments);
    va_end(arguments);
}

void remarks_free(struct remarks *r)
{
    lines_free(r->warnings, r->warning_count);
    lines_free(r->notes, r->note_count);
    memset(r, 0, sizeof *r);
}
