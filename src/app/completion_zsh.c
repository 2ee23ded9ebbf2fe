/* SPDX-License-Identifier: MIT */
/* The completion script for zsh, which offers words with descriptions. The bash script must not be reused through
 * bashcompinit: its compgen expands the typed word as a pattern, and a file name that contains "*(e:COMMAND:)" between
 * spaces runs the command. */
#include <stdio.h>

#include "app/completion.h"

/* Prints within '...' of zsh and escapes : and [ ], which _arguments and _describe interpret. */
static void print_meaning(const char *text)
{
    completion_print_quoted(text, ":[]\\", "\\", "'\\''");
}

static void print_helpers(const struct completion *c)
{
    printf("#compdef aula\n"
           "# zsh completion for aula, made by: aula completion zsh\n\n"
           "_aula_rooms() {\n"
           "    _alternative 'files:room file:_files -g \"*.(cfg|json)(-.)\"' 'rooms:room that ships:(%s)'\n"
           "}\n\n",
           c->rooms);
}

static void print_settings(const struct completion *c)
{
    printf("_aula_settings() {\n"
           "    if compset -P '*='; then\n"
           "        case ${${IPREFIX%%=}##*=} in\n");
    for (size_t i = 0; i < c->key_count; i++)
        if (*c->keys[i].list) {
            printf("        ");
            completion_print_quoted(c->keys[i].path, "[]", "\\", "");
            printf(") compadd -- %s ;;\n", c->keys[i].list);
        }
    printf("        esac\n"
           "        return\n"
           "    fi\n"
           "    local -a keys=(\n");
    for (size_t i = 0; i < c->key_count; i++) {
        printf("        '%s:", c->keys[i].path);
        print_meaning(c->keys[i].about);
        printf("'\n");
    }
    printf("    )\n"
           "    _describe key keys -S =\n"
           "}\n\n");
}

/* Prints the action of an _arguments specification. */
static void print_word(struct word word)
{
    switch (word.kind) {
    case WORD_NONE:
        putchar(' ');
        break;
    case WORD_FILE:
        if (!*word.list) {
            printf("_files");
            break;
        }
        printf("_files -g \"*.(");
        for (const char *at = word.list; *at; at++)
            putchar(*at == ' ' ? '|' : *at);
        printf(")(-.)\"");
        break;
    case WORD_ROOM:
        printf("_aula_rooms");
        break;
    case WORD_SETTING:
        printf("_aula_settings");
        break;
    case WORD_LIST:
        putchar('(');
        completion_print_list(word.list);
        putchar(')');
    }
}

static void begin_command(const struct completion *c, const struct command *command)
{
    (void)c;
    printf("    %s)\n        _arguments \\\n", command->name);
}

static void print_option(const struct completion *c, const struct command *command, const struct option_row *row,
                         struct word value)
{
    (void)c, (void)command;
    const char *equals = row->kind == OPTION_FLAG ? "" : "=";
    printf("            '");
    if (row->kind == OPTION_SETTING || row->kind == OPTION_NAME)
        putchar('*');
    else if (row->letter)
        printf("(-%c --%s)", row->letter, row->name);
    if (row->letter)
        printf("'{-%c,--%s%s}'[", row->letter, row->name, equals);
    else
        printf("--%s%s[", row->name, equals);
    print_meaning(row->meaning);
    printf("]");
    if (row->kind != OPTION_FLAG) {
        printf(":");
        print_meaning(row->argument);
        printf(":");
        print_word(value);
    }
    printf("' \\\n");
}

static void end_command(const struct completion *c, const struct command *command, struct word argument)
{
    (void)c;
    if (argument.kind == WORD_NONE) {
        printf("            ''\n");
    } else {
        printf("            '*:");
        print_meaning(command->name);
        printf(":");
        print_word(argument);
        printf("'\n");
    }
    printf("        ;;\n");
}

static const struct completion_printer printer = {begin_command, print_option, end_command};

void completion_print_zsh(const struct completion *c)
{
    print_helpers(c);
    print_settings(c);
    printf("_aula() {\n"
           "    if ((CURRENT == 2)); then\n"
           "        local -a commands=(\n");
    for (size_t i = 0; commands[i]; i++) {
        printf("            '%s:", commands[i]->name);
        print_meaning(commands[i]->meaning);
        printf("'\n");
    }
    printf("            '--help:show all commands'\n"
           "            '--version:show the version'\n"
           "        )\n"
           "        _describe command commands\n"
           "        return\n"
           "    fi\n"
           "    local command=$words[2]\n"
           "    shift words\n"
           "    ((CURRENT--))\n"
           "    case $command in\n");
    completion_walk(c, &printer);
    printf("    esac\n"
           "}\n\n"
           "# read by the completion system, or with source\n"
           "if [ \"$funcstack[1]\" = _aula ]; then\n"
           "    _aula \"$@\"\n"
           "else\n"
           "    compdef _aula aula\n"
           "fi\n");
}
