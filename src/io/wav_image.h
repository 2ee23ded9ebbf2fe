/* SPDX-License-Identifier: MIT */
/* A WAV file in memory, whose channels are taken apart without a change of their samples. */
#ifndef AULA_IO_WAV_IMAGE_H
#define AULA_IO_WAV_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct wav_image {
    unsigned char *bytes; /* the whole file */
    const unsigned char *samples;
    size_t frames, channels, sample_bytes;
    uint32_t rate;   /* Hz */
    uint16_t coding; /* 1: integers, 3: floating point */
};

/* Reads a WAV or RF64 file that audio_write made. ERROR_INPUT, naming the path, if it is none; ERROR_MEMORY,
 * ERROR_STOPPED. Free in any case. */
int wav_image_read(struct wav_image *w, const char *path, struct error *e);
void wav_image_free(struct wav_image *w);

/* Fresh bytes of a WAV file with channels `first` to first + channels - 1: a header of 44 or 56 bytes, then the same
 * samples, bit by bit. ERROR_FAILED beyond 4 GB, which is the limit of WAV; ERROR_MEMORY. */
int wav_image_take(unsigned char **bytes, size_t *count, const struct wav_image *w, size_t first, size_t channels,
                   struct error *e);

#endif
