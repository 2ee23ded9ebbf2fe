/* SPDX-License-Identifier: MIT */
/* Chooses a device by its number or name. */
#ifndef AULA_IO_PLAYBACK_DEVICE_MATCH_H
#define AULA_IO_PLAYBACK_DEVICE_MATCH_H

#include <stddef.h>

#include "base/error.h"

/* Index of the name that `wanted` means: its number, else a name equal to it, equal but for letter case, the only one
 * that begins with it, the only one that contains it (letter case ignored). Otherwise -1 and ERROR_USAGE, with the
 * names that fit or else the closest ones. kind: "sound card"; option: the one that lists them, "--list". */
ptrdiff_t device_match(const char *kind, const char *option, const char *wanted, const char *const *names, size_t count,
                       struct error *e);

#endif
