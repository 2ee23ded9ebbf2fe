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

/* device_match among sound cards. */
ptrdiff_t sound_device_match(const char *wanted, const char *const *names, size_t count, struct error *e);

#endif
