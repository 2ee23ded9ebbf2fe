/* SPDX-License-Identifier: MIT */
/* Recognizes common slips on the command line and suggests the intended form. */
#include "app/slips.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static bool has_option(const struct command *command, const char *name)
{
    for (size_t i = 0; command->options[i]; i++)
        if (!strcmp(command->options[i]->name, name))
            return true;
    return false;
}

static bool is_file(const char *word)
{
    return !access(word, F_OK);
}

int slip_of_setting(const char *key, const char *next, struct error *e)
{
    const bool negative = next && next[0] == '-' && isdigit((unsigned char)next[1]);
    if (strchr(key, '=') || !next || (next[0] == '-' && !negative) || is_file(next))
        return 0;
    return fail(e, ERROR_USAGE, "--set %s: expected key=value; did you mean --set %s=%s?", key, key, next);
}

/* Whether the word is KEY=VALUE with a KEY such as "time.duration" or "sources[0].gain". */
static bool is_setting(const char *word)
{
    const size_t key = strcspn(word, "=");
    return word[key] && memchr(word, '.', key) && strspn(word, "abcdefghijklmnopqrstuvwxyz_0123456789[].") == key;
}

static const char *suffix_of(const char *word, size_t length)
{
    const char *dot = memrchr(word, '.', length);
    return dot ? dot : word + length;
}

/* Whether the word fits the argument of -o in the synopsis: it has the same suffix, or neither has one. */
static bool is_output(const char *word, const char *synopsis)
{
    const char *form = synopsis ? strstr(synopsis, "-o ") : NULL;
    if (!form)
        return false;
    form += strlen("-o ");
    const size_t length = strcspn(form, " ]");
    const char *wanted = suffix_of(form, length), *given = suffix_of(word, strlen(word));
    const size_t letters = (size_t)(form + length - wanted);
    return strlen(given) == letters && !strncasecmp(given, wanted, letters);
}

/* Whether the word has the suffix of any output format, including those that no synopsis names. */
static bool is_written(const char *word)
{
    static const char *const suffixes[] = {".wav", ".flac", ".webm", ".mp4", ".gif", ".png", ".html"};
    const char *given = suffix_of(word, strlen(word));
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (!strcasecmp(given, suffixes[i]))
            return true;
    return false;
}

int slip_of_words(const struct common_options *o, const char *output, const struct command *command, struct error *e)
{
    const bool surplus = o->argument_count > command->arguments_max;
    for (size_t i = 0; i < o->argument_count && has_option(command, "set"); i++)
        if (is_setting(o->arguments[i]) && !is_file(o->arguments[i]))
            return fail(e, ERROR_USAGE, "%s: did you mean --set %s?", o->arguments[i], o->arguments[i]);
    if (o->argument_count <= command->arguments_min || output || !has_option(command, "output"))
        return 0;
    const char *last = o->arguments[o->argument_count - 1];
    if (is_output(last, command->synopsis) ? surplus || !is_file(last) : surplus && is_written(last))
        return fail(e, ERROR_USAGE, "%s: did you mean -o %s?", last, last);
    return 0;
}
