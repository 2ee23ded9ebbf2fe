/* SPDX-License-Identifier: MIT */
/* The completion script for fish, which offers words with descriptions. */
#include <stdio.h>

#include "app/completion.h"

static void print_quoted(const char *text)
{
    putchar('\'');
    completion_print_quoted(text, "\\", "\\", "\\'");
    putchar('\'');
}

static void print_helpers(void)
{
    printf("# fish completion for aula, made by: aula completion fish\n\n"
           "function __aula_first\n"
           "    test (count (commandline -opc)) -eq 1\n"
           "end\n\n"
           "function __aula_in\n"
           "    set -l words (commandline -opc)\n"
           "    test (count $words) -ge 2; and test $words[2] = $argv[1]\n"
           "end\n\n"
           "function __aula_files\n"
           "    set -l token (string unescape -- (commandline -ct))\n"
           "    set -l typed (string replace -r '^~' ~ -- $token)\n"
           "    set -l found $typed*/\n"
           "    for suffix in $argv\n"
           "        set -a found $typed*.$suffix\n"
           "    end\n"
           "    if string match -q '~*' -- $token\n"
           "        string replace -- ~ '~' $found\n"
           "    else if set -q found[1]\n"
           "        printf '%%s\\n' $found\n"
           "    end\n"
           "end\n\n");
}

static void print_settings(const struct completion *c)
{
    printf("function __aula_settings\n"
           "    switch (commandline -ct)\n");
    for (size_t i = 0; i < c->key_count; i++)
        if (*c->keys[i].list)
            printf("        case '%s=*' '--set=%s=*'\n"
                   "            printf '%s=%%s\\n' %s\n",
                   c->keys[i].path, c->keys[i].path, c->keys[i].path, c->keys[i].list);
    printf("        case '*'\n"
           "            printf '%%s=\\t%%s\\n'");
    for (size_t i = 0; i < c->key_count; i++) {
        printf(" \\\n                '%s' ", c->keys[i].path);
        print_quoted(c->keys[i].about);
    }
    printf("\n    end\nend\n\n");
}

/* Prints the option -a with its words, or -F for any file. */
static void print_word(struct word word, const char *rooms)
{
    switch (word.kind) {
    case WORD_NONE:
        return;
    case WORD_FILE:
        if (*word.list)
            printf(" -a '(__aula_files %s)'", word.list);
        else
            printf(" -F");
        return;
    case WORD_ROOM:
        printf(" -a '(__aula_files " ROOM_SUFFIXES ") %s'", rooms);
        return;
    case WORD_SETTING:
        printf(" -a '(__aula_settings)'");
        return;
    case WORD_LIST:
        printf(" -a '");
        completion_print_list(word.list);
        printf("'");
    }
}

static void print_option(const struct completion *c, const struct command *command, const struct option_row *row,
                         struct word value)
{
    printf("complete -c aula -n '__aula_in %s' -l %s", command->name, row->name);
    if (row->letter)
        printf(" -s %c", row->letter);
    if (row->kind != OPTION_FLAG) {
        printf(" -r");
        print_word(value, c->rooms);
    }
    printf(" -d ");
    print_quoted(row->meaning);
    putchar('\n');
}

static void print_argument(const struct completion *c, const struct command *command, struct word argument)
{
    if (argument.kind == WORD_NONE)
        return;
    printf("complete -c aula -n '__aula_in %s'", command->name);
    print_word(argument, c->rooms);
    putchar('\n');
}

static const struct completion_printer printer = {NULL, print_option, print_argument};

void completion_print_fish(const struct completion *c)
{
    print_helpers();
    print_settings(c);
    printf("complete -c aula -f\n"
           "complete -c aula -n __aula_first -l help -d 'show all commands'\n"
           "complete -c aula -n __aula_first -l version -d 'show the version'\n");
    for (size_t i = 0; commands[i]; i++) {
        printf("complete -c aula -n __aula_first -a %s -d ", commands[i]->name);
        print_quoted(commands[i]->meaning);
        putchar('\n');
    }
    completion_walk(c, &printer);
}
