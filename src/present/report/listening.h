/* SPDX-License-Identifier: MIT */
/* Audio players inside a page. */
#ifndef AULA_PRESENT_REPORT_LISTENING_H
#define AULA_PRESENT_REPORT_LISTENING_H

#include <stdint.h>
#include <stdio.h>

#include "io/audio_file.h"

#define PLAYER_LONGEST 30.0 /* s of a sound that go into a page */

/* A sound as 16-bit PCM WAV in fresh memory: `channels` channels from `first` on, times gain, rounded, cut at full
 * scale. Longer sounds fade out at PLAYER_LONGEST. Rates that browsers do not support (below 8 kHz, above 96 kHz)
 * are resampled to 48 kHz; others are rounded to whole Hz. */
int player_wav(uint8_t **bytes, size_t *count, const struct audio *a, size_t first, size_t channels, double gain,
               struct error *e);

/* <audio> with the sound inside; `label`, escaped, is for screen readers. A line of text for rates that cannot be
 * converted to 48 kHz. */
int listening_write(FILE *stream, const struct audio *a, size_t first, size_t channels, double gain, const char *label,
                    struct error *e);

#endif
