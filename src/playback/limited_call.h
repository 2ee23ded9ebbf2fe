/* Calls into libraries that may never come back. */
#ifndef AULA_PLAYBACK_LIMITED_CALL_H
#define AULA_PLAYBACK_LIMITED_CALL_H

#include <stdbool.h>

/* Runs function(argument) in a thread of its own and waits `seconds` at most. True when it has returned. False: it is left
 * behind and may still use the argument, which has to stay; the process can end all the same. Where no thread can be
 * made the function is called directly. */
bool limited_call(void (*function)(void *argument), void *argument, double seconds);

#endif
