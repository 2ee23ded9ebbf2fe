/* SPDX-License-Identifier: MIT */
/* Stands in for netCDF in a build without it: SOFA files are neither read nor written. */
#include <stdio.h>

#include "io/sofa/library.h"

static const char *unavailable(void)
{
    return "this aula was built without netCDF";
}

static void describe(char *text, size_t size)
{
    snprintf(text, size, "%s", unavailable());
}

/* Never asked to read or write: unavailable() gives a reason. */
const struct sofa_library sofa_library = {.name = "netCDF", .unavailable = unavailable, .describe = describe};
