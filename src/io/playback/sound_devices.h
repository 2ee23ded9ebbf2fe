/* SPDX-License-Identifier: MIT */
/* Sound cards, through PortAudio. */
#ifndef AULA_IO_PLAYBACK_SOUND_DEVICES_H
#define AULA_IO_PLAYBACK_SOUND_DEVICES_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* Prints a line for each device, or a line that says why there is none. */
void sound_devices_print(FILE *stream);

/* For --list: a line a device with its number, name, system and channels, the default one marked. No device is an error
 * (ERROR_FAILED) that says why. */
int sound_devices_list(FILE *stream, struct error *e);

/* Index of the name that `wanted` means: its number, else a name equal to it, equal but for letter case, the only one
 * that begins with it, the only one that contains it (letter case ignored). Otherwise -1 and ERROR_USAGE, with the
 * names that fit or else the closest ones. */
ptrdiff_t sound_device_match(const char *wanted, const char *const *names, size_t count, struct error *e);

#endif
