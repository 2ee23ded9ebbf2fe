/* SPDX-License-Identifier: MIT */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/stop.h"

/* Bytes of address space of this process; 0: not known. */
static double address_space(void)
{
    double pages = 0.0;
    FILE *f = fopen("/proc/self/statm", "re");
    if (!f)
        return 0.0;
    if (fscanf(f, "%lf", &pages) != 1)
        pages = 0.0;
    fclose(f);
    return pages * (double)sysconf(_SC_PAGESIZE);
}

static void limit(__rlimit_resource_t resource, double value)
{
    struct rlimit r;
    if (getrlimit(resource, &r))
        return;
    const rlim_t wanted = value < 1e18 ? (rlim_t)value : RLIM_INFINITY;
    if (r.rlim_max == RLIM_INFINITY || wanted < r.rlim_max)
        r.rlim_cur = r.rlim_max = wanted;
    else
        r.rlim_cur = r.rlim_max;
    setrlimit(resource, &r);
}

/* The system call by its number, as glibc has a function for it from 2.34 on. Linux before 5.9 lacks the call. */
static void close_from(int first)
{
    if (!syscall(__NR_close_range, first, ~0U, 0))
        return;
    const long end = sysconf(_SC_OPEN_MAX);
    for (int fd = first; fd < end && fd < 1 << 16; fd++)
        close(fd);
}

/* The child's surroundings: nothing of the parent's, and no signal handler. `space`: its address space, bytes. */
static void confine(int pipe_end, pid_t parent, double space, const struct child_limits *limits)
{
    static const int reset[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ, SIGXCPU, SIGPROF, SIGALRM, SIGCHLD};
    for (size_t i = 0; i < sizeof reset / sizeof *reset; i++)
        signal(reset[i], SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it ended before that */
        _exit(1);
    dup2(pipe_end, 3); /* first: the pipe may have the number of a closed standard descriptor */
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3; fd++)
        dup2(nothing, fd);
    close_from(4);
    limit(RLIMIT_CORE, 0.0);
    limit(RLIMIT_FSIZE, limits->file_bytes);
    limit(RLIMIT_CPU, limits->cpu_seconds);
    if (space > 0.0)
        limit(RLIMIT_AS, space + limits->bytes);
}

int child_start(struct child *c, const struct child_limits *limits, int (*work)(int pipe, void *argument),
                void *argument, const char *path, struct error *e)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return fail(e, ERROR_INPUT, "%s: cannot read: no pipe: %s", path, strerror(errno));
    const pid_t parent = getpid();
    const double space = address_space();
    *c = (struct child){.id = fork(), .pipe = ends[0]};
    if (!c->id) {
        confine(ends[1], parent, space, limits);
        _exit(work(3, argument));
    }
    close(ends[1]);
    if (c->id > 0)
        return 0;
    fail(e, ERROR_INPUT, "%s: cannot read: no process: %s", path, strerror(errno));
    close(ends[0]);
    return -1;
}

/* Ends the child for good and closes the pipe. Returns its wait status; 0 when it is not known. */
static int end_child(struct child *c)
{
    int status = 0;
    kill(c->id, SIGKILL);
    while (waitpid(c->id, &status, 0) < 0)
        if (errno != EINTR) { /* the program that uses the library ignores SIGCHLD */
            status = 0;
            break;
        }
    close(c->pipe);
    return status;
}

static int died(int status, const char *path, const char *library, const char *remedy,
                const struct child_limits *limits, struct error *e)
{
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (number == SIGXCPU || number == SIGKILL)
        return fail(e, ERROR_INPUT,
                    "%s: reading took more than %u s of processor time or %s of memory (damaged, or too large for %s); "
                    "simplify it or %s",
                    path, limits->cpu_seconds, memory_text((uint64_t)limits->bytes), library, remedy);
    return fail(
        e, ERROR_INPUT,
        "%s: %s crashed while reading it%s%s (damaged, or not supported by %s); %s from the program that wrote it",
        path, library, number ? ": " : "", number ? strsignal(number) : "", library, remedy);
}

int child_conclude(struct child *c, enum wire_status answer, bool failed, const char *path, const char *library,
                   const char *remedy, const struct child_limits *limits, struct error *e)
{
    const int status = end_child(c);
    switch (answer) {
    case WIRE_DONE:
        return failed ? -1 : 0;
    case WIRE_STOPPED:
        return stop_check(e);
    case WIRE_LATE:
        return fail(e, ERROR_INPUT,
                    "%s: reading took longer than %g s (damaged, or too large for %s); simplify it or %s", path,
                    limits->wall_seconds, library, remedy);
    case WIRE_ENDED:
        return died(status, path, library, remedy, limits, e);
    case WIRE_REFUSED:
        break;
    }
    return -1;
}

int wire_put(int pipe, const void *bytes, size_t count)
{
    const char *at = bytes;
    while (count) {
        const ssize_t n = write(pipe, at, count);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        at += n;
        count -= (size_t)n;
    }
    return 0;
}

enum wire_status wire_get(int pipe, double deadline, void *bytes, size_t count)
{
    enum { LOOK = 100 }; /* ms between looks at the clock and at stop_requested */
    char *to = bytes;
    while (count) {
        struct pollfd ready = {.fd = pipe, .events = POLLIN};
        const int polled = poll(&ready, 1, LOOK);
        if (stop_requested())
            return WIRE_STOPPED;
        if (clock_seconds() > deadline)
            return WIRE_LATE;
        if (polled == 0 || (polled < 0 && errno == EINTR))
            continue;
        const ssize_t n = polled < 0 ? -1 : read(pipe, to, count);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return WIRE_ENDED;
        to += n;
        count -= (size_t)n;
    }
    return WIRE_DONE;
}

void wire_clean(char *message)
{
    for (char *at = message; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 127)
            *at = ' ';
}
