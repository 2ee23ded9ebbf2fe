/* SPDX-License-Identifier: MIT */
/* Stands in for Embree in a build without it: rays go through our own tree. */
#include <stdio.h>

#include "geometry/rays/library.h"

static const char *unavailable(void)
{
    return "this aula was built without Embree";
}

static void describe(char *text, size_t size)
{
    snprintf(text, size, "%s", unavailable());
}

/* Never asked for a walk: unavailable() gives a reason. */
const struct ray_library ray_library = {.name = "embree", .unavailable = unavailable, .describe = describe};
