/* SPDX-License-Identifier: MIT */
/* The words that may stand at each position of a command line, derived from the tables of subcommands, options and
 * keys, and the printers of the scripts for each shell. */
#ifndef AULA_APP_COMPLETION_H
#define AULA_APP_COMPLETION_H

#include "app/cmd.h"
#include "app/completion_words.h"

enum word_kind {
    WORD_NONE,    /* cannot be listed: a number, or a name that the user chose */
    WORD_FILE,    /* a file whose suffix is in `list`; any file if `list` is empty */
    WORD_ROOM,    /* a room file or a room that ships */
    WORD_LIST,    /* one of `list` */
    WORD_SETTING, /* KEY=VALUE of a room file */
};

struct word {
    enum word_kind kind;
    const char *list; /* separated by spaces */
};

/* Callbacks that print the script of a shell during the walk over subcommands and options; NULL: print nothing. */
struct completion_printer {
    void (*begin)(const struct completion *c, const struct command *command);
    void (*option)(const struct completion *c, const struct command *command, const struct option_row *row,
                   struct word value); /* value: WORD_NONE for a flag, too */
    void (*end)(const struct completion *c, const struct command *command, struct word argument);
};

/* For each subcommand: begin, option for each of its options, end. */
void completion_walk(const struct completion *c, const struct completion_printer *printer);

/* Print the script of a shell to standard output. */
void completion_print_bash(const struct completion *c);
void completion_print_zsh(const struct completion *c);
void completion_print_fish(const struct completion *c);

/* Prints `text` with `by` before each character of `escaped`, and `quote` instead of each '. */
void completion_print_quoted(const char *text, const char *escaped, const char *by, const char *quote);

/* Prints a list without the separators of a synopsis. */
void completion_print_list(const char *list);

#define ROOM_SUFFIXES "cfg json"

#endif
