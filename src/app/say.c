/* SPDX-License-Identifier: MIT */
/* Messages on stderr, one line each. */
#include "app/say.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/sanitize_text.h"
#include "solver/engine.h"

/* Prints one line; control characters in names are made harmless. */
static void say_line(const char *format, va_list arguments)
{
    enum { LINE = 8192 };
    char line[LINE], shown[LINE];
    vsnprintf(line, sizeof line, format, arguments);
    sanitize_line(shown, sizeof shown, line);
    fprintf(stderr, "%s\n", shown);
}

void say(bool quiet, const char *format, ...)
{
    va_list arguments;
    if (quiet)
        return;
    va_start(arguments, format);
    say_line(format, arguments);
    va_end(arguments);
}

void say_lines(const char *prefix, char *const *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        say(false, "%s: %s", prefix, lines[i]);
}

void say_more(const struct common_options *o, const char *format, ...)
{
    va_list arguments;
    if (!o->verbose || o->quiet)
        return;
    va_start(arguments, format);
    say_line(format, arguments);
    va_end(arguments);
}

void say_engines_passed_over(const struct solver_options *choice, const struct common_options *o)
{
    const char *engine = choice->engine;
    const bool chosen = engine && strcmp(engine, "auto") != 0;
    for (size_t i = 0; !chosen && engines[i] && engines[i]->unavailable(); i++)
        say(o->quiet || (engines[i]->absent && !o->verbose), "note: the %s engine is not used: %s", engines[i]->name,
            engines[i]->unavailable());
}

void say_recording_note(const struct common_options *o, const char *path, const struct recording *r)
{
    if (r->note)
        say(o->quiet && !r->parted, "%s: %s: %s", r->parted ? "warning" : "note", path, r->note);
}

void say_recording(const struct common_options *o, const char *path, const struct recording *r)
{
    say_more(o, "%s: %zu channel%s of %.3g s at %g Hz, %s", path, r->audio.channels, r->audio.channels == 1 ? "" : "s",
             (double)r->audio.frames / r->audio.rate, r->audio.rate,
             r->described ? "described by the JSON beside it" : "without a JSON beside it");
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

void say_faint(const char *path, enum sample_format format, double peak, const char *remedy)
{
    static const double faint = 1e-3;
    if (format == FORMAT_PCM16 && peak > 0.0 && peak <= faint)
        say(false,
            "warning: %s: the peak is %.1f dB re full scale, which leaves %.0f of 16 bits; use %s to avoid rounding "
            "noise",
            path, 20.0 * log10(peak), fmax(0.0, 15.0 + log2(peak)), remedy);
}
