#include "cmd/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

void say_engines_passed_over(bool quiet, const struct choice *choice)
{
    const bool chosen = choice->engine && strcmp(choice->engine, "auto") != 0;
    for (size_t i = 0; !chosen && engines[i] && engines[i]->unavailable(); i++)
        say(quiet, "note: not on the %s engine: %s", engines[i]->name, engines[i]->unavailable());
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
