/* SPDX-License-Identifier: MIT */
#include "base/stop.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>

/* Free of locks, so that handlers of signals may set them. */
static atomic_int requested; /* number of the signal, or 0 */
static atomic_bool work_ends;

static void on_signal(int number)
{
    atomic_store(&requested, number);
    signal(SIGINT, SIG_DFL); /* async-signal-safe */
    signal(SIGTERM, SIG_DFL);
}

void stop_on_signals(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file size limit then is a write error with a message */
}

bool stop_requested(void)
{
    return atomic_load_explicit(&requested, memory_order_relaxed) != 0 ||
           atomic_load_explicit(&work_ends, memory_order_relaxed);
}

void stop_work(bool wanted)
{
    atomic_store(&work_ends, wanted);
}

bool stop_signalled(void)
{
    return atomic_load_explicit(&requested, memory_order_relaxed) != 0;
}

void stop_no_more_by_sigterm(void)
{
    int term = SIGTERM;
    signal(SIGTERM, SIG_IGN);
    atomic_compare_exchange_strong(&requested, &term, 0);
}

bool stop_terminated(void)
{
    return atomic_load(&requested) == SIGTERM;
}

int stop_check(struct error *e)
{
    return stop_requested() ? fail(e, ERROR_STOPPED, "stopped on request") : 0;
}

void stop_die(void)
{
    const int number = atomic_load(&requested);
    if (number) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

void stop_die_unread(void)
{
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}
