#include "cmd/say.h"

#include <stdarg.h>
#include <stdio.h>

void say(bool quiet, const char *format, ...)
{
    va_list arguments;
    if (quiet)
        return;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void say_lines(const char *prefix, char *const *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, "%s: %s\n", prefix, lines[i]);
}

const char *say_duration(char text[32], double seconds)
{
    if (seconds < 1.0)
        snprintf(text, 32, "%.2g s", seconds);
    else if (seconds < 100.0)
        snprintf(text, 32, "%.1f s", seconds);
    else if (seconds < 6000.0)
        snprintf(text, 32, "%.0f min %02.0f s", (double)((long)seconds / 60), (double)((long)seconds % 60));
    else
        snprintf(text, 32, "%.1f h", seconds / 3600.0);
    return text;
}
