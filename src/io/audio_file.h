/* SPDX-License-Identifier: MIT */
/* Sound files through libsndfile: the only place that knows it. */
#ifndef AULA_IO_AUDIO_FILE_H
#define AULA_IO_AUDIO_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/checksum.h"
#include "base/error.h"
#include "base/output_file.h"
#include "io/wav_header.h"

struct audio {
    double *samples; /* [channels][frames] (planar) */
    size_t channels, frames;
    double rate;                  /* Hz */
    char checksum[CHECKSUM_TEXT]; /* checksum of the file, if it has a sidecar; else "" */
    bool lengthless;              /* the header states no length: read to the end */
};

/* Reads a whole sound file in any format of libsndfile; "-" is standard input. Integer formats map to -1..1. ERROR_INPUT,
 * with the path and the reason of libsndfile, also for an empty file and for samples that are not finite. ERROR_MEMORY
 * before allocation if the memory does not suffice. On failure *a is zero. */
int audio_read(struct audio *a, const char *path, struct error *e);
void audio_free(struct audio *a);

/* Like audio_read; *comment is the comment of the file, to be freed, or NULL. */
int audio_read_with_comment(struct audio *a, char **comment, const char *path, struct error *e);

/* The title of a sound file in fresh memory; NULL: none. */
char *audio_title(const char *path);

struct audio_description {
    enum sample_format format;
    const char *title;           /* one line, or NULL */
    const char *description;     /* one line, or NULL */
    const char *const *channels; /* [channels] a name for each (or NULL); in an iXML chunk and in the comment */
};

struct audio_written {
    double gain;    /* applied so that an integer format does not clip; 1: not needed */
    uint64_t bytes; /* size of the file */
    bool rf64;
    char checksum[CHECKSUM_TEXT]; /* of the file */
};

/* Writes WAV (RF64 when it would pass 4 GB), or FLAC when the path ends in .flac, under a temporary name and renames
 * it; the path "-" is standard output. rate is rounded to whole Hz in the header. Same input, same bytes: no time
 * stamps (no PEAK chunk), no library version, no dither. The float formats keep any level; pcm16 and pcm24 scale the
 * whole file by `gain` = 1/peak when the peak exceeds full scale, which is 1.0; +1.0 itself is the largest code, one
 * step less. At most AUDIO_CHANNELS_MAX channels. Its header holds 100 KB: a comment beyond 16 KB gives the number of
 * channels instead of their names, and an iXML chunk beyond 64 KB (some 600 channels) is left out. Samples that are not
 * finite, or beyond float in a float file, are ERROR_FAILED. `written` may be NULL. On failure nothing is left behind.
 * FLAC takes pcm16 and pcm24, at most 8 channels and 655350 Hz, and no iXML chunk. */
int audio_write(const char *path, const struct audio *a, const struct audio_description *d,
                struct audio_written *written, struct error *e);

/* As audio_write, into a file that the caller opened for that path and commits or discards. */
int audio_write_to(struct output_file *f, const struct audio *a, const struct audio_description *d,
                   struct audio_written *written, struct error *e);

bool audio_is_flac(const char *path);

/* Chooses the sample format by the file name: FLAC uses pcm24 unless a format was `given`, WAV any format. ERROR_USAGE if
 * FLAC does not support the format, the number of channels or the rate (Hz). */
int audio_format_settle(enum sample_format *format, bool given, const char *path, size_t channels, double rate,
                        struct error *e);

/* Whether a WAV of this size needs 64-bit chunk sizes. */
bool audio_needs_rf64(uint64_t frames, uint64_t channels, enum sample_format format);

#endif
