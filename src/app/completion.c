/* SPDX-License-Identifier: MIT */
/* aula completion: prints completion scripts for shells. */
#include "app/completion.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const char sounds[] = "wav flac aif aiff ogg";

/* ---- Words by position ---- */

/* The words for an argument whose name has a suffix, such as "RESPONSE.wav". */
static struct word word_of_file(const char *suffix, size_t length)
{
    static const struct {
        const char *suffix;
        struct word word;
    } files[] = {{".cfg", {WORD_ROOM, ROOM_SUFFIXES}}, {".wav", {WORD_FILE, sounds}},  {".svg", {WORD_FILE, "svg"}},
                 {".ply", {WORD_FILE, "ply glb"}},     {".html", {WORD_FILE, "html"}}, {".csv", {WORD_FILE, "csv"}}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strlen(files[i].suffix) == length && !strncmp(files[i].suffix, suffix, length))
            return files[i].word;
    return (struct word){WORD_FILE, ""};
}

static struct word word_of_option(const struct completion *c, const struct option_row *row)
{
    const struct {
        const char *name;
        struct word word;
    } named[] = {{"engine", {WORD_LIST, "auto cpu cuda"}},
                 {"kernel", {WORD_LIST, c->kernels}},
                 {"format", {WORD_LIST, c->formats}}};
    const char *argument = row->argument, *suffix = argument ? strchr(argument, '.') : NULL;
    if (row->kind == OPTION_FLAG)
        return (struct word){WORD_NONE, ""};
    if (argument && strchr(argument, '|'))
        return (struct word){WORD_LIST, argument};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (!strcmp(row->name, named[i].name))
            return named[i].word;
    if (argument && !strcmp(argument, "KEY=VALUE"))
        return (struct word){WORD_SETTING, ""};
    if (suffix)
        return word_of_file(suffix, strlen(suffix));
    if (argument && (!strcmp(argument, "FILE") || !strcmp(argument, "FOLDER")))
        return (struct word){WORD_FILE, ""};
    return (struct word){WORD_NONE, ""};
}

/* The words for a command's arguments, from the start of its synopsis: "ROOM.cfg [-o ..", "[SCHEME | SCHEME/CHECK ...]",
 * and of materials "NAME|..". A synopsis such as "[webb | room]" already is the list. */
static struct word word_of_arguments(const struct completion *c, const char *synopsis)
{
    const char *first = synopsis + strspn(synopsis, "[ ");
    const size_t length = strcspn(first, " ]");
    const char *suffix = memchr(first, '.', length);
    if (!strncmp(first, "PLAN.cfg", length) && length)
        return (struct word){WORD_FILE, "cfg"};
    if (suffix)
        return word_of_file(suffix, (size_t)(first + length - suffix));
    if (!strncmp(first, "SCHEME", length) && length)
        return (struct word){WORD_LIST, c->schemes};
    if (!strncmp(first, "NAME|", 5))
        return (struct word){WORD_LIST, c->materials};
    if (!strncmp(first + length, " FILE", 5)) /* "import FILE --source TEXT" */
        return (struct word){WORD_FILE, ""};
    if (length && islower((unsigned char)*first))
        return (struct word){WORD_LIST, synopsis};
    return (struct word){WORD_NONE, ""};
}

void completion_walk(const struct completion *c, const struct completion_printer *printer)
{
    for (size_t i = 0; commands[i]; i++) {
        const struct command *command = commands[i];
        char synopsis[SYNOPSIS];
        if (printer->begin)
            printer->begin(c, command);
        for (size_t k = 0; command->options[k]; k++)
            printer->option(c, command, command->options[k], word_of_option(c, command->options[k]));
        if (printer->end)
            printer->end(c, command, word_of_arguments(c, options_synopsis(command, synopsis)));
    }
}

void completion_print_quoted(const char *text, const char *escaped, const char *by, const char *quote)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs(quote, stdout);
        else
            printf("%s%c", strchr(escaped, *text) ? by : "", *text);
    }
}

void completion_print_list(const char *list)
{
    for (; *list; list++)
        if (!strchr("[]|.", *list))
            putchar(*list);
}

/* ---- The subcommand ---- */

static const struct {
    const char *name;
    void (*print)(const struct completion *c);
} shells[] = {{"bash", completion_print_bash}, {"zsh", completion_print_zsh}, {"fish", completion_print_fish}};
enum { SHELLS = sizeof shells / sizeof *shells };

static int run(void *options, struct error *e)
{
    const struct common_options *o = options;
    const char *wanted = o->arguments[0], *names[SHELLS];
    struct completion c;
    char hint[HINT];
    for (size_t i = 0; i < SHELLS; i++) {
        names[i] = shells[i].name;
        if (strcmp(wanted, names[i]) != 0)
            continue;
        const int status = completion_make(&c, e);
        if (!status)
            shells[i].print(&c);
        completion_free(&c);
        return status;
    }
    return fail(e, ERROR_USAGE, "%s: unknown shell; expected bash, zsh or fish%s", wanted,
                text_hint(hint, wanted, names, SHELLS));
}

static const struct option_row *const options[] = {&option_help, NULL};

const struct command command_completion = {
    .name = "completion",
    .synopsis = "bash | zsh | fish",
    .meaning = "print the script that completes command lines in a shell",
    .details = "To load it in the current bash session:  source <(aula completion bash)\n"
               "If aula is installed, each shell finds its script by itself.\n",
    .options = options,
    .arguments_min = 1,
    .arguments_max = 1,
    .options_size = sizeof(struct common_options),
    .many_processes = true,
    .run = run,
};
