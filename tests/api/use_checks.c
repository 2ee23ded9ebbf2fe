/* SPDX-License-Identifier: MIT */
/* Checks, and a render that the other parts use. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "use_aula.h"

int failures;
struct aula_error error;

void check(int good, const char *what)
{
    printf("%s  %s\n", good ? "ok   " : "FAIL ", what);
    failures += !good;
}

void give_up(const struct aula_error *e)
{
    printf("FAIL   %s\n", e->message);
    exit(1);
}

void poison(void)
{
    error.exit_status = 77;
    memset(error.message, 'x', sizeof error.message - 1);
}

/* The call failed as a wrong use does, and its message names the culprit. */
void check_refused(int status, const char *culprit, const char *what)
{
    check(status != 0 && error.exit_status == 2 && strlen(error.message) < 400 &&
              strstr(error.message, culprit) != NULL,
          what);
    poison();
}

int same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static int count_calls(void *context, double share)
{
    int *calls = (int *)context;
    ++*calls;
    return !(share >= 0.0 && share <= 1.0); /* a share that is none stops the work */
}

struct aula_options options_of(int threads)
{
    struct aula_options options;
    memset(&options, 0, sizeof options);
    options.engine = "cpu";
    options.threads = threads;
    return options;
}

struct aula_response *render(const struct aula_room *room, size_t source)
{
    struct aula_options options = options_of(1);
    struct aula_response *response = NULL;
    int calls = 0;
    options.progress = count_calls;
    options.context = &calls;
    if (aula_render(&response, room, source, &options, &error))
        give_up(&error);
    check(calls > 0, "progress was called");
    return response;
}
