/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/input_file.h"
#include "base/memory.h"
#include "base/stop.h"
#include "base/text.h"
#include "io/audio_file.h"
#include "io/sound_stream.h"
#include "io/wav_header.h"

enum { BLOCK_SAMPLES = 65536 };

void audio_free(struct audio *a)
{
    if (!a)
        return;
    free(a->samples);
    memset(a, 0, sizeof *a);
}

static int read_planar(struct audio *a, SNDFILE *file, const char *path, struct error *e)
{
    size_t block_frames = a->channels < BLOCK_SAMPLES ? BLOCK_SAMPLES / a->channels : 1;
    double *block = malloc(block_frames * a->channels * sizeof *block);
    if (!block)
        return fail(e, ERROR_MEMORY, "%s: out of memory", path);
    size_t done = 0;
    int status = 0;
    while (!status && done < a->frames) {
        if (stop_check(e)) {
            status = -1;
            break;
        }
        size_t want = a->frames - done < block_frames ? a->frames - done : block_frames;
        sf_count_t got = sf_readf_double(file, block, (sf_count_t)want);
        if (got <= 0) {
            const char *reason = sf_error(file) ? sf_strerror(file) : "the file is truncated";
            status = fail(e, ERROR_INPUT, "%s: ends after %zu of %zu frames: %s", path, done, a->frames, reason);
            break;
        }
        for (size_t frame = 0; !status && frame < (size_t)got; frame++) {
            for (size_t channel = 0; channel < a->channels; channel++) {
                double sample = block[frame * a->channels + channel];
                if (!isfinite(sample)) {
                    status = fail(e, ERROR_INPUT, "%s: frame %zu of channel %zu is not a finite number", path,
                                  done + frame, channel + 1);
                    break;
                }
                a->samples[channel * a->frames + done + frame] = sample;
            }
        }
        done += (size_t)got;
    }
    free(block);
    return status;
}

/* Refuses a truncated WAV. libsndfile reads the rest and only reports the loss in its log: "data : 384000 (should be
 * 49956)". A size that was unknown when the header was written (a stream) is accepted. */
static int check_whole(SNDFILE *file, const char *path, struct error *e)
{
    char log[4096] = "";
    long long said, there;
    sf_command(file, SFC_GET_LOG_INFO, log, sizeof log);
    const char *line = strstr(log, "\ndata : ");
    if (!line || sscanf(line, "\ndata : %lld (should be %lld", &said, &there) != 2 || said <= there ||
        said >= 0x7fffffff)
        return 0;
    return fail(e, ERROR_INPUT, "%s: is truncated (%lld of %lld bytes of sound)", path, there, said);
}

/* libsndfile treats a WAV whose header states no length as empty, so a copy with a corrected header is read. */
static int mend_length(int *descriptor, bool *lengthless, const char *path, struct error *e)
{
    const off_t at = wav_missing_length(*descriptor);
    *lengthless = at > 0;
    if (!at)
        return 0;
    const int copy = anonymous_file_copy(*descriptor, path, e);
    close(*descriptor);
    *descriptor = copy;
    if (copy < 0 || wav_set_endless(copy, at))
        return copy < 0 ? -1 : 0;
    close(copy);
    *descriptor = -1;
    return fail(e, ERROR_OUTPUT, "%s: cannot store a temporary copy; set TMPDIR to another folder", path);
}

static void not_sound(const char *path, struct error *e)
{
    const char *suffix = strrchr(path, '.');
    if (suffix && !strcasecmp(suffix, ".cfg"))
        fail(e, ERROR_INPUT,
             "%s: is not a readable sound file, but looks like a room file; render it first: aula render %s -o IR.wav",
             path, path);
    else if (suffix && !strcasecmp(suffix, ".json"))
        fail(e, ERROR_INPUT,
             "%s: is not a readable sound file, but looks like the JSON beside one; name the sound: %.*s.wav", path,
             (int)(suffix - path), path);
    else
        fail(e, ERROR_INPUT, "%s: is not a readable sound file: %s", path, sf_strerror(NULL));
}

/* Opens a file, or standard input for "-", by *descriptor, which is closed with it; NULL with *e. */
static SNDFILE *open_sound(const char *path, SF_INFO *info, int *descriptor, bool *lengthless, struct error *e)
{
    *info = (SF_INFO){0};
    *descriptor = strcmp(path, STANDARD_STREAM) ? input_file_open_pipe(path, e) : anonymous_file_of_input(e);
    if (*descriptor < 0 || mend_length(descriptor, lengthless, path, e))
        return NULL;
    SNDFILE *file = sound_stream_open(*descriptor, SFM_READ, info, true);
    if (!file && errno == ENOMEM)
        fail(e, ERROR_MEMORY, "%s: out of memory", path);
    else if (!file && errno == EBADMSG)
        fail(e, ERROR_INPUT, "%s: is damaged; an entry of its LIST chunk is longer than the chunk", path);
    else if (!file)
        not_sound(path, e);
    return file;
}

/* Only where there is a JSON that may name another. */
static int take_checksum(struct audio *a, int descriptor, const char *path, struct error *e)
{
    if (!strcmp(path, STANDARD_STREAM))
        return 0;
    char *json = path_with_suffix(path, ".json");
    if (!json)
        return fail(e, ERROR_MEMORY, "%s: out of memory", path);
    const int status = access(json, F_OK) ? 0 : sha256_of_file(a->checksum, descriptor, path, e);
    free(json);
    return status;
}

/* Refuses a length that the file cannot hold, before gigabytes are allocated for a damaged header. FLAC compresses most:
 * 65535 frames of silence into 12 bytes. */
static int check_length(const struct audio *a, int descriptor, const char *path, struct error *e)
{
    enum { FRAMES_A_BYTE = 8192 };
    struct stat status;
    if (fstat(descriptor, &status) || a->frames / FRAMES_A_BYTE <= (uint64_t)status.st_size)
        return 0;
    return fail(e, ERROR_INPUT, "%s: is damaged; its header states %zu frames, more than %llu bytes can hold", path,
                a->frames, (unsigned long long)status.st_size);
}

int audio_read(struct audio *a, const char *path, struct error *e)
{
    return audio_read_with_comment(a, NULL, path, e);
}

/* The comment decides how the file is measured, so losing it is an error. */
static int read_comment(char **comment, SNDFILE *file, const char *path, struct error *e)
{
    const char *text = sf_get_string(file, SF_STR_COMMENT);
    *comment = text ? text_copy(text) : NULL;
    return text && !*comment ? fail(e, ERROR_MEMORY, "%s: out of memory", path) : 0;
}

int audio_read_with_comment(struct audio *a, char **comment, const char *path, struct error *e)
{
    memset(a, 0, sizeof *a);
    if (comment)
        *comment = NULL;
    SF_INFO info;
    int descriptor;
    SNDFILE *file = open_sound(path, &info, &descriptor, &a->lengthless, e);
    if (!file)
        return -1;
    if (info.frames <= 0 || info.channels <= 0 || info.samplerate <= 0) {
        fail(e, ERROR_INPUT, "%s: contains no samples", path);
        goto fail;
    }
    a->channels = (size_t)info.channels;
    a->frames = (size_t)info.frames;
    a->rate = info.samplerate;
    if (check_length(a, descriptor, path, e))
        goto fail;
    if (memory_demand((double)a->channels * (double)a->frames * sizeof *a->samples, e,
                      "%s: its %zu frames of %zu channel%s", path, a->frames, a->channels, a->channels == 1 ? "" : "s"))
        goto fail;
    if (a->frames <= SIZE_MAX / sizeof(double) / a->channels)
        a->samples = malloc(a->channels * a->frames * sizeof *a->samples);
    if (!a->samples) {
        fail(e, ERROR_MEMORY, "%s: out of memory", path);
        goto fail;
    }
    if (check_whole(file, path, e) || read_planar(a, file, path, e) || take_checksum(a, descriptor, path, e))
        goto fail;
    if (comment && read_comment(comment, file, path, e))
        goto fail;
    sf_close(file);
    return 0;
fail:
    sf_close(file);
    audio_free(a);
    return -1;
}
