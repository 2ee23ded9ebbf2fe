/* SPDX-License-Identifier: MIT */
/* Words of a command line by position, from the tables of subcommands, options and keys, for completion in shells. */
#ifndef AULA_APP_COMPLETION_H
#define AULA_APP_COMPLETION_H

#include "app/cmd.h"
#include "app/completion_words.h"

enum word_kind {
    WORD_NONE,    /* cannot be listed: a number, a name of the user's */
    WORD_FILE,    /* a file whose name ends in one of `list`, any where `list` is empty */
    WORD_ROOM,    /* a room file, or a room that ships */
    WORD_LIST,    /* one of `list` */
    WORD_SETTING, /* KEY=VALUE of a room file */
};

struct word {
    enum word_kind kind;
    const char *list; /* separated by spaces */
};

/* Output of a shell at each step of the walk over subcommands and their options; NULL: none. */
struct completion_printer {
    void (*begin)(const struct completion *c, const struct command *command);
    void (*option)(const struct completion *c, const struct command *command, const struct option_row *row,
                   struct word value); /* value: WORD_NONE for a flag, too */
    void (*end)(const struct completion *c, const struct command *command, struct word argument);
};

/* Every subcommand: begin, each option, end. */
void completion_walk(const struct completion *c, const struct completion_printer *printer);

/* A script for each shell, on standard output. */
void completion_print_bash(const struct completion *c);
void completion_print_zsh(const struct completion *c);
void completion_print_fish(const struct completion *c);

/* Prints `text` with `by` before each character of `escaped`, and `quote` in place of a '. */
void completion_print_quoted(const char *text, const char *escaped, const char *by, const char *quote);

/* Prints a list without the separators of a synopsis. */
void completion_print_list(const char *list);

#define ROOM_SUFFIXES "cfg json"

#endif
