/* SPDX-License-Identifier: MIT */
/* Calls into libraries that may hang. */
#ifndef AULA_IO_PLAYBACK_LIMITED_CALL_H
#define AULA_IO_PLAYBACK_LIMITED_CALL_H

#include <stdbool.h>

/* Runs function(argument) in a new thread and waits `seconds` at most. True: it has returned. False: it may still run
 * and use the argument, which must stay valid; the process can exit nevertheless. Where no thread can be created the
 * function is called directly. */
bool limited_call(void (*function)(void *argument), void *argument, double seconds);

#endif
