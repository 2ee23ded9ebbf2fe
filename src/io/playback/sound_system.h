/* SPDX-License-Identifier: MIT */
/* Initialisation and termination of PortAudio, without its messages. For the files of this folder. */
#ifndef AULA_IO_PLAYBACK_SOUND_SYSTEM_H
#define AULA_IO_PLAYBACK_SOUND_SYSTEM_H

#include <stdbool.h>

#include "base/error.h"

#define SOUND_ADVICE "write a file instead (aula render, aula synth, aula auralize: -o FILE)"

/* Pa_Initialize, without what its libraries write to stderr; tried in a child process first, because they may abort or
 * hang where no sound system is set up. Fills *e when there is no sound system. */
int sound_system_open(struct error *e);

/* Pa_Terminate; does nothing after sound_system_abandon. */
void sound_system_close(void);

/* Notes that a stream hangs and stays open: no other player in this process. */
void sound_system_abandon(void);
bool sound_system_abandoned(void);

/* Runs function(context) while nothing reaches stderr. */
void sound_system_quietly(void (*function)(void *context), void *context);

/* Pa_Initialize, quietly and nothing else; returns its PaError. */
int sound_system_begin(void);

/* Runs function(context) in a child process, for `seconds` at most. Returns the result of the function; -1: the child
 * did not exit by itself. */
int sound_system_in_child(int (*function)(void *context), void *context, double seconds);

/* Calls into libraries that may hang. */

/* Runs function(argument) in a new thread and waits `seconds` at most. True: it has returned. False: it may still run
 * and use the argument, which must stay valid; the process can exit nevertheless. Where no thread can be created the
 * function is called directly. */
bool limited_call(void (*function)(void *argument), void *argument, double seconds);

#endif
