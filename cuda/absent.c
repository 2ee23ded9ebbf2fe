/* SPDX-License-Identifier: MIT */
/* Stands in for the CUDA engine in a build without a CUDA compiler. */
#include <stdio.h>

#include "solver/engine.h"

static const char *unavailable(void)
{
    return "aula was built without CUDA";
}

static void describe(char *text, size_t size)
{
    snprintf(text, size, "%s", unavailable());
}

static const char *kernel_name(const struct scheme *scheme, size_t index)
{
    (void)scheme;
    (void)index;
    return NULL;
}

/* Never opened: unavailable() gives a reason. */
const struct engine cuda_engine = {
    .name = "cuda", .unavailable = unavailable, .describe = describe, .kernel_name = kernel_name, .absent = true};
