/* SPDX-License-Identifier: MIT */
#include "render/batch/workers.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/clock.h"
#include "base/stop.h"
#include "base/text.h"
#include "render/batch/trial.h"
#include "solver/solver.h"

#define GRACE 0.15        /* s, between SIGTERM and SIGKILL */
#define TURN_SECONDS 20.0 /* s that a worker waits for others that start a GPU */
enum { STARTS_AT_ONCE = 2 };

struct worker {
    pid_t id; /* 0: none */
    int to, from;
    bool busy, tries; /* `tries`: the trial instead of a room */
    size_t room;
};

/* A request for a room or the trial. */
struct request {
    uint64_t room;
    int32_t trial, threads, device;
};

/* An answer, followed by `length` bytes of text. */
struct answer {
    int32_t failed; /* the text is an error message, and `code` its error code */
    int32_t code;
    struct room_account account;
    uint64_t length;
};

/* ---- In the worker ---- */

static int answer(int to, int status, const struct error *e, const char *text, const struct room_account *account)
{
    const char *said = status ? e->message : text;
    const struct answer head = {status != 0, status ? (int32_t)e->code : 0, *account, strlen(said)};
    return wire_put(to, &head, sizeof head) || wire_put(to, said, head.length) ? -1 : 0;
}

static bool goes_on(void *context, size_t done, size_t steps, double speed)
{
    (void)context, (void)done, (void)steps, (void)speed;
    return !stop_requested();
}

static int read_whole(int from, void *bytes, size_t count)
{
    for (size_t done = 0; done < count;) {
        const ssize_t got = read(from, (char *)bytes + done, count - done);
        if (got < 0 && errno == EINTR && !stop_requested())
            continue;
        if (got <= 0)
            return -1;
        done += (size_t)got;
    }
    return 0;
}

static size_t device_of(const struct workers *w, size_t index)
{
    return index % w->devices;
}

static const char visible_devices[] = "CUDA_VISIBLE_DEVICES";

/* Hides all but one GPU from a process, which then starts faster and in less memory. A visibility
 * list set by the user stays, since it may use another notation. */
static bool sees_one_device(const struct workers *w)
{
    return w->devices > 0 && !getenv(visible_devices);
}

static void see_one_device(size_t device)
{
    char number[24];
    snprintf(number, sizeof number, "%zu", device);
    setenv(visible_devices, number, 1);
}

/* Rooms that other workers step concurrently with this one. */
static size_t others_beside(const struct workers *w, size_t index)
{
    const size_t alike = w->devices ? w->count / w->devices + (index % w->devices < w->count % w->devices) : 0;
    return w->sharing && alike > 1 ? alike - 1 : 0;
}

/* The driver starts a GPU for one process after the other, in 0.3 s each, and concurrent requests
 * all finish last. In turns, the first processes start their rooms meanwhile. Two at a time,
 * because not all of that time is the driver's. */
static void start_device_in_turn(const struct workers *w, size_t index)
{
    const double until = clock_seconds() + TURN_SECONDS;
    struct error ignored;
    struct flock turn = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)(index % STARTS_AT_ONCE), .l_len = 1};
    while (fcntl(w->turns, F_SETLK, &turn) && (errno == EACCES || errno == EAGAIN) && clock_seconds() < until &&
           !stop_requested())
        poll_sleep();
    if (!stop_requested()) /* the engine is tried on its device */
        solver_engine(&w->task->choice, &ignored);
    turn.l_type = F_UNLCK;
    fcntl(w->turns, F_SETLK, &turn);
}

static void serve(const struct workers *w, size_t index, int from, int to)
{
    const struct room_task *task = w->task;
    const size_t beside = others_beside(w, index);
    struct request request;
    if (sees_one_device(w))
        see_one_device(device_of(w, index));
    if (beside)
        setenv("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "50", 0); /* more and less are slower: docs/results/batch.md */
    if (w->devices)
        start_device_in_turn(w, index);
    while (!read_whole(from, &request, sizeof request)) {
        struct error e = {ERROR_NONE, ""};
        struct room_account account = {0};
        struct room_task mine = *task;
        char *text = NULL;
        mine.watch = (struct watch){.look = goes_on};
        if (!request.trial)
            mine.choice.threads = request.threads;
        if (w->devices)
            mine.choice.device = request.device;
        if (beside)
            mine.choice.cuda.beside = (int)beside;
        const int status = request.trial ? trial_run(&text, &mine, &e)
                                         : room_task_run(&text, &account, &mine, (size_t)request.room, &e);
        const int lost = answer(to, status, &e, text, &account);
        free(text);
        if (lost)
            break;
    }
}

/* ---- In the process that starts them ---- */

static int start(struct workers *w, size_t index, struct error *e)
{
    struct worker *worker = &w->all[index];
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC))
        return fail(e, ERROR_MEMORY, "cannot create a pipe to a worker: %s", strerror(errno));
    if (pipe2(from, O_CLOEXEC)) {
        close(to[0]);
        close(to[1]);
        return fail(e, ERROR_MEMORY, "cannot create a pipe from a worker: %s", strerror(errno));
    }
    const pid_t parent = getpid();
    fflush(NULL);
    worker->id = fork();
    if (!worker->id) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
        for (size_t i = 0; i < w->count; i++) /* each worker then sees the end of its own pipe */
            if (i != index && w->all[i].id > 0) {
                close(w->all[i].to);
                close(w->all[i].from);
            }
        close(to[1]);
        close(from[0]);
        serve(w, index, to[0], from[1]);
        _exit(0);
    }
    close(to[0]);
    close(from[1]);
    worker->to = to[1];
    worker->from = from[0];
    worker->busy = false;
    if (worker->id > 0)
        return 0;
    worker->id = 0;
    close(to[1]);
    close(from[0]);
    return fail(e, ERROR_MEMORY, "cannot start a worker: %s", strerror(errno));
}

/* Waits for a process that has ended or is about to. Returns its wait status. */
static int reap(struct worker *worker)
{
    int status = 0;
    while (waitpid(worker->id, &status, 0) < 0 && errno == EINTR)
        ;
    close(worker->to);
    close(worker->from);
    worker->id = 0;
    return status;
}

void workers_end(struct workers *w)
{
    const double until = clock_seconds() + GRACE;
    size_t left = 0;
    for (size_t i = 0; i < w->count; i++)
        if (w->all[i].id) {
            kill(w->all[i].id, w->all[i].busy ? SIGTERM : SIGKILL);
            left += w->all[i].busy;
        }
    while (left && clock_seconds() < until) {
        poll_sleep();
        left = 0;
        for (size_t i = 0; i < w->count; i++) {
            siginfo_t ended = {0}; /* leaves it to be reaped */
            if (w->all[i].id && w->all[i].busy)
                left += !waitid(P_PID, (id_t)w->all[i].id, &ended, WEXITED | WNOHANG | WNOWAIT) && !ended.si_pid;
        }
    }
    for (size_t i = 0; i < w->count; i++)
        if (w->all[i].id) {
            kill(w->all[i].id, SIGKILL);
            reap(&w->all[i]);
        }
    free(w->all);
    if (w->turns > 0)
        close(w->turns);
    *w = (struct workers){0};
}

int workers_start(struct workers *w, const struct room_task *task, size_t count, size_t devices, bool sharing,
                  struct error *e)
{
    *w = (struct workers){.task = task,
                          .count = count,
                          .devices = devices,
                          .sharing = sharing,
                          .turns = devices ? memfd_create("turns", MFD_CLOEXEC) : -1};
    w->all = calloc(count, sizeof *w->all);
    if (!w->all) {
        w->count = 0;
        return fail(e, ERROR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < count; i++)
        if (start(w, i, e))
            return -1;
    return 0;
}

static int put_request(struct workers *w, size_t index, struct request request, struct error *e)
{
    struct worker *worker = &w->all[index];
    request.device = w->devices && !sees_one_device(w) ? (int32_t)device_of(w, index) : 0;
    if (wire_put(worker->to, &request, sizeof request))
        return fail(e, ERROR_FAILED, "a worker has ended");
    worker->busy = true;
    worker->room = (size_t)request.room;
    worker->tries = request.trial != 0;
    w->at_work++;
    return 0;
}

int workers_give(struct workers *w, size_t room, int threads, struct error *e)
{
    for (size_t i = 0; i < w->count; i++)
        if (!w->all[i].busy) {
            struct error ignored;
            const struct request request = {.room = room, .threads = threads};
            if (w->all[i].id && !put_request(w, i, request, &ignored))
                return 0;
            if (w->all[i].id) {
                kill(w->all[i].id, SIGKILL); /* it may still wait for the request */
                reap(&w->all[i]);
            }
            return start(w, i, e) || put_request(w, i, request, e) ? -1 : 0;
        }
    return fail(e, ERROR_FAILED, "no worker is idle");
}

/* Record of a room whose worker has ended. */
static int tell_end(struct workers *w, struct worker *worker, struct worker_news *news, struct error *e)
{
    const int status = reap(worker);
    const char *did = worker->tries ? "tried the plan" : "rendered it";
    const char *remedy =
        worker->tries ? "; it may have run out of memory" : "; it may have run out of memory; use fewer --workers";
    char message[300];
    if (stop_check(e))
        return -1;
    if (WIFSIGNALED(status))
        snprintf(message, sizeof message, "the process that %s was ended by signal %d (%s)%s", did, WTERMSIG(status),
                 strsignal(WTERMSIG(status)), WTERMSIG(status) == SIGKILL ? remedy : "");
    else
        snprintf(message, sizeof message, "the process that %s ended with status %d", did, WEXITSTATUS(status));
    if (worker->tries)
        return fail(e, ERROR_FAILED, "%s: %s; no room was begun; run the same command again", w->task->plan->path,
                    message);
    news->line = room_failed_line(w->task, news->room, message);
    return news->line ? 0 : fail(e, ERROR_MEMORY, "out of memory");
}

static int take_answer(struct workers *w, struct worker *worker, struct worker_news *news, struct error *e)
{
    struct answer head;
    news->room = worker->room;
    news->line = NULL;
    worker->busy = false;
    w->at_work--;
    char *text = NULL;
    if (wire_get(worker->from, INFINITY, &head, sizeof head) == WIRE_DONE && (text = malloc(head.length + 1)) != NULL &&
        wire_get(worker->from, INFINITY, text, head.length) == WIRE_DONE) {
        text[head.length] = '\0';
        w->account.total += head.account.total;
        w->account.stepping += head.account.stepping;
        if (!head.failed) {
            news->line = text;
            return 0;
        }
        fail_lines(e, (enum error_code)head.code, text);
        free(text);
        return -1;
    }
    free(text);
    return tell_end(w, worker, news, e);
}

int workers_wait(struct workers *w, double seconds, struct worker_news *news, struct error *e)
{
    struct pollfd *ready = calloc(w->count + 1, sizeof *ready);
    *news = (struct worker_news){0};
    if (!ready)
        return fail(e, ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < w->count; i++)
        ready[i] = (struct pollfd){.fd = w->all[i].id && w->all[i].busy ? w->all[i].from : -1, .events = POLLIN};
    const int got = poll(ready, (nfds_t)w->count, (int)(1e3 * seconds));
    int status = stop_check(e);
    for (size_t i = 0; !status && got > 0 && i < w->count; i++)
        if (ready[i].revents) {
            status = take_answer(w, &w->all[i], news, e);
            break;
        }
    free(ready);
    return status;
}

int workers_trial(char **text, const struct room_task *task, struct error *e)
{
    struct workers w;
    struct worker_news news = {0};
    *text = NULL;
    int status = workers_start(&w, task, 1, 0, 0, e) || put_request(&w, 0, (struct request){.trial = 1}, e);
    while (!status && !news.line)
        status = workers_wait(&w, 0.1, &news, e);
    workers_end(&w);
    *text = news.line;
    return status ? -1 : 0;
}
