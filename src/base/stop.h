/* SPDX-License-Identifier: MIT */
/* Ctrl-C and SIGTERM request a stop; computations check the flag between blocks. A second one ends the program. */
#ifndef AULA_BASE_STOP_H
#define AULA_BASE_STOP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

void stop_on_signals(void);
bool stop_requested(void);
bool stop_terminated(void); /* by SIGTERM */

/* Marks the work as complete: a SIGTERM, even a pending one, has no effect. */
void stop_no_more_by_sigterm(void);

/* Whether a signal has come; stop_work is none. */
bool stop_signalled(void);

/* Requests a stop like a signal, until revoked, to end computations in other threads. Async-signal-safe. */
void stop_work(bool wanted);

/* 0, or -1 with ERROR_STOPPED once a stop is requested. */
int stop_check(struct error *e);

/* For loops over samples: checks the flag every 32768 turns, a fraction of a millisecond of work. */
static inline bool stop_requested_at(size_t turn)
{
    return turn % 32768 == 0 && stop_requested();
}

/* At the end of the program, after cleaning up: dies by the signal that requested the stop, if any, so that a shell
 * loop around aula ends as well. */
void stop_die(void);

/* Dies by SIGPIPE without a message, as programs do whose reader is gone. The signal itself is ignored during the work,
 * so that an unread message does not lose a result. */
void stop_die_unread(void);

#endif
