#include "base/stop.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t requested; /* number of the signal, or 0 */

static void on_signal(int number)
{
    requested = number;
    signal(number, SIG_DFL); /* async-signal-safe */
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
    return requested != 0;
}

int stop_check(struct error *e)
{
    return requested ? fail(e, ERROR_STOPPED, "stopped on request") : 0;
}

void stop_die(void)
{
    if (requested) {
        signal(requested, SIG_DFL);
        raise(requested);
    }
}

void stop_die_unread(void)
{
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}
