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
    char checksum[CHECKSUM_TEXT]; /* of the file that was read, where a JSON is beside it; else "" */
    bool lengthless;              /* the header gave no length: read to the end */
};

/* Reads a whole sound file of any format libsndfile knows, "-" from standard input, integer formats to -1..1.
 * ERROR_INPUT names the path and libsndfile's reason; an empty file and samples that are not finite are errors; more
 * than there is memory for is ERROR_MEMORY, before it is allocated. On failure *a is zero. */
int audio_read(struct audio *a, const char *path, struct error *e);
void audio_free(struct audio *a);

/* As audio_read, with the comment of the file in fresh memory; NULL: none. */
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

/* Settles the sample format of a file by its name: FLAC takes pcm24 where no format was `given`, WAV any. ERROR_USAGE
 * when FLAC cannot hold the format, that many channels or the rate in Hz. */
int audio_format_settle(enum sample_format *format, bool given, const char *path, size_t channels, double rate,
                        struct error *e);

/* Whether a WAV of this size needs 64-bit chunk sizes. */
bool audio_needs_rf64(uint64_t frames, uint64_t channels, enum sample_format format);

#endif
