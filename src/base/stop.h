/* Ctrl-C and SIGTERM ask for a stop; work looks at the flag between blocks. A second one ends the program at once. */
#ifndef AULA_BASE_STOP_H
#define AULA_BASE_STOP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

void stop_on_signals(void);
bool stop_requested(void);

/* 0, or -1 with ERROR_STOPPED once a stop is requested. */
int stop_check(struct error *e);

/* For loops over many samples: looks at the flag once in 32768 turns, a fraction of a millisecond of work. */
static inline bool stop_requested_at(size_t turn)
{
    return turn % 32768 == 0 && stop_requested();
}

/* At the end of the program, when all is cleaned up: dies by the signal that asked for the stop, if one did, so that a shell
 * that runs aula in a loop sees that people want it to end, not this run alone. */
void stop_die(void);

/* Dies by SIGPIPE, silently, as programs do that write for nobody. The signal itself is ignored while work is done: a
 * message that nobody reads is no reason to lose a result. */
void stop_die_unread(void);

#endif
