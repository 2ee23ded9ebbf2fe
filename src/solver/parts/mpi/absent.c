/* SPDX-License-Identifier: MIT */
/* Stands in for MPI in a build without it, where parts are threads of one process. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/parts/processes.h"

static const char *unavailable(void)
{
    return "aula was built without MPI";
}

static void describe(char *text, size_t size)
{
    snprintf(text, size, "%s", unavailable());
}

/* Whether Open MPI's mpirun started several processes, each of which would do the whole work. */
static bool started(void)
{
    const char *size = getenv("OMPI_COMM_WORLD_SIZE");
    return size && strcmp(size, "1") != 0;
}

static int open(struct transport **t, struct error *e)
{
    *t = NULL;
    return fail(e, ERROR_USAGE, "%s; install libopenmpi-dev and rebuild, or start aula without mpirun", unavailable());
}

static void close(struct transport *t)
{
    (void)t;
}

const struct process_library process_library = {
    .name = "MPI", .unavailable = unavailable, .describe = describe, .started = started, .open = open, .close = close};
