/* SPDX-License-Identifier: MIT */
#include "io/playback/limited_call.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

struct call {
    void (*function)(void *);
    void *argument;
};

static void *run(void *context)
{
    struct call call = *(struct call *)context;
    free(context);
    call.function(call.argument);
    return NULL;
}

/* The new thread takes no signals. */
static int start(pthread_t *thread, struct call *call)
{
    sigset_t all, kept;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &kept);
    int status = pthread_create(thread, NULL, run, call);
    pthread_sigmask(SIG_SETMASK, &kept, NULL);
    return status;
}

bool limited_call(void (*function)(void *), void *argument, double seconds)
{
    pthread_t thread;
    struct call *call = malloc(sizeof *call);
    if (call)
        *call = (struct call){function, argument};
    if (!call || start(&thread, call) != 0) {
        free(call);
        function(argument);
        return true;
    }
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    double end = (double)until.tv_nsec * 1e-9 + seconds;
    until.tv_sec += (time_t)end;
    until.tv_nsec = (long)((end - (double)(time_t)end) * 1e9);
    if (pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &until) == 0)
        return true;
    pthread_detach(thread);
    return false;
}
