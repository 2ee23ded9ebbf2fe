/* SPDX-License-Identifier: MIT */
/* What the command-line tests need beside a shell: looking into sound files and JSON, making sound files, measuring
 * memory.
 *
 *   look wav FILE                          format, channels, rate, frames, bytes; a line each
 *   look channel FILE C                    peak, index of the peak and of the first sample 60 dB below it, sum of squares,
 *                                          mean, larger end of channel C (from 0)
 *   look mean OUT FILE                     a sound file in float: the mean of all channels
 *   look retold OUT FILE COMMENT           the same samples, with another comment
 *   look compare A B                       largest difference of the samples, relative to the peak of A
 *   look json FILE [KEY[.KEY|.INDEX]...]   the value, or nothing when FILE is just to be checked
 *   look make FILE RATE CHANNELS FRAMES    a sound file: a decaying tone
 *   look noise FILE RATE CHANNELS FRAMES SEED   a sound file in float: noise, other in each channel
 *   look convolved WET DRY RESPONSE...     largest difference of WET from the sum that defines convolution, relative to
 *                                          its peak: channel k of DRY through RESPONSE k, all at one rate
 *   look memory FILE COMMAND ...           runs the command, writes its largest resident size in bytes to FILE
 *   look interrupt FILE SECONDS COMMAND ...   runs the command, sends SIGINT once it has used SECONDS of processor time,
 *                                          and writes to FILE how many more it used, its exit status (130: died of the
 *                                          signal), and how long that took; "none" in place of the first: it ended
 *                                          before. SECONDS 0: no signal, all that it used */
#include <cjson/cJSON.h>
#include <math.h>
#include <signal.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/random.h"

static int complain(const char *what, const char *which)
{
    fprintf(stderr, "look: %s: %s\n", which, what);
    return 2;
}

/* Interleaved samples, or NULL. */
static double *read_sound(const char *path, SF_INFO *info)
{
    memset(info, 0, sizeof *info);
    SNDFILE *file = sf_open(path, SFM_READ, info);
    if (!file) {
        complain(sf_strerror(NULL), path);
        return NULL;
    }
    size_t count = (size_t)info->frames * (size_t)info->channels;
    double *samples = calloc(count + 1, sizeof *samples);
    if (samples && sf_readf_double(file, samples, info->frames) != info->frames) {
        complain("ends early", path);
        free(samples);
        samples = NULL;
    }
    sf_close(file);
    return samples;
}

static int look_wav(const char *path)
{
    SF_INFO info = {0};
    SNDFILE *file = sf_open(path, SFM_READ, &info);
    if (!file)
        return complain(sf_strerror(NULL), path);
    int type = info.format & SF_FORMAT_TYPEMASK, subtype = info.format & SF_FORMAT_SUBMASK;
    printf("container %s\nformat %s\nchannels %d\nrate %d\nframes %lld\n",
           type == SF_FORMAT_WAV    ? "wav"
           : type == SF_FORMAT_RF64 ? "rf64"
           : type == SF_FORMAT_FLAC ? "flac"
                                    : "other",
           subtype == SF_FORMAT_FLOAT    ? "float"
           : subtype == SF_FORMAT_DOUBLE ? "double"
           : subtype == SF_FORMAT_PCM_24 ? "pcm24"
           : subtype == SF_FORMAT_PCM_16 ? "pcm16"
                                         : "other",
           info.channels, info.samplerate, (long long)info.frames);
    const char *title = sf_get_string(file, SF_STR_TITLE), *comment = sf_get_string(file, SF_STR_COMMENT);
    printf("title %s\ncomment %s\n", title ? title : "", comment ? comment : "");
    sf_close(file);
    return 0;
}

static int look_channel(const char *path, int channel)
{
    SF_INFO info;
    double *samples = read_sound(path, &info), peak = 0.0, square = 0.0, mean = 0.0, ends = 0.0;
    sf_count_t at = 0;
    if (!samples)
        return 2;
    if (channel < 0 || channel >= info.channels) {
        free(samples);
        return complain("has no such channel", path);
    }
    for (sf_count_t n = 0; n < info.frames; n++) {
        double value = samples[n * info.channels + channel];
        square += value * value;
        mean += value / (double)info.frames;
        if (n == 0 || n == info.frames - 1)
            ends = fmax(ends, fabs(value));
        if (!(fabs(value) <= peak)) { /* NaN is a peak too */
            peak = fabs(value);
            at = n;
        }
    }
    sf_count_t begin = 0;
    while (begin < at && fabs(samples[begin * info.channels + channel]) < 1e-3 * peak)
        begin++;
    free(samples);
    printf("peak %.17g\nat %lld\nbegin %lld\nsquare %.17g\nmean %.17g\nends %.17g\n", peak, (long long)at,
           (long long)begin, square, mean, ends);
    return 0;
}

static int look_compare(const char *first, const char *second)
{
    SF_INFO a, b;
    double *left = read_sound(first, &a), *right = read_sound(second, &b), peak = 0.0, difference = 0.0;
    int status = 2;
    if (left && right && (a.frames != b.frames || a.channels != b.channels)) {
        complain("differs in frames or channels", second);
    } else if (left && right) {
        for (sf_count_t n = 0; n < a.frames * a.channels; n++) {
            peak = fmax(peak, fabs(left[n]));
            difference = fmax(difference, fabs(left[n] - right[n]));
        }
        printf("%.17g\n", peak > 0.0 ? difference / peak : difference);
        status = 0;
    }
    free(left);
    free(right);
    return status;
}

static char *read_text(const char *path)
{
    FILE *stream = fopen(path, "rb");
    size_t max = (size_t)16 << 20;
    char *text = stream ? calloc(max + 1, 1) : NULL;
    if (text && fread(text, 1, max, stream) == 0) {
        free(text);
        text = NULL;
    }
    if (stream)
        fclose(stream);
    return text;
}

static int look_json(const char *path, const char *key)
{
    char *text = read_text(path), name[64];
    cJSON *json = text ? cJSON_ParseWithOpts(text, NULL, 1) : NULL;
    free(text);
    if (!json)
        return complain("is not JSON", path);
    const cJSON *at = json;
    for (const char *rest = key; at && rest && *rest;) {
        size_t length = strcspn(rest, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, rest);
        at = cJSON_IsArray(at) ? cJSON_GetArrayItem(at, (int)strtol(name, NULL, 10))
                               : cJSON_GetObjectItemCaseSensitive(at, name);
        rest += length + (rest[length] == '.');
    }
    int status = at ? 0 : complain("has no such key", key);
    if (at && key && cJSON_IsString(at))
        printf("%s\n", at->valuestring);
    else if (at && key && cJSON_IsNumber(at))
        printf("%.17g\n", at->valuedouble);
    else if (at && key && cJSON_IsArray(at))
        printf("%d\n", cJSON_GetArraySize(at));
    else if (at && key && cJSON_IsBool(at))
        printf("%s\n", cJSON_IsTrue(at) ? "true" : "false");
    cJSON_Delete(json);
    return status;
}

static int make_sound(const char *path, int rate, int channels, int frames)
{
    SF_INFO info = {.samplerate = rate, .channels = channels, .format = SF_FORMAT_WAV | SF_FORMAT_PCM_16};
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    if (!file)
        return complain(sf_strerror(NULL), path);
    for (int n = 0; n < frames; n++) {
        double frame[16] = {0};
        for (int c = 0; c < channels && c < 16; c++)
            frame[c] = 0.5 * sin(0.3 * (n + 1)) * exp(-0.02 * n);
        sf_writef_double(file, frame, 1);
    }
    return sf_close(file) ? complain("cannot be written", path) : 0;
}

static int make_noise(const char *path, int rate, int channels, int frames, unsigned long seed)
{
    SF_INFO info = {.samplerate = rate, .channels = channels, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    if (!file)
        return complain("cannot be written", path);
    sf_command(file, SFC_SET_ADD_PEAK_CHUNK, NULL, SF_FALSE); /* the samples come last */
    struct random r = {seed};
    for (int n = 0; n < frames; n++) {
        double frame[16] = {0};
        for (int c = 0; c < channels && c < 16; c++)
            frame[c] = 2.0 * random_unit(&r) - 1.0;
        sf_writef_double(file, frame, 1);
    }
    return sf_close(file) ? complain("cannot be written", path) : 0;
}

static int write_mean(const char *path, const char *from)
{
    SF_INFO info;
    double *samples = read_sound(from, &info);
    if (!samples)
        return 2;
    SF_INFO mono = {.samplerate = info.samplerate, .channels = 1, .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
    SNDFILE *file = sf_open(path, SFM_WRITE, &mono);
    for (sf_count_t n = 0; file && n < info.frames; n++) {
        double mean = 0.0;
        for (int c = 0; c < info.channels; c++)
            mean += samples[n * info.channels + c] / info.channels;
        sf_writef_double(file, &mean, 1);
    }
    free(samples);
    return !file || sf_close(file) ? complain("cannot be written", path) : 0;
}

static int retell(const char *path, const char *from, const char *comment)
{
    SF_INFO info;
    double *samples = read_sound(from, &info);
    if (!samples)
        return 2;
    const sf_count_t frames = info.frames; /* opening clears it */
    SNDFILE *file = sf_open(path, SFM_WRITE, &info);
    if (file) {
        sf_set_string(file, SF_STR_COMMENT, comment);
        sf_writef_double(file, samples, frames);
    }
    free(samples);
    return !file || sf_close(file) ? complain("cannot be written", path) : 0;
}

/* Adds channel `input` of the dry sound through one response to [frames][channels]. */
static void add_convolution(double *wet, sf_count_t frames, const double *dry, const SF_INFO *dry_info, int input,
                            const double *taps, const SF_INFO *info)
{
    for (sf_count_t n = 0; n < dry_info->frames; n++)
        for (sf_count_t k = 0; k < info->frames && n + k < frames; k++)
            for (int c = 0; c < info->channels; c++)
                wet[(n + k) * info->channels + c] += dry[n * dry_info->channels + input] * taps[k * info->channels + c];
}

static int look_convolved(const char *wet_path, const char *dry_path, char **responses, int count)
{
    SF_INFO wet_info, dry_info, info;
    double *wet = read_sound(wet_path, &wet_info), *dry = read_sound(dry_path, &dry_info), *exact = NULL;
    int status = wet && dry ? 0 : 2;
    const sf_count_t samples = wet_info.frames * wet_info.channels;
    sf_count_t longest = 0;
    if (!status && !(exact = calloc((size_t)samples + 1, sizeof *exact)))
        status = complain("out of memory", wet_path);
    if (!status && count != dry_info.channels)
        status = complain("needs a response for each channel", dry_path);
    for (int i = 0; !status && i < count; i++) {
        double *taps = read_sound(responses[i], &info);
        if (!taps || info.channels != wet_info.channels || info.samplerate != wet_info.samplerate)
            status = complain("does not fit", responses[i]);
        else
            add_convolution(exact, wet_info.frames, dry, &dry_info, i, taps, &info);
        longest = info.frames > longest ? info.frames : longest;
        free(taps);
    }
    if (!status && wet_info.frames != dry_info.frames + longest - 1)
        status = complain("is not dry + response - 1 frames long", wet_path);
    double peak = 0.0, difference = 0.0;
    for (sf_count_t n = 0; !status && n < samples; n++) {
        peak = fmax(peak, fabs(exact[n]));
        if (!(fabs(exact[n] - wet[n]) <= difference))
            difference = fabs(exact[n] - wet[n]);
    }
    if (!status)
        printf("%.17g\n", difference / peak);
    free(exact);
    free(wet);
    free(dry);
    return status;
}

static int measure_memory(const char *path, char **command)
{
    struct rusage usage;
    int status;
    pid_t child = fork();
    if (child == 0) {
        execvp(command[0], command);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return complain("cannot be run", command[0]);
    FILE *stream = fopen(path, "w");
    if (!stream)
        return complain("cannot be written", path);
    fprintf(stream, "%lld\n", (long long)usage.ru_maxrss * 1024);
    if (fclose(stream))
        return complain("cannot be written", path);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Processor time of a process and its threads, s, and of the processes that it has started and that are there. */
static double seconds_used(pid_t process)
{
    clockid_t clock;
    struct timespec used;
    char path[64];
    int child;
    if (clock_getcpuclockid(process, &clock) || clock_gettime(clock, &used))
        return 0.0;
    double seconds = (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)process, (int)process);
    FILE *children = fopen(path, "r");
    while (children && fscanf(children, "%d", &child) == 1)
        seconds += seconds_used(child);
    if (children)
        fclose(children);
    return seconds;
}

static double seconds_of(const struct timeval *t)
{
    return (double)t->tv_sec + 1e-6 * (double)t->tv_usec;
}

static int interrupt(const char *path, double after, char **command)
{
    struct rusage usage;
    siginfo_t ended = {0};
    double sent = 0.0, begin = clock_seconds();
    int status;
    pid_t child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL); /* a shell ignores it for what it starts in the background */
        execvp(command[0], command);
        _exit(127);
    }
    if (child < 0)
        return complain("cannot be run", command[0]);
    while (after > 0.0 && sent == 0.0 && !waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) &&
           !ended.si_pid) {
        const double used = seconds_used(child);
        if (used >= after && !kill(child, SIGINT)) {
            sent = used;
            begin = clock_seconds();
        } else {
            poll_sleep();
        }
    }
    if (wait4(child, &status, 0, &usage) != child)
        return complain("cannot be waited for", command[0]);
    const double waited = clock_seconds() - begin;
    FILE *stream = fopen(path, "w");
    if (!stream)
        return complain("cannot be written", path);
    if (after > 0.0 && sent == 0.0)
        fprintf(stream, "none");
    else
        fprintf(stream, "%.3f", seconds_of(&usage.ru_utime) + seconds_of(&usage.ru_stime) - sent);
    fprintf(stream, " %d %.3f\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), waited);
    return fclose(stream) ? complain("cannot be written", path) : 0;
}

int main(int count, char **words)
{
    const char *what = count > 2 ? words[1] : "";
    if (!strcmp(what, "wav"))
        return look_wav(words[2]);
    if (!strcmp(what, "channel") && count == 4)
        return look_channel(words[2], (int)strtol(words[3], NULL, 10));
    if (!strcmp(what, "compare") && count == 4)
        return look_compare(words[2], words[3]);
    if (!strcmp(what, "mean") && count == 4)
        return write_mean(words[2], words[3]);
    if (!strcmp(what, "retold") && count == 5)
        return retell(words[2], words[3], words[4]);
    if (!strcmp(what, "json"))
        return look_json(words[2], count > 3 ? words[3] : NULL);
    if (!strcmp(what, "make") && count == 6)
        return make_sound(words[2], (int)strtol(words[3], NULL, 10), (int)strtol(words[4], NULL, 10),
                          (int)strtol(words[5], NULL, 10));
    if (!strcmp(what, "noise") && count == 7)
        return make_noise(words[2], (int)strtol(words[3], NULL, 10), (int)strtol(words[4], NULL, 10),
                          (int)strtol(words[5], NULL, 10), strtoul(words[6], NULL, 10));
    if (!strcmp(what, "convolved") && count > 4)
        return look_convolved(words[2], words[3], words + 4, count - 4);
    if (!strcmp(what, "memory") && count > 3)
        return measure_memory(words[2], words + 3);
    if (!strcmp(what, "interrupt") && count > 4)
        return interrupt(words[2], strtod(words[3], NULL), words + 4);
    return complain("look wav|channel|compare|mean|retold|json|make|noise|convolved|memory|interrupt ...", "usage");
}
