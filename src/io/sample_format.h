/* SPDX-License-Identifier: MIT */
/* Limits of sound files: formats of samples, number of channels. */
#ifndef AULA_IO_SAMPLE_FORMAT_H
#define AULA_IO_SAMPLE_FORMAT_H

enum sample_format { FORMAT_FLOAT, FORMAT_DOUBLE, FORMAT_PCM24, FORMAT_PCM16 };
extern const char *const format_names[FORMAT_PCM16 + 1];

enum { AUDIO_CHANNELS_MAX = 1024 }; /* libsndfile's limit */

#endif
