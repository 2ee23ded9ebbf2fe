/* SPDX-License-Identifier: MIT */
#include "solver/find_kernel.h"

#include <string.h>

#include "base/text.h"

enum { NAMES_MAX = 64 };

int find_kernel(size_t *index, const struct kernel_table *table, const char *wanted, struct error *e)
{
    const char *names[NAMES_MAX], *name, *reason;
    size_t count = 0;
    for (*index = 0; count < NAMES_MAX && (name = table->at(table->context, *index, &reason)); ++*index) {
        names[count++] = name;
        if (wanted ? strcmp(wanted, name) != 0 : reason != NULL)
            continue;
        return reason ? fail(e, ERROR_ENGINE, "the %s kernel cannot be used: %s", wanted, reason) : 0;
    }
    char hint[HINT];
    return fail(e, ERROR_USAGE, "--kernel %s: unknown kernel of the %s engine%s%s%s%s", wanted ? wanted : "",
                table->engine, table->scheme ? " for the " : "", table->scheme ? table->scheme : "",
                table->scheme ? " scheme" : "", text_hint(hint, wanted ? wanted : "", names, count));
}
