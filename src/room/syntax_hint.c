/* SPDX-License-Identifier: MIT */
#include "room/syntax_hint.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *line_of(const char *text, int line)
{
    for (; line > 1 && text; line--) {
        text = strchr(text, '\n');
        text += text != NULL;
    }
    return text ? text : "";
}

static bool is_end(char c)
{
    return !c || c == '\n' || c == '\r';
}

static const char *skip_spaces(const char *at)
{
    return at + strspn(at, " \t");
}

static const char *skip_string(const char *at)
{
    for (at++; !is_end(*at) && *at != '"'; at++)
        at += *at == '\\' && !is_end(at[1]);
    return at + (*at == '"');
}

static size_t name_length(const char *at)
{
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_' || at[n] == '-')
        n++;
    return n;
}

static bool is_any(const char *at, size_t length, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == length && !strncasecmp(at, *words, length))
            return true;
    return false;
}

/* A word that libconfig does not take: a text without quotes, or a key without its equals sign. */
static bool tell_name(char hint[SYNTAX_HINT], const char *at, size_t length, char before)
{
    static const char *const values[] = {"true", "false", "nan", "inf", "infinity", NULL};
    const char *after = skip_spaces(at + length);
    const int shown = length < 48 ? (int)length : 48;
    if (*after == '=' || *after == ':' || is_any(at, length, values))
        return false;
    if (before && strchr("=:[(,", before))
        snprintf(hint, SYNTAX_HINT, "%.*s: a text stands in quotes, \"%.*s\"", shown, at, shown, at);
    else if (!is_end(*after) && strchr("\"[({+-.0123456789", *after))
        snprintf(hint, SYNTAX_HINT, "= is missing after %.*s", shown, at);
    else
        return false;
    return true;
}

/* Bytes of a number as libconfig reads it. */
static size_t number_length(const char *at)
{
    size_t n = strspn(at, "+-");
    if (at[n] == '0' && (at[n + 1] == 'x' || at[n + 1] == 'X'))
        return n + 2 + strspn(at + n + 2, "0123456789abcdefABCDEF");
    n += strspn(at + n, "0123456789.");
    const size_t exponent = n + 1 + strspn(at + n + (at[n] != '\0'), "+-");
    if ((at[n] == 'e' || at[n] == 'E') && isdigit((unsigned char)at[exponent]))
        n = exponent + strspn(at + exponent, "0123456789");
    while (at[n] == 'L')
        n++;
    return n;
}

/* A number with a unit, or with a decimal comma where no list is. */
static bool tell_number(char hint[SYNTAX_HINT], const char *at, size_t length, int depth)
{
    const char *unit = skip_spaces(at + length);
    const size_t letters = *unit == '%' ? 1 : strncmp(unit, "°", strlen("°")) ? name_length(unit) : strlen("°");
    const int shown = length < 40 ? (int)length : 40;
    if (letters && (length < 40) && letters < 40)
        snprintf(hint, SYNTAX_HINT, "%.*s%s%.*s: give the number alone; aula info --keys names the unit of each key",
                 (int)length, at, unit > at + length ? " " : "", (int)letters, unit);
    else if (!depth && at[length] == ',' && isdigit((unsigned char)at[length + 1])) {
        const int rest = (int)strspn(at + length + 1, "0123456789");
        snprintf(hint, SYNTAX_HINT, "%.*s,%.*s: decimals take a point, %.*s.%.*s", shown, at, rest < 20 ? rest : 20,
                 at + length + 1, shown, at, rest < 20 ? rest : 20, at + length + 1);
    } else {
        return false;
    }
    return true;
}

const char *syntax_hint(char hint[SYNTAX_HINT], const char *text, int line)
{
    char before = '\0'; /* the last character that is neither space nor within a text */
    int depth = 0;      /* of ( and [ */
    *hint = '\0';
    for (const char *at = line_of(text, line); !is_end(*at);) {
        const size_t name = isalpha((unsigned char)*at) ? name_length(at) : 0;
        const bool number =
            isdigit((unsigned char)*at) || ((*at == '-' || *at == '+') && isdigit((unsigned char)at[1]));
        size_t length = name ? name : number ? number_length(at) : 1;
        if (*at == '#' || !strncmp(at, "//", 2) || !strncmp(at, "/*", 2))
            return hint;
        if ((name && tell_name(hint, at, name, before)) || (number && tell_number(hint, at, length, depth)))
            return hint;
        if (*at == '\'') {
            snprintf(hint, SYNTAX_HINT, "a text stands in double quotes, \"..\"");
            return hint;
        }
        depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        if (*at == '"')
            length = (size_t)(skip_string(at) - at);
        if (*at != ' ' && *at != '\t')
            before = *at;
        at += length;
    }
    return hint;
}
