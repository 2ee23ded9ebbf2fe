/* SPDX-License-Identifier: MIT */
/* Rows of the table of commands hold what the parser, --help and completion read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <string.h>

#include "app/cmd.h"

#include <cmocka.h>

static bool is_line(const char *text)
{
    return text && *text && !strchr(text, '\n');
}

static void each_command_is_complete(void **state)
{
    (void)state;
    for (size_t i = 0; commands[i]; i++) {
        const struct command *c = commands[i];
        if (!is_line(c->name) || strspn(c->name, "abcdefghijklmnopqrstuvwxyz-") != strlen(c->name))
            fail_msg("command %zu: no name in lower-case letters and -", i);
        if (!is_line(c->meaning))
            fail_msg("aula %s: lacks a line of `meaning`", c->name);
        if (!c->run)
            fail_msg("aula %s: lacks `run`", c->name);
        if (!c->options || !c->options[0])
            fail_msg("aula %s: lacks `options`", c->name);
        if (!c->synopsis && !c->argument_name)
            fail_msg("aula %s: lacks `synopsis` or `argument_name`", c->name);
        if (c->arguments_min > c->arguments_max)
            fail_msg("aula %s: `arguments_min` exceeds `arguments_max`", c->name);
        if (c->options_size < sizeof(struct common_options))
            fail_msg("aula %s: `options_size` is not that of a struct with common_options", c->name);
        for (size_t k = 0; k < i; k++)
            if (!strcmp(c->name, commands[k]->name))
                fail_msg("aula %s: is there twice", c->name);
    }
}

/* An option of a group that the command's struct lacks would be stored elsewhere. */
static void each_option_has_a_place(void **state)
{
    (void)state;
    for (size_t i = 0; commands[i]; i++) {
        const struct command *c = commands[i];
        for (size_t k = 0; c->options[k]; k++) {
            const struct option_row *row = c->options[k];
            const bool grouped = row->group > GROUP_COMMON;
            if (!is_line(row->name) || !is_line(row->meaning))
                fail_msg("aula %s: option %zu lacks a name or `meaning`", c->name, k);
            if (grouped && !c->groups[row->group])
                fail_msg("aula %s: no place for the group of --%s in `groups`", c->name, row->name);
            if (c->groups[row->group] + row->offset >= c->options_size)
                fail_msg("aula %s: --%s lies outside `options_size`", c->name, row->name);
            if (row->kind != OPTION_FLAG && !row->argument)
                fail_msg("aula %s: --%s lacks the name of its argument", c->name, row->name);
        }
    }
}

static void each_command_has_help(void **state)
{
    (void)state;
    for (size_t i = 0; commands[i]; i++) {
        bool has = false;
        for (size_t k = 0; commands[i]->options[k]; k++)
            has = has || commands[i]->options[k] == &option_help;
        if (!has)
            fail_msg("aula %s: lacks --help", commands[i]->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_command_is_complete),
        cmocka_unit_test(each_option_has_a_place),
        cmocka_unit_test(each_command_has_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
