/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input_file.h"
#include "base/text.h"
#include "io/audio_file.h"
#include "io/sound_stream.h"
#include "io/xml.h"

enum { BLOCK_SAMPLES = 65536 };
enum { FLAC_CHANNELS = 8, FLAC_RATE = 655350 /* Hz */ };
enum { COMMENT_MAX = 16 << 10, IXML_MAX = 64 << 10 }; /* libsndfile's header ends at 100 KB */

/* libsndfile adds its own name and version to a software string that does not name it already; the version would make
 * the bytes differ between machines. */
#define SOFTWARE "aula, written by libsndfile"

static uint64_t sample_bytes(enum sample_format format)
{
    switch (format) {
    case FORMAT_FLOAT:
        return 4;
    case FORMAT_DOUBLE:
        return 8;
    case FORMAT_PCM24:
        return 3;
    case FORMAT_PCM16:
        return 2;
    }
    return 8;
}

static int sndfile_subtype(enum sample_format format)
{
    switch (format) {
    case FORMAT_FLOAT:
        return SF_FORMAT_FLOAT;
    case FORMAT_DOUBLE:
        return SF_FORMAT_DOUBLE;
    case FORMAT_PCM24:
        return SF_FORMAT_PCM_24;
    case FORMAT_PCM16:
        return SF_FORMAT_PCM_16;
    }
    return SF_FORMAT_DOUBLE;
}

bool audio_needs_rf64(uint64_t frames, uint64_t channels, enum sample_format format)
{
    const uint64_t header = 1 << 20; /* more than libsndfile's header can be */
    uint64_t frame_bytes = channels * sample_bytes(format);
    return frame_bytes && frames > (UINT32_MAX - header) / frame_bytes;
}

/* 0 for float formats, else the bits of a sample. */
static int integer_bits(enum sample_format format)
{
    return format == FORMAT_PCM16 ? 16 : format == FORMAT_PCM24 ? 24 : 0;
}

static int find_gain(double *gain, const char *path, const struct audio *a, enum sample_format format, struct error *e)
{
    double max = format == FORMAT_FLOAT ? (double)FLT_MAX : DBL_MAX, peak = 0.0;
    for (size_t n = 0; n < a->channels * a->frames; n++) {
        double magnitude = fabs(a->samples[n]);
        if (!(magnitude <= max))
            return fail(e, ERROR_FAILED, "%s: frame %zu of channel %zu is %g, out of range for this format", path,
                        n % a->frames, n / a->frames + 1, a->samples[n]);
        if (magnitude > peak)
            peak = magnitude;
    }
    *gain = integer_bits(format) && peak > 1.0 ? 1.0 / peak : 1.0;
    return 0;
}

/* The comment: description and channel names. NULL when memory is out. */
static char *make_comment(const struct audio_description *d, size_t channels, bool with_names)
{
    struct growing_text text = {0};
    size_t length = 0;
    if (d->description)
        growing_text_add(&text, "%s", d->description);
    if (d->channels) {
        growing_text_add(&text, "%s", d->description && *d->description ? "; channels: " : "channels: ");
        for (size_t i = 0; with_names && i < channels; i++)
            growing_text_add(&text, "%s%s", i ? ", " : "", d->channels[i] ? d->channels[i] : "");
        if (!with_names)
            growing_text_add(&text, "%zu", channels);
    }
    char *comment = growing_text_take(&text, &length);
    if (comment && with_names && d->channels && length > COMMENT_MAX) {
        free(comment);
        return make_comment(d, channels, false);
    }
    return comment;
}

/* iXML 2.10 (gallery.co.uk/ixml): names the tracks for editors that show them. */
static char *make_ixml(const struct audio_description *d, size_t channels, size_t *length)
{
    struct growing_text text = {0};
    growing_text_add(&text,
                     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<BWFXML>\n<IXML_VERSION>2.10</IXML_VERSION>\n<NOTE>");
    xml_add(&text, d->title);
    growing_text_add(&text, "</NOTE>\n<TRACK_LIST>\n<TRACK_COUNT>%zu</TRACK_COUNT>\n", channels);
    for (size_t i = 0; i < channels; i++) {
        growing_text_add(&text,
                         "<TRACK><CHANNEL_INDEX>%zu</CHANNEL_INDEX><INTERLEAVE_INDEX>%zu</INTERLEAVE_INDEX><NAME>",
                         i + 1, i + 1);
        xml_add(&text, d->channels[i]);
        growing_text_add(&text, "</NAME></TRACK>\n");
    }
    growing_text_add(&text, "</TRACK_LIST>\n</BWFXML>\n");
    /* chunks are padded to four bytes: with newlines here, else with zeros, which XML does not allow */
    while (text.length % 4 && !text.lost)
        growing_text_add(&text, "\n");
    return growing_text_take(&text, length);
}

static int set_metadata(SNDFILE *file, const char *path, const struct audio_description *d, size_t channels, bool flac,
                        struct error *e)
{
    int bad = sf_set_string(file, SF_STR_SOFTWARE, SOFTWARE);
    if (d->title && *d->title)
        bad |= sf_set_string(file, SF_STR_TITLE, d->title);
    char *comment = make_comment(d, channels, true);
    if (!comment)
        return fail(e, ERROR_MEMORY, "%s: out of memory", path);
    if (*comment)
        bad |= sf_set_string(file, SF_STR_COMMENT, comment);
    free(comment);
    if (d->channels && !flac) { /* FLAC knows no such chunk; the comment has the names */
        SF_CHUNK_INFO chunk = {.id = "iXML", .id_size = 4};
        size_t length = 0;
        char *ixml = make_ixml(d, channels, &length);
        if (!ixml)
            return fail(e, ERROR_MEMORY, "%s: out of memory", path);
        chunk.data = ixml;
        chunk.datalen = (unsigned)length;
        if (length <= IXML_MAX)
            bad |= sf_set_chunk(file, &chunk);
        free(ixml);
    }
    return bad ? fail(e, ERROR_OUTPUT, "%s: cannot write the metadata: %s", path, sf_strerror(file)) : 0;
}

/* Fails with the system's reason where there is one, as in "No space left on device"; else libsndfile's. */
static int fail_write(SNDFILE *file, const char *path, int system_error, struct error *e)
{
    return fail(e, ERROR_OUTPUT, "%s: cannot write: %s", path,
                system_error ? strerror(system_error) : sf_strerror(file));
}

/* One interleaved block in the type that libsndfile stores without changing a bit: int left-justified, or double. */
union block {
    int integer[BLOCK_SAMPLES];
    double real[BLOCK_SAMPLES];
};

static int write_samples(SNDFILE *file, const char *path, const struct audio *a, enum sample_format format, double gain,
                         struct error *e)
{
    union block *block = malloc(sizeof *block);
    if (!block)
        return fail(e, ERROR_MEMORY, "%s: out of memory", path);
    int bits = integer_bits(format), status = 0;
    double full_scale = bits ? ldexp(1.0, bits - 1) : 1.0;
    size_t block_frames = BLOCK_SAMPLES / a->channels;
    for (size_t done = 0; !status && done < a->frames;) {
        size_t count = a->frames - done < block_frames ? a->frames - done : block_frames;
        for (size_t channel = 0; channel < a->channels; channel++) {
            const double *from = a->samples + channel * a->frames + done;
            for (size_t frame = 0; frame < count; frame++) {
                size_t to = frame * a->channels + channel;
                if (bits)
                    block->integer[to] =
                        (int)fmin(rint(from[frame] * gain * full_scale), full_scale - 1.0) * (1 << (32 - bits));
                else
                    block->real[to] = from[frame];
            }
        }
        errno = 0;
        sf_count_t written = bits ? sf_writef_int(file, block->integer, (sf_count_t)count)
                                  : sf_writef_double(file, block->real, (sf_count_t)count);
        if (written != (sf_count_t)count || sf_error(file))
            status = fail_write(file, path, errno, e);
        done += count;
    }
    free(block);
    return status;
}

bool audio_is_flac(const char *path)
{
    const char *suffix = strrchr(path, '.');
    return suffix && !strcasecmp(suffix, ".flac");
}

int audio_format_settle(enum sample_format *format, bool given, const char *path, size_t channels, double rate,
                        struct error *e)
{
    if (!audio_is_flac(path))
        return 0;
    if (!given && !integer_bits(*format))
        *format = FORMAT_PCM24;
    if (!integer_bits(*format))
        return fail(e, ERROR_USAGE,
                    "%s: FLAC supports pcm16 and pcm24, not %s; use --format pcm24 or a name ending in .wav", path,
                    format_names[*format]);
    if (channels > FLAC_CHANNELS || !(round(rate) <= FLAC_RATE))
        return fail(
            e, ERROR_USAGE,
            "%s: FLAC supports at most %d channels and %d Hz, not %zu channels at %.0f Hz; use a name ending in .wav",
            path, FLAC_CHANNELS, FLAC_RATE, channels, rate);
    return 0;
}

static int check(const char *path, const struct audio *a, enum sample_format format, int *rate, struct error *e)
{
    if (!a->channels || !a->frames)
        return fail(e, ERROR_FAILED, "%s: no samples to write", path);
    if (a->channels > AUDIO_CHANNELS_MAX)
        return fail(e, ERROR_OUTPUT, "%s: %zu channels exceed the %d that a sound file can hold; use fewer receivers",
                    path, a->channels, AUDIO_CHANNELS_MAX);
    double rounded = round(a->rate);
    if (!(rounded >= 1.0 && rounded <= (double)INT_MAX))
        return fail(e, ERROR_OUTPUT, "%s: a sound file cannot have a sample rate of %g Hz", path, a->rate);
    *rate = (int)rounded;
    return audio_format_settle(&format, true, path, a->channels, a->rate, e);
}

static int write_and_close(SNDFILE *file, const char *path, const struct audio *a, const struct audio_description *d,
                           double gain, bool flac, struct error *e)
{
    sf_command(file, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE); /* it holds a time stamp */
    int status =
        set_metadata(file, path, d, a->channels, flac, e) || write_samples(file, path, a, d->format, gain, e) ? -1 : 0;
    /* sf_close does not report a failed write of the header, so it is written and checked before. */
    errno = 0;
    if (!status && !flac)
        sf_command(file, SFC_UPDATE_HEADER_NOW, NULL, 0);
    if (!status && sf_error(file))
        status = fail_write(file, path, errno, e);
    errno = 0;
    const int bad = sf_close(file);
    if (bad && !status)
        status = fail(e, ERROR_OUTPUT, "%s: cannot write: %s", path, errno ? strerror(errno) : sf_error_number(bad));
    return status;
}

/* Checks that the file is complete: libsndfile's FLAC encoder does not report the loss of its last block. */
static int check_written(const struct output_file *f, const struct audio *a, enum sample_format format, bool flac,
                         uint64_t *bytes, struct error *e)
{
    struct stat status;
    const uint64_t data = (uint64_t)a->frames * a->channels * sample_bytes(format);
    bool whole = !fstat(f->descriptor, &status) && (flac || (uint64_t)status.st_size >= data);
    if (whole && flac && !lseek(f->descriptor, 0, SEEK_SET)) {
        SF_INFO info = {0};
        int last[FLAC_CHANNELS];
        SNDFILE *file = sound_stream_open(f->descriptor, SFM_READ, &info, false);
        whole = file && info.frames == (sf_count_t)a->frames && sf_seek(file, info.frames - 1, SEEK_SET) >= 0 &&
                sf_readf_int(file, last, 1) == 1;
        sf_close(file);
    }
    if (!whole)
        return fail(e, ERROR_OUTPUT, "%s: cannot write: the file is shorter than its samples", f->path);
    *bytes = (uint64_t)status.st_size;
    return 0;
}

static int take_checksum(struct audio_written *written, const struct output_file *f, struct error *e)
{
    struct error why;
    if (!sha256_of_file(written->checksum, f->descriptor, f->path, &why))
        return 0;
    return why.code == ERROR_STOPPED ? fail(e, why.code, "%s", why.message) : fail(e, ERROR_OUTPUT, "%s", why.message);
}

int audio_write_to(struct output_file *f, const struct audio *a, const struct audio_description *d,
                   struct audio_written *written, struct error *e)
{
    struct audio_written result = {.gain = 1.0};
    SF_INFO info = {.channels = (int)a->channels};
    const bool flac = audio_is_flac(f->path);
    if (check(f->path, a, d->format, &info.samplerate, e) || find_gain(&result.gain, f->path, a, d->format, e))
        return -1;
    result.rf64 = !flac && audio_needs_rf64(a->frames, a->channels, d->format);
    info.format = (flac ? SF_FORMAT_FLAC : result.rf64 ? SF_FORMAT_RF64 : SF_FORMAT_WAV) | sndfile_subtype(d->format);
    SNDFILE *file = sound_stream_open(f->descriptor, SFM_WRITE, &info, false);
    if (!file)
        return fail_write(NULL, f->path, errno, e);
    if (write_and_close(file, f->path, a, d, result.gain, flac, e) ||
        check_written(f, a, d->format, flac, &result.bytes, e) || (written && take_checksum(&result, f, e)))
        return -1;
    if (written)
        *written = result;
    return 0;
}

int audio_write(const char *path, const struct audio *a, const struct audio_description *d,
                struct audio_written *written, struct error *e)
{
    struct output_file f;
    if (output_file_open(&f, path, e))
        return -1;
    if (!audio_write_to(&f, a, d, written, e))
        return output_file_commit(&f, e);
    output_file_discard(&f);
    return -1;
}

char *audio_title(const char *path)
{
    SF_INFO info = {0};
    const int descriptor = input_file_open(path, NULL);
    SNDFILE *file = descriptor < 0 ? NULL : sound_stream_open(descriptor, SFM_READ, &info, true);
    const char *title = file ? sf_get_string(file, SF_STR_TITLE) : NULL;
    char *copy = title ? text_copy(title) : NULL;
    if (file)
        sf_close(file);
    return copy;
}
