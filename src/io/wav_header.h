/* SPDX-License-Identifier: MIT */
/* WAV headers that libsndfile does not handle: it takes some files for empty, and reads others for ever. */
#ifndef AULA_IO_WAV_HEADER_H
#define AULA_IO_WAV_HEADER_H

#include <stdbool.h>
#include <sys/types.h>

/* Where the length of the data stands in the file, when it is 0 and more bytes follow than the header counts: the writer
 * wrote to a pipe, or was killed. 0: not so. */
off_t wav_missing_length(int descriptor);

/* Has a file that was opened to be written tell readers that its data go on to its end. False: it cannot be written. */
bool wav_set_endless(int descriptor, off_t length_at);

/* Whether an entry of a LIST chunk is longer than the chunk or the file: libsndfile 1.2 reads such a list for ever. */
bool wav_list_overflows(int descriptor);

/* Limits of sound files: formats of samples, number of channels. */

enum sample_format { FORMAT_FLOAT, FORMAT_DOUBLE, FORMAT_PCM24, FORMAT_PCM16 };
extern const char *const format_names[FORMAT_PCM16 + 1];

enum { AUDIO_CHANNELS_MAX = 1024 }; /* libsndfile's limit */

#endif
