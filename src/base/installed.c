/* SPDX-License-Identifier: MIT */
#include "base/installed.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

bool is_installed(const char *name)
{
    const char *at = getenv("PATH");
    while (at && *at) {
        const size_t length = strcspn(at, ":");
        char *path = text_format("%.*s/%s", (int)length, at, name);
        const bool found = path && length && !access(path, X_OK);
        free(path);
        if (found)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}
