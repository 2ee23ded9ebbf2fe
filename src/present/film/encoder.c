/* SPDX-License-Identifier: MIT */
#include "present/film/encoder.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/data_path.h"
#include "base/file.h"
#include "base/output_file.h"
#include "base/stop.h"
#include "base/text.h"

static const struct film_encoder *const encoders[] = {&film_webm, &film_gif, &film_png};
enum { ENCODERS = sizeof encoders / sizeof *encoders };

int film_encoder_find(const struct film_encoder **encoder, const char *path, struct error *e)
{
    char text[QUOTED];
    const char *suffix = strrchr(path, '.');
    *encoder = NULL;
    for (size_t i = 0; suffix && i < ENCODERS; i++)
        if (!strcasecmp(suffix, encoders[i]->suffix))
            *encoder = encoders[i];
    if (!*encoder)
        return fail(e, ERROR_USAGE,
                    "-o %s: unsupported film format; use FILE.webm, FILE.gif or FILE.png (one picture per frame)",
                    quoted(text, path));
    const char *missing = (*encoder)->missing ? (*encoder)->missing() : NULL;
    return missing
               ? fail(e, ERROR_USAGE, "-o %s: %s or use FILE.png (one picture per frame)", quoted(text, path), missing)
               : 0;
}

char *film_frame_name(const char *path, size_t frame, size_t frames)
{
    const size_t stem = strlen(path) - strlen(film_png.suffix);
    const int digits = frames > 10000 ? FILM_DIGITS_MORE : FILM_DIGITS;
    return text_format("%.*s_%0*zu.png", (int)stem, path, digits, frame);
}

/* ---- PNG: one file per frame. Complete frames stay if the run stops. ---- */

struct png_frames {
    struct film_format format;
    size_t written;
};

static int png_open(void **state, const struct film_format *format, struct error *e)
{
    struct png_frames *p = *state = calloc(1, sizeof *p);
    if (!p)
        return fail(e, ERROR_MEMORY, "out of memory");
    p->format = *format;
    return 0;
}

static int png_frame(void *state, const uint32_t *pixels, double time, struct error *e)
{
    struct png_frames *p = state;
    struct png_note notes[PNG_NOTES_MAX];
    char text[32];
    size_t count = p->format.note_count < PNG_NOTES_MAX - 1 ? p->format.note_count : PNG_NOTES_MAX - 1;
    for (size_t i = 0; i < count; i++)
        notes[i] = p->format.notes[i];
    snprintf(text, sizeof text, "%.9g", time);
    notes[count++] = (struct png_note){"time", text};
    char *name = film_frame_name(p->format.path, p->written++, p->format.frames);
    const int status =
        name ? png_colours(name, p->format.no_clobber, pixels, p->format.columns, p->format.rows, notes, count, e)
             : fail(e, ERROR_MEMORY, "out of memory");
    free(name);
    return status;
}

static int png_commit(void *state, struct error *e)
{
    (void)state;
    (void)e;
    return 0;
}

const struct film_encoder film_png = {
    .suffix = ".png", .open = png_open, .frame = png_frame, .commit = png_commit, .close = free};

/* ---- WebM (VP9) and GIF: the program ffmpeg reads raw frames from a pipe. ---- */

enum { RATE_TEXT = 32, SIZE_TEXT = 48, REASON = 400, WORDS = 2048 };
enum { LOOK = 20 }; /* ms between looks at stop_requested */
enum { OPTIONS_MAX = 48 };
static const double GIF_RATE_MAX = 50.0; /* frames a second */

struct encoder {
    struct film_format format;
    const char *const *codec; /* ends with NULL: ffmpeg's options for the kind of file */
    struct output_file file;
    pid_t process;   /* 0: none */
    int pipe;        /* to ffmpeg; -1: none */
    int diagnostics; /* temporary file with the output of ffmpeg; -1: none */
    uint8_t *bytes;  /* [rows][columns][3] */
};

static const char *missing(void)
{
    return is_installed("ffmpeg")
               ? NULL
               : "WebM and GIF need the program ffmpeg, which is not in $PATH; install it (Debian: apt install ffmpeg)";
}

/* The end of ffmpeg's output without trailing empty lines. */
static void last_words(const struct encoder *w, char text[WORDS])
{
    const off_t end = lseek(w->diagnostics, 0, SEEK_END);
    const off_t from = end > WORDS - 1 ? end - WORDS + 1 : 0;
    const ssize_t got = pread(w->diagnostics, text, WORDS - 1, from);
    text[got > 0 ? got : 0] = '\0';
    for (size_t used = strlen(text); used && (text[used - 1] == '\n' || text[used - 1] == ' '); used--)
        text[used - 1] = '\0';
}

/* The disk error in ffmpeg's output or behind the signal that killed it; NULL: none. */
static const char *disk_fault(const char *words, int result)
{
    static const int faults[] = {ENOSPC, EDQUOT, EFBIG, EIO, EROFS};
    if (WIFSIGNALED(result) && WTERMSIG(result) == SIGXFSZ)
        return strerror(EFBIG);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (strstr(words, strerror(faults[i])))
            return strerror(faults[i]);
    return NULL;
}

/* Closes the pipe and waits for ffmpeg to finish. A stop request kills ffmpeg: ERROR_STOPPED. */
static int wait_for(struct encoder *w, int *result, struct error *e)
{
    if (w->pipe >= 0)
        close(w->pipe);
    w->pipe = -1;
    *result = -1;
    while (w->process > 0) {
        const bool stop = stop_requested();
        if (stop)
            kill(w->process, SIGKILL);
        const pid_t ended = waitpid(w->process, result, stop ? 0 : WNOHANG);
        if (ended == w->process || (ended < 0 && errno != EINTR))
            w->process = 0;
        else if (!ended)
            poll(NULL, 0, LOOK);
    }
    return stop_requested() ? fail(e, ERROR_STOPPED, "stopped while ffmpeg was finishing the film") : 0;
}

/* Reports a failure of ffmpeg. */
static int failed(const struct encoder *w, int result, struct error *e)
{
    char words[WORDS], clean[QUOTED], reason[REASON];
    last_words(w, words);
    const char *disk = disk_fault(words, result), *line = strrchr(words, '\n');
    if (disk)
        return fail(e, ERROR_OUTPUT,
                    "%s: ffmpeg cannot write the film: %s; free disk space or choose another folder with -o",
                    w->format.path, disk);
    snprintf(reason, sizeof reason, "%s%s", *words ? quoted(clean, line ? line + 1 : words) : "no error message",
             WIFSIGNALED(result) ? " (killed)" : "");
    return fail(e, ERROR_OUTPUT, "%s: ffmpeg failed: %s; use FILE.png, which needs no ffmpeg", w->format.path, reason);
}

/* ffmpeg gets a process group of its own, so that Ctrl-C reaches only aula, which then ends ffmpeg. */
static int start(struct encoder *w, const int ends[2], struct error *e)
{
    char size[SIZE_TEXT], rate[RATE_TEXT], *target = text_format("file:%s", w->file.temporary);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t reset;
    snprintf(size, sizeof size, "%zux%zu", w->format.columns, w->format.rows);
    snprintf(rate, sizeof rate, "%.9g", w->format.rate);
    const char *words[OPTIONS_MAX] = {"ffmpeg", "-nostdin", "-loglevel", "error",  "-xerror", "-y",
                                      "-f",     "rawvideo", "-pix_fmt",  "rgb24",  "-s",      size,
                                      "-r",     rate,       "-i",        "pipe:0", "-an"};
    size_t count = 0;
    while (words[count])
        count++;
    for (const char *const *option = w->codec; *option && count < OPTIONS_MAX - 2; option++)
        words[count++] = *option;
    words[count] = target;
    if (!target)
        return fail(e, ERROR_MEMORY, "out of memory");
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigemptyset(&reset);
    sigaddset(&reset, SIGPIPE);
    sigaddset(&reset, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &reset);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
    posix_spawn_file_actions_adddup2(&actions, w->diagnostics, 1);
    posix_spawn_file_actions_adddup2(&actions, w->diagnostics, 2);
    const int wrong = posix_spawnp(&w->process, "ffmpeg", &actions, &attributes, (char *const *)(void *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    free(target);
    if (!wrong)
        return 0;
    w->process = 0;
    return fail(e, ERROR_OUTPUT, "%s: cannot start ffmpeg: %s", w->format.path, strerror(wrong));
}

static int open_with(const char *const *codec, void **state, const struct film_format *format, struct error *e)
{
    struct encoder *w = *state = calloc(1, sizeof *w);
    int ends[2];
    if (!w)
        return fail(e, ERROR_MEMORY, "out of memory");
    *w = (struct encoder){.format = *format, .codec = codec, .pipe = -1, .diagnostics = -1};
    w->bytes = malloc(3 * format->columns * format->rows);
    if (!w->bytes)
        return fail(e, ERROR_MEMORY, "out of memory");
    w->diagnostics = anonymous_file(e);
    if (w->diagnostics < 0 || output_file_open(&w->file, format->path, e))
        return -1;
    if (!w->file.temporary)
        return fail(e, ERROR_USAGE, "-o %s: WebM and GIF can only be written to a regular file; use a file name",
                    format->path);
    w->file.no_clobber = format->no_clobber;
    if (pipe2(ends, O_CLOEXEC))
        return fail(e, ERROR_OUTPUT, "%s: cannot open a pipe to ffmpeg: %s", format->path, strerror(errno));
    const int status = start(w, ends, e);
    close(ends[0]);
    w->pipe = ends[1];
    if (!status && fcntl(w->pipe, F_SETFL, O_NONBLOCK))
        return fail(e, ERROR_OUTPUT, "%s: cannot open a pipe to ffmpeg: %s", format->path, strerror(errno));
    return status;
}

/* Writes everything or returns at a stop request. The pipe is non-blocking, because ffmpeg may be slow. */
static int put(struct encoder *w, const uint8_t *bytes, size_t count, struct error *e)
{
    struct pollfd ready = {.fd = w->pipe, .events = POLLOUT};
    while (count && !stop_requested()) {
        const int polled = poll(&ready, 1, LOOK);
        if (!polled || (polled < 0 && errno == EINTR))
            continue;
        const ssize_t wrote = polled < 0 ? -1 : write(w->pipe, bytes, count);
        if (wrote < 0 && errno != EINTR && errno != EAGAIN) {
            int result;
            return wait_for(w, &result, e) ? -1 : failed(w, result, e);
        }
        bytes += wrote > 0 ? wrote : 0;
        count -= wrote > 0 ? (size_t)wrote : 0;
    }
    return stop_check(e);
}

static int frame(void *state, const uint32_t *pixels, double time, struct error *e)
{
    struct encoder *w = state;
    (void)time;
    const size_t count = w->format.columns * w->format.rows;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++)
            w->bytes[3 * i + k] = (uint8_t)(pixels[i] >> (16 - 8 * k) & 255u);
    return put(w, w->bytes, 3 * count, e);
}

/* Some versions of ffmpeg exit with 0 after a failed write and only print an error. */
static int commit(void *state, struct error *e)
{
    struct encoder *w = state;
    char words[WORDS];
    int result;
    if (wait_for(w, &result, e))
        return -1;
    last_words(w, words);
    if (!WIFEXITED(result) || WEXITSTATUS(result) != 0 || disk_fault(words, result))
        return failed(w, result, e);
    return output_file_commit(&w->file, e);
}

static void close_film(void *state)
{
    struct encoder *w = state;
    if (!w)
        return;
    if (w->pipe >= 0)
        close(w->pipe);
    if (w->process > 0)
        kill(w->process, SIGKILL);
    while (w->process > 0 && waitpid(w->process, NULL, 0) < 0 && errno == EINTR)
        ;
    output_file_discard(&w->file);
    if (w->diagnostics >= 0)
        close(w->diagnostics);
    free(w->bytes);
    free(w);
}

static int webm_open(void **state, const struct film_format *format, struct error *e)
{
    static const char *const vp9[] = {"-c:v",     "libvpx-vp9", "-crf", "28",        "-b:v", "0",       "-pix_fmt",
                                      "yuv420p",  "-deadline",  "good", "-cpu-used", "4",    "-row-mt", "1",
                                      "-threads", "2",          "-f",   "webm",      NULL};
    return open_with(vp9, state, format, e);
}

/* One palette for the whole film. Dithering would flicker. The film loops forever. Browsers show frames shorter than
 * 1/50 s for 1/10 s, hence the limit of the rate. */
static int gif_open(void **state, const struct film_format *format, struct error *e)
{
    static const char *const gif[] = {"-filter_complex",
                                      "split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=none",
                                      "-loop",
                                      "0",
                                      "-f",
                                      "gif",
                                      NULL};
    struct film_format shown = *format;
    shown.rate = fmin(format->rate, GIF_RATE_MAX);
    return open_with(gif, state, &shown, e);
}

const struct film_encoder film_webm = {
    .suffix = ".webm", .missing = missing, .open = webm_open, .frame = frame, .commit = commit, .close = close_film};
const struct film_encoder film_gif = {
    .suffix = ".gif", .missing = missing, .open = gif_open, .frame = frame, .commit = commit, .close = close_film};
