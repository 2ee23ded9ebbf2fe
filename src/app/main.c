/* SPDX-License-Identifier: MIT */
/* The program aula: dispatches to the subcommands and turns errors into messages and exit statuses. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "app/cmd.h"
#include "app/processes.h"
#include "base/phase_timer.h"
#include "base/stop.h"
#include "base/streams.h"
#include "base/text.h"
#include "base/threads.h"

const struct command *const commands[] = {
    &command_render,   &command_batch,     &command_info,       &command_preview,
    &command_auralize, &command_binaural,  &command_measure,    &command_deconvolve,
    &command_metrics,  &command_calibrate, &command_compare,    &command_open_plan,
    &command_report,   &command_film,      &command_map,        &command_place,
    &command_modes,    &command_material,  &command_materials,  &command_synth,
    &command_play,     &command_tune,      &command_bench,      &command_validate,
    &command_devices,  &command_studio,    &command_completion, NULL,
};
enum { COMMANDS = sizeof commands / sizeof *commands - 1 };

static int print_help(void)
{
    printf("aula turns a room description into sound.\n\nusage: aula COMMAND ...\n\n");
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-11s %s\n", commands[i]->name, commands[i]->meaning);
    printf("\n  aula COMMAND --help   show the options of a command\n"
           "  aula info --rooms     list the rooms and sounds that ship with aula\n"
           "  aula --version        show the version\n");
    return 0;
}

static const struct command *find_command(const char *name, struct error *e)
{
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++) {
        names[i] = commands[i]->name;
        if (!strcmp(names[i], name))
            return commands[i];
    }
    char hint[HINT];
    fail(e, ERROR_USAGE, "%s: unknown command%s (aula --help lists them)", name,
         text_hint(hint, name, names, COMMANDS));
    return NULL;
}

static int run(int count, char **words, struct error *e)
{
    const struct command *command = find_command(words[0], e);
    void *options = NULL;
    if (!command)
        return -1;
    int status = options_parse(&options, command, count - 1, words + 1, e);
    if (!status && ((const struct common_options *)options)->help) {
        options_print_help(command);
    } else if (!status) {
        const struct solver_options *choice = options_group(options, command, GROUP_CHOICE);
        threads_limit(choice ? choice->threads : 0);
        status = processes_check(command, e) || command->run(options, e) ? -1 : 0;
    }
    options_free(options);
    return status;
}

/* Prints each line of the message as an error of its own. */
static void print_error(const char *message)
{
    for (const char *line = message; *line;) {
        const size_t length = strcspn(line, "\n");
        fprintf(stderr, "aula: %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

static int answer(int count, char **words, struct error *e)
{
    if (count < 2) {
        print_help();
        e->code = ERROR_USAGE; /* without a message: the help is enough */
        return -1;
    }
    const bool help = !strcmp(words[1], "help");
    if (help && count > 2)
        return run(2, (char *[]){words[2], (char[]){"--help"}}, e);
    if (help || !strcmp(words[1], "--help") || !strcmp(words[1], "-h"))
        return print_help();
    if (!strcmp(words[1], "--version")) {
        printf("aula %s\n", AULA_VERSION);
        return 0;
    }
    return run(count - 1, words + 1, e);
}

int main(int count, char **words)
{
    struct error e = {ERROR_NONE, ""}, lost;
    streams_open();
    phase_timer_open();
    stop_on_signals();
    int status = answer(count, words, &e);
    if (streams_close(&lost) && !status) {
        status = -1;
        e = lost;
    }
    if (streams_reader_left())
        stop_die_unread();
    if (status && *e.message)
        print_error(e.message);
    if (e.code != ERROR_SUSPENDED) /* its exit status tells a scheduler to restart; death by the signal would not */
        stop_die();
    return status ? error_exit_status(e.code) : 0;
}
