/* SPDX-License-Identifier: MIT */
#include "studio/program.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/stop.h"
#include "base/text.h"

enum { WORDS_MAX = 64, TEXT_MAX = 1 << 26, LOOK_MILLISECONDS = 20 };
static const double grace = 0.15; /* s between SIGTERM and SIGKILL */

struct running {
    pid_t id;
    int out, err;
    struct growing_text text, notes, line, error_line;
    const struct program_watch *watch;
};

void program_result_free(struct program_result *r)
{
    free(r->text);
    free(r->notes);
    memset(r, 0, sizeof *r);
}

/* Standard input with this text; -1: out of files. */
static int input_of(const char *text, struct error *e)
{
    if (!text)
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int file = anonymous_file(e);
    const size_t length = strlen(text);
    for (size_t done = 0; file >= 0 && done < length;) {
        const ssize_t wrote = write(file, text + done, length - done);
        if (wrote <= 0) {
            close(file);
            return -1;
        }
        done += (size_t)wrote;
    }
    if (file >= 0)
        lseek(file, 0, SEEK_SET);
    return file;
}

/* In the child, where only calls that are safe after a fork of several threads are allowed. */
static void become(const char *const *words, const char *folder, int in, int out, int err, char *const *environment)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (chdir(folder) || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0)
        _exit(127);
    execve("/proc/self/exe", (char *const *)(size_t)words, environment);
    _exit(127);
}

/* The environment, in which programs of this kind write progress as lines; the array is fresh, its texts are not. */
static char **environment_with_progress(void)
{
    static char progress[] = "AULA_PROGRESS=lines";
    size_t count = 0;
    while (environ[count])
        count++;
    char **made = calloc(count + 2, sizeof *made);
    if (made) {
        memcpy(made, environ, count * sizeof *made);
        made[count] = progress;
    }
    return made;
}

static int start(struct running *r, const char *const *words, const char *folder, const char *input, struct error *e)
{
    int out[2] = {-1, -1}, err[2] = {-1, -1};
    const char *all[WORDS_MAX + 2] = {"aula"};
    char **environment = environment_with_progress();
    const int in = input_of(input, e);
    size_t count = 0;
    for (; words[count] && count < WORDS_MAX; count++)
        all[count + 1] = words[count];
    r->id = -1;
    if (in >= 0 && environment && !words[count] && !pipe2(out, O_CLOEXEC) && !pipe2(err, O_CLOEXEC))
        r->id = fork();
    if (!r->id)
        become(all, folder, in, out[1], err[1], environment);
    const int parents[] = {in, out[1], err[1]};
    for (size_t i = 0; i < sizeof parents / sizeof *parents; i++)
        if (parents[i] >= 0)
            close(parents[i]);
    free(environment);
    r->out = out[0];
    r->err = err[0];
    return r->id > 0 ? 0 : fail(e, ERROR_FAILED, "cannot start aula %s: %s", words[0], strerror(errno));
}

static void end_line(struct running *r)
{
    char *line = growing_text_take(&r->line, NULL);
    if (line && r->watch->line)
        r->watch->line(r->watch->context, line);
    free(line);
    r->line = (struct growing_text){0};
}

/* "progress: 0.42 12.5 rendering", else a line for the user. */
static void end_error_line(struct running *r)
{
    char *line = growing_text_take(&r->error_line, NULL);
    double share, left;
    int at = 0;
    r->error_line = (struct growing_text){0};
    if (!line)
        return;
    if (sscanf(line, "progress: %lf %lf %n", &share, &left, &at) >= 2 && at) {
        if (r->watch->progress)
            r->watch->progress(r->watch->context, share, left, line + at);
    } else {
        growing_text_add(&r->notes, "%s\n", line);
    }
    free(line);
}

static bool drain(struct running *r, int from, bool error)
{
    char bytes[65536];
    const ssize_t got = read(from, bytes, sizeof bytes);
    if (got <= 0)
        return got < 0 && (errno == EINTR || errno == EAGAIN);
    for (ssize_t i = 0; i < got; i++) {
        struct growing_text *line = error ? &r->error_line : &r->line;
        if (bytes[i] == '\n')
            error ? end_error_line(r) : end_line(r);
        else if (line->length < TEXT_MAX)
            growing_text_bytes(line, bytes + i, 1);
    }
    if (!error && r->text.length < TEXT_MAX)
        growing_text_bytes(&r->text, bytes, (size_t)got);
    return true;
}

/* Waits for the end; the status as of a shell. */
static int reap(pid_t id)
{
    int status = 0;
    while (waitpid(id, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Until both pipes end. Why it was stopped: 0 not, 1 on request, 2 too late. */
static int follow(struct running *r, double until)
{
    bool out = true, err = true;
    double stopped = 0.0;
    int why = 0;
    while (out || err) {
        struct pollfd pipes[2] = {{out ? r->out : -1, POLLIN, 0}, {err ? r->err : -1, POLLIN, 0}};
        poll(pipes, 2, LOOK_MILLISECONDS);
        if (pipes[0].revents)
            out = drain(r, r->out, false);
        if (pipes[1].revents)
            err = drain(r, r->err, true);
        const double now = clock_seconds();
        if (!why && ((r->watch->stop && atomic_load(r->watch->stop)) || stop_requested()))
            why = 1;
        if (!why && now > until)
            why = 2;
        if (why && !(stopped > 0.0)) {
            kill(r->id, SIGTERM);
            stopped = now;
        } else if (why && now - stopped > grace) {
            kill(r->id, SIGKILL);
            break;
        }
    }
    return why;
}

int program_run(struct program_result *result, const char *const *words, const char *folder, const char *input,
                double seconds, const struct program_watch *watch, struct error *e)
{
    struct running r = {.out = -1, .err = -1, .watch = watch};
    memset(result, 0, sizeof *result);
    const int failed = start(&r, words, folder, input, e);
    const int why = failed ? 0 : follow(&r, clock_seconds() + seconds);
    if (!failed)
        result->status = reap(r.id);
    if (r.line.length)
        end_line(&r);
    if (r.error_line.length)
        end_error_line(&r);
    if (r.out >= 0)
        close(r.out);
    if (r.err >= 0)
        close(r.err);
    result->text = growing_text_take(&r.text, NULL);
    result->notes = growing_text_take(&r.notes, NULL);
    if (failed)
        return -1;
    if (why == 1)
        return fail(e, ERROR_STOPPED, "stopped");
    if (why == 2)
        return fail(e, ERROR_FAILED, "aula %s took longer than %.0f s and was stopped", words[0], seconds);
    return 0;
}
