/* SPDX-License-Identifier: MIT */
/* The logo of a report, and a page whose decimal sign is changed. */
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "present/report/decimals.h"
#include "present/report/logo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *why;
    if (!logo_type(&why, data, size) && !why)
        abort();
    char *page = malloc(size + 1);
    if (page) {
        memcpy(page, data, size);
        page[size] = '\0';
        decimals_set(page, ',');
    }
    free(page);
    return 0;
}
