/* PortAudio's beginning and end, kept quiet and survived. For the files of this folder. */
#ifndef AULA_PLAYBACK_SOUND_SYSTEM_H
#define AULA_PLAYBACK_SOUND_SYSTEM_H

#include <stdbool.h>

#include "base/error.h"

#define SOUND_ADVICE "write a file instead (aula render, aula auralize: -o FILE)"

/* Pa_Initialize without what the libraries below it write to stderr; tried in a child process first, because where no
 * sound system is set up they are known to abort, and to hang. Fills *e when there is no sound system. */
int sound_system_open(struct error *e);

/* Pa_Terminate; not after something of PortAudio was left behind. */
void sound_system_close(void);

/* What was opened hangs and stays: no other player in this process. */
void sound_system_abandon(void);
bool sound_system_abandoned(void);

/* Runs function(context) while nothing reaches stderr. */
void sound_system_quietly(void (*function)(void *context), void *context);

/* Pa_Initialize, quietly and nothing else; returns its PaError. */
int sound_system_begin(void);

/* Runs function(context) in a child process, for `seconds` at most. Its exit status is what the function returns; -1
 * when it did not end by itself. */
int sound_system_in_child(int (*function)(void *context), void *context, double seconds);

#endif
