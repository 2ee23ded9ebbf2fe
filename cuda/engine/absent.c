/* SPDX-License-Identifier: MIT */
/* Stands in for links between GPUs in builds without them. */
#include "cuda/engine/link_library.h"

#include <stdio.h>

static const char *unavailable(void)
{
    return "aula was built without NCCL";
}

static void describe(char *text, size_t size)
{
    snprintf(text, size, "not available: %s", unavailable());
}

static int make_name(char name[LINK_NAME_BYTES], struct error *e)
{
    (void)name;
    return fail(e, ERROR_ENGINE, "%s", unavailable());
}

static int open(void **links, const char name[LINK_NAME_BYTES], int part, int count, struct error *e)
{
    (void)part;
    (void)count;
    (void)name;
    *links = NULL;
    return fail(e, ERROR_ENGINE, "%s", unavailable());
}

static int pass(void *links, const struct link_message *messages, int count, void *stream, struct error *e)
{
    (void)links;
    (void)messages;
    (void)count;
    (void)stream;
    return fail(e, ERROR_ENGINE, "%s", unavailable());
}

static int check(void *links, struct error *e)
{
    (void)links;
    return fail(e, ERROR_ENGINE, "%s", unavailable());
}

static void close(void *links, int broken)
{
    (void)links;
    (void)broken;
}

const struct link_library link_library = {"NCCL", unavailable, describe, make_name, open, pass, check, close};
