/* SPDX-License-Identifier: MIT */
#include "base/json_syntax.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

enum { DEPTH_MAX = 500 }; /* half of cJSON's limit, far beyond what aula writes */

/* Parsers: each returns the position after its part; NULL: no match. */
static const char *value(const char *at, int depth);

static const char *space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *literal(const char *at, const char *wanted)
{
    const size_t length = strlen(wanted);
    return strncmp(at, wanted, length) ? NULL : at + length;
}

static const char *digits(const char *at)
{
    const size_t count = strspn(at, "0123456789");
    return count ? at + count : NULL;
}

static const char *number(const char *at)
{
    at += *at == '-';
    at = *at == '0' ? at + 1 : digits(at);
    if (at && *at == '.')
        at = digits(at + 1);
    if (at && (*at == 'e' || *at == 'E'))
        at = digits(at + 1 + (at[1] == '+' || at[1] == '-'));
    return at;
}

static const char *escape(const char *at)
{
    if (at[1] != 'u')
        return at[1] && strchr("\"\\/bfnrt", at[1]) ? at + 2 : NULL;
    for (int i = 2; i < 6; i++)
        if (!isxdigit((unsigned char)at[i]))
            return NULL;
    const bool surrogate = (at[2] == 'd' || at[2] == 'D') && !(at[3] >= '0' && at[3] <= '7');
    return surrogate ? NULL : at + 6;
}

static const char *string(const char *at)
{
    if (*at++ != '"')
        return NULL;
    while (at && *at != '"')
        at = *at == '\\' ? escape(at) : (unsigned char)*at >= 0x20 ? at + 1 : NULL;
    return at ? at + 1 : NULL;
}

/* The members of { } or [ ], from after the opening bracket to after `closing`. */
static const char *members(const char *at, char closing, int depth)
{
    at = space(at);
    if (*at == closing)
        return at + 1;
    for (;;) {
        if (closing == '}') {
            at = string(space(at));
            at = at ? space(at) : NULL;
            if (!at || *at++ != ':')
                return NULL;
        }
        at = value(at, depth);
        if (!at || (*at != ',' && *at != closing))
            return NULL;
        if (*at++ == closing)
            return at;
    }
}

static const char *value(const char *at, int depth)
{
    at = space(at);
    const char *end = *at == '{' || *at == '['                    ? NULL
                      : *at == '"'                                ? string(at)
                      : *at == '-' || isdigit((unsigned char)*at) ? number(at)
                      : *at == 't'                                ? literal(at, "true")
                      : *at == 'f'                                ? literal(at, "false")
                                                                  : literal(at, "null");
    if ((*at == '{' || *at == '[') && depth < DEPTH_MAX)
        end = members(at + 1, *at == '{' ? '}' : ']', depth + 1);
    return end ? space(end) : NULL;
}

bool json_is_sound(const char *text)
{
    const char *end = value(text, 0);
    return end && !*end;
}
