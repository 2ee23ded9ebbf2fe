#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "io/audio_file.h"
#include "io/xml.h"

enum { BLOCK_SAMPLES = 65536, MOST_CHANNELS = RECEIVERS_MOST };
enum { MOST_COMMENT = 16 << 10, MOST_IXML = 64 << 10 }; /* libsndfile's header ends at 100 KB */

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
    double most = format == FORMAT_FLOAT ? (double)FLT_MAX : DBL_MAX, peak = 0.0;
    for (size_t n = 0; n < a->channels * a->frames; n++) {
        double magnitude = fabs(a->samples[n]);
        if (!(magnitude <= most))
            return fail(e, ERROR_FAILED, "%s: frame %zu of channel %zu is %g, which this format cannot hold", path,
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
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    if (d->description)
        fputs(d->description, stream);
    if (d->channels) {
        fputs(d->description && *d->description ? "; channels: " : "channels: ", stream);
        for (size_t i = 0; with_names && i < channels; i++)
            fprintf(stream, "%s%s", i ? ", " : "", d->channels[i] ? d->channels[i] : "");
        if (!with_names)
            fprintf(stream, "%zu", channels);
    }
    if (fclose(stream)) {
        free(text);
        return NULL;
    }
    if (with_names && d->channels && length > MOST_COMMENT) {
        free(text);
        return make_comment(d, channels, false);
    }
    return text;
}

/* iXML 2.10 (gallery.co.uk/ixml): names the tracks for editors that show them. */
static char *make_ixml(const struct audio_description *d, size_t channels, size_t *length)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, length);
    if (!stream)
        return NULL;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<BWFXML>\n<IXML_VERSION>2.10</IXML_VERSION>\n<NOTE>", stream);
    xml_text(stream, d->title);
    fprintf(stream, "</NOTE>\n<TRACK_LIST>\n<TRACK_COUNT>%zu</TRACK_COUNT>\n", channels);
    for (size_t i = 0; i < channels; i++) {
        fprintf(stream, "<TRACK><CHANNEL_INDEX>%zu</CHANNEL_INDEX><INTERLEAVE_INDEX>%zu</INTERLEAVE_INDEX><NAME>",
                i + 1, i + 1);
        xml_text(stream, d->channels[i]);
        fputs("</NAME></TRACK>\n", stream);
    }
    fputs("</TRACK_LIST>\n</BWFXML>\n", stream);
    /* chunks are padded to four bytes: with newlines here, else with zeros, which XML does not allow */
    long position = ftell(stream);
    for (long n = position; n % 4; n++)
        fputc('\n', stream);
    if (fclose(stream)) {
        free(text);
        return NULL;
    }
    return text;
}

static int set_metadata(SNDFILE *file, const char *path, const struct audio_description *d, size_t channels,
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
    if (d->channels) {
        SF_CHUNK_INFO chunk = {.id = "iXML", .id_size = 4};
        size_t length = 0;
        char *ixml = make_ixml(d, channels, &length);
        if (!ixml)
            return fail(e, ERROR_MEMORY, "%s: out of memory", path);
        chunk.data = ixml;
        chunk.datalen = (unsigned)length;
        if (length <= MOST_IXML)
            bad |= sf_set_chunk(file, &chunk);
        free(ixml);
    }
    return bad ? fail(e, ERROR_OUTPUT, "%s: metadata refused: %s", path, sf_strerror(file)) : 0;
}

/* The system's reason where there is one, as in "No space left on device"; else libsndfile's. */
static int fail_write(SNDFILE *file, const char *path, int system_error, struct error *e)
{
    return fail(e, ERROR_OUTPUT, "%s: cannot be written: %s", path,
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

static int check(const char *path, const struct audio *a, int *rate, struct error *e)
{
    if (!a->channels || !a->frames)
        return fail(e, ERROR_FAILED, "%s: there are no samples to write", path);
    if (a->channels > MOST_CHANNELS)
        return fail(e, ERROR_OUTPUT, "%s: %zu channels, but a sound file holds at most %d: use fewer receivers", path,
                    a->channels, MOST_CHANNELS);
    double rounded = round(a->rate);
    if (!(rounded >= 1.0 && rounded <= (double)INT_MAX))
        return fail(e, ERROR_OUTPUT, "%s: a sound file cannot have a rate of %g Hz", path, a->rate);
    *rate = (int)rounded;
    return 0;
}

int audio_write(const char *path, const struct audio *a, const struct audio_description *d,
                struct audio_written *written, struct error *e)
{
    struct audio_written result = {.gain = 1.0};
    struct output_file output = {0};
    SF_INFO info = {.channels = (int)a->channels};
    if (check(path, a, &info.samplerate, e) || find_gain(&result.gain, path, a, d->format, e))
        return -1;
    result.rf64 = audio_needs_rf64(a->frames, a->channels, d->format);
    info.format = (result.rf64 ? SF_FORMAT_RF64 : SF_FORMAT_WAV) | sndfile_subtype(d->format);
    if (output_file_open(&output, path, e))
        return -1;
    errno = 0;
    SNDFILE *file = sf_open(output.temporary, SFM_WRITE, &info);
    if (!file) {
        fail_write(NULL, path, errno, e);
        goto fail;
    }
    sf_command(file, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE); /* it holds a time stamp */
    if (set_metadata(file, path, d, a->channels, e) || write_samples(file, path, a, d->format, result.gain, e))
        goto fail;
    /* sf_close may write the header without telling whether it could, so it is written and looked at before. */
    errno = 0;
    sf_command(file, SFC_UPDATE_HEADER_NOW, NULL, 0);
    if (sf_error(file)) {
        fail_write(file, path, errno, e);
        goto fail;
    }
    errno = 0;
    int bad = sf_close(file);
    file = NULL;
    if (bad) {
        fail(e, ERROR_OUTPUT, "%s: cannot be written: %s", path, errno ? strerror(errno) : sf_error_number(bad));
        goto fail;
    }
    struct stat status;
    uint64_t data = (uint64_t)a->frames * a->channels * sample_bytes(d->format);
    if (stat(output.temporary, &status) || (uint64_t)status.st_size < data) {
        fail(e, ERROR_OUTPUT, "%s: cannot be written: the file is shorter than its samples", path);
        goto fail;
    }
    result.bytes = (uint64_t)status.st_size;
    if (output_file_commit(&output, e))
        return -1;
    if (written)
        *written = result;
    return 0;
fail:
    if (file)
        sf_close(file);
    output_file_discard(&output);
    return -1;
}
