/* SPDX-License-Identifier: MIT */
#include "io/playback/device_match.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

enum fit { EQUAL, EQUAL_BUT_CASE, BEGINS, CONTAINS, FITS };

static bool fits(const char *name, const char *wanted, enum fit fit)
{
    switch (fit) {
    case EQUAL:
        return strcmp(name, wanted) == 0;
    case EQUAL_BUT_CASE:
        return strcasecmp(name, wanted) == 0;
    case BEGINS:
        return strncasecmp(name, wanted, strlen(wanted)) == 0;
    default:
        return strcasestr(name, wanted) != NULL;
    }
}

/* "0 hw, 3 default": those that fit, or all of them where wanted is NULL */
static void list_names(char *text, size_t size, const char *wanted, enum fit fit, const char *const *names,
                       size_t count)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && used < size; i++)
        if (!wanted || fits(names[i], wanted, fit))
            used += (size_t)snprintf(text + used, size - used, "%s%zu \"%s\"", used ? ", " : "", i, names[i]);
    if (used >= size)
        memcpy(text + size - 4, "...", 4);
}

static int unknown(const char *kind, const char *option, const char *wanted, const char *const *names, size_t count,
                   struct error *e)
{
    char text[600];
    ptrdiff_t closest = text_closest(wanted, names, count);
    if (closest >= 0)
        return fail(e, ERROR_USAGE, "no %s is called \"%s\"; did you mean %td \"%s\"? (%s shows all)", kind, wanted,
                    closest, names[closest], option);
    list_names(text, sizeof text, NULL, FITS, names, count);
    return fail(e, ERROR_USAGE, "no %s is called \"%s\"; available: %s", kind, wanted, text);
}

ptrdiff_t device_match(const char *kind, const char *option, const char *wanted, const char *const *names, size_t count,
                       struct error *e)
{
    if (wanted[0] && wanted[strspn(wanted, "0123456789")] == '\0') {
        unsigned long long number = strtoull(wanted, NULL, 10);
        if (number < count)
            return (ptrdiff_t)number;
        return fail(e, ERROR_USAGE, "there is no %s %s; they are numbered 0 to %zu", kind, wanted, count - 1);
    }
    for (enum fit fit = EQUAL; fit < FITS && wanted[0]; fit++) {
        size_t found = 0, last = 0;
        for (size_t i = 0; i < count; i++)
            if (fits(names[i], wanted, fit)) {
                found++;
                last = i;
            }
        if (found == 1)
            return (ptrdiff_t)last;
        if (found > 1) {
            char text[600];
            list_names(text, sizeof text, wanted, fit, names, count);
            return fail(e, ERROR_USAGE, "\"%s\" matches several %ss: %s; use the number", wanted, kind, text);
        }
    }
    return unknown(kind, option, wanted, names, count, e);
}
