/* SPDX-License-Identifier: MIT */
/* Detects WAV headers that libsndfile mishandles: it treats some files as empty and reads others forever. */
#ifndef AULA_IO_WAV_HEADER_H
#define AULA_IO_WAV_HEADER_H

#include <stdbool.h>
#include <sys/types.h>

/* Offset of the data length if it is 0 and more bytes follow than the header counts, because the writer wrote to a pipe
 * or was killed; else 0. */
off_t wav_missing_length(int descriptor);

/* Patches the header of a writable file so that the data extend to the end of the file. False: cannot write. */
bool wav_set_endless(int descriptor, off_t length_at);

/* Whether an entry of a LIST chunk is longer than the chunk or the file: libsndfile 1.2 reads such a list forever. */
bool wav_list_overflows(int descriptor);

/* Limits of sound files: formats of samples, number of channels. */

enum sample_format { FORMAT_FLOAT, FORMAT_DOUBLE, FORMAT_PCM24, FORMAT_PCM16 };
extern const char *const format_names[FORMAT_PCM16 + 1];

enum { AUDIO_CHANNELS_MAX = 1024 }; /* libsndfile's limit */

#endif
