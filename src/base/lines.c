/* SPDX-License-Identifier: MIT */
#include "base/lines.h"

#include <stdio.h>
#include <stdlib.h>

int lines_add(char ***lines, size_t *count, struct error *e, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    char **longer = length < 0 ? NULL : realloc(*lines, (*count + 1) * sizeof *longer);
    if (!longer) {
        if (length >= 0)
            free(text);
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    *lines = longer;
    longer[(*count)++] = text;
    return 0;
}

void lines_free(char **lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(lines[i]);
    free(lines);
}
