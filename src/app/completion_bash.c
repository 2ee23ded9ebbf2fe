/* SPDX-License-Identifier: MIT */
/* The completion script for bash, which offers words without descriptions. */
#include <stdio.h>

#include "app/completion.h"

static void print_helpers(const struct completion *c)
{
    printf("# bash completion for aula, made by: aula completion bash\n\n"
           "_aula_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\"); }\n\n"
           "# _aula_files SUFFIX ...: files with these suffixes; every file without a suffix\n"
           "_aula_files() {\n"
           "    local suffix\n"
           "    compopt -o filenames 2>/dev/null\n"
           "    mapfile -t COMPREPLY < <(\n"
           "        [ $# -gt 0 ] || compgen -f -- \"$cur\"\n"
           "        [ $# -eq 0 ] || compgen -d -- \"$cur\"\n"
           "        for suffix; do compgen -f -X \"!*.$suffix\" -- \"$cur\"; done)\n"
           "}\n\n"
           "_aula_rooms() {\n"
           "    _aula_files " ROOM_SUFFIXES "\n"
           "    mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -W '%s' -- \"$cur\")\n"
           "}\n\n",
           c->rooms);
}

/* bash splits words at =, so the key may be a word of its own. */
static void print_settings(const struct completion *c)
{
    printf("_aula_settings() {\n"
           "    case $key in\n"
           "    '')\n"
           "        compopt -o nospace 2>/dev/null\n"
           "        _aula_words '");
    for (size_t i = 0; i < c->key_count; i++)
        printf("%s%s=", i ? " " : "", c->keys[i].path);
    printf("' ;;\n");
    for (size_t i = 0; i < c->key_count; i++)
        if (*c->keys[i].list)
            printf("    '%s') _aula_words '%s' ;;\n", c->keys[i].path, c->keys[i].list);
    printf("    esac\n}\n\n");
}

/* Prints the command of a case branch. */
static void print_word(struct word word)
{
    switch (word.kind) {
    case WORD_NONE:
        printf(":");
        break;
    case WORD_FILE:
        printf("_aula_files %s", word.list);
        break;
    case WORD_ROOM:
        printf("_aula_rooms");
        break;
    case WORD_SETTING:
        printf("_aula_settings");
        break;
    case WORD_LIST:
        printf("_aula_words '");
        completion_print_list(word.list);
        printf("'");
    }
    printf(" ;;\n");
}

/* ---- All options of a subcommand ---- */

static void begin_names(const struct completion *c, const struct command *command)
{
    (void)c;
    printf("        %s) _aula_words '", command->name);
}

static void print_name(const struct completion *c, const struct command *command, const struct option_row *row,
                       struct word value)
{
    (void)c, (void)value;
    printf("%s--%s", row == command->options[0] ? "" : " ", row->name);
    if (row->letter)
        printf(" -%c", row->letter);
}

static void end_names(const struct completion *c, const struct command *command, struct word argument)
{
    (void)c, (void)command, (void)argument;
    printf("' ;;\n");
}

static const struct completion_printer names = {begin_names, print_name, end_names};

/* ---- Values by the preceding word: an option that takes a value, or any other word ---- */

static void print_value(const struct completion *c, const struct command *command, const struct option_row *row,
                        struct word value)
{
    (void)c;
    if (row->kind == OPTION_FLAG)
        return;
    printf("    %s:--%s", command->name, row->name);
    if (row->letter)
        printf(" | %s:-%c", command->name, row->letter);
    printf(") ");
    print_word(value);
}

static void print_argument(const struct completion *c, const struct command *command, struct word argument)
{
    (void)c;
    printf("    %s:*) ", command->name);
    print_word(argument);
}

static const struct completion_printer words = {NULL, print_value, print_argument};

void completion_print_bash(const struct completion *c)
{
    print_helpers(c);
    print_settings(c);
    printf("_aula() {\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} at=$COMP_CWORD key='' before=''\n"
           "    COMPREPLY=()\n"
           "    if [ \"$at\" -le 1 ]; then\n"
           "        _aula_words '");
    for (size_t i = 0; commands[i]; i++)
        printf("%s ", commands[i]->name);
    printf("--help --version'\n"
           "        return\n"
           "    fi\n"
           "    case $cur in -*)\n"
           "        case ${COMP_WORDS[1]} in\n");
    completion_walk(c, &names);
    printf("        esac\n"
           "        return ;;\n"
           "    esac\n"
           "    if [ \"$cur\" = = ]; then # NAME=\n"
           "        cur='' key=${COMP_WORDS[at - 1]} at=$((at - 1))\n"
           "    elif [ \"${COMP_WORDS[at - 1]}\" = = ]; then # NAME=VALUE\n"
           "        key=${COMP_WORDS[at - 2]} at=$((at - 2))\n"
           "    fi\n"
           "    before=${COMP_WORDS[at - 1]}\n"
           "    case $key in --*) before=$key key='' ;; esac\n"
           "    case ${COMP_WORDS[1]}:$before in\n");
    completion_walk(c, &words);
    printf("    esac\n}\n\ncomplete -F _aula aula\n");
}
